"""The result of grading: right, wrong or not finished, with a counterexample and remarks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from noughts.drawing import Diagram, draw_svg, draw_text

__all__ = ["Counterexample", "Grade", "Remark", "Stage"]


_HANG = 10  # columns before what was expected, what came, and the rule


def _folded(text: str, width: int, hang: int = _HANG) -> list[str]:
    """Return text as lines of a width, broken after strings, else after calls, else after words.

    What is Python stays valid Python, as no string is broken.
    """
    gap = next((gap for gap in ("', ", "); ") if gap in text), " ")
    lines, line = [], ""
    for piece in re.split(f"(?<={re.escape(gap)})", text):
        if line.strip() and len(line) + len(piece.rstrip()) > width:
            lines.append(line)
            line = " " * hang
        line += piece
    return [*lines, line]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The smallest case that failed: the call, what was expected, what came, and the rule."""

    call: str
    expected: str
    got: str
    rule: str
    why: str
    size: tuple[int, ...] = ()
    diagram: Diagram | None = None
    data: Mapping[str, object] = field(default_factory=dict, repr=False)
    """Plain data for JSON: ``input``, ``expected`` and ``got``, as far as they are such."""

    def __str__(self) -> str:
        return self.text()

    def text(self, *, ascii_only: bool = False, width: int = 80) -> str:
        """Return the counterexample as lines of text, with its picture."""
        picture = ""
        if self.diagram is not None:
            picture = draw_text(self.diagram, ascii_only=ascii_only, width=width - 2)
        lines = [*_folded(self.call, width - 2), *picture.splitlines()]
        for line in self.lines():
            lines += _folded(line, width - 2)
        return "\n".join(f"  {line}".rstrip() for line in lines)

    def lines(self) -> list[str]:
        """Return what was expected, what came, and the rule."""
        return [
            f"{'expected':<{_HANG}}{self.expected}",
            f"{'came':<{_HANG}}{self.got}",
            f"{'rule':<{_HANG}}{self.rule}: {self.why}",
        ]

    def to_json(self) -> dict[str, object]:
        """Return the counterexample as plain data for JSON."""
        picture = None if self.diagram is None else draw_text(self.diagram)
        return {
            "call": self.call,
            "expected": self.expected,
            "got": self.got,
            "rule": self.rule,
            "why": self.why,
            "picture": picture,
            **self.data,
        }


@dataclass(frozen=True, slots=True)
class Remark:
    """What is worth knowing about a solution that is not wrong; `name` is its topic."""

    name: str
    text: str

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, str]:
        """Return the remark as plain data for JSON."""
        return {"name": self.name, "text": self.text}


@dataclass(slots=True)
class Stage:
    """A group of cases: how many there are, how many were judged, and what failed."""

    name: str
    cases: int = 0
    judged: int = 0
    failure: Counterexample | None = None


@dataclass(frozen=True)
class Grade:
    """What grading found out about a solution.

    `right` is None if the solution did not finish, and nothing is known to be wrong with it.
    `cases` is the number of cases that were judged.
    """

    exercise: str
    solution: str
    right: bool | None
    cases: int
    counterexample: Counterexample | None = None
    remarks: tuple[Remark, ...] = ()
    stages: tuple[Stage, ...] = field(default=(), repr=False)

    @property
    def verdict(self) -> str:
        """``right``, ``wrong`` or ``not finished``."""
        return {True: "right", False: "wrong", None: "not finished"}[self.right]

    def __str__(self) -> str:
        return self.text()

    def text(self, *, ascii_only: bool = False, width: int = 80) -> str:
        """Return the verdict, the counterexample and the remarks as lines of text."""
        cases = f"{self.cases:,} case{'' if self.cases == 1 else 's'}"
        lines = [f"{self.verdict}: {self.solution} for {self.exercise}, {cases}"]
        if self.counterexample is not None:
            is_loaded = self.cases > 0
            lines.append("The smallest case that fails:" if is_loaded else "It cannot be loaded:")
            lines.append(self.counterexample.text(ascii_only=ascii_only, width=width))
        for remark in self.remarks:
            lines += _folded(f"Remark: {remark}", width, hang=8)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Draw the result in a notebook."""
        found = self.counterexample
        if found is None or found.diagram is None:
            return f"<pre>{escape(str(self))}</pre>"
        head, _, _ = str(self).partition("\n")
        rows = [found.call, *found.lines(), *(f"Remark: {remark}" for remark in self.remarks)]
        text = escape("\n".join(rows))
        return f"<pre>{escape(head)}</pre>{draw_svg(found.diagram)}<pre>{text}</pre>"

    def to_json(self) -> dict[str, object]:
        """Return the result as plain data for JSON."""
        found = self.counterexample
        return {
            "exercise": self.exercise,
            "solution": self.solution,
            "right": self.right,
            "verdict": self.verdict,
            "cases": self.cases,
            "counterexample": None if found is None else found.to_json(),
            "remarks": [remark.to_json() for remark in self.remarks],
        }
