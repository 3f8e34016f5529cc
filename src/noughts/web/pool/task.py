"""A task that runs on a worker: its progress, its result, and its early end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any, Literal

from noughts.web.errors import ApiError
from noughts.web.pool.child import Child

__all__ = ["RETRY", "Event", "Task"]

Event = tuple[Literal["progress", "result"], dict[str, Any]]

RETRY = {"Retry-After": "2"}
"""Headers of an error that passes soon."""

_STOP_SECONDS = 1.0  # in which a worker stops when asked to, or is killed

_log = logging.getLogger("noughts.web")


class Task:
    """A task under way: iterate over it for its progress and its result."""

    def __init__(self, number: int, child: Child) -> None:
        self._number = number
        self.child = child
        self._events: asyncio.Queue[Event | ApiError] = asyncio.Queue()
        self._is_over = False
        self._kill: asyncio.TimerHandle | None = None
        self._reason: ApiError | None = None  # why it was stopped

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Yield its progress as it comes, and then the result; or raise an error."""
        while True:
            event = await self._events.get()
            if isinstance(event, ApiError):
                raise event
            yield event
            if event[0] == "result":
                return

    def stop(self, reason: ApiError | None = None) -> None:
        """Stop it; the reason is raised where it is iterated over."""
        if not self._is_over and self._kill is None:
            self._reason = reason
            self.child.send({"stop": self._number})
            loop = asyncio.get_running_loop()
            self._kill = loop.call_later(_STOP_SECONDS, self.child.kill)

    async def run(self, name: str, request: dict[str, Any]) -> None:
        """Send the task to the worker, and pass on what comes back until it is over."""
        self.child.send({"task": self._number, "name": name, "request": request})
        while not self._is_over:
            message = await self.child.read()
            if message is None:
                _log.error("a worker ended during the task %s: %.200s", name, request)
                self._end(self._reason or ApiError(500, "the worker of this task has died"))
            elif message.get("task") != self._number:
                _log.error("a worker spoke of another task during %s: %.200s", name, message)
                self.child.kill()  # its next answers could be taken for those of other tasks
            elif "progress" in message:
                self._put(("progress", message["progress"]))
            elif "result" in message:
                self._end(("result", message["result"]))
            else:
                self._end(self._reason or _error(name, message.get("error")))

    def _put(self, event: Event | ApiError) -> None:
        """Pass an event on; it replaces one that a slow client has not read yet."""
        while not self._events.empty():
            self._events.get_nowait()
        self._events.put_nowait(event)

    def _end(self, event: Event | ApiError) -> None:
        self._is_over = True
        if self._kill is not None:
            self._kill.cancel()
        self._put(event)


def _error(name: str, error: dict[str, Any] | None) -> ApiError:
    """Return the error that a worker answered with; without one, the task was stopped."""
    if error is None:
        return ApiError(503, "the task was stopped", headers=RETRY)
    if error["status"] == 500:
        _log.error("%s: %s", name, error["message"])  # only in the log, as it may name files
        return ApiError(500)
    return ApiError(**error, headers=RETRY if error["status"] == 503 else {})
