"""One step of a trace as plain data: what happened, where in the code, and the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from noughts.drawing import Diagram

__all__ = ["Event", "Frame", "Picture", "Step"]


class Event(StrEnum):
    """What happens in a step."""

    CALL = "call"  # a function begins
    RETURN = "return"  # a function ends
    TEST = "test"  # a condition is true or false
    LINE = "line"  # another statement has run
    CHECK = "check"  # a rule is checked
    PLACE = "place"  # a mark is placed
    UNDO = "undo"  # a mark is taken back
    WIN = "win"
    DRAW = "draw"
    ACCEPT = "accept"  # a move of a list is accepted
    REJECT = "reject"  # a move of a list is rejected


@dataclass(frozen=True, slots=True)
class Frame:
    """A call that has not ended: the function, the line it has reached, its variables as text."""

    function: str
    line: int
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Picture:
    """What the board looks like; cells are numbered as they lie on the table, row by row."""

    rows: int
    cols: int
    marks: str  # one of X, O and . per cell
    cells: tuple[int, ...] = ()  # those that the step is about
    owners: str | None = None  # Ultimate: one of X, O, # and . per small board
    playable: tuple[int, ...] = ()  # Ultimate: the small boards that may be played in
    arrow: tuple[int, int] | None = None  # Ultimate: a cell, and the small board it forces
    sums: Mapping[str, tuple[int, ...]] | None = None  # constant-time play: its counters

    def diagram(self, caption: str) -> Diagram:
        """Return the picture to draw as text or SVG."""
        last = self.cells[0] if len(self.cells) == 1 and self.marks[self.cells[0]] != "." else None
        return Diagram(
            self.rows,
            self.cols,
            self.marks,
            caption,
            lines=(self.cells,) if len(self.cells) > 1 and not self.owners else (),
            last=last,
            owners=self.owners,
            playable=self.playable,
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data for JSON, without what this exercise does not have."""
        data: dict[str, Any] = {"rows": self.rows, "cols": self.cols, "marks": self.marks}
        data["cells"] = list(self.cells)
        if self.owners is not None:
            data |= {"owners": self.owners, "playable": list(self.playable)}
            data["arrow"] = list(self.arrow) if self.arrow else None
        if self.sums is not None:
            data["sums"] = {name: list(sums) for name, sums in self.sums.items()}
        return data


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace; `stack` has the running function last, `counts` includes this step."""

    number: int  # from 0
    event: Event
    text: str  # what happens, in words
    line: int  # of the source, from 1
    end: int  # the last line of a longer statement
    stack: tuple[Frame, ...]
    picture: Picture
    counts: Mapping[Event, int] = field(default_factory=dict)
    value: Any = None  # what was returned, handed out or tested
    holds: bool | None = None  # for a check: whether the rule is kept
    is_key: bool = True  # whether it belongs to the story without the details

    @property
    def depth(self) -> int:
        """How many calls are running."""
        return len(self.stack)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "step": self.number,
            "event": self.event.value,
            "text": self.text,
            "line": self.line,
            "end": self.end,
            "holds": self.holds,
            "key": self.is_key,
            "stack": [
                {"function": frame.function, "line": frame.line, "variables": dict(frame.variables)}
                for frame in self.stack
            ],
            "board": self.picture.to_json(),
            "counts": {event.value: count for event, count in self.counts.items()},
        }
