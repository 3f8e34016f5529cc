"""Every error that noughts raises, as one small tree.

::

    NoughtsError
    ├── SizeError        (ValueError)  a size, or another argument, that is wrong or too big
    ├── OutOfRange       (IndexError)  an index beyond the end of a sequence
    ├── NotationError    (ValueError)  text that cannot be read; knows the character
    ├── IllegalMove      (ValueError)  a move the rules refuse; nothing was changed
    ├── InvalidPosition  (ValueError)  a board that no game reaches; knows every reason
    ├── LimitExceeded    (ValueError)  a task that needs more memory or time than allowed
    ├── CheckpointError  (ValueError)  a checkpoint that is damaged or belongs to another task
    ├── ProofError       (ValueError)  a proof that does not prove what it claims; names the line
    ├── TableError       (ValueError)  a table of values that is damaged or of another grid
    ├── DataSetError     (ValueError)  a folder that has something else in it, or a damaged data set
    ├── StoreError       (ValueError)  a file of shared games that is damaged, foreign or locked
    ├── Forfeit          (RuntimeError)  a player that loses a match game other than by the rules
    ├── CountMismatch    (ArithmeticError)  results that must agree differ, so none is given
    └── MissingExtra     (ImportError) an optional dependency is not installed

Catch `NoughtsError` for all of them. An error that a caller causes is also a `ValueError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import SupportsIndex

__all__ = [
    "CheckpointError",
    "CountMismatch",
    "DataSetError",
    "Forfeit",
    "IllegalMove",
    "InvalidPosition",
    "LimitExceeded",
    "MissingExtra",
    "NotationError",
    "NoughtsError",
    "OutOfRange",
    "ProofError",
    "SizeError",
    "StoreError",
    "TableError",
]


class NoughtsError(Exception):
    """The base of every error that noughts raises on purpose."""


class SizeError(NoughtsError, ValueError):
    """An argument that is wrong: a size out of range, or a value of the wrong type."""


class OutOfRange(NoughtsError, IndexError, ValueError):
    """An index beyond the end of a sequence, as of `noughts.Games`."""


class NotationError(NoughtsError, ValueError):
    """Text that cannot be read.

    `text` is what was read; `offset` is the index of the wrong character in it, or None if
    the text as a whole is wrong.
    """

    def __init__(self, message: str, text: str = "", offset: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.offset = offset

    def __reduce__(self) -> tuple[type[NotationError], tuple[str, str, int | None]]:
        return type(self), (self.message, self.text, self.offset)

    def pointer(self) -> str:
        """Return the text with a caret under the offending character, or ``""``.

        >>> print(NotationError("stray '?'", "X?.", 1).pointer())
        X?.
         ^
        """
        if self.offset is None or not self.text.isprintable():
            return ""
        # A long line is cut to the neighbourhood of the fault, so that it fits a terminal.
        first = max(0, self.offset - 40)
        shown = self.text[first : first + 72]
        return f"{shown}\n{' ' * (self.offset - first)}^"


class IllegalMove(NoughtsError, ValueError):
    """A move that the rules refuse; the game or position is unchanged."""


class InvalidPosition(NoughtsError, ValueError):
    """A board that no game can reach; `reasons` holds every reason."""

    def __init__(self, reasons: Sequence[object]) -> None:
        super().__init__(f"no game leads there: {'; '.join(map(str, reasons))}")
        self.reasons = tuple(reasons)

    def __reduce__(self) -> tuple[type[InvalidPosition], tuple[tuple[object, ...]]]:
        return type(self), (self.reasons,)


class LimitExceeded(NoughtsError, ValueError):
    """A task that needs more memory or time than allowed; the message has the estimate."""


class CheckpointError(NoughtsError, ValueError):
    """A checkpoint that is damaged, belongs to another count, or cannot be written."""


class TableError(NoughtsError, ValueError):
    """A table that is damaged or of another grid, or cannot be read or written."""


class DataSetError(NoughtsError, ValueError):
    """A folder that a data set cannot be exported to, or whose data set is damaged."""


class StoreError(NoughtsError, ValueError):
    """A file of shared games that is damaged or foreign, or cannot be read or written."""


class ProofError(NoughtsError, ValueError):
    """A proof that does not prove what it claims; `line` is the faulty line of its file."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line

    def __reduce__(self) -> tuple[type[ProofError], tuple[str, int | None]]:
        return type(self), (self.message, self.line)


class Forfeit(NoughtsError, RuntimeError):
    """A player that loses a match game other than by the rules; `cause` says in one word why.

    It made an illegal move or was too late, or its program ended, wrote too much or wrote
    what is not an answer.
    """

    def __init__(self, cause: str, message: str) -> None:
        super().__init__(message)
        self.cause = cause

    def __reduce__(self) -> tuple[type[Forfeit], tuple[str, str]]:
        return type(self), (self.cause, str(self))


class CountMismatch(NoughtsError, ArithmeticError):
    """Results that must agree differ, so no result is given; the checkpoint must be discarded."""


class MissingExtra(NoughtsError, ImportError):
    """An optional dependency is not installed; the message says how to get it."""

    def __init__(self, extra: str, need: str) -> None:
        super().__init__(f"{need}: pip install 'noughts[{extra}]'")
        self.extra = extra
        self.need = need

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return type(self), (self.extra, self.need)


def brief(value: object) -> str:
    """Return `value` as error messages quote it: its repr, cut to 60 characters.

    >>> brief("X?."), brief(10**400)
    ("'X?.'", 'a number of 1329 bits')
    """
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"  # str() of a huge int is refused by Python
    try:
        text = repr(value)
    except Exception:  # of a list with such a number in it, or of a foreign class
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def require_text(value: object, what: str) -> str:
    """Return `value` if it is text, or raise `NotationError` naming it."""
    if not isinstance(value, str):
        raise NotationError(f"{what} must be text, not {brief(value)}")
    return value


def whole_number(
    value: SupportsIndex, name: str, *, least: int | None = 0, most: int | None = None
) -> int:
    """Return `value` as an int from `least` to `most`, or raise `SizeError` naming it.

    Floats and bools are refused even if they equal an integer: they are nearly always a
    mistake in the caller's data.

    >>> whole_number(3, "rows", least=1)
    3
    >>> whole_number(True, "rows")
    Traceback (most recent call last):
    noughts.errors.SizeError: rows must be a whole number, not True
    """
    try:
        number = index(value)
    except TypeError:
        raise _not_whole(value, name) from None
    if isinstance(value, bool):
        raise _not_whole(value, name)
    if least is not None and number < least:
        raise SizeError(f"{name} must be at least {least}, not {brief(number)}")
    if most is not None and number > most:
        raise SizeError(f"{name} must be at most {brief(most)}, not {brief(number)}")
    return number


def _not_whole(value: object, name: str) -> SizeError:
    return SizeError(f"{name} must be a whole number, not {brief(value)}")
