"""Work on many boards, shared out to the cores of the machine.

Kernels do not hold Python's lock, so plain threads run them side by side. numba's own parallel
loops would do, too, but two of them at the same time, or a fork after one, can end the process.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from noughts.kernels import COMPILED, wrapping
from noughts.limits import MOST_THREADS, Limits

__all__ = ["in_parts", "threads_of"]

_pool: ThreadPoolExecutor | None = None


def threads_of(threads: int | None) -> int:
    """Return a number of threads that was asked for, or how many run at once here."""
    asked = Limits(threads=threads).threads
    if not COMPILED:
        return 1  # they would wait for each other
    if asked is not None:
        return asked
    known = hasattr(os, "sched_getaffinity")
    return min(len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1, MOST_THREADS)


def in_parts(work: Callable[[int, int], Any], count: int, threads: int, least: int) -> list[Any]:
    """Call ``work(begin, end)`` for parts of 0 to `count`, one in each thread; return the results.

    Parts have `least` items or more: handing one to a thread takes as long as a few thousand
    boards. The calling thread does the first part.
    """
    parts = max(1, min(threads, count // least))
    cuts = [count * part // parts for part in range(parts + 1)]
    others = [
        _threads().submit(_work, work, cuts[part], cuts[part + 1]) for part in range(1, parts)
    ]
    try:
        first = _work(work, 0, cuts[1])
    finally:
        wait(others)  # they write to arrays of the caller
    return [first, *(other.result() for other in others)]


def _work(work: Callable[[int, int], Any], begin: int, end: int) -> Any:
    with wrapping():  # a setting of the thread
        return work(begin, end)


def _threads() -> ThreadPoolExecutor:
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="noughts")
    return _pool


def _forget_threads() -> None:
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)  # a child has none of the threads
