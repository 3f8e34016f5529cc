from __future__ import annotations

import itertools
import pickle

from hypothesis import given
from hypothesis import strategies as st

from noughts import Symmetry
from noughts.rules.symmetry import symmetries
from support.cases import for_each
from support.strategies import masks

ALL = list(Symmetry)
SIDES = st.tuples(st.integers(1, 7), st.integers(1, 7))


def is_transposing(symmetry: Symmetry) -> bool:
    """Tell whether rows become columns, from the documented meaning of the value."""
    return symmetry.value[0]


def picture(rows: int, cols: int) -> list[list[int]]:
    """Draw a board as a matrix of its cell numbers."""
    return [[row * cols + col for col in range(cols)] for row in range(rows)]


def transform(symmetry: Symmetry, matrix: list[list[int]]) -> list[list[int]]:
    """Turn a matrix as the documented value says: transpose, flip rows, flip columns."""
    transpose, flip_rows, flip_cols = symmetry.value
    if transpose:
        matrix = [list(column) for column in zip(*matrix, strict=True)]
    if flip_rows:
        matrix = matrix[::-1]
    if flip_cols:
        matrix = [row[::-1] for row in matrix]
    return matrix


@given(st.sampled_from(ALL), SIDES)
def test_every_cell_goes_where_the_drawing_shows_it(
    symmetry: Symmetry, sides: tuple[int, int]
) -> None:
    turned = transform(symmetry, picture(*sides))
    flat = [cell for row in turned for cell in row]
    for place, cell in enumerate(flat):
        assert symmetry.image(cell, *sides) == place
    permutation = symmetry.permutation(*sides)
    assert [permutation[cell] for cell in flat] == list(range(len(flat)))


@for_each(
    ("symmetry", "expected"),
    [
        (Symmetry.IDENTITY, [[0, 1, 2], [3, 4, 5]]),
        (Symmetry.ROTATE_90, [[3, 0], [4, 1], [5, 2]]),
        (Symmetry.ROTATE_180, [[5, 4, 3], [2, 1, 0]]),
        (Symmetry.ROTATE_270, [[2, 5], [1, 4], [0, 3]]),
        (Symmetry.MIRROR_LEFT_RIGHT, [[2, 1, 0], [5, 4, 3]]),
        (Symmetry.MIRROR_TOP_BOTTOM, [[3, 4, 5], [0, 1, 2]]),
        (Symmetry.TRANSPOSE, [[0, 3], [1, 4], [2, 5]]),
        (Symmetry.ANTITRANSPOSE, [[5, 2], [4, 1], [3, 0]]),
    ],
)
def test_each_symmetry_does_what_its_name_says(
    symmetry: Symmetry, expected: list[list[int]]
) -> None:
    flat = [cell for row in expected for cell in row]
    assert [flat.index(cell) for cell in range(6)] == list(symmetry.permutation(2, 3))


@given(st.sampled_from(ALL), SIDES, st.data())
def test_apply_moves_each_cell_of_a_set(
    symmetry: Symmetry, sides: tuple[int, int], data: st.DataObject
) -> None:
    rows, cols = sides
    mask = data.draw(masks((rows, cols, 1)))
    expected = sum(
        1 << symmetry.image(cell, rows, cols) for cell in range(rows * cols) if mask >> cell & 1
    )
    assert symmetry.apply(mask, rows, cols) == expected


@given(st.sampled_from(ALL), SIDES)
def test_the_inverse_undoes(symmetry: Symmetry, sides: tuple[int, int]) -> None:
    rows, cols = sides
    turned = (cols, rows) if is_transposing(symmetry) else (rows, cols)
    for cell in range(rows * cols):
        assert symmetry.inverse.image(symmetry.image(cell, rows, cols), *turned) == cell
    assert symmetry.inverse.inverse is symmetry


@given(st.sampled_from(ALL), st.sampled_from(ALL), SIDES)
def test_one_after_the_other(first: Symmetry, second: Symmetry, sides: tuple[int, int]) -> None:
    rows, cols = sides
    turned = (cols, rows) if is_transposing(first) else (rows, cols)
    for cell in range(rows * cols):
        after = second.image(first.image(cell, rows, cols), *turned)
        assert first.then(second).image(cell, rows, cols) == after
    assert first.then(first.inverse) is Symmetry.IDENTITY


def test_rotations_add_up() -> None:
    quarter = Symmetry.ROTATE_90.permutation(3, 3)
    half = Symmetry.ROTATE_180.permutation(3, 3)
    three_quarters = Symmetry.ROTATE_270.permutation(3, 3)
    for cell in range(9):
        assert quarter[quarter[cell]] == half[cell]
        assert quarter[half[cell]] == three_quarters[cell]
        assert half[half[cell]] == cell
    assert Symmetry.ROTATE_90.inverse is Symmetry.ROTATE_270


@for_each("sides", list(itertools.product(range(1, 6), repeat=2)))
def test_the_symmetries_of_a_board_form_a_group(sides: tuple[int, int]) -> None:
    rows, cols = sides
    found = symmetries(rows, cols)
    permutations = {symmetry.permutation(rows, cols) for symmetry in found}
    square = 1 if rows == 1 else 8
    oblong = 2 if 1 in sides else 4
    assert len(found) == len(permutations) == (square if rows == cols else oblong)
    assert tuple(range(rows * cols)) in permutations
    for first, second in itertools.product(permutations, repeat=2):
        assert tuple(second[cell] for cell in first) in permutations
    for symmetry in found:
        assert symmetry.inverse.permutation(rows, cols) in permutations


@for_each("sides", list(itertools.product(range(1, 6), repeat=2)))
def test_no_symmetry_of_a_board_is_left_out(sides: tuple[int, int]) -> None:
    rows, cols = sides
    mapping_to_itself = {
        tuple(cell for row in transform(symmetry, picture(rows, cols)) for cell in row)
        for symmetry in ALL
        if rows == cols or not is_transposing(symmetry)
    }
    assert len(symmetries(rows, cols)) == len(mapping_to_itself)


def test_a_million_cells_are_no_trouble() -> None:
    corner = Symmetry.ROTATE_90.apply(1, 1000, 1000)
    assert corner == 1 << 999
    assert Symmetry.ROTATE_180.image(0, 1000, 1000) == 999_999


@for_each("symmetry", ALL)
def test_pickled_symmetries_are_the_same_objects(symmetry: Symmetry) -> None:
    assert pickle.loads(pickle.dumps(symmetry)) is symmetry
