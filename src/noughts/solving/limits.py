"""What solving may use, and how it says how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from noughts.errors import SizeError, brief, whole_number

__all__ = ["Limits", "Report"]

GIB = 1 << 30


@dataclass(frozen=True)
class Report:
    """How far a search is: nobody wins within so many plies, and so many nodes were visited."""

    not_within: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Limits:
    """What solving may use, and whom it tells how far it is.

    `seconds` are for a whole question, `nodes` for each position; when they are used up, the
    answer is what is known by then. `memory` is in bytes. With `distance` off, a proved win
    is enough, however long it takes. `checkpoint` is a file from which an interrupted
    `solve` goes on.
    """

    seconds: float | None = None
    nodes: int | None = None
    memory: int = 4 * GIB
    distance: bool = True
    checkpoint: Path | str | None = None
    progress: Callable[[Report], None] = field(default=lambda report: None, repr=False)
    notice: Callable[[str], None] = field(default=lambda message: None, repr=False)

    def __post_init__(self) -> None:
        whole_number(self.memory, "memory", least=1 << 20)
        if self.nodes is not None:
            whole_number(self.nodes, "nodes", least=1)
        seconds = self.seconds
        if seconds is not None and (
            isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0
        ):
            raise SizeError(f"seconds must be a number above 0, not {brief(seconds)}")
