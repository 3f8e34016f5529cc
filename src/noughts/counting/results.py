"""The results of counts, as numbers that say exactly what they count."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, Context, Decimal, Inexact, localcontext

from noughts.rules.player import Verdict

__all__ = ["Counts", "EndingCounts", "GameCounts", "PositionCounts", "digits"]


_DIRECT = 2_000
"""Python itself writes ints of up to this many bits, whatever its limit on digits is."""

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, traps=[Inexact])


def digits(number: int, grouping: str = "") -> str:
    """Return a number in decimal, however long it is.

    Python's own conversion takes quadratic time and stops at a limit on digits that holds for
    the whole process. Here halves of the bits become decimals, whose multiplication is fast.

    >>> digits(1234567), digits(1234567, ","), len(digits(10**5000))
    ('1234567', '1,234,567', 5001)
    """
    if number.bit_length() <= _DIRECT:
        return format(number, grouping)
    powers: dict[int, Decimal] = {}

    def power_of_two(bits: int) -> Decimal:
        if bits not in powers:
            half = bits // 2
            powers[bits] = (
                Decimal(2) ** bits
                if bits <= _DIRECT
                else power_of_two(half) * power_of_two(bits - half)
            )
        return powers[bits]

    def decimal(part: int, bits: int) -> Decimal:
        if bits <= _DIRECT:
            return Decimal(part)
        low = bits // 2
        high = part >> low
        return decimal(part - (high << low), low) + decimal(high, bits - low) * power_of_two(low)

    with localcontext(_EXACT):
        return format(decimal(number, number.bit_length()), grouping)


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
        return {**_outcomes_json(self), "by_length": _json(self.by_length)}


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
        return {"total": digits(self.total), "by_marks": _json(self.by_marks)}


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
        return {**_outcomes_json(self), "by_marks": _json(self.by_marks)}


Counts = GameCounts | PositionCounts | EndingCounts


def _outcomes_json(counts: GameCounts | EndingCounts) -> dict[str, object]:
    names = ("total", "x_wins", "o_wins", "draws")
    return {name: digits(getattr(counts, name)) for name in names}


def _json(numbers: dict[int, int]) -> dict[str, str]:
    return {str(key): digits(number) for key, number in numbers.items()}
