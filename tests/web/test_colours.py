"""The page's colours have the contrast that people need, in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from noughts.notebook import widget
from noughts.web.assets import STATIC

TEXT, SHAPES = 4.5, 3.0  # WCAG 2.2, level AA

GROUNDS = ["card", "shade", "accent-tint", "x-tint", "o-tint", "last"]
PAIRS: Mapping[str, tuple[float, list[str]]] = {
    "ink": (TEXT, ["paper", "sunk", "bad-tint", *GROUNDS]),
    "muted": (TEXT, ["card", "paper", "sunk"]),
    "bad": (TEXT, ["card", "paper", "bad-tint"]),
    "on-bad": (TEXT, ["bad"]),
    "accent": (TEXT, ["card"]),
    "on-accent": (TEXT, ["accent"]),
    "edge": (SHAPES, ["paper", "sunk", *GROUNDS[:-1]]),
    "x": (SHAPES, ["paper", *GROUNDS]),
    "o": (SHAPES, ["paper", *GROUNDS]),
}
SHAPE_PAIRS: Mapping[str, list[str]] = {"accent": ["card", "sunk", "paper", "accent-tint"]}


def colours() -> dict[str, tuple[str, str]]:
    """Return every colour by its name: for light and for dark."""
    text = (STATIC / "css" / "tokens.css").read_text()
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
def test_colours_can_be_told_apart(theme: str) -> None:
    known, index = colours(), ["light", "dark"].index(theme)
    wanted = [
        (name, least, ground) for name, (least, grounds) in PAIRS.items() for ground in grounds
    ]
    wanted += [
        (name, SHAPES, ground) for name, grounds in SHAPE_PAIRS.items() for ground in grounds
    ]
    found = {
        (name, ground): contrast(known[name][index], known[ground][index])
        for name, least, ground in wanted
        if contrast(known[name][index], known[ground][index]) < least
    }
    assert found == {}


def test_each_colour_is_defined_once() -> None:
    """Only the tokens name colours; all other styles refer to them."""
    sources = [*STATIC.glob("css/*.css"), Path(widget.__file__).with_name("widget.css")]
    found = {
        path.name: re.findall(r"#[0-9a-f]{3,8}\b|light-dark|rgba?\(|hsl", path.read_text())
        for path in sources
        if path.name != "tokens.css"
    }
    assert len(found) >= 5
    assert {name: colours for name, colours in found.items() if colours} == {}
    values = list(colours().values())
    assert len(values) == len(set(values))
