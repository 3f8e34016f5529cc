"""The colours of every picture, each for light and for dark: of the page, notebooks, SVG and PNG.

This is their one source. The style sheet of the page and of notebooks, ``tokens.css``, is written
from it by ``make docs``; tests and ``make lint`` compare the two.

Text has a contrast of at least 4.5:1 to its ground; marks, lines and the edges of what can be
used have 3:1 (`tests/web/test_colours.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["COLOURS", "Colour"]


class Colour(NamedTuple):
    """A colour as ``#rrggbb`` on a light and on a dark ground."""

    light: str
    dark: str


COLOURS: Mapping[str, Colour] = MappingProxyType(
    {
        # Grounds: of the page, of cards and boards, of what lies deeper, of closed boards.
        "paper": Colour("#f4f3ef", "#11151a"),
        "card": Colour("#ffffff", "#1a2028"),
        "sunk": Colour("#f1f0ec", "#141a21"),
        "shade": Colour("#eceff4", "#171c23"),
        # Text, and lines: between parts of a card, and around what can be used.
        "ink": Colour("#1b222e", "#edf0f4"),
        "muted": Colour("#545e6f", "#a7b1bf"),
        "rule": Colour("#e0ded8", "#2b333e"),
        "edge": Colour("#7a8391", "#737f8e"),
        # What is chosen, wins, or may be played.
        "accent": Colour("#0b6b50", "#4fd6a6"),
        "accent-tint": Colour("#e5f4ed", "#17302a"),
        "on-accent": Colour("#ffffff", "#0b1813"),
        # What is wrong, or loses.
        "bad": Colour("#a3202b", "#ff9a9f"),
        "bad-tint": Colour("#fdeeee", "#381d20"),
        "on-bad": Colour("#ffffff", "#1a0f10"),
        # The two sides, and the last move.
        "x": Colour("#1b5fc4", "#79b4ff"),
        "x-tint": Colour("#e3edfb", "#1d2f49"),
        "o": Colour("#bf3b0b", "#ff9b6e"),
        "o-tint": Colour("#fce9e0", "#40271c"),
        "last": Colour("#fdf0c3", "#453a12"),
        # What is estimated and not proved: the tint of the most promising move.
        "estimate": Colour("#cbb8ee", "#5a4787"),
    }
)
