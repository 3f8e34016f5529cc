"""The worker processes of a server, and which request gets one.

A worker runs one task at a time. A request that finds all of them busy waits a little and is then
refused. A task that is stopped has a second to end, then its worker is killed; a worker that has
died is replaced when it is needed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine
from itertools import count
from typing import Any

from noughts.web.errors import ApiError
from noughts.web.pool.child import Child
from noughts.web.pool.task import RETRY, Task
from noughts.web.settings import Settings

__all__ = ["Pool"]

_STILL_STARTING = "the engine is starting; the first time this takes some minutes"

_log = logging.getLogger("noughts.web")


class Pool:
    """Runs tasks on worker processes, within the limits of a server.

    Warm workers load the compiled code, or compile it, before they take their first task.
    """

    def __init__(self, settings: Settings, *, is_warm: bool = True) -> None:
        self._settings = settings
        self._is_warm = is_warm
        self._free: asyncio.LifoQueue[Child] = asyncio.LifoQueue()  # the last used is the warmest
        self._children: set[Child] = set()
        self._tasks: set[Task] = set()
        self._background: set[asyncio.Task[None]] = set()
        self._clients: Counter[str] = Counter()  # requests that have a worker or wait for one
        self._numbers = count(1)
        self._is_closed = False

    async def start(
        self, name: str, request: dict[str, Any], *, client: str, seconds: float
    ) -> Task:
        """Start a task as soon as a worker is free; it is stopped after this many seconds."""
        settings = self._settings
        if self._clients[client] >= settings.per_client:
            message = f"one client may make {settings.per_client} of these requests at once"
            raise ApiError(429, message, headers=RETRY)
        if self._clients.total() >= settings.workers + settings.waiting:
            raise ApiError(503, headers=RETRY)
        self._clients[client] += 1
        try:
            child = await self._take()
        except BaseException:
            self._leave(client)
            raise
        task = Task(next(self._numbers), child)
        self._tasks.add(task)
        message = f"this takes more than {seconds:g} seconds"
        reason = ApiError(422, message, code="limit", field="game")
        deadline = asyncio.get_running_loop().call_later(seconds, task.stop, reason)

        async def run() -> None:
            try:
                await task.run(name, request)
            finally:
                deadline.cancel()
                self._tasks.discard(task)
                self._leave(client)
                self._give_back(child)

        self._in_background(run())
        return task

    def prepare(self) -> None:
        """Start the workers that should be ready before the first request."""
        for _ in range(self._settings.ready):
            self._add_child()

    async def stop_when(self, closing: asyncio.Event) -> None:
        """Stop all tasks as soon as the server begins to close."""
        await closing.wait()
        self._is_closed = True
        for task in self._tasks:
            task.stop()

    async def close(self) -> None:
        """End all workers."""
        self._is_closed = True
        children = list(self._children)  # one that died leaves the set before it has ended
        for child in children:
            child.kill()
        while self._background:
            await asyncio.wait(self._background)
        for child in children:
            await child.end()

    # -- workers -------------------------------------------------------------------------

    async def _take(self) -> Child:
        """Return a free worker, after a while if need be, or raise that there is none."""
        try:
            async with asyncio.timeout(self._settings.wait_seconds):
                while True:
                    if self._free.empty():
                        self._add_child()
                    child = await self._free.get()
                    if child.is_alive:
                        return child
                    self._children.discard(child)  # it died while it was free
        except TimeoutError:
            is_ready = any(child.is_ready for child in self._children)
            raise ApiError(503, None if is_ready else _STILL_STARTING, headers=RETRY) from None

    def _give_back(self, child: Child) -> None:
        if child.is_alive:
            self._free.put_nowait(child)
        else:
            self._children.discard(child)
            if self._clients.total() > len(self._tasks):  # a request waits for a worker
                self._add_child()

    def _add_child(self) -> None:
        """Begin to start another worker, unless there are enough."""
        if len(self._children) < self._settings.workers and not self._is_closed:
            child = Child(self._settings.memory, is_warm=self._is_warm)
            self._children.add(child)
            self._in_background(self._start_child(child))

    async def _start_child(self, child: Child) -> None:
        try:
            await child.start()
        except OSError as error:
            _log.error("a worker could not be started: %s", error)
        if child.is_alive:
            self._free.put_nowait(child)
        else:  # the next request tries again
            self._children.discard(child)

    def _leave(self, client: str) -> None:
        self._clients[client] -= 1
        if not self._clients[client]:
            del self._clients[client]

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
