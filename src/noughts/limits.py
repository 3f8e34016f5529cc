"""Resource limits: one `Limits` for counting, solving, the engine, players and matches.

Every limit is optional. Each function that takes limits says what it does without them.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

from noughts.errors import SizeError, brief, whole_number

__all__ = [
    "DEFAULT_LIMITS",
    "GIB",
    "MOST_NODES",
    "MOST_SEED",
    "Clock",
    "LimitParts",
    "Limits",
    "human_size",
    "limits_of",
    "require_limits",
    "require_seconds",
]

GIB = 1 << 30
MOST_THREADS = 64
MOST_NODES = 1 << 62
MOST_SEED = (1 << 63) - 1
MOST_SECONDS = 1e9


def require_seconds(seconds: object, name: str = "seconds") -> None:
    """Raise `SizeError` unless this is a number of seconds above 0."""
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float)
        or not 0 < seconds <= MOST_SECONDS
    ):
        raise SizeError(f"{name} must be a number above 0, not {brief(seconds)}")


@dataclass(frozen=True)
class Limits:
    """Time, nodes, memory in bytes, and threads; the first limit that is reached ends a search.

    All hold for the whole question. Without `threads`, counting uses all cores, the solver two
    threads and the engine one. A node limit, one thread and a seed give the same answer every
    time, but a solver or an engine that has answered before in this process may know more.

    >>> Limits(nodes=500)
    Limits(seconds=None, nodes=500, memory=4294967296, threads=None)
    """

    seconds: float | None = None
    nodes: int | None = None
    memory: int = 4 * GIB
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            require_seconds(self.seconds)
        if self.nodes is not None:
            whole_number(self.nodes, "nodes", least=1, most=MOST_NODES)
        whole_number(self.memory, "memory", least=1)
        if self.threads is not None:
            whole_number(self.threads, "threads", least=1, most=MOST_THREADS)


DEFAULT_LIMITS = Limits()


def require_limits(limits: object) -> Limits:
    """Return `limits` if they are limits, else raise a clear error."""
    if not isinstance(limits, Limits):
        raise SizeError(f"limits must be Limits, not {brief(limits)}")
    return limits


class LimitParts(TypedDict, total=False):
    """The limits, for functions that take them one by one."""

    seconds: float | None
    nodes: int | None
    memory: int
    threads: int | None


def limits_of(limits: Limits | None, **parts: Unpack[LimitParts]) -> Limits:
    """Return limits that were given as a whole, one by one, or both.

    >>> limits_of(None, nodes=500) == Limits(nodes=500)
    True
    """
    limits = DEFAULT_LIMITS if limits is None else require_limits(limits)
    return replace(limits, **parts) if parts else limits


class Clock:
    """A time limit that runs from the moment this is made; None never ends.

    >>> Clock(None).left, Clock(5.0).is_over
    (inf, False)
    """

    def __init__(self, seconds: float | None) -> None:
        self._begin = time.monotonic()
        self._seconds = math.inf if seconds is None else seconds

    @property
    def elapsed(self) -> float:
        """The seconds since the beginning."""
        return time.monotonic() - self._begin

    @property
    def left(self) -> float:
        """The seconds that are left, 0 at least; infinite without a limit."""
        return max(self._seconds - self.elapsed, 0.0)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.elapsed >= self._seconds

    def within(self, seconds: float) -> Clock:
        """Return a clock that ends after this time, or with this clock if that is sooner."""
        return Clock(min(seconds, self.left))


def human_size(amount: int) -> str:
    """Return an amount of memory in the unit that suits it.

    >>> human_size(3 * GIB), human_size(5000)
    ('3.0 GiB', '4.9 KiB')
    """
    for power, unit in ((3, "GiB"), (2, "MiB"), (1, "KiB")):
        if amount >= 1024**power:
            return f"{amount / 1024**power:.1f} {unit}"
    return f"{amount} bytes"
