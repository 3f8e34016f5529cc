"""Perft with the compiled rules counts what the pure rules count."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from noughts import SizeError, UltimatePosition, Variant, perft, perft_split, start
from noughts.engine.ultimate.perft import CompiledCounter
from noughts.engine.ultimate.perft import perft as compiled_perft
from support.oracle import perft_ultimate
from support.strategies import NOT_WHOLE, VARIANTS
from support.ultimate_endgames import endgames, midgames, random_game


@pytest.mark.parametrize("variant", VARIANTS)
def test_from_the_middle_of_games(variant: Variant) -> None:
    for position in islice(midgames(variant, seed=4), 5):
        for depth in range(5):
            assert CompiledCounter().count(position, depth) == perft(position, depth), depth


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("depth", [6, 8, 12])
def test_to_the_end_of_games(variant: Variant, depth: int) -> None:
    """Deeper than the compiled plies, and beyond the end of some games."""
    for position in islice(endgames(variant, most=10, seed=4), 4):
        assert CompiledCounter().count(position, depth) == perft(position, depth)
        assert CompiledCounter().split(position, depth) == perft_split(position, depth)


def test_other_games_are_counted_all_the_same() -> None:
    assert CompiledCounter().count(start("3x3x3"), 5) == 15120


@pytest.mark.parametrize("depth", [-1, 201, 1.0, True, None])
def test_wrong_depths_are_refused(depth: int) -> None:
    with pytest.raises(SizeError):
        CompiledCounter().count(UltimatePosition.start(), depth)


# -- compiled backtracking alone

PUBLISHED = [1, 81, 720, 6336, 55080, 473256, 4020960, 33782544]


def test_perft_of_the_start() -> None:
    found = [compiled_perft(UltimatePosition.start(), depth) for depth in range(len(PUBLISHED))]
    assert found == PUBLISHED


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_of_variants(variant: Variant) -> None:
    start = UltimatePosition.start(variant)
    for depth in range(5):
        assert compiled_perft(start, depth) == perft(start, depth)
    is_open, most = Variant.OPEN in variant, Variant.MOST_BOARDS in variant
    assert compiled_perft(start, 2) == perft_ultimate(2, open=is_open, most_boards=most)


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_from_the_middle_of_games(variant: Variant) -> None:
    for position in islice(midgames(variant, 3), 25):
        for depth in (1, 2, 3):
            assert compiled_perft(position, depth) == perft(position, depth), (position, depth)


@pytest.mark.parametrize("variant", VARIANTS)
def test_perft_to_the_end_of_the_game(variant: Variant) -> None:
    """Games that end early contribute nothing; those that end with the last move count."""
    for position in islice(endgames(variant, 6, 4), 25):
        for depth in range(8):
            assert compiled_perft(position, depth) == perft(position, depth), (position, depth)


def test_perft_of_a_finished_game() -> None:
    end = random_game(Variant.STANDARD, random.Random(3))[-1]
    assert [compiled_perft(end, depth) for depth in range(4)] == [1, 0, 0, 0]


@pytest.mark.parametrize("depth", [-1, 201, *NOT_WHOLE])
def test_wrong_depths_of_compiled_perft_are_refused(depth: int) -> None:
    with pytest.raises(SizeError, match="depth"):
        compiled_perft(UltimatePosition.start(), depth)
