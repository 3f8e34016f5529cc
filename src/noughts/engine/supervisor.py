"""Runs searches in threads of their own, within a time limit.

The calling thread polls the clock, so that Ctrl-C, a cancelled analysis and the end of the time
all take effect within milliseconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

from noughts.limits import Limits

__all__ = ["NO_NODE_LIMIT", "Supervisor"]

NO_NODE_LIMIT = 1 << 62

_POLL_INTERVAL = 0.002  # seconds between two looks at the clock
_ANSWER = 0.002  # seconds kept back for putting the answer together
_PROGRESS_INTERVAL = 0.25  # seconds between two calls of `on_progress`


class Supervisor:
    """The limits of one analysis and its clock, which starts when this is made."""

    def __init__(self, limits: Limits, cancelled: Event) -> None:
        self.limits = limits
        self._cancelled = cancelled
        self._begin = time.perf_counter()

    @property
    def threads(self) -> int:
        """The threads to search on: one if nothing else is asked for."""
        return self.limits.threads or 1

    @property
    def seconds(self) -> float:
        """The time since the analysis began."""
        return time.perf_counter() - self._begin

    @property
    def left(self) -> float:
        """The seconds that are left for searching: 0 once the analysis is cancelled."""
        if self._cancelled.is_set():
            return 0.0
        seconds = self.limits.seconds
        if seconds is None:
            return math.inf
        return max(seconds - _ANSWER, seconds / 2) - self.seconds

    def node_limits(self, threads: int) -> list[int]:
        """Return how many nodes each thread may visit: together as many as the limit says."""
        nodes = self.limits.nodes
        if nodes is None:
            return [NO_NODE_LIMIT] * threads
        return [nodes // threads + (i < nodes % threads) for i in range(threads)]

    def run(
        self,
        searches: Sequence[Callable[[], None]],
        stop: Callable[[], None],
        on_progress: Callable[[], None] | None = None,
        *,
        share: float = 1.0,
        led: bool = False,
    ) -> None:
        """Run searches side by side until all are done, or for a share of the time left.

        `stop` makes them return. With `led` they are stopped as soon as the first is done.
        """
        deadline = self.seconds + share * self.left
        next_progress = self.seconds + _PROGRESS_INTERVAL
        with ThreadPoolExecutor(len(searches)) as pool:
            try:
                running = [pool.submit(search) for search in searches]
                awaited = running[:1] if led else running
                while self.left > 0 and self.seconds < deadline:
                    timeout = max(min(_POLL_INTERVAL, deadline - self.seconds), 0)
                    if not wait(awaited, timeout).not_done:
                        break
                    if on_progress is not None and self.seconds > next_progress:
                        next_progress = self.seconds + _PROGRESS_INTERVAL
                        on_progress()
            finally:
                stop()
        for search in running:
            search.result()
