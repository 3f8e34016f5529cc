"""The lessons, docs/learn/*.md: every number in them is computed here, every line of code copied.

A page is written in docs/learn/NAME.in.md, with ``{name}`` for a value and ``{module.function}``
for the code of a textbook form. What takes long to compute is kept in JSON files beside the pages.

====================  ======================================================================
`source`              code of the textbook forms, as it is and with a mistake in it
`writing`             numbers, tables, drawings, and the places that they fill
`state`               all boards of 3x3, and what mistakes make of them
`replays`             the shortest lists of moves that show a mistake
`counters`            the same for play on n x n
`games`               nodes and games of a walk by depth, by counting
`counting`            the work of each way of counting
====================  ======================================================================
"""

from __future__ import annotations

from pathlib import Path

from lessons import counters, counting, games, replays, state
from lessons.games import LEARN
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


def pages() -> dict[Path, str]:
    """Return every lesson with its content."""
    contents = {}
    for name, values in VALUES.items():
        source = (LEARN / f"{name}.in.md").read_text(encoding="utf-8")
        contents[LEARN / f"{name}.md"] = fill(source, values())
    return contents
