from __future__ import annotations

import itertools
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from noughts.solving.ranking import MAX_CELLS, layer_sizes, layer_starts, place_of, rank


def boards(cells: int) -> list[tuple[int, int]]:
    """List every board that could have its marks in turn, by looking at all of them."""
    found = []
    for marks in itertools.product(".XO", repeat=cells):
        if marks.count("X") - marks.count("O") in (0, 1):
            x = sum(1 << cell for cell, mark in enumerate(marks) if mark == "X")
            found.append((x, sum(1 << cell for cell, mark in enumerate(marks) if mark == "O")))
    return found


def test_every_board_has_a_place_of_its_own() -> None:
    for cells in range(1, 10):
        places = [place_of(cells, x, o) for x, o in boards(cells)]
        assert sorted(places) == list(range(layer_starts(cells)[-1]))


def test_boards_are_in_order() -> None:
    """Of marks, then of marked cells, then of O's: those compare as their masks do."""
    for cells in [1, 5, 8]:
        in_order = sorted(
            boards(cells), key=lambda b: ((b[0] | b[1]).bit_count(), b[0] | b[1], b[1])
        )
        assert [place_of(cells, x, o) for x, o in in_order] == list(range(len(in_order)))


def test_ranks_count_the_lesser_sets() -> None:
    for size in range(8):
        masks = [mask for mask in range(1 << 10) if mask.bit_count() == size]
        assert [rank(mask) for mask in masks] == list(range(comb(10, size)))


@given(st.integers(0, (1 << MAX_CELLS) - 1))
def test_no_rank_is_larger_than_there_are_sets(mask: int) -> None:
    assert 0 <= rank(mask) < comb(MAX_CELLS, mask.bit_count())


def test_layers_follow_each_other() -> None:
    for cells in range(1, MAX_CELLS + 1):
        sizes, starts = layer_sizes(cells), layer_starts(cells)
        assert len(sizes) == cells + 1
        assert [end - start for start, end in itertools.pairwise(starts)] == list(sizes)
        assert place_of(cells, 0, 0) == 0
        x = (1 << cells) - (1 << cells // 2)  # all of O's cells are below X's: the first choice
        assert place_of(cells, x, (1 << cells // 2) - 1) == starts[-2]
