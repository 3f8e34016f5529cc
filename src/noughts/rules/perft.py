"""Perft: how many move sequences of a given length a position has.

The classic check of move rules, named after the chess programmers' "performance test": two
independent implementations that agree on these numbers hardly differ anywhere.
"""

from __future__ import annotations

from noughts.errors import whole_number
from noughts.rules.position import Position, require_game

__all__ = ["Counter", "perft", "perft_split"]

MAX_DEPTH = 200  # far beyond what can be counted, and within what can be nested
_MEMO_LIMIT = 1_000_000


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves from `position`.

    A game that ends earlier contributes nothing; depth 0 counts the empty sequence, 1.

    >>> from noughts import GridPosition
    >>> [perft(GridPosition.start("3x3x3"), depth) for depth in range(5)]
    [1, 9, 72, 504, 3024]
    """
    return Counter().count(position, depth)


def perft_split(position: Position, depth: int) -> dict[int, int]:
    """Return, for each legal move, how many of the sequences begin with it.

    >>> from noughts import GridPosition
    >>> perft_split(GridPosition.parse("XX./OO./..."), 2)
    {2: 0, 5: 4, 6: 4, 7: 4, 8: 4}
    """
    return Counter().split(position, depth)


class Counter:
    """A walk that visits each distinct position once, however many move orders lead there.

    The number of marks tells the remaining depth, so a position alone is a sound key, as long as
    one counter is asked about one beginning and depth.
    """

    def __init__(self) -> None:
        self._known: dict[Position, int] = {}

    def count(self, position: Position, depth: int) -> int:
        """Return what `perft` does."""
        depth = whole_number(depth, "depth", most=MAX_DEPTH)
        return self._count(require_game(position), depth)

    def split(self, position: Position, depth: int) -> dict[int, int]:
        """Return what `perft_split` does."""
        require_game(position)
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
        known = self._known.get(position)
        if known is not None:
            return known
        total = 0
        for move in position.legal_moves:
            total += self._count(position.play_unchecked(move), depth - 1)
        if len(self._known) < _MEMO_LIMIT:
            self._known[position] = total
        return total
