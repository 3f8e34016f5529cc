"""A transfer-matrix sweep in pure Python: small boards at once, without numpy.

The sweep marks one variable after the other. All that matters of the variables swept so far,
the frontier, is which open lines are still all X, and which are still all O: two bit masks, the
state. A line is open from its first variable to its last. Markings with the same state are
merged::

    swept    . X X O | .         a line gets a bit when its first cell is swept,
             O X . _ | .         loses it at the first other mark or after its last cell,
             _ _ _ _ | .         and completing it is refused.

Each state has the numbers of its markings by x and o: a polynomial in two variables, packed
into one Python int with a field of fixed width per coefficient::

      ... | x=1 o=2 | x=1 o=1 | x=1 o=0 | x=0 o=2 | x=0 o=1 | x=0 o=0 |
                                          <- row ->           <- field ->

Adding polynomials is adding ints, and placing a mark is one shift. Both masks of a state also
share one int, the lines of O above those of X.
"""

from __future__ import annotations

from noughts.counting.problem import MarkCounts, Problem

__all__ = ["TooManyStates", "sweep"]


class TooManyStates(Exception):
    """The sweep has more states than the caller allows."""


def sweep(problem: Problem, limit: int, *, most_states: int | None = None) -> MarkCounts:
    """Return how many markings complete no line, by x and o, both up to `limit`.

    >>> from noughts import Grid
    >>> sweep(Problem.of_grid(Grid(1, 2, 2)), 2)
    [[1, 2, 0], [2, 2, 0], [0, 0, 0]]
    """
    if most_states is not None and most_states < 1:
        raise TooManyStates
    slots = problem.slots
    field = problem.bound.bit_length()
    heaviest = max(problem.weights, default=0)
    row = field * (limit + 1 + heaviest)  # a mark may overshoot the limit before it is cut off
    kept_row = (1 << field * (limit + 1)) - 1
    kept = sum(kept_row << row * x for x in range(limit + 1))

    states = {0: 1}
    for variable, weight in enumerate(problem.weights):
        touched = slots.touched[variable]
        x_only, o_only = touched, touched << slots.count
        neither = ~(x_only | o_only)
        begun_x, begun_o = slots.begun_x[variable], slots.begun_o[variable] << slots.count
        finished_x = slots.finished_x[variable]
        finished_o = slots.finished_o[variable] << slots.count
        may_x, may_o = not slots.barred_x[variable], not slots.barred_o[variable]
        after: dict[int, int] = {}
        get = after.get
        for state, markings in states.items():
            target = state & neither
            after[target] = get(target, 0) + markings
            if may_x and not state & finished_x:
                target = state & ~o_only | begun_x
                after[target] = get(target, 0) + (markings << row * weight & kept)
            if may_o and not state & finished_o:
                target = state & ~x_only | begun_o
                after[target] = get(target, 0) + (markings << field * weight & kept)
        if most_states is not None and len(after) > most_states:
            raise TooManyStates
        states = after
    (packed,) = states.values()  # every line is finished, so one state is left
    coefficient = (1 << field) - 1
    return [
        [packed >> (row * x + field * o) & coefficient for o in range(limit + 1)]
        for x in range(limit + 1)
    ]
