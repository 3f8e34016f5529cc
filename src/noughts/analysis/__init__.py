"""What is a move worth? One answer, from the solver and the engine together.

::

    moves          what every legal move of a position is worth: `analyse`
    game_review    what each move of a game changed: `review`
"""

from __future__ import annotations

from noughts.analysis.game_review import Remark, Review, review
from noughts.analysis.moves import analyse
from noughts.values import Analysis

__all__ = ["Analysis", "Remark", "Review", "analyse", "review"]
