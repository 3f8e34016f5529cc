"""Whether the server is running, its version, its limits, and the levels of the opponent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from fastapi import APIRouter

from noughts import __version__
from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS, Level
from noughts.rules.ultimate import Variant
from noughts.web.pool.pool import Pool
from noughts.web.rooms.room import Greeting
from noughts.web.schemas.errors import error_responses
from noughts.web.schemas.responses import HealthResponse, ServerLimits, VersionResponse
from noughts.web.settings import Settings

__all__ = ["router"]


def router(settings: Settings, pool: Pool) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api", tags=["server"])

    @routes.get("/health", response_model=HealthResponse, responses=error_responses())
    async def health() -> Any:
        """Return that the server is running."""
        return {"status": "ok"}

    @routes.get("/version", response_model=VersionResponse, responses=error_responses())
    async def version() -> Any:
        """Return the version, the limits of this server, and the levels of the opponent."""
        return {
            "version": __version__,
            "strength": "warming" if pool.is_warming else "full",
            "limits": ServerLimits.model_validate(settings, from_attributes=True),
            "levels": {"grid": _listed(GRID_LEVELS), "ultimate": _listed(ULTIMATE_LEVELS)},
            "variants": [Variant(bits).text for bits in range(4)],
            "greetings": get_args(Greeting),
        }

    return routes


def _listed(levels: Mapping[str, Level]) -> list[dict[str, str]]:
    return [{"name": name, "about": level.about} for name, level in levels.items()]
