"""How hard a puzzle is: how deep one must look, and how well the solution is hidden.

The rating is in tenths of a ply::

      10 for every ply to look ahead, but not for a forced reply
    + 30 if a casual player never finds the solution, less the more often it does
    + 10 for a quiet move: it neither threatens to win at once nor captures a board
    +  3 for every legal move beyond the first, up to 10 of them

A win is looked through to its end, and a draw until the last of the other moves is refuted. A
reply is forced if every other one loses at once.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

__all__ = ["Difficulty", "stars_of"]

_STARS = (60, 80, 105, 140)  # the least ratings of 2, 3, 4 and 5 stars
_MOST_MOVES = 10


@dataclass(frozen=True)
class Difficulty:
    """What makes a puzzle hard.

    `missed` is the share of casual players, from 0 to 1, who do not find the first move.
    """

    plies: int
    forced: int
    moves: int
    missed: float
    is_quiet: bool

    @property
    def rating(self) -> int:
        """The sum of it, in tenths of a ply.

        >>> Difficulty(plies=5, forced=1, moves=9, missed=0.5, is_quiet=True).rating
        89
        """
        return (
            10 * (self.plies - self.forced)
            + round(30 * self.missed)
            + 10 * self.is_quiet
            + 3 * min(self.moves - 1, _MOST_MOVES)
        )


def stars_of(rating: int) -> int:
    """Return the stars of a rating, from 1 to 5.

    >>> [stars_of(rating) for rating in (30, 60, 100, 200)]
    [1, 2, 3, 5]
    """
    return 1 + bisect_right(_STARS, rating)
