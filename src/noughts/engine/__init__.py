"""Strong play where nothing can be proved in time: Ultimate, and large grids."""

from __future__ import annotations

from noughts.engine.engine import CONTEMPT, Engine, analyse
from noughts.engine.estimate import Estimate, MoveEstimate
from noughts.engine.limit import Limit

__all__ = ["CONTEMPT", "Engine", "Estimate", "Limit", "MoveEstimate", "analyse"]
