"""Searches grids that are too large to be solved.

search         the driver: iterative deepening, threads, clock, and the answer
alphabeta      the compiled search of one depth
threats        threat-space search: forced wins, and the relevance zone against them
transposition  the transposition table
board          lines and cells with their weights, updated move by move
"""

from __future__ import annotations

from noughts.engine.grids.search import GridSearch

__all__ = ["GridSearch"]
