"""Whatever asks what a position is worth, the answer is the same."""

from __future__ import annotations

from typing import Any

import pytest

import noughts
from noughts.limits import GIB
from noughts.notebook import board
from noughts.web.pool.tasks import TASKS, Context
from support.cli_runner import run


def by_command_line(text: str, *limit: str) -> Any:
    """Return the answer of ``noughts analyse --json``."""
    result = run("analyse", *text.split(), *limit, "--json")
    assert result.code == 0, result.err
    return result.object


def by_http(text: str, **limit: float) -> Any:
    """Return the answer of the task behind ``POST /api/analyse``, which the page shows."""
    request = {"game": text, "seconds": None, "nodes": None, **limit}
    return TASKS["analyse"](request, Context(4 * GIB, lambda _: None))


def proved(moves: Any) -> dict[str, tuple[str, int | None]]:
    """Return what is proved of each move."""
    return {name: (known["value"], known["plies"]) for name, known in moves.items()}


@pytest.mark.parametrize("text", ["3x3x3 b2 b1", "4x4x3 b2", "5x5x4", "4x4x3:XX../OO../..../...."])
def test_what_is_proved(text: str) -> None:
    found = noughts.analyse(text, seconds=30)
    name = found.position.move_name
    best = list(map(name, found.best_moves))
    assert found.is_proved
    for answer in (by_command_line(text, "--time", "30s"), by_http(text, seconds=30.0)):
        for field in ("value", "plies", "best", "text", "note"):
            assert answer[field] == found.to_json()[field]
        assert proved(answer["moves"]) == proved(found.to_json()["moves"])
    shown = board(text, values=True, seconds=30).shown
    assert proved(shown["values"]) == proved(found.to_json()["moves"])
    assert shown["best"] == best
    asked = ("--plain", "--against", "person", "--time", "30s")
    lines = run("play", *text.split(), *asked, stdin="values\nhint\n").lines
    phrases = dict(line.split(": ") for line in lines if ": " in line)
    for each in found.moves:
        assert name(each.move) in phrases[each.phrase].split()
    assert phrases["Hint"].startswith(f"{best[0]} ({found.best.phrase}")


@pytest.mark.parametrize("text", ["ultimate ee ea", "15x15x5 h8"])
def test_what_is_estimated(text: str) -> None:
    """A node limit and one thread repeat a search."""
    found = noughts.analyse(text, nodes=500).to_json()
    assert not found["proved"]
    assert by_command_line(text, "--nodes", "500") == found
    assert by_http(text, nodes=500) == found
