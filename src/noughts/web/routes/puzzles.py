"""Puzzles: the set that comes with noughts, one a day, and what an attempt is worth."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from noughts import puzzles as library
from noughts.errors import NotationError
from noughts.puzzles import Puzzle
from noughts.views import view
from noughts.web.errors import ApiError, field
from noughts.web.schemas.errors import error_responses
from noughts.web.schemas.puzzles import (
    AttemptRequest,
    AttemptResponse,
    KindOfPuzzle,
    PuzzleResponse,
    PuzzlesResponse,
)

__all__ = ["router"]

WithSolution = Annotated[bool, Query(description="whether to return the solution, too")]


def router() -> APIRouter:
    """Return the routes."""
    routes = APIRouter(prefix="/api/puzzles", tags=["puzzles"])

    @routes.get("", response_model=PuzzlesResponse, responses=error_responses(422))
    def listed(
        game: Annotated[str | None, Query(max_length=40, examples=["5x5x4"])] = None,
        kind: KindOfPuzzle | None = None,
        stars: Annotated[int | None, Query(ge=1, le=5)] = None,
    ) -> Any:
        """List the puzzles of a game, a kind and a difficulty."""
        with field("game"):
            found = library.puzzles(game, kind, stars)
        return {"total": len(found), "puzzles": [each.to_json() for each in found]}

    @routes.get(
        "/daily",
        response_model=PuzzleResponse,
        response_model_exclude_unset=True,
        responses=error_responses(422),
    )
    def daily(
        date: Annotated[
            str | None, Query(description="today, where the server is, without it")
        ] = None,
        solution: WithSolution = False,
    ) -> Any:
        """Return the puzzle of a day, like 2026-01-31; it depends on the date alone."""
        with field("date"):
            return _shown(library.daily(date), with_solution=solution)

    @routes.get(
        "/{id}",
        response_model=PuzzleResponse,
        response_model_exclude_unset=True,
        responses=error_responses(404, 422),
    )
    def one(id: str, solution: WithSolution = False) -> Any:
        """Return a puzzle by its id."""
        return _shown(_puzzle(id), with_solution=solution)

    @routes.post(
        "/{id}/attempt",
        response_model=AttemptResponse,
        response_model_exclude_unset=True,
        responses=error_responses(400, 404, 408, 413, 415, 422),
    )
    def attempt(id: str, body: AttemptRequest) -> Any:
        """Say what the last of the solver's moves is worth. A right one is answered."""
        puzzle = _puzzle(id)
        with field("moves"):
            made = puzzle.check(*body.moves)
        return {**made.to_json(), "view": view(made.game)}

    return routes


def _puzzle(id: str) -> Puzzle:
    try:
        return library.puzzle(id)
    except NotationError as error:
        raise ApiError(404, str(error)) from None


def _shown(puzzle: Puzzle, *, with_solution: bool) -> dict[str, Any]:
    return {**puzzle.to_json(solution=with_solution), "view": view(puzzle.game)}
