"""What is a move worth? One answer, from the solver and the engine together.

::

    moves          what every legal move of a position is worth: `analyse`
    exploration    what is proved of every move, and how many games go on from it: `explore`
    game_review    what each move of a game changed: `review`
"""

from __future__ import annotations

from noughts.analysis.exploration import Exploration, ExploredMove, explore
from noughts.analysis.game_review import Remark, Review, review
from noughts.analysis.moves import analyse
from noughts.values import Analysis

__all__ = [
    "Analysis",
    "Exploration",
    "ExploredMove",
    "Remark",
    "Review",
    "analyse",
    "explore",
    "review",
]
