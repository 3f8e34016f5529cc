"""Tasks over HTTP: the library's results, streams of progress, and workers freed by leaving."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import httpx
import pytest

from noughts import Game, GridPosition, explore
from noughts.counting import Games, count
from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS
from noughts.solving import analyse
from noughts.web.settings import Settings
from support.http_client import Client, asking, events, problem
from support.oracle import minimax

# LONG takes longer than a request waits for a worker: a worker that is free again was stopped.
SETTINGS = Settings(
    workers=2, ready=2, max_seconds=40.0, wait_seconds=20.0, per_client=4, page_size=50
)
LONG = {"game": "ultimate", "seconds": 40.0}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking(SETTINGS) as client:
        while client.post("analyse", game="4x4x3").status_code == 503:
            pass  # the workers are only just starting
        yield client


def stream(client: Client, what: str, **question: Any) -> Any:
    """Open a stream of events."""
    return client.http.stream(
        "POST", f"/api/{what}", json=question, headers={"Accept": "text/event-stream"}
    )


def all_are_free(client: Client) -> bool:
    """Return whether both workers can be asked."""
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(client.post, "analyse", game="ultimate", seconds=0.3) for _ in range(2)]
        return all(job.result().status_code == 200 for job in jobs)


# -- analyses ----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["3x3x3", "3x3x3 b2 a1", "3x3x3:XX./OO./...", "4x4x3 b2 a1"])
def test_analyses_are_the_solvers(client: Client, text: str) -> None:
    position = Game.parse(text).position
    assert isinstance(position, GridPosition)
    found = client.ask("analyse", game=text, seconds=10)
    exact = analyse(position)
    assert found["position"] == position.text
    assert found["proved"] is True
    assert (found["value"], found["plies"]) == (exact.solution.value, exact.solution.plies)
    assert {
        name: (worth["value"], worth["plies"], worth["proved"])
        for name, worth in found["moves"].items()
    } == {position.move_name(known.move): (known.value, known.plies, True) for known in exact.moves}
    names = list(found["moves"])
    ranks = [("win", "draw", "loss").index(found["moves"][name]["value"]) for name in names]
    assert ranks == sorted(ranks), "from best to worst"
    assert found["best"] == list(map(position.move_name, exact.best_moves))


@pytest.mark.parametrize("text", ["ultimate ee", "15x15x5 h8", "ultimate-most-boards"])
def test_where_nothing_is_proved_there_are_estimates_that_say_so(client: Client, text: str) -> None:
    found = client.ask("analyse", game=text, nodes=500)
    position = Game.parse(text).position
    assert set(found["moves"]) == {position.move_name(move) for move in position.legal_moves}
    assert found["proved"] is False
    assert found["value"] == "unknown"
    for worth in found["moves"].values():
        assert worth["proved"] == (worth["value"] != "unknown")
        assert 0 <= worth["score"] <= 1


def test_the_same_question_gets_the_same_answer(client: Client) -> None:
    # A node limit makes the search repeatable, and nothing is left of other questions.
    first = client.ask("analyse", game="ultimate ee", nodes=400)
    client.ask("analyse", game="ultimate", nodes=300)
    again = [client.ask("analyse", game="ultimate ee", nodes=400) for _ in range(3)]
    assert again == [first] * 3


def test_progress_is_streamed_and_then_the_result(client: Client) -> None:
    with stream(client, "analyse", game="ultimate", seconds=1.5) as response:
        assert response.status_code == 200
        assert response.headers["Content-Type"].startswith("text/event-stream")
        heard = list(events(response.iter_lines()))
    names = [name for name, _ in heard]
    assert names[-1] == "result"
    assert set(names[:-1]) == {"progress"}
    nodes = [int(data["nodes"]) for _, data in heard]
    assert nodes == sorted(nodes)
    assert all(data["position"] == heard[0][1]["position"] for _, data in heard)


# -- reviews -----------------------------------------------------------------------------


def test_a_review_is_that_of_brute_force(client: Client) -> None:
    rng = random.Random(7)
    game = Game(GridPosition.start("3x3x3"))
    values = [minimax("." * 9, 3, 3, 3)[0]]
    while legal := game.position.legal_moves:
        game.play(legal[int(rng.random() * len(legal))])
        if not game.outcome:
            values.append(minimax("".join(game.position.board.rows), 3, 3, 3)[0])
    found = client.ask("review", game=game.text, seconds=5)
    assert [remark["before"]["value"] for remark in found["moves"]] == values
    assert [remark["number"] for remark in found["moves"]] == list(range(1, len(values) + 1))
    for remark in found["moves"]:
        assert remark["changed"] == (remark["before"]["value"] != remark["after"]["value"])


def test_a_review_is_streamed_from_the_end(client: Client) -> None:
    with stream(client, "review", game="ultimate ee ea ae ei ii", seconds=3) as response:
        heard = list(events(response.iter_lines()))
    assert heard[-1][0] == "result"
    lengths = [len(data["moves"]) for _, data in heard]
    assert lengths == sorted(lengths)
    assert lengths[-1] == 5
    assert all(data["moves"][-1]["number"] == 5 for _, data in heard)


# -- moves -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "level"),
    [
        *(("4x4x3 b2", level) for level in GRID_LEVELS),
        *(("ultimate ee", level) for level in ULTIMATE_LEVELS),
    ],
)
def test_every_level_moves(client: Client, text: str, level: str) -> None:
    found = client.ask("move", game=text, level=level, seconds=0.5)
    game = Game.parse(text)
    game.play(found["move"])
    assert found["game"] == game.text
    assert found["view"] == client.ask("position", game=game.text)
    assert isinstance(found["text"], str)
    assert isinstance(found["proved"], bool)


def test_a_move_that_wins_is_found_and_said(client: Client) -> None:
    found = client.ask("move", game="3x3x3:XX./OO./...", level="perfect")
    assert (found["move"], found["text"], found["proved"]) == ("c1", "wins in 1", True)


def test_luck_can_be_repeated(client: Client) -> None:
    asked = {"game": "ultimate", "level": "beginner", "seed": 5}
    assert len({client.ask("move", **asked)["move"] for _ in range(4)}) == 1
    assert len({client.ask("move", **{**asked, "seed": n})["move"] for n in range(8)}) > 1


def test_levels_that_a_game_does_not_have(client: Client) -> None:
    for text, level in (("3x3x3", "full"), ("ultimate", "perfect"), ("3x3x3", "")):
        status, error = client.refused("move", game=text, level=level)
        assert status == 422
        assert error["place"]["field"] == "level"
        assert "beginner" in error["message"]


@pytest.mark.parametrize("what", ["analyse", "explore", "move"])
def test_a_finished_game_has_no_moves(client: Client, what: str) -> None:
    more = {"level": "casual"} if what == "move" else {}
    status, error = client.refused(what, game="3x3x3 a1 a2 b1 b2 c1", **more)
    assert (status, error["code"]) == (422, "illegal_move")
    assert error["message"] == "the game is over: X wins"


# -- counts and lists --------------------------------------------------------------------


def test_an_exploration_is_the_librarys(client: Client) -> None:
    found = client.ask("explore", game="5x5x4 c3 | a1", seconds=30)
    exact = explore("5x5x4 c3", seconds=30)
    view = found.pop("view")
    assert found["moves"] == exact.to_json()["moves"]
    assert found["games"]["total"] == str(count("5x5x4 c3").total)
    assert int(found["games"]["total"]) > 2**53
    assert (view["game"], view["played"]) == ("5x5x4 c3 | a1", 1)
    assert sorted(view["legal"]) == sorted(found["moves"])


def test_an_exploration_is_streamed(client: Client) -> None:
    with stream(client, "explore", game="4x4x3", seconds=30) as response:
        seen = list(events(response.iter_lines()))
    assert [kind for kind, _ in seen][-1] == "result"
    for _, known in seen:
        assert len(known["moves"]) == 16
    assert seen[-1][1]["games"]["total"] == "1281016086768"


def test_what_an_exploration_leaves_open_is_said(client: Client) -> None:
    found = client.ask("explore", game="15x15x5", seconds=1)
    assert found["games"] is None
    assert {move["games"] for move in found["moves"].values()} == {None}
    assert not any(move["proved"] for move in found["moves"].values())
    assert len(found["notes"]) == 2
    status, error = client.refused("explore", game="ultimate")
    assert (status, error["code"]) == (422, "limit")
    assert "only grids can be explored" in error["message"]


def test_counts_are_the_librarys(client: Client) -> None:
    found = client.ask("count", game="4x4x3")
    assert found["total"] == "1281016086768"
    counts = count("4x4x3").to_json()
    assert counts.items() <= found.items()
    later = client.ask("count", game="4x4x3 b2 a1 | c3")
    assert later["total"] == str(count(Game.parse("4x4x3 b2 a1").position).total)  # type: ignore[arg-type]
    assert later["from"] == Game.parse("4x4x3 b2 a1").position.text
    found = client.ask("count", game="3x3x3", of="positions", up_to_symmetry=True)
    assert (found["total"], found["by_marks"]["1"]) == ("765", "3")
    assert count("3x3x3", "positions", up_to_symmetry=True).total == 765
    assert client.ask("count", game="3x3x3 a1 a2 b1 b2 c1")["total"] == "1"


def test_what_cannot_be_counted(client: Client) -> None:
    for text, more in (
        ("ultimate", {}),
        ("3x3x3 b2", {"up_to_symmetry": True}),
        ("9x9x5", {}),
        ("5x5x3 a1", {"of": "positions"}),
    ):
        status, error = client.refused("count", game=text, **more)
        assert (status, error["code"]) == (422, "limit"), text
        assert error["place"]["field"] == "game"
    _, error = client.refused("games", game="9x9x5")
    assert (error["code"], error["place"]["field"]) == ("limit", "game")


def test_games_by_number(client: Client) -> None:
    games = Games("4x4x3")
    found = client.ask("games", game="4x4x3", first="1000000000000", limit=3)
    assert found["total"] == str(games.total)
    for place, listed in enumerate(found["games"]):
        number = 10**12 + place
        assert listed["number"] == str(number)
        game = Game.parse(listed["game"])
        assert game.moves == games[number]
        assert game.outcome is not None
        assert listed["outcome"] == game.outcome.verdict
        assert listed["moves"] == [game.position.move_name(move) for move in game.moves]


def test_games_go_on_from_the_game_that_was_asked_about(client: Client) -> None:
    text = "3x3x3 b2 a1"
    found = client.ask("games", game=text, limit=50, outcome="draw")
    assert found["total"] == str(Games(Game.parse(text).position, outcome="draw").total)  # type: ignore[arg-type]
    for listed in found["games"]:
        assert listed["game"].startswith(text)
        assert listed["game"] == f"{text} {' '.join(listed['moves'])}"
        assert Game.parse(listed["game"]).outcome is not None
        assert listed["outcome"] == "draw"
    assert client.ask("games", game="3x3x3", first="255168")["games"] == []


def test_a_number_that_no_game_has(client: Client) -> None:
    for first in ("255169", "9" * 1000):
        status, error = client.refused("games", game="3x3x3", first=first)
        assert (status, error["code"]) == (422, "size")
        assert error["place"]["field"] == "first"
        assert "0 to 255167" in error["message"]


def test_random_games_have_their_numbers(client: Client) -> None:
    found = client.ask("games/random", game="4x4x3 a1", number=3, seed=1)
    games = Games(Game.parse("4x4x3 a1").position)  # type: ignore[arg-type]
    assert [listed["number"] for listed in found["games"]] == [
        str(number) for number in games.sample_numbers(3, 1)
    ]
    for listed in found["games"]:
        moves = Game.parse(listed["game"]).moves[1:]
        assert games.index(moves) == int(listed["number"])
    assert len(client.ask("games/random", game="3x3x3")["games"]) == 1


# -- limits ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "question", "field"),
    [
        ("analyse", {"seconds": 40.5}, "seconds"),
        ("analyse", {"nodes": 10**10}, "nodes"),
        ("review", {"seconds": 1e300}, "seconds"),
        ("move", {"seconds": 60, "level": "casual"}, "seconds"),
        ("games", {"limit": 51}, "limit"),
        ("games/random", {"number": 51}, "number"),
    ],
)
def test_more_than_the_server_allows_is_refused(
    client: Client, what: str, question: dict[str, Any], field: str
) -> None:
    status, error = client.refused(what, game="3x3x3", **question)
    assert (status, error["code"]) == (422, "limit")
    assert error["place"]["field"] == field


@pytest.mark.parametrize(
    "question",
    [
        {"seconds": 0},
        {"seconds": -1},
        {"seconds": "2"},
        {"seconds": True},
        {"seconds": [2]},
        {"nodes": 0},
        {"nodes": 1.5},
        {"nodes": "1"},
        {"second": 1},
    ],
    ids=str,
)
def test_limits_that_make_no_sense(client: Client, question: dict[str, Any]) -> None:
    status, error = client.refused("analyse", game="3x3x3", **question)
    assert (status, error["code"]) == (422, "validation")
    assert error["place"]["field"] == next(iter(question))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_not_json(client: Client, number: str) -> None:
    response = client.http.post(
        "/api/analyse",
        content=f'{{"game": "3x3x3", "seconds": {number}}}',
        headers={"Content-Type": "application/json"},
    )
    assert problem(response)[0] == 422


def test_one_client_cannot_take_everything(client: Client) -> None:
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(client.post, "analyse", game="ultimate", seconds=1) for _ in range(8)]
        answers = [job.result() for job in jobs]
    refused = [answer for answer in answers if answer.status_code != 200]
    assert 0 < len(refused) <= 4
    for answer in refused:
        assert problem(answer)[1]["code"] == "too_many"
        assert int(answer.headers["Retry-After"]) > 0
    assert all_are_free(client)


def test_an_ipv6_network_is_one_client() -> None:
    settings = Settings(workers=1, ready=1, per_client=1, wait_seconds=0.3, max_seconds=40.0)
    with asking(settings) as client:
        while client.post("analyse", game="4x4x3", nodes=1).status_code == 503:
            time.sleep(0.2)  # it is only just starting
        sent = {"Accept": "text/event-stream", "X-Forwarded-For": "2001:db8::1"}
        with client.http.stream("POST", "/api/analyse", json=LONG, headers=sent) as response:
            heard = events(response.iter_lines())
            assert next(heard)[0] == "progress"
            for address, status in (("2001:db8::2", 429), ("2001:db8:0:1::1", 503)):
                headers = {"X-Forwarded-For": address}
                answer = client.http.post("/api/analyse", json=LONG, headers=headers)
                assert answer.status_code == status


def test_a_request_that_finds_all_workers_busy_is_a_503() -> None:
    busy = Settings(workers=1, ready=1, wait_seconds=0.3, max_seconds=40.0)
    with asking(busy) as client:
        while client.post("analyse", game="4x4x3").status_code == 503:
            time.sleep(0.2)  # it is only just starting
        with stream(client, "analyse", **LONG) as response:
            heard = events(response.iter_lines())
            assert next(heard)[0] == "progress"
            answer = client.post("analyse", game="4x4x3")
            assert problem(answer)[1]["code"] == "busy"
            assert answer.status_code == 503
            assert int(answer.headers["Retry-After"]) > 0
            assert next(heard)[0] == "progress"


# -- leaving and waiting ----------------------------------------------------------------


def test_verdicts_are_given_while_all_workers_are_busy(client: Client) -> None:
    with (
        stream(client, "analyse", **LONG) as first,
        stream(client, "analyse", game="15x15x5", seconds=40) as second,
    ):
        heard = [events(response.iter_lines()) for response in (first, second)]
        before = [next(lines) for lines in heard]
        for _ in range(20):
            assert client.ask("verdict", board="XXX/OO./...")["verdict"] == "X_wins"
        after = [next(lines) for lines in heard]
        assert [name for name, _ in before + after] == ["progress"] * 4, "they think all the while"


def test_quick_tasks_run_while_all_workers_are_busy(client: Client) -> None:
    with stream(client, "analyse", **LONG) as first, stream(client, "analyse", **LONG) as second:
        heard = [events(response.iter_lines()) for response in (first, second)]
        before = [next(lines) for lines in heard]
        assert client.ask("move", game="3x3x3:XX./OO./...", level="perfect")["move"] == "c1"
        assert client.ask("count", game="3x3x3")["total"] == "255168"
        after = [next(lines) for lines in heard]
        assert [name for name, _ in before + after] == ["progress"] * 4, "they think all the while"


def test_closing_a_stream_frees_the_worker(client: Client) -> None:
    for _ in range(3):
        with (
            stream(client, "analyse", **LONG) as first,
            stream(client, "analyse", **LONG) as second,
        ):
            for response in (first, second):
                next(events(response.iter_lines()))
        assert all_are_free(client)


def test_closing_a_request_frees_the_worker(client: Client) -> None:
    impatient = httpx.Client(base_url=client.http.base_url, timeout=0.5, trust_env=False)
    with closing(impatient):
        for _ in range(3):
            with pytest.raises(httpx.ReadTimeout):
                Client(impatient).ask("analyse", **LONG)
    assert all_are_free(client)


def test_an_error_in_a_stream_is_an_event(client: Client) -> None:
    with stream(client, "count", game="9x9x5") as response:
        heard = list(events(response.iter_lines()))
    assert heard[-1][0] == "error"
    assert heard[-1][1]["error"]["code"] == "limit"
    with stream(client, "analyse", game="3x3x3 b2 b2") as response:
        response.read()
        assert problem(response)[0] == 422, "what is wrong from the start is a plain answer"
