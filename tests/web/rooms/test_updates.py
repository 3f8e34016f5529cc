"""A listener of a room gets every change, also of other servers, and nothing else."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from noughts import Game
from noughts.errors import StoreError
from noughts.rules.player import Player
from noughts.web.errors import ApiError
from noughts.web.rooms import store as store_module
from noughts.web.rooms import timekeeper as timekeeper_module
from noughts.web.rooms import updates as updates_module
from noughts.web.rooms.clock import TimeControl
from noughts.web.rooms.room import Room
from noughts.web.rooms.store import Store
from noughts.web.rooms.timekeeper import Timekeeper
from noughts.web.rooms.updates import Updates
from support.cli_runner import clean_environment

HOST, GUEST = "the host's", "the guest's"
PATIENCE = 60  # seconds, for what should come at once
T = TypeVar("T")

State = tuple[int, str] | None


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "games.db")
    yield store
    store.close()


def opened(store: Store, host: str = HOST) -> Room:
    return store.open(Game.parse("3x3x3"), Player.X, host, "127.0.0.1")


def sit(store: Store, id: str) -> None:
    store.change(id, lambda it: it.sit(GUEST))


async def version(states: AsyncIterator[State]) -> int | None:
    state = await following(states)
    return state and state[0]


async def following(states: AsyncIterator[State]) -> State:
    async with asyncio.timeout(PATIENCE):
        return await anext(states)


def run(test: Callable[[asyncio.Event], Awaitable[T]]) -> T:
    """Run a test in a loop of its own; it gets the event that closes the server."""

    async def main() -> T:
        closing = asyncio.Event()
        try:
            return await test(closing)
        finally:
            closing.set()

    return asyncio.run(main())


def test_the_first_state_comes_at_once_and_then_every_change(store: Store) -> None:
    room, updates = opened(store), Updates(store)

    async def test(closing: asyncio.Event) -> None:
        states = updates.listen(room.id, None, closing)
        assert await following(states) == (1, json.dumps(room.to_json()))
        sit(store, room.id)
        updates.notify(room.id)
        assert await following(states) == (2, json.dumps(store.find(room.id).to_json()))

    run(test)


def test_a_state_that_was_seen_does_not_come_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates_module, "HEARTBEAT_SECONDS", 0.01)
    room, updates = opened(store), Updates(store)

    async def test(closing: asyncio.Event) -> None:
        states = updates.listen(room.id, 1, closing)
        assert await following(states) is None
        updates.notify(room.id)  # nothing changed in fact
        assert await following(states) is None
        old = updates.listen(room.id, 99, closing)  # from a file that was put back, perhaps
        assert await version(old) == 1

    run(test)


def test_changes_of_another_server_arrive(store: Store) -> None:
    room, updates = opened(store), Updates(store)
    script = (
        "import sys; from noughts.web.rooms.store import Store; store = Store(sys.argv[1]);"
        "store.change(sys.argv[2], lambda it: it.sit(sys.argv[3])); store.close()"
    )
    command = [sys.executable, "-c", script, str(store.path), room.id, GUEST]

    async def test(closing: asyncio.Event) -> None:
        states = updates.listen(room.id, 1, closing)
        heard = asyncio.create_task(version(states))
        await asyncio.to_thread(subprocess.run, command, check=True, env=clean_environment())
        assert await heard == 2

    run(test)


def test_only_the_listeners_of_the_changed_room_are_woken(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates_module, "POLL_SECONDS", 0.01)
    quiet, lively = opened(store), opened(store, "another host's")
    updates = Updates(store)

    async def test(closing: asyncio.Event) -> None:
        silence = asyncio.create_task(following(updates.listen(quiet.id, 1, closing)))
        states = updates.listen(lively.id, 1, closing)
        other = Store(store.path)
        await asyncio.to_thread(sit, other, lively.id)
        other.close()
        assert await version(states) == 2
        assert not silence.done()
        silence.cancel()

    run(test)


def test_many_listeners_get_the_same(store: Store) -> None:
    room, updates = opened(store), Updates(store)

    async def test(closing: asyncio.Event) -> None:
        listeners = [updates.listen(room.id, None, closing) for _ in range(20)]
        firsts = await asyncio.gather(*map(following, listeners))
        assert {it and it[0] for it in firsts} == {1}
        sit(store, room.id)
        updates.notify(room.id)
        seconds = await asyncio.gather(*map(following, listeners))
        assert {it and it[0] for it in seconds} == {2}

    run(test)


def test_an_error_reaches_every_listener_and_may_pass(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, updates = opened(store), Updates(store)

    def fail(id: str) -> Room:
        raise StoreError("the disk is full")

    async def test(closing: asyncio.Event) -> None:
        listeners = [updates.listen(room.id, None, closing) for _ in range(5)]
        await asyncio.gather(*map(following, listeners))
        with monkeypatch.context() as patch:
            patch.setattr(store, "find", fail)
            sit(store, room.id)
            updates.notify(room.id)
            errors = await asyncio.gather(*map(following, listeners), return_exceptions=True)
        assert [error.code for error in errors if isinstance(error, ApiError)] == ["storage"] * 5
        assert await version(updates.listen(room.id, 1, closing)) == 2

    run(test)


def test_a_listener_that_leaves_while_it_reads_takes_no_change_away(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, updates = opened(store), Updates(store)

    async def watch(closing: asyncio.Event) -> None:
        """Do nothing: polling would find the change too, but later."""

    monkeypatch.setattr(updates, "_watch", watch)
    begun, may_end = threading.Event(), threading.Event()
    find = store.find

    def find_slowly(id: str) -> Room:
        begun.set()
        assert may_end.wait(PATIENCE)
        return find(id)

    async def test(closing: asyncio.Event) -> None:
        listeners = [updates.listen(room.id, None, closing) for _ in range(2)]
        await asyncio.gather(*map(following, listeners))
        sit(store, room.id)
        monkeypatch.setattr(store, "find", find_slowly)
        updates.notify(room.id)
        leaving, staying = (asyncio.create_task(version(listener)) for listener in listeners)
        await asyncio.to_thread(begun.wait, PATIENCE)
        leaving.cancel()
        may_end.set()
        assert await staying == 2

    run(test)


def test_it_ends_when_the_server_is_closing(store: Store) -> None:
    room, updates = opened(store), Updates(store)

    async def test(closing: asyncio.Event) -> None:
        states = updates.listen(room.id, 1, closing)
        waiting = asyncio.create_task(following(states))
        await asyncio.sleep(0)
        closing.set()
        with pytest.raises(StopAsyncIteration):
            await waiting
        with pytest.raises(StopAsyncIteration):
            await following(updates.listen(room.id, None, closing))

    run(test)


def test_it_ends_when_the_room_is_gone(store: Store) -> None:
    room, updates = opened(store), Updates(store)

    async def test(closing: asyncio.Event) -> None:
        states = updates.listen(room.id, 1, closing)
        waiting = asyncio.create_task(following(states))
        await asyncio.sleep(0)
        with store._writing() as database:
            database.execute("DELETE FROM room")
        with pytest.raises(ApiError) as error:
            await waiting
        assert error.value.status == 404

    run(test)


def test_the_file_is_not_polled_without_listeners(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates_module, "POLL_SECONDS", 0.001)
    room, updates = opened(store), Updates(store)

    async def test(closing: asyncio.Event) -> None:
        for _ in range(2):  # a second listener after the first has left starts anew
            states = updates.listen(room.id, None, closing)
            await following(states)
            watching = updates._watching
            assert watching
            assert not watching.done()
            await states.aclose()  # type: ignore[attr-defined]
            async with asyncio.timeout(PATIENCE):
                await watching

    run(test)


# ------------------------------------------------------------------------------- with a clock


def timed(store: Store) -> Room:
    """Open a room in which the clock of X runs."""
    game, control = Game.parse("3x3x3"), TimeControl(60, 0)
    room = store.open(game, Player.X, HOST, "127.0.0.1", control=control)
    sit(store, room.id)
    store.change(room.id, lambda it: it.play(HOST, "b2", round=1, played=0))
    return store.change(room.id, lambda it: it.play(GUEST, "a1", round=1, played=1))


def clock_of(state: State) -> tuple[float, float, str | None]:
    assert state
    clock = json.loads(state[1])["clock"]
    return clock["X"], clock["O"], clock["running"]


def test_a_running_clock_is_told_anew_without_a_change(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates_module, "HEARTBEAT_SECONDS", 0.01)
    now = store.clock()
    monkeypatch.setattr(store, "clock", lambda: now)
    room, updates = timed(store), Updates(store)

    async def test(closing: asyncio.Event) -> None:
        nonlocal now
        states = updates.listen(room.id, room.version, closing)
        assert clock_of(await following(states)) == (60, 60, "X"), "although it was seen"
        now += 12
        while clock_of(state := await following(states)) == (60, 60, "X"):
            continue
        assert clock_of(state) == (48, 60, "X")
        assert state
        assert state[0] == room.version

    run(test)


def test_the_timekeeper_tells_listeners_when_a_flag_falls(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, updates = timed(store), Updates(store)
    late = store.clock() + 61
    keeper = Timekeeper(store, updates)

    async def watch(closing: asyncio.Event) -> None:
        """Do nothing: polling would find the change too, but later."""

    monkeypatch.setattr(updates, "_watch", watch)

    async def test(closing: asyncio.Event) -> None:
        states = updates.listen(room.id, room.version, closing)
        await following(states)
        # As if there had been beats all the time until now.
        monkeypatch.setattr(store_module, "_STALLED_SECONDS", 100)
        monkeypatch.setattr(store, "clock", lambda: late)
        keeping = asyncio.create_task(keeper.run())
        state = await following(states)
        assert state
        assert json.loads(state[1])["result"]["text"] == "O wins on time"
        keeping.cancel()

    run(test)


def test_the_timekeeper_looks_at_once_when_a_clock_starts(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = asyncio.Queue[None]()
    monkeypatch.setattr(timekeeper_module, "IDLE_SECONDS", 3_600)
    tick = store.tick

    def look() -> tuple[list[str], float | None]:
        looks.put_nowait(None)
        return tick()

    monkeypatch.setattr(store, "tick", look)
    keeper = Timekeeper(store, Updates(store))

    async def test(closing: asyncio.Event) -> None:
        keeping = asyncio.create_task(keeper.run())
        async with asyncio.timeout(PATIENCE):
            await looks.get()
            timed(store)
            keeper.wake()
            await looks.get()  # at once, and then again and again
            await looks.get()
        keeping.cancel()

    run(test)
