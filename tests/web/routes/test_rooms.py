"""Games by link over HTTP: two people play, others watch, and a restart changes nothing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest

from noughts import Game
from noughts.errors import StoreError
from noughts.views import view
from noughts.web.app import create_app
from noughts.web.rooms import store as store_module
from noughts.web.rooms import updates as updates_module
from noughts.web.settings import Settings
from support.http_server import process, serving

SECRET = "a" * 43


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def http(database: Path) -> Iterator[httpx.Client]:
    with serving(Settings(database=database)) as url, client(url) as http:
        yield http


def client(url: str) -> httpx.Client:
    return httpx.Client(base_url=f"{url}/api", timeout=60, trust_env=False)


class Person:
    """A player with a seat in a room."""

    def __init__(self, http: httpx.Client, answer: dict[str, Any]) -> None:
        self.http = http
        self.seat = answer["seat"]
        self.secret = answer["secret"]
        self.room = answer["state"]["room"]

    def post(self, what: str, body: dict[str, Any], secret: str | None = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {secret or self.secret}"}
        return self.http.post(f"/rooms/{self.room}/{what}", json=body, headers=headers)

    def move(self, move: str, played: int, round: int = 1) -> httpx.Response:
        return self.post("moves", {"move": move, "round": round, "played": played})


def host(http: httpx.Client, game: str = "3x3x3", side: str = "X") -> Person:
    response = http.post("/rooms", json={"game": game, "side": side})
    assert response.status_code == 201
    return Person(http, response.json())


def pair(http: httpx.Client, game: str = "3x3x3", side: str = "X") -> tuple[Person, Person]:
    first = host(http, game, side)
    response = http.post(f"/rooms/{first.room}/seats", json={})
    assert response.status_code == 200
    return first, Person(http, response.json())


def look(http: httpx.Client, room: str) -> dict[str, Any]:
    response = http.get(f"/rooms/{room}")
    assert response.status_code == 200
    state: dict[str, Any] = response.json()
    return state


@contextmanager
def listening(http: httpx.Client, room: str, seen: int | None = None) -> Iterator[Iterator[Any]]:
    """Listen to a room and yield its events, as (event, id, data)."""
    headers = {} if seen is None else {"Last-Event-ID": str(seen)}
    with http.stream("GET", f"/rooms/{room}/events", headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["Content-Type"].startswith("text/event-stream")
        yield events(response)


def events(response: httpx.Response) -> Iterator[tuple[str, str | None, Any]]:
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        else:
            if "data" in fields:
                yield fields["event"], fields.get("id"), json.loads(fields["data"])
            fields = {}


# ---------------------------------------------------------------------------------- playing


@pytest.mark.parametrize(
    ("start", "moves"),
    [
        ("3x3x3", "a1 b2 c3 c1 a3 b3 a2"),
        ("3x3x3:XX./OO./...", "c1"),
        ("ultimate ee", "ea aa ab ba"),
    ],
)
@pytest.mark.parametrize("side", ["X", "O"])
def test_two_people_play(http: httpx.Client, start: str, moves: str, side: str) -> None:
    record = Game.parse(start)
    people = dict(zip([side, "XO".replace(side, "")], pair(http, start, side), strict=True))
    for move in moves.split():
        person = people[record.turn.value]
        response = person.move(move, len(record.moves))
        record.play(move)
        assert response.status_code == 200
        assert response.json()["view"] == json.loads(json.dumps(view(record)))
        assert look(http, person.room) == response.json()


def test_opening_a_link_takes_no_seat(http: httpx.Client) -> None:
    room = host(http).room
    before = look(http, room)
    with listening(http, room) as heard:
        assert next(heard) == ("room", "1", before)
    assert look(http, room) == before
    assert before["seats"] == {"X": "host", "O": None}


def test_no_other_secret_can_move(http: httpx.Client) -> None:
    first, second = pair(http)
    stranger = host(http)
    move = {"move": "b2", "round": 1, "played": 0}
    for attempt in (
        first.post("moves", move, stranger.secret),
        first.post("moves", move, "nonsense"),
        first.post("resignation", {"round": 1}, stranger.secret),
        first.post("rematch", {"round": 1}, stranger.secret),
    ):
        assert attempt.status_code == 403
        assert attempt.json()["error"]["code"] == "forbidden"
    for attempt in (
        http.post(f"/rooms/{first.room}/moves", json=move),
        http.post(f"/rooms/{first.room}/moves", json=move, auth=("user", first.secret)),
    ):
        assert attempt.status_code == 401
        assert attempt.json()["error"]["code"] == "secret"
        assert attempt.headers["WWW-Authenticate"] == "Bearer"
    assert second.move("b2", 0).status_code == 409
    assert look(http, first.room)["view"]["moves"] == []
    assert first.move("b2", 0).status_code == 200


def test_a_conflict_comes_with_the_room_as_it_is(http: httpx.Client) -> None:
    first, second = pair(http)
    first.move("b2", 0)
    response = second.move("a1", 0)
    assert response.status_code == 409
    assert response.json()["error"]["code"] == "conflict"
    assert response.json()["room"] == look(http, first.room)


def test_an_illegal_move_is_named(http: httpx.Client) -> None:
    first, second = pair(http)
    first.move("b2", 0)
    for move, code in (("b2", "illegal_move"), ("z9", "notation"), ("?", "notation")):
        response = second.move(move, 1)
        assert response.status_code == 422
        assert response.json()["error"]["place"]["field"] == "move"
        assert response.json()["error"]["code"] == code


def test_a_third_person_gets_no_seat(http: httpx.Client) -> None:
    first, _ = pair(http)
    response = http.post(f"/rooms/{first.room}/seats", json={})
    assert response.status_code == 409
    assert response.json()["room"] == look(http, first.room)


def test_asking_again_with_the_same_secret_gives_the_same_seat(http: httpx.Client) -> None:
    headers = {"Authorization": f"Bearer {SECRET}"}
    room = host(http).room
    answers = [http.post(f"/rooms/{room}/seats", json={}, headers=headers) for _ in range(2)]
    assert [it.status_code for it in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["seat"] == "guest"
    assert answers[0].json()["secret"] == SECRET


def test_opening_again_with_the_same_secret_gives_the_same_room(http: httpx.Client) -> None:
    headers = {"Authorization": f"Bearer {SECRET}"}
    body = {"game": "3x3x3 b2", "side": "O"}
    answers = [http.post("/rooms", json=body, headers=headers) for _ in range(2)]
    assert [it.status_code for it in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert host(http, "3x3x3 b2", "O").room != answers[0].json()["state"]["room"]
    other = http.post("/rooms", json={"game": "4x4x3"}, headers=headers)
    assert other.status_code == 409
    assert other.json()["room"] == answers[0].json()["state"]


@pytest.mark.parametrize("secret", ["short", "a" * 42, "a" * 44, "ä" * 43, "a" * 42 + "+"])
def test_a_weak_secret_is_refused(http: httpx.Client, secret: str) -> None:
    room = host(http).room
    headers = {b"Authorization": f"Bearer {secret}".encode()}
    response = http.post(f"/rooms/{room}/seats", json={}, headers=headers)
    assert response.status_code == 422
    assert look(http, room)["seats"]["O"] is None


def test_secrets_differ(http: httpx.Client) -> None:
    people = [person for _ in range(5) for person in pair(http)]
    assert len({person.secret for person in people}) == 10
    assert {len(person.secret) for person in people} == {43}


def test_resigning_and_a_rematch(http: httpx.Client) -> None:
    first, second = pair(http)
    first.move("b2", 0)
    state = second.post("resignation", {"round": 1}).json()
    assert state["result"] == {"winner": "X", "by": "resignation", "text": "X wins, O resigned"}
    assert first.post("rematch", {"round": 1}).json()["rematch"] == "host"
    state = second.post("rematch", {"round": 1}).json()
    assert (state["round"], state["seats"]) == (2, {"X": "guest", "O": "host"})
    assert first.move("b2", 0, round=2).status_code == 409
    assert second.move("b2", 0, round=2).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {"game": "3x3x3 b2 b2"},
        {"game": "3x3x3 a1 a2 b1 b2 c1"},  # it is over
        {"game": "XXX/OOO/XX."},
        {"game": "nonsense"},
        {"game": "9999x9999x5"},
        {"game": 3},
        {},
        {"game": "3x3x3", "side": "Y"},
        {"game": "3x3x3", "colour": "X"},
    ],
)
def test_what_no_room_can_be_opened_for(http: httpx.Client, body: dict[str, Any]) -> None:
    response = http.post("/rooms", json=body)
    assert response.status_code == 422
    assert response.json()["error"]["message"]


def test_an_unknown_room(http: httpx.Client) -> None:
    body = {"move": "b2", "round": 1, "played": 0}
    headers = {"Authorization": f"Bearer {SECRET}"}
    for response in (
        http.get("/rooms/nope"),
        http.get("/rooms/nope/events"),
        http.post("/rooms/nope/seats", json={}),
        http.post("/rooms/nope/moves", json=body, headers=headers),
    ):
        assert response.status_code == 404
        assert response.json()["error"]["code"] == "not_found"


def test_a_flood_of_rooms(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "ROOMS_PER_HOUR", 3)
    for _ in range(3):
        host(http)
    response = http.post("/rooms", json={"game": "3x3x3"})
    assert response.status_code == 429
    assert response.json()["error"]["code"] == "too_many"
    assert 1 <= int(response.headers["Retry-After"]) <= 3600


# -------------------------------------------------------------------------------- listening


def test_every_change_is_streamed(http: httpx.Client) -> None:
    first = host(http)
    with listening(http, first.room) as heard:
        assert next(heard)[1] == "1"
        second = Person(http, http.post(f"/rooms/{first.room}/seats", json={}).json())
        assert next(heard)[2]["seats"] == {"X": "host", "O": "guest"}
        for number, move in enumerate(["b2", "a1", "c3"]):
            state = [first, second][number % 2].move(move, number).json()
            assert next(heard) == ("room", str(number + 3), state)
        state = second.post("resignation", {"round": 1}).json()
        assert next(heard)[2] == state


def test_a_new_stream_begins_with_what_was_missed(http: httpx.Client) -> None:
    first, second = pair(http)
    with listening(http, first.room) as heard:
        _, seen, _ = next(heard)
    first.move("b2", 0)
    second.move("a1", 1)
    with listening(http, first.room, int(seen)) as heard:
        assert next(heard)[2]["view"]["moves"] == ["b2", "a1"]


def test_silence_is_an_event(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates_module, "HEARTBEAT_SECONDS", 0.01)
    with listening(http, host(http).room, 1) as heard:
        assert next(heard) == ("silence", None, None)


@pytest.mark.parametrize("seen", ["", "-1", "1.5", "x", "9" * 5000, "²"])
def test_a_version_that_is_none(http: httpx.Client, seen: str) -> None:
    room = host(http).room
    headers = {b"Last-Event-ID": seen.encode()}
    with http.stream("GET", f"/rooms/{room}/events", headers=headers) as response:
        assert next(events(response))[1] == "1"


# ------------------------------------------------------------------------------ the server


def test_a_game_survives_a_restart(database: Path) -> None:
    with serving(Settings(database=database)) as url, client(url) as http:
        first, second = pair(http, "4x4x3")
        first.move("b2", 0)
        before = look(http, first.room)
    with serving(Settings(database=database)) as url, client(url) as http:
        assert look(http, first.room) == before
        first.http = second.http = http
        assert second.move("a1", 1).json()["view"]["moves"] == ["b2", "a1"]
        assert first.move("b3", 2).status_code == 200


def test_two_servers_share_a_file(database: Path) -> None:
    settings = Settings(database=database)
    with (
        serving(settings) as one,
        serving(settings) as other,
        client(one) as here,
        client(other) as there,
    ):
        first = host(here)
        with listening(here, first.room) as heard:
            next(heard)
            second = Person(there, there.post(f"/rooms/{first.room}/seats", json={}).json())
            assert next(heard)[2]["seats"]["O"] == "guest"
            first.move("b2", 0)
            state = second.move("a1", 1).json()
            while (last := next(heard)[2])["version"] < state["version"]:
                continue
            assert last == state


def test_a_damaged_file_is_refused_at_the_start(database: Path) -> None:
    database.write_text("Dear diary\n" * 100)
    with pytest.raises(StoreError, match=r"games\.db is not a file of games"):
        create_app(Settings(database=database))


def test_a_locked_file_blocks_no_other_request(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "_LOCK_SECONDS", 60.0)
    with (
        serving(Settings(database=database)) as url,
        client(url) as http,
        closing(sqlite3.connect(database, isolation_level=None)) as other,
        ThreadPoolExecutor(1) as threads,
    ):
        room = host(http).room
        other.execute("BEGIN IMMEDIATE")
        seat = threads.submit(http.post, f"/rooms/{room}/seats", json={})
        for _ in range(20):  # whatever waits for the file, these do not
            assert http.get("/health").json() == {"status": "ok"}
            assert look(http, room)["seats"]["O"] is None
        assert not seat.done()
        other.execute("ROLLBACK")
        assert seat.result().status_code == 200


def test_a_file_that_stays_locked_is_an_error_that_may_pass(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "_LOCK_SECONDS", 0.05)
    with serving(Settings(database=database)) as url, client(url) as http:
        first = host(http)
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            response = first.move("b2", 0)
            assert response.status_code == 503
            assert response.json()["error"]["code"] == "storage"
            assert str(database) not in response.text
            assert int(response.headers["Retry-After"]) > 0
            other.execute("ROLLBACK")
        assert first.move("b2", 0).status_code == 200


def test_open_streams_do_not_hold_up_the_end(database: Path) -> None:
    with process("--database", str(database)) as server, client(server.url) as http:
        room = host(http).room
        with listening(http, room) as heard:
            assert next(heard)[1] == "1"
            code, complaints = server.end()
            assert list(heard) == []  # the stream was ended, not cut off
    assert (code, complaints) == (0, "")


def test_a_damaged_file_is_named_by_the_command_line(database: Path) -> None:
    from support.cli_runner import run

    database.write_text("Dear diary\n" * 100)
    result = run("serve", "--port", "0", "--database", str(database))
    assert result.failed_politely()
    assert "games.db is not a file of games" in result.err


# --------------------------------------------------------------- clocks, names and greetings


def test_a_clock_is_part_of_the_room(http: httpx.Client) -> None:
    clock = {"initial": 180, "increment": 2}
    response = http.post("/rooms", json={"game": "3x3x3", "clock": clock, "name": " Anna "})
    assert response.status_code == 201
    first = Person(http, response.json())
    state = response.json()["state"]
    assert state["clock"] == {**clock, "X": 180, "O": 180, "running": None}
    assert state["names"] == {"X": "Anna", "O": None}
    second = Person(http, http.post(f"/rooms/{first.room}/seats", json={"name": "Ben"}).json())
    first.move("b2", 0)
    assert second.move("a1", 1).json()["clock"]["running"] == "X"
    state = first.move("c3", 2).json()
    assert state["clock"]["running"] == "O"
    assert 180 < state["clock"]["X"] <= 182
    assert state["names"] == {"X": "Anna", "O": "Ben"}
    with listening(http, first.room, state["version"]) as heard:
        assert next(heard)[2]["clock"]["running"] == "O"


def test_a_game_is_lost_on_time_while_nobody_is_there(database: Path) -> None:
    with serving(Settings(database=database)) as url, client(url) as http:
        body = {"game": "3x3x3", "clock": {"initial": 10}}
        first = Person(http, http.post("/rooms", json=body).json())
        second = Person(http, http.post(f"/rooms/{first.room}/seats", json={}).json())
        first.move("b2", 0)
        version = second.move("a1", 1).json()["version"]
        with closing(sqlite3.connect(database)) as file, file:
            ((clock,),) = file.execute("SELECT clock FROM room").fetchall()
            clock = json.loads(clock) | {"x": 0.2}  # instead of waiting for ten seconds
            change = "UPDATE room SET clock = ?, falls_at = ?"
            file.execute(change, (json.dumps(clock), clock["since"] + 0.2))
        # Only the file is looked at, so that no request lets the flag fall.
        with closing(sqlite3.connect(database)) as file:
            for _ in range(600):
                ((found,),) = file.execute("SELECT version FROM room").fetchall()
                if found > version:
                    break
                sleep(0.05)
        assert found == version + 1
        assert look(http, first.room)["result"]["text"] == "O wins on time"


@pytest.mark.parametrize(
    "clock",
    [
        {"initial": 0},
        {"initial": 10_801},
        {"initial": 60, "increment": -1},
        {"initial": 60, "increment": 181},
        {"initial": 60.5},
        {"initial": "60"},
        {"minutes": 1},
        {},
        "3+2",
    ],
)
def test_what_no_clock_can_be(http: httpx.Client, clock: Any) -> None:
    response = http.post("/rooms", json={"game": "3x3x3", "clock": clock})
    assert response.status_code == 422
    assert response.json()["error"]["place"]["field"].startswith("clock")


def test_names_and_greetings(http: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    first, second = pair(http)
    name = "Zaphod 🙂"
    assert first.post("name", {"name": name}).json()["names"] == {"X": name, "O": None}
    with listening(http, first.room) as heard:
        next(heard)
        state = second.post("greetings", {"greeting": "Good luck!"}).json()
        assert state["greetings"] == {"X": None, "O": "Good luck!"}
        assert next(heard)[2]["greetings"] == state["greetings"]
    response = second.post("greetings", {"greeting": "Thanks!"})
    assert (response.status_code, response.json()["error"]["code"]) == (429, "too_many")
    assert 1 <= int(response.headers["Retry-After"]) <= 5
    refusals: list[tuple[str, dict[str, Any], int]] = [
        ("greetings", {"greeting": "You are a fool"}, 422),
        ("name", {"name": "x" * 21}, 422),
        ("name", {"name": "x" * 201}, 422),
        ("name", {"name": None}, 422),
        ("name", {"name": "Mallory"}, 403),
        ("greetings", {"greeting": "Thanks!"}, 403),
    ]
    for what, body, status in refusals:
        refused = first.post(what, body, "nonsense" if status == 403 else None)
        assert refused.status_code == status
    assert http.get(f"/rooms/{first.room}").json()["names"] == {"X": name, "O": None}
    assert "Zaphod" not in caplog.text
