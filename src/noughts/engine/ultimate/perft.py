"""Perft of Ultimate with the compiled rules: the same numbers, sooner.

The first plies are walked by the pure rules, which visit a position once however many move
orders lead there; the last ones are walked to the end, compiled.
"""

from __future__ import annotations

from noughts.engine.ultimate import board
from noughts.rules.perft import Counter
from noughts.rules.position import GamePosition
from noughts.rules.ultimate import UltimatePosition

__all__ = ["CompiledCounter"]

_PLIES = 5  # that are walked compiled: long enough to pay for the way there, short for Ctrl-C


class CompiledCounter(Counter):
    """Counts sequences of moves of Ultimate.

    >>> CompiledCounter().count(UltimatePosition.start(), 4)
    55080
    """

    def _count(self, position: GamePosition, depth: int) -> int:
        if 1 < depth <= _PLIES and isinstance(position, UltimatePosition):
            return board.perft(position, depth)
        return super()._count(position, depth)
