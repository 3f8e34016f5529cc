"""The compiled rules against the pure ones, move by move and by counting."""

from __future__ import annotations

import os
import random
from functools import cache
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given

from noughts import Player, UltimatePosition, Variant
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
    play,
    position_of,
    reach,
    reach_after,
    state_of,
)
from noughts.rules.ultimate import HAS_LINE
from support.strategies import VARIANTS, oracle_of, ultimate_positions, ultimate_settings
from support.ultimate_endgames import empty_playable, endgames, midgames, random_game

POSITIONS = int(os.environ.get("NOUGHTS_TEST_POSITIONS", "20000"))
"""How many positions of random games are compared; once in a while it should be millions."""


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
    copied = np.zeros_like(state)
    copy(state, copied)
    assert np.array_equal(copied, state)


# ------------------------------------------------------------------------- who can still win


@cache
def may_win(position: UltimatePosition, side: Player) -> bool:
    """Return whether a side wins some game from here on, the other one helping it."""
    if position.outcome:
        return position.outcome.winner is side
    return any(may_win(position.play_unchecked(m), side) for m in position.legal_moves)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_side_that_can_win_is_never_given_up(variant: Variant) -> None:
    hopeless = 0
    for position in islice(endgames(variant, 7, 12), 100):
        for side, player in enumerate((Player.X, Player.O)):
            if not can_still_win(state_of(position), side):
                hopeless += 1
                assert not may_win(position, player), position
    assert (hopeless > 10) == (Variant.MOST_BOARDS not in variant)


def test_both_sides_can_win_at_the_start() -> None:
    state = state_of(UltimatePosition.start())
    assert can_still_win(state, 0)
    assert can_still_win(state, 1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_in_reach_is_kept_up_move_by_move(variant: Variant) -> None:
    changes = 0
    for position in islice(midgames(variant, 14), 60):
        before = state_of(position)
        for move in position.legal_moves:
            after = before.copy()
            play(after, move)
            for side in (0, 1):
                kept = reach_after(reach(before, side), after, side, move // 9)
                if Variant.MOST_BOARDS not in variant:
                    assert kept == reach(after, side), (position, move, side)
                    changes += kept != reach(before, side)
                assert HAS_LINE[kept] == can_still_win(after, side)
    assert changes > 10 or Variant.MOST_BOARDS in variant
