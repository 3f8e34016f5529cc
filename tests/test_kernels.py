"""Machine code as new as its sources, memory apart from other threads, and words between them."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from subprocess import run
from threading import Thread
from typing import Any

import pytest

from noughts import kernels
from noughts.kernels import (
    CACHE_LINE,
    COMPILED,
    NDArray,
    compiling_notice,
    kernel,
    load_word,
    needs_compiling,
    np,
    room_apart,
    store_word,
)

MESSAGES, SIZE = 20_000, 50


@pytest.mark.parametrize(("shape", "dtype"), [((1,), np.uint64), ((3, 5), np.int16), ((0,), "i4")])
def test_room_apart_is_alone_in_its_lines(shape: tuple[int, ...], dtype: Any) -> None:
    rooms = [room_apart(shape, dtype) for _ in range(50)]
    for room in rooms:
        assert (room.shape, room.dtype) == (shape, np.dtype(dtype))
        assert not room.any()
        assert room.flags.c_contiguous
    begins = sorted(room.ctypes.data for room in rooms if room.size)
    assert all(begin % (2 * CACHE_LINE) == 0 for begin in begins)
    assert len(set(begins)) == len(begins)
    assert all(room.nbytes <= 2 * CACHE_LINE for room in rooms)  # so none reaches the next one


@kernel
def send(turns: NDArray[np.int64], letter: NDArray[np.int64]) -> None:
    for message in range(1, MESSAGES + 1):
        for i in range(SIZE):
            letter[i] = message + i
        store_word(turns, 0, message)
        while load_word(turns, 8) != message:
            pass


@kernel
def receive(turns: NDArray[np.int64], letter: NDArray[np.int64]) -> int:
    errors = 0
    for message in range(1, MESSAGES + 1):
        while load_word(turns, 0) != message:
            pass
        for i in range(SIZE):
            errors += letter[i] != message + i
        store_word(turns, 8, message)
    return errors


def test_loading_a_word_shows_everything_written_before_it() -> None:
    turns, letter = room_apart((16,), np.int64), room_apart((SIZE,), np.int64)
    errors: list[int] = []
    threads = [
        Thread(target=send, args=(turns, letter), daemon=True),
        Thread(target=lambda: errors.append(receive(turns, letter)), daemon=True),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert errors == [0]


# ----------------------------------------------------------------------------- stale machine code

MODULES = {
    "constants.py": "FACTOR = {factor}\nTABLE = ({factor}, 1)\n",
    "inner.py": """
from noughts.kernels import bare_kernel

@bare_kernel
def inner(x):
    return x + {addend}
""",
    "middle.py": """
import inner
from constants import FACTOR, TABLE
from noughts.kernels import bare_kernel

@bare_kernel
def middle(x):
    return FACTOR * TABLE[0] * inner.inner(x)
""",
    "outer.py": """
from middle import middle
from noughts.kernels import kernel, needs_compiling

@kernel
def outer(x):
    return middle(x)

print(needs_compiling(outer), outer(1))
""",
}


def output_of(folder: Path, factor: int, addend: int) -> str:
    """Return what the outermost module prints: whether it will be compiled, and its result."""
    for name, source in MODULES.items():
        text = source.format(factor=factor, addend=addend)
        if not (folder / name).exists() or (folder / name).read_text() != text:
            (folder / name).write_text(text)
    command = [sys.executable, "-B", "outer.py"]
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    done = run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=100, check=True
    )
    return done.stdout.strip()


def test_machine_code_is_as_new_as_what_was_inlined(tmp_path: Path) -> None:
    """Only the file of the outermost kernel stays the same; numba looks at no other."""
    assert output_of(tmp_path, 2, 3) == "True 16"
    assert output_of(tmp_path, 2, 3) == "False 16"  # it is kept
    assert output_of(tmp_path, 2, 4) == "True 20"
    assert output_of(tmp_path, 3, 4) == "True 45"
    assert output_of(tmp_path, 3, 4) == "False 45"


def test_an_index_of_other_sources_is_not_read(tmp_path: Path) -> None:
    """It may name classes that are gone, which unpickling it would look for."""
    output_of(tmp_path, 2, 3)
    (index,) = tmp_path.rglob("outer.outer-*.nbi")
    with index.open("rb") as file:
        version, _, stamp = pickle.load(file).rpartition(" ")
    other = f"{version} {stamp[::-1]}"
    index.write_bytes(pickle.dumps(other) + b"cthis module is gone\nClass\n.")
    assert output_of(tmp_path, 2, 3) == "True 16"


def test_damaged_machine_code_is_compiled_again(tmp_path: Path) -> None:
    output_of(tmp_path, 2, 3)
    (index,) = tmp_path.rglob("outer.outer-*.nbi")
    index.write_bytes(index.read_bytes()[:-20])
    assert output_of(tmp_path, 2, 3) == "True 16"
    assert output_of(tmp_path, 2, 3) == "False 16"  # it is whole again
    (code,) = tmp_path.rglob("outer.outer-*.nbc")
    code.write_bytes(code.read_bytes()[:1000])
    assert output_of(tmp_path, 2, 3) == "False 16"  # this is noticed when it is loaded
    assert code.stat().st_size > 1000


def test_machine_code_is_kept_in_a_private_folder_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user ID without a name and without HOME once had its machine code in ``./~/.cache``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "package").mkdir()
    (tmp_path / "package").chmod(0o777)
    monkeypatch.setattr(kernels, "__file__", str(tmp_path / "package" / "kernels.py"))
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    monkeypatch.setattr(kernels.numba.config, "CACHE_DIR", str(tmp_path / "shared"))
    find = kernels.machine_code_folder.__wrapped__
    assert find() is None
    assert {path.name for path in tmp_path.iterdir()} == {"package", "shared"}
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert find() == tmp_path / "caches" / "noughts" / "machine-code"
    (tmp_path / "package").chmod(0o755)
    assert find() == tmp_path / "package" / "__pycache__" / "machine-code"
    (tmp_path / "shared").chmod(0o755)
    assert find() == tmp_path / "shared" / "noughts"


def test_kernels_work_without_a_folder_for_their_machine_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernels, "machine_code_folder", lambda: None)

    def double(x: int) -> int:
        return 2 * x

    compiled = kernel(double)
    assert needs_compiling(compiled)
    assert compiled(4) == 8
    assert not needs_compiling(compiled)
    assert "set NUMBA_CACHE_DIR" in compiling_notice()


@pytest.mark.skipif(not COMPILED, reason="there is nothing to compile")
def test_it_is_noticed_when_a_kernel_is_compiled_and_not_when_it_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "adding.py").write_text(
        "from noughts.kernels import kernel, on_compiling\n"
        "noticed = []\n"
        "@kernel\n"
        "def add(a, b):\n"
        "    return a + b\n"
        "with on_compiling(lambda: noticed.append(1)):\n"
        "    assert add(1, 2) == 3\n"
        "assert add(1.5, 2) == 3.5  # compiled, too, but after the block\n"
        "print(len(noticed))\n"
    )
    for expected in ("1\n", "0\n"):
        done = run(
            [sys.executable, tmp_path / "adding.py"],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == expected
