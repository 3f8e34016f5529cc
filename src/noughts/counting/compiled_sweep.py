"""The sweep for large boards: compiled, modulo primes, on all cores.

It is the sweep of `sweep`, in two steps. The **survey** finds the states variable by
variable and how they lead to each other; it needs no counts, so it is done once. Then each
**pass** carries the counts through that graph modulo one prime. Placing marks only ever adds
counts, so a pass consists of additions, and residues fit in 32 bits.

Where both sides have the same lines, the counts of a state are those of the state with the
sides swapped, its mirror, transposed. Only one of the two is kept (the one whose mask for X is
the smaller), and an edge of the graph says whether to transpose on the way::

    edge = source << 3 | mark << 1 | transpose        mark: 0 empty, 1 X, 2 O

Edges are sorted by target, so that every target sums up its own sources and threads never
write to the same place.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from noughts.kernels import NDArray, kernel, np, wrapping  # isort: skip  - says which extra is missing

from noughts import kernels
from noughts.counting.problem import MarkCounts, Problem
from noughts.counting.runner import Progress
from noughts.errors import LimitExceeded
from noughts.limits import human_size
from noughts.rules.grid import Grid

__all__ = ["Survey", "load", "needs_compiling", "sweep_modulo"]

Masks = NDArray[np.uint64]
Residues = NDArray[np.uint32]

_MAX_STATES = 1 << 29  # an edge has 32 bits, 3 of them for mark and transposition
_BYTES_PER_STATE = 180  # masks, hash table and edges while a layer is found


@dataclass(frozen=True)
class _Layer:
    """The states after one variable: where their edges begin, and the edges."""

    states: int
    width: int  # counts by x and o, both below this
    weight: int
    offsets: NDArray[np.int64]
    edges: NDArray[np.uint32]

    @property
    def bytes(self) -> int:
        """What the counts of all states take."""
        return self.states * self.width**2 * 4

    @property
    def work(self) -> int:
        """The additions that lead to this layer."""
        return len(self.edges) * self.width**2


@dataclass(frozen=True)
class Survey:
    """The graph of a sweep, and what a pass through it takes."""

    layers: tuple[_Layer, ...]
    limit: int

    @classmethod
    def of(
        cls,
        problem: Problem,
        limit: int,
        memory: int,
        poll: Callable[[], object] = lambda: None,
    ) -> Survey:
        """Find all states of a problem, or raise if its passes need more than `memory` bytes.

        `poll` is called after each variable; what it raises ends the survey.
        """
        slots = problem.require_slots()
        x, o = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
        layers: list[_Layer] = []
        counts, graph = 4, 0
        swept = 0
        for variable, weight in enumerate(problem.weights):
            swept += weight
            width = min(swept, limit) + 1
            room = memory - graph - counts
            most = max(0, min(room // (width**2 * 4 + _BYTES_PER_STATE), _MAX_STATES))
            x, o, offsets, edges = _in_thread(
                _next_layer,
                *(x, o, np.uint64(slots.touched[variable])),
                *(np.uint64(slots.begun_x[variable]), np.uint64(slots.begun_o[variable])),
                *(np.uint64(slots.finished_x[variable]), np.uint64(slots.finished_o[variable])),
                *(slots.barred_x[variable], slots.barred_o[variable], problem.is_fair, most),
            )
            if not len(offsets):
                done = f"{variable + 1} of {len(problem.weights)} cells"
                raise LimitExceeded(
                    f"this count needs more than {human_size(memory)} of memory: "
                    f"there are over {most:,} states after {done}"
                )
            layers.append(_Layer(len(x), width, weight, offsets, edges))
            poll()
            counts = layers[-1].bytes
            graph += offsets.nbytes + edges.nbytes
        survey = cls(tuple(layers), limit)
        if survey.memory > memory:
            need, allowed = human_size(survey.memory), human_size(memory)
            raise LimitExceeded(f"this count needs {need} of memory, and {allowed} are allowed")
        return survey

    @property
    def most_states(self) -> int:
        """The largest number of states in a layer."""
        return max((layer.states for layer in self.layers), default=1)

    @property
    def memory(self) -> int:
        """The bytes that the graph and one pass take."""
        sizes = [4, *(layer.bytes for layer in self.layers)]
        graph = sum(layer.offsets.nbytes + layer.edges.nbytes for layer in self.layers)
        return graph + max((a + b for a, b in itertools.pairwise(sizes)), default=4)


def needs_compiling() -> bool:
    """Return whether the first sweep will compile its kernels."""
    return kernels.needs_compiling(_pull)


def load() -> None:
    """Load the kernels or compile them, by a count that takes no time."""
    sweep_modulo(Survey.of(Problem.of_grid(Grid(2, 2, 2)), 2, 1 << 20), (1 << 31) - 1)


def sweep_modulo(
    survey: Survey, prime: int, threads: int = 1, report: Progress = lambda share: None
) -> MarkCounts:
    """Return the counts by x and o modulo a prime below 2**31."""
    counts: Residues = np.ones((1, 1), np.uint32)
    width = 1
    total = sum(layer.work for layer in survey.layers) or 1
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for layer in survey.layers:
            after: Residues = np.empty((layer.states, layer.width**2), np.uint32)
            # More parts than threads, so that a thread with light states takes more of them.
            cuts = [layer.states * part // (4 * threads) for part in range(4 * threads + 1)]
            jobs = [
                pool.submit(
                    _wrapping,
                    _pull,
                    *(counts, after, layer.offsets, layer.edges, first, last),
                    *(np.uint32(prime), width, layer.width, layer.weight),
                )
                for first, last in itertools.pairwise(cuts)
                if first < last
            ]
            for job in jobs:
                job.result()
            counts, width = after, layer.width
            done += layer.work
            report(done / total)
    size = survey.limit + 1
    table = [[0] * size for _ in range(size)]
    for x in range(width):
        table[x][:width] = counts[0, x * width : (x + 1) * width].tolist()
    return table


def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a kernel in another thread: an exception by Ctrl-C inside of compiled code is unsafe."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_wrapping, function, *arguments).result()


def _wrapping(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a kernel; numpy's warnings are set per thread, so that is done here."""
    with wrapping():
        return function(*arguments)


@kernel
def _mix(x: np.uint64, o: np.uint64) -> np.uint64:
    """Return a hash of a state; every bit of both masks reaches the low bits."""
    h = x * np.uint64(0x9E3779B97F4A7C15) ^ (o + np.uint64(0x632BE59BD9B4E019)) * np.uint64(
        0xC2B2AE3D27D4EB4F
    )
    h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    return h ^ h >> np.uint64(32)


@kernel
def _next_layer(
    x: Masks,
    o: Masks,
    touched: np.uint64,
    begun_x: np.uint64,
    begun_o: np.uint64,
    finished_x: np.uint64,
    finished_o: np.uint64,
    barred_x: bool,
    barred_o: bool,
    fair: bool,
    most: int,
) -> tuple[Masks, Masks, NDArray[np.int64], NDArray[np.uint32]]:
    """Return the states after one more variable, and their edges sorted by target.

    With more than `most` states everything that it returns is empty.
    """
    untouched = ~touched
    bits = 6
    while (1 << bits) < 2 * len(x):
        bits += 1
    table = np.full(1 << bits, -1, np.int32)  # open addressing; holds numbers of states
    low = np.uint64((1 << bits) - 1)
    after_x = np.empty(1 << bits, np.uint64)
    after_o = np.empty(1 << bits, np.uint64)
    states = 0
    edges = np.empty(3 * len(x) + 8, np.uint32)
    targets = np.empty(3 * len(x) + 8, np.int32)
    count = 0
    for source in range(len(x)):
        is_own_mirror = x[source] == o[source]
        for mark in range(3):
            to_x, to_o = x[source], o[source]
            if mark == 1:
                if barred_x or to_x & finished_x:
                    continue
                to_x, to_o = to_x | begun_x, to_o & untouched
            elif mark == 2:
                if barred_o or to_o & finished_o:
                    continue
                to_x, to_o = to_x & untouched, to_o | begun_o
            else:
                to_x, to_o = to_x & untouched, to_o & untouched
            transpose = 0
            if fair and to_x > to_o:
                if is_own_mirror:
                    continue  # the same as the mirror's edge, which goes to the kept state
                to_x, to_o, transpose = to_o, to_x, 1

            place = _mix(to_x, to_o) & low
            while table[place] >= 0:
                target = table[place]
                if after_x[target] == to_x and after_o[target] == to_o:
                    break
                place = (place + np.uint64(1)) & low
            if table[place] < 0:
                if states == most:
                    nothing = np.empty(0, np.uint64)
                    return nothing, nothing, np.empty(0, np.int64), np.empty(0, np.uint32)
                table[place] = states
                after_x[states], after_o[states] = to_x, to_o
                states += 1
                if 2 * states > len(table):
                    bits += 1
                    low = np.uint64((1 << bits) - 1)
                    table = np.full(1 << bits, -1, np.int32)
                    for state in range(states):
                        spot = _mix(after_x[state], after_o[state]) & low
                        while table[spot] >= 0:
                            spot = (spot + np.uint64(1)) & low
                        table[spot] = state
                    after_x = np.concatenate((after_x, np.empty_like(after_x)))
                    after_o = np.concatenate((after_o, np.empty_like(after_o)))
                target = states - 1
            else:
                target = table[place]

            # A target that is its own mirror takes what comes from the source and its mirror.
            times = 2 if fair and to_x == to_o and not is_own_mirror else 1
            for turn in range(times):
                if count == len(edges):
                    edges = np.concatenate((edges, np.empty_like(edges)))
                    targets = np.concatenate((targets, np.empty_like(targets)))
                edges[count] = np.uint32(source << 3 | mark << 1 | transpose ^ turn)
                targets[count] = target
                count += 1

    offsets = np.zeros(states + 1, np.int64)
    for edge in range(count):
        offsets[targets[edge] + 1] += 1
    for state in range(states):
        offsets[state + 1] += offsets[state]
    place_of = offsets[:-1].copy()
    by_target = np.empty(count, np.uint32)
    for edge in range(count):
        by_target[place_of[targets[edge]]] = edges[edge]
        place_of[targets[edge]] += 1
    return after_x[:states].copy(), after_o[:states].copy(), offsets, by_target


@kernel
def _pull(
    before: Residues,
    after: Residues,
    offsets: NDArray[np.int64],
    edges: NDArray[np.uint32],
    first: int,
    last: int,
    prime: np.uint32,
    old_width: int,
    width: int,
    weight: int,
) -> None:
    """Sum up the counts of the states from `first` up to `last`, modulo `prime`.

    What is to be transposed is summed up apart and transposed once.
    """
    flipped = np.zeros(width * width, np.uint32)
    for state in range(first, last):
        after[state] = 0
        has_flipped = False
        for place in range(offsets[state], offsets[state + 1]):
            edge = edges[place]
            terms = before[edge >> np.uint32(3)]
            mark = (edge >> np.uint32(1)) & np.uint32(3)
            if edge & np.uint32(1):
                has_flipped = True
                _add(flipped, terms, mark, prime, old_width, width, weight)
            else:
                _add(after[state], terms, mark, prime, old_width, width, weight)
        if has_flipped:
            table, transposed = (
                after[state].reshape((width, width)),
                flipped.reshape((width, width)),
            )
            for row in range(width):
                for col in range(width):
                    added = np.uint32(table[row, col] + transposed[col, row])
                    table[row, col] = min(added, np.uint32(added - prime))
            flipped[:] = 0


@kernel
def _add(
    sums: Residues,
    terms: Residues,
    mark: np.uint32,
    prime: np.uint32,
    old_width: int,
    width: int,
    weight: int,
) -> None:
    """Add the counts of a state to others, shifted by the mark placed, modulo `prime`."""
    if mark != 2 and old_width == width:
        # Nothing or whole rows are shifted: that is one run.
        shift = weight * width if mark == 1 else 0
        _add_run(sums[shift:], terms, prime)
        return
    more_x = weight if mark == 1 else 0
    more_o = weight if mark == 2 else 0
    cols = min(old_width, width - more_o)
    for row in range(min(old_width, width - more_x)):
        here = (row + more_x) * width + more_o
        there = row * old_width
        _add_run(sums[here : here + cols], terms[there : there + cols], prime)


@kernel
def _add_run(sums: Residues, terms: Residues, prime: np.uint32) -> None:
    """Add counts to others, as many as the sums are.

    Residues are unsigned: where a sum is below the prime, sum minus prime wraps around to a
    large number, so the lesser of the two is the residue. In this form, with an index that
    counts up from 0, it is done for many at once.
    """
    for place in range(len(sums)):
        added = np.uint32(sums[place] + terms[place])
        sums[place] = min(added, np.uint32(added - prime))
