"""Random positions of Ultimate, and their values by trying every game from there on.

The positions are made by the pure rules. `minimax` knows nothing of windows, hashes or hopeless
games: it is a memoised recursion that a reader can check by eye.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from noughts import UltimatePosition, Variant

__all__ = ["empty_playable", "endgames", "midgames", "minimax", "random_game"]


def random_game(variant: Variant, rng: random.Random) -> list[UltimatePosition]:
    """Play a game at random and return all its positions, from the start to the end."""
    positions = [UltimatePosition.start(variant)]
    while legal := positions[-1].legal_moves:
        # Of all of random, only random() is promised to stay the same.
        positions.append(positions[-1].play_unchecked(legal[int(rng.random() * len(legal))]))
    return positions


def empty_playable(position: UltimatePosition) -> int:
    """Count the empty cells in boards where somebody may still play."""
    return sum(
        not (position.x | position.o) >> cell & 1 and not position.closed >> cell // 9 & 1
        for cell in range(81)
    )


def midgames(variant: Variant, seed: int = 0) -> Iterator[UltimatePosition]:
    """Yield one unfinished position from each of endlessly many random games."""
    rng = random.Random(seed)
    while True:
        positions = random_game(variant, rng)[:-1]
        yield positions[int(rng.random() * len(positions))]


def endgames(variant: Variant, most: int, seed: int = 0) -> Iterator[UltimatePosition]:
    """Yield unfinished positions with at most so many cells left, one from each random game."""
    rng = random.Random(seed)
    while True:
        near = [p for p in random_game(variant, rng)[-most - 1 : -1] if empty_playable(p) <= most]
        if near:
            yield near[int(rng.random() * len(near))]


@cache
def minimax(position: UltimatePosition) -> tuple[int, int]:
    """Return 1, 0 or -1 for the side to move, and the plies to the end; those of a draw are 0.

    The side that wins is quick, the one that loses holds out. In a finished game it is the side
    that would be next.
    """
    if position.outcome:
        winner = position.outcome.winner
        return (0 if winner is None else 1 if winner is position.turn else -1), 0
    scores = []
    for move in position.legal_moves:
        value, plies = minimax(position.play_unchecked(move))
        scores.append((-value, 0 if value == 0 else plies + 1))
    return max(scores, key=lambda score: (score[0], -score[0] * score[1]))
