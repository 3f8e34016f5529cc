"""Solving: the laws of perfect play."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, Player, Symmetry
from noughts.solving import Solution, Value, analyse
from noughts.solving.solver import Solver
from support.oracle import has_line
from support.solver_cases import (
    MIB,
    by_brute_force,
    by_kernels,
    holds_what_it_says,
    known,
    positions,
    sampled,
    seen_before,
    solver,
)

MIXED = ["3x3x3", "3x4x3", "4x4x3", "4x4x4", "3x5x3", "3x5x4", "2x8x3", "5x5x4", "4x6x4"]


def fresh(position: GridPosition) -> Solution:
    """Ask a solver that has seen nothing yet."""
    return Solver(position.grid, MIB).solve(position)


@settings(max_examples=60)
@given(positions(MIXED, empty=14), st.data())
def test_turning_the_board_changes_no_value(position: GridPosition, data: st.DataObject) -> None:
    expected = known(by_kernels(position))
    for symmetry in position.grid.symmetries:
        assert known(by_kernels(position.transformed(symmetry))) == expected
    symmetry = data.draw(st.sampled_from(position.grid.symmetries))
    assert known(fresh(position.transformed(symmetry))) == expected


@settings(max_examples=60)
@given(positions(["3x4x3", "3x5x3", "3x5x4", "2x7x3", "4x6x4", "1x9x3", "4x5x4"], empty=14))
def test_rows_and_columns_may_change_places(position: GridPosition) -> None:
    grid = position.grid
    x, o = (
        Symmetry.TRANSPOSE.apply(mask, grid.rows, grid.cols) for mask in (position.x, position.o)
    )
    upright = GridPosition(Grid(grid.cols, grid.rows, grid.k), x, o)
    assert known(by_kernels(upright)) == known(by_kernels(position))


def filled(surplus: int) -> str:
    """Return a row of seven marks without four in line that has `surplus` more X than O."""
    rows = {1: "XOXOXOX", 3: "XXOXXOX", -1: "OXOXOXO", -3: "OOXOOXO"}
    return rows[surplus]


@given(st.text("XO.", min_size=7, max_size=7).filter(lambda row: "." in row))
def test_the_sides_may_change_places(row: str) -> None:
    """In rows that nothing connects: one more full row hands the turn to the other side."""
    ahead = row.count("X") - row.count("O")
    if abs(ahead) > 2 or any(has_line(row, 1, 7, 4, side) for side in "XO"):
        return
    odd, even = (1 - ahead, ahead) if ahead % 2 == 0 else (-ahead, 1 + ahead)
    below = {0: [1, -1], 2: [1, 1], -2: [-1, -1]}[even]
    swapped = row.translate(str.maketrans("XO", "OX"))
    one = GridPosition.parse("/".join([row, filled(odd)]), Grid(2, 7, 4))
    other = GridPosition.parse("/".join([swapped, *map(filled, below)]), Grid(3, 7, 4))
    assert one.turn is other.turn.other
    assert known(by_kernels(one)) == known(by_kernels(other))


@settings(max_examples=80)
@given(positions([*MIXED, "2x2x2", "1x6x3", "3x3x5"], empty=10))
def test_an_analysis_fits_the_solutions(position: GridPosition) -> None:
    """The value of every move is that of the position after it, and the best is the position's."""
    analysis = solver(str(position.grid)).analyse(position)
    solution = analysis.solution
    assert known(solution) == known(by_kernels(position))
    holds_what_it_says(solution)
    assert sorted(found.move for found in analysis.moves) == position.legal_moves
    for found in analysis.moves:
        after = position.play(found.move)
        assert known(found) == seen_before(known(by_kernels(after)))
    worth = [found.order for found in analysis.moves]
    assert worth == sorted(worth)
    best = [found.move for found in analysis.moves if known(found) == known(analysis.moves[0])]
    assert list(solution.best) == best
    assert known(solution) == known(analysis.moves[0])
    assert set(by_kernels(position).best) <= set(best)


@settings(max_examples=80)
@given(positions(["3x3x3", "2x4x3", "2x4x2", "1x9x3", "3x3x2", "2x2x3"]))
def test_pure_and_compiled_analyses_agree(position: GridPosition) -> None:
    pure, compiled = analyse(position), solver(str(position.grid)).analyse(position)
    assert pure.moves == compiled.moves
    assert pure.labels == compiled.labels
    assert pure.solution.best == compiled.solution.best
    assert known(pure.solution) == known(compiled.solution)
    for found in pure.moves:
        assert known(found) == seen_before(by_brute_force(position.play(found.move)))


@settings(max_examples=100)
@given(positions(["3x4x3", "4x4x3", "3x5x3", "2x6x3", "4x4x4", "4x5x3"], empty=8))
def test_every_move_of_a_line_is_best(position: GridPosition) -> None:
    """A winner is quick and a loser holds out, all the way."""
    expected = by_brute_force(position)
    for move in by_kernels(position).line:
        position = position.play(move)
        assert seen_before(by_brute_force(position)) == expected
        value, plies = expected
        expected = value.reversed, None if plies is None else plies - 1
    assert position.outcome


@pytest.mark.parametrize(
    "grid", ["3x4x3", "4x4x3", "3x5x3", "5x5x3", "4x4x4", "5x6x4", "6x6x4", "8x8x4"]
)
def test_a_win_comes_nearer_with_every_round(grid: str) -> None:
    """Whatever the other side does, a round takes two plies off the win, or more."""
    rng = random.Random(grid)
    cells = Grid.parse(grid).cells
    won = 0
    for attempt in range(40):
        if cells > 25 and attempt == 3:
            break  # the length of a win after two weak moves may take minutes there
        position = sampled(grid, 0 if attempt < 3 else rng.randint(0, cells // 2), rng)
        solution = by_kernels(position)
        if solution.value is not Value.WIN:
            continue
        won += 1
        us, left = position.turn, solution.plies
        while not position.outcome:
            solution = by_kernels(position)
            assert (solution.value, solution.winner) == (Value.WIN, us)
            assert left is not None
            assert solution.plies is not None
            assert solution.plies <= left
            position = position.play(solution.best[0])
            left = solution.plies - 2
            if position.outcome:
                assert solution.plies == 1
                assert position.outcome.winner is us
            else:
                position = position.play(rng.choice(position.legal_moves))
    assert won


@pytest.mark.parametrize("grid", ["3x4x3", "4x4x3", "3x5x3", "5x6x4"])
def test_a_loser_holds_out_as_promised(grid: str) -> None:
    """Against the best play exactly as long as promised, against any other at least as long."""
    rng = random.Random(grid)
    for _ in range(15):
        cells = Grid.parse(grid).cells
        position = sampled(grid, rng.randint(cells // 3, cells // 2), rng)
        solution = by_kernels(position)
        if solution.value is not Value.LOSS:
            continue
        us, promised, played = position.turn, solution.plies, 0
        careless = rng.random() < 0.5
        while not position.outcome:
            found = by_kernels(position)
            choice = position.legal_moves if careless and position.turn is not us else found.best
            position = position.play(rng.choice(choice))
            played += 1
        assert promised is not None
        if careless:
            assert position.outcome.winner is not us.other or played >= promised
        else:
            assert (position.outcome.winner, played) == (us.other, promised)


@pytest.mark.parametrize("grid", ["3x3x3", "4x4x4", "2x8x3", "4x5x4", "5x5x4", "5x5x5"])
def test_a_draw_is_never_lost(grid: str) -> None:
    """Neither as the first side nor as the second, against random play and against itself."""
    rng = random.Random(grid)
    for us in (Player.X, Player.O, None):
        for _ in range(1 if grid in ("4x5x4", "5x5x4") else 6):
            position = GridPosition.start(grid)
            while not position.outcome:
                ours = us is None or position.turn is us
                moves = by_kernels(position).best if ours else position.legal_moves
                position = position.play(rng.choice(moves))
            assert position.outcome.winner in (us, None)
