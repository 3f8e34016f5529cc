"""Timing two things against each other on a noisy machine."""

from __future__ import annotations

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


def best_seconds(*tasks: Task, rounds: int = 15) -> list[float]:
    """Return the best time of each task; they take turns, so that noise hits all alike."""
    best = [float("inf")] * len(tasks)
    for _ in range(rounds):
        for index, task in enumerate(tasks):
            prepared = task.prepare()
            begin = perf_counter()
            task.run(prepared)
            best[index] = min(best[index], perf_counter() - begin)
    return best


def print_ratio(what: str, ours: float, theirs: float, per: int, target: float) -> None:
    """Print both times per operation and how many times faster ours is."""
    ratio = theirs / ours
    verdict = "ok" if ratio >= target else "BELOW TARGET"
    print(
        f"{what:<46}{ours / per * 1e6:>9.3f}{theirs / per * 1e6:>11.3f}"
        f"{ratio:>8.2f}x{target:>7.2g}x  {verdict}"
    )
