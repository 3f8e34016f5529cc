"""Strong play where nothing can be proved in time: Ultimate, and large grids."""

from __future__ import annotations

from noughts.engine.engine import Engine, analyse
from noughts.engine.estimate import Estimate, MoveEstimate
from noughts.engine.limit import Limit

__all__ = ["Engine", "Estimate", "Limit", "MoveEstimate", "analyse"]
