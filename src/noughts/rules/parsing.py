"""From a name or a text to the right game's position.

A game's name is a grid (``4x4x3``) or ``ultimate``, with a variant where it has one
(``ultimate-open``). A position's text is the name, a colon and the board; the name may be
left out for boards with three in a row and for standard Ultimate.
"""

from __future__ import annotations

from noughts.errors import NotationError, brief
from noughts.rules.grid import Grid
from noughts.rules.notation import fen_length
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import UltimatePosition, Variant

__all__ = ["parse_position", "start"]


def start(game: str | Grid | Variant) -> GridPosition | UltimatePosition:
    """Return the starting position of a game given by name.

    >>> start("4x4x3").move_count, start("ultimate").move_count
    (16, 81)
    """
    if isinstance(game, Grid):
        return GridPosition.start(game)
    if isinstance(game, Variant):
        return UltimatePosition.start(game)
    if not isinstance(game, str):
        raise NotationError(f"a game is named like 4x4x3 or ultimate, not {brief(game)}")
    if game.startswith("ultimate"):
        return UltimatePosition.start(game)
    try:
        return GridPosition.start(game)
    except NotationError as error:
        if "x" in game:
            raise
        message = f"a game is named like 4x4x3 or ultimate, not {brief(game)}"
        raise NotationError(message, game) from error


def parse_position(text: str) -> GridPosition | UltimatePosition:
    """Read a position of any game, or a game's name for its starting position.

    >>> parse_position("XX./OO./...").game, parse_position("4x4x3").game
    ('3x3x3', '4x4x3')
    >>> parse_position("9/9/9/9/4X4/9/9/9/9 O e").game
    'ultimate'
    """
    if not isinstance(text, str):
        raise NotationError(f"a position must be text, not {brief(text)}")
    if text.startswith("ultimate"):
        return UltimatePosition.parse(text) if ":" in text else UltimatePosition.start(text)
    if ";" in text or fen_length(text):
        return UltimatePosition.parse(text)
    if ":" in text or "/" in text or not text.strip("XO. 0"):
        return GridPosition.parse(text)
    if "x" in text:
        return start(text)
    raise NotationError(
        "a position is a board like XX./OO./..., an Ultimate position, or a game like 4x4x3 or "
        f"ultimate, not {brief(text)}",
        text,
    )
