"""Do moves take constant time, and games little memory? Told by ratios within one run.

Time: the solution fills whole lines on boards of growing size; `measuring` takes the least of
several measurements that take turns. Code that looks along a line needs ten times as long on
the largest board as on the smallest, counters need the same time. The margin lies between.

Memory: from one size to a second, 16 times as large, counters take up to 16 times as much, a
stored board 256 times. Bytes are counted, so there is no noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import truediv
from typing import Any

from noughts.exercises.grading.play import millionth
from noughts.exercises.grading.process import Fault, SolutionProcess

__all__ = ["growth_of"]

SIZES = (16, 64, 256, 1024, 4096)
TIME_MARGIN = 4.0

MEMORY_SIZES = (64, 1024)
MEMORY_MARGIN = 64.0

SECONDS = 20.0
"""For one measurement; they stop by themselves long before."""


def growth_of(process: SolutionProcess) -> Iterator[tuple[str, str | None]]:
    """Yield what is measured, each with what is wrong with it or None."""
    (times,) = process.ask([{"time": SIZES}], SECONDS)
    yield "time", _slow_growth(times)
    if isinstance(times, Fault):
        return
    (memory,) = process.ask([{"memory": MEMORY_SIZES}], SECONDS)
    fault = _large_growth(memory)
    yield "memory", fault
    if fault is None:
        case = millionth()
        (results,) = process.ask([case.question])
        what = None
        if isinstance(results, Fault):
            what = f"a game of n = 1,000,000 {results.text}"
        elif results != [0, 0, 0]:
            what = f"on n = 1,000,000 three moves return {results!r:.80}, not [0, 0, 0]"
        yield "large board", what


def _slow_growth(times: Any) -> str | None:
    if isinstance(times, Fault):
        return f"the time of moves cannot be measured: {times.text}"
    try:
        small, *_, large = times
        ratio = max(map(truediv, large, small))
        n = SIZES[len(times) - 1]
    except (TypeError, ValueError, ZeroDivisionError, IndexError):
        return "the time of moves cannot be measured"
    if ratio <= TIME_MARGIN:
        return None
    return (
        f"moves are not made in constant time: on {n}x{n} a move takes {ratio:.0f} times as "
        f"long as on {SIZES[0]}x{SIZES[0]}"
    )


def _large_growth(memory: Any) -> str | None:
    if isinstance(memory, Fault):
        return f"memory cannot be measured: {memory.text}"
    try:
        ratio = memory[1] / max(memory[0], 1)
    except (TypeError, LookupError):
        return "memory cannot be measured"
    if ratio <= MEMORY_MARGIN:
        return None
    small, large = MEMORY_SIZES
    return (
        f"the whole board is stored: from n = {small} to {large} memory grows {ratio:.0f} times, "
        "so n = 1,000,000 does not fit"
    )
