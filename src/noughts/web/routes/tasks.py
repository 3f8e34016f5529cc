"""Tasks for a worker: analyses, moves of the computer, reviews, counts and lists of games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from noughts.players import levels_of
from noughts.web.errors import ApiError
from noughts.web.reading import Reader
from noughts.web.routes.task_response import TASK_RESPONSES, Tasks
from noughts.web.schemas.requests import (
    AnalysisRequest,
    CountRequest,
    GameRequest,
    GamesRequest,
    MoveRequest,
    RandomGamesRequest,
    TimedRequest,
)
from noughts.web.schemas.responses import (
    AnalysisResponse,
    CountResponse,
    ExplorationResponse,
    GamesResponse,
    MoveResponse,
    ReviewResponse,
)
from noughts.web.settings import Settings

__all__ = ["router"]


def router(settings: Settings, tasks: Tasks) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api", tags=["thinking"], responses=TASK_RESPONSES)
    read = Reader(settings)

    def unfinished(text: str) -> Any:
        return read.unfinished(text).position

    async def respond(
        request: Request, name: str, body: GameRequest, position_of: Callable[[str], Any]
    ) -> Response:
        """Run a task, with the fields of the body and its limits for a request."""
        position = await run_in_threadpool(position_of, body.game)
        task = body.model_dump()
        if isinstance(body, TimedRequest):
            task |= read.limits(body.seconds, task.get("nodes"))
        return await tasks.respond(request, name, position, task)

    @routes.post("/analyse", response_model=AnalysisResponse)
    async def analyse(body: AnalysisRequest, request: Request) -> Any:
        """Return the value of every legal move: proved where possible, otherwise an estimate."""
        return await respond(request, "analyse", body, unfinished)

    @routes.post("/explore", response_model=ExplorationResponse)
    async def explore(body: AnalysisRequest, request: Request) -> Any:
        """Return every legal move with its proved value and the exact number of games behind it."""
        return await respond(request, "explore", body, unfinished)

    @routes.post("/review", response_model=ReviewResponse)
    async def review(body: AnalysisRequest, request: Request) -> Any:
        """Return what each move of a game changed; the limits are for the whole game."""
        return await respond(request, "review", body, read.position)

    @routes.post("/move", response_model=MoveResponse)
    async def move(body: MoveRequest, request: Request) -> Any:
        """Choose the move of an opponent of this level."""

        def with_level(text: str) -> Any:
            position = unfinished(text)
            levels = levels_of(position)
            if body.level not in levels:
                message = f"{position.game} has these levels: {', '.join(levels)}"
                raise ApiError(422, message, field="level")
            return position

        return await respond(request, "move", body, with_level)

    @routes.post("/count", response_model=CountResponse)
    async def count(body: CountRequest, request: Request) -> Any:
        """Count every game, position or ending from a position on, exactly."""
        return await respond(request, "count", body, read.position)

    @routes.post("/games", response_model=GamesResponse)
    async def games(body: GamesRequest, request: Request) -> Any:
        """List games by number, in lexicographic order, from a position on."""
        read.require_page(body.limit, "limit")
        return await respond(request, "games", body, read.position)

    @routes.post("/games/random", response_model=GamesResponse)
    async def random_games(body: RandomGamesRequest, request: Request) -> Any:
        """Draw games at random, each with its number; all are equally likely."""
        read.require_page(body.number, "number")
        return await respond(request, "random", body, read.position)

    return routes
