"""Listing and counting games: backtracking against C, blocks against tuples, sweeps by grid.

Run with ``make bench``. Ratios are taken in one run, both sides taking turns.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from itertools import islice
from pathlib import Path
from time import perf_counter

from measure import Task, best_seconds, print_ratio
from noughts import GridPosition
from noughts.counting import count
from noughts.counting.backtracking import Backtracking
from noughts.counting.listing import Games

HERE = Path(__file__).parent


def bench_backtracking(grid: str = "3x4x3") -> None:
    """Compare backtracking on one core with a plain C program of the same algorithm."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("backtracking against C: no C compiler here")
        return
    position = GridPosition.start(grid)
    Backtracking(GridPosition.start("2x2x2")).count()  # compiles it, or loads the machine code
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "walk"
        subprocess.run([compiler, "-O3", "-o", program, HERE / "walk.c"], check=True)
        arguments: list[str | Path] = [program, *grid.split("x")]

        def in_c(_: object) -> int:
            return int(subprocess.run(arguments, check=True, capture_output=True).stdout)

        total = int(Backtracking(position).count().sum())
        assert total == in_c(None) == count(grid).total
        ours, theirs = best_seconds(
            Task(lambda _: Backtracking(position).count()), Task(in_c), rounds=3
        )
    print_ratio(f"playing the {total:,} games of {grid}", ours, theirs, total, 0.7)


def bench_blocks(grid: str = "3x3x3") -> None:
    """Compare games in blocks with games one by one."""
    games = Games(grid)
    next(games.blocks())
    amount = games.total

    def one_by_one(_: object) -> int:
        return sum(1 for _ in islice(games, amount))

    def in_blocks(_: object) -> int:
        return sum(len(block) for block in games.blocks())

    assert one_by_one(None) == in_blocks(None) == amount
    ours, theirs = best_seconds(Task(in_blocks), Task(one_by_one), rounds=3)
    print_ratio(f"listing the {amount:,} games of {grid} in blocks", ours, theirs, amount, 50)


def bench_sweeps() -> None:
    """Show the time of counts on grids with too many games to list."""
    print(f"\n{'counting games':<16}{'seconds':>9}   games")
    for grid in ("4x4x3", "5x5x3", "5x5x4", "5x5x5", "7x7x7", "6x6x3", "8x8x8"):
        begin = perf_counter()
        total = count(grid).total
        print(f"{grid:<16}{perf_counter() - begin:>9.2f}   {total:.3e}")


def main() -> None:
    """Run all of them."""
    print(
        f"{'best time in microseconds per game':<46}"
        f"{'noughts':>9}{'peer':>11}{'ratio':>9}{'target':>8}"
    )
    bench_backtracking()
    bench_blocks()
    bench_sweeps()


if __name__ == "__main__":
    main()
