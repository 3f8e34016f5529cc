"""How a worker's task becomes a response: JSON when it is done, or a stream of its progress."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from noughts.web.clients import client_of
from noughts.web.errors import ApiError
from noughts.web.pool.pool import Pool
from noughts.web.pool.task import Task
from noughts.web.pool.tasks import is_quick
from noughts.web.schemas.errors import error_responses
from noughts.web.settings import Settings

__all__ = ["STREAM_HEADERS", "TASK_RESPONSES", "Tasks", "server_sent_event"]

STREAM_HEADERS = {"X-Accel-Buffering": "no"}
"""Headers of a stream, which a proxy must pass on at once."""

_EVENT_STREAM = "text/event-stream"
_GRACE = 5.0  # seconds that a response may take beyond the time limit of its search

TASK_RESPONSES: dict[int | str, dict[str, Any]] = {
    **error_responses(400, 408, 413, 415, 422, 429, 503),
    200: {
        "description": "The result. With `Accept: text/event-stream` it is a stream: events "
        "`progress`, whose data is the result as far as it is known, then one `result`, or one "
        "`error` with the JSON of an error. Closing the connection stops the task.",
        "content": {_EVENT_STREAM: {}},
    },
}


def server_sent_event(name: str, data: str, id: int | None = None) -> str:
    """Return an event as it is written to a stream; its data is JSON."""
    event = f"event: {name}\ndata: {data}\n\n"
    return event if id is None else f"id: {id}\n{event}"


class Tasks:
    """Runs tasks in the pools of a server; quick tasks have a pool of their own."""

    def __init__(self, settings: Settings, pool: Pool, quick_pool: Pool) -> None:
        self._settings = settings
        self._pool = pool
        self._quick_pool = quick_pool

    async def respond(
        self, request: Request, name: str, position: Any, body: dict[str, Any]
    ) -> Response:
        """Run a task for a request about a position, and return its response."""
        # A search has its own time limit and gets a little longer; a count has none.
        seconds = body.get("seconds")
        allowed = self._settings.max_seconds if seconds is None else seconds + _GRACE
        pool = self._quick_pool if is_quick(position, body) else self._pool
        task = await pool.start(name, body, client=client_of(request), seconds=allowed)
        if _EVENT_STREAM in request.headers.get("Accept", ""):
            return _TaskStream(task)
        async with _stopped_on_disconnect(request, task):
            async for kind, data in task:
                if kind == "result":
                    return JSONResponse(data)
        raise AssertionError("a task ends with a result or an error")


@asynccontextmanager
async def _stopped_on_disconnect(request: Request, task: Task) -> AsyncIterator[None]:
    """Stop a task when its client disconnects, and when the block ends."""

    async def wait_for_disconnect() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        task.stop()

    watch = asyncio.create_task(wait_for_disconnect())
    try:
        yield
    finally:
        watch.cancel()
        task.stop()


class _TaskStream(StreamingResponse):
    """A task's events as they come; the task is stopped when its client disconnects."""

    def __init__(self, task: Task) -> None:
        super().__init__(_events(task), media_type=_EVENT_STREAM, headers=STREAM_HEADERS)
        self._task = task

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._task.stop()


async def _events(task: Task) -> AsyncIterator[str]:
    try:
        async for kind, data in task:
            yield server_sent_event(kind, json.dumps(data))
    except ApiError as error:
        yield server_sent_event("error", json.dumps(error.to_json()))
