"""Perft of Ultimate with the compiled rules: the same numbers, faster.

`CompiledCounter` uses the pure rules for the first plies, where it counts a position once for all
move orders that lead to it, and compiled backtracking for the last plies.
"""

from __future__ import annotations

from noughts.kernels import NDArray, kernel, np, wrapping  # isort: skip  - says which extra is missing

from noughts.engine.ultimate.board import (
    GOES_ON,
    State,
    blank_states,
    copy,
    legal_moves,
    play,
    state_of,
)
from noughts.errors import whole_number
from noughts.rules.perft import MAX_DEPTH, Counter
from noughts.rules.position import Position
from noughts.rules.ultimate import UltimatePosition

__all__ = ["CompiledCounter", "perft"]

_PLIES = 5  # compiled: enough to pay for the conversion, few enough to notice Ctrl-C soon


@kernel
def _count_sequences(states: State, moves: NDArray[np.int32], depth: int) -> int:
    """Count sequences of moves from states[0] by backtracking; a ply is a row of the arrays."""
    total = 0
    left = np.zeros(depth + 1, np.int64)
    ply = 0
    left[0] = legal_moves(states[0], moves[0])
    if depth == 1:
        return left[0]
    while ply >= 0:
        if left[ply] == 0:
            ply -= 1
            continue
        left[ply] -= 1
        copy(states[ply], states[ply + 1])
        if play(states[ply + 1], moves[ply, left[ply]]) != GOES_ON:
            continue
        count = legal_moves(states[ply + 1], moves[ply + 1])
        if ply + 2 == depth:
            total += count
        else:
            ply += 1
            left[ply] = count
    return total


def perft(position: UltimatePosition, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves, as `noughts.perft` does.

    >>> perft(UltimatePosition.start(), 4)
    55080
    """
    whole_number(depth, "depth", most=MAX_DEPTH)
    if depth == 0 or position.outcome:
        return int(depth == 0)
    states = blank_states(depth + 1)
    states[0] = state_of(position)
    with wrapping():
        return int(_count_sequences(states, np.zeros((depth + 1, 81), np.int32), depth))


class CompiledCounter(Counter):
    """Counts sequences of moves of Ultimate.

    >>> CompiledCounter().count(UltimatePosition.start(), 4)
    55080
    """

    def _count(self, position: Position, depth: int) -> int:
        if 1 < depth <= _PLIES and isinstance(position, UltimatePosition):
            return perft(position, depth)
        return super()._count(position, depth)
