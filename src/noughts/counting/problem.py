"""The problem that a sweep solves: variables to mark, and lines that neither side may complete.

Everything that is counted comes down to one question. There are variables, each of which
becomes X, O or stays empty; a variable may stand for several cells at once (its weight).
There are sets of variables that must not become all X, and sets that must not become all O.
How many ways are there, by the number of cells marked X and marked O?

====================================  ====================================================
what is wanted                        variables and lines
====================================  ====================================================
boards without a line                 every cell, every line for both sides
the same below a position             the empty cells; lines lose the cells their side has,
                                      and die at the other side's marks
boards fixed by a symmetry            the orbits of its cells, weighted by their size
boards whose X lines all contain T    every cell; the lines around T are allowed to X
any other shape (torus, 3D, ...)      its cells and its lines
====================================  ====================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial

from noughts.errors import LimitExceeded
from noughts.rules.grid import Grid
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry

__all__ = ["MarkCounts", "Problem", "Slots", "upright"]

MarkCounts = list[list[int]]
"""Numbers of markings by x and o: ``counts[x][o]``."""

MAX_SLOTS = 64
"""Slots of a sweep that is compiled: the bits of a word."""

MAX_CELLS = 4096
"""Boards with more cells are not swept: their polynomials alone would fill any memory."""


def upright(position: GridPosition) -> GridPosition:
    """Return the position, turned so that no row is longer than a column.

    That changes no count. A sweep goes row by row, and its state grows with the row's length.
    """
    grid = position.grid
    if grid.cells > MAX_CELLS:
        raise LimitExceeded(f"a sweep takes up to {MAX_CELLS:,} cells; {grid} has {grid.cells:,}")
    if grid.cols <= grid.rows:
        return position
    x, o = (Symmetry.TRANSPOSE.apply(m, grid.rows, grid.cols) for m in (position.x, position.o))
    return GridPosition.unchecked(Grid(grid.cols, grid.rows, grid.k), x, o)


@dataclass(frozen=True)
class Problem:
    """Variables by weight, in the order they are swept, and the lines of each side."""

    weights: tuple[int, ...]
    x_lines: frozenset[frozenset[int]]
    o_lines: frozenset[frozenset[int]]

    @classmethod
    def of_grid(cls, grid: Grid, allowed_to_x: Iterable[int] = ()) -> Problem:
        """Return the problem of boards on a grid without a line.

        X may have lines that contain all cells of `allowed_to_x`, if that is not empty.
        """
        around = frozenset(allowed_to_x)
        lines = frozenset(frozenset(line) for line in grid.lines)
        x_lines = frozenset(line for line in lines if not (around and around <= line))
        return cls((1,) * grid.cells, x_lines, lines)

    @classmethod
    def of_position(cls, position: GridPosition) -> Problem:
        """Return the problem of marking empty cells so that neither side completes a line."""
        grid = position.grid
        empty = [cell for cell in range(grid.cells) if not (position.x | position.o) >> cell & 1]
        number = {cell: variable for variable, cell in enumerate(empty)}

        def remaining(own: int, other: int) -> frozenset[frozenset[int]]:
            return frozenset(
                frozenset(number[cell] for cell in line if not own >> cell & 1)
                for line in grid.lines
                if not any(other >> cell & 1 for cell in line)
            )

        x_lines, o_lines = remaining(position.x, position.o), remaining(position.o, position.x)
        return cls((1,) * len(empty), _shortest(x_lines), _shortest(o_lines))

    def folded(self, permutation: Sequence[int]) -> Problem:
        """Return the problem of markings that a permutation of the variables leaves alone.

        Such a marking is one of the permutation's cycles: each becomes one variable.
        """
        cycle_of: dict[int, int] = {}
        weights: list[int] = []
        for variable in range(len(self.weights)):
            if variable in cycle_of:
                continue
            weight = 0
            while variable not in cycle_of:
                cycle_of[variable] = len(weights)
                weight += self.weights[variable]
                variable = permutation[variable]
            weights.append(weight)

        def fold(lines: frozenset[frozenset[int]]) -> frozenset[frozenset[int]]:
            return frozenset(frozenset(cycle_of[v] for v in line) for line in lines)

        return Problem(tuple(weights), _shortest(fold(self.x_lines)), _shortest(fold(self.o_lines)))

    def restricted(self, variables: Iterable[int]) -> Problem:
        """Return the problem of marking only some of the variables; all others stay empty."""
        number = {variable: new for new, variable in enumerate(sorted(variables))}

        def within(lines: frozenset[frozenset[int]]) -> frozenset[frozenset[int]]:
            return frozenset(
                frozenset(number[v] for v in line) for line in lines if line <= number.keys()
            )

        weights = tuple(self.weights[variable] for variable in number)
        return Problem(weights, within(self.x_lines), within(self.o_lines))

    @property
    def size(self) -> int:
        """The number of cells that the variables stand for."""
        return sum(self.weights)

    @property
    def is_fair(self) -> bool:
        """Whether both sides have the same lines, so that swapping them changes nothing."""
        return self.x_lines == self.o_lines

    @property
    def bound(self) -> int:
        """A number that no count by (x, o) exceeds: the largest trinomial coefficient."""
        third, rest = divmod(self.size, 3)
        parts = [third + (i < rest) for i in range(3)]
        return factorial(self.size) // (
            factorial(parts[0]) * factorial(parts[1]) * factorial(parts[2])
        )

    @cached_property
    def slots(self) -> Slots:
        """The problem as the masks that a sweep works with."""
        return Slots.of(self)

    def require_slots(self) -> Slots:
        """Return the masks, or raise if they are too wide for compiled code."""
        if self.slots.count > MAX_SLOTS:
            raise LimitExceeded(
                "this board is too large to count: the sweep would track "
                f"{self.slots.count} open lines at once; the limit is {MAX_SLOTS}"
            )
        return self.slots


def _shortest(lines: frozenset[frozenset[int]]) -> frozenset[frozenset[int]]:
    """Return the lines that contain no other: a longer one is complete only if that one is."""
    kept: set[frozenset[int]] = set()
    for length in sorted({len(line) for line in lines}):
        shorter = tuple(kept)
        kept |= {
            line
            for line in lines
            if len(line) == length and not any(other <= line for other in shorter)
        }
    return frozenset(kept)


@dataclass(frozen=True)
class Slots:
    """The lines of a problem, as bit masks by variable.

    A line holds a slot, one bit, from its first variable to its last; then the slot is free
    for another line. So a state needs as many bits as lines are open at once. `touched`
    are the slots of all lines through a variable; `begun` and `finished` those that it begins
    and finishes for one side. A variable that is a line by itself is `barred` to that side.
    """

    count: int
    touched: tuple[int, ...]
    begun_x: tuple[int, ...]
    begun_o: tuple[int, ...]
    finished_x: tuple[int, ...]
    finished_o: tuple[int, ...]
    barred_x: tuple[bool, ...]
    barred_o: tuple[bool, ...]

    @classmethod
    def of(cls, problem: Problem) -> Slots:
        """Give every line a slot."""
        variables = range(len(problem.weights))
        lines = {line for line in problem.x_lines | problem.o_lines if len(line) > 1}
        first: dict[int, list[frozenset[int]]] = {variable: [] for variable in variables}
        last: dict[int, list[frozenset[int]]] = {variable: [] for variable in variables}
        for line in sorted(lines, key=sorted):
            first[min(line)].append(line)
            last[max(line)].append(line)
        touched, begun_x, begun_o, finished_x, finished_o = ([0] * len(variables) for _ in range(5))
        slot_of: dict[frozenset[int], int] = {}
        free: list[int] = []
        count = 0
        for variable in variables:
            for line in first[variable]:
                if free:
                    slot_of[line] = free.pop()
                else:
                    slot_of[line] = count
                    count += 1
                bit = 1 << slot_of[line]
                for other in line:
                    touched[other] |= bit
                for side, begun, finished in (
                    (problem.x_lines, begun_x, finished_x),
                    (problem.o_lines, begun_o, finished_o),
                ):
                    if line in side:
                        begun[variable] |= bit
                        finished[max(line)] |= bit
            free += [slot_of[line] for line in last[variable]]
        return cls(
            count,
            tuple(touched),
            tuple(begun_x),
            tuple(begun_o),
            tuple(finished_x),
            tuple(finished_o),
            tuple(frozenset({v}) in problem.x_lines for v in variables),
            tuple(frozenset({v}) in problem.o_lines for v in variables),
        )
