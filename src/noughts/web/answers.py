"""What is answered, for the OpenAPI document: the library's own JSON, field by field."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Analysis",
    "Chosen",
    "Counted",
    "GamesPage",
    "Health",
    "Judged",
    "Replayed",
    "Reviewed",
    "Twins",
    "Version",
    "View",
]

Mark = Literal["X", "O", "."]
Side = Literal["X", "O"]
Number = Annotated[str, Field(pattern=r"^[0-9]+$", examples=["1281016086768"])]


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

    game: str = Field(description="the game as text", examples=["4x4x3 b2 a1"])
    kind: Literal["grid", "ultimate"]
    name: str = Field(description="the name of the game it is", examples=["4x4x3"])
    start: str = Field(description="what it began with")
    moves: list[str] = Field(description="its moves; undone ones stand behind those played")
    played: int = Field(description="how many of the moves are on the board")
    position: str = Field(description="the position now as text")
    rows: int
    cols: int
    k: int = Field(description="how many in a row win")
    cells: list[Cell] = Field(description="the cells row by row, as they are drawn")
    turn: Side
    legal: list[str] = Field(description="the moves that may be made now")
    last: str | None = Field(description="the move made last")
    outcome: Outcome | None
    status: str = Field(description="whose turn it is, and where, or how it ended, in words")
    forced: str | None = Field(None, description="the board to play in; at Ultimate only")
    boards: list[SmallBoard] | None = Field(None, description="at Ultimate only")


class Twin(BaseModel):
    """A position turned or mirrored."""

    symmetry: str = Field(examples=["rotate_90"])
    position: str
    is_same: bool = Field(description="whether the symmetry changes nothing")


class Twins(BaseModel):
    """A position under every symmetry of its board."""

    position: str
    canonical: str
    distinct: int
    twins: list[Twin]


class Replayed(BaseModel):
    """What a replay gave: the exercise's own list, and its parts by name."""

    result: list[str]
    accepted: list[bool]
    winner: Side | None
    rows: list[str]
    next: str | None = Field(description="the board to play in at Ultimate; * is any open one")


class Worth(BaseModel):
    """What a move is worth to the side that makes it; a proof has a value, else it is an estimate.

    `plies` is within how many moves of both sides a proved win or loss ends.
    """

    value: Literal["win", "draw", "loss", "unknown"]
    plies: int | None
    proved: bool
    score: float = Field(ge=0, le=1)
    visits: Number


class Analysis(Worth):
    """What a position is worth to the side to move, and each of its legal moves, best first.

    In reports of progress, moves about which nothing is known yet are missing.
    """

    position: str
    turn: Side
    best: list[str]
    line: list[str]
    moves: dict[str, Worth]
    nodes: Number
    unit: str
    text: str


class Chosen(BaseModel):
    """The move of a level, the game after it, and what is known about the result."""

    move: str
    game: str = Field(description="the game after the move, as text")
    text: str = Field(description="what the move leads to, in words; empty if unknown")
    proved: bool
    note: str
    view: View = Field(description="the game after the move; as POST /api/position answers")


class Remark(BaseModel):
    """What one move changed, seen from the side that made it.

    `before` is what the position was worth with its best move, `after` what it led to. `changed`
    is null where that is not proved. `cost` is what it gave away, from 0 to a whole win, 1.
    """

    number: int
    player: Side
    move: str
    best: str
    before: Worth
    after: Worth
    changed: bool | None
    cost: float
    text: str


class Reviewed(BaseModel):
    """What each move of a game changed; in reports of progress, of its last moves only."""

    game: str
    moves: list[Remark]


class Counted(BaseModel):
    """Exact numbers; by length for games, by number of marks for positions and endings."""

    model_config = ConfigDict(populate_by_name=True)

    grid: str
    from_: str = Field(alias="from")
    of: Literal["games", "positions", "endings"]
    up_to_symmetry: bool
    total: Number
    x_wins: Number | None = None
    o_wins: Number | None = None
    draws: Number | None = None
    by_length: dict[str, Number] | None = None
    by_marks: dict[str, Number] | None = None


class ListedGame(BaseModel):
    """A game with its number; `moves` go on from the position that was asked about."""

    number: Number
    game: str
    moves: list[str]
    outcome: Literal["X_wins", "O_wins", "draw"]


class GamesPage(BaseModel):
    """Some of all games from a position on, and how many there are."""

    model_config = ConfigDict(populate_by_name=True)

    from_: str = Field(alias="from")
    total: Number
    games: list[ListedGame]
