"""What fills the pages: numbers, tables, boards side by side, and the places they go to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta

from lessons.source import excerpt

__all__ = ["columns", "duration", "fill", "number", "percent", "table"]


def fill(page: str, values: dict[str, str]) -> str:
    """Return a page with its places filled: ``{name}`` by a value, ``{module.name}`` by code.

    Every place needs a value, and every value needs a place, so that none is left behind.
    """
    unused = set(values)

    def content(place: re.Match[str]) -> str:
        module, _, name = place[1].rpartition(".")
        if module:
            return excerpt(module, name)
        unused.discard(name)
        return values[name]

    filled = re.sub(r"\{([a-z]\w*(?:\.\w+)?)\}", content, page)
    if unused:
        raise KeyError(f"the page has no place for {', '.join(sorted(unused))}")
    return filled


def number(value: int) -> str:
    """Return a whole number with its thousands apart."""
    return f"{value:,}"


def percent(part: float, whole: float) -> str:
    """Return a share in percent, with two digits where it is small."""
    share = 100 * part / whole
    return f"{share:.1f} %" if share >= 1 else f"{share:.2g} %"


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it, with two digits."""
    for unit, name in (
        (timedelta(days=1), "days"),
        (timedelta(hours=1), "hours"),
        (timedelta(minutes=1), "minutes"),
        (timedelta(seconds=1), "seconds"),
        (timedelta(milliseconds=1), "ms"),
        (timedelta(microseconds=1), "µs"),
    ):
        amount = seconds / unit.total_seconds()
        if amount >= 1.5 or name == "µs":
            return f"{amount:.0f} {name}" if amount >= 10 else f"{amount:.1f} {name}"
    raise AssertionError


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = (1,)) -> str:
    """Return a Markdown table; the columns `right` are aligned to the right."""
    rule = ["---:" if column in right else "---" for column in range(len(head))]
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return "\n".join([lines[0], f"|{'|'.join(rule)}|", *lines[1:]])


def columns(pictures: Sequence[Sequence[str]], gap: int = 6) -> str:
    """Return pictures, lists of lines, side by side."""
    widths = [max(map(len, picture)) for picture in pictures]
    height = max(map(len, pictures))
    padded = [[*picture, *[""] * (height - len(picture))] for picture in pictures]
    return "\n".join(
        (" " * gap)
        .join(line.ljust(width) for line, width in zip(lines, widths, strict=True))
        .rstrip()
        for lines in zip(*padded, strict=True)
    )
