"""How well two colours can be told apart, as WCAG 2.2 defines it."""

from __future__ import annotations

import re

__all__ = ["contrast", "luminance"]


def luminance(colour: str) -> float:
    """Return how light a colour like #1b222e is, from 0 to 1."""
    assert re.fullmatch(r"#[0-9a-f]{6}", colour), colour
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
