from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import (
    Grid,
    GridPosition,
    NoughtsError,
    SizeError,
    UltimatePosition,
    Variant,
    perft,
    perft_split,
)
from noughts.rules.perft import MAX_DEPTH, Counter
from support.oracle import perft_grid, perft_ultimate
from support.strategies import (
    NOT_WHOLE,
    VARIANTS,
    Played,
    Shape,
    board_of,
    played_boards,
    shapes,
    ultimate_positions,
    ultimate_settings,
)

# Sequences of exactly that many moves; their sum over the finished games is 255,168.
PUBLISHED_3X3 = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
PUBLISHED_ULTIMATE = [1, 81, 720, 6336, 55080, 473256]


@pytest.mark.parametrize(("depth", "nodes"), list(enumerate(PUBLISHED_3X3)))
def test_published_numbers_of_3x3x3(depth: int, nodes: int) -> None:
    assert perft(GridPosition.start("3x3x3"), depth) == nodes


@pytest.mark.parametrize(("depth", "nodes"), list(enumerate(PUBLISHED_ULTIMATE)))
def test_published_numbers_of_ultimate(depth: int, nodes: int) -> None:
    assert perft(UltimatePosition.start(), depth) == nodes


def test_one_counter_may_be_asked_anything() -> None:
    """What it remembers of one depth or position is not the answer for another."""
    counter = Counter()
    for depth in (3, 5, 4, 2, 5):
        assert counter.count("3x3x3", depth) == PUBLISHED_3X3[depth]
    assert counter.count("3x3x3 b2", 4) == PUBLISHED_3X3[5] // 9
    assert sum(counter.split("3x3x3", 5).values()) == PUBLISHED_3X3[5]
    assert counter.count("ultimate", 3) == PUBLISHED_ULTIMATE[3]


@pytest.mark.parametrize(
    "shape",
    [(1, 1, 1), (1, 1, 2), (1, 6, 2), (2, 2, 2), (2, 3, 2), (3, 2, 3), (1, 7, 3), (3, 3, 2)],
    ids=str,
)
def test_every_depth_of_small_grids(shape: Shape) -> None:
    position = GridPosition.start(Grid(*shape))
    for depth in range(shape[0] * shape[1] + 2):
        assert perft(position, depth) == perft_grid(*shape, depth)


@settings(max_examples=30)
@given(shapes(), st.integers(0, 3))
def test_any_grid_near_the_start(shape: Shape, depth: int) -> None:
    assert perft(GridPosition.start(Grid(*shape)), depth) == perft_grid(*shape, depth)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_near_the_start(variant: Variant) -> None:
    settings = {"open": Variant.OPEN in variant, "most_boards": Variant.MOST_BOARDS in variant}
    for depth in range(4):
        expected = perft_ultimate(depth, **settings)
        assert perft(UltimatePosition.start(variant), depth) == expected


@ultimate_settings
@given(ultimate_positions(), st.integers(0, 2))
def test_any_ultimate_position(position: UltimatePosition, depth: int) -> None:
    def count(position: UltimatePosition, left: int) -> int:
        if left == 0:
            return 1
        return sum(count(position.play(move), left - 1) for move in position.legal_moves)

    assert perft(position, depth) == count(position, depth)


@given(played_boards(), st.integers(0, 4))
def test_any_grid_position(played: Played, depth: int) -> None:
    def count(position: GridPosition, left: int) -> int:
        if left == 0:
            return 1
        return sum(count(position.play(move), left - 1) for move in position.legal_moves)

    position = GridPosition.of(board_of(*played[:2]))
    depth = min(depth, 2) if position.move_count > 10 else depth
    assert perft(position, depth) == count(position, depth)


def test_without_lines_the_numbers_are_factorials() -> None:
    position = GridPosition.start("2x5x9")
    for depth in range(11):
        assert perft(position, depth) == math.perm(10, depth)


# ------------------------------------------------------------------------------------- split


@given(played_boards(), st.integers(1, 3))
def test_the_split_adds_up(played: Played, depth: int) -> None:
    position = GridPosition.of(board_of(*played[:2]))
    split = perft_split(position, depth)
    assert list(split) == position.legal_moves
    assert sum(split.values()) == perft(position, depth)
    for move, nodes in split.items():
        assert nodes == perft(position.play(move), depth - 1)


@ultimate_settings
@given(ultimate_positions(), st.integers(1, 2))
def test_the_split_of_ultimate_adds_up(position: UltimatePosition, depth: int) -> None:
    split = perft_split(position, depth)
    assert list(split) == position.legal_moves
    assert sum(split.values()) == perft(position, depth)
    for move, nodes in split.items():
        assert nodes == perft(position.play(move), depth - 1)


def test_the_published_split_of_3x3x3() -> None:
    split = perft_split(GridPosition.start("3x3x3"), 9)
    assert sum(split.values()) == 127872
    assert len({split[corner] for corner in (0, 2, 6, 8)}) == 1
    assert len({split[edge] for edge in (1, 3, 5, 7)}) == 1


def test_a_finished_game_has_no_moves() -> None:
    position = GridPosition.parse("XXX/OO./...")
    assert perft(position, 0) == 1
    assert perft(position, 1) == 0
    assert perft_split(position, 1) == {}


# ------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("count", [perft, perft_split])
@pytest.mark.parametrize(
    "bad",
    [-1, -(10**400), MAX_DEPTH + 1, 10**400, 10**5000, *NOT_WHOLE],
    ids=lambda v: type(v).__name__,
)
def test_nonsense_depths_are_refused_by_name(count: Callable[..., object], bad: Any) -> None:
    with pytest.raises(SizeError, match="depth") as caught:
        count(GridPosition.start("3x3x3"), bad)
    assert len(str(caught.value)) < 200


def test_a_split_needs_a_move() -> None:
    with pytest.raises(SizeError):
        perft_split(GridPosition.start("3x3x3"), 0)


@pytest.mark.parametrize("count", [perft, perft_split])
@pytest.mark.parametrize("bad", [None, 3, "", "3x3", ["3x3x3"]], ids=repr)
def test_only_positions_are_counted(count: Callable[..., object], bad: Any) -> None:
    with pytest.raises(NoughtsError):
        count(bad, 1)
