"""Columns: many values of one type, as arrays, so that millions of rows take seconds.

::

    Plain    numbers and flags        an array, and which of them are missing
    Words    few different texts      a number for each, and the texts (-1: missing)
    Texts    many different texts     an array of bytes; ASCII
    Lists    lists of any of these    all items in one column, and where each list begins

A row group is a dictionary of such columns by name. For CSV and JSON Lines a column turns into
Python's own values (`plain`), for Parquet into an Arrow array (`arrow`), mostly without a copy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from noughts.kernels import NDArray, np  # isort: skip  - says which extra is missing

from noughts.errors import MissingExtra

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Lists", "Plain", "Rows", "Texts", "Values", "Words", "require_pyarrow", "texts_of"]

Indices = NDArray[np.int64]


def require_pyarrow() -> Any:
    """Return the module that writes Parquet, or say which extra is missing."""
    try:
        return import_module("pyarrow")
    except ImportError as error:
        raise MissingExtra("datasets", "Parquet files need pyarrow") from error


class Values(ABC):
    """The values of a column."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def take(self, rows: Indices) -> Values:
        """Return the values of some rows."""

    @abstractmethod
    def plain(self) -> list[Any]:
        """Return the values as a list of Python's own; None where one is missing."""

    @abstractmethod
    def arrow(self) -> pyarrow.Array:
        """Return the values as an Arrow array."""


Rows = dict[str, Values]
"""A group of rows: their columns by name, all of the same length."""


@dataclass(frozen=True)
class Plain(Values):
    """Numbers or flags.

    >>> Plain(np.array([3, 0]), np.array([False, True])).plain()
    [3, None]
    """

    array: NDArray[Any]
    missing: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.array)

    def take(self, rows: Indices) -> Plain:
        """Return the values of some rows."""
        return Plain(self.array[rows], None if self.missing is None else self.missing[rows])

    def plain(self) -> list[Any]:
        """Return the values as a list; None where one is missing."""
        values: list[Any] = self.array.tolist()
        if self.missing is not None:
            for row in np.flatnonzero(self.missing).tolist():
                values[row] = None
        return values

    def arrow(self) -> pyarrow.Array:
        """Return the values as an Arrow array."""
        pyarrow = require_pyarrow()
        return pyarrow.array(self.array, mask=self.missing)


@dataclass(frozen=True)
class Words(Values):
    """Texts out of a few, each by its number; -1 is a missing one.

    >>> Words(np.array([1, -1, 0]), ("loss", "win")).plain()
    ['win', None, 'loss']
    """

    codes: NDArray[Any]
    words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Indices) -> Words:
        """Return the values of some rows."""
        return Words(self.codes[rows], self.words)

    def plain(self) -> list[Any]:
        """Return the values as a list; None where one is missing."""
        words = (*self.words, None)  # which -1 finds
        return [words[code] for code in self.codes.tolist()]

    def arrow(self) -> pyarrow.Array:
        """Return the values as an Arrow array."""
        pyarrow = require_pyarrow()
        codes = pyarrow.array(self.codes, mask=self.codes < 0)
        words = pyarrow.DictionaryArray.from_arrays(codes, list(self.words))
        return words.cast(pyarrow.string())


@dataclass(frozen=True)
class Texts(Values):
    """ASCII texts, as an array of bytes that is as wide as the longest.

    >>> Texts(np.array([b"a1", b"b"])).plain()
    ['a1', 'b']
    """

    array: NDArray[np.bytes_]

    def __len__(self) -> int:
        return len(self.array)

    def take(self, rows: Indices) -> Texts:
        """Return the values of some rows."""
        return Texts(self.array[rows])

    def plain(self) -> list[Any]:
        """Return the values as a list; None where one is missing."""
        text, ends = self._joined()
        joined = text.decode("ascii")
        return [joined[begin:end] for begin, end in pairwise([0, *ends.tolist()])]

    def arrow(self) -> pyarrow.Array:
        """Return the values as an Arrow array."""
        pyarrow = require_pyarrow()
        text, ends = self._joined()
        offsets = np.concatenate(([0], ends)).astype(np.int32)
        return pyarrow.StringArray.from_buffers(
            len(self.array), pyarrow.py_buffer(offsets.tobytes()), pyarrow.py_buffer(text)
        )

    def _joined(self) -> tuple[bytes, Indices]:
        """Return all texts in one, and where each ends; what pads the short ones is dropped."""
        width = self.array.dtype.itemsize
        chars = np.ascontiguousarray(self.array).view(np.uint8).reshape(len(self.array), width)
        is_text = chars != 0
        return chars[is_text].tobytes(), np.cumsum(is_text.sum(axis=1))


@dataclass(frozen=True)
class Lists(Values):
    """Lists: the items of all, one list after the other, and where each begins and the last ends.

    >>> Lists(Plain(np.array([4, 0, 8])), np.array([0, 1, 1, 3])).plain()
    [[4], [], [0, 8]]
    """

    items: Values
    begins: Indices

    @classmethod
    def equal(cls, items: Values, size: int) -> Lists:
        """Return lists that all have the same size."""
        return cls(items, np.arange(0, len(items) + size, size))

    @classmethod
    def members(cls, chosen: NDArray[np.bool_]) -> Lists:
        """Return for every row of flags the list of the columns that are set.

        >>> Lists.members(np.array([[True, False, True], [False, False, False]])).plain()
        [[0, 2], []]
        """
        ends = np.cumsum(chosen.sum(axis=1))
        return cls(Plain(np.nonzero(chosen)[1].astype(np.int16)), np.concatenate(([0], ends)))

    def __len__(self) -> int:
        return len(self.begins) - 1

    def take(self, rows: Indices) -> Lists:
        """Return the values of some rows."""
        sizes = np.diff(self.begins)[rows]
        begins = np.concatenate(([0], np.cumsum(sizes)))
        shifts = np.repeat(self.begins[:-1][rows] - begins[:-1], sizes)
        return Lists(self.items.take(np.arange(begins[-1]) + shifts), begins)

    def plain(self) -> list[Any]:
        """Return the values as a list; None where one is missing."""
        items = self.items.plain()
        return [items[begin:end] for begin, end in pairwise(self.begins.tolist())]

    def arrow(self) -> pyarrow.Array:
        """Return the values as an Arrow array."""
        pyarrow = require_pyarrow()
        return pyarrow.ListArray.from_arrays(
            pyarrow.array(self.begins.astype(np.int32)), self.items.arrow()
        )


def texts_of(texts: Sequence[str]) -> Texts:
    """Return texts as a column."""
    return Texts(np.array([text.encode("ascii") for text in texts] or [b""])[: len(texts)])
