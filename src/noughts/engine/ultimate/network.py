"""The evaluation: a small neural network over the nine boards, most of it looked up.

The network sees a position from the side to move::

    small board  --(encoder, the same for all nine)-->  128 numbers
    128 numbers of board p  --(matrix of p)-->          64 numbers, added up over the nine boards
    64 numbers  --(one more layer)-->                   the chance to win

A small board has only so many states (who has which cell; closed ones are won, lost or
nobody's), so all up to the sum is computed once for every board and state when the weights are
loaded, and then looked up. The board where one has to play has a matrix of its own; a free
choice is one more vector in the sum. All children of a node differ from it in one board, so
the sum over the others is taken once.

What is looked up is in whole numbers of 16 bits, 512 to a unit: 64 of them fill two lines of the
processor's cache and are added in a few steps. The last layer has 2,048 to a unit. Its result stays
in whole steps too, before the curve that makes a chance of it: that is all that comparing needs.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from noughts.kernels import NDArray, aligned_zeros, bare_kernel, np, signed  # isort: skip

from noughts.engine.ultimate.board import (
    ANY,
    CAPTURED,
    CLOSED,
    FORCED,
    SIDE,
    State,
)
from noughts.rules.ultimate import FULL, HAS_LINE

__all__ = [
    "MOST",
    "STEP",
    "TERNARY",
    "WIDTH",
    "Network",
    "Sums",
    "Weights",
    "board_features",
    "board_rows",
    "chance_of",
    "change_board",
    "evaluate",
    "judge",
    "load_network",
    "network_of",
    "row_of",
    "sum_boards",
]

ENCODED, WIDTH = 128, 64

_SUM_UNIT, _OUTPUT_UNIT = 1 << 9, 1 << 11
STEP, _SHIFT = 1 << 8, 12  # steps to a unit before the curve
MOST = 8 * STEP - 1

FEATURES = 4 * 9 + 3
"""Of a small board: my cells, theirs, where I win it, where they do; it is mine, theirs, dead."""

TERNARY = np.array([sum(3**c for c in range(9) if m >> c & 1) for m in range(512)], np.uint16)
"""A set of cells as a number in base 3 with a digit 1 for each; theirs count twice."""


def chance_of(steps: float) -> float:
    """Return the chance to win that the network's output stands for.

    >>> chance_of(0), round(chance_of(256), 2), round(chance_of(-512), 2)
    (0.5, 0.73, 0.12)
    """
    return 1 / (1 + math.exp(-steps / STEP))


class Weights(NamedTuple):
    """What training finds."""

    encoder: NDArray[np.float32]  # FEATURES + 1 (a constant) x ENCODED
    boards: NDArray[np.float32]  # 9 x ENCODED x WIDTH
    forced: NDArray[np.float32]  # 9 x ENCODED x WIDTH, on top where one has to play
    free: NDArray[np.float32]  # 2 x WIDTH: a constant, and what a free choice adds
    output: NDArray[np.float32]  # WIDTH + 1 (a constant)


Sums = NDArray[np.int16]
"""The sum over the nine boards, as one side sees them: WIDTH numbers."""


class Network(NamedTuple):
    """The weights, ready to be looked up."""

    row: NDArray[np.uint16]  # of a small board's state, by its number in base 3
    boards: NDArray[np.int16]  # 9 x rows x WIDTH
    forced: NDArray[np.int16]
    free: NDArray[np.int16]
    output: NDArray[np.int16]
    bias: NDArray[np.int32]


@cache
def _open_states() -> list[tuple[int, int]]:
    """Return the states of a board that is still open, as marks of me and of the other side."""
    free = [mask for mask in range(FULL) if not HAS_LINE[mask]]
    return [(m, t) for m in free for t in free if not m & t and m | t != FULL]


def board_features() -> NDArray[np.float32]:
    """Return the features of every state of a small board; the last three are closed boards."""
    wins = [
        sum(1 << c for c in range(9) if not mask >> c & 1 and HAS_LINE[mask | 1 << c])
        for mask in range(FULL + 1)
    ]
    states = _open_states()
    features = np.zeros((len(states) + 3, FEATURES + 1), np.float32)
    for row, (mine, theirs) in zip(features, states, strict=False):
        masks = mine, theirs, wins[mine] & ~theirs, wins[theirs] & ~mine
        row[:36] = [mask >> c & 1 for mask in masks for c in range(9)]
    features[-3:, 36:39] = np.eye(3)
    features[:, -1] = 1.0
    return features


@cache
def board_rows() -> NDArray[np.uint16]:
    """Return the row in `board_features` of a state, by its number in base 3."""
    rows = np.zeros(3**9, np.uint16)
    for i, (mine, theirs) in enumerate(_open_states()):
        rows[TERNARY[mine] + 2 * TERNARY[theirs]] = i
    return rows


def network_of(weights: Weights) -> Network:
    """Compute the tables of a network."""
    encoded = np.maximum(board_features() @ weights.encoder, 0.0)
    return Network(
        board_rows(),
        _whole(encoded @ weights.boards, _SUM_UNIT),
        _whole(encoded @ weights.forced, _SUM_UNIT),
        _whole(weights.free, _SUM_UNIT),
        _whole(weights.output[:WIDTH], _OUTPUT_UNIT),
        np.rint(weights.output[WIDTH:] * _SUM_UNIT * _OUTPUT_UNIT).astype(np.int32),
    )


def _whole(numbers: NDArray[np.float32], unit: int) -> NDArray[np.int16]:
    """Return numbers in whole units; none is so large that it has to be cut."""
    most = np.iinfo(np.int16).max
    whole = aligned_zeros(numbers.shape, np.int16)
    whole[...] = np.clip(np.rint(numbers * unit), -most, most)
    return whole


WEIGHTS_FILE = "ultimate.npz"


@cache
def load_network() -> Network:
    """Return the network that comes with the package."""
    with (files(__package__) / WEIGHTS_FILE).open("rb") as file:
        kept = np.load(file)
        return network_of(Weights(*(kept[name].astype(np.float32) for name in Weights._fields)))


@bare_kernel
def row_of(network: Network, state: State, board: int, side: int) -> int:
    """Return the row of a board's state as `side` sees it."""
    if state[CLOSED] >> board & 1:
        rows = network.boards.shape[1]
        if state[CAPTURED + side] >> board & 1:
            return rows - 3
        return rows - 2 if state[CAPTURED + 1 - side] >> board & 1 else rows - 1
    mine, theirs = state[9 * side + board], state[9 - 9 * side + board]
    return network.row[TERNARY[mine] + 2 * TERNARY[theirs]]


@bare_kernel
def sum_boards(network: Network, state: State, side: int, sums: Sums) -> None:
    """Write the sum over all boards, as `side` sees them."""
    for i in range(WIDTH):
        sums[i] = network.free[0, i]
    for board in range(9):
        table = network.boards[board, row_of(network, state, board, side)]
        for i in range(WIDTH):
            sums[i] += table[i]


@bare_kernel
def change_board(
    network: Network, sums: Sums, board: int, old: int, new: int, changed: Sums
) -> None:
    """Write the sum after a board came from one row to another."""
    before, after = network.boards[board, old], network.boards[board, new]
    for i in range(WIDTH):
        changed[i] = np.int16(sums[i] - before[i] + after[i])


@bare_kernel
def judge(
    network: Network, sums: Sums, board: int, old: int, new: int, forced: int, forced_row: int
) -> int:
    """Return the chance of the side to move, whose sum this was before a board changed its row.

    It has to play in the board `forced`, which is in a row of its own, or may choose (`ANY`). The
    chance is in steps of 1/256 before the curve: 0 is even, `MOST` sure.
    """
    before, after = network.boards[board, old], network.boards[board, new]
    extra = network.free[1] if forced == ANY else network.forced[forced, forced_row]
    weights = network.output
    logit = network.bias[0]
    for i in range(WIDTH):
        x = np.int16(sums[i] - before[i] + after[i] + extra[i])
        x = max(x, np.int16(0))
        logit = np.int32(logit + np.int32(x) * np.int32(weights[i]))
    return min(max(signed(logit >> _SHIFT), -MOST), MOST)


@bare_kernel
def evaluate(network: Network, state: State, sums: Sums) -> int:
    """Return the chance of the side to move in an unfinished game; `sums` is room for it."""
    side, forced = state[SIDE], state[FORCED]
    sum_boards(network, state, side, sums)
    row = 0 if forced == ANY else row_of(network, state, forced, side)
    return judge(network, sums, 0, 0, 0, forced, row)
