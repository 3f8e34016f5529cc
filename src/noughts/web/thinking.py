"""Questions that take thinking or counting: they go to a worker, and can be streamed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from noughts.engine.levels import levels_of
from noughts.web.answers import Analysis, Chosen, Counted, GamesPage, Reviewed
from noughts.web.jobs import is_light
from noughts.web.problems import Problem, responses
from noughts.web.questions import (
    AnalysisQuestion,
    CountQuestion,
    GamesQuestion,
    LevelQuestion,
    RandomQuestion,
    Reader,
)
from noughts.web.settings import Settings
from noughts.web.work import Job, Pool

__all__ = ["router"]

_SLACK = 5.0  # seconds that an answer may take beyond the time to think
_EVENTS = "text/event-stream"
_ANSWERS: dict[int | str, dict[str, Any]] = {
    **responses(400, 408, 413, 415, 422, 429, 503),
    200: {
        "description": "The answer; with `Accept: text/event-stream` a stream: events `progress`, "
        "whose data is an answer as far as it is known, then one `result` with the answer, or one "
        "`error` with a problem. To close the connection stops the work.",
        "content": {_EVENTS: {}},
    },
}


def router(settings: Settings, pool: Pool, errands: Pool) -> APIRouter:
    """Return the addresses of these questions; `errands` is for those that are light."""
    routes = APIRouter(prefix="/api", tags=["thinking"])
    read = Reader(settings)

    async def answer(
        request: Request, ask: str, position: Any, question: dict[str, Any]
    ) -> Response:
        client = request.client.host if request.client else ""
        seconds = question.get("seconds")
        # Who is told when to end gets a little longer; a count knows no time of its own.
        allowed = settings.max_seconds if seconds is None else seconds + _SLACK
        workers = errands if is_light(position, question) else pool
        job = await workers.ask(ask, question, client=client, seconds=allowed)
        if _EVENTS in request.headers.get("Accept", ""):
            return _EventStream(job)
        async with _attended(request, job):
            async for kind, data in job:
                if kind == "result":
                    return JSONResponse(data)
        raise AssertionError("a job ends with a result or a problem")

    @routes.post("/analyse", response_model=Analysis, responses=_ANSWERS)
    async def analyse(question: AnalysisQuestion, request: Request) -> Any:
        """Say what every legal move is worth: proofs where there are any, and else estimates."""
        position = await run_in_threadpool(read.running, question.game)
        effort = read.effort(question.seconds, question.nodes)
        return await answer(request, "analyse", position, {"game": question.game, **effort})

    @routes.post("/review", response_model=Reviewed, responses=_ANSWERS)
    async def review(question: AnalysisQuestion, request: Request) -> Any:
        """Say what each move played in a game changed; nodes are for each position."""
        position = await run_in_threadpool(read.position, question.game)
        effort = read.effort(question.seconds, question.nodes)
        return await answer(request, "review", position, {"game": question.game, **effort})

    @routes.post("/move", response_model=Chosen, responses=_ANSWERS)
    async def move(question: LevelQuestion, request: Request) -> Any:
        """Choose the move that a level makes."""
        position = await run_in_threadpool(read.running, question.game)
        levels = levels_of(position)
        if question.level not in levels:
            message = f"{position.game} has these levels: {', '.join(levels)}"
            raise Problem(422, message, field="level")
        effort = read.effort(question.seconds)
        return await answer(request, "move", position, {**question.model_dump(), **effort})

    @routes.post("/count", response_model=Counted, responses=_ANSWERS)
    async def count(question: CountQuestion, request: Request) -> Any:
        """Count every game, position or ending from a position on, exactly."""
        position = await run_in_threadpool(read.position, question.game)
        return await answer(request, "count", position, question.model_dump())

    @routes.post("/games", response_model=GamesPage, responses=_ANSWERS)
    async def games(question: GamesQuestion, request: Request) -> Any:
        """List games by number, in lexicographic order, from a position on."""
        read.require_page(question.limit, "limit")
        position = await run_in_threadpool(read.position, question.game)
        return await answer(request, "games", position, question.model_dump())

    @routes.post("/games/random", response_model=GamesPage, responses=_ANSWERS)
    async def random_games(question: RandomQuestion, request: Request) -> Any:
        """Draw games at random, each with its number; all are equally likely."""
        read.require_page(question.number, "number")
        position = await run_in_threadpool(read.position, question.game)
        return await answer(request, "random", position, question.model_dump())

    return routes


@asynccontextmanager
async def _attended(request: Request, job: Job) -> AsyncIterator[None]:
    """Stop a job when its client leaves, or when nobody waits for it any more."""

    async def wait_until_gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        job.stop()

    watch = asyncio.create_task(wait_until_gone())
    try:
        yield
    finally:
        watch.cancel()
        job.stop()


class _EventStream(StreamingResponse):
    """A job's events as they come; it is stopped when its client leaves."""

    def __init__(self, job: Job) -> None:
        super().__init__(
            _written(job),
            media_type=_EVENTS,
            headers={"X-Accel-Buffering": "no"},  # a proxy must not keep events back
        )
        self._job = job

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._job.stop()


async def _written(job: Job) -> AsyncIterator[str]:
    try:
        async for kind, data in job:
            yield f"event: {kind}\ndata: {json.dumps(data)}\n\n"
    except Problem as problem:
        yield f"event: error\ndata: {json.dumps(problem.to_json())}\n\n"
