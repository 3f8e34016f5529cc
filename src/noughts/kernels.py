"""Compiling hot loops: ordinary Python functions over ints and numpy arrays.

With numba they run at the speed of C, without it uncompiled: slower, same answers. numpy is
needed for both. Only modules that are about large boards import this one, so that small
questions never load either.
"""

from __future__ import annotations

import math
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
    import_module("numba.extending")
except ImportError:
    numba = None

__all__ = [
    "CACHE_LINE",
    "COMPILED",
    "NDArray",
    "bare_kernel",
    "kernel",
    "load_word",
    "needs_compiling",
    "np",
    "room_apart",
    "signed",
    "store_word",
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


CACHE_LINE = 64
"""The bytes that a processor fetches at once; what two cores write in one, both wait for."""


def room_apart(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return an array of zeros that shares no line of the processor's cache with others.

    Nor a pair of lines, as some processors fetch the next one too.
    """
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + 4 * CACHE_LINE, np.uint8)
    begin = -room.ctypes.data % (2 * CACHE_LINE)
    inside: NDArray[Any] = room[begin : begin + size].view(dtype)
    return inside.reshape(shape)


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


# -- what threads tell each other ----------------------------------------------------------
#
# Compilers and processors reorder what a thread reads and writes. Whoever loads a word that was
# stored like this also sees all that was written before it was stored.


def _pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return numba.core.cgutils.get_item_pointer(
        context, builder, signature.args[0], array, [args[1]], wraparound=False
    )


def _load(_typing: Any, words: Any, i: Any) -> Any:
    def write_code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_pointer(context, builder, signature, args), "acquire", 8)

    return words.dtype(words, numba.types.intp), write_code


def _store(_typing: Any, words: Any, i: Any, word: Any) -> Any:
    def write_code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _pointer(context, builder, signature, args)
        builder.store_atomic(args[2], pointer, "release", 8)
        return context.get_dummy_value()

    return numba.types.void(words, numba.types.intp, words.dtype), write_code


def _compiled_as(intrinsic: Callable[..., Any]) -> Callable[[F], F]:
    """Let kernels have what an intrinsic says in place of a function."""

    def replace(function: F) -> F:
        return numba.extending.intrinsic(intrinsic) if COMPILED else function

    return replace


@_compiled_as(_load)
def load_word(words: NDArray[np.int64], i: int) -> int:
    """Read a word through which threads tell each other something."""
    return int(words[i])


@_compiled_as(_store)
def store_word(words: NDArray[np.int64], i: int, word: int) -> None:
    """Write a word for another thread, and with it all that was written before."""
    words[i] = word
