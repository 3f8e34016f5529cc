"""The file of rooms: nothing is lost, nothing is made twice, and foreign files stay untouched."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from time import time as wall_clock
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from noughts import Game
from noughts.errors import NoughtsError, StoreError
from noughts.rules.player import Player
from noughts.views import view
from noughts.web.errors import ApiError
from noughts.web.rooms import store as store_module
from noughts.web.rooms.clock import TimeControl
from noughts.web.rooms.room import Conflict, Room, key_of
from noughts.web.rooms.store import Store
from support.cli_runner import clean_environment

HOST, GUEST, STRANGER = "the host's", "the guest's", "nobody's"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "games.db")
    yield store
    store.close()


def opened(store: Store, game: str = "3x3x3", side: Player = Player.X, host: str = HOST) -> Room:
    return store.open(Game.parse(game), side, host, "127.0.0.1")


def several(store: Store, count: int) -> list[Room]:
    """Open rooms of different hosts."""
    return [opened(store, host=f"host {number}") for number in range(count)]


def at(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Set the store's clock."""
    monkeypatch.setattr(store_module, "time", SimpleNamespace(time=lambda: seconds))


# ------------------------------------------------------------------------------ there and back


def test_a_room_is_found_as_it_was_left(store: Store, tmp_path: Path) -> None:
    room = opened(store, "ultimate-open ee", Player.O)
    room = store.change(room.id, lambda it: it.sit(GUEST))
    room = store.change(room.id, lambda it: it.play(HOST, "ea", round=1, played=1))
    assert store.find(room.id) == room
    store.close()
    again = Store(tmp_path / "games.db")
    assert again.find(room.id) == room
    assert again.find(room.id).to_json()["view"] == view(Game.parse("ultimate-open ee ea"))
    again.close()
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


def test_undone_moves_do_not_come_along(store: Store) -> None:
    assert opened(store, "3x3x3 b2 | a1 c3").game == Game.parse("3x3x3 b2")


def test_names_cannot_be_guessed(store: Store) -> None:
    names = {room.id for room in several(store, 50)}
    assert len(names) == 50
    assert {len(name) for name in names} == {16}


def test_a_secret_opens_one_room(store: Store) -> None:
    room = opened(store, "3x3x3 b2 | a1", Player.O)
    assert opened(store, "3x3x3 b2 | a1", Player.O) == room
    room = store.change(room.id, lambda it: it.sit(GUEST))
    room = store.change(room.id, lambda it: it.play(HOST, "a1", round=1, played=1))
    assert opened(store, "3x3x3 b2", Player.O) == room, "as it is now"
    room = store.change(room.id, lambda it: it.resign(GUEST, round=1))
    for secret in (HOST, GUEST):
        room = store.change(room.id, lambda it: it.rematch(secret, round=1))  # noqa: B023
    assert room.host_side is Player.X
    assert opened(store, "3x3x3 b2", Player.O) == room
    for game, side in (("3x3x3", Player.X), ("4x4x3", Player.O)):
        with pytest.raises(Conflict, match="another game") as error:
            opened(store, game, side)
        assert error.value.room == room
    assert len(store.versions([room.id, opened(store, host=GUEST).id])) == 2


def test_of_the_same_requests_at_once_one_opens_the_room(store: Store) -> None:
    assert len({it.id for it in together(8, lambda _: opened(store)) if isinstance(it, Room)}) == 1


def test_no_secret_is_written(store: Store, tmp_path: Path) -> None:
    room = opened(store)
    store.change(room.id, lambda it: it.sit(GUEST))
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert key_of(HOST) in written  # so we are looking at the right bytes
    assert HOST.encode() not in written
    assert GUEST.encode() not in written


@pytest.mark.parametrize("name", ["", "nope", "x" * 5000, "'; DROP TABLE room; --", "\0", "ü"])
def test_an_unknown_room(store: Store, name: str) -> None:
    for ask in (store.find, lambda name: store.change(name, lambda it: it.sit(GUEST))):
        with pytest.raises(ApiError) as error:
            ask(name)
        assert error.value.status == 404


def test_a_refused_action_changes_nothing(store: Store) -> None:
    room = opened(store)
    with pytest.raises(ApiError):
        store.change(room.id, lambda it: it.play(STRANGER, "b2", round=1, played=0))
    with pytest.raises(ZeroDivisionError):
        store.change(room.id, lambda it: it.sit(str(1 / 0)))
    assert store.find(room.id) == room
    assert store.change(room.id, lambda it: it.sit(GUEST)).version == 2


def test_without_a_path_nothing_is_left_behind() -> None:
    store = Store()
    room = opened(store)
    assert store.find(room.id) == room
    assert store.path.exists()
    store.close()
    assert not [*store.path.parent.glob(f"{store.path.name}*")]


def test_a_forgotten_store_leaves_nothing_behind() -> None:
    store = Store()
    path = store.path
    opened(store)
    del store
    assert not [*path.parent.glob(f"{path.name}*")]


# ---------------------------------------------------------------------------------- the limits


def test_one_client_opens_a_limited_number_of_rooms_an_hour(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "ROOMS_PER_HOUR", 3)
    game = Game.parse("3x3x3")
    for second in range(3):
        at(monkeypatch, 1000.0 + second)
        store.open(game, Player.X, f"host {second}", "10.0.0.1")
    with pytest.raises(ApiError) as error:
        store.open(game, Player.X, "host 3", "10.0.0.1")
    store.open(game, Player.X, "host 0", "10.0.0.1")  # this is not another room
    assert (error.value.status, error.value.code) == (429, "too_many")
    wait = int(error.value.headers["Retry-After"])
    store.open(game, Player.X, "host 3", "10.0.0.2")
    at(monkeypatch, 1002.0 + wait)
    store.open(game, Player.X, "host 4", "10.0.0.1")


def test_there_is_an_end_to_how_many_there_may_be(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "MAX_ROOMS", 2)
    first, _ = several(store, 2)
    with pytest.raises(ApiError) as error:
        opened(store)
    assert error.value.status == 503
    assert int(error.value.headers["Retry-After"]) > 0
    store.change(first.id, lambda it: it.sit(GUEST))  # games go on all the same


def test_old_rooms_are_cleared_away(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    day = 24 * 3600.0
    at(monkeypatch, 0.0)
    forgotten, in_use = several(store, 2)
    at(monkeypatch, 20 * day)
    store.change(in_use.id, lambda it: it.sit(GUEST))
    at(monkeypatch, 28 * day + 1)
    opened(store)
    assert store.find(in_use.id).version == 2
    with pytest.raises(ApiError):
        store.find(forgotten.id)


def test_addresses_are_forgotten(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, 0.0)
    store.open(Game.parse("3x3x3"), Player.X, "host 0", "10.11.12.13")
    at(monkeypatch, 3601.0)
    store.open(Game.parse("3x3x3"), Player.X, "host 1", "10.11.12.14")
    with closing(sqlite3.connect(tmp_path / "games.db")) as database:
        assert database.execute("SELECT opener FROM room ORDER BY opened").fetchall() == [
            (None,),
            ("10.11.12.14",),
        ]


# ------------------------------------------------------------------------------------ at once


def together(count: int, act: Callable[[int], object]) -> list[object]:
    """Do something in many threads at once and return what each got, errors included."""
    barrier = Barrier(count)

    def wait_and_act(number: int) -> object:
        barrier.wait()
        try:
            return act(number)
        except ApiError as problem:
            return problem

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(wait_and_act, range(count)))


def test_of_many_who_want_a_seat_one_gets_it(store: Store) -> None:
    room = opened(store)

    def sit(number: int) -> Room:
        return store.change(room.id, lambda it: it.sit(f"guest {number}"))

    answers = together(16, sit)
    seated = [number for number, it in enumerate(answers) if isinstance(it, Room)]
    refused = [it.status for it in answers if isinstance(it, ApiError)]
    assert len(seated) == 1
    assert refused == [409] * 15
    after = store.find(room.id)
    assert after.seat_of(f"guest {seated[0]}") == "guest"
    assert after.version == 2


def test_a_move_that_is_sent_many_times_is_made_once(store: Store) -> None:
    room = store.change(opened(store).id, lambda it: it.sit(GUEST))

    def send(_: int) -> Room:
        return store.change(room.id, lambda it: it.play(HOST, "b2", round=1, played=0))

    answers = together(8, send)
    assert all(isinstance(it, Room) for it in answers)
    assert store.find(room.id).text == "3x3x3 b2"
    assert store.find(room.id).version == 3


def test_of_different_moves_at_once_one_is_made(store: Store) -> None:
    room = store.change(opened(store).id, lambda it: it.sit(GUEST))

    def send(number: int) -> Room:
        return store.change(room.id, lambda it: it.play(HOST, str(number), round=1, played=0))

    answers = together(8, send)
    made = [number for number, it in enumerate(answers) if isinstance(it, Room)]
    assert len(made) == 1
    assert store.find(room.id).game == Game(Game.parse("3x3x3").start, made)


SITTER = """
import sys
from noughts.web.errors import ApiError
from noughts.web.rooms.store import Store
store = Store(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
taken = 0
for id in sys.argv[3:]:
    try:
        store.change(id, lambda it: it.sit(sys.argv[2]))
        taken += 1
    except ApiError as problem:
        assert problem.status == 409, problem
print(taken, flush=True)
"""


def test_processes_share_a_file(store: Store) -> None:
    rooms = [room.id for room in several(store, 30)]
    sitters = [
        subprocess.Popen(
            [sys.executable, "-c", SITTER, str(store.path), f"guest {number}", *rooms],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=clean_environment(),
        )
        for number in range(3)
    ]
    for sitter in sitters:
        assert sitter.stdout
        assert sitter.stdout.readline() == "ready\n"
    stamp = store.stamp()
    outputs = [sitter.communicate("go\n")[0] for sitter in sitters]
    assert sum(map(int, outputs)) == len(rooms)
    assert store.versions(rooms) == dict.fromkeys(rooms, 2)
    assert store.stamp() != stamp


WRITER = """
import sys
from noughts.web.rooms.store import Store
store = Store(sys.argv[1])
for played in range(225):
    secret, move = sys.argv[3 + played % 2], str(played * 2 % 225)
    store.change(sys.argv[2], lambda it: it.play(secret, move, round=1, played=played))
    print(played, flush=True)
"""


def test_what_was_answered_survives_a_killed_server(store: Store) -> None:
    room = store.change(opened(store, "15x15x15").id, lambda it: it.sit(GUEST))
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(store.path), room.id, HOST, GUEST],
        stdout=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    )
    with writer:
        assert writer.stdout
        for _ in range(25):
            line = writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        answered = int((line + writer.stdout.read()).split()[-1]) + 1
    again = Store(store.path)
    moves = again.find(room.id).game.moves
    again.close()
    assert len(moves) - answered in (0, 1)  # one may have been written but not answered
    assert list(moves) == [played * 2 % 225 for played in range(len(moves))]


def test_a_stamp_tells_changes_of_others(store: Store) -> None:
    room = opened(store)
    before = store.stamp()
    assert store.stamp() == before
    store.find(room.id)
    assert store.stamp() == before
    other = Store(store.path)
    other.change(room.id, lambda it: it.sit(GUEST))
    assert store.stamp() != before
    other.close()


def test_versions_of_many_rooms(store: Store) -> None:
    rooms = [room.id for room in several(store, 3)]
    store.change(rooms[1], lambda it: it.sit(GUEST))
    expected = {rooms[0]: 1, rooms[1]: 2}
    assert store.versions([*rooms[:2], "nope"]) == expected
    assert store.versions([]) == {}
    many = [f"no room {number}" for number in range(40_000)]
    assert store.versions([*many, *rooms[:2]]) == expected


# ------------------------------------------------------------------ refused, and left as it was


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE room (id, text)")


def checkpoint(path: Path) -> None:
    from noughts.storage import Checkpoint

    Checkpoint(path, "games of 3x3x3").save("task", 1)


def text(path: Path) -> None:
    path.write_text("Dear diary, today nobody opened my link.\n" * 20)


def filled(path: Path) -> None:
    store = Store(path)
    several(store, 20)
    store.close()


def other_version(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 3")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def cut_in_half(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zeros_behind_the_header(path: Path) -> None:
    filled(path)
    data = path.read_bytes()
    path.write_bytes(data[:100] + bytes(len(data) - 100))


def no_table(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE room")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.mark.parametrize(
    "damage",
    [
        foreign,
        checkpoint,
        text,
        other_version,
        cut_in_half,
        zeros_behind_the_header,
        no_table,
    ],
)
def test_refused_and_untouched(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "games.db"
    damage(path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"games\.db") as caught:
        Store(path)
    assert isinstance(caught.value, NoughtsError)
    assert path.read_bytes() == before


def test_the_refusal_says_why(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    text(path)
    with pytest.raises(StoreError, match="is not a file of games of noughts"):
        Store(path)
    path.unlink()
    other_version(path)
    with pytest.raises(StoreError, match="version 3, not 2"):
        Store(path)


@pytest.mark.parametrize("name", ["", "nowhere/games.db", "x" * 300, "nul\0.db"])
def test_a_path_that_is_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError):
        Store(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "what?.db", "#1.db", "ü.db", "a'b.db"])
def test_any_file_name(tmp_path: Path, name: str) -> None:
    filled(tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_locked_file(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    room = opened(store)
    store.close()
    monkeypatch.setattr(store_module, "_LOCK_SECONDS", 0.05)
    other = Store(tmp_path / "games.db")
    with closing(sqlite3.connect(other.path, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            other.change(room.id, lambda it: it.sit(GUEST))
        assert other.find(room.id) == room  # readers do not wait
        database.execute("ROLLBACK")
    assert other.change(room.id, lambda it: it.sit(GUEST)).version == 2
    other.close()


# ------------------------------------------------------------------------------- interleavings


class Interleavings(RuleBasedStateMachine):
    """Requests of three people in any order, repeated, late and wrong, on two servers.

    Beside them a plain Game is played, which knows nothing of rooms, secrets and versions.
    """

    people = st.sampled_from([HOST, GUEST, HOST, GUEST, STRANGER])

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.servers = [Store(self.folder / "games.db") for _ in range(2)]
        self.sent: list[tuple[Callable[[Room], Room], int]] = []

    def teardown(self) -> None:
        for server in self.servers:
            server.close()
        shutil.rmtree(self.folder)

    @initialize(
        game=st.sampled_from(["1x1x1", "1x1x1", "2x2x2", "3x3x3:XX./OO./...", "ultimate ee"]),
        side=st.sampled_from(Player),
        is_joined=st.booleans(),
    )
    def open(self, game: str, side: Player, is_joined: bool) -> None:
        self.game = Game.parse(game)
        self.id = self.servers[0].open(self.game, side, HOST, "127.0.0.1").id
        self.sides = {HOST: side}
        self.round = 1
        self.resigned: Player | None = None
        self.agreed: set[str] = set()
        if is_joined:
            self.sit(0, GUEST)

    def send(self, server: int, action: Callable[[Room], Room]) -> int:
        """Send a request and return its status, 200 or that of the problem."""
        before = self.servers[0].find(self.id)
        try:
            after = self.servers[server].change(self.id, action)
        except ApiError as problem:
            assert self.servers[1].find(self.id) == before
            return problem.status
        assert after == before or after.version == before.version + 1
        self.sent.append((action, after.version))
        return 200

    @property
    def is_over(self) -> bool:
        return self.game.outcome is not None or self.resigned is not None

    @rule(server=st.integers(0, 1), person=people)
    def sit(self, server: int, person: str) -> None:
        status = self.send(server, lambda it: it.sit(person))
        if person in self.sides:
            assert status == 200
        elif len(self.sides) == 2:
            assert status == 409
        else:
            assert status == 200
            self.sides[person] = self.sides[HOST].other

    @rule(
        server=st.integers(0, 1),
        person=people,
        move=st.integers(0, 80),
        late=st.sampled_from([0, 0, 0, 1, 1, -1]),
        other_round=st.sampled_from([0, 0, 0, 0, 1, -1]),
    )
    def play(self, server: int, person: str, move: int, late: int, other_round: int) -> None:
        legal = self.game.position.legal_moves
        number = legal[move % len(legal)] if legal else 0
        if late == 1 and move % 2 and self.game.last_move is not None:
            number = self.game.last_move
        played, round = len(self.game.moves) - late, self.round + other_round
        was_made = played >= 0 and list(self.game.moves[played:])[:1] == [number]
        status = self.send(
            server, lambda it: it.play(person, str(number), round=round, played=played)
        )
        if person not in self.sides:
            assert status == 403
        elif late or other_round:
            # The last move, repeated by the same player, is fine; nothing else is.
            is_mine = self.sides[person] is self.game.turn.other
            assert status == (200 if was_made and is_mine and not other_round else 409)
        elif self.is_over or self.sides[person] is not self.game.turn:
            assert status == 409
        else:
            assert status == 200
            self.game.play(number)

    @rule(server=st.integers(0, 1), person=people)
    def resign(self, server: int, person: str) -> None:
        status = self.send(server, lambda it, n=self.round: it.resign(person, round=n))  # type: ignore[misc]
        if person not in self.sides:
            assert status == 403
        elif self.is_over:
            assert status == (200 if self.resigned is self.sides[person] else 409)
        else:
            assert status == 200
            self.resigned = self.sides[person]

    @rule(server=st.integers(0, 1), person=people)
    def rematch(self, server: int, person: str) -> None:
        status = self.send(server, lambda it, n=self.round: it.rematch(person, round=n))  # type: ignore[misc]
        if person not in self.sides:
            assert status == 403
        elif not self.is_over or len(self.sides) < 2:
            assert status == 409
        else:
            assert status == 200
            self.agreed.add(person)
        if len(self.agreed) == 2:
            self.game = Game(self.game.start)
            self.sides = {person: side.other for person, side in self.sides.items()}
            self.round += 1
            self.resigned = None
            self.agreed = set()

    @rule(server=st.integers(0, 1), number=st.integers(0, 5))
    def repeat(self, server: int, number: int) -> None:
        """Send one of the last requests that were granted once more: nothing may change."""
        if not self.sent[-1 - number :]:
            return
        action, version = self.sent[-1 - number] if number < len(self.sent) else self.sent[0]
        before = self.servers[server].find(self.id)
        try:
            assert self.servers[server].change(self.id, action) == before
        except ApiError as problem:
            # Only when the room has moved on may it be news that this is of the past.
            assert problem.status == 409
            assert version < before.version
        assert self.servers[1 - server].find(self.id) == before

    @rule(server=st.integers(0, 1))
    def restart(self, server: int) -> None:
        self.servers[server].close()
        self.servers[server] = Store(self.folder / "games.db")

    @invariant()
    def every_state_is_that_of_the_plain_game(self) -> None:
        if not hasattr(self, "id"):
            return
        for server in self.servers:
            state = server.find(self.id).to_json()
            assert state["view"] == view(self.game)
            assert state["round"] == self.round
            assert (state["result"] is not None) == self.is_over
            names: dict[str, Any] = {HOST: "host", GUEST: "guest", STRANGER: "guest"}
            seats = {side.value: names[person] for person, side in self.sides.items()}
            assert state["seats"] == {"X": None, "O": None, **seats}


def test_any_interleaving_is_a_plain_game() -> None:
    run_state_machine_as_test(
        Interleavings,
        settings=settings(max_examples=40, stateful_step_count=30, deadline=None),
    )


def test_a_file_belongs_to_its_owner_alone(store: Store) -> None:
    assert os.stat(store.path).st_mode & 0o077 == 0


# --------------------------------------------------------------------------------- the clocks


class Time:
    """A clock that shows what a test says."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def timed(path: Path, time: Time) -> tuple[Store, Room]:
    """Return a store with a game in which the time of X runs, and the room."""
    store = Store(path, time)
    return store, began(store, HOST)


def began(store: Store, host: str) -> Room:
    """Open a room with a minute on the clock, and let both sides move."""
    control = TimeControl(60, 0)
    room = store.open(Game.parse("3x3x3"), Player.X, host, "127.0.0.1", control=control)
    store.change(room.id, lambda it: it.sit(GUEST))
    store.change(room.id, lambda it: it.play(host, "b2", round=1, played=0))
    return store.change(room.id, lambda it: it.play(GUEST, "a1", round=1, played=1))


def let_pass(store: Store, time: Time, seconds: float) -> list[str]:
    """Let time pass while the server is there; return the rooms that changed by that."""
    changed: list[str] = []
    end = time.now + seconds
    while time.now < end:
        time.now = min(time.now + 4, end)
        changed += store.tick()[0]
    return changed


def left(store: Store, id: str) -> tuple[float, float]:
    clock = store.find(id).to_json()["clock"]
    return clock["X"], clock["O"]


def test_flags_fall_without_anybody_asking(tmp_path: Path) -> None:
    store, room = timed(tmp_path / "games.db", time := Time())
    assert let_pass(store, time, 60.4) == []
    assert store.find(room.id) == room
    assert store.tick() == ([], 1_060.5)
    time.now += 0.2
    assert store.find(room.id).to_json()["result"]["text"] == "O wins on time"
    assert store.versions([room.id]) == {room.id: room.version}, "nobody has written it yet"
    assert store.tick() == ([room.id], None)
    assert store.versions([room.id]) == {room.id: room.version + 1}
    stamp = store.stamp()
    assert store.tick() == ([], None)
    assert store.stamp() == stamp
    store.close()


def test_a_move_counts_from_when_it_came_in(tmp_path: Path) -> None:
    store, room = timed(tmp_path / "games.db", time := Time())
    time.now += 62  # as long as the file was locked
    moved = store.change(
        room.id, lambda it: it.play(HOST, "c3", round=1, played=2), now=time.now - 3
    )
    assert moved.to_json()["result"] is None
    assert left(store, room.id)[0] == 1
    time.now += 60
    with pytest.raises(Conflict, match="X wins on time"):
        store.change(room.id, lambda it: it.play(GUEST, "a2", round=1, played=3))
    store.close()


def test_no_time_runs_while_there_is_no_server(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store, room = timed(path, time := Time())
    let_pass(store, time, 20)
    store.close()
    for later in (time.now + 5_000, 3.0):  # on the same machine, and after a start of it
        shutil.copy(path, tmp_path / "copy.db")
        time.now = later
        again = Store(tmp_path / "copy.db", time)
        assert left(again, room.id) == (60 - 20 + 10, 60 + 10)
        assert again.find(room.id).version == room.version + 1
        assert let_pass(again, time, 50.4) == []
        assert let_pass(again, time, 0.2) == [room.id]
        assert again.find(room.id).to_json()["result"]["text"] == "O wins on time"
        again.close()


def test_a_flag_that_fell_before_the_server_went_stays_down(tmp_path: Path) -> None:
    store, room = timed(tmp_path / "games.db", time := Time())
    let_pass(store, time, 58)
    time.now += 3
    began(store, "another")  # the last sign of life, when the flag of the first had fallen
    store.close()
    time.now += 100
    again = Store(tmp_path / "games.db", time)
    assert again.find(room.id).to_json()["result"]["text"] == "O wins on time"
    again.close()


def test_a_second_server_gives_no_time(tmp_path: Path) -> None:
    store, room = timed(tmp_path / "games.db", time := Time())
    let_pass(store, time, 20)
    time.now += 0.9
    other = Store(tmp_path / "games.db", time)
    assert other.find(room.id) == room
    assert left(other, room.id) == (39.1, 60)
    for each in (store, other):
        each.close()


def test_no_time_runs_while_the_file_cannot_be_written(tmp_path: Path) -> None:
    store, room = timed(tmp_path / "games.db", time := Time())
    let_pass(store, time, 10)
    time.now += 30
    assert store.tick() == ([room.id], time.now + 60.5)
    assert left(store, room.id) == (60, 70)
    store.close()


# What a file was before there were clocks: version 1.
FORMER = """
    CREATE TABLE room (
        id TEXT PRIMARY KEY, text TEXT NOT NULL, host_side TEXT NOT NULL, host_key BLOB NOT NULL,
        guest_key BLOB, round INTEGER NOT NULL, resigned TEXT, agreed TEXT,
        version INTEGER NOT NULL, changed REAL NOT NULL, opened REAL NOT NULL, opener TEXT
    );
    CREATE INDEX by_change ON room (changed);
    CREATE INDEX by_opener ON room (opener, opened);
    PRAGMA application_id = 1852798001;
    PRAGMA user_version = 1;
    PRAGMA journal_mode = WAL;
"""


def test_a_file_of_the_former_version_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    now = wall_clock()
    row = ("a room", "3x3x3 b2", "O", key_of(HOST), key_of(GUEST), 1, None, None, 5, now, now, None)
    with closing(sqlite3.connect(path)) as database:
        database.executescript(FORMER)
        with database:
            database.execute(f"INSERT INTO room VALUES ({', '.join('?' * 12)})", row)
    stores = [it for it in together(4, lambda _: Store(path)) if isinstance(it, Store)]
    assert len(stores) == 4, "several servers at once"
    store = stores[0]
    room = store.find("a room")
    assert room == Room("a room", "3x3x3 b2", Player.O, *row[3:5], version=5)
    assert room.to_json()["clock"] is None
    room = store.change(room.id, lambda it: it.play(HOST, "a1", round=1, played=1))
    room = store.change(room.id, lambda it: it.rename(HOST, "Anna"))
    for each in stores:
        each.close()
    again = Store(path)
    assert again.find("a room") == room
    assert again.find("a room").to_json()["names"] == {"X": None, "O": "Anna"}
    again.close()
