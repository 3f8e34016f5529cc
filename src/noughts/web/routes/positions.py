"""What the rules answer at once: verdicts, views, symmetries, replays and pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from noughts.drawing import Theme, draw_svg
from noughts.exercises.replay import replay_standard, replay_ultimate
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from noughts.rules.ultimate import UltimatePosition
from noughts.rules.verdict import judge
from noughts.views import view
from noughts.web.reading import Reader
from noughts.web.schemas.errors import error_responses
from noughts.web.schemas.requests import BoardRequest, GameRequest, ReplayRequest
from noughts.web.schemas.responses import (
    ReplayResponse,
    SymmetriesResponse,
    VerdictResponse,
    View,
)
from noughts.web.settings import Settings

__all__ = ["router"]

_ERRORS = error_responses(400, 408, 413, 415, 422)
_PICTURE: dict[str, Any] = {
    "description": "A picture.",
    "content": {"image/svg+xml": {"schema": {"type": "string"}}},
}
# A picture may use its own style, and nothing else.
_PICTURE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "frame-ancestors 'none'"
}


def router(settings: Settings) -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api", tags=["rules"])
    read = Reader(settings)

    @routes.post("/verdict", response_model=VerdictResponse, responses=_ERRORS)
    async def verdict(request: BoardRequest) -> Any:
        """Judge a board: whose turn it is, who won, a draw or invalid, with every reason."""
        board = read.board(request.board)
        return {"grid": str(board.grid), **judge(board).to_json()}

    @routes.post(
        "/position", response_model=View, response_model_exclude_unset=True, responses=_ERRORS
    )
    def position(request: GameRequest) -> Any:
        """Return the view of a game: its marks, the legal moves, whose turn it is, the outcome."""
        return view(read.game(request.game))

    @routes.post("/twins", response_model=SymmetriesResponse, responses=_ERRORS)
    def symmetries(request: GameRequest) -> Any:
        """Return the position under every symmetry of its board, and the canonical form."""
        position = read.position(request.game)
        images = {symmetry: position.transformed(symmetry) for symmetry in _symmetries(position)}
        return {
            "position": position.text,
            "canonical": position.canonical().text,
            "distinct": len(set(images.values())),
            "twins": [
                {
                    "symmetry": symmetry.name.lower(),
                    "position": image.text,
                    "is_same": image == position,
                }
                for symmetry, image in images.items()
            ],
        }

    @routes.post("/replay", response_model=ReplayResponse, responses=_ERRORS)
    def replay(request: ReplayRequest) -> Any:
        """Replay a list of moves; each is accepted or rejected."""
        moves = [
            move if isinstance(move, str) else ",".join(map(str, move)) for move in request.moves
        ]
        is_ultimate = request.game == "ultimate"
        played = replay_ultimate(moves) if is_ultimate else replay_standard(moves)
        return {
            "result": played.ultimate_result() if is_ultimate else played.standard_result(),
            "accepted": [bit == "1" for bit in played.bits],
            "winner": played.winner and played.winner.value,
            "rows": list(played.rows),
            "next": played.next,
        }

    @routes.get(
        "/draw.svg",
        response_class=Response,
        responses=error_responses(413, 422) | {200: _PICTURE},
    )
    def draw(
        game: Annotated[str, Query(examples=["4x4x3 b2 a1"])], theme: Theme = Theme.AUTO
    ) -> Response:
        """Draw a game, or a board that no game reaches."""
        diagram = read.diagram(game)
        return Response(
            draw_svg(diagram, theme=theme), media_type="image/svg+xml", headers=_PICTURE_HEADERS
        )

    return routes


def _symmetries(position: GridPosition | UltimatePosition) -> Iterable[Symmetry]:
    return Symmetry if isinstance(position, UltimatePosition) else position.grid.symmetries
