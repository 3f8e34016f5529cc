"""Traces over HTTP are those of the library, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from noughts import Game
from noughts.exercises.tracing import Trace, trace
from noughts.exercises.tracing.scenes import SCENES
from support.cases import for_each
from support.http_client import Client, asking


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking() as client:
        yield client


@pytest.mark.parametrize("exercise", SCENES)
def test_pieces_make_up_the_whole(client: Client, exercise: str) -> None:
    run = Trace.of_texts(exercise, SCENES[exercise].example)
    steps: list[dict[str, Any]] = []
    ended = False
    while not ended:
        found = client.ask("trace", exercise=exercise, start=len(steps), limit=50)
        ended = found["ended"]
        steps += found["steps"]
    assert steps == [step.to_json() for step in run]
    assert found["total"] == len(steps)
    assert found["input"] == list(run.input)
    assert found["source"] == {"name": run.source.name, "lines": list(run.source.lines)}
    board = Game.parse(found["game"]).position.diagram()
    assert (board.rows, board.cols) == (steps[0]["board"]["rows"], steps[0]["board"]["cols"])


def test_a_run_that_is_too_long_has_no_total(client: Client) -> None:
    found = client.ask("trace", exercise="games", input=["4x4x3"], start=200_000, limit=2)
    assert (found["total"], found["ended"]) == (None, False)
    steps = trace("games", "4x4x3").steps(200_000)
    assert found["steps"] == [next(steps).to_json(), next(steps).to_json()]


@for_each(
    ("question", "status", "message"),
    [
        ({"exercise": "chess"}, 422, ""),
        ({"exercise": "games", "input": ["2x2"]}, 422, "like 4x4x3"),
        ({"exercise": "games", "input": ["11x11x3"]}, 422, "at most 100 cells"),
        ({"exercise": "games", "start": 200_001}, 422, "200,000 at most"),
        ({"exercise": "games", "limit": 501}, 422, ""),
        ({"exercise": "simulate", "input": ["0,0,X"] * 1001}, 422, "at most 1,000"),
        ({"exercise": "simulate", "input": ["x" * 60_000]}, 413, "characters"),
    ],
)
def test_what_cannot_be_traced_is_refused(
    client: Client, question: dict[str, Any], status: int, message: str
) -> None:
    refused, error = client.refused("trace", **question)
    assert refused == status
    assert message in error["message"]
