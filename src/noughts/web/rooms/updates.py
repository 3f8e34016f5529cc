"""The listeners of rooms, who get every change, whichever server made it.

Listeners get a change of this server at once. For changes of other servers the file is polled
every half second while there are listeners; rooms are compared only if the file has changed.
While a clock runs, its state is sent again from time to time, to set the clocks that people see.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any, ParamSpec, TypeVar

from starlette.concurrency import run_in_threadpool

from noughts.errors import StoreError
from noughts.web.errors import ApiError
from noughts.web.rooms.room import Room
from noughts.web.rooms.store import Store

__all__ = ["Updates", "in_thread"]

POLL_SECONDS = 0.5  # between two looks at the file
HEARTBEAT_SECONDS = 15.0  # of silence until a listener gets a sign that the stream is alive

_log = logging.getLogger("noughts.web")

P = ParamSpec("P")
T = TypeVar("T")
State = tuple[int, str]  # a version of a room, and its state in JSON


async def in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call in a thread what waits for the disk; an error of the file may pass, so it is a 503."""
    try:
        return await run_in_threadpool(call, *args, **kwargs)
    except StoreError as error:
        _log.error("%s", error)  # only in the log, as it names the file
        message = "the server cannot read or write its rooms at the moment"
        raise ApiError(503, message, code="storage", headers={"Retry-After": "5"}) from None


class _Topic:
    """A room with listeners: their events, and the state or the error that they got last."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.listeners: set[asyncio.Event] = set()
        self.room: Room | None = None
        self.state: dict[str, Any] = {}
        self._error: ApiError | None = None
        self._is_stale = True
        self._lock = asyncio.Lock()

    def join(self, listener: asyncio.Event) -> None:
        self.listeners.add(listener)
        if self._error is not None:  # it may have passed
            self._is_stale = True

    def wake(self) -> None:
        self._is_stale = True
        for listener in self.listeners:
            listener.set()

    async def refresh(self, store: Store) -> None:
        """Read the room, once for all listeners; an error is raised for each of them."""
        async with self._lock:
            if self._is_stale:
                self._is_stale = False
                try:
                    self.room, self.state = await in_thread(_read, store, self.id)
                    self._error = None
                except ApiError as error:
                    self._error = error
                except BaseException:  # this listener has gone; the next one reads
                    self._is_stale = True
                    raise
            if self._error is not None:
                raise self._error.with_traceback(None)

    @property
    def version(self) -> int | None:
        return None if self.room is None else self.room.version

    @property
    def is_running(self) -> bool:
        return self.room is not None and bool(self.room.clock and self.room.clock.running)

    def state_at(self, now: float) -> State:
        """Return the version and the state in JSON, with what has come of its clock by now."""
        assert self.room is not None
        return self.room.version, json.dumps({**self.state, **self.room.to_json_at(now)})


def _read(store: Store, id: str) -> tuple[Room, dict[str, Any]]:
    room = store.find(id)
    return room, room.to_json()


class Updates:
    """The listeners of one server."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._topics: dict[str, _Topic] = {}
        self._watching: asyncio.Task[None] | None = None

    def notify(self, id: str) -> None:
        """Wake the listeners of a room that has changed."""
        if topic := self._topics.get(id):
            topic.wake()

    def listen(
        self, id: str, seen: int | None, closing: asyncio.Event
    ) -> AsyncIterator[State | None]:
        """Yield a room's version and its state in JSON, whenever the version is not the one seen.

        After some seconds of silence comes None. While the clock runs, the state comes instead,
        and in the beginning even if it was seen. The iterator ends when the server closes, and
        raises when the room no longer exists.
        """
        return self._states(id, seen, closing)

    async def _states(
        self, id: str, seen: int | None, closing: asyncio.Event
    ) -> AsyncIterator[State | None]:
        topic = self._topics.setdefault(id, _Topic(id))
        woken = asyncio.Event()
        topic.join(woken)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch(closing))
        try:
            is_silent = True
            while not closing.is_set():
                woken.clear()
                await topic.refresh(self._store)
                if topic.version != seen or (is_silent and topic.is_running):
                    yield topic.state_at(self._store.clock())
                    seen = topic.version
                is_silent = False
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await woken.wait()
                except TimeoutError:
                    is_silent = True
                    if not topic.is_running:
                        yield None
        finally:
            topic.listeners.discard(woken)
            if not topic.listeners:
                self._topics.pop(id, None)

    async def _watch(self, closing: asyncio.Event) -> None:
        """Look for changes of other servers, until there are no listeners or the server closes."""
        stamp: int | None = None
        while self._topics and not closing.is_set():
            try:
                now = await in_thread(self._store.stamp)
                if now != stamp:
                    versions = await in_thread(self._store.versions, [*self._topics])
                    stamp = now
                    for topic in self._topics.values():
                        if topic.version != versions.get(topic.id):
                            topic.wake()
            except ApiError:
                pass  # it is in the log; the next look may succeed
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await closing.wait()
            except TimeoutError:
                continue
        for topic in self._topics.values():
            topic.wake()
