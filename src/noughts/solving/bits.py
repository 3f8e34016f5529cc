"""Sets of cells as 64-bit words, for kernels."""

from __future__ import annotations

from noughts.kernels import bare_kernel, np, signed

__all__ = ["EMPTY", "ONE", "bit_of", "cell_of", "lowest", "popcount"]

EMPTY = np.uint64(0)
ONE = np.uint64(1)
_FIVES, _THREES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_SHIFT_2, _SHIFT_4, _SHIFT_56 = np.uint64(2), np.uint64(4), np.uint64(56)


@bare_kernel
def popcount(mask: np.uint64) -> int:
    """Return the number of cells; the compiler knows this idiom as one instruction."""
    mask = mask - ((mask >> ONE) & _FIVES)
    mask = (mask & _THREES) + ((mask >> _SHIFT_2) & _THREES)
    mask = (mask + (mask >> _SHIFT_4)) & _NIBBLES
    return signed((mask * _BYTES) >> _SHIFT_56)


@bare_kernel
def lowest(mask: np.uint64) -> np.uint64:
    """Return the lowest cell of a set that has one, as a set."""
    return mask & (~mask + ONE)


@bare_kernel
def cell_of(bit: np.uint64) -> int:
    """Return the number of the one cell in a set."""
    return popcount(bit - ONE)


@bare_kernel
def bit_of(cell: int) -> np.uint64:
    """Return the set of one cell."""
    return ONE << np.uint64(cell)
