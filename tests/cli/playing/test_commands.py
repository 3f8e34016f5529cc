"""What can be typed: moves, commands, their first letters, and what is not understood."""

from __future__ import annotations

import re

import pytest

from noughts import GridPosition, NotationError, start
from noughts.cli.playing.commands import COMMANDS, Command, parse_line
from support.cli_runner import run
from support.play_sessions import piped, record


@pytest.mark.parametrize("form", ["b2", "B2", "4", "  b2", "b2\t ", " B2 \r"])
def test_forms_of_a_move(form: str) -> None:
    result = run("play", "3x3x3", "--against", "person", stdin=f"{form}\n")
    assert (result.code, result.err) == (0, "")
    assert record(result).moves == (4,)


@pytest.mark.parametrize(
    ("short", "meaning"),
    [("u", "undo"), ("red", "redo"), ("hi", "hint"), ("m", "moves"), ("res", "resign")],
)
def test_short_forms(short: str, meaning: str) -> None:
    assert piped("3x3x3", lines=f"b2 u {short}") == piped("3x3x3", lines=f"b2 undo {meaning}")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("foo", f"nor a command: {', '.join(COMMANDS)}"),
        ("foo bar", "nor a command"),
        ("b2 a1", "a move, like c2 or 5,"),
        ("k", "a move, like c2 or 5,"),
        ("2b", "a move, like c2 or 5,"),
        ("-1", "a move, like c2 or 5,"),
        ("!", "a move, like c2 or 5,"),
        ("b２", "a move, like c2 or 5,"),
        ("É", "a move, like c2 or 5,"),
        ("unod", "did you mean undo?"),
        ("h", "hint or help"),
        ("r", "redo or resign"),
        ("re", "redo or resign"),
        ("s", "swap or save"),
        ("l game.txt", "level or load"),
        ("undo all", "undo takes no argument: 'all'"),
        ("load", "Type load FILE"),
        ("save", "type save FILE"),
        ("board 4", "neither a row from 1 to 3 nor a column from a to c"),
        ("level casual", "both sides are played by people"),
        ("swap", "both sides are played by people"),
        ("d1", "columns a to c"),
        ("a4", "rows 1 to 3"),
        ("a0", "rows 1 to 3"),
        ("9", "0 to 8"),
        ("99999999999999999999999999", "b2"),
        ("a1", "a1 (cell 0) is taken by X"),
    ],
)
def test_what_is_not_understood(line: str, hint: str) -> None:
    """It is said where and why, and the game goes on."""
    result = run("play", "3x3x3", "--against", "person", stdin=f"a1\n\n{line}\nc3\n")
    assert result.code == 2
    assert result.err.startswith("Error: line 3: ")
    assert hint in result.err
    assert record(result).text == "3x3x3 a1 c3"


def test_in_ultimate_a_move_goes_before_a_command() -> None:
    result = run("play", "ultimate", "--against", "person", stdin="hi\n")
    assert (result.code, result.err) == (0, "")
    assert result.lines[-1] == "  noughts play ultimate hi --against person"


def test_help_lists_every_command() -> None:
    for word in ("help", "?", "HELP"):
        result = piped("3x3x3", lines=word)
        assert (result.code, result.err) == (0, "")
        for name, command in COMMANDS.items():
            about = re.escape(f"{name} {command.about}".strip())
            assert re.search(rf"^  {about} +{re.escape(command.what)}$", result.out, re.MULTILINE)


@pytest.mark.parametrize("game", ["3x3x3", "26x26x5", "ultimate"])
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_understood_in_every_game(game: str, name: str) -> None:
    about = COMMANDS[name].about
    if about:
        assert parse_line(f" {name} \t My File.txt ", start(game)) == Command(name, "My File.txt")
    if about != "FILE":
        assert parse_line(name.upper(), start(game)) == Command(name, "" if about else None)


def test_first_letters_never_mean_a_command_that_does_not_begin_with_them() -> None:
    position = GridPosition.start("3x3x3")
    words = {name[:length] for name in COMMANDS for length in range(1, len(name) + 1)}
    for word in words:
        fits = [name for name in COMMANDS if name.startswith(word)]
        try:
            typed = parse_line(f"{word} x", position)
        except NotationError:
            continue
        assert isinstance(typed, Command)
        assert typed.name in fits
        assert len([name for name in fits if name.isalpha()]) <= 1 or word == typed.name
