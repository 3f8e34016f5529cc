"""What is answered, for the OpenAPI document: the library's own JSON, field by field."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

__all__ = ["Health", "Judged", "Version", "View"]

Mark = Literal["X", "O", "."]
Side = Literal["X", "O"]


class Health(BaseModel):
    """The server is there."""

    status: Literal["ok"]


class Level(BaseModel):
    """An opponent, and what it does."""

    name: str = Field(examples=["casual"])
    about: str


class Levels(BaseModel):
    """The opponents for each kind of game, from the weakest on."""

    grid: list[Level]
    ultimate: list[Level]


class Limits(BaseModel):
    """What this server allows at most."""

    max_seconds: float
    max_nodes: int
    body_bytes: int
    text_length: int
    board_cells: int
    page_size: int
    workers: int
    per_client: int


class Version(BaseModel):
    """The server's version, its limits, and whom one can play."""

    version: str
    limits: Limits
    levels: Levels
    variants: list[str] = Field(examples=[["ultimate", "ultimate-open"]])


class Reason(BaseModel):
    """One reason for a verdict, and the cells concerned."""

    name: str
    message: str
    cells: list[int]


class Judged(BaseModel):
    """The verdict on a board, with all of its reasons."""

    grid: str
    verdict: Literal["X_turn", "O_turn", "X_wins", "O_wins", "draw", "invalid"]
    reasons: list[Reason]


class Cell(BaseModel):
    """A cell as it is drawn; at Ultimate with the number of its small board."""

    name: str
    mark: Mark
    board: int | None = None


class SmallBoard(BaseModel):
    """One of the nine boards of Ultimate."""

    name: str
    place: str
    owner: Literal["X", "O", "#", "."]
    open: bool


class Outcome(BaseModel):
    """How a game ended."""

    winner: Side | None
    verdict: Literal["X_wins", "O_wins", "draw"]
    lines: list[list[str]]
    text: str


class View(BaseModel):
    """Everything there is to see of a game."""

    game: str
    kind: Literal["grid", "ultimate"]
    name: str
    start: str
    moves: list[str]
    played: int
    position: str
    rows: int
    cols: int
    k: int
    cells: list[Cell]
    turn: Side
    legal: list[str]
    last: str | None
    outcome: Outcome | None
    status: str
    forced: str | None = None
    boards: list[SmallBoard] | None = None
