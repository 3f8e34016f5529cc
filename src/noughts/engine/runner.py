"""Watching over searches that run in threads of their own.

The calling thread looks at the clock, so that Ctrl-C, a cancelled wish and the end of the time
are all noticed within milliseconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

from noughts.engine.limit import Limit

__all__ = ["Watch"]

_GLANCE = 0.002  # seconds between two looks at the clock
_ANSWER = 0.002  # seconds kept back for putting the answer together
_TELL = 0.25  # seconds between two reports


class Watch:
    """The clock of one question; it runs from when it is made."""

    def __init__(self, limit: Limit, stop: Event) -> None:
        self.limit = limit
        self._stop = stop
        self._begin = time.perf_counter()

    @property
    def seconds(self) -> float:
        """The time since the question was asked."""
        return time.perf_counter() - self._begin

    @property
    def left(self) -> float:
        """The seconds that are left for thinking; none once somebody wants an end."""
        if self._stop.is_set():
            return 0.0
        seconds = self.limit.seconds
        if seconds is None:
            return math.inf
        return max(seconds - _ANSWER, seconds / 2) - self.seconds

    def over(
        self,
        searches: Sequence[Callable[[], None]],
        end: Callable[[], None],
        tell: Callable[[], None] | None = None,
        *,
        share: float = 1.0,
        led: bool = False,
    ) -> None:
        """Run searches side by side until all are done, or for a share of the time left.

        `end` makes them give up. `tell` is called now and then. If they are `led`, the end of
        the first one is the end of all.
        """
        deadline = self.seconds + share * self.left
        next_report = self.seconds + _TELL
        with ThreadPoolExecutor(len(searches)) as pool:
            try:
                jobs = [pool.submit(search) for search in searches]
                awaited = jobs[:1] if led else jobs
                while self.left > 0 and self.seconds < deadline:
                    if not wait(awaited, max(min(_GLANCE, deadline - self.seconds), 0)).not_done:
                        break
                    if tell is not None and self.seconds > next_report:
                        next_report = self.seconds + _TELL
                        tell()
            finally:
                end()
        for job in jobs:
            job.result()
