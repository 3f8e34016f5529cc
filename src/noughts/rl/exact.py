"""The truth about a small grid, for measuring what a policy has learnt.

`Truth` knows the value of every position of a grid of up to 16 cells, from a table that
`noughts.solving` makes backwards. `evaluate` asks a policy for its move in every position that a
game can reach, and lets the strongest opponent loose on it.

**The best response.** What a policy is worth against an opponent who knows it is computed layer by
layer, full boards first: where the policy moves, the mean of its moves, and where the opponent
moves, what is worst for the policy. Subtracted from what perfect play would get, that is what the
policy gives away; the mean over both sides is its exploitability (NashConv divided by the number of
players, as in Lanctot and others 2019).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, kernel, np, signed  # isort: skip  - says which extra is missing

from noughts.errors import SizeError
from noughts.rl.batch import Batch
from noughts.rl.bits import Bytes, Words
from noughts.rl.codes import O_TURN, Codes
from noughts.rl.opponents import Policy, chances_of
from noughts.rl.threads import in_parts, threads_of
from noughts.rules.grid import Grid, grid_named
from noughts.solving.bits import EMPTY, ONE, lowest
from noughts.solving.ranking import DRAW, NO_GAME, layer_starts, require_small
from noughts.solving.retrograde import solve_backwards

__all__ = ["Evaluation", "Truth", "evaluate", "exploitability", "truth_of", "uniform"]

AT_ONCE = 1 << 16  # positions that a policy is asked for
ILLEGAL = -2  # instead of the value of an action
_LEAST = 1024  # positions for a thread


class Truth:
    """The value of every position of a grid of up to 16 cells.

    >>> truth = Truth("3x3x3")
    >>> batch = Batch("3x3x3 a1 b1", 1)
    >>> truth.values(batch).tolist(), truth.action_values(batch)[0].tolist()
    ([1], [-2, -2, 0, 1, 1, 0, 1, 0, 0])
    """

    def __init__(self, grid: Grid | str, threads: int | None = None) -> None:
        self.grid = require_small(grid_named(grid))
        self._threads = threads_of(threads)
        table = solve_backwards(self.grid, self._threads, lambda done: None)
        self._table: Bytes = np.frombuffer(table, np.uint8)
        self._index = _index_of(self.grid.cells)

    def values(self, batch: Batch) -> NDArray[np.int8]:
        """Return what each position is worth to the side to move: 1, 0 or -1."""
        return _VALUES[self._bytes(batch)]

    def plies(self, batch: Batch) -> NDArray[np.int16]:
        """Return in how many plies each position ends with best play; -1 for a draw."""
        known = self._bytes(batch).astype(np.int16)
        known[known == DRAW] = -1
        return known

    def action_values(self, batch: Batch) -> NDArray[np.int8]:
        """Return what each action is worth to the side to move, -2 where it is illegal."""
        return _ACTION_VALUES[self._after(batch)]

    def best_actions(self, batch: Batch) -> NDArray[np.bool_]:
        """Return which actions are best: quickest to win, or else slowest to lose."""
        order = _ORDER[self._after(batch)]
        best: NDArray[np.bool_] = (order == order.max(axis=1, keepdims=True)) & (order > 0)
        return best

    def play(self, batch: Batch) -> NDArray[np.float32]:
        """Play perfectly: this is a `Policy`, and all best actions are equally likely."""
        return _shared(self.best_actions(batch))

    def positions(self, plies: int | None = None) -> Iterator[Batch]:
        """Yield every position in which a game goes on, in batches of up to 65,536.

        With `plies` only those after so many moves; otherwise the empty board comes last.
        """
        layers = range(self.grid.cells - 1, -1, -1) if plies is None else [plies]
        for marks in layers:
            for _, batch in self._layer(marks):
                yield batch

    def _layer(self, marks: int) -> Iterator[tuple[NDArray[np.int64], Batch]]:
        """Yield the places of the unfinished positions with so many marks, and their boards."""
        first, last = layer_starts(self.grid.cells)[marks : marks + 2]
        known = self._table[first:last]
        there = np.flatnonzero((known != NO_GAME) & (known != 0))
        for begin in range(0, len(there), AT_ONCE):
            some = there[begin : begin + AT_ONCE]
            batch = Batch(self.grid, len(some))
            _write_boards(self._index, some, marks, batch.state.reshape(-1))
            batch.verdicts[:] = marks % 2
            yield some + first, batch

    def _bytes(self, batch: Batch) -> Bytes:
        """Return the byte of each position."""
        self._require(batch)
        known = np.empty(len(batch), np.uint8)
        marks = batch.state.reshape(-1)
        in_parts(
            lambda begin, end: _look_up(self._index, self._table, marks, known, begin, end),
            *(len(batch), self._threads, _LEAST),
        )
        return known

    def _after(self, batch: Batch) -> Bytes:
        """Return the byte of the position after each action, `NO_GAME` for the illegal ones."""
        self._require(batch)
        places = self._places(batch)
        return np.where(places < 0, np.uint8(NO_GAME), self._table[places])

    def _places(self, batch: Batch) -> NDArray[np.int32]:
        """Return where the position after each action is in the table, -1 for the illegal ones."""
        places = np.empty((len(batch), self.grid.cells), np.int32)
        marks = batch.state.reshape(-1)
        in_parts(
            lambda begin, end: _find_places(
                *(self._index, marks, batch.verdicts, places, begin, end)
            ),
            *(len(batch), self._threads, _LEAST),
        )
        return places

    def _finished(self) -> NDArray[np.float32]:
        """Return what X gets in every finished game of the table; elsewhere it means nothing."""
        results = np.zeros(len(self._table), np.float32)
        for marks in range(self.grid.cells + 1):
            first, last = layer_starts(self.grid.cells)[marks : marks + 2]
            results[first:last][self._table[first:last] == 0] = 1 if marks % 2 else -1
        return results

    def _require(self, batch: Batch) -> None:
        if batch.game != str(self.grid):
            raise SizeError(f"this is the truth about {self.grid}, not about {batch.game}")


@lru_cache(maxsize=4)
def truth_of(grid: Grid | str) -> Truth:
    """Return the truth about a grid, made once."""
    return Truth(grid)


# -- measuring a policy ----------------------------------------------------------------------


@dataclass(frozen=True)
class Evaluation:
    """What a policy is worth, by the exact values of all positions.

    `positions` is how many a game can reach and go on from. In `decisions` of them there is a
    legal move that gives something away. `accuracy` is how often the policy keeps the value of
    the position, a mean over all positions; `decision_accuracy` is the same over the decisions.

    `value` is what X gets from the empty board with best play: 1, 0 or -1. `as_x` and `as_o` are
    what the policy gets for its side against the opponent that is strongest against it.
    """

    game: str
    positions: int
    decisions: int
    accuracy: float
    decision_accuracy: float
    value: int
    as_x: float
    as_o: float

    @property
    def lost_as_x(self) -> float:
        """What the policy gives away as X, from 0 to 2."""
        return self.value - self.as_x

    @property
    def lost_as_o(self) -> float:
        """What the policy gives away as O, from 0 to 2."""
        return -self.value - self.as_o

    @property
    def exploitability(self) -> float:
        """The mean of what the policy gives away as X and as O: NashConv divided by 2."""
        return (self.lost_as_x + self.lost_as_o) / 2

    def __str__(self) -> str:
        return (
            f"{self.game}: keeps the value in {self.accuracy:.2%} of {self.positions:,} positions, "
            f"in {self.decision_accuracy:.2%} of {self.decisions:,} decisions; "
            f"exploitability {self.exploitability:.3f}"
        )


def evaluate(policy: Policy, game: Grid | str, *, threads: int | None = None) -> Evaluation:
    """Measure a policy in every position that a game can reach, and against the best response.

    >>> measured = evaluate(uniform, "3x3x3")
    >>> print(measured.positions, round(measured.accuracy, 2), round(measured.exploitability, 2))
    4520 0.58 0.96
    >>> evaluate(truth_of("3x3x3").play, "3x3x3").exploitability
    0.0
    """
    truth = truth_of(game) if threads is None else Truth(game, threads)
    cells = truth.grid.cells
    # What X gets if the policy plays X, and if it plays O; of finished games it is known.
    results = [truth._finished(), truth._finished()]
    positions = decisions = 0
    kept = kept_decisions = 0.0
    for marks in range(cells - 1, -1, -1):
        for places, batch in truth._layer(marks):
            chances = chances_of(policy, batch)
            after = truth._places(batch)
            values = _ACTION_VALUES[np.where(after < 0, np.uint8(NO_GAME), truth._table[after])]
            best = values.max(axis=1, keepdims=True)
            keeps = (chances * (values == best)).sum(axis=1)
            is_decision = ((values != best) & (values != ILLEGAL)).any(axis=1)
            positions += len(batch)
            decisions += int(is_decision.sum())
            kept += float(keeps.sum(dtype=np.float64))
            kept_decisions += float(keeps[is_decision].sum(dtype=np.float64))
            for side, result in enumerate(results):
                expected = result[after]
                if marks % 2 == side:
                    result[places] = (chances * expected).sum(axis=1)
                elif side == 1:  # X answers to it
                    result[places] = np.where(after < 0, -np.inf, expected).max(axis=1)
                else:
                    result[places] = np.where(after < 0, np.inf, expected).min(axis=1)
    return Evaluation(
        game=str(truth.grid),
        positions=positions,
        decisions=decisions,
        accuracy=kept / positions,
        decision_accuracy=kept_decisions / decisions if decisions else 1.0,
        value=int(_VALUES[truth._table[0]]),
        as_x=float(results[0][0]),
        as_o=-float(results[1][0]),
    )


def exploitability(policy: Policy, game: Grid | str) -> float:
    """Return the mean of what a policy gives away as X and as O against its best response.

    >>> round(exploitability(uniform, "3x3x3"), 2)
    0.96
    """
    return evaluate(policy, game).exploitability


def uniform(batch: Batch) -> NDArray[np.float32]:
    """Play any legal action: a `Policy`."""
    return _shared(batch.legal_mask())


def _shared(among: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return equal probabilities for the actions that are marked in each row."""
    chances: NDArray[np.float32] = among / np.maximum(among.sum(axis=1, keepdims=True), 1)
    return chances.astype(np.float32)


# -- places in the table ---------------------------------------------------------------------


_BYTES = np.arange(256)
_IS_DRAW, _IS_WIN = _BYTES == DRAW, _BYTES % 2 == 1
_VALUES = np.where(_IS_DRAW, 0, np.where(_IS_WIN, 1, -1)).astype(np.int8)
_ACTION_VALUES = np.where(_BYTES == NO_GAME, ILLEGAL, -_VALUES).astype(np.int8)
_ORDER = np.where(_IS_DRAW, 300, np.where(_IS_WIN, _BYTES, 600 - _BYTES)).astype(np.int16)
_ORDER[NO_GAME] = 0
"""What a byte says of the side to move; and what of the side that moved there, by value and by
how soon: quick wins before slow ones, draws, slow losses before quick ones."""


class _Index(NamedTuple):
    """Where boards are in the table, for kernels; `noughts.solving.ranking` draws it."""

    cells: int
    sets: Words  # all sets of cells, by size and then by mask
    first: NDArray[np.int64]  # [size]: where its sets begin
    ranks: NDArray[np.int64]  # [set]: its number among those of its size
    starts: NDArray[np.int64]  # [marks]: where the boards begin
    strides: NDArray[np.int64]  # [marks]: how many boards have the same cells marked


@lru_cache(maxsize=4)
def _index_of(cells: int) -> _Index:
    masks = np.arange(1 << cells)
    sizes = sum((masks >> cell & 1 for cell in range(cells)), np.zeros_like(masks))
    order = np.lexsort((masks, sizes))
    first = np.searchsorted(sizes[order], np.arange(cells + 2))
    ranks = np.empty(1 << cells, np.int64)
    ranks[order] = np.arange(1 << cells) - first[sizes[order]]
    return _Index(
        cells=cells,
        sets=order.astype(np.uint64),
        first=first.astype(np.int64),
        ranks=ranks,
        starts=np.array(layer_starts(cells), np.int64),
        strides=np.array([comb(marks, marks // 2) for marks in range(cells + 1)], np.int64),
    )


@bare_kernel
def _place(index: _Index, x: np.uint64, o: np.uint64) -> int:
    """Return where the byte of a board is."""
    marked, among, place = x | o, np.uint64(0), np.uint64(0)
    left = marked
    while left != EMPTY:
        cell = lowest(left)
        left ^= cell
        if o & cell:
            among |= ONE << place
        place += ONE
    marks = signed(place)
    rank = index.ranks[marked] * index.strides[marks] + index.ranks[among]
    return signed(index.starts[marks] + rank)


@kernel
def _look_up(index: _Index, table: Bytes, marks: Words, known: Bytes, begin: int, end: int) -> None:
    """Write the bytes of boards."""
    for i in range(begin, end):
        known[i] = table[_place(index, marks[2 * i], marks[2 * i + 1])]


@kernel
def _find_places(
    index: _Index,
    marks: Words,
    verdicts: Codes,
    places: NDArray[np.int32],
    begin: int,
    end: int,
) -> None:
    """Write where the boards after each action are, -1 for the illegal ones."""
    for i in range(begin, end):
        x, o = marks[2 * i], marks[2 * i + 1]
        for cell in range(index.cells):
            bit = ONE << np.uint64(cell)
            if verdicts[i] > O_TURN or (x | o) & bit:
                places[i, cell] = -1
            elif verdicts[i] == O_TURN:
                places[i, cell] = _place(index, x, o | bit)
            else:
                places[i, cell] = _place(index, x | bit, o)


@kernel
def _write_boards(index: _Index, numbers: NDArray[np.int64], marks: int, boards: Words) -> None:
    """Write the boards with these numbers among those with so many marks."""
    stride = index.strides[marks]
    for i in range(len(numbers)):
        marked = index.sets[index.first[marks] + numbers[i] // stride]
        among = index.sets[index.first[marks // 2] + numbers[i] % stride]
        o, left = EMPTY, marked
        while left != EMPTY:
            cell = lowest(left)
            left ^= cell
            if among & ONE:
                o |= cell
            among >>= ONE
        boards[2 * i], boards[2 * i + 1] = marked ^ o, o
