"""Counts and lists of games: tasks for a worker."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from noughts.web.reading import Reader
from noughts.web.routes.task_response import TASK_RESPONSES, Tasks
from noughts.web.schemas.requests import CountRequest, GamesRequest, RandomGamesRequest
from noughts.web.schemas.responses import CountResponse, GamesResponse
from noughts.web.settings import Settings

__all__ = ["router"]


def router(settings: Settings, tasks: Tasks) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api", tags=["thinking"])
    read = Reader(settings)

    @routes.post("/count", response_model=CountResponse, responses=TASK_RESPONSES)
    async def count(body: CountRequest, request: Request) -> Any:
        """Count every game, position or ending from a position on, exactly."""
        position = await run_in_threadpool(read.position, body.game)
        return await tasks.respond(request, "count", position, body.model_dump())

    @routes.post("/games", response_model=GamesResponse, responses=TASK_RESPONSES)
    async def games(body: GamesRequest, request: Request) -> Any:
        """List games by number, in lexicographic order, from a position on."""
        read.require_page(body.limit, "limit")
        position = await run_in_threadpool(read.position, body.game)
        return await tasks.respond(request, "games", position, body.model_dump())

    @routes.post("/games/random", response_model=GamesResponse, responses=TASK_RESPONSES)
    async def random_games(body: RandomGamesRequest, request: Request) -> Any:
        """Draw games at random, each with its number; all are equally likely."""
        read.require_page(body.number, "number")
        position = await run_in_threadpool(read.position, body.game)
        return await tasks.respond(request, "random", position, body.model_dump())

    return routes
