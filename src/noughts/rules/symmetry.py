"""The eight ways to turn and mirror a rectangle.

Every symmetry is "transpose or not, then flip the rows or not, then flip the columns or
not". All eight are distinct on a square and map it to itself. An oblong has the four without
a transposition; on a single row or column only two of those are distinct.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from operator import itemgetter

from noughts.errors import SizeError, brief, whole_number

__all__ = ["Symmetry", "require_symmetry", "symmetries"]


class Symmetry(Enum):
    """A symmetry; its value is (transpose, flip rows, flip columns), done in this order."""

    IDENTITY = (False, False, False)
    ROTATE_90 = (True, False, True)  # clockwise
    ROTATE_180 = (False, True, True)
    ROTATE_270 = (True, True, False)
    MIRROR_LEFT_RIGHT = (False, False, True)
    MIRROR_TOP_BOTTOM = (False, True, False)
    TRANSPOSE = (True, False, False)  # mirror at the diagonal from the top left
    ANTITRANSPOSE = (True, True, True)  # mirror at the diagonal from the top right

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        # Only the two quarter turns are not their own inverse.
        swap = {Symmetry.ROTATE_90: Symmetry.ROTATE_270, Symmetry.ROTATE_270: Symmetry.ROTATE_90}
        return swap.get(self, self)

    def then(self, other: Symmetry) -> Symmetry:
        """Return the symmetry that does this one first and `other` after it.

        >>> Symmetry.ROTATE_90.then(Symmetry.MIRROR_LEFT_RIGHT).name
        'TRANSPOSE'
        """
        transpose, flip_rows, flip_cols = self.value
        if other.value[0]:  # what the transposition makes of the flips before it
            flip_rows, flip_cols = flip_cols, flip_rows
        return Symmetry(
            (
                transpose != other.value[0],
                flip_rows != other.value[1],
                flip_cols != other.value[2],
            )
        )

    def image(self, cell: int, rows: int, cols: int) -> int:
        """Return where `cell` of a rows x cols board goes.

        >>> Symmetry.ROTATE_90.image(0, 3, 3)
        2
        """
        _require_size(rows, cols)
        whole_number(cell, "a cell", most=rows * cols - 1)
        return self._image(cell, rows, cols)

    def _image(self, cell: int, rows: int, cols: int) -> int:
        transpose, flip_rows, flip_cols = self.value
        row, col = divmod(cell, cols)
        if transpose:
            row, col, rows, cols = col, row, cols, rows
        if flip_rows:
            row = rows - 1 - row
        if flip_cols:
            col = cols - 1 - col
        return row * cols + col

    def permutation(self, rows: int, cols: int) -> tuple[int, ...]:
        """Return the image of every cell, in cell order."""
        _require_size(rows, cols)
        return tuple(self._image(cell, rows, cols) for cell in range(rows * cols))

    def apply(self, mask: int, rows: int, cols: int) -> int:
        """Return the image of a set of cells given as a bit mask.

        >>> bin(Symmetry.ROTATE_180.apply(0b11, 2, 2))
        '0b1100'
        """
        try:
            return _mask_mapping(self, rows, cols)(mask)
        except (TypeError, ValueError, IndexError, OverflowError):
            _require_size(rows, cols)
            raise SizeError(
                f"a mask of {rows} x {cols} cells is needed, not {brief(mask)}"
            ) from None


def _require_size(rows: int, cols: int) -> None:
    whole_number(rows, "rows", least=1)
    whole_number(cols, "cols", least=1)


def require_symmetry(symmetry: object) -> Symmetry:
    """Return `symmetry` if it is one, else raise a clear error."""
    if not isinstance(symmetry, Symmetry):
        raise SizeError(f"a symmetry is needed, not {brief(symmetry)}")
    return symmetry


@lru_cache(maxsize=256)
def _mask_mapping(symmetry: Symmetry, rows: int, cols: int) -> Callable[[int], int]:
    """Return a function that maps whole masks, by reordering their binary digits.

    Digits are reordered rather than bits shifted one by one, because that stays linear on
    boards of a million cells. The digit for cell c stands at index size-1-c.
    """
    size = rows * cols
    source = [0] * size
    for cell, image in enumerate(symmetry.permutation(rows, cols)):
        source[size - 1 - image] = size - 1 - cell
    pick = itemgetter(*source)

    def apply(mask: int) -> int:
        return int("".join(pick(format(mask, f"0{size}b"))), 2)

    return apply


@lru_cache(maxsize=256)
def symmetries(rows: int, cols: int) -> tuple[Symmetry, ...]:
    """Return the symmetries of a rows x cols board, each distinct mapping once.

    >>> len(symmetries(3, 3)), len(symmetries(3, 4)), len(symmetries(1, 4)), len(symmetries(1, 1))
    (8, 4, 2, 1)
    """
    distinct: dict[tuple[int, ...], Symmetry] = {}
    # Two symmetries that differ at all map the corners differently.
    probes = sorted({row * cols + col for row in {0, rows - 1} for col in {0, cols - 1}})
    for symmetry in Symmetry:
        if not symmetry.value[0] or rows == cols:
            distinct.setdefault(tuple(symmetry._image(c, rows, cols) for c in probes), symmetry)
    return tuple(distinct.values())
