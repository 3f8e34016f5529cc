"""Train or test: decided by the canonical form, so that mirror images never fall into both.

The SHA-256 of the canonical form's text, its first 8 bytes read as a number from 0 to 1, is
below the test share, or it is not. So the split of a position is the same in every export with
the same share, and anyone can compute it.
"""

from __future__ import annotations

from hashlib import sha256

from noughts.kernels import np  # isort: skip  - says which extra is missing

from noughts.datasets.columns import Rows

__all__ = ["SPLITS", "is_test", "split_rows"]

SPLITS = ("train", "test")


def is_test(canonical: str, share: float) -> bool:
    """Return whether the rows of a canonical form belong to the test split.

    >>> is_test("3x3x3:.../.../...", 0.2), is_test("3x3x3:X../.../...", 0.2)
    (False, False)
    """
    number = int.from_bytes(sha256(canonical.encode()).digest()[:8], "big")
    return number < share * 2**64  # compared exactly: Python takes no float of the number


def split_rows(rows: Rows, share: float) -> dict[str, Rows]:
    """Return the rows of each split, in their order."""
    if not share:
        return {"train": rows}
    forms = rows["canonical"].plain()
    known = {form: is_test(form, share) for form in set(forms)}
    test = np.array([known[form] for form in forms], bool)
    return {
        split: {name: column.take(np.flatnonzero(chosen)) for name, column in rows.items()}
        for split, chosen in zip(SPLITS, (~test, test), strict=True)
    }
