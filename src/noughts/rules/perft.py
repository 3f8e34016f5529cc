"""Perft: the number of move sequences of a given length from a position.

The classic check of move rules, named after the chess programmers' "performance test": two
independent implementations that agree on these numbers hardly differ anywhere.
"""

from __future__ import annotations

from collections import defaultdict

from noughts.errors import whole_number
from noughts.rules.grid import Grid
from noughts.rules.parsing import position_of
from noughts.rules.position import Position

__all__ = ["Counter", "perft", "perft_split"]

MAX_DEPTH = 200  # far beyond what can be counted, and within what can be nested
_MEMO_LIMIT = 1_000_000


def perft(where: Position | Grid | str, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves from a position.

    A game that ends earlier contributes nothing; depth 0 counts the empty sequence, 1.

    >>> [perft("3x3x3", depth) for depth in range(5)]
    [1, 9, 72, 504, 3024]
    """
    return Counter().count(where, depth)


def perft_split(where: Position | Grid | str, depth: int) -> dict[int, int]:
    """Return, for each legal move, how many of the sequences begin with it.

    >>> perft_split("XX./OO./...", 2)
    {2: 0, 5: 4, 6: 4, 7: 4, 8: 4}
    """
    return Counter().split(where, depth)


class Counter:
    """Counts sequences of moves; visits a position once, however many move orders lead there."""

    def __init__(self) -> None:
        self._known: dict[int, dict[Position, int]] = defaultdict(dict)  # by remaining depth
        self._room = _MEMO_LIMIT

    def count(self, where: Position | Grid | str, depth: int) -> int:
        """Return what `perft` does."""
        depth = whole_number(depth, "depth", most=MAX_DEPTH)
        return self._count(position_of(where), depth)

    def split(self, where: Position | Grid | str, depth: int) -> dict[int, int]:
        """Return what `perft_split` does."""
        position = position_of(where)
        remaining = whole_number(depth, "the depth of a split", least=1, most=MAX_DEPTH) - 1
        return {
            move: self._count(position.play_unchecked(move), remaining)
            for move in position.legal_moves
        }

    def _count(self, position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        if depth == 1:
            return position.move_count
        memo = self._known[depth]
        known = memo.get(position)
        if known is not None:
            return known
        total = 0
        for move in position.legal_moves:
            total += self._count(position.play_unchecked(move), depth - 1)
        if self._room:
            self._room -= 1
            memo[position] = total
        return total
