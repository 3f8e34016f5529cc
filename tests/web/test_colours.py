"""The colours have the contrast that people need, and are the same in the page and in pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from noughts import Game
from noughts.drawing import COLOURS, Theme, draw_svg
from noughts.notebook import widget
from noughts.web.assets import STATIC
from support.contrast import contrast

TEXT, SHAPES = 4.5, 3.0  # WCAG 2.2, level AA

GROUNDS = ["card", "shade", "accent-tint", "x-tint", "o-tint", "last"]
PAIRS: Mapping[str, tuple[float, list[str]]] = {
    "ink": (TEXT, ["paper", "sunk", "bad-tint", "estimate", *GROUNDS]),
    "muted": (TEXT, ["card", "paper", "sunk"]),
    "bad": (TEXT, ["card", "paper", "bad-tint"]),
    "on-bad": (TEXT, ["bad"]),
    "accent": (TEXT, ["card"]),
    "on-accent": (TEXT, ["accent"]),
    "edge": (SHAPES, ["paper", "sunk", *GROUNDS[:-1]]),
    "x": (SHAPES, ["paper", *GROUNDS]),
    "o": (SHAPES, ["paper", *GROUNDS]),
}
SHAPE_PAIRS: Mapping[str, list[str]] = {
    "accent": ["card", "sunk", "paper", "accent-tint"],
    "muted": ["estimate"],
}


def written() -> dict[str, tuple[str, str]]:
    """Return the colours that the style sheet of the page defines: for light and for dark."""
    text = (STATIC / "css" / "tokens.css").read_text()
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", text)
    return {name: (light, dark) for name, light, dark in found}


def test_contrast_is_what_it_is_defined_to_be() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_can_be_told_apart(theme: str) -> None:
    index = ["light", "dark"].index(theme)
    wanted = [
        (name, least, ground) for name, (least, grounds) in PAIRS.items() for ground in grounds
    ]
    wanted += [
        (name, SHAPES, ground) for name, grounds in SHAPE_PAIRS.items() for ground in grounds
    ]
    found = {
        (name, ground): contrast(COLOURS[name][index], COLOURS[ground][index])
        for name, least, ground in wanted
        if contrast(COLOURS[name][index], COLOURS[ground][index]) < least
    }
    assert found == {}


def test_the_page_and_pictures_have_the_same_colours() -> None:
    """What a picture calls f-card and s-card is what the page calls --card."""
    assert written() == COLOURS
    text = "ultimate ee eb be ea ae ec ca"
    played = Game.parse(text)
    for index, theme in enumerate((Theme.LIGHT, Theme.DARK)):
        for diagram in (
            played.position.diagram(last=played.last_move),
            Game.parse("3x3x3 a1 b1 a2 b2 a3").position.diagram(last=6, values={2: "D"}),
        ):
            picture = draw_svg(diagram, theme=theme)
            used = re.findall(r'class="[fs]-([\w-]+)"[^>]*?="(#\w+)"', picture)
            assert len({name for name, _ in used}) >= 6
            assert len(used) == len(re.findall("#[0-9a-f]{3,8}", picture))  # each has a name
            assert {(name, written()[name][index]) for name, _ in used} == set(used)


def test_the_installed_page_opens_on_the_same_ground() -> None:
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    assert manifest["background_color"] == manifest["theme_color"] == COLOURS["paper"].light


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
    assert len(COLOURS) == len(set(COLOURS.values()))
