"""The page's colours have the contrast that people need, in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from noughts.web.pages import STATIC

TEXT, SHAPES = 4.5, 3.0  # WCAG 2.2, level AA

GROUNDS = ["n-ground", "n-shade", "n-open-tint", "n-x-tint", "n-o-tint", "n-last"]
PAIRS: Mapping[str, tuple[float, list[str]]] = {
    "ink": (TEXT, ["card", "paper", "sunk", "accent-tint", "bad-tint"]),
    "muted": (TEXT, ["card", "paper", "sunk"]),
    "bad": (TEXT, ["card", "paper", "bad-tint"]),
    "good": (TEXT, ["card"]),
    "on-accent": (TEXT, ["accent"]),
    "accent": (SHAPES, ["card", "sunk", "paper"]),
    "edge": (SHAPES, ["card", "paper", "sunk"]),
    "x": (SHAPES, ["card", "paper"]),
    "o": (SHAPES, ["card", "paper"]),
    "n-ink": (TEXT, GROUNDS),
    "n-label": (TEXT, ["n-ground", "paper"]),
    "n-loss": (TEXT, ["n-loss-tint"]),
    "n-on-value": (TEXT, ["n-win"]),
    "n-x": (SHAPES, GROUNDS),
    "n-o": (SHAPES, GROUNDS),
    "n-lattice": (SHAPES, GROUNDS[:-1]),
    "n-open": (SHAPES, ["n-ground", "n-open-tint", "paper"]),
}


def colours() -> dict[str, tuple[str, str]]:
    """Return every colour by its name: for light and for dark."""
    text = "".join((STATIC / name).read_text() for name in ("style.css", "board.css"))
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", text)
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    """Return how light a colour is, from 0 to 1, as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_what_it_is_defined_to_be() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAIRS)
def test_colours_can_be_told_apart(name: str, theme: str) -> None:
    known, index = colours(), ["light", "dark"].index(theme)
    least, grounds = PAIRS[name]
    found = {ground: contrast(known[name][index], known[ground][index]) for ground in grounds}
    assert {ground: value for ground, value in found.items() if value < least} == {}
