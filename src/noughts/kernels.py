"""Kernels: hot loops over ints and numpy arrays, compiled by numba.

Without numba they run uncompiled: slower, with the same results. Both need numpy. Only modules
for large boards import this one, so small tasks load neither.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from noughts.errors import MissingExtra
from noughts.folders import create_private, user_folder

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise MissingExtra("engine", "the engine and large boards need numpy") from error

numba: Any = None
if os.environ.get("NUMBA_DISABLE_JIT", "0") == "0":  # else loading it would take time for nothing
    try:
        numba = import_module("numba")
        import_module("numba.extending")
    except ImportError:
        numba = None

__all__ = [
    "CACHE_LINE",
    "COMPILED",
    "NDArray",
    "bare_kernel",
    "compiling_notice",
    "kernel",
    "load_word",
    "machine_code_folder",
    "match_cells",
    "needs_compiling",
    "np",
    "on_compiling",
    "room_apart",
    "signed",
    "store_cells",
    "store_word",
    "wrapping",
]

COMPILED: bool = numba is not None and not numba.config.DISABLE_JIT
"""Whether kernels are compiled; the environment variable NUMBA_DISABLE_JIT=1 turns it off."""

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile a function if numba is installed, and keep the machine code for the next run."""
    return _compile(function)


def bare_kernel(function: F) -> F:
    """Compile a function that allocates nothing into the kernels that call it.

    Small functions that pass a dozen arrays to each other would spend half of their time on
    counting references, and a quarter of the rest on passing them. This does neither.
    """
    return _compile(function, _nrt=False, forceinline=True)


def _compile(function: F, **options: Any) -> F:
    if numba is None:
        return function
    compiled: Any = numba.njit(nogil=True, **options)(function)
    if COMPILED and (folder := machine_code_folder()) is not None:
        chosen = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            compiled.enable_caching()
            compiled._cache = _Cache(compiled._cache, _stamp(function))
        except (RuntimeError, OSError):  # no source file, or the folder has gone
            compiled = numba.njit(nogil=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = chosen
    kernel: F = compiled
    return kernel


@lru_cache(maxsize=1)
def machine_code_folder() -> Path | None:
    """Return the folder of machine code, or None: then each run compiles what it needs.

    It is in the folder that NUMBA_CACHE_DIR names, beside the sources, or among the user's caches:
    the first of these that is private, as whoever can write there can run code as this user.
    """
    user = user_folder("cache")
    folders = [
        Path(numba.config.CACHE_DIR, "noughts").absolute() if numba.config.CACHE_DIR else None,
        Path(__file__).absolute().parent / "__pycache__" / "machine-code",
        user and user / "machine-code",
    ]
    return next((folder for folder in folders if folder and create_private(folder)), None)


class _Cache:
    """numba's cache of one kernel; a file of it that cannot be used is as good as none."""

    def __init__(self, cache: Any, stamp: bytes) -> None:
        self._cache = cache
        # The version stands first in the index of a kernel's machine code. If it differs, numba
        # does not read the rest, which may name classes that are gone.
        file = cache._cache_file
        file._version = f"{file._version} {stamp.hex()}"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def is_empty(self) -> bool:
        """Return whether there is no machine code, or none that can be read."""
        try:
            return not self._cache._cache_file._load_index()
        except Exception:  # unpickling can fail in any way
            return True

    def load_overload(self, *arguments: Any) -> Any:
        """Return the code of a signature, or None. Damaged files are given up."""
        try:
            return self._cache.load_overload(*arguments)
        except Exception:
            with suppress(OSError):
                self._cache.flush()
            return None

    def save_overload(self, *arguments: Any) -> None:
        """Write the code of a signature, unless the disk is full or the folder has gone."""
        with suppress(OSError):
            self._cache.save_overload(*arguments)


_stamps: dict[str, bytes] = {}  # of modules with kernels


def _stamp(function: Callable[..., Any]) -> bytes:
    """Return a hash of everything that is compiled into the kernels of a function's module.

    That is its file, the constants that it imports, and the modules of other kernels. numba by
    itself compares the file alone, and would run machine code that is older than what it inlined.
    """
    name = function.__module__
    if name not in _stamps:
        digest = sha256(Path(function.__code__.co_filename).read_bytes())
        for key, value in function.__globals__.items():
            is_module = isinstance(value, ModuleType)
            origin = value.__name__ if is_module else getattr(value, "__module__", None)
            if isinstance(value, np.ndarray):
                digest.update(key.encode() + value.tobytes())
            elif isinstance(value, int | float | np.generic) or _is_plain_tuple(value):
                digest.update(f"{key} = {value!r}".encode())
            elif origin != name and origin in _stamps:
                digest.update(_stamps[origin])
        _stamps[name] = digest.digest()
    return _stamps[name]


def _is_plain_tuple(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, int | float) for each in value)


def needs_compiling(function: Any) -> bool:
    """Return whether calling a kernel will compile it first, as on a machine's first run."""
    if not COMPILED or function.signatures:
        return False
    return not isinstance(function._cache, _Cache) or function._cache.is_empty()


def compiling_notice(what: str = "") -> str:
    """Return what to tell a user who waits for kernels to be compiled."""
    compiling = f"compiling {what}".rstrip()
    if machine_code_folder() is None:
        return f"{compiling}, as no private folder keeps the machine code: set NUMBA_CACHE_DIR"
    return f"{compiling}, once on this machine"


@contextmanager
def on_compiling(notice: Callable[[], object]) -> Iterator[None]:
    """Have a function called whenever a kernel is compiled within the block, at its start.

    Loading machine code that was kept is not compiling.
    """
    if not COMPILED:
        yield
        return
    events = import_module("numba.core.event")

    class Listener(events.Listener):  # type: ignore[misc, name-defined]  # numba has no types
        def on_start(self, event: Any) -> None:
            notice()

        def on_end(self, event: Any) -> None:
            pass

    with events.install_listener("numba:compile", Listener()):
        yield


CACHE_LINE = 64
"""The bytes that a processor fetches at once; cores that write to the same line slow each other."""


def room_apart(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return an array of zeros that shares no cache line with other data.

    It shares no pair of lines either, as some processors fetch the next line, too.
    """
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + 4 * CACHE_LINE, np.uint8)
    begin = -room.ctypes.data % (2 * CACHE_LINE)
    inside: NDArray[Any] = room[begin : begin + size].view(dtype)
    return inside.reshape(shape)


@bare_kernel
def signed(word: Any) -> int:
    """Return a small integer as 64 bits, so that arithmetic neither wraps nor becomes float."""
    return np.int64(word)  # type: ignore[return-value]  # the int of kernels


def wrapping() -> np.errstate:
    """Return a context in which unsigned arithmetic may wrap around.

    Compiled code wraps silently, which hashing relies on; numpy's scalars would warn.
    """
    return np.errstate(over="ignore")


# -- intrinsics ------------------------------------------------------------------------------


def _pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return numba.core.cgutils.get_item_pointer(
        context, builder, signature.args[0], array, [args[1]], wraparound=False
    )


def _compiled_as(intrinsic: Callable[..., Any]) -> Callable[[F], F]:
    """Replace a function by an intrinsic in compiled kernels."""

    def replace(function: F) -> F:
        if not COMPILED:
            return function
        replaced: F = numba.extending.intrinsic(prefer_literal=True)(intrinsic)
        return replaced

    return replace


# -- bits as bytes ---------------------------------------------------------------------------
#
# The rules have a bit for each cell where learners have a byte. Processors have instructions for
# that, which compilers do not find in loops over bits: so these use vectors.


def _vector(kind: Any, lanes: int) -> Any:
    return import_module("llvmlite.ir").VectorType(kind, lanes)


def _shuffled(builder: Any, one: Any, other: Any, lanes: list[int]) -> Any:
    ir = import_module("llvmlite.ir")
    number = ir.IntType(32)
    choice = ir.Constant(_vector(number, len(lanes)), [number(lane) for lane in lanes])
    return builder.shuffle_vector(one, other, choice)


def _store_cells(_typing: Any, target: Any, at: Any, planes: Any, first: Any, lanes: Any) -> Any:
    width = lanes.literal_value

    def write_code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ir = import_module("llvmlite.ir")
        words = numba.core.cgutils.unpack_tuple(builder, args[2])
        together: Any = None
        for number, word in enumerate(words):
            bits = builder.trunc(builder.lshr(word, args[3]), ir.IntType(width))
            lanes = builder.bitcast(bits, _vector(ir.IntType(1), width))
            plane = builder.zext(lanes, _vector(ir.IntType(8), width))
            if together is None:
                together = plane
                continue
            done = number * width  # both sides of a shuffle have the same size
            room = _shuffled(builder, plane, plane, [lane % width for lane in range(done)])
            together = _shuffled(builder, together, room, [*range(done + width)])
        if len(words) > 1:  # the planes of a cell side by side
            order = [width * n + cell for cell in range(width) for n in range(len(words))]
            together = _shuffled(builder, together, together, order)
        pointer = builder.bitcast(
            _pointer(context, builder, signature, args), together.type.as_pointer()
        )
        builder.store(together, pointer, align=1)
        return context.get_dummy_value()

    word = numba.types.uint64
    return numba.types.void(target, word, planes, word, lanes), write_code


@_compiled_as(_store_cells)
def store_cells(
    target: NDArray[np.uint8], at: Any, planes: tuple[Any, ...], first: Any, width: int
) -> None:
    """Write `width` cells of some sets as bytes of 0 and 1, beginning with the cell `first`.

    The bytes of a cell, one for each set, lie side by side. The width is 8 or 16.
    """
    for cell in range(width):
        for n, plane in enumerate(planes):
            place = int(at) + cell * len(planes) + n
            target[place] = int(plane) >> int(first) + cell & 1


def _match_cells(_typing: Any, source: Any, at: Any, value: Any, lanes: Any) -> Any:
    width = lanes.literal_value

    def write_code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ir = import_module("llvmlite.ir")
        cells = _vector(ir.IntType(8), width)
        pointer = builder.bitcast(_pointer(context, builder, signature, args), cells.as_pointer())
        there = builder.load(pointer, align=1)
        one = builder.insert_element(ir.Constant(cells, ir.Undefined), args[2], ir.IntType(32)(0))
        wanted = _shuffled(builder, one, one, [0] * width)
        same = builder.icmp_unsigned("==", there, wanted)
        return builder.zext(builder.bitcast(same, ir.IntType(width)), ir.IntType(64))

    word = numba.types.uint64
    return word(source, word, numba.types.uint8, lanes), write_code


@_compiled_as(_match_cells)
def match_cells(source: NDArray[np.uint8], at: Any, value: int, width: int) -> Any:
    """Return which of the next `width` bytes are equal to a value, as a set of cells."""
    return np.uint64(sum(1 << n for n in range(width) if source[int(at) + n] == value))


# -- words between threads -------------------------------------------------------------------
#
# Compilers and processors reorder the reads and writes of a thread. A thread that loads a word
# also sees everything that the other thread wrote before it stored that word.


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


@_compiled_as(_load)
def load_word(words: NDArray[np.int64], i: int) -> int:
    """Read a word that another thread stores, and see everything written before."""
    return int(words[i])


@_compiled_as(_store)
def store_word(words: NDArray[np.int64], i: int, word: int) -> None:
    """Write a word for another thread, after everything written before."""
    words[i] = word
