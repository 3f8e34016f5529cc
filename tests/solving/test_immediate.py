"""What threats prove is true, and nothing that they could prove is missed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Grid, GridPosition
from noughts.rules.grid import cells_of
from noughts.solving.immediate import completions, forks, sides, solve_immediate
from noughts.values import Solution, Value
from support.oracle import has_line, lines
from support.solver_cases import by_brute_force, positions, running_positions

GRIDS = ["3x3x3", "3x4x3", "4x4x3", "2x5x2", "3x4x4", "1x7x1", "1x7x3", "4x4x4"]


def check(position: GridPosition) -> None:
    """Compare with brute force: what is said holds, and all that ends within three plies is."""
    found = solve_immediate(position)
    value, plies = by_brute_force(position)
    assert found.position == position
    assert found.at_least.rank <= value.rank <= found.at_most.rank
    if found.value in (Value.WIN, Value.LOSS):
        assert found.plies == plies
    if plies in (0, 1, 2, 3):
        assert (found.value, found.plies) == (value, plies)


def test_what_threats_prove_is_true_in_every_position_of_3x3() -> None:
    for position in running_positions("3x3x3"):
        check(position)
        for move in position.legal_moves:
            if position.play(move).outcome:
                check(position.play(move))


@given(positions(GRIDS, empty=9))
def test_what_threats_prove_is_true(position: GridPosition) -> None:
    check(position)


@st.composite
def marked(draw: st.DrawFn) -> tuple[Grid, int, int]:
    """Draw a grid with the marks of one side, and the empty cells."""
    rows, cols, k = draw(st.integers(1, 6)), draw(st.integers(1, 6)), draw(st.integers(1, 6))
    cells = draw(st.lists(st.sampled_from("X..O"), min_size=rows * cols, max_size=rows * cols))
    masks = [sum(1 << i for i, cell in enumerate(cells) if cell == mark) for mark in "X."]
    return Grid(rows, cols, k), masks[0], masks[1]


def completed_by(grid: Grid, marks: int, empty: int) -> set[int]:
    """Return the empty cells in which a mark completes a line, line by line."""
    found = set()
    for line in lines(grid.rows, grid.cols, grid.k):
        missing = [cell for cell in line if not marks >> cell & 1]
        if len(missing) == 1 and empty >> missing[0] & 1:
            found.add(missing[0])
    return found


@given(marked())
def test_completions_are_those_of_each_line(drawn: tuple[Grid, int, int]) -> None:
    grid, marks, empty = drawn
    cells = "".join("X" if marks >> cell & 1 else "." for cell in range(grid.cells))
    if not has_line(cells, grid.rows, grid.cols, grid.k, "X"):
        assert set(cells_of(completions(grid, marks, empty))) == completed_by(*drawn)


@given(marked())
def test_forks_are_cells_that_leave_two_lines_to_complete(drawn: tuple[Grid, int, int]) -> None:
    grid, marks, empty = drawn
    if grid.k == 1 or completed_by(*drawn):
        return  # there is a win already, and forks are not asked for
    expected = {
        cell
        for cell in cells_of(empty)
        if len(completed_by(grid, marks | 1 << cell, empty & ~(1 << cell))) > 1
    }
    assert set(cells_of(forks(grid, marks, empty))) == expected


def test_the_sides_are_seen_from_the_side_to_move() -> None:
    assert sides(GridPosition.parse("X../.O./...")) == (1, 1 << 4, 0o777 & ~0o21)
    assert sides(GridPosition.parse("X../.../...")) == (0, 1, 0o776)


def at(grid: str, moves: str) -> GridPosition:
    position = GridPosition.start(grid)
    for move in moves.split():
        position = position.play(move)
    return position


@pytest.mark.parametrize("grid", ["19x19x5", "300x300x5", "1000x1000x5"])
def test_threats_are_seen_on_large_boards(grid: str) -> None:
    four = at(grid, "b2 s1 c3 s3 d4 s5 e5")
    assert solve_immediate(four).value is Value.LOSS
    assert solve_immediate(four).plies == 2
    assert str(solve_immediate(four.play("a1"))) == "X wins in 1 ply"
    three = at(grid, "j10 a1 k10 s19 l10 c1")
    assert str(solve_immediate(three)) == "X wins in 3 plies"
    assert str(solve_immediate(at(grid, "j10 a1 k10"))) == "not known"


def test_a_side_without_an_open_line_cannot_win() -> None:
    assert solve_immediate(GridPosition.start("3x4x5")).value is Value.DRAW, "no line fits"
    for text, at_least, at_most in [
        ("1x7x4:XOXO...", Value.LOSS, Value.DRAW),
        ("1x7x4:OXOX...", Value.DRAW, Value.WIN),
        ("1x6x4:..XO..", Value.DRAW, Value.DRAW),
        ("1x7x4:.......", Value.LOSS, Value.WIN),
    ]:
        found = solve_immediate(GridPosition.parse(text))
        assert (found.at_least, found.at_most) == (at_least, at_most), text


def test_a_finished_game_is_known() -> None:
    won = GridPosition.parse("XXX/OO./...")
    assert solve_immediate(won) == Solution(won, Value.LOSS, Value.LOSS, 0)
    drawn = GridPosition.parse("XOX/XOO/OXX")
    assert solve_immediate(drawn) == Solution(drawn, Value.DRAW, Value.DRAW)
