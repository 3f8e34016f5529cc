"""What the columns of each data set are called, of which type they are and what they say.

The code that computes rows, the files, the data card, croissant.json and docs/datasets.md all
follow this one description.
"""

from __future__ import annotations

from dataclasses import dataclass

from noughts.datasets.request import Request

__all__ = ["Column", "columns_of"]


@dataclass(frozen=True)
class Column:
    """A column: its name, the type of its values, whether they may be missing, what they say."""

    name: str
    type: str  # string, bool, int8, int16, int64, double, or list<...> of one of these
    text: str
    nullable: bool = False

    @property
    def item(self) -> str:
        """The type of one value, or of one item of a list."""
        return self.type.removeprefix("list<").removesuffix(">")

    @property
    def is_list(self) -> bool:
        """Whether the values are lists."""
        return self.type.startswith("list<")


_POSITION = (
    Column("position", "string", "The position, as every function of noughts reads it."),
    Column("cells", "list<int8>", "The cells in order: 0 empty, 1 X, 2 O."),
    Column("verdict", "string", "X_turn, O_turn, X_wins, O_wins or draw."),
    Column("marks", "int16", "The number of marks on the board."),
)

_SYMMETRY = (
    Column(
        "canonical",
        "string",
        "The canonical form: the same for all rotations and reflections of the position.",
    ),
    Column("orbit_size", "int8", "How many different positions have this canonical form."),
)

_LEGAL_MASK = Column("legal_mask", "list<int8>", "For each cell 1 if it is a legal move, else 0.")

_GAMES_THROUGH = (
    "The number of games that contain the {what}: the sequences of moves that lead to the "
    "position (paths) times the games that go on from {there}."
)

_SIDE = "for the side to move (in a finished game, the side that would be)"

_ESTIMATE = (
    "The engine's estimate of the result for the side to move, from 0 (loss) to 1 (win), where "
    "the value is not proved."
)

_STATES = (
    *_POSITION,
    Column("value", "string", f"win, draw or loss {_SIDE}, with best play from both sides."),
    Column(
        "plies",
        "int16",
        "The number of moves of both sides to the end, where the winner is as quick and the loser "
        "as slow as possible; missing for draws.",
        nullable=True,
    ),
    Column(
        "best_moves",
        "list<int16>",
        "The cells of all best moves: the quickest wins, else all draws, else the slowest losses.",
    ),
    Column(
        "move_values",
        "list<string>",
        "For each cell what the move is worth to the side that makes it; missing if it is illegal.",
    ),
    Column(
        "move_plies",
        "list<int16>",
        "For each cell the plies to the end, the move itself included; missing for draws and "
        "illegal moves.",
    ),
    _LEGAL_MASK,
    *_SYMMETRY,
    Column("paths", "int64", "The number of sequences of moves that lead to the position."),
    Column(
        "games_through",
        "int64",
        _GAMES_THROUGH.format(what="position", there="there"),
    ),
)

_ANALYSED_STATES = (
    *_POSITION,
    Column("value", "string", f"win, draw or loss {_SIDE} if that is proved, else unknown."),
    Column("within", "int16", "A proved win or loss ends within this many plies.", nullable=True),
    Column("estimate", "double", _ESTIMATE, nullable=True),
    Column(
        "move_values",
        "list<string>",
        "For each cell what the move is proved to be worth to the side that makes it, or unknown; "
        "missing if it is illegal.",
    ),
    Column(
        "move_estimates",
        "list<double>",
        "For each cell the engine's estimate of the result, where the move's value is unknown.",
    ),
    _LEGAL_MASK,
    *_SYMMETRY,
)

_ACTIONS = (
    *_POSITION,
    Column("position_value", "string", "The value of the position for the side to move."),
    Column("position_plies", "int16", "Its plies to the end; missing for draws.", nullable=True),
    Column("move", "int16", "The move: the number of a cell."),
    Column("name", "string", "The move's name."),
    Column("value", "string", "win, draw or loss for the side that makes the move."),
    Column(
        "plies",
        "int16",
        "The plies to the end, the move itself included; missing for draws.",
        nullable=True,
    ),
    Column("preserves_value", "bool", "Whether the move is worth as much as the position."),
    Column("is_best", "bool", "Whether it is a best move: as good, and as quick or slow."),
    *_SYMMETRY,
    Column(
        "games_through",
        "int64",
        _GAMES_THROUGH.format(what="position and then the move", there="the move"),
    ),
)

_ANALYSED_ACTIONS = (
    *_POSITION,
    Column("position_value", "string", "The proved value of the position, or unknown."),
    Column("move", "int16", "The move: the number of a cell."),
    Column("name", "string", "The move's name."),
    Column(
        "value",
        "string",
        "win, draw or loss for the side that makes the move if that is proved, else unknown.",
    ),
    Column("within", "int16", "A proved win or loss ends within this many plies.", nullable=True),
    Column(
        "estimate",
        "double",
        "The engine's estimate of the result for the side that makes the move, where its value "
        "is not proved.",
        nullable=True,
    ),
    Column(
        "preserves_value",
        "bool",
        "Whether the move is worth as much as the position; missing if that is not proved.",
        nullable=True,
    ),
    *_SYMMETRY,
)

_GAMES = (
    Column("game", "string", "The game as text: its name and the names of its moves."),
    Column("moves", "list<int16>", "The moves in order, as numbers of cells."),
    Column("length", "int16", "The number of moves."),
    Column("outcome", "string", "X_wins, O_wins or draw."),
    Column("position", "string", "The final position."),
    Column(
        "canonical",
        "string",
        "The least of the game's rotations and reflections, as text: the same for all of them.",
    ),
    Column("orbit_size", "int8", "How many different games are its rotations and reflections."),
)

_MOVE_VALUES = Column(
    "move_values",
    "list<string>",
    "What each move was worth to the side that made it: win, draw or loss, with best play after.",
)

_INDEX = "The number of the game among all games in lexicographic order, from 0"


def columns_of(request: Request) -> tuple[Column, ...]:
    """Return the columns of the data set that a request asks for."""
    if request.kind == "states":
        return _STATES if request.is_listed else _ANALYSED_STATES
    if request.kind == "actions":
        return _ACTIONS if request.is_listed else _ANALYSED_ACTIONS
    if request.is_listed:
        return Column("index", "int64", f"{_INDEX}."), *_GAMES, _MOVE_VALUES
    if request.is_sampled:
        return _GAMES
    return Column("index", "string", f"{_INDEX}; a decimal number that may pass 2^53."), *_GAMES
