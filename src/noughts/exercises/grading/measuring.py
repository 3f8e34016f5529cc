"""Time per move and memory of a game at growing sizes; this runs in the solution's process."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from time import perf_counter
from typing import Any

__all__ = ["peak_memory", "time_moves"]

MOVES = 4096
"""Moves in one measurement: many games on a small board, one on a large one."""

PASSES = 7
ENOUGH = 0.25  # seconds for one size, beyond which no larger one is tried
ALL = 2.0  # seconds for all passes


def time_moves(make: Any, sizes: Sequence[int]) -> list[list[float]]:
    """Return for each size the seconds per move on a row, a column and both diagonals.

    Each is the least of several measurements, and these take turns among the sizes, so that
    a busy moment of the machine meets all sizes alike and counts for none. Sizes that would
    take long are left out.
    """
    begin = perf_counter()
    best: list[list[float]] = []
    for n in sizes:
        before = perf_counter()
        best.append(_measure(make, n))
        if perf_counter() - before > ENOUGH:
            break
    for _ in range(PASSES - 1):
        if perf_counter() - begin > ALL:
            break
        for index, n in enumerate(sizes[: len(best)]):
            best[index] = list(map(min, best[index], _measure(make, n)))
    return best


def _measure(make: Any, n: int) -> list[float]:
    return [_seconds_per_move(make, n, line) for line in _lines(n)]


def _lines(n: int) -> list[list[tuple[int, int]]]:
    """Return a row, a column and both diagonals.

    One player fills a whole line, as code that looks along lines stops at the first cell that
    does not match.
    """
    every = range(n)
    return [
        [(0, i) for i in every],
        [(i, 0) for i in every],
        [(i, i) for i in every],
        [(i, n - 1 - i) for i in every],
    ]


def _seconds_per_move(make: Any, n: int, line: list[tuple[int, int]]) -> float:
    games = max(1, MOVES // n)
    total = 0.0
    for _ in range(games):
        game = make(n)
        begin = perf_counter()
        for row, col in line:
            game.move(row, col, 1)
        total += perf_counter() - begin
    return total / (games * n)


def peak_memory(make: Any, n: int) -> int:
    """Return the bytes that a game of size n takes with its first two moves, at their peak."""
    tracemalloc.start()
    try:
        game = make(n)
        game.move(0, 0, 1)
        game.move(n - 1, 0, 2)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
