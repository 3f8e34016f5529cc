"""``--plain``: a game that can be followed by listening, on a terminal and in a log."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from noughts import Game, start
from support.cli_runner import on_terminal, run, spawn
from support.play_sessions import piped

WON = """\
3x3x3: you are X, the solver (perfect) is O.
3 rows, numbered from the top; 3 columns, lettered from the left; 3 in a row win.
Row 1: X at a, X at b.
Row 2: O at a, O at b.
Row 3 is empty.
X to move.
X plays c1.
X wins with a1 b1 c1 after 1 move.
Game: 3x3x3:XX./OO./... c1
"""


def test_a_game_that_is_won() -> None:
    result = run("play", "XX./OO./...", "--plain", stdin="c1\n")
    assert (result.code, result.err) == (0, "")
    assert result.out == WON


def random_game(name: str, seed: int) -> Game[Any]:
    """Return a whole game by random play."""
    game: Game[Any] = Game(start(name))
    rng = Random(seed)
    while game.outcome is None:
        game.play(rng.choice(game.position.legal_moves))
    return game


@pytest.mark.parametrize("name", ["4x4x4", "15x15x5", "ultimate", "ultimate-open"])
def test_a_listener_can_write_the_game_down(name: str) -> None:
    game = random_game(name, seed=3)
    moves = [game.start.move_name(move) for move in game.moves]
    typed = "\nboard\n".join(moves)
    result = run("play", name, "--plain", "--against", "person", stdin=typed)
    assert (result.code, result.err) == (0, "")
    heard: Game[Any] = Game(start(name))
    for line in result.lines:
        if match := re.match(r"([XO]) plays (\w+)[.:]", line):
            assert heard.turn == match[1]
            heard.play(match[2])
            turn = re.search(r"([XO]) to move", line)
            assert (turn and turn[1]) == (None if heard.outcome else heard.turn)
    assert heard == game
    assert result.lines[-1] == f"Game: {game.text}"


def test_nothing_has_to_be_looked_at() -> None:
    """No line draws anything, or needs another one above it to be understood."""
    words = "ee board values moves hint level undo redo swap help resign undo new aa"
    result = run(
        *("play", "ultimate", "--plain", "--level", "casual", "--seed", "1", "--time", "0.1"),
        stdin=words.replace(" ", "\n"),
    )
    assert (result.code, result.err) == (0, "")
    assert result.out.isascii()
    for line in result.lines:
        assert re.search("[A-Za-z]{2}", line), "only drawings have lines without a word"
        assert not re.search(r"[|+~]|--- ?|  \S.*  \S", line.replace("'|'", "")), line
        assert line == line.rstrip()


def test_the_outlook_of_the_computer() -> None:
    lines = run("play", "3x3x3", "--plain", stdin="a1\n").lines
    assert "O plays b2. Outlook for O: a draw. X to move." in lines
    lines = run("play", "3x3x3", "c1", "a1", "a2", "b2", "--plain", stdin="b1\n").lines
    assert "O plays c3. Outlook for O: wins in 1." in lines


def test_values_are_listed_in_words() -> None:
    lines = run("play", "XX./OO./...", "--plain", stdin="values\nmoves\n").lines
    for line in ("wins in 1: c1", "a draw: c2", "loses in 2: a3 b3 c3"):
        assert lines.count(line) == 2


def test_complaints_name_their_line() -> None:
    result = run("play", "3x3x3", "--plain", "--against", "person", stdin="b2\nb2\n9x9\n")
    assert result.code == 2
    first, second = result.err.splitlines()
    assert first == "Error: line 2: b2 (cell 4) is taken by X"
    assert second.startswith("Error: line 3: '9x9' is neither")


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_on_a_terminal_nothing_moves_or_shines(term: str) -> None:
    typed = ("b2", "nonsense", "hint", "board", "quit")
    result = on_terminal("play", "3x3x3", "--plain", typed=typed, env={"TERM": term})
    assert result.code == 0
    assert "\x1b" not in result.out
    # A line that is typed ends with \r\n, which is taken out; nothing else may go back.
    assert "\r" not in result.out
    assert "X> b2\nX plays b2.\nO plays " in result.out
    assert "Hint: " in result.out


def test_a_log_is_the_same_as_what_is_heard() -> None:
    """Whoever pipes into a file gets the sentences, in any locale."""
    result = spawn(
        *("play", "3x3x3", "--plain", "--as", "none"),
        env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii:strict"},
    )
    assert (result.code, result.err) == (0, "")
    assert result.out == run("play", "3x3x3", "--plain", "--as", "none").out
    assert sum(line.startswith(("X plays", "O plays")) for line in result.lines) == 9


def test_long_sentences_are_left_to_the_terminal_to_wrap() -> None:
    result = run("play", "3x3x3", "--plain", "--as", "none", env={"COLUMNS": "40"})
    assert max(map(len, result.lines)) > 80


def test_pictures_can_be_had_in_words_as_well() -> None:
    result = piped("3x3x3", "--against", "person", lines="b2 a1")
    assert "Row" not in result.out
    result = run("play", "3x3x3", "--against", "person", stdin="b2\na1\nboard 2\nboard a\n")
    assert result.lines[-4:-2] == ["Row 2: X at b.", "Column a: O at 1."]
