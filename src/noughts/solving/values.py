"""What is known about a position's value, proved or not yet.

Values are seen from the side to move. Knowledge is an interval: a search that was stopped may
know that a position is at least a draw without knowing that it is a win. Only when both ends
meet is the value proved; what is not proved never looks as if it were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from noughts.rules.player import Player
from noughts.rules.position import GridPosition

__all__ = [
    "Analysis",
    "MoveValue",
    "Solution",
    "Value",
    "analysis_of",
    "finished",
    "value_of_move",
]


_LONG = 1 << 30  # longer than any game


class Value(StrEnum):
    """Win, draw or loss for the side to move, with best play from both sides.

    >>> Value.LOSS.rank < Value.DRAW.rank < Value.WIN.rank
    True
    >>> Value.WIN.reversed
    <Value.LOSS: 'loss'>
    """

    LOSS = "loss"
    DRAW = "draw"
    WIN = "win"

    @property
    def rank(self) -> int:
        """-1, 0 or 1: the order from worst to best."""
        return {Value.LOSS: -1, Value.DRAW: 0, Value.WIN: 1}[self]

    @classmethod
    def of(cls, rank: int) -> Value:
        """Return the value of a rank."""
        return (cls.DRAW, cls.WIN, cls.LOSS)[rank]

    @property
    def reversed(self) -> Value:
        """The same value as the other side sees it."""
        return {Value.LOSS: Value.WIN, Value.DRAW: Value.DRAW, Value.WIN: Value.LOSS}[self]


@dataclass(frozen=True)
class MoveValue:
    """What is known about a move, seen from the side that makes it; `plies` count it, too."""

    move: int
    at_least: Value = Value.LOSS
    at_most: Value = Value.WIN
    plies: int | None = None

    @property
    def value(self) -> Value | None:
        """The proved value, or None while it is open."""
        return self.at_least if self.at_least is self.at_most else None

    @property
    def order(self) -> tuple[int, int, int]:
        """Sorts from best to worst: quick wins, slow wins, draws, slow losses, quick losses."""
        is_win = self.at_least is Value.WIN
        unknown = _LONG if is_win else 0  # a loss whose length is not known may be a quick one
        plies = unknown if self.plies is None else self.plies
        return -self.at_least.rank, -self.at_most.rank, plies if is_win else -plies

    @property
    def label(self) -> str:
        """The move's value for drawings: ``W3`` (win in 3), ``D``, ``L4``, or ``?``."""
        return f"{self.value.value[0].upper()}{self.plies or ''}" if self.value else "?"

    def __str__(self) -> str:
        if self.value is None:
            at_least, at_most = self.at_least, self.at_most
            if at_least is Value.DRAW:
                return "at least a draw"
            return "at most a draw" if at_most is Value.DRAW else "not known"
        if self.plies is None:
            return self.value.value
        return f"{self.value.value} in {self.plies}"

    def to_json(self) -> dict[str, object]:
        """Return the move's value as plain data for JSON."""
        return {
            "value": self.value.value if self.value else "unknown",
            "at_least": self.at_least.value,
            "at_most": self.at_most.value,
            "plies": self.plies,
            "proved": self.value is not None,
        }


@dataclass(frozen=True)
class Solution:
    """What is known about a position.

    `plies` is the number of moves of both sides to the end where the loser holds out as long
    as possible and the winner is as quick as possible; it is None for draws and where it is
    not known. `best` are moves proved to be best, `line` is a line of best play. `nodes` and
    `seconds` say what the answer took.
    """

    position: GridPosition
    at_least: Value = Value.LOSS
    at_most: Value = Value.WIN
    plies: int | None = None
    best: tuple[int, ...] = ()
    line: tuple[int, ...] = ()
    nodes: int = field(default=0, compare=False)
    seconds: float = field(default=0.0, compare=False)

    @property
    def value(self) -> Value | None:
        """The proved value, or None while it is open."""
        return self.at_least if self.at_least is self.at_most else None

    @property
    def is_proved(self) -> bool:
        """Whether the value is proved."""
        return self.at_least is self.at_most

    @property
    def winner(self) -> Player | None:
        """The side that is proved to win, or None."""
        if self.value in (None, Value.DRAW):
            return None
        turn = self.position.turn
        return turn if self.value is Value.WIN else turn.other

    def __str__(self) -> str:
        """Say it in words: ``X wins in 11 plies``.

        >>> print(Solution(GridPosition.start("4x4x3"), Value.WIN, Value.WIN, 5))
        X wins in 5 plies
        >>> print(Solution(GridPosition.start("9x9x5"), Value.DRAW))
        X has at least a draw; more is not known
        """
        turn = self.position.turn
        if self.winner is not None:
            if self.plies is None:
                return f"{self.winner} wins"
            if self.plies == 0:
                return f"{self.winner} has won"
            return f"{self.winner} wins in {self.plies} {'ply' if self.plies == 1 else 'plies'}"
        if self.value is Value.DRAW:
            return "a draw"
        if self.at_least is Value.DRAW:
            return f"{turn} has at least a draw; more is not known"
        if self.at_most is Value.DRAW:
            return f"{turn} cannot win; more is not known"
        return "not known"

    def to_json(self) -> dict[str, object]:
        """Return the solution as plain data for JSON, seen from the side to move."""
        name = self.position.move_name
        return {
            "position": self.position.text,
            "turn": self.position.turn.value,
            "value": self.value.value if self.value else "unknown",
            "at_least": self.at_least.value,
            "at_most": self.at_most.value,
            "plies": self.plies,
            "proved": self.is_proved,
            "best": [name(move) for move in self.best],
            "line": [name(move) for move in self.line],
            "nodes": str(self.nodes),
            "text": str(self),
        }


@dataclass(frozen=True)
class Analysis:
    """What is known about a position and each of its legal moves, from best to worst."""

    solution: Solution
    moves: tuple[MoveValue, ...]

    @property
    def position(self) -> GridPosition:
        """The position that was analysed."""
        return self.solution.position

    @property
    def labels(self) -> dict[int, str]:
        """A short label for every move, for drawings: ``W3`` (win in 3), ``D``, ``L4`` or ``?``."""
        return {found.move: found.label for found in self.moves}

    def to_json(self) -> dict[str, object]:
        """Return the analysis as plain data for JSON."""
        name = self.position.move_name
        moves = {name(found.move): found.to_json() for found in self.moves}
        return {**self.solution.to_json(), "moves": moves}


def finished(position: GridPosition) -> Solution:
    """Return the solution of a finished game."""
    assert position.outcome is not None
    if position.outcome.winner is None:
        return Solution(position, Value.DRAW, Value.DRAW)
    return Solution(position, Value.LOSS, Value.LOSS, 0)


def value_of_move(move: int, after: Solution) -> MoveValue:
    """Return what the solution of the position after a move says about the move."""
    plies = None if after.plies is None else after.plies + 1
    return MoveValue(move, after.at_most.reversed, after.at_least.reversed, plies)


def analysis_of(
    position: GridPosition,
    moves: Iterable[MoveValue],
    line_of: Callable[[GridPosition, Player | None, int | None], tuple[int, ...]],
    nodes: int = 0,
    seconds: float = 0.0,
    *,
    at_least: Value = Value.LOSS,
) -> Analysis:
    """Put the values of all moves together: the best of them is the position's.

    `at_least` is what is known of the position without looking at the moves.
    """
    ordered = sorted(moves, key=lambda found: (found.order, found.move))
    known = (at_least, *(found.at_least for found in ordered))
    at_least = max(known, key=lambda value: value.rank)
    at_most = max((found.at_most for found in ordered), key=lambda value: value.rank)
    best: tuple[int, ...] = ()
    line: tuple[int, ...] = ()
    plies = None
    if at_least is at_most:
        # Only when all is known about all moves is it known which of them is quickest.
        good = [found for found in ordered if found.value is at_least]
        if all(found.value is not None for found in ordered) and all(f.plies for f in good):
            plies = good[0].plies
            good = [found for found in good if found.plies == plies]
        best = tuple(found.move for found in good)
        turn = position.turn
        winner = {Value.WIN: turn, Value.LOSS: turn.other}.get(at_least)
        line = line_of(position, winner, plies)
    return Analysis(
        Solution(position, at_least, at_most, plies, best, line, nodes, seconds), tuple(ordered)
    )
