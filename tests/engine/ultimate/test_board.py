"""The compiled rules against the pure ones, move by move and by counting."""

from __future__ import annotations

import os
import random
from functools import cache
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given

from endgames import empty_playable, endgames, midgames, random_game
from noughts import Player, UltimatePosition, Variant
from noughts import perft as pure_perft
from noughts.engine.ultimate.board import (
    ANY,
    CAPTURED,
    CLOSED,
    DRAWN,
    FORCED,
    GOES_ON,
    LOST,
    SIDE,
    WON,
    State,
    can_still_win,
    copy,
    count_empty,
    legal_moves,
    perft,
    play,
    playout,
    position_of,
    random_move,
    state_of,
)
from noughts.errors import SizeError
from oracle import perft_ultimate
from strategies import NOT_WHOLE, VARIANTS, oracle_of, ultimate_positions, ultimate_settings

POSITIONS = int(os.environ.get("NOUGHTS_TEST_POSITIONS", "20000"))
"""How many positions of random games are compared; once in a while it should be millions."""

PUBLISHED = [1, 81, 720, 6336, 55080, 473256, 4020960, 33782544]


def seed_of(number: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array([number * 0x9E3779B97F4A7C15 % (1 << 64) or 1], np.uint64)


def moves_of(state: State) -> list[int]:
    moves = np.zeros(81, np.int32)
    return [int(move) for move in moves[: legal_moves(state, moves)]]


def result_of(position: UltimatePosition, mover: Player) -> int:
    """Return what the pure rules say that the last move led to."""
    if position.outcome is None:
        return GOES_ON
    if position.outcome.winner is None:
        return DRAWN
    return WON if position.outcome.winner is mover else LOST


# --------------------------------------------------------------------------------- move by move


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_go_as_the_pure_rules_say(variant: Variant) -> None:
    rng = random.Random(1)
    left = POSITIONS // len(VARIANTS)
    results = set()
    while left > 0:
        positions = random_game(variant, rng)
        left -= len(positions)
        state = state_of(positions[0])
        for before, after in pairwise(positions):
            assert moves_of(state) == before.legal_moves
            assert count_empty(state) == empty_playable(before)
            move = ((before.x | before.o) ^ (after.x | after.o)).bit_length() - 1
            result = play(state, move)
            assert result == result_of(after, before.turn), after
            results.add(result)
            assert tuple(state[CAPTURED : CAPTURED + 2]) == after.captured, after
            assert state[CLOSED] == after.closed, after
            assert state[FORCED] == (ANY if after.forced is None else after.forced), after
            assert state[SIDE] == (after.turn is Player.O)
            assert np.array_equal(state, state_of(after)), after
    assert {GOES_ON, WON} <= results


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_go_as_the_oracle_says(variant: Variant) -> None:
    rng = random.Random(2)
    for _ in range(3):
        game, state, result = oracle_of(variant), state_of(UltimatePosition.start(variant)), 0
        while legal := game.legal():
            assert result == GOES_ON
            assert moves_of(state) == legal
            move, mover = legal[int(rng.random() * len(legal))], game.turn
            result = play(state, move)
            game.play(move)
            for side, mark in enumerate("XO"):
                owned = sum(1 << b for b, owner in enumerate(game.owners) if owner == mark)
                assert state[CAPTURED + side] == owned
            assert state[FORCED] == (ANY if game.forced is None else game.forced)
        other = "O" if mover == "X" else "X"
        assert game.outcome == {WON: f"{mover}_wins", LOST: f"{other}_wins", DRAWN: "draw"}[result]


@pytest.mark.parametrize("variant", [Variant.MOST_BOARDS, Variant.MOST_BOARDS | Variant.OPEN])
def test_one_may_lose_by_moving_where_most_boards_win(variant: Variant) -> None:
    """The last cell may be filled by the side that has fewer boards."""
    rng = random.Random(5)
    found = set()
    for _ in range(150):
        last, end = random_game(variant, rng)[-2:]
        results = {play(state_of(last), move) for move in last.legal_moves}
        found |= results
        assert result_of(end, last.turn) in results
    assert found >= {WON, LOST, DRAWN}


@ultimate_settings
@given(ultimate_positions())
def test_a_position_survives_being_a_row_of_integers(position: UltimatePosition) -> None:
    state = state_of(position)
    assert position_of(state) == position
    assert np.array_equal(state_of(position_of(state)), state)
    twin = np.zeros_like(state)
    copy(state, twin)
    assert np.array_equal(twin, state)


# ------------------------------------------------------------------------------------- counting


@pytest.mark.parametrize(("depth", "count"), list(enumerate(PUBLISHED)))
def test_perft_of_the_start(depth: int, count: int) -> None:
    assert perft(UltimatePosition.start(), depth) == count


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_of_variants(variant: Variant) -> None:
    start = UltimatePosition.start(variant)
    for depth in range(5):
        assert perft(start, depth) == pure_perft(start, depth)
    is_open, most = Variant.OPEN in variant, Variant.MOST_BOARDS in variant
    assert perft(start, 2) == perft_ultimate(2, open=is_open, most_boards=most)


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_from_the_middle_of_games(variant: Variant) -> None:
    for position in islice(midgames(variant, 3), 25):
        for depth in (1, 2, 3):
            assert perft(position, depth) == pure_perft(position, depth), (position, depth)


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_to_the_end_of_the_game(variant: Variant) -> None:
    """Games that end early contribute nothing; those that end with the last move count."""
    for position in islice(endgames(variant, 6, 4), 25):
        for depth in range(8):
            assert perft(position, depth) == pure_perft(position, depth), (position, depth)


def test_perft_of_a_finished_game() -> None:
    end = random_game(Variant.STANDARD, random.Random(3))[-1]
    assert [perft(end, depth) for depth in range(4)] == [1, 0, 0, 0]


@pytest.mark.parametrize("depth", [-1, 201, *NOT_WHOLE])
def test_nonsense_for_a_depth_is_refused(depth: int) -> None:
    with pytest.raises(SizeError, match="depth"):
        perft(UltimatePosition.start(), depth)


# --------------------------------------------------------------------------------- random play


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
            counts[int(random_move(state, seed))] += 1
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


# ------------------------------------------------------------------------- who can still win


@cache
def may_win(position: UltimatePosition, side: Player) -> bool:
    """Return whether a side wins some game from here on, the other one helping it."""
    if position.outcome:
        return position.outcome.winner is side
    return any(may_win(position.play_unchecked(m), side) for m in position.legal_moves)


@pytest.mark.parametrize("variant", VARIANTS)
def test_nobody_is_given_up_who_can_still_win(variant: Variant) -> None:
    hopeless = 0
    for position in islice(endgames(variant, 7, 12), 100):
        for side, player in enumerate((Player.X, Player.O)):
            if not can_still_win(state_of(position), side):
                hopeless += 1
                assert not may_win(position, player), position
    assert (hopeless > 10) == (Variant.MOST_BOARDS not in variant)


def test_everybody_can_win_at_the_start() -> None:
    state = state_of(UltimatePosition.start())
    assert can_still_win(state, 0)
    assert can_still_win(state, 1)
