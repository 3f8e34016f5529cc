"""The bodies of requests."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AnalysisRequest",
    "BoardRequest",
    "CountRequest",
    "GameRequest",
    "GamesRequest",
    "MoveRequest",
    "RandomGamesRequest",
    "ReplayRequest",
    "RequestBody",
    "TimedRequest",
    "TraceRequest",
]


class RequestBody(BaseModel):
    """A body with these fields only: an unknown field is an error, as it may be a typo."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class GameRequest(RequestBody):
    """A game: its start, its moves, and undone moves behind a bar."""

    game: str = Field(examples=["4x4x3 b2 a1", "ultimate ee ea | aa"])


class BoardRequest(RequestBody):
    """A board, which may be impossible; its grid may stand in front."""

    board: str = Field(examples=["XXX/OO./...", "4x4x3:XXX./OO../..../...."])


class ReplayRequest(RequestBody):
    """A list of moves, each a list of numbers and the player, or such a list as text."""

    game: Literal["3x3x3", "ultimate"]
    moves: list[str | list[int | str]] = Field(examples=[[[0, 0, "X"], "1,1,O"]])


class TimedRequest(GameRequest):
    """A game, and how long to think about it."""

    seconds: float | None = Field(None, gt=0, examples=[1.0])


class AnalysisRequest(TimedRequest):
    """A game, and how long to think about it; the first limit that is reached ends the analysis."""

    nodes: int | None = Field(None, ge=1, examples=[10_000])


class MoveRequest(TimedRequest):
    """A game, and the level of the opponent that makes the next move."""

    level: str = Field(examples=["casual"])
    seed: int | None = Field(
        None, ge=0, lt=1 << 63, description="makes the opponent's random choices repeatable"
    )


class CountRequest(GameRequest):
    """A position to count from, and what to count."""

    of: Literal["games", "positions", "endings"] = "games"
    up_to_symmetry: bool = False


class SomeGamesRequest(GameRequest):
    """Games from a position on: all of them, or only those with this outcome."""

    outcome: Literal["X_wins", "O_wins", "draw"] | None = None


class GamesRequest(SomeGamesRequest):
    """Games from a number on, in lexicographic order."""

    first: str = Field("0", pattern=r"^[0-9]{1,1000}$", examples=["1000000"])
    limit: int = Field(20, ge=1, examples=[3])


class RandomGamesRequest(SomeGamesRequest):
    """Games drawn at random."""

    number: int = Field(1, ge=1, examples=[3])
    seed: int | None = Field(
        None, ge=0, lt=1 << 63, description="makes the choice of games repeatable"
    )


class TraceRequest(RequestBody):
    """An exercise, its input as texts, and which steps of the run to return."""

    exercise: Literal["games", "state", "valid", "move", "simulate", "ultimate"] = Field(
        examples=["games"]
    )
    input: list[str] | None = Field(
        None, description="an example if it is left out", examples=[["2x2x2"]]
    )
    start: int = Field(0, ge=0, description="the number of the first step", examples=[0])
    limit: int = Field(100, ge=1, le=500, description="the number of steps", examples=[20])
