"""The bodies of responses: the library's own JSON, field by field, for the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AnalysisResponse",
    "CountResponse",
    "ExplorationResponse",
    "GamesResponse",
    "HealthResponse",
    "MoveResponse",
    "ReplayResponse",
    "ReviewResponse",
    "ServerLimits",
    "Side",
    "SymmetriesResponse",
    "TraceResponse",
    "VerdictResponse",
    "VersionResponse",
    "View",
]

Mark = Literal["X", "O", "."]
Side = Literal["X", "O"]
Number = Annotated[str, Field(pattern=r"^[0-9]+$", examples=["1281016086768"])]


class HealthResponse(BaseModel):
    """The server is running."""

    status: Literal["ok"]


class Level(BaseModel):
    """A level of the opponent, and how it plays."""

    name: str = Field(examples=["casual"])
    about: str


class Levels(BaseModel):
    """The levels for each kind of game, from the weakest to the strongest."""

    grid: list[Level]
    ultimate: list[Level]


class ServerLimits(BaseModel):
    """The most that this server allows."""

    max_seconds: float
    max_nodes: int
    body_bytes: int
    text_length: int
    board_cells: int
    page_size: int
    workers: int
    per_client: int


class VersionResponse(BaseModel):
    """The server's version, its limits, and the levels of the opponent."""

    version: str
    strength: Literal["full", "warming"] = Field(
        description="`warming` while the compiled code is loaded, or on the first run compiled: "
        "until then tasks run uncompiled, with what they can do in their time"
    )
    limits: ServerLimits
    levels: Levels
    variants: list[str] = Field(examples=[["ultimate", "ultimate-open"]])
    greetings: list[str] = Field(description="what players of a game by link can say")


class Reason(BaseModel):
    """One reason for a verdict, and the cells concerned."""

    name: str
    message: str
    cells: list[int]


class VerdictResponse(BaseModel):
    """The verdict on a board, with every reason for it."""

    grid: str
    verdict: Literal["X_turn", "O_turn", "X_wins", "O_wins", "draw", "invalid"]
    reasons: list[Reason]


class Cell(BaseModel):
    """A cell as it is drawn; in Ultimate with the number of its small board."""

    name: str
    mark: Mark
    board: int | None = None


class SmallBoard(BaseModel):
    """One of the nine small boards of Ultimate."""

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
    """Everything that a page needs to draw a game."""

    game: str = Field(description="the game as text", examples=["4x4x3 b2 a1"])
    kind: Literal["grid", "ultimate"]
    name: str = Field(description="the kind of game by name", examples=["4x4x3"])
    start: str = Field(description="the start of the game, as text")
    moves: list[str] = Field(description="the moves played, followed by the undone moves")
    played: int = Field(description="the number of moves on the board")
    position: str = Field(description="the current position as text")
    rows: int
    cols: int
    k: int = Field(description="the number of marks in a row that wins")
    cells: list[Cell] = Field(description="the cells in the order they are drawn, row by row")
    turn: Side
    legal: list[str] = Field(description="the legal moves")
    last: str | None = Field(description="the last move")
    outcome: Outcome | None
    status: str = Field(description="whose turn it is, or how the game ended, in words")
    forced: str | None = Field(None, description="the board to play in; Ultimate only")
    boards: list[SmallBoard] | None = Field(
        None, description="the nine small boards; Ultimate only"
    )


class SymmetricImage(BaseModel):
    """A position rotated or reflected."""

    symmetry: str = Field(examples=["rotate_90"])
    position: str
    is_same: bool = Field(description="whether the symmetry leaves the position unchanged")


class SymmetriesResponse(BaseModel):
    """A position under every symmetry of its board."""

    position: str
    canonical: str
    distinct: int
    twins: list[SymmetricImage]


class ReplayResponse(BaseModel):
    """The result of a replay: the list that the exercise asks for, and its parts by name."""

    result: list[str]
    accepted: list[bool]
    winner: Side | None
    rows: list[str]
    next: str | None = Field(description="in Ultimate the board to play in; * is any open one")


class MoveValue(BaseModel):
    """The value of a move for the side that makes it: proved, or an estimate.

    `plies` is the number of moves, of both sides, within which a proved win or loss ends the game.
    """

    value: Literal["win", "draw", "loss", "unknown"]
    plies: int | None
    proved: bool
    score: float = Field(ge=0, le=1)
    visits: Number


class AnalysisResponse(MoveValue):
    """The value of a position for the side to move, and of each legal move, best first.

    Reports of progress lack the moves about which nothing is known yet.
    """

    position: str
    turn: Side
    best: list[str]
    line: list[str]
    moves: dict[str, MoveValue]
    nodes: Number
    unit: str
    text: str


class Proof(BaseModel):
    """What is proved, and nothing else: a value, or bounds while it is open.

    `plies` is the number of moves, of both sides, within which a proved win or loss ends the game.
    """

    value: Literal["win", "draw", "loss", "unknown"]
    at_least: Literal["win", "draw", "loss"]
    at_most: Literal["win", "draw", "loss"]
    plies: int | None
    proved: bool


class GameNumbers(BaseModel):
    """How many games go on from a position, by outcome and by the number of moves still to come."""

    total: Number
    x_wins: Number
    o_wins: Number
    draws: Number
    by_length: dict[str, Number]


class ExploredMove(Proof):
    """A move for the side that makes it: what is proved of it, and the games that go on from it."""

    alike: list[str] = Field(
        description="the moves that lead to the same position up to symmetry, this one included"
    )
    games: GameNumbers | None = Field(description="null if they are not counted")


class ExplorationResponse(Proof):
    """What is proved of a position, the games that go on from it, and the same of each legal move.

    The moves come best first. Reports of progress have no view.
    """

    position: str
    turn: Side
    best: list[str]
    line: list[str]
    games: GameNumbers | None
    moves: dict[str, ExploredMove]
    notes: list[str] = Field(description="in sentences, why something is not proved or counted")
    text: str
    view: View


class MoveResponse(BaseModel):
    """The move of a level, the game after it, and what is known about the result."""

    move: str
    game: str = Field(description="the game after the move, as text")
    text: str = Field(description="what the move leads to, in words; empty if unknown")
    proved: bool
    note: str
    view: View = Field(description="the game after the move; as POST /api/position answers")


class ReviewedMove(BaseModel):
    """What one move changed, seen from the side that made it.

    `before` is the value of the best move, `after` the value of the move played. `changed` says
    whether they differ; it is null unless both are proved. `cost` is the part of the expected
    result that the move gave away, from 0 to 1.
    """

    number: int
    player: Side
    move: str
    best: str
    before: MoveValue
    after: MoveValue
    changed: bool | None
    cost: float
    text: str


class ReviewResponse(BaseModel):
    """What each move of a game changed; reports of progress have its last moves only."""

    game: str
    moves: list[ReviewedMove]


class CountResponse(BaseModel):
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
    """A game with its number; `moves` are those after the position that was asked about."""

    number: Number
    game: str
    moves: list[str]
    outcome: Literal["X_wins", "O_wins", "draw"]


class GamesResponse(BaseModel):
    """Some of the games from a position on, and the number of all of them."""

    model_config = ConfigDict(populate_by_name=True)

    from_: str = Field(alias="from")
    total: Number
    games: list[ListedGame]


class TraceFrame(BaseModel):
    """A call that has not ended, with its variables as text."""

    function: str
    line: int
    variables: dict[str, str]


class TraceBoard(BaseModel):
    """The board after a step; `cells` are those that the step is about."""

    rows: int
    cols: int
    marks: str
    cells: list[int]
    owners: str | None = Field(None, description="the owners of the small boards; Ultimate only")
    playable: list[int] | None = Field(
        None, description="the small boards that may be played in; Ultimate only"
    )
    arrow: list[int] | None = Field(
        None, description="a cell, and the small board that it forces; Ultimate only"
    )
    sums: dict[str, list[int]] | None = Field(
        None, description="the counters of constant-time play: rows, cols and both diagonals"
    )


class TraceStep(BaseModel):
    """One step: what happens, in which line, with which calls, and the board after it."""

    step: int
    event: Literal[
        "call",
        "return",
        "test",
        "line",
        "check",
        "place",
        "undo",
        "win",
        "draw",
        "accept",
        "reject",
    ]
    text: str
    line: int
    end: int = Field(description="the last line of a statement that is longer")
    holds: bool | None = Field(description="whether a rule that is checked is kept")
    key: bool = Field(description="whether the step belongs to the story without the details")
    stack: list[TraceFrame] = Field(description="the running calls, the innermost last")
    board: TraceBoard
    counts: dict[str, int] = Field(description="how often each event has happened so far")


class TraceSource(BaseModel):
    """The code that runs."""

    name: str
    lines: list[str]


class TraceResponse(BaseModel):
    """Some steps of the textbook form of an exercise; `ended` says that none follow."""

    exercise: str
    title: str
    input: list[str]
    lesson: str = Field(description="the page of docs/learn that explains the exercise")
    game: str = Field(description="the game whose empty board the boards of the steps fill")
    total: int | None = Field(description="the number of all steps, if `start` can reach them")
    source: TraceSource
    steps: list[TraceStep]
    ended: bool
