"""Analyses, moves of the computer, and reviews: tasks for a worker."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from noughts.players import levels_of
from noughts.web.errors import ApiError
from noughts.web.reading import Reader
from noughts.web.routes.task_response import TASK_RESPONSES, Tasks
from noughts.web.schemas.requests import AnalysisRequest, MoveRequest
from noughts.web.schemas.responses import AnalysisResponse, MoveResponse, ReviewResponse
from noughts.web.settings import Settings

__all__ = ["router"]


def router(settings: Settings, tasks: Tasks) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api", tags=["thinking"])
    read = Reader(settings)

    @routes.post("/analyse", response_model=AnalysisResponse, responses=TASK_RESPONSES)
    async def analyse(body: AnalysisRequest, request: Request) -> Any:
        """Return the value of every legal move: proved where possible, otherwise an estimate."""
        game = await run_in_threadpool(read.unfinished, body.game)
        task = body.model_dump() | read.limits(body.seconds, body.nodes)
        return await tasks.respond(request, "analyse", game.position, task)

    @routes.post("/review", response_model=ReviewResponse, responses=TASK_RESPONSES)
    async def review(body: AnalysisRequest, request: Request) -> Any:
        """Return what each move of a game changed. `nodes` is a limit for each position."""
        position = await run_in_threadpool(read.position, body.game)
        task = body.model_dump() | read.limits(body.seconds, body.nodes)
        return await tasks.respond(request, "review", position, task)

    @routes.post("/move", response_model=MoveResponse, responses=TASK_RESPONSES)
    async def move(body: MoveRequest, request: Request) -> Any:
        """Choose the move of an opponent of this level."""
        game = await run_in_threadpool(read.unfinished, body.game)
        levels = levels_of(game.position)
        if body.level not in levels:
            message = f"{game.position.game} has these levels: {', '.join(levels)}"
            raise ApiError(422, message, field="level")
        task = body.model_dump() | read.limits(body.seconds)
        return await tasks.respond(request, "move", game.position, task)

    return routes
