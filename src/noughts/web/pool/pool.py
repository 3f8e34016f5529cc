"""The worker processes of a server, and which request gets one.

A worker runs one task at a time. A request that finds all of them busy waits a little and is then
refused. A task that is stopped has a second to end, then its worker is killed; a worker that has
died is replaced when it is needed.

On a machine's first run the compiled code has to be compiled, which takes a minute. One worker does
that. Until it is ready, *stand-ins* take the tasks: workers that run the same functions uncompiled,
with what these can do in their time. Then they are replaced::

    first worker    |  compiles                                  |  takes tasks
    stand-ins           |  take tasks, as many as workers may be |
    other workers                                                |  load the code, take tasks
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine
from itertools import count
from typing import Any

from noughts.web.errors import NEEDS_COMPILED, ApiError
from noughts.web.pool.child import Child, Kind
from noughts.web.pool.task import RETRY, Task
from noughts.web.settings import Settings

__all__ = ["Pool"]

_STILL_STARTING = "the engine is starting"

_log = logging.getLogger("noughts.web")


class Pool:
    """Runs tasks on worker processes, within the limits of a server.

    Warm workers load the compiled code, or compile it, before they take their first task.
    """

    def __init__(self, settings: Settings, *, is_warm: bool = True) -> None:
        self._settings = settings
        self._kind: Kind = "warm" if is_warm else "cold"
        self._free: asyncio.LifoQueue[Child] = asyncio.LifoQueue()  # the last used is the warmest
        self._children: set[Child] = set()
        self._tasks: set[Task] = set()
        self._background: set[asyncio.Task[None]] = set()
        self._clients: Counter[str] = Counter()  # requests that have a worker or wait for one
        self._numbers = count(1)
        self._is_closed = False

    @property
    def is_warming(self) -> bool:
        """Whether the first worker still loads the compiled code, or compiles it."""
        workers = self._workers(self._kind)
        return bool(workers) and not any(child.is_ready for child in workers)

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
        reason = ApiError(
            422, f"this takes more than {seconds:g} seconds", code="limit", field="game"
        )
        if child.kind == "uncompiled":
            reason = ApiError(503, NEEDS_COMPILED, headers=RETRY)
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
        if child.kind == "uncompiled" and not self._is_compiling:
            self._end(child)
        elif child.is_alive:
            self._free.put_nowait(child)
        else:
            self._children.discard(child)
            if self._clients.total() > len(self._tasks):  # a request waits for a worker
                self._add_child()

    def _add_child(self) -> None:
        """Begin to start another worker, unless there are enough."""
        kind: Kind = "uncompiled" if self._is_compiling else self._kind
        workers = self._workers(kind)
        # What the first worker compiles, the others load; so they wait for it.
        is_first = kind == "warm" and self.is_warming
        if len(workers) < self._settings.workers and not is_first and not self._is_closed:
            child = Child(self._settings.memory, kind, self._stand_in)
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
        if child.kind == "warm":
            self._end_stand_ins()
        if child.is_alive and child.kind == self._kind:
            self._add_others()

    def _workers(self, kind: Kind) -> list[Child]:
        return [child for child in self._children if child.kind == kind]

    # -- the first run on a machine --------------------------------------------------------

    @property
    def _is_compiling(self) -> bool:
        return any(child.is_compiling for child in self._children)

    def _stand_in(self) -> None:
        """Start stand-ins, as a worker has begun to compile: one, or one for each request."""
        for _ in range(max(1, self._clients.total())):
            self._add_child()

    def _add_others(self) -> None:
        """Start the workers that had to wait for the first one."""
        wanted = max(self._settings.ready, self._clients.total())
        for _ in range(wanted - len(self._workers(self._kind))):
            self._add_child()

    def _end_stand_ins(self) -> None:
        """End the stand-ins that are free; the others end after their task."""
        busy = {task.child for task in self._tasks}
        for child in self._workers("uncompiled"):
            if child not in busy:
                self._end(child)

    def _end(self, child: Child) -> None:
        """End a worker; one that is still starting ends as soon as it has."""
        child.kill()
        self._children.discard(child)
        if child.is_ready:
            self._in_background(child.end())

    def _leave(self, client: str) -> None:
        self._clients[client] -= 1
        if not self._clients[client]:
            del self._clients[client]

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
