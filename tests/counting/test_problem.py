"""What a sweep is asked: problems against markings that are listed one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from math import factorial

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition
from noughts.counting.problem import Problem, Slots
from noughts.counting.sweep import sweep
from support.oracle import has_line, lines
from support.strategies import Played, Shape, masks_of, played_boards, shapes

SMALL = shapes(max_side=6, max_k=7, max_cells=6)
Counts = Counter[tuple[int, int]]


def markings(
    problem: Problem, wanted: Callable[[tuple[str, ...]], bool] = lambda marks: True
) -> Counts:
    """Try every marking and count by cells marked X and O, straight from the definition."""
    found: Counts = Counter()
    for marks in filter(wanted, product("XO.", repeat=len(problem.weights))):
        if any(all(marks[v] == "X" for v in line) for line in problem.x_lines):
            continue
        if any(all(marks[v] == "O" for v in line) for line in problem.o_lines):
            continue
        x = sum(w for w, mark in zip(problem.weights, marks, strict=True) if mark == "X")
        o = sum(w for w, mark in zip(problem.weights, marks, strict=True) if mark == "O")
        found[x, o] += 1
    return found


def swept(problem: Problem) -> Counts:
    table = sweep(problem, problem.size)
    return Counter({(x, o): n for x, row in enumerate(table) for o, n in enumerate(row) if n})


def boards(shape: Shape, wanted: Callable[[str], bool]) -> Counts:
    """Draw every board of a shape and count those that are wanted."""
    every = map("".join, product("XO.", repeat=shape[0] * shape[1]))
    return Counter((board.count("X"), board.count("O")) for board in every if wanted(board))


def is_line_free(board: str, shape: Shape) -> bool:
    return not has_line(board, *shape, "X") and not has_line(board, *shape, "O")


@st.composite
def problems(draw: st.DrawFn, most: int = 6) -> Problem:
    """Draw weights and lines at will, some of them single variables or inside each other."""
    count = draw(st.integers(1, most))
    weights = tuple(draw(st.lists(st.integers(1, 3), min_size=count, max_size=count)))
    line = st.frozensets(st.integers(0, count - 1), min_size=1, max_size=4)
    x_lines = draw(st.frozensets(line, max_size=5))
    o_lines = x_lines if draw(st.booleans()) else draw(st.frozensets(line, max_size=5))
    return Problem(weights, x_lines, o_lines)


@st.composite
def small_positions(draw: st.DrawFn) -> Played:
    """Draw a position with few cells left to mark."""
    shape, cells, moves = draw(played_boards(draw(shapes(max_side=9, max_k=6, max_cells=9))))
    assume(cells.count(".") <= 6)
    return shape, cells, moves


# ----------------------------------------------------------------------------- what they count


@settings(max_examples=60)
@given(problems())
def test_the_sweep_answers_any_problem(problem: Problem) -> None:
    assert swept(problem) == markings(problem)


def test_no_variables_have_one_marking() -> None:
    problem = Problem((), frozenset(), frozenset())
    assert sweep(problem, 0) == [[1]]
    assert sweep(problem, 2) == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]


@settings(max_examples=40)
@given(problems(), st.integers(0, 20))
def test_a_limit_cuts_and_changes_nothing_else(problem: Problem, limit: int) -> None:
    everything = markings(problem)
    expected = [[everything[x, o] for o in range(limit + 1)] for x in range(limit + 1)]
    assert sweep(problem, limit) == expected


@settings(max_examples=25)
@given(SMALL)
def test_a_grids_problem_is_its_line_free_boards(shape: Shape) -> None:
    problem = Problem.of_grid(Grid(*shape))
    expected = boards(shape, lambda board: is_line_free(board, shape))
    assert markings(problem) == expected
    assert swept(problem) == expected
    assert problem.is_fair
    assert problem.size == shape[0] * shape[1]


@settings(max_examples=25)
@given(SMALL, st.data())
def test_x_may_be_allowed_the_lines_around_some_cells(shape: Shape, data: st.DataObject) -> None:
    size = shape[0] * shape[1]
    around = data.draw(st.frozensets(st.integers(0, size - 1), min_size=1, max_size=3))

    def wanted(board: str) -> bool:
        own = [line for line in lines(*shape) if all(board[cell] == "X" for cell in line)]
        return not has_line(board, *shape, "O") and all(around <= line for line in own)

    assert swept(Problem.of_grid(Grid(*shape), around)) == boards(shape, wanted)


def test_no_cells_to_contain_is_no_permission() -> None:
    assert Problem.of_grid(Grid(3, 3, 3), []) == Problem.of_grid(Grid(3, 3, 3))


@settings(max_examples=60)
@given(small_positions())
def test_below_a_position_only_empty_cells_are_marked(played: Played) -> None:
    shape, cells, _ = played
    assume(is_line_free(cells, shape))
    empty = [cell for cell, mark in enumerate(cells) if mark == "."]
    expected: Counts = Counter()
    for marks in product("XO.", repeat=len(empty)):
        board = list(cells)
        for cell, mark in zip(empty, marks, strict=True):
            board[cell] = mark
        if is_line_free("".join(board), shape):
            expected[marks.count("X"), marks.count("O")] += 1
    problem = Problem.of_position(GridPosition(Grid(*shape), *masks_of(cells)))
    assert problem.size == len(empty)
    assert markings(problem) == expected
    assert swept(problem) == expected


@settings(max_examples=60)
@given(problems(), st.data())
def test_folding_leaves_the_markings_that_a_permutation_leaves_alone(
    problem: Problem, data: st.DataObject
) -> None:
    count = len(problem.weights)
    permutation = data.draw(st.permutations(range(count)))
    expected = markings(
        problem, lambda marks: all(marks[v] == marks[permutation[v]] for v in range(count))
    )
    folded = problem.folded(permutation)
    assert folded.size == problem.size
    assert markings(folded) == expected
    assert swept(folded) == expected


@settings(max_examples=40)
@given(problems(), st.data())
def test_restricting_leaves_all_other_variables_empty(
    problem: Problem, data: st.DataObject
) -> None:
    count = len(problem.weights)
    kept = data.draw(st.frozensets(st.integers(0, count - 1)))
    expected = markings(
        problem, lambda marks: all(marks[v] == "." for v in range(count) if v not in kept)
    )
    assert swept(problem.restricted(kept)) == expected


def test_other_shapes_take_only_their_lines() -> None:
    """A 2x3 torus with three in a row: rows wrap into themselves, columns are too short."""
    rows = [{0, 1, 2}, {3, 4, 5}]
    diagonals = [{col, 3 + (col + 1) % 3, (col + 2) % 3} for col in range(3)]
    torus = frozenset(map(frozenset, rows + diagonals))
    problem = Problem((1,) * 6, torus, torus)
    assert swept(problem) == markings(problem)


# ------------------------------------------------------------------------------------- bounds


@settings(max_examples=40)
@given(problems())
def test_no_count_exceeds_the_bound(problem: Problem) -> None:
    free = Problem((1,) * problem.size, frozenset(), frozenset())
    assert all(n <= problem.bound for n in markings(problem).values())
    if problem.size <= 8:
        assert max(markings(free).values()) == problem.bound


@pytest.mark.parametrize("size", [1, 2, 3, 9, 16, 25, 36, 49, 100])
def test_the_bound_is_the_largest_trinomial_coefficient(size: int) -> None:
    problem = Problem((1,) * size, frozenset(), frozenset())
    largest = max(
        factorial(size) // (factorial(x) * factorial(o) * factorial(size - x - o))
        for x in range(size + 1)
        for o in range(size + 1 - x)
    )
    assert problem.bound == largest


@given(problems())
def test_fair_means_the_same_lines(problem: Problem) -> None:
    assert problem.is_fair == (problem.x_lines == problem.o_lines)
    if problem.is_fair:
        counts = markings(problem)
        assert counts == Counter({(o, x): n for (x, o), n in counts.items()})


# -------------------------------------------------------------------------------------- slots


def bits(mask: int) -> set[int]:
    return {bit for bit in range(mask.bit_length()) if mask >> bit & 1}


@settings(max_examples=100)
@given(problems(most=9))
def test_a_line_holds_one_slot_from_its_first_variable_to_its_last(problem: Problem) -> None:
    slots = problem.slots
    assert slots == Slots.of(problem)
    variables = range(len(problem.weights))
    long = {line for line in problem.x_lines | problem.o_lines if len(line) > 1}
    under_way = [sum(min(line) <= v <= max(line) for line in long) for v in variables]
    assert slots.count == max(under_way, default=0)
    for v in variables:
        assert slots.touched[v].bit_count() == sum(v in line for line in long)
        for side, begun, finished, barred in (
            (problem.x_lines, slots.begun_x, slots.finished_x, slots.barred_x),
            (problem.o_lines, slots.begun_o, slots.finished_o, slots.barred_o),
        ):
            of_side = [line for line in side if len(line) > 1]
            assert begun[v].bit_count() == sum(v == min(line) for line in of_side)
            assert finished[v].bit_count() == sum(v == max(line) for line in of_side)
            assert bits(begun[v]) | bits(finished[v]) <= bits(slots.touched[v])
            assert barred[v] == (frozenset({v}) in side)


@pytest.mark.parametrize("shape", [(3, 3, 3), (4, 4, 3), (6, 6, 4), (7, 7, 7), (1, 9, 2)])
def test_slots_are_reused(shape: Shape) -> None:
    problem = Problem.of_grid(Grid(*shape))
    assert problem.slots.count < len(problem.x_lines)
