"""Sets of cells as bytes, and random words, for the kernels of this package."""

from __future__ import annotations

from noughts.kernels import NDArray, bare_kernel, np, store_cells  # isort: skip  - says which extra is missing

__all__ = ["Bytes", "Words", "draw", "first_word", "next_word", "write_cells"]

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

_ONE, _EIGHT, _SIXTEEN = np.uint64(1), np.uint64(8), np.uint64(16)


@bare_kernel
def write_cells(
    target: Bytes, at: np.uint64, planes: tuple[np.uint64, ...], count: np.uint64
) -> None:
    """Write the first cells of some sets as bytes, those of a cell side by side.

    Nothing beside them is touched: what does not fill a vector is written by one that begins
    earlier and overlaps.
    """
    size = np.uint64(len(planes))
    if count >= _SIXTEEN:
        first = np.uint64(0)
        while first + _SIXTEEN < count:
            store_cells(target, at + first * size, planes, first, 16)
            first += _SIXTEEN
        first = count - _SIXTEEN
        store_cells(target, at + first * size, planes, first, 16)
    elif count >= _EIGHT:
        store_cells(target, at, planes, np.uint64(0), 8)
        first = count - _EIGHT
        store_cells(target, at + first * size, planes, first, 8)
    else:
        for cell in range(count):
            for n in range(len(planes)):
                bit = (planes[n] >> np.uint64(cell)) & _ONE
                target[at + np.uint64(cell) * size + np.uint64(n)] = bit


# -- random words ----------------------------------------------------------------------------
#
# SplitMix64 (Steele, Lea and Flood 2014): a counter with large steps, and a function that mixes
# its bits. The words of a board follow from the seed and the number of the board alone, so they
# do not depend on how boards are shared out to threads.

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT_30, _SHIFT_27, _SHIFT_31 = np.uint64(30), np.uint64(27), np.uint64(31)
_SHIFT_32 = np.uint64(32)


@bare_kernel
def _mixed(word: np.uint64) -> np.uint64:
    word = (word ^ (word >> _SHIFT_30)) * _MIX_1
    word = (word ^ (word >> _SHIFT_27)) * _MIX_2
    return word ^ (word >> _SHIFT_31)


@bare_kernel
def first_word(seed: np.uint64, number: int) -> np.uint64:
    """Return where the random words of a board begin."""
    return _mixed(_mixed(seed) + (np.uint64(number) + np.uint64(1)) * _STEP)


@bare_kernel
def next_word(word: np.uint64) -> np.uint64:
    """Return where the words go on; `draw` makes a random number of it."""
    return word + _STEP


@bare_kernel
def draw(word: np.uint64, below: np.uint64) -> np.uint64:
    """Return a random number below a bound of at most 32 bits."""
    return ((_mixed(word) >> _SHIFT_32) * below) >> _SHIFT_32
