"""Time per move and memory of a game at growing sizes; this runs in the solution's process."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from operator import truediv
from time import thread_time
from typing import Any

__all__ = ["peak_memory", "time_moves"]

MOVES = 1024
"""Moves in one measurement: many games on a small board, one on a large one."""

PASSES = 5
CLEAR = 10.0  # times as long as on the smallest board: larger ones would show nothing new
ENOUGH = 1.0  # seconds for one size, beyond which no larger one is tried


def time_moves(make: Any, sizes: Sequence[int]) -> list[list[float]]:
    """Return for each size the seconds per move on a row, a column and both diagonals.

    Each is the least of several measurements, which take turns with those of the smallest size,
    so that a busy moment of the machine meets both. Processor time is measured, as a clock
    would run on while other processes have the processor. Sizes beyond those that show a clear
    growth, or take long, are left out.
    """
    best = [_measure(make, sizes[0])]
    for n in sizes[1:]:
        begin = thread_time()
        best.append(_measure(make, n))
        for _ in range(PASSES - 1):
            best[0] = list(map(min, best[0], _measure(make, sizes[0])))
            best[-1] = list(map(min, best[-1], _measure(make, n)))
            if thread_time() - begin > ENOUGH:
                break
        ratio = max(map(truediv, best[-1], best[0]))
        if ratio > CLEAR or thread_time() - begin > ENOUGH:
            break
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
        begin = thread_time()
        for row, col in line:
            game.move(row, col, 1)
        total += thread_time() - begin
    return max(total, 1e-9) / (games * n)


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
