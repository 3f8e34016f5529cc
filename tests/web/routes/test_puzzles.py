"""Puzzles over HTTP are those of the library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from noughts.puzzles import Puzzle, daily, puzzles
from noughts.views import view
from support.cases import for_each
from support.http_client import Client, asking, problem

WIN = next(each for each in puzzles("5x5x4", kind="win") if each.plies == 5)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking() as client:
        yield client


def get(client: Client, path: str, **query: Any) -> httpx.Response:
    return client.http.get(f"/api/puzzles{path}", params=query)


def shown(each: Puzzle, **more: Any) -> dict[str, Any]:
    return {**each.to_json(**more), "view": view(each.game)}


def test_the_list(client: Client) -> None:
    found = get(client, "").json()
    assert found == {"total": len(puzzles()), "puzzles": [each.to_json() for each in puzzles()]}
    found = get(client, "", game="ultimate", kind="draw", stars=2).json()
    ids = [each.id for each in puzzles("ultimate", "draw", 2)]
    assert ids
    assert [each["id"] for each in found["puzzles"]] == ids
    assert get(client, "", game="9x9x5").json() == {"total": 0, "puzzles": []}


def test_one_puzzle_with_and_without_its_solution(client: Client) -> None:
    for each in (WIN, puzzles("ultimate")[0], puzzles("3x3x3", "block")[0]):
        assert get(client, f"/{each.id}").json() == shown(each)
        assert get(client, f"/{each.id}", solution=True).json() == shown(each, solution=True)


def test_the_puzzle_of_a_day(client: Client) -> None:
    assert get(client, "/daily", date="2026-02-03").json() == shown(daily("2026-02-03"))
    assert get(client, "/daily").is_success


def test_an_attempt_move_by_move(client: Client) -> None:
    name = WIN.position.move_name
    own = [name(move) for move in WIN.line[::2]]
    for number in range(1, len(own) + 1):
        found = client.ask(f"puzzles/{WIN.id}/attempt", moves=own[:number])
        attempt = WIN.check(*own[:number])
        assert found == {**attempt.to_json(), "view": view(attempt.game)}
        assert (found["right"], found["solved"]) == (True, number == len(own))


def test_a_wrong_move_and_what_happens_then(client: Client) -> None:
    move = next(m for m, answer in WIN.answers.items() if answer.known.label.startswith("L"))
    found = client.ask(f"puzzles/{WIN.id}/attempt", moves=[WIN.position.move_name(move)])
    assert (found["right"], found["value"], found["game"]) == (False, "loss", WIN.text)
    assert found["reply"] in found["text"]


@for_each(
    ("path", "query", "status", "message"),
    [
        ("/zzzzz", {}, 404, "there is no puzzle 'zzzzz'"),
        ("/daily", {"date": "2026-02-30"}, 422, "a date is a day like"),
        ("", {"game": "chess"}, 422, "a game is named like"),
        ("", {"kind": "mate"}, 422, "kind"),
        ("", {"stars": 6}, 422, "stars"),
        ("/daily", {"solution": "perhaps"}, 422, "solution"),
    ],
)
def test_wrong_questions(
    client: Client, path: str, query: dict[str, Any], status: int, message: str
) -> None:
    found, error = problem(get(client, path, **query))
    assert found == status
    assert message in error["message"]


@for_each(
    ("moves", "status", "message"),
    [
        ([], 422, "moves"),
        (["zz"], 422, "zz"),
        ([4], 422, "moves"),
        (["a1"] * 41, 422, "moves"),
        (None, 422, "moves"),
    ],
)
def test_what_is_no_attempt(client: Client, moves: Any, status: int, message: str) -> None:
    found, error = client.refused(f"puzzles/{WIN.id}/attempt", moves=moves)
    assert found == status
    assert message in error["message"]
    assert error["place"]["field"].startswith("moves")


def test_an_attempt_at_no_puzzle(client: Client) -> None:
    assert client.refused("puzzles/zzzzz/attempt", moves=["a1"])[0] == 404
