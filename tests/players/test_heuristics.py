"""The weights of cells against their definition, and which cells are candidates."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given

from noughts import GridPosition, Player
from noughts.players.heuristics import by_weight, candidates, weights_of
from support.oracle import lines
from support.solver_cases import positions

GRIDS = ["3x3x3", "3x4x3", "4x4x3", "2x5x4", "1x7x2", "4x3x9", "5x5x1"]


@given(positions(GRIDS))
def test_a_weight_is_what_the_lines_through_a_cell_still_promise(position: GridPosition) -> None:
    cells = "".join(position.board.rows)
    grid = position.grid
    expected = dict.fromkeys(position.legal_moves, Fraction(0))
    for line in lines(grid.rows, grid.cols, grid.k):
        missing = Fraction(1, 2 ** sum(cells[cell] == "." for cell in line))
        open_to = [side for side in Player if all(cells[cell] in f"{side}." for cell in line)]
        for cell in line:
            if cell in expected:
                expected[cell] += missing * len(open_to)
    assert weights_of(position) == expected


@given(positions(GRIDS))
def test_the_heaviest_comes_first(position: GridPosition) -> None:
    weights, ordered = weights_of(position), by_weight(position)
    assert sorted(ordered) == position.legal_moves
    assert [weights[cell] for cell in ordered] == sorted(weights.values(), reverse=True)


def test_of_equals_the_most_central_comes_first() -> None:
    empty = GridPosition.start("3x3x9")  # no line fits, and so nothing weighs anything
    assert by_weight(empty) == [4, 1, 3, 5, 7, 0, 2, 6, 8]
    for grid, centre in (("3x3x3", 4), ("9x9x5", 40), ("19x19x5", 180)):
        assert by_weight(GridPosition.start(grid))[0] == centre


def test_on_small_boards_every_legal_move_is_a_candidate() -> None:
    for text in ("3x3x3", "8x8x5", "1x64x3"):
        position = GridPosition.start(text)
        assert candidates(position) == position.legal_moves
        position = position.play(0)
        assert candidates(position) == position.legal_moves


def test_on_large_boards_candidates_are_near_a_mark_or_the_centre() -> None:
    position = GridPosition.start("300x400x5")
    centre = 150 * 400 + 200
    near = [centre + 400 * row + col for row in range(-2, 3) for col in range(-2, 3)]
    assert candidates(position) == near
    corner = position.play(0)
    assert candidates(corner) == [400 * r + c for r in range(3) for c in range(3) if r or c]
    both = corner.play(centre)
    assert set(candidates(both)) == {*candidates(corner), *near} - {centre}
    assert len(candidates(both)) == 8 + 24


def test_a_large_board_that_is_nearly_full_has_candidates() -> None:
    cells = "XO" * 35
    for free in (1, 33, 69):  # of O, who is to move
        position = GridPosition.parse(f"1x70x80:{cells[:free]}.{cells[free + 1 :]}")
        assert candidates(position) == [free]
