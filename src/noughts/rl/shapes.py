"""What environments begin with, and the shapes of what learners see."""

from __future__ import annotations

from typing import Any, TypeAlias

from noughts.errors import IllegalMove
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.rules.parsing import AnyPosition, position_of
from noughts.rules.position import GridPosition, Position
from noughts.rules.ultimate import Variant

__all__ = ["GRID_PLANES", "ULTIMATE_PLANES", "Where", "shape_of", "start_of"]

Where: TypeAlias = Position | Game[Any] | Grid | Variant | str
"""A position, a game's last position, a game's name, or the text of one of these."""

GRID_PLANES = 3  # own marks, those of the other side, legal moves
ULTIMATE_PLANES = 5  # the same, and before the legal moves the boards that either side captured


def shape_of(position: AnyPosition) -> tuple[int, int, int]:
    """Return the shape of an observation: rows, columns and planes.

    The cell in row i and column j is the action i * columns + j, at Ultimate, too.
    """
    if isinstance(position, GridPosition):
        return position.grid.rows, position.grid.cols, GRID_PLANES
    return 9, 9, ULTIMATE_PLANES


def start_of(where: Where) -> AnyPosition:
    """Return the position to begin with; a finished game is an error."""
    position = position_of(where)
    if position.outcome is not None:
        raise IllegalMove(f"there is nothing to play: the game is over, {position.outcome}")
    return position
