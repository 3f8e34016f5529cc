"""Exact endgames against plain minimax."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import islice
from threading import Timer

import numpy as np
import pytest

from noughts import Symmetry, UltimatePosition, Variant
from noughts.engine.ultimate.board import state_of
from noughts.engine.ultimate.endgame import Endgame
from noughts.engine.ultimate.transposition import hash_state, new_table
from support.strategies import VARIANTS
from support.ultimate_endgames import empty_playable, endgames, minimax, random_game

SIZE = 1 << 14


@cache
def small(variant: Variant) -> Sequence[UltimatePosition]:
    return list(islice(endgames(variant, 8, 31), 40))


@pytest.mark.parametrize("variant", VARIANTS)
def test_values_and_plies_are_those_of_minimax(variant: Variant) -> None:
    endgame = Endgame(new_table(SIZE))
    larger = (p for p in endgames(variant, 10, 32) if empty_playable(p) >= 9)
    positions = [*small(variant), *islice(larger, 4)]
    found = set()
    for position in positions:
        solved = endgame.solve(state_of(position))
        assert solved == minimax(position), position
        found.add(solved[0])
    assert found == {1, 0, -1}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_has_the_value_of_its_best_move(variant: Variant) -> None:
    """The rule of minimax, where minimax would take too long; each with its own table."""
    larger = (p for p in endgames(variant, 16, 33) if empty_playable(p) >= 12)
    for position in islice(larger, 8):
        scores = []
        for move in position.legal_moves:
            after = position.play_unchecked(move)
            solved = (
                minimax(after) if after.outcome else Endgame(new_table(SIZE)).solve(state_of(after))
            )
            assert solved is not None
            value, plies = solved
            scores.append((-value, 0 if value == 0 else plies + 1))
        best = max(scores, key=lambda score: (score[0], -score[0] * score[1]))
        assert Endgame(new_table(SIZE)).solve(state_of(position)) == best, position


@pytest.mark.parametrize("variant", VARIANTS)
def test_symmetric_images_have_the_same_value(variant: Variant) -> None:
    larger = (p for p in endgames(variant, 16, 34) if empty_playable(p) >= 10)
    endgame = Endgame(new_table(SIZE))
    for position in islice(larger, 6):
        images = [position.transformed(symmetry) for symmetry in Symmetry]
        assert len({endgame.solve(state_of(image)) for image in images}) == 1, position


@pytest.mark.parametrize("size", [1, 2, 64])
def test_a_small_table_does_not_change_the_answer(size: int) -> None:
    endgame = Endgame(new_table(size))
    for position in small(Variant.STANDARD)[:20]:
        assert endgame.solve(state_of(position)) == minimax(position), position


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_table_never_changes_an_answer(variant: Variant) -> None:
    """One table for every move of many positions, beside one with a single entry."""
    endgame = Endgame(new_table(SIZE))
    larger = (p for p in endgames(variant, 16, 38) if empty_playable(p) >= 13)
    for position in islice(larger, 300):
        for move in position.legal_moves:
            after = position.play_unchecked(move)
            if not after.outcome:
                state = state_of(after)
                assert endgame.solve(state) == Endgame(new_table(1)).solve(state), after


@pytest.mark.parametrize("size", [16, SIZE])
def test_threads_share_a_table(size: int) -> None:
    """In a small table two threads overwrite each other's entries all the time."""
    first = Endgame(new_table(size))
    larger = (p for p in endgames(Variant.STANDARD, 16, 39) if empty_playable(p) >= 12)
    states = [state_of(position) for position in islice(larger, 40)]
    with ThreadPoolExecutor(2) as pool:
        jobs = [
            pool.submit(lambda endgame: [endgame.solve(state) for state in states], endgame)
            for endgame in (first, first.for_another_thread())
        ]
    alone = [Endgame(new_table(1)).solve(state) for state in states]
    assert [job.result() for job in jobs] == [alone, alone]
    assert None not in alone


def test_a_torn_entry_is_ignored() -> None:
    """As if two threads had written at once: every entry gets the facts of another position."""
    table = new_table(SIZE)
    endgame = Endgame(table)
    for position in small(Variant.STANDARD):
        value = endgame.solve(state_of(position))
        assert value == minimax(position)
        used = np.flatnonzero(table[:, 2])
        table[used, 2] = np.roll(table[used, 2], 1)
        assert endgame.solve(state_of(position)) == value, position
    assert len(used) > 100


def test_an_empty_window_stores_no_bound() -> None:
    """Beside a win in one, other moves have an empty window: their replies are not searched."""
    position = UltimatePosition.parse(
        "O;XXO...##.;XXXO..OXO/X.XOXOXO./.O...XOOO/OXO..OXOX/O..O..XOO/.XXX..OXX/"
        "OOXXXOOXX/XOXXXOOXO/OOXXOOX.X",
        Variant.MOST_BOARDS,
    )
    endgame = Endgame(new_table(SIZE))
    for move in position.legal_moves:
        after = position.play_unchecked(move)
        assert after.outcome or endgame.solve(state_of(after)) == minimax(after), after


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_stopped_search_stores_nothing_wrong(variant: Variant) -> None:
    rng = random.Random(35)
    endgame = Endgame(new_table(SIZE))
    gave_up = 0
    for position in small(variant):
        for _ in range(3):
            endgame.allow(1 + int(40 * rng.random()))
            solved = endgame.solve(state_of(position))
            gave_up += solved is None
            assert solved in (None, minimax(position)), position
        endgame.allow(1 << 62)
        assert endgame.solve(state_of(position)) == minimax(position), position
    assert gave_up > 0


@pytest.mark.parametrize("nodes", [1, 2, 10, 1000])
def test_the_limit_is_kept(nodes: int) -> None:
    endgame = Endgame(new_table(SIZE))
    endgame.allow(nodes)
    state = state_of(UltimatePosition.start())
    assert endgame.solve(state) is None
    assert endgame.nodes <= nodes + 1  # the node that exceeds the limit
    assert endgame.solve(state) is None
    assert np.array_equal(state, state_of(UltimatePosition.start()))


def test_stopping() -> None:
    """The start of the game is too far from the end, so only `stop` ends the search."""
    endgame = Endgame(new_table(SIZE))
    timer = Timer(0.05, endgame.stop)
    timer.start()
    assert endgame.solve(state_of(UltimatePosition.start())) is None
    timer.join()
    position = small(Variant.STANDARD)[0]
    assert endgame.solve(state_of(position)) is None  # it stays stopped
    endgame.stop(False)
    assert endgame.solve(state_of(position)) == minimax(position)


def test_variants_are_not_confused_in_one_table() -> None:
    """The same marks may be worth something else under other rules."""
    endgame = Endgame(new_table(SIZE))
    for position in islice(endgames(Variant.STANDARD, 7, 37), 100):
        for variant in (Variant.STANDARD, Variant.MOST_BOARDS):
            same = replace(position, variant=variant)
            assert endgame.solve(state_of(same)) == minimax(same), same


def test_positions_that_differ_have_hashes_that_differ() -> None:
    """Each half alone tells thousands of positions apart; marks in closed boards do not matter."""
    rng = random.Random(36)
    seen: tuple[dict[int, object], dict[int, object]] = ({}, {})
    for variant in (Variant.STANDARD, Variant.OPEN):
        for _ in range(60):
            for position in random_game(variant, rng)[:-1]:
                boards = position.line.split(";")[2].split("/")
                matters = (
                    position.turn,
                    position.forced,
                    position.captured,
                    tuple(
                        None if position.closed >> board & 1 else marks
                        for board, marks in enumerate(boards)
                    ),
                )
                key = np.zeros(2, np.uint64)
                hash_state(state_of(position), key)
                for half in range(2):
                    assert seen[half].setdefault(int(key[half]), matters) == matters
    assert len(seen[0]) == len(seen[1]) > 5000
