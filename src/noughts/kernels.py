"""Compiling hot loops: ordinary Python functions over ints and numpy arrays.

With numba they run at the speed of C, without it uncompiled: slower, same answers. numpy is
needed for both. Only modules that are about large boards import this one, so that small
questions never load either.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from noughts.errors import MissingExtra

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise MissingExtra("engine", "the engine and large boards need numpy") from error

try:
    numba: Any = import_module("numba")
except ImportError:
    numba = None

__all__ = [
    "COMPILED",
    "NDArray",
    "bare_kernel",
    "kernel",
    "needs_compiling",
    "np",
    "signed",
    "wrapping",
]

COMPILED: bool = numba is not None and not numba.config.DISABLE_JIT
"""Whether kernels are compiled."""

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function where numba is there; the machine code is kept for the next run."""
    return _compile(function)


def bare_kernel(function: F) -> F:
    """Compile a function that allocates nothing into the kernels that call it.

    Many small functions that hand each other a dozen arrays spend half their time on counting
    references to them, and a quarter of the rest on handing them over: neither is done here.
    """
    return _compile(function, _nrt=False, forceinline=True)


def _compile(function: F, **options: Any) -> F:
    if numba is None:
        return function
    try:
        compiled: F = numba.njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # no folder to keep machine code in: compile it anew each time
        compiled = numba.njit(nogil=True, **options)(function)
    return compiled


@bare_kernel
def signed(word: Any) -> int:
    """Return a word as a number to reckon with: small ones would wrap around, or turn float."""
    return np.int64(word)  # type: ignore[return-value]  # the int of kernels


def needs_compiling(function: Any) -> bool:
    """Return whether calling a kernel will compile it first, as on a machine's first run."""
    if not COMPILED or function.signatures:
        return False
    folder = function.stats.cache_path
    return folder is None or not any(Path(folder).glob(f"*.{function.__name__}-*.nbi"))


def wrapping() -> np.errstate:
    """Return a context in which unsigned arithmetic may wrap around.

    Compiled code wraps silently, which hashing relies on; numpy's scalars would warn.
    """
    return np.errstate(over="ignore")
