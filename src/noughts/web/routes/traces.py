"""The exercises, step by step. What runs is noughts' own textbook code, never that of a client."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Any

from fastapi import APIRouter

from noughts.exercises.tracing import Trace
from noughts.exercises.tracing.scenes import SCENES
from noughts.web.errors import ApiError, field
from noughts.web.schemas.errors import error_responses
from noughts.web.schemas.requests import TraceRequest
from noughts.web.schemas.responses import TraceResponse
from noughts.web.settings import Settings

__all__ = ["router"]

_LAST_START = 200_000  # steps are run from the first one on: a third of a second for this many


def router(settings: Settings) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api", tags=["learning"])

    @routes.post(
        "/trace",
        response_model=TraceResponse,
        response_model_exclude_unset=True,
        responses=error_responses(400, 408, 413, 415, 422),
    )
    def trace(request: TraceRequest) -> Any:
        """Run the textbook form of an exercise, and return some of its steps."""
        if request.start > _LAST_START:
            message = f"the first step may be {_LAST_START:,} at most"
            raise ApiError(422, message, code="limit", field="start")
        texts = SCENES[request.exercise].example if request.input is None else request.input
        length = sum(map(len, texts))
        if length > settings.text_length:
            most = settings.text_length
            message = f"the texts of an input may have {most:,} characters, not {length:,}"
            raise ApiError(413, message, field="input")
        with field("input"):
            run = Trace.of_texts(request.exercise, texts)
        steps = run.steps(request.start)
        shown = [step.to_json() for step in islice(steps, request.limit)]
        return {
            "exercise": run.exercise,
            "title": run.title,
            "input": list(run.input),
            "lesson": run.lesson,
            "game": run.game,
            "total": _total(run.exercise, run.input),
            "source": {"name": run.source.name, "lines": list(run.source.lines)},
            "steps": shown,
            "ended": next(steps, None) is None,
        }

    return routes


@lru_cache(maxsize=256)
def _total(exercise: str, texts: tuple[str, ...]) -> int | None:
    """Return how many steps a trace has, if all of them can be asked for."""
    return Trace.of_texts(exercise, texts).count(_LAST_START)
