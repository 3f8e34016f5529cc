"""The solver against plain alpha-beta with a table, in one run.

For each grid: the value, the nodes visited, nodes per second and the time of the search (the
best of three runs, each with empty memory; kernels loaded before); beside it the plain solver,
which gets a limit of nodes. Run with ``make bench``.
"""

from __future__ import annotations

from time import perf_counter

import alphabeta
from noughts import Grid, GridPosition
from noughts.solving.solver import Solver

GRIDS = [
    *("3x3x3", "3x4x3", "4x4x3", "4x4x4", "4x5x4", "5x5x4", "5x6x4", "6x6x4", "8x8x4"),
    *("5x5x5", "6x6x5", "7x7x6", "4x7x4", "6x7x5", "7x7x5"),
]
PLAIN_LIMIT = 10_000_000
ROUNDS = 3
WORDS = {1: "X wins", 0: "draw", alphabeta.UNKNOWN: "not found"}


def measure(name: str) -> tuple[str, int, float]:
    """Return our value, nodes and best time."""
    position = GridPosition.start(name)
    best = float("inf")
    rounds = ROUNDS
    while rounds:
        solver = Solver(position.grid)
        begin = perf_counter()
        solution = solver.solve(position, with_line=False)
        taken = perf_counter() - begin
        if taken < best:
            best, nodes, words = taken, solution.nodes, str(solution)
        rounds = 0 if taken > 10 else rounds - 1
    return words, nodes, best


def main() -> None:
    """Measure all grids."""
    Solver(Grid(3, 4, 3)).solve(GridPosition.start("3x4x3"))
    alphabeta.solve(Grid(2, 2, 2), 1000)
    print(
        f"{'grid':<7}{'noughts':<20}{'nodes':>11}{'nodes/s':>11}{'time':>10}   "
        f"{'alpha-beta':<11}{'nodes':>12}{'time':>10}{'ratio':>9}"
    )
    for name in GRIDS:
        words, nodes, taken = measure(name)
        begin = perf_counter()
        plain, plain_nodes = alphabeta.solve(Grid.parse(name), PLAIN_LIMIT)
        plain_taken = perf_counter() - begin
        assert plain == alphabeta.UNKNOWN or WORDS[plain].split()[-1] in words, name
        ratio = f"{plain_taken / taken:>7.0f}x" if plain != alphabeta.UNKNOWN else "        "
        print(
            f"{name:<7}{words:<20}{nodes:>11,}{nodes / taken:>11,.0f}{taken:>8.3f} s   "
            f"{WORDS[plain]:<11}{plain_nodes:>12,}{plain_taken:>8.2f} s {ratio}",
            flush=True,
        )


if __name__ == "__main__":
    main()
