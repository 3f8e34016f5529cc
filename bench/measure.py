"""Timing two things against each other on a noisy machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

__all__ = ["Task", "best_seconds", "print_ratio"]


@dataclass(frozen=True)
class Task:
    """Something to time; what `prepare` returns is handed to `run`, and only `run` counts."""

    run: Callable[[Any], object]
    prepare: Callable[[], Any] = lambda: None


def best_seconds(
    *tasks: Task, rounds: int = 15, clock: Callable[[], float] = perf_counter
) -> list[float]:
    """Return the best time of each task.

    They take turns, so that noise hits all alike, and each round begins with another one, so
    that none always runs on what the same neighbour left in memory and caches.
    """
    best = [float("inf")] * len(tasks)
    order = deque(range(len(tasks)))
    for _ in range(rounds):
        order.rotate()
        for index in order:
            prepared = tasks[index].prepare()
            begin = clock()
            tasks[index].run(prepared)
            best[index] = min(best[index], clock() - begin)
            del prepared  # before the next one asks for memory
    return best


def print_ratio(what: str, ours: float, theirs: float, per: int, target: float | None) -> None:
    """Print both times per operation and how many times faster ours is; None is no target."""
    ratio = theirs / ours
    wanted = "-" if target is None else f"{target:.2g}x"
    verdict = "" if target is None else "ok" if ratio >= target else "BELOW TARGET"
    print(
        f"{what:<46}{ours / per * 1e6:>9.3f}{theirs / per * 1e6:>11.3f}"
        f"{ratio:>8.2f}x{wanted:>8}  {verdict}".rstrip()
    )
