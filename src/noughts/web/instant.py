"""Questions that the rules answer at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter

from noughts import __version__
from noughts.engine.levels import GRID_LEVELS, ULTIMATE_LEVELS
from noughts.rules.ultimate import Variant
from noughts.rules.verdict import judge
from noughts.views import view
from noughts.web.answers import Health, Judged, Version, View
from noughts.web.problems import responses
from noughts.web.questions import BoardQuestion, GameQuestion, Reader
from noughts.web.settings import Settings

__all__ = ["router"]

_READING = responses(400, 408, 413, 415, 422)


def router(settings: Settings) -> APIRouter:
    """Return the addresses of these questions."""
    routes = APIRouter(prefix="/api")
    read = Reader(settings)

    @routes.get("/health", tags=["server"], response_model=Health, responses=responses())
    async def health() -> Any:
        """Say that the server is there."""
        return {"status": "ok"}

    @routes.get("/version", tags=["server"], response_model=Version, responses=responses())
    async def version() -> Any:
        """Say the version, the limits of this server, and the levels of opponents."""
        return {
            "version": __version__,
            "limits": settings.limits(),
            "levels": {"grid": _listed(GRID_LEVELS), "ultimate": _listed(ULTIMATE_LEVELS)},
            "variants": [Variant(bits).text for bits in range(4)],
        }

    @routes.post("/verdict", tags=["rules"], response_model=Judged, responses=_READING)
    def verdict(question: BoardQuestion) -> Any:
        """Judge a drawn board: whose turn, who won, draw or invalid, and every reason why."""
        board = read.board(question.board)
        return {"grid": str(board.grid), **judge(board).to_json()}

    @routes.post(
        "/position",
        tags=["rules"],
        response_model=View,
        response_model_exclude_unset=True,
        responses=_READING,
    )
    def position(question: GameQuestion) -> Any:
        """Return all there is to see of a game: marks, legal moves, whose turn, how it ended."""
        return view(read.game(question.game))

    return routes


def _listed(levels: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "about": about} for name, about in levels.items()]
