"""The bodies of requests and responses about puzzles."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from noughts.web.schemas.requests import RequestBody
from noughts.web.schemas.responses import Side, View

__all__ = [
    "AttemptRequest",
    "AttemptResponse",
    "KindOfPuzzle",
    "PuzzleResponse",
    "PuzzlesResponse",
]

KindOfPuzzle = Literal["win", "draw", "block"]


class PuzzleSummary(BaseModel):
    """A puzzle without its solution."""

    id: str = Field(examples=["3f9a2"])
    name: str = Field(description="the kind of game by name", examples=["5x5x4"])
    kind: KindOfPuzzle
    title: str = Field(examples=["X to move and win in 3"])
    game: str = Field(description="the game that leads to the position, as text")
    position: str
    side: Side
    plies: int | None = Field(description="the moves of both sides until the win")
    rating: int = Field(description="how hard it is, to sort by")
    stars: int = Field(ge=1, le=5)


class PuzzleResponse(PuzzleSummary):
    """A puzzle with the view of its game; the solution is there only if it was asked for."""

    view: View = Field(description="the game; as POST /api/position answers")
    solution: str | None = Field(None, description="the first move of the solution")
    line: list[str] | None = Field(None, description="the solution with the best replies")
    hint: str | None = Field(None, description="where the first move is")


class PuzzlesResponse(BaseModel):
    """The puzzles that were asked for, sorted by game and then from easy to hard."""

    total: int
    puzzles: list[PuzzleSummary]


class AttemptRequest(RequestBody):
    """The solver's own moves so far; the replies come by themselves."""

    moves: list[str] = Field(min_length=1, max_length=40, examples=[["b2"]])


class AttemptResponse(BaseModel):
    """What the last move of an attempt is worth; `value` and `plies` are proved.

    `game` is the game after a right move and the reply to it. After a wrong move it is the game
    before it, to try again from.
    """

    id: str
    move: str
    right: bool
    solved: bool
    value: Literal["win", "draw", "loss"]
    plies: int | None
    reply: str | None = Field(description="how the other side answers, also a wrong move")
    game: str
    text: str = Field(examples=["b3 loses: O answers b2 and wins in 2."])
    hint: str | None = Field(description="where the next move is; null once it is solved")
    view: View = Field(description="the view of `game`")
