"""The lines that a match and an engine exchange, as both sides write and read them.

docs/protocol.md describes the protocol for authors of bots. This module both writes and reads the
lines, so that `external` and `server` agree.
"""

from __future__ import annotations

import re

from noughts.errors import NotationError, brief
from noughts.limits import Limits
from noughts.matches.player import AnyGame
from noughts.rules.game import Game

__all__ = ["MOST_LINE", "VERSION", "go_line", "position_line", "read_go", "read_position"]

VERSION = 1

MOST_LINE = 1 << 20
"""The most bytes in a line; a longer one is an error."""

_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}")
_NODES = re.compile(r"\d{1,18}")


def position_line(game: AnyGame) -> str:
    """Return the line that sends an engine the position, as a start and moves.

    >>> position_line(Game.parse("3x3x3 b2 a1"))
    'position 3x3x3 moves b2 a1'
    """
    start, _, moves = game.text.partition(" ")
    return f"position {start} moves {moves}" if moves else f"position {start}"


def read_position(text: str) -> AnyGame:
    """Read the text after ``position``.

    >>> read_position("ultimate moves ee ea").position.forced
    0
    """
    start, _, moves = f"{text} ".partition(" moves ")
    if not start.strip():
        raise NotationError("position needs a game or a board: position 3x3x3 moves b2 a1")
    return Game.parse(f"{start.strip()} {moves}".strip())


def go_line(limit: Limits) -> str:
    """Return the line that asks an engine for a move.

    >>> go_line(Limits(seconds=0.25)), go_line(Limits(nodes=500))
    ('go time 0.25', 'go nodes 500')
    """
    words = ["go"]
    if limit.seconds is not None:
        words += ["time", f"{max(limit.seconds, 1e-9):.9f}".rstrip("0").removesuffix(".")]
    if limit.nodes is not None:
        words += ["nodes", str(limit.nodes)]
    return " ".join(words)


def read_go(text: str, threads: int = 1) -> Limits | None:
    """Read the text after ``go``: the limits, or None for ``infinite``.

    >>> read_go("time 0.25 nodes 500") == Limits(seconds=0.25, nodes=500, threads=1)
    True
    >>> read_go("") == Limits(threads=1)  # the engine takes a second then
    True
    """
    words = text.split()
    if words == ["infinite"]:
        return None
    seconds: float | None = None
    nodes: int | None = None
    for name, value in zip(words[::2], [*words[1::2], ""], strict=False):
        if name == "time" and _SECONDS.fullmatch(value) and seconds is None:
            seconds = float(value)
        elif name == "nodes" and _NODES.fullmatch(value) and nodes is None:
            nodes = int(value)
        else:
            said = brief(f"{name} {value}".strip())
            raise NotationError(f"go takes time SECONDS, nodes NUMBER, or infinite, not {said}")
    return Limits(seconds=seconds, nodes=nodes, threads=threads)
