"""What counting gives back: numbers that say exactly what they count."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from noughts.rules.player import Verdict

__all__ = ["EndingCounts", "GameCounts", "PositionCounts", "digits"]


def digits(number: int, grouping: str = "") -> str:
    """Return a number in decimal, however long; Python by itself stops at some thousand digits.

    >>> digits(1234567), digits(1234567, ","), len(digits(10**5000))
    ('1234567', '1,234,567', 5001)
    """
    if number.bit_length() < 10_000:
        return format(number, grouping)
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return format(number, grouping)
    finally:
        sys.set_int_max_str_digits(limit)


@dataclass(frozen=True, slots=True)
class GameCounts:
    """How many games there are: ordered lists of moves up to a win or a full board.

    `by_length` counts the moves played after the position that the count starts from.
    """

    x_wins: int
    o_wins: int
    draws: int
    by_length: dict[int, int]

    @property
    def total(self) -> int:
        """All games."""
        return self.x_wins + self.o_wins + self.draws

    def to_json(self) -> dict[str, object]:
        """Return the counts as plain data for JSON; they are decimal strings."""
        return {
            "total": digits(self.total),
            "x_wins": digits(self.x_wins),
            "o_wins": digits(self.o_wins),
            "draws": digits(self.draws),
            "by_length": {str(length): digits(count) for length, count in self.by_length.items()},
        }


@dataclass(frozen=True, slots=True)
class PositionCounts:
    """How many distinct positions games reach, the empty board and finished ones included."""

    by_marks: dict[int, int]

    @property
    def total(self) -> int:
        """All positions."""
        return sum(self.by_marks.values())

    def to_json(self) -> dict[str, object]:
        """Return the counts as plain data for JSON; they are decimal strings."""
        return {
            "total": digits(self.total),
            "by_marks": {str(marks): digits(count) for marks, count in self.by_marks.items()},
        }


@dataclass(frozen=True, slots=True)
class EndingCounts:
    """How many distinct finished boards there are, by outcome and by number of marks."""

    by_outcome: dict[Verdict, dict[int, int]]

    def _sum(self, verdict: Verdict) -> int:
        return sum(self.by_outcome[verdict].values())

    @property
    def x_wins(self) -> int:
        """Boards that X has won."""
        return self._sum(Verdict.X_WINS)

    @property
    def o_wins(self) -> int:
        """Boards that O has won."""
        return self._sum(Verdict.O_WINS)

    @property
    def draws(self) -> int:
        """Full boards without a line."""
        return self._sum(Verdict.DRAW)

    @property
    def total(self) -> int:
        """All finished boards."""
        return self.x_wins + self.o_wins + self.draws

    @property
    def by_marks(self) -> dict[int, int]:
        """All finished boards by number of marks."""
        marks = sorted(set().union(*self.by_outcome.values()))
        return {m: sum(part.get(m, 0) for part in self.by_outcome.values()) for m in marks}

    def to_json(self) -> dict[str, object]:
        """Return the counts as plain data for JSON; they are decimal strings."""
        return {
            "total": digits(self.total),
            "x_wins": digits(self.x_wins),
            "o_wins": digits(self.o_wins),
            "draws": digits(self.draws),
            "by_marks": {str(marks): digits(count) for marks, count in self.by_marks.items()},
        }
