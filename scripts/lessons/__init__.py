"""The lessons, docs/learn/*.md: every number in them is computed here, every line of code copied.

A lesson is written in docs/learn/NAME.in.md, with ``{name}`` for a value and ``{module.function}``
for the code of a textbook form. What takes long to compute is kept in JSON files beside the
lessons. ``noughts serve`` has each lesson as a page, too.

====================  ======================================================================
`source`              code of the textbook forms, as it is and with a mistake in it
`writing`             numbers, tables, drawings, and the places that they fill
`state`               all boards of 3x3, and what mistakes make of them
`replays`             the shortest lists of moves that show a mistake
`counters`            the same for play on n x n
`games`               nodes and games of a walk by depth, by counting
`counting`            the work of each way of counting
`traces`              links to the steps of the textbook forms on the page
`highlighting`        Python code as HTML
`rendering`           the pages of the server, from the Markdown
====================  ======================================================================
"""

from __future__ import annotations

from pathlib import Path

from lessons import counters, counting, games, rendering, replays, state
from lessons.games import LEARN
from lessons.traces import watch
from lessons.writing import fill

__all__ = ["pages"]

VALUES = {
    "index": dict,
    "state": state.values,
    "simulate": replays.simulate_values,
    "ultimate": replays.ultimate_values,
    "tic-tac-toe": counters.values,
    "games": games.values,
    "counting": counting.values,
}
AS_WRITTEN = ("grading",)  # lessons without a place to fill


def pages() -> dict[Path, str]:
    """Return every lesson with its content: as Markdown, and as a page of the server."""
    lessons = {}
    for name, values in VALUES.items():
        source = (LEARN / f"{name}.in.md").read_text(encoding="utf-8")
        lessons[name] = fill(source, values() | watch(source))
    markdown = {LEARN / f"{name}.md": text for name, text in lessons.items()}
    for name in AS_WRITTEN:
        lessons[name] = (LEARN / f"{name}.md").read_text(encoding="utf-8")
    return markdown | rendering.pages(lessons)
