"""Opponents for people, from a beginner to full strength.

::

    levels      the one table of levels: their names, and what each of them does
    choice      a level's move in any game: `choose_move`
    grid        players on grids
    heuristics  how heavy the lines through a cell are
    ultimate    players at Ultimate
"""

from __future__ import annotations

from noughts.players.choice import Choice, choose_move
from noughts.players.levels import GRID_LEVELS, ULTIMATE_LEVELS, Level, level_named, levels_of

__all__ = [
    "GRID_LEVELS",
    "ULTIMATE_LEVELS",
    "Choice",
    "Level",
    "choose_move",
    "level_named",
    "levels_of",
]
