from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Board, Grid, NotationError, NoughtsError, SizeError, Verdict, judge
from noughts.rules.grid import cells_of, grid_of
from noughts.rules.verdict import verdict_of
from support.cases import for_each
from support.oracle import lines as oracle_lines
from support.strategies import FOREIGN, NOT_TEXT, NOT_WHOLE, Shape, masks, shapes

SHAPES: list[Shape] = [
    *((rows, cols, k) for rows in range(1, 6) for cols in range(1, 6) for k in range(1, 7)),
    *[(1, 12, 3), (12, 1, 3), (1, 12, 12), (12, 1, 13), (7, 8, 5), (8, 7, 5)],
    *[(2, 10, 3), (10, 2, 2), (9, 9, 9), (3, 3, 10**18)],
]


def oracle_lines_of(grid: Grid) -> set[frozenset[int]]:
    """Ask the oracle, which would walk a k of any size step by step."""
    return oracle_lines(grid.rows, grid.cols, min(grid.k, 100))


def set_of(mask: int) -> frozenset[int]:
    """Return the cells of a mask, bit by bit."""
    return frozenset(cell for cell in range(mask.bit_length()) if mask >> cell & 1)


# -------------------------------------------------------------------------------------- lines


@for_each("shape", SHAPES)
def test_lines_are_the_runs_of_k_cells(shape: Shape) -> None:
    grid = Grid(*shape)
    expected = oracle_lines_of(grid)
    assert {frozenset(line) for line in grid.lines} == expected
    assert len(grid.lines) == len(expected), "a line is listed twice"
    assert grid.line_count == len(expected)
    assert [set_of(mask) for mask in grid.line_masks] == [frozenset(line) for line in grid.lines]


@for_each("shape", SHAPES)
def test_a_line_lists_its_cells_from_one_end_to_the_other(shape: Shape) -> None:
    for line in Grid(*shape).lines:
        assert len(line) == shape[2]
        assert len({after - before for before, after in itertools.pairwise(line)}) <= 1
        assert list(line) == sorted(line)


@for_each("shape", SHAPES)
def test_lines_through_each_cell(shape: Shape) -> None:
    grid = Grid(*shape)
    expected = oracle_lines_of(grid)
    for cell in range(shape[0] * shape[1]):
        through = grid.lines_through(cell)
        assert {frozenset(line) for line in through} == {line for line in expected if cell in line}
        assert len(set(through)) == len(through), "a line is listed twice"
        assert set(through) <= set(grid.lines)
        assert list(map(set_of, grid.masks_through(cell))) == list(map(frozenset, through))


@for_each(("text", "across", "down", "diagonal"), [("4x4x3", 8, 8, 8), ("3x3x3", 3, 3, 2)])
def test_lines_of_the_specification(text: str, across: int, down: int, diagonal: int) -> None:
    grid = Grid.parse(text)
    steps = [line[1] - line[0] for line in grid.lines]
    assert steps.count(1) == across
    assert steps.count(grid.cols) == down
    assert len(steps) - steps.count(1) - steps.count(grid.cols) == diagonal


@for_each("k", [4, 5, 100, 10**18])
def test_there_is_no_line_when_k_exceeds_both_sides(k: int) -> None:
    grid = Grid(3, 3, k)
    assert grid.lines == ()
    assert grid.line_count == 0
    assert not grid.has_line(grid.full)
    assert grid.line_cells(grid.full) == 0
    assert list(grid.lines_in(grid.full)) == []
    assert grid.lines_through(4) == ()


# ------------------------------------------------------------------------------ sets of cells


@given(st.data())
def test_lines_inside_a_set_of_cells(data: st.DataObject) -> None:
    shape = data.draw(shapes())
    mask = data.draw(masks(shape))
    grid = Grid(*shape)
    inside = {line for line in oracle_lines(*shape) if line <= set_of(mask)}

    assert grid.has_line(mask) == bool(inside)
    assert set_of(grid.line_cells(mask)) == frozenset().union(*inside)
    found = list(grid.lines_in(mask))
    assert {frozenset(line) for line in found} == inside
    assert len(found) == len(inside), "a line is found twice"
    assert set(found) <= set(grid.lines)
    shared = frozenset.intersection(*inside) if inside else set_of(mask)
    assert set_of(grid.shared_cells(mask)) == shared


@for_each("shape", [(3, 3, 3), (3, 4, 2), (2, 3, 3), (1, 8, 3), (8, 1, 4)])
def test_lines_inside_every_set_of_cells(shape: Shape) -> None:
    grid = Grid(*shape)
    expected = [sum(1 << cell for cell in line) for line in oracle_lines(*shape)]
    for mask in range(1 << grid.cells):
        assert grid.has_line(mask) == any(line & mask == line for line in expected)


@for_each("shape", [shape for shape in SHAPES if 2 <= shape[2] <= 12])
def test_no_run_wraps_around_the_edge(shape: Shape) -> None:
    rows, cols, k = shape
    grid = Grid(*shape)
    expected = oracle_lines(*shape)
    for step in {1, cols - 1, cols, cols + 1} - {0}:
        for start in range(rows * cols):
            run = frozenset(range(start, start + k * step, step))
            if max(run) >= rows * cols:
                continue
            is_line = any(line <= run for line in expected)
            assert grid.has_line(sum(1 << cell for cell in run)) == is_line, (step, sorted(run))


@given(st.sets(st.integers(0, 300)))
def test_cells_of_a_mask(cells: set[int]) -> None:
    assert cells_of(sum(1 << cell for cell in cells)) == sorted(cells)


@given(shapes())
def test_full_is_every_cell(shape: Shape) -> None:
    grid = Grid(*shape)
    assert grid.cells == shape[0] * shape[1]
    assert cells_of(grid.full) == list(range(grid.cells))


# --------------------------------------------------------------------------------- huge boards


class HugeBoard:
    """A full 1000x1000 board with five in a row, on which neither side has a line."""

    def __init__(self) -> None:
        self.grid = Grid(1000, 1000, 5)
        # Each row is XXOO..., shifted by two from the row above: no run is longer than two.
        first = sum(0b0011 << cell for cell in range(0, 1000, 4))
        second = sum(0b1100 << cell for cell in range(0, 1000, 4))
        self.x = sum((second if row % 2 else first) << row * 1000 for row in range(1000))
        self.o = self.grid.full ^ self.x

    def mask(self, *cells: tuple[int, int]) -> int:
        """Return the mask of cells given by row and column."""
        return sum(1 << row * 1000 + col for row, col in cells)

    def verdict(self, x: int, o: int) -> Verdict:
        """Return the verdict on two masks, asked for in both ways."""
        judged = judge(Board(self.grid, x, o)).verdict
        assert verdict_of(self.grid, x, o) == judged
        return judged


@pytest.fixture
def huge(monkeypatch: pytest.MonkeyPatch) -> HugeBoard:
    """Make a huge board on which asking for the list of lines is an error."""

    def refuse(_: Grid) -> None:
        raise AssertionError("the list of four million lines was asked for")

    monkeypatch.setattr(Grid, "lines", property(refuse))
    return HugeBoard()


def test_a_full_huge_board_is_a_draw(huge: HugeBoard) -> None:
    assert huge.verdict(huge.x, huge.o) == "draw"


def test_a_huge_board_in_play(huge: HugeBoard) -> None:
    lift_x = huge.x & -huge.x
    lift_o = huge.o & -huge.o
    assert huge.verdict(huge.x ^ lift_x, huge.o ^ lift_o) == "X_turn"
    assert huge.verdict(huge.x, huge.o ^ lift_o) == "O_turn"
    assert huge.verdict(huge.x ^ lift_x, huge.o) == "invalid"


@pytest.mark.parametrize(
    ("down", "right", "row", "col"),
    [(0, 1, 999, 995), (1, 0, 995, 999), (1, 1, 995, 995), (1, -1, 995, 4), (0, 1, 500, 0)],
)
def test_one_line_on_a_huge_board(
    huge: HugeBoard, down: int, right: int, row: int, col: int
) -> None:
    line = huge.mask(*((row + step * down, col + step * right) for step in range(5)))
    others = huge.mask(*((0, 4 * step) for step in range(4)))
    assert huge.grid.line_count == 2 * 1000 * 996 + 2 * 996 * 996
    assert huge.verdict(line, others) == "X_wins"
    assert cells_of(huge.grid.line_cells(line | others)) == cells_of(line)
    far = huge.mask(*((200, 200 + step) for step in range(5)))
    assert huge.verdict(line | far, others | huge.mask(*((300, 9 * s) for s in range(5)))) == (
        "invalid"
    )


def test_a_huge_board_full_of_one_mark(huge: HugeBoard) -> None:
    assert huge.grid.has_line(huge.grid.full)
    assert huge.grid.line_cells(huge.grid.full) == huge.grid.full
    assert huge.grid.shared_cells(huge.grid.full) == 0


def test_no_line_wraps_around_the_edge_of_a_huge_board(huge: HugeBoard) -> None:
    across = huge.mask((7, 997), (7, 998), (7, 999), (8, 0), (8, 1))
    diagonal = huge.mask((7, 998), (8, 999), (10, 0), (11, 1), (12, 2))
    assert not huge.grid.has_line(across | diagonal)


# ----------------------------------------------------------------------------------- bad sizes


@for_each("place", [0, 1, 2])
@for_each("bad", [0, -1, -(10**30), *NOT_WHOLE])
def test_nonsense_sizes_are_refused_by_name(place: int, bad: Any) -> None:
    sizes: list[Any] = [3, 3, 3]
    sizes[place] = bad
    with pytest.raises(SizeError, match=rf"\b{('rows', 'cols', 'k')[place]}\b"):
        Grid(*sizes)


@for_each("place", [0, 1])
@for_each("exponent", [400, 5000])
def test_astronomical_sides_are_refused_by_name(place: int, exponent: int) -> None:
    sizes = [3, 3, 3]
    sizes[place] = 10**exponent
    with pytest.raises(SizeError, match=rf"\b{('rows', 'cols')[place]}\b"):
        Grid(*sizes)


def test_a_grid_too_large_for_masks_says_so() -> None:
    with pytest.raises(SizeError, match="rows") as caught:
        Grid(10**400, 3, 3)
    assert len(str(caught.value)) < 300
    for side in (10**9, 10**5):
        grid = Grid(side, side, 3)
        with pytest.raises(SizeError, match="the limit is 100,000,000") as caught:
            Board(grid)
        assert len(str(caught.value)) < 300


def test_a_huge_k_can_be_written_and_read() -> None:
    for k in (10**18, 10**100):
        grid = Grid(3, 3, k)
        assert Grid.parse(str(grid)) == grid
        assert eval(repr(grid)) == grid


def test_an_astronomical_k_is_refused() -> None:
    for k in (10**100 + 1, 10**400, 10**5000):
        with pytest.raises(SizeError, match=r"\bk\b") as caught:
            Grid(3, 3, k)
        assert len(str(caught.value)) < 300


class Three:
    """An integer type that is not int, as numpy's are."""

    def __index__(self) -> int:
        return 3


def test_other_integer_types_are_taken() -> None:
    three: Any = Three()
    grid = Grid(three, three, three)
    assert grid == Grid(3, 3, 3)
    assert hash(grid) == hash(Grid(3, 3, 3))
    assert (str(grid), repr(grid)) == ("3x3x3", "Grid(3, 3, 3)")
    assert grid.line_count == 8


# ----------------------------------------------------------------------------------- cells


def test_cell_numbers_run_row_by_row() -> None:
    grid = Grid(3, 5, 3)
    cells = [grid.cell(row, col) for row in range(3) for col in range(5)]
    assert cells == list(range(15))


@for_each(("row", "col"), [(3, 0), (0, 5), (-1, 0), (0, -1), (3, 5), (10**400, 0)])
def test_a_cell_outside_the_grid_is_refused(row: int, col: int) -> None:
    with pytest.raises(NoughtsError):
        Grid(3, 5, 3).cell(row, col)


@for_each("bad", NOT_WHOLE)
def test_rows_and_columns_are_whole_numbers(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Grid(3, 5, 3).cell(bad, 0)
    with pytest.raises(NoughtsError):
        Grid(3, 5, 3).cell(0, bad)


@for_each("bad", [15, -1, 10**400, *NOT_WHOLE])
def test_a_cell_number_outside_the_grid_is_refused(bad: Any) -> None:
    grid = Grid(3, 5, 3)
    with pytest.raises(NoughtsError):
        grid.require_cell(bad)
    with pytest.raises(NoughtsError):
        grid.lines_through(bad)
    assert [grid.require_cell(cell) for cell in range(15)] == list(range(15))


# ---------------------------------------------------------------------------------- text forms


@given(st.integers(1, 3000), st.integers(1, 3000), st.integers(1, 10**12))
def test_text_and_repr_and_pickle_round_trips(rows: int, cols: int, k: int) -> None:
    grid = Grid(rows, cols, k)
    assert str(grid) == f"{rows}x{cols}x{k}"
    for copied in [
        Grid.parse(str(grid)),
        eval(repr(grid)),
        pickle.loads(pickle.dumps(grid)),
        copy.deepcopy(grid),
    ]:
        assert copied == grid
        assert hash(copied) == hash(grid)
        assert (copied.rows, copied.cols, copied.k) == (rows, cols, k)


def test_a_used_grid_equals_a_fresh_one() -> None:
    used = Grid(4, 4, 3)
    assert used.lines
    assert used.has_line(used.full)
    assert used == Grid(4, 4, 3)
    assert pickle.loads(pickle.dumps(used)) == Grid(4, 4, 3)
    assert pickle.loads(pickle.dumps(used)).lines == used.lines


def test_grids_differ_in_any_size() -> None:
    grids = [Grid(r, c, k) for r in (1, 2, 3) for c in (1, 2, 3) for k in (1, 2, 3)]
    assert len(set(grids)) == len(grids)
    text: object = "3x3x3"
    assert Grid(3, 3, 3) != text


def test_a_grid_cannot_be_changed() -> None:
    grid: Any = Grid(3, 3, 3)
    with pytest.raises(AttributeError):
        grid.rows = 4
    assert grid == Grid(3, 3, 3)


def test_grid_of_gives_the_same_object() -> None:
    assert grid_of(4, 5, 3) is grid_of(4, 5, 3)
    assert grid_of(4, 5, 3) == Grid(4, 5, 3)
    grid_of(1, 1, 1)
    bad: Any = True
    with pytest.raises(SizeError):
        grid_of(bad, bad, bad)


@given(st.data())
def test_a_stray_character_in_a_grid_is_pointed_at(data: st.DataObject) -> None:
    text = str(Grid(*data.draw(st.tuples(*[st.integers(1, 2000)] * 3))))
    index = data.draw(st.integers(0, len(text) - 1))
    text = text[:index] + data.draw(st.sampled_from(FOREIGN + "X./;- ")) + text[index + 1 :]
    with pytest.raises(NotationError) as caught:
        Grid.parse(text)
    assert caught.value.text == text
    assert caught.value.offset == index


@for_each(
    ("text", "offset"),
    [
        ("0x3x3", 0),
        ("3x0x3", 2),
        ("13x13x0", 6),
        ("-3x3x3", 0),
        ("3x-3x3", 2),
        ("3x3x+3", 4),
        (" 3x3x3", 0),
        ("3x3x3 ", 5),
        ("3x3x3\n", 5),
        ("3x3.0x3", 3),
        ("3x3x1_0", 5),
        ("xx3", 0),
        ("3xx3", 2),
        ("3x3x", 4),
    ],
)
def test_a_malformed_grid_is_pointed_at(text: str, offset: int) -> None:
    with pytest.raises(NotationError) as caught:
        Grid.parse(text)
    assert caught.value.offset == offset


@for_each(
    "text", ["", "3", "3x3", "x", "xxx", "3x3x3x3", "3X3X3", "3 3 3", "3,3,3", "3x3x3:", "grid"]
)
def test_what_is_not_a_grid_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Grid.parse(text)


@for_each("bad", NOT_TEXT)
def test_a_grid_is_read_from_text_only(bad: Any) -> None:
    with pytest.raises(NotationError):
        Grid.parse(bad)


@for_each("digits", [400, 5000])
def test_a_size_of_many_digits_is_not_called_malformed(digits: int) -> None:
    with pytest.raises(NoughtsError) as caught:
        Grid.parse("9" * digits + "x3x3")
    assert "must be a whole number" not in str(caught.value)
    assert len(str(caught.value)) < 300


# ----------------------------------------------------------------------------------- symmetry


@given(shapes(max_side=6, max_k=6, max_cells=36))
def test_symmetries_map_lines_to_lines(shape: Shape) -> None:
    rows, cols, _ = shape
    grid = Grid(*shape)
    found = grid.symmetries
    if rows == cols:
        assert len(found) == (1 if rows == 1 else 8)
    else:
        assert len(found) == (2 if 1 in (rows, cols) else 4)
    for symmetry in found:
        moved = {
            frozenset(symmetry.image(cell, rows, cols) for cell in line)
            for line in oracle_lines(*shape)
        }
        assert moved == oracle_lines(*shape)
