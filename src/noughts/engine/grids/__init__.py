"""Strong play on grids that are too large to be solved: threats first, then a search."""

from __future__ import annotations

from noughts.engine.grids.search import GridSearch

__all__ = ["GridSearch"]
