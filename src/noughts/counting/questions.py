"""Counting by the name of what is counted: who answers which question."""

from __future__ import annotations

from typing import Literal

from noughts.counting.boards import count_endings, count_positions
from noughts.counting.games import Method, count_games
from noughts.counting.results import EndingCounts, GameCounts, PositionCounts
from noughts.counting.symmetric import Meaning, count_games_up_to_symmetry
from noughts.counting.tasks import Resources
from noughts.errors import LimitExceeded
from noughts.rules.position import GridPosition

__all__ = ["Counted", "Counts", "count"]

Counted = Literal["games", "positions", "endings"]
Counts = GameCounts | PositionCounts | EndingCounts


def count(
    start: GridPosition,
    of: Counted,
    *,
    up_to_symmetry: bool = False,
    meaning: Meaning | None = None,
    method: Method | None = None,
    resources: Resources | None = None,
) -> Counts:
    """Count whole games, distinct positions or distinct finished boards from a position on.

    >>> count(GridPosition.start("3x3x3"), "positions", up_to_symmetry=True).total
    765
    """
    is_whole = start == GridPosition.start(start.grid)
    resources = resources or Resources()
    if of == "games":
        if not up_to_symmetry:
            return count_games(start, method=method or "frontier", resources=resources)
        if not is_whole:
            raise LimitExceeded("games up to symmetry are counted from the empty board only")
        return count_games_up_to_symmetry(start.grid, meaning or "orbits", resources)
    if method == "positions" or not is_whole:
        from noughts.counting.layers import list_endings, list_positions

        listing = list_positions if of == "positions" else list_endings
        return listing(start, resources, up_to_symmetry=up_to_symmetry)
    sweeping = count_positions if of == "positions" else count_endings
    return sweeping(start.grid, up_to_symmetry=up_to_symmetry, resources=resources)
