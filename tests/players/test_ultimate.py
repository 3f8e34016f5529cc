"""Players at Ultimate: the lower two see what they should, the others search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from noughts import UltimatePosition, Variant, start
from noughts.limits import Limits
from noughts.players import ULTIMATE_LEVELS, choose_move
from support.strategies import VARIANTS
from support.ultimate_endgames import midgames, random_game

SOON = Limits(nodes=200)


def captures(position: UltimatePosition) -> list[int]:
    """Return the moves after which the side to move has one more board."""
    side = "XO".index(position.turn.value)
    before = position.captured[side]
    moves = position.legal_moves
    return [move for move in moves if position.play(move).captured[side] != before]


def wins(position: UltimatePosition) -> list[int]:
    """Return the moves that win at once."""
    after = {move: position.play(move).outcome for move in position.legal_moves}
    return [m for m, outcome in after.items() if outcome and outcome.winner is position.turn]


def midgames_with(count: int, seed: int) -> Iterator[UltimatePosition]:
    """Yield positions in which a board can be captured, and not by every move."""
    found = (p for p in midgames(Variant.STANDARD, seed) if 0 < len(captures(p)) < p.move_count)
    return islice(found, count)


def late(count: int, before: int, seed: int) -> Iterator[UltimatePosition]:
    """Yield positions some plies before the end of random games."""
    rng = Random(seed)
    for _ in range(count):
        yield random_game(Variant.STANDARD, rng)[-1 - before]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_level_plays_legally(variant: Variant) -> None:
    rng = Random(1)
    for position in [UltimatePosition.start(variant), *islice(midgames(variant, seed=1), 4)]:
        for level in ULTIMATE_LEVELS:
            choice = choose_move(position, level, SOON, rng)
            assert choice.move in position.legal_moves
            assert (choice.known is None) is (level in ("beginner", "casual"))


def test_a_seed_repeats_a_game() -> None:
    def moves(level: str, seed: int) -> list[int]:
        rng, position, played = Random(seed), start("ultimate"), []
        for _ in range(5):
            played.append(choose_move(position, level, Limits(nodes=20), rng).move)
            position = position.play(played[-1])
        return played

    for level in ULTIMATE_LEVELS:
        assert moves(level, 1) == moves(level, 1), level
    for level in ("beginner", "casual"):
        assert len({tuple(moves(level, seed)) for seed in range(4)}) > 1


def test_a_level_searches_as_long_as_it_says() -> None:
    """Neither more nodes nor an engine that knows the position make it any stronger."""
    for level in ("skilled", "strong"):
        most = ULTIMATE_LEVELS[level].simulations
        assert most is not None
        choice = choose_move(start("ultimate"), level, Limits(nodes=50_000), Random(1))
        assert choice.known is not None
        assert 0 < choice.known.visits <= most
    full = choose_move(start("ultimate"), "full", Limits(nodes=1_000), Random(1))
    assert full.known is not None
    assert full.known.visits > 40


def test_a_beginner_sees_every_other_board() -> None:
    rng = Random(5)
    taken = expected = variance = 0.0
    for position in midgames_with(400, seed=5):
        can = captures(position)
        share = 0.5 + 0.5 * len(can) / position.move_count
        taken += choose_move(position, "beginner", SOON, rng).move in can
        expected += share
        variance += share * (1 - share)
    assert abs(taken - expected) < 4 * variance**0.5
    assert 200 < expected < 300


def test_a_casual_player_never_misses_a_win() -> None:
    rng = Random(6)
    found = 0
    for position in late(100, before=1, seed=6):
        if can := wins(position):
            found += 1
            assert choose_move(position, "casual", SOON, rng).move in can
    assert found > 20


def test_a_casual_player_does_not_let_the_other_one_win_at_once() -> None:
    rng = Random(7)
    found = 0
    for position in late(100, before=2, seed=7):
        safe = [m for m in position.legal_moves if not wins(position.play(m))]
        if not wins(position) and 0 < len(safe) < position.move_count:
            found += 1
            assert choose_move(position, "casual", SOON, rng).move in safe
    assert found > 20


def test_a_casual_player_takes_boards_that_cost_nothing() -> None:
    """That is, no board that can be taken in return, and no free choice."""
    rng = Random(8)
    found = 0
    for position in midgames_with(300, seed=8):
        free = [m for m in captures(position) if _costs_nothing(position, m)]
        if free:
            found += 1
            assert choose_move(position, "casual", SOON, rng).move in captures(position)
    assert found > 20


def _costs_nothing(position: UltimatePosition, move: int) -> bool:
    after = position.play(move)
    return after.outcome is None and after.forced is not None and not captures(after)
