"""Where a table keeps many boards at once: `ranking` for arrays.

The arithmetic is that of `ranking`, which draws it. Ranks come from one array with an entry for
each set of cells. To number the O's among the marked cells, or to spread them again over the
board, a table of bytes does eight cells at a time::

    marked   0110 1001      packed: the bits at the marked cells, moved together    1100
    o        0110 0000      spread: the way back
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import comb

from noughts.kernels import NDArray, np  # isort: skip  - says which extra is missing

from noughts.solving.ranking import layer_starts

__all__ = ["Masks", "Numbering"]

Masks = NDArray[np.int64]
"""Sets of cells, one in each word."""


class Numbering:
    """The places of the boards with a number of cells, 16 at most.

    >>> numbering = Numbering(9)
    >>> x, o = numbering.boards(np.array([0, 1, 6045]))
    >>> x.tolist(), o.tolist(), numbering.places(x, o).tolist()
    ([0, 1, 31], [0, 0, 480], [0, 1, 6045])
    """

    def __init__(self, cells: int) -> None:
        self.cells = cells
        masks = np.arange(1 << cells, dtype=np.int64)
        self.sizes: Masks = sum((masks >> cell & 1 for cell in range(cells)), np.zeros_like(masks))
        """The number of cells in every set."""
        self.by_size: list[Masks] = [masks[self.sizes == size] for size in range(cells + 1)]
        """The sets of each size, in ascending order."""
        self.ranks = np.empty(1 << cells, np.int32)
        """The place of every set among those of its size."""
        for sets in self.by_size:
            self.ranks[sets] = np.arange(len(sets), dtype=np.int32)
        self._starts: Masks = np.array(layer_starts(cells), np.int64)
        self._strides: Masks = np.array([comb(n, n // 2) for n in range(cells + 1)], np.int64)

    @cached_property
    def _sets(self) -> tuple[Masks, Masks]:
        """All sets in order of size, and where those of each size begin."""
        begins = np.cumsum([0, *map(len, self.by_size)])
        return np.concatenate(self.by_size), begins

    def boards(self, places: Masks) -> tuple[Masks, Masks]:
        """Return the cells of X and of O of the boards at some places."""
        sets, begins = self._sets
        marks = np.searchsorted(self._starts, places, side="right") - 1
        number, choice = np.divmod(places - self._starts[marks], self._strides[marks])
        marked = sets[begins[marks] + number]
        # Numbered among the marked cells, O's are the first sets of their size.
        o = _spread(sets[begins[marks // 2] + choice], marked, self.sizes)
        return marked ^ o, o

    def places(self, x: Masks, o: Masks) -> Masks:
        """Return the places of boards; their counts of X and O must be those of a game."""
        marked = x | o
        marks = self.sizes[marked]
        among = self.ranks[_packed(o, marked, self.sizes)]
        places: Masks = self._starts[marks] + self.ranks[marked] * self._strides[marks] + among
        return places


def _packed(bits: Masks, marked: Masks, sizes: Masks) -> Masks:
    """Return the bits at the marked cells, moved together."""
    packed, _ = _byte_tables()
    low, high = marked & 255, marked >> 8
    together: Masks = packed[low, bits & 255] | packed[high, bits >> 8] << sizes[low]
    return together


def _spread(bits: Masks, marked: Masks, sizes: Masks) -> Masks:
    """Return the bits moved to the marked cells, the lowest to the first."""
    _, spread = _byte_tables()
    low, high = marked & 255, marked >> 8
    below = sizes[low]
    apart: Masks = spread[low, bits & (1 << below) - 1] | spread[high, bits >> below] << 8
    return apart


@lru_cache(maxsize=1)
def _byte_tables() -> tuple[Masks, Masks]:
    """Return the packed and the spread bits for every byte of marked cells and of bits."""
    marked, bits = np.indices((256, 256))
    packed, spread = np.zeros((256, 256), np.int64), np.zeros((256, 256), np.int64)
    below = np.zeros((256, 256), np.int64)  # marked cells so far
    for cell in range(8):
        is_marked = marked >> cell & 1
        packed |= (bits >> cell & is_marked) << below
        spread |= (bits >> below & is_marked) << cell
        below += is_marked
    return packed, spread
