"""Random play: every move alike, and results like those of the pure rules."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice, permutations

import numpy as np
import pytest

from noughts import Player, UltimatePosition, Variant
from noughts.engine.ultimate.board import FORCED, state_of
from noughts.engine.ultimate.playout import playout, random_move, shuffle
from support.strategies import VARIANTS
from support.ultimate_endgames import endgames, midgames, random_game


def seed_of(number: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array([number * 0x9E3779B97F4A7C15 % (1 << 64) or 1], np.uint64)


def test_a_random_move_is_any_legal_one_alike() -> None:
    """Pearson's chi-square, five standard deviations wide; the seed is fixed."""
    seed = seed_of(7)
    middle = [p for p in islice(midgames(Variant.STANDARD, 8), 40) if p.move_count > 1]
    free = next(p for p in middle if p.forced is None and p.closed)
    forced = next(p for p in middle if p.forced is not None and 3 <= p.move_count < 9)
    for position in (UltimatePosition.start(), free, forced):
        state, legal = state_of(position), position.legal_moves
        tries = 100 * len(legal)
        counts = dict.fromkeys(legal, 0)
        for _ in range(tries):
            board, cell = random_move(state, position.closed, int(state[FORCED]), seed)
            counts[int(9 * board + cell)] += 1
        assert list(counts) == legal  # nothing illegal came up
        chi_square = sum((count - 100) ** 2 / 100 for count in counts.values())
        freedom = len(legal) - 1
        assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5
        assert np.array_equal(state, state_of(position))


@cache
def mean_result(position: UltimatePosition) -> tuple[float, float]:
    """Return the mean of X's result in random play and of its square, by exact recursion."""
    if position.outcome:
        winner = position.outcome.winner
        score = 0.5 if winner is None else float(winner is Player.X)
        return score, score * score
    found = [mean_result(position.play_unchecked(move)) for move in position.legal_moves]
    mean, square = (sum(column) / len(found) for column in zip(*found, strict=True))
    return mean, square


@pytest.mark.parametrize("variant", VARIANTS)
def test_playouts_have_the_mean_that_random_play_has(variant: Variant) -> None:
    seed, tries = seed_of(9), 1500
    for position in islice(endgames(variant, 7, 6), 8):
        mean, square = mean_result(position)
        total = 0.0
        for _ in range(tries):
            result = playout(state_of(position), seed)
            assert result in (0.0, 0.5, 1.0)
            total += result if position.turn is Player.X else 1.0 - result
        sigma = ((square - mean * mean) / tries) ** 0.5
        assert abs(total / tries - mean) <= 5 * sigma + 1e-9, position


def test_playouts_from_the_start_are_like_games_of_the_pure_rules() -> None:
    rng, seed, tries = random.Random(10), seed_of(11), (200, 20000)
    start = UltimatePosition.start()
    pure = []
    for _ in range(tries[0]):
        outcome = random_game(Variant.STANDARD, rng)[-1].outcome
        assert outcome is not None
        pure.append(0.5 if outcome.winner is None else float(outcome.winner is Player.X))
    compiled = [playout(state_of(start), seed) for _ in range(tries[1])]
    sigma = (0.25 / tries[0] + 0.25 / tries[1]) ** 0.5
    assert abs(np.mean(pure) - np.mean(compiled)) < 5 * sigma


def test_every_order_of_a_shuffle_comes_up_alike() -> None:
    seed, counts = seed_of(12), dict.fromkeys(permutations((3, 5, 7, 8)), 0)
    for _ in range(100 * len(counts)):
        moves = np.array([3, 5, 7, 8, 80], np.int32)
        shuffle(moves, 4, seed)
        assert moves[4] == 80
        counts[tuple(int(move) for move in moves[:4])] += 1
    chi_square = sum((count - 100) ** 2 / 100 for count in counts.values())
    freedom = len(counts) - 1
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_end_that_is_returned_is_the_one_on_the_board(variant: Variant) -> None:
    """The marks that a playout leaves are those of a finished game with that result."""
    seed = seed_of(13)
    for position in islice(midgames(variant, 13), 40):
        state = state_of(position)
        result = playout(state, seed)
        x, o = (sum(int(state[9 * s + b]) << 9 * b for b in range(9)) for s in (0, 1))
        assert x & position.x == position.x
        assert o & position.o == position.o
        assert 0 <= x.bit_count() - o.bit_count() <= 1
        if Variant.OPEN in variant:
            continue  # who got a board first is not in the marks
        outcome = UltimatePosition(x, o, None, variant).outcome
        assert outcome is not None
        winner = outcome.winner
        score = 0.5 if winner is None else float(winner is position.turn)
        assert result == score
