"""What positions and moves are worth: proved, bounded, or estimated.

Values are seen from the side to move. What is proved is an interval: a search that was stopped
may know that a move is at least a draw without knowing that it wins. Only when both ends meet is
the value proved. An estimate is a score between 0 and 1 and never looks like a proof: not in
words, not as a label, not in JSON.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from noughts.errors import IllegalMove, LimitExceeded
from noughts.rules.player import Player
from noughts.rules.position import GridPosition, Position

__all__ = ["Analysis", "MoveValue", "Solution", "Value"]

_EVEN = 0.05  # a score this close to one half is about even


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


class _Bounded:
    """What is proved of a value: the least and the most that it can be."""

    at_least: Value
    at_most: Value

    @property
    def bounds(self) -> tuple[Value, Value]:
        """The least and the most that the side to move gets, as far as that is proved."""
        return self.at_least, self.at_most

    @property
    def value(self) -> Value | None:
        """The proved value, or None while it is open."""
        at_least, at_most = self.bounds
        return at_least if at_least is at_most else None

    @property
    def is_proved(self) -> bool:
        """Whether the value is proved."""
        return self.value is not None

    @property
    def plies(self) -> int | None:
        """Within how many moves of both sides a proved win or loss ends."""
        raise NotImplementedError

    def proved_json(self) -> dict[str, object]:
        """Return what is proved, without any estimate, as plain data for JSON."""
        at_least, at_most = self.bounds
        return {
            "value": self.value.value if self.value else "unknown",
            "at_least": at_least.value,
            "at_most": at_most.value,
            "plies": self.plies,
            "proved": self.is_proved,
        }


@dataclass(frozen=True)
class MoveValue(_Bounded):
    """What a move is worth to the side that makes it.

    `at_least` and `at_most` are proved. `plies` is within how many moves of both sides, this one
    included, a proved win or loss ends. `estimate` is the engine's expected result: 1 for a win,
    one half for a draw, 0 for a loss; `visits` is how often its search looked at the move.
    """

    move: int
    at_least: Value = Value.LOSS
    at_most: Value = Value.WIN
    plies: int | None = None
    estimate: float | None = None
    visits: int = 0

    @classmethod
    def proved(
        cls, move: int, value: Value, plies: int | None = None, visits: int = 0
    ) -> MoveValue:
        """Return a move whose value is proved."""
        return cls(move, value, value, plies, visits=visits)

    @classmethod
    def estimated(cls, move: int, estimate: float, visits: int = 0) -> MoveValue:
        """Return a move of which only an estimate is known."""
        return cls(move, estimate=estimate, visits=visits)

    @classmethod
    def after(cls, move: int, solution: Solution) -> MoveValue:
        """Return what the solution of the position after a move says about the move."""
        plies = None if solution.plies is None else solution.plies + 1
        return cls(move, solution.at_most.reversed, solution.at_least.reversed, plies)

    @property
    def is_settled(self) -> bool:
        """Whether the value is proved and, for a win or a loss, its length is known."""
        return self.is_proved and (self.value is Value.DRAW or self.plies is not None)

    @property
    def is_examined(self) -> bool:
        """Whether more is behind this than how the move looks at first sight."""
        is_bounded = self.at_least is not Value.LOSS or self.at_most is not Value.WIN
        return is_bounded or self.visits > 0

    @property
    def score(self) -> float:
        """The expected result, from 0 to 1: the estimate within its bounds, or their middle."""
        least, most = (self.at_least.rank + 1) / 2, (self.at_most.rank + 1) / 2
        if self.estimate is None:
            return (least + most) / 2
        return min(max(self.estimate, least), most)

    @property
    def order(self) -> tuple[float, ...]:
        """Sorts from best to worst: quick wins, slow wins, scores, slow losses, quick losses.

        A win of unknown length comes after the others; of equal scores a proof comes first.
        """
        if self.value is Value.WIN:
            return (0, math.inf if self.plies is None else self.plies)
        if self.value is Value.LOSS:
            return (2, -(self.plies or 0))
        return (1, -self.score, not self.is_proved)

    @property
    def label(self) -> str:
        """The move's value for drawings: ``W3`` (win in 3), ``D``, ``L4``, ``61%`` or ``?``."""
        if self.value is not None:
            return f"{self.value.value[0].upper()}{self.plies or ''}"
        return "?" if self.estimate is None else f"{_percent(self.score)}%"

    @property
    def phrase(self) -> str:
        """What the move leads to, as a phrase that says whether it is proved.

        >>> MoveValue.proved(4, Value.WIN, 5).phrase, MoveValue(4, Value.DRAW).phrase
        ('wins in 5', 'not proved: at least a draw')
        >>> MoveValue.estimated(4, 0.611).phrase
        '~ 61 %'
        """
        if self.value is Value.DRAW:
            return "a draw"
        if self.value is not None:
            verb = "wins" if self.value is Value.WIN else "loses"
            return verb if self.plies is None else f"{verb} in {self.plies}"
        if self.estimate is not None:
            return str(self)
        known = str(self)
        return "not proved" if known == "not known" else f"not proved: {known}"

    def __str__(self) -> str:
        """Say it shortly: ``win in 9`` is proved, ``~ 61 %`` is an estimate.

        >>> print(MoveValue.estimated(4, 0.611), MoveValue.proved(3, Value.WIN, 9), sep=", ")
        ~ 61 %, win in 9
        """
        if self.value is not None:
            return self.value.value if self.plies is None else f"{self.value.value} in {self.plies}"
        if self.estimate is not None:
            return f"~ {_percent(self.score)} %"
        if self.at_least is Value.DRAW:
            return "at least a draw"
        return "at most a draw" if self.at_most is Value.DRAW else "not known"

    def to_json(self) -> dict[str, object]:
        """Return the move's value as plain data for JSON."""
        return {
            **self.proved_json(),
            "score": _written(self.score),
            "visits": str(self.visits),
        }


@dataclass(frozen=True)
class Solution(_Bounded):
    """What is proved about a position.

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

    @classmethod
    def finished(cls, position: GridPosition) -> Solution:
        """Return the solution of a finished game."""
        assert position.outcome is not None
        if position.outcome.winner is None:
            return cls(position, Value.DRAW, Value.DRAW)
        return cls(position, Value.LOSS, Value.LOSS, 0)

    @property
    def winner(self) -> Player | None:
        """The side that is proved to win, or None."""
        return _winner(self.position, self.value)

    def __str__(self) -> str:
        """Say it in words: ``X wins in 11 plies``.

        >>> print(Solution(GridPosition.start("4x4x3"), Value.WIN, Value.WIN, 5))
        X wins in 5 plies
        >>> print(Solution(GridPosition.start("9x9x5"), Value.DRAW))
        X has at least a draw; more is not known
        """
        turn = self.position.turn
        if self.winner is not None:
            if self.plies == 0:
                return f"{self.winner} has won"
            return f"{self.winner} wins{_in_plies(self.plies)}"
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
            **self.proved_json(),
            "best": [name(move) for move in self.best],
            "line": [name(move) for move in self.line],
            "nodes": str(self.nodes),
            "text": str(self),
        }


@dataclass(frozen=True)
class Analysis(_Bounded):
    """What is known of a position and of each of its legal moves, from best to worst.

    `line` is the principal variation: it begins with the best move, and where a win in n plies is
    proved it has n moves at most. `at_least` and `at_most` are what is proved of the position
    besides what its moves say. `nodes` and `seconds` say what the answer took; `unit` names what
    a node is. `note` says why not everything is proved, where there is more to say than that.
    """

    position: Position
    moves: tuple[MoveValue, ...]
    line: tuple[int, ...] = ()
    at_least: Value = Value.LOSS
    at_most: Value = Value.WIN
    nodes: int = field(default=0, compare=False)
    seconds: float = field(default=0.0, compare=False)
    unit: str = "positions"
    note: str = ""

    @classmethod
    def finished(cls, position: GridPosition) -> Analysis:
        """Return the analysis of a finished game: it has no moves."""
        solution = Solution.finished(position)
        return cls(position, (), at_least=solution.at_least, at_most=solution.at_most)

    @property
    def best(self) -> MoveValue:
        """The move to play, and what it is worth; a finished game has none."""
        if not self.moves:
            raise IllegalMove(f"the game is over: {self.position.outcome}")
        return self.moves[0]

    @property
    def best_moves(self) -> tuple[int, ...]:
        """All moves that are proved to be as good as the best one; else that one alone."""
        if not self.moves:
            return ()
        best = self.best
        if not best.is_proved:
            return (best.move,)
        return tuple(
            each.move for each in self.moves if (each.value, each.plies) == (best.value, best.plies)
        )

    @property
    def bounds(self) -> tuple[Value, Value]:
        """The least and the most that is proved: by one winning move, or else by all moves."""

        def rank(value: Value) -> int:
            return value.rank

        at_least = max([self.at_least, *(each.at_least for each in self.moves)], key=rank)
        at_most = max((each.at_most for each in self.moves), key=rank, default=Value.WIN)
        return at_least, min(self.at_most, at_most, key=rank)

    @property
    def plies(self) -> int | None:
        """Within how many moves of both sides a proved win or loss ends."""
        if not self.moves:  # the game is over
            return 0 if self.value is Value.LOSS else None
        return self.best.plies if self.value and self.best.value is self.value else None

    @property
    def score(self) -> float:
        """The expected result for the side to move, from 0 to 1."""
        if not self.moves:  # the game is over
            return 0.0 if self.value is Value.LOSS else 0.5
        return self.best.score

    @property
    def winner(self) -> Player | None:
        """The side that is proved to win, or None."""
        return _winner(self.position, self.value)

    @property
    def solution(self) -> Solution:
        """The part that is proved, as `noughts.solve` says it; for positions of grids.

        A length is that of the shortest win only where all moves are settled.
        """
        if not isinstance(self.position, GridPosition):
            raise LimitExceeded(f"only grids can be solved, not {self.position.game}")
        is_all_known = all(each.is_settled for each in self.moves)
        return Solution(
            self.position,
            *self.bounds,
            self.plies if is_all_known else None,
            self.best_moves if self.is_proved and self.moves else (),
            self.line,
            self.nodes,
            self.seconds,
        )

    @property
    def labels(self) -> dict[int, str]:
        """A short label for every examined move, for drawings: ``W3``, ``D``, ``L4``, ``61%``."""
        return {each.move: each.label for each in self.moves if each.is_examined}

    def __str__(self) -> str:
        """Say it in words; a proof says that it is one.

        An estimate is the chance of the side to move, as those of its moves are.
        """
        if self.winner is not None:
            return f"{self.winner} wins{self._in_moves()}, proved"
        if self.value is Value.DRAW:
            return "a draw, proved"
        effort = f"after {_rounded(self.nodes)} {self.unit}"
        turn, (at_least, at_most) = self.position.turn, self.bounds
        if at_least is Value.DRAW:
            return f"{turn} has at least a draw, proved; more is not known {effort}"
        if at_most is Value.DRAW:
            return f"{turn} cannot win, proved; more is not known {effort}"
        even = "about even, " if abs(self.score - 0.5) < _EVEN else ""
        return f"{even}{_percent(self.score)} % for {turn} {effort}"

    def _in_moves(self) -> str:
        """Say in how many moves of both sides the game ends, and how many of them are whose."""
        if self.plies is None:
            return ""
        turn = self.position.turn
        own, other = (self.plies + 1) // 2, self.plies // 2
        parts = {turn: own, turn.other: other}
        if self.plies < 2:
            return f" in {self.plies} move"
        return f" in {self.plies} moves ({parts[Player.X]} of X, {parts[Player.O]} of O)"

    def to_json(self) -> dict[str, object]:
        """Return the analysis as plain data for JSON, seen from the side to move."""
        name = self.position.move_name
        return {
            "position": self.position.text,
            "turn": self.position.turn.value,
            **self.proved_json(),
            "score": _written(self.score),
            "visits": str(self.best.visits if self.moves else 0),
            "best": [name(move) for move in self.best_moves],
            "line": [name(move) for move in self.line],
            "moves": {name(each.move): each.to_json() for each in self.moves},
            "nodes": str(self.nodes),
            "unit": self.unit,
            "note": self.note,
            "text": str(self),
        }


def best_first(moves: Iterable[MoveValue]) -> tuple[MoveValue, ...]:
    """Sort moves from best to worst; of equals, what came first stays first."""
    return tuple(sorted(moves, key=lambda each: each.order))


def _winner(position: Position, value: Value | None) -> Player | None:
    if value is Value.WIN:
        return position.turn
    return position.turn.other if value is Value.LOSS else None


def _in_plies(plies: int | None) -> str:
    return "" if plies is None else f" in {plies} {'ply' if plies == 1 else 'plies'}"


def _percent(score: float) -> int:
    """Return an estimate in per cent: never 0 or 100, which would look like a proof.

    The page has only the score in JSON, and comes to the same number.

    >>> _percent(0.425), _percent(0.99999)
    (43, 99)
    """
    return min(99, max(1, math.floor(100 * _written(score) + 0.5)))


def _written(score: float) -> float:
    """Return a score as it is in JSON."""
    return round(score, 4)


def _rounded(count: int) -> str:
    """Return a count as people say it, with three digits at most: 950, 12 k, 1.2 M.

    >>> _rounded(950), _rounded(12_000), _rounded(99_960), _rounded(1_234_567)
    ('950', '12 k', '100 k', '1.2 M')
    """
    if count < 1000:
        return str(count)
    size, letter = (1000, "k") if count < 999_500 else (1_000_000, "M")
    number = count / size
    short = f"{number:.1f}".removesuffix(".0") if number < 99.95 else f"{number:.0f}"
    return f"{short} {letter}"
