"""How long the engine may think."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.errors import SizeError, brief, whole_number

__all__ = ["Limit"]

MOST_THREADS = 64
MOST_NODES = 1 << 62
MOST_SECONDS = 1e9


@dataclass(frozen=True)
class Limit:
    """How long the engine may think, and on how many threads; the first limit reached ends it.

    Without seconds and nodes it thinks for a second. A node limit, one thread and a seed give
    the same answer every time.

    >>> Limit().seconds, Limit(nodes=500).seconds
    (1.0, None)
    """

    seconds: float | None = None
    nodes: int | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        if self.nodes is not None:
            whole_number(self.nodes, "nodes", least=1, most=MOST_NODES)
        whole_number(self.threads, "threads", least=1, most=MOST_THREADS)
        seconds = self.seconds
        if seconds is None:
            if self.nodes is None:
                object.__setattr__(self, "seconds", 1.0)
        elif (
            isinstance(seconds, bool)
            or not isinstance(seconds, int | float)
            or not 0 < seconds <= MOST_SECONDS
        ):
            raise SizeError(f"seconds must be a number above 0, not {brief(seconds)}")
