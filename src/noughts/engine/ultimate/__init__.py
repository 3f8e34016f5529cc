"""Strong play at Ultimate tic-tac-toe: a tree search with a network, and exact endgames."""

from __future__ import annotations

from noughts.engine.ultimate.search import UltimateSearch

__all__ = ["UltimateSearch"]
