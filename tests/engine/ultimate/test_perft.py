"""Perft with the compiled rules counts what the pure rules count."""

from __future__ import annotations

from itertools import islice

import pytest

from endgames import endgames, midgames
from noughts import SizeError, UltimatePosition, Variant, perft, perft_split, start
from noughts.engine.ultimate.perft import CompiledCounter
from strategies import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("depth", range(5))
def test_from_the_middle_of_games(variant: Variant, depth: int) -> None:
    for position in islice(midgames(variant, seed=4), 5):
        assert CompiledCounter().count(position, depth) == perft(position, depth)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("depth", [6, 8, 12])
def test_to_the_end_of_games(variant: Variant, depth: int) -> None:
    """Deeper than what is walked compiled, and beyond the end of some games."""
    for position in islice(endgames(variant, most=10, seed=4), 4):
        assert CompiledCounter().count(position, depth) == perft(position, depth)
        assert CompiledCounter().split(position, depth) == perft_split(position, depth)


def test_other_games_are_counted_all_the_same() -> None:
    assert CompiledCounter().count(start("3x3x3"), 5) == 15120


@pytest.mark.parametrize("depth", [-1, 201, 1.0, True, None])
def test_nonsense_for_a_depth_is_refused(depth: int) -> None:
    with pytest.raises(SizeError):
        CompiledCounter().count(UltimatePosition.start(), depth)
