"""What other sites show of a game: a picture for previews of links, and a board for their pages."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from noughts.drawing import Theme
from noughts.drawing.png import draw_png
from noughts.web.embedding import (
    EMBED_HEADERS,
    embedded_board,
    embedded_game,
    embedded_problem,
)
from noughts.web.errors import ApiError
from noughts.web.previews import PICTURE_SIZE
from noughts.web.reading import Reader
from noughts.web.schemas.errors import error_responses
from noughts.web.settings import Settings

__all__ = ["router"]

_KEPT_PICTURES = 200  # of some 30 kB
_PICTURE: dict[str, Any] = {
    "description": "A picture.",
    "content": {"image/png": {"schema": {"type": "string", "contentMediaType": "image/png"}}},
}
_PICTURE_HEADERS = {
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": "public, max-age=86400",
}


def router(settings: Settings) -> APIRouter:
    """Return the routes."""
    routes = APIRouter()
    read = Reader(settings)
    # A picture takes up to half a second, in which Python does little else: one at a time.
    drawing = asyncio.Semaphore(1)

    @lru_cache(maxsize=_KEPT_PICTURES)
    def picture_of(game: str, theme: Theme) -> bytes:
        width, height = PICTURE_SIZE
        return draw_png(read.diagram(game), theme=theme, width=width, height=height)

    @routes.get(
        "/api/draw.png",
        tags=["rules"],
        response_class=Response,
        responses=error_responses(413, 422) | {200: _PICTURE},
    )
    async def draw(
        game: Annotated[str, Query(examples=["4x4x3 b2 a1"])], theme: Theme = Theme.LIGHT
    ) -> Response:
        """Draw a game as previews of links need it: 1200 by 630 pixels, without letters.

        The theme `auto` is the light one.
        """
        async with drawing:
            picture = await run_in_threadpool(picture_of, game, theme)
        return Response(picture, media_type="image/png", headers=_PICTURE_HEADERS)

    @routes.api_route("/embed", methods=["GET", "HEAD"], include_in_schema=False)
    def embed(game: str = "", theme: str = Theme.AUTO) -> Response:
        """Return a board for a frame in another site's page."""
        try:
            if theme not in tuple(Theme):
                raise ApiError(422, f"a theme is one of {', '.join(Theme)}")
            if not game:
                raise ApiError(422, "the address needs a game, like /embed?game=3x3x3+b2+a1")
            return HTMLResponse(_embedded(read, game, Theme(theme)), headers=EMBED_HEADERS)
        except ApiError as error:
            page = embedded_problem(error, game)
            headers = EMBED_HEADERS | {"Cache-Control": "no-store"}
            return HTMLResponse(page, error.status, headers)

    return routes


def _embedded(read: Reader, text: str, theme: Theme) -> str:
    try:
        return embedded_game(read.game(text), theme)
    except ApiError as error:
        if error.code != "invalid_position":
            raise
        return embedded_board(read.diagram(text), text, theme)
