"""Questions that the rules answer at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from noughts import __version__
from noughts.drawing import Theme, draw_svg
from noughts.engine.levels import GRID_LEVELS, ULTIMATE_LEVELS
from noughts.exercises.replay import replay_standard, replay_ultimate
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from noughts.rules.ultimate import UltimatePosition, Variant
from noughts.rules.verdict import judge
from noughts.views import view
from noughts.web.answers import Health, Judged, Replayed, Twins, Version, View
from noughts.web.problems import responses
from noughts.web.questions import BoardQuestion, GameQuestion, Reader, ReplayQuestion
from noughts.web.settings import Settings

__all__ = ["router"]

_READING = responses(400, 408, 413, 415, 422)
_PICTURE: dict[str, Any] = {
    "description": "A picture.",
    "content": {"image/svg+xml": {"schema": {"type": "string"}}},
}
# A picture brings its own style along, and nothing else.
_PICTURE_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


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
    async def verdict(question: BoardQuestion) -> Any:
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

    @routes.post("/twins", tags=["rules"], response_model=Twins, responses=_READING)
    def twins(question: GameQuestion) -> Any:
        """Return the position under every symmetry, and the twin that stands for all."""
        position = read.position(question.game)
        found = {symmetry: position.transformed(symmetry) for symmetry in _symmetries(position)}
        return {
            "position": position.text,
            "canonical": position.canonical().text,
            "distinct": len(set(found.values())),
            "twins": [
                {
                    "symmetry": symmetry.name.lower(),
                    "position": twin.text,
                    "is_same": twin == position,
                }
                for symmetry, twin in found.items()
            ],
        }

    @routes.post("/replay", tags=["rules"], response_model=Replayed, responses=_READING)
    def replay(question: ReplayQuestion) -> Any:
        """Replay a list of moves in which some are bad; each is accepted or rejected."""
        moves = [
            move if isinstance(move, str) else ",".join(map(str, move)) for move in question.moves
        ]
        is_ultimate = question.game == "ultimate"
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
        tags=["rules"],
        response_class=Response,
        responses=responses(413, 422) | {200: _PICTURE},
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


def _listed(levels: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "about": about} for name, about in levels.items()]
