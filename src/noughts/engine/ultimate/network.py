"""The evaluation: a small neural network over the nine boards, mostly as tables.

The network sees a position from the side to move::

    small board  --(encoder, the same for all nine)-->  128 numbers
    128 numbers of board p  --(matrix of p)-->          64 numbers, added up over the nine boards
    64 numbers  --(one more layer)-->                   the chance to win

A small board has few states (the marks in its cells; closed boards are won, lost or dead), so
everything up to the sum is computed once for every board and state when the weights are loaded,
and then looked up. The forced board has a matrix of its own; a free choice is one more vector in
the sum. All children of a node differ from it in one board, so the sum over the others is
computed once.

The tables hold integers of 16 bits, 512 to a unit: 64 of them fill two cache lines and are added
in a few instructions. The last layer has 2,048 to a unit, and the logistic curve that turns its
result into a chance is a table as well.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np, room_apart  # isort: skip

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
    "CHANCE",
    "TERNARY",
    "Network",
    "Scratch",
    "Weights",
    "blank_network",
    "board_features",
    "board_rows",
    "evaluate",
    "evaluate_child",
    "load_network",
    "network_of",
    "new_scratch",
    "sum_boards",
]

ENCODED, WIDTH = 128, 64

_SUM_UNIT, _OUTPUT_UNIT = 1 << 9, 1 << 11
STEPS, _SHIFT = 1 << 12, 12  # steps of 1/256 before the curve, from -8 to 8

CHANCE = (1 / (1 + np.exp(-(np.arange(STEPS) - STEPS // 2 + 0.5) / 256))).astype(np.float32)
"""The chance to win at each step of the network's output."""

FEATURES = 4 * 9 + 3
"""Of a small board: the mover's cells, the opponent's, where each captures it, who captured it."""

TERNARY = np.array([sum(3**c for c in range(9) if m >> c & 1) for m in range(512)], np.uint16)
"""A set of cells as a number in base 3 with a digit 1 for each; the opponent's count twice."""


class Weights(NamedTuple):
    """The trained weights."""

    encoder: NDArray[np.float32]  # FEATURES + 1 (a constant) x ENCODED
    boards: NDArray[np.float32]  # 9 x ENCODED x WIDTH
    forced: NDArray[np.float32]  # 9 x ENCODED x WIDTH, on top where one has to play
    free: NDArray[np.float32]  # 2 x WIDTH: a constant, and what a free choice adds
    output: NDArray[np.float32]  # WIDTH + 1 (a constant)


class Network(NamedTuple):
    """The tables made from the weights."""

    row: NDArray[np.uint16]  # of a small board's state, by its number in base 3
    boards: NDArray[np.int16]  # 9 x rows x WIDTH
    forced: NDArray[np.int16]
    free: NDArray[np.int16]
    output: NDArray[np.int16]
    bias: NDArray[np.int32]


class Scratch(NamedTuple):
    """Memory for the sums."""

    base: NDArray[np.int16]
    total: NDArray[np.int16]


def new_scratch() -> Scratch:
    """Return memory for the sums."""
    return Scratch(*(room_apart((WIDTH,), np.int16) for _ in range(2)))


@cache
def _open_states() -> list[tuple[int, int]]:
    """Return the states of an open board, as the marks of the mover and of the opponent."""
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
        _quantised(encoded @ weights.boards, _SUM_UNIT),
        _quantised(encoded @ weights.forced, _SUM_UNIT),
        _quantised(weights.free, _SUM_UNIT),
        _quantised(weights.output[:WIDTH], _OUTPUT_UNIT),
        np.rint(weights.output[WIDTH:] * _SUM_UNIT * _OUTPUT_UNIT).astype(np.int32),
    )


def blank_network() -> Network:
    """Return a network of zeros, for searches that do not use it."""
    none = np.zeros((9, 1, WIDTH), np.int16)
    flat = np.zeros((2, WIDTH), np.int16)
    return Network(board_rows(), none, none, flat, flat[0], np.zeros(1, np.int32))


def _quantised(numbers: NDArray[np.float32], unit: int) -> NDArray[np.int16]:
    """Return numbers as integers of 16 bits; no trained weight is large enough to be clipped."""
    most = np.iinfo(np.int16).max
    whole = room_apart(numbers.shape, np.int16)  # rows begin with a cache line
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
def _row(network: Network, state: State, board: int, side: int) -> int:
    """Return the row of a board's state as `side` sees it."""
    if state[CLOSED] >> board & 1:
        rows = network.boards.shape[1]
        if state[CAPTURED + side] >> board & 1:
            return rows - 3
        return rows - 2 if state[CAPTURED + 1 - side] >> board & 1 else rows - 1
    mine, theirs = state[9 * side + board], state[9 - 9 * side + board]
    return network.row[TERNARY[mine] + 2 * TERNARY[theirs]]


@bare_kernel
def sum_boards(network: Network, scratch: Scratch, state: State, side: int) -> None:
    """Write the sum over all boards, as `side` sees them, to ``scratch.base``."""
    base = scratch.base
    for i in range(WIDTH):
        base[i] = network.free[0, i]
    for board in range(9):
        table = network.boards[board, _row(network, state, board, side)]
        for i in range(WIDTH):
            base[i] += table[i]


@bare_kernel
def _output(network: Network, scratch: Scratch, state: State) -> int:
    """Return the chance of the side to move, from the sum over all boards, as a step."""
    total, weights = scratch.total, network.output
    forced = state[FORCED]
    if forced == ANY:
        extra = network.free[1]
    else:
        extra = network.forced[forced, _row(network, state, forced, state[SIDE])]
    logit = network.bias[0]
    for i in range(WIDTH):
        x = np.int16(total[i] + extra[i])
        if x < 0:
            x = np.int16(0)
        logit += np.int32(np.int32(x) * np.int32(weights[i]))
    return min(max((logit >> _SHIFT) + STEPS // 2, 0), STEPS - 1)


@bare_kernel
def evaluate(network: Network, scratch: Scratch, state: State) -> int:
    """Return the chance of the side to move in an unfinished game, as a step of `CHANCE`."""
    sum_boards(network, scratch, state, state[SIDE])
    for i in range(WIDTH):  # a slice would allocate
        scratch.total[i] = scratch.base[i]
    return _output(network, scratch, state)


@bare_kernel
def evaluate_child(
    network: Network, scratch: Scratch, state: State, after: State, board: int
) -> int:
    """Return the chance of the side to move after a move in `board`, as a step of `CHANCE`.

    ``scratch.base`` holds the sum of the position before, as that side sees it.
    """
    side = after[SIDE]
    base, total = scratch.base, scratch.total
    old = network.boards[board, _row(network, state, board, side)]
    new = network.boards[board, _row(network, after, board, side)]
    for i in range(WIDTH):
        total[i] = base[i] - old[i] + new[i]
    return _output(network, scratch, after)
