"""A game told with pictures: the board after every move, as wide as the terminal."""

from __future__ import annotations

import re

import pytest

from noughts import Game, GridPosition
from noughts.solving import analyse
from support.cli_runner import on_terminal, run, spawn, without_colour
from support.play_sessions import piped, typed

WON = """\
3x3x3: you are X, the solver (perfect) is O.

    a   b   c
1   X │ X │
   ───┼───┼───
2   O │ O │
   ───┼───┼───
3     │   │
3x3x3, X to move

X plays c1
    a   b   c
1  [X]│[X]│[X]
   ───┼───┼───
2   O │ O │
   ───┼───┼───
3     │   │
3x3x3, X wins

X wins with a1 b1 c1 after 1 move.
Game: 3x3x3:XX./OO./... c1
"""


def test_a_game_that_is_won() -> None:
    result = piped("XX./OO./...", lines="c1")
    assert (result.code, result.err) == (0, "")
    assert result.out == WON


def test_ascii() -> None:
    result = piped("3x3x3", "--ascii", lines="b2 hint moves")
    assert result.out.isascii()
    assert "|" in result.out


def test_colours_on_a_terminal() -> None:
    words = ("play", "3x3x3", "--as", "none")
    in_pipe = run(*words).out
    for result in (on_terminal(*words), run(*words, is_terminal=True)):
        assert "\x1b[1;34mX" in result.out
        assert "\x1b[1mA draw" in result.out
        shown = without_colour(result.out).replace("\r\x1b[K", "").replace("thinking ...", "")
        assert shown == in_pipe
    plain = run(*words, is_terminal=True, env={"NO_COLOR": "1"})
    assert "\x1b[1" not in plain.out


def test_narrow_terminals() -> None:
    arguments = ("15x15x5", "--against", "person")
    results = {40: typed("h8", "help", "nonsense", "quit", arguments=arguments, columns=40)}
    for columns in (40, 80):
        words = ("play", "15x15x5", "--time", "0.1")
        settings = {"COLUMNS": str(columns)}
        results[-columns] = run(*words, stdin="h8\nmoves\nnonsense\n", env=settings)
    for columns, result in results.items():
        prose = [each for each in result.lines if "> " not in each and "noughts" not in each]
        assert max(map(len, prose)) <= abs(columns)


def test_a_large_board_is_low_enough_for_a_terminal() -> None:
    assert "┼" not in piped("15x15x5").out
    assert "┼" in piped("8x8x5", "--against", "person").out


# -- values on the board -----------------------------------------------------------------


@pytest.mark.parametrize("text", ["3x3x3 b2 a1", "3x3x3:XX./OO./...", "4x4x3 b2 c3"])
def test_values_on_the_board_are_those_of_the_solver(text: str) -> None:
    result = run("play", *text.split(), "--against", "person", stdin="values\n")
    assert (result.code, result.err) == (0, "")
    position = Game.parse(text).position
    assert isinstance(position, GridPosition)
    labels = analyse(position).labels
    rows = [line[3:].split("│") for line in result.lines if re.match(r"\d  ", line)]
    shown = [cell.strip() for row in rows[position.grid.rows :] for cell in row]
    wanted = dict(enumerate(shown))
    assert {move: wanted[move] for move in labels} == labels
    assert any(line.startswith("W3 wins in 3") for line in result.lines)


@pytest.mark.parametrize("game", ["15x15x5 h8 i9 h9", "ultimate", "ultimate ee"])
def test_values_fit_into_eighty_columns(game: str) -> None:
    options = ("--against", "person", "--time", "0.2")
    result = run("play", *game.split(), *options, stdin="values\n")
    assert (result.code, result.err) == (0, "")
    assert len(re.findall(r"\b\d+%", result.out)) >= 8
    assert max(map(len, result.lines)) <= 80


def test_a_terminal_that_is_too_narrow_for_values_says_so() -> None:
    words = ("play", "15x15x5", "--time", "0.1", "--against", "person")
    narrow = run(*words, stdin="values\n", env={"COLUMNS": "50"})
    assert "too narrow for values on the\nboard" in narrow.out
    assert "too narrow" not in run(*words, stdin="values\n").out


# -- terminals that can less -------------------------------------------------------------


def test_a_dumb_terminal_is_sent_no_codes() -> None:
    result = on_terminal("play", "3x3x3", typed=("b2", "hint", "quit"), env={"TERM": "dumb"})
    assert result.code == 0
    assert "\x1b" not in result.out
    assert "thinking" not in result.out
    assert " X " in result.out


def test_where_lines_cannot_be_drawn_they_are_typed() -> None:
    result = spawn(
        "play", "ultimate", "ee", "--against", "person", env={"PYTHONIOENCODING": "ascii"}
    )
    assert (result.code, result.err) == (0, "")
    assert result.out.isascii()
    assert "-------+-------+-------" in result.lines


def test_the_forced_board_is_seen() -> None:
    """By dots where one may play, in the key beside the boards, and in words."""
    result = piped("ultimate", "--against", "person", lines="ee ea")
    assert sum("· · ·" in line for line in result.lines[-15:]) == 3
    assert any(line.endswith("[a]  b   c") for line in result.lines[-15:])
    assert "ultimate, X to move in board a (top left)" in result.lines


def test_the_board_can_be_drawn_again() -> None:
    result = piped("3x3x3", "--against", "person", lines="b2 board")
    drawing = result.out.partition("X plays b2\n")[2].partition("\n\n")[0]
    assert result.out.count(drawing) == 2
