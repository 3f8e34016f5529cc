"""`noughts trace`: trees that can be read, JSON, and what cannot be traced."""

from __future__ import annotations

import json
import subprocess

import pytest

from noughts.exercises.tracing import trace
from noughts.exercises.tracing.scenes import SCENES
from support.cli_runner import python, run


def test_a_small_enumeration_as_a_tree() -> None:
    result = run("trace", "games", "1x2x2")
    assert (result.code, result.err) == (0, "")
    assert [" ".join(line.split()[1:]) for line in result.out.splitlines()[1:-1]] == [
        "place X at a1 X.",
        "place O at b1 XO",
        "a draw: game 0 is a1 b1 XO",
        "undo O at b1 X.",
        "undo X at a1 ..",
        "place X at b1 .X",
        "place O at a1 OX",
        "a draw: game 1 is b1 a1 OX",
        "undo O at a1 .X",
        "undo X at b1 ..",
    ]
    depths = [len(line) - len(line[6:].lstrip()) for line in result.out.splitlines()[1:-1]]
    assert depths == [10, 12, 12, 12, 10] * 2
    assert result.out.splitlines()[-1].endswith("4 marks, 4 undos, 2 games")


@pytest.mark.parametrize("name", SCENES)
def test_an_example_fits_80_columns(name: str) -> None:
    for more in ([], ["--lines"]):
        result = run("trace", name, *more)
        assert result.code == 0
        assert max(map(len, result.out.splitlines())) <= 80
        assert len(result.out.splitlines()) > 5
    assert run("trace", name).out == run("trace", name, *SCENES[name].example).out


def test_a_deep_trace_fits_80_columns() -> None:
    result = run("trace", "games", "4x4x3", "--start", "99000", "--steps", "2000")
    assert max(map(len, result.out.splitlines())) <= 80
    assert "a draw: game 1,6" in result.out


def test_every_step_as_json() -> None:
    result = run("trace", "move", "3", "0,0,1", "1,1,2", "--json")
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert lines == [step.to_json() for step in trace("move", 3, [(0, 0, 1), (1, 1, 2)])]
    some = run("trace", "move", "3", "0,0,1", "1,1,2", "--json", "--start", "5", "--steps", "3")
    assert [json.loads(line) for line in some.out.splitlines()] == lines[5:8]
    assert run("trace", "games", "2x2x2", "--steps", "0").out.count("\n") == 1


def test_the_reader_of_a_long_trace_may_leave() -> None:
    command = f"{' '.join(python('trace', 'games', '4x4x3', '--json'))} | head -n 2"
    ran = subprocess.run(command, shell=True, capture_output=True, timeout=60, check=True)
    assert [json.loads(line)["step"] for line in ran.stdout.splitlines()] == [0, 1]
    assert ran.stderr == b""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "'chess' is not one of 'games'"),
        (["games", "2y2"], "a grid is ROWSxCOLSxK"),
        (["games", "20x20x5"], "too large to follow"),
        (["state", "XX?/..."], "row 1, column 3"),
        (["state", "XX.", "OO."], "as in: state"),
        (["move", "3", "0,0,1", "0,0,2"], "move 2: the cell 0,0 is taken"),
        (["games", "2x2x2", "--steps", "-1"], "-1 is not in the range"),
        (["simulate", "--line"], "No such option"),
        ([], "Missing argument"),
    ],
)
def test_what_cannot_be_traced(arguments: list[str], message: str) -> None:
    result = run("trace", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_move_that_looks_like_an_option_is_a_move() -> None:
    result = run("trace", "simulate", "-1,0,X")
    assert result.code == 0
    assert "rejected: row and column must be 0, 1 or 2" in result.out
