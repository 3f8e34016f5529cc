"""Positions: what every game's positions can do, and those of games on a grid.

A `GridPosition` is a board that some game reached, with a side to move or an outcome. Its
constructor refuses every other board and names all the reasons at once; playing moves from
an empty board never leaves the valid ones. What can be derived (whose turn, who won) is
derived, so it cannot be wrong.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from noughts.drawing import Diagram, draw_svg, draw_text
from noughts.errors import IllegalMove, InvalidPosition, SizeError, brief, whole_number
from noughts.rules.board import Board, grid_diagram
from noughts.rules.grid import Grid, cells_of, require_drawable
from noughts.rules.grid_notation import cell_name, read_cell, write_marks
from noughts.rules.player import Outcome, Player, Termination, Verdict
from noughts.rules.symmetry import Symmetry, require_symmetry
from noughts.rules.verdict import judge

__all__ = ["GridPosition", "Position"]


class Position(ABC):
    """What the positions of every game can do, so that tools are written once for all games.

    Positions are immutable and hashable. Moves are numbers, and have names.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of cells; moves are numbered from 0 to one less."""

    @property
    @abstractmethod
    def game(self) -> str:
        """The game's name: ``3x3x3``, ``ultimate``, ..."""

    @property
    @abstractmethod
    def turn(self) -> Player:
        """The side to move (in a finished game, the side that would be)."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @property
    @abstractmethod
    def legal_moves(self) -> list[int]:
        """The legal moves in ascending order; none once the game is over."""

    @property
    @abstractmethod
    def move_count(self) -> int:
        """The number of legal moves, without listing them."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The position as one word that names its game; `parse` reads it."""

    @abstractmethod
    def play(self, move: int | str) -> Self:
        """Return the position after a legal move, given by its number or its name.

        An illegal move raises `IllegalMove`, a name that cannot be read `NotationError`.
        """

    @abstractmethod
    def play_unchecked(self, move: int) -> Self:
        """Return the position after a move that the caller knows to be legal."""

    @abstractmethod
    def move_name(self, move: int) -> str:
        """Return a move's name."""

    @abstractmethod
    def read_move(self, text: str) -> int:
        """Read a move's name, or its number as text, without checking that it is legal."""

    @abstractmethod
    def transformed(self, symmetry: Symmetry) -> Self:
        """Return the position turned or mirrored."""

    @abstractmethod
    def canonical(self) -> Self:
        """Return the canonical form: one position for this and all its symmetric images."""

    @abstractmethod
    def diagram(
        self, *, last: int | None = None, values: Mapping[int, str] | None = None
    ) -> Diagram:
        """Describe the position for drawing."""

    @abstractmethod
    def to_json(self) -> dict[str, object]:
        """Return the position as plain data for JSON."""

    def number_of(self, move: int | str) -> int:
        """Return the number of a move given by its number or its name.

        >>> GridPosition.start("3x3x3").number_of("b2")
        4
        """
        if isinstance(move, str):
            return self.read_move(move)
        if type(move) is int and 0 <= move < self.size:  # the short way
            return move
        try:
            return whole_number(move, f"a move of {self.game}", most=self.size - 1)
        except SizeError as error:
            raise IllegalMove(str(error)) from None

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({self.text!r})"

    def __str__(self) -> str:
        return draw_text(self.diagram())

    def _repr_svg_(self) -> str:
        return draw_svg(self.diagram())


@dataclass(frozen=True, repr=False)
class GridPosition(Position):
    """A position of a game on a grid.

    >>> position = GridPosition.start("3x3x3").play(4).play(0)
    >>> position
    GridPosition.parse('3x3x3:O../.X./...')
    >>> print(position.turn, position.legal_moves)
    X [1, 2, 3, 5, 6, 7, 8]
    >>> GridPosition.parse("XX./OO./...").play(2).outcome
    Outcome(winner=<Player.X: 'X'>, termination=<Termination.LINE: 'line'>, lines=((0, 1, 2),))
    """

    grid: Grid
    x: int
    o: int

    def __post_init__(self) -> None:
        _require_valid(Board(self.grid, self.x, self.o))

    @classmethod
    def unchecked(cls, grid: Grid, x: int, o: int) -> GridPosition:
        """Return the position of masks that the caller knows to be valid."""
        position = object.__new__(cls)
        position.__dict__.update(grid=grid, x=x, o=o)
        return position

    @classmethod
    def start(cls, grid: Grid | str) -> GridPosition:
        """Return the empty board of a grid, X to move."""
        grid = Grid.parse(grid) if isinstance(grid, str) else grid
        require_drawable(grid)
        return cls.unchecked(grid, 0, 0)

    @classmethod
    def of(cls, board: Board) -> GridPosition:
        """Return the board as a position, or raise `InvalidPosition` with every reason."""
        if not isinstance(board, Board):
            raise SizeError(f"a board is needed, not {brief(board)}")
        _require_valid(board)
        return cls.unchecked(board.grid, board.x, board.o)

    @classmethod
    def parse(
        cls, text: str | Sequence[str], grid: Grid | None = None, *, k: int | None = None
    ) -> GridPosition:
        """Read a position in any form that `Board.parse` takes."""
        return cls.of(Board.parse(text, grid, k=k))

    @classmethod
    def from_json(cls, data: object) -> GridPosition:
        """Read what `to_json` wrote; turn and outcome are derived again, not read."""
        return cls.of(Board.from_json(data))

    @property
    def board(self) -> Board:
        """The position as a `Board`."""
        return Board(self.grid, self.x, self.o)

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.grid.cells

    @property
    def game(self) -> str:
        """The grid's name."""
        return str(self.grid)

    @property
    def turn(self) -> Player:
        """The side to move (in a finished game, the side that would be)."""
        return Player.X if self.x.bit_count() == self.o.bit_count() else Player.O

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        # Only the side that moved last can have completed a line.
        mover, mask = (Player.X, self.x) if self.turn is Player.O else (Player.O, self.o)
        if self.grid.has_line(mask):
            return Outcome(mover, Termination.LINE, tuple(self.grid.lines_in(mask)))
        if (self.x | self.o).bit_count() == self.grid.cells:
            return Outcome(None, Termination.FULL)
        return None

    @property
    def legal_moves(self) -> list[int]:
        """The empty cells, or none once the game is over."""
        return [] if self.outcome else cells_of(self.grid.full & ~(self.x | self.o))

    @property
    def move_count(self) -> int:
        """The number of legal moves."""
        return 0 if self.outcome else self.grid.cells - (self.x | self.o).bit_count()

    def play(self, move: int | str) -> GridPosition:
        """Return the position after a legal move, given by its number or its name.

        >>> GridPosition.start("3x3x3").play("b2").play(0).text
        '3x3x3:O../.X./...'
        """
        cell = self.number_of(move)
        if self.outcome:
            raise IllegalMove(f"the game is over: {self.outcome}")
        if (self.x | self.o) >> cell & 1:
            mark = "X" if self.x >> cell & 1 else "O"
            raise IllegalMove(f"{self.move_name(cell)} (cell {cell}) is taken by {mark}")
        return self.play_unchecked(cell)

    def play_unchecked(self, move: int) -> GridPosition:
        """Return the position after a move that the caller knows to be legal."""
        if self.turn is Player.X:
            return GridPosition.unchecked(self.grid, self.x | 1 << move, self.o)
        return GridPosition.unchecked(self.grid, self.x, self.o | 1 << move)

    # -- symmetry ------------------------------------------------------------------------

    def transformed(self, symmetry: Symmetry) -> GridPosition:
        """Return the position turned or mirrored; the board must fit onto itself."""
        grid = self.grid
        if require_symmetry(symmetry).value[0] and grid.rows != grid.cols:
            raise SizeError(f"{symmetry.name.lower()} does not map a {grid} board to itself")
        x, o = (symmetry.apply(mask, grid.rows, grid.cols) for mask in (self.x, self.o))
        return GridPosition.unchecked(grid, x, o)

    def canonical(self) -> GridPosition:
        """Return the canonical form: the least of the position's symmetric images."""
        images = (self.transformed(symmetry) for symmetry in self.grid.symmetries)
        return min(images, key=lambda image: (image.x, image.o))

    # -- text and drawing ----------------------------------------------------------------

    @property
    def text(self) -> str:
        """The position as one word that names its grid: ``3x3x3:O../.X./...``."""
        return self.board.text

    def move_name(self, move: int) -> str:
        """Return a cell's name, like ``b2``."""
        return cell_name(self.grid, move)

    def read_move(self, text: str) -> int:
        """Read a cell's name (``b2``) or number (``4``)."""
        return read_cell(self.grid, text)

    def to_json(self) -> dict[str, object]:
        """Return the position as plain data for JSON."""
        outcome = self.outcome
        return {
            "grid": str(self.grid),
            "rows": write_marks(self.x, self.o, self.grid.rows, self.grid.cols),
            "turn": None if outcome else self.turn.value,
            "outcome": outcome.verdict.value if outcome else None,
        }

    def diagram(
        self, *, last: int | None = None, values: Mapping[int, str] | None = None
    ) -> Diagram:
        """Describe the position for drawing, with the last move and labels per cell if given."""
        caption = str(self.outcome) if self.outcome else f"{self.turn} to move"
        return grid_diagram(
            self.grid, self.x, self.o, last=last, values=values, caption=f"{self.grid}, {caption}"
        )


def _require_valid(board: Board) -> None:
    """Raise `InvalidPosition` with every reason if no game reaches this board."""
    judgement = judge(board)
    if judgement.verdict is Verdict.INVALID:
        raise InvalidPosition(judgement.reasons)


def require_game(position: object) -> Position:
    """Return `position` if it is a game's position, else raise a clear error."""
    if not isinstance(position, Position):
        raise SizeError(f"a position is needed, not {brief(position)}")
    return position
