"""What environments show of a position: text, SVG or pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

from noughts.drawing import draw_svg, draw_text
from noughts.drawing.png import draw_rgb
from noughts.errors import NotationError, brief
from noughts.rules.position import Position

__all__ = ["RENDER_MODES", "render", "require_mode"]

SIZE = 480  # of pictures, in pixels

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")


def require_mode(mode: object) -> str | None:
    """Return a render mode, or None, or raise."""
    if mode is None or (isinstance(mode, str) and mode in RENDER_MODES):
        return mode
    raise NotationError(f"a render mode is {', '.join(RENDER_MODES)}, not {brief(mode)}")


def render(position: Position, mode: str, last: int | None) -> Any:
    """Return a position as text, as SVG or as pixels; `human` prints it and returns None."""
    diagram = position.diagram(last=last)
    if mode == "rgb_array":
        pixels = draw_rgb(diagram, width=SIZE, height=SIZE)
        return np.frombuffer(pixels, np.uint8).reshape(SIZE, SIZE, 3).copy()
    if mode == "svg":
        return draw_svg(diagram)
    text = draw_text(diagram)
    if mode == "ansi":
        return text
    print(text)  # noqa: T201 - this is what the mode is for
    return None
