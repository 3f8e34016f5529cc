"""Searches Ultimate: Monte Carlo tree search with a network, and exact endgames.

search         the driver: the tree from move to move, threads, clock, and the answer
mcts           the compiled simulations; a leader and its worker threads
tree           nodes, selection, backpropagation, proofs
expansion      expansion and evaluation of a leaf
network        the neural network, mostly as tables
playout        random games, for variants and plain UCT
endgame        positions with few empty cells, solved within the limits
alphabeta      the compiled search to the end of the game
transposition  its transposition table
board          the rules, compiled
perft          perft with the compiled rules
"""

from __future__ import annotations

from noughts.engine.ultimate.search import UltimateSearch

__all__ = ["UltimateSearch"]
