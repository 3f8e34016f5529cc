"""What can happen to the files of tables: built, stopped, damaged, looked for."""

from __future__ import annotations

import json
import os
import shutil
import stat
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Grid, GridPosition, NoughtsError, SizeError
from noughts.errors import LimitExceeded, NotationError, TableError
from noughts.solving import retrograde
from noughts.solving.ranking import DRAW
from noughts.solving.tables import Table, build_table, find_table, table_path, tables_folder
from noughts.values import Value
from support.cli_runner import clean_environment

Builder = Callable[[str], Table]

PREFIX = 20  # bytes in front of the header


# --------------------------------------------------------------------------------------- building


def test_limits() -> None:
    for grid in ("1x17x3", "4x5x3", "5x5x4", "1000000x1000000x5", "1x17x1", f"1x{10**99}x3"):
        with pytest.raises(LimitExceeded, match="16 cells"):
            build_table(grid, os.devnull)
        assert find_table(grid) is None


@pytest.mark.parametrize("grid", ["", "3x3", "4x4x3.noughts", None, 3])
def test_what_is_no_grid(grid: Any) -> None:
    for door in (build_table, find_table, table_path):
        with pytest.raises(NotationError):
            door(grid)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_what_is_no_number_of_threads(tmp_path: Path, threads: Any) -> None:
    with pytest.raises(SizeError):
        build_table("2x2x2", tmp_path / "t", threads=threads)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("grid", ["1x1x1", "3x5x3"])
def test_threads_change_nothing(built: Builder, tmp_path: Path, threads: int, grid: str) -> None:
    with build_table(grid, tmp_path / "t", threads=threads) as table:
        assert table.path.read_bytes() == built(grid).path.read_bytes()


def test_small_parts_change_nothing(
    built: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in (1, 7, 10**9):
        monkeypatch.setattr(retrograde, "_PART", part)
        with build_table("3x3x3", tmp_path / "t") as table:
            assert table.path.read_bytes() == built("3x3x3").path.read_bytes()


def test_progress_goes_from_nothing_to_everything(tmp_path: Path) -> None:
    shares: list[float] = []
    build_table("3x5x3", tmp_path / "t", on_progress=shares.append).close()
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.1
    assert shares[-1] == 1
    assert len(shares) > 100


UNCOMPILED = """
import sys
{block}
from noughts.kernels import COMPILED
from noughts.solving.tables import build_table
notices = []
for grid in ("1x1x1", "3x3x3", "2x5x2", "1x6x3"):
    table = build_table(grid, sys.argv[1] + "/" + grid, threads=2, on_notice=notices.append)
assert not COMPILED
assert "numba" in notices[0], notices
"""


@pytest.mark.parametrize("block", ["", "sys.modules['numba'] = None"], ids=["no jit", "no numba"])
def test_the_same_without_compiling(built: Builder, tmp_path: Path, block: str) -> None:
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", UNCOMPILED.format(block=block), str(tmp_path)],
        capture_output=True,
        text=True,
        env=clean_environment({} if block else {"NUMBA_DISABLE_JIT": "1"}),
        timeout=120,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")
    for grid in ("1x1x1", "3x3x3", "2x5x2", "1x6x3"):
        assert (tmp_path / grid).read_bytes() == built(grid).path.read_bytes()


READING = """
import sys
for name in ("numpy", "numba"):
    sys.modules[name] = None
from noughts import GridPosition
from noughts.solving.tables import build_table, find_table
from noughts.errors import MissingExtra
table = find_table("3x3x3")
assert table.lookup(GridPosition.parse("XX./OO./..."))[1] == 1
assert table.counts().total == 5478
assert table.solution(GridPosition.start("3x3x3")).line
try:
    build_table("2x2x2")
except MissingExtra as error:
    assert "noughts[engine]" in str(error)
else:
    raise AssertionError
print(sorted(name for name in sys.modules if name in ("concurrent.futures", "click")))
"""


def test_reading_needs_no_arrays(built: Builder, installed: Path) -> None:
    shutil.copy(built("3x3x3").path, installed)
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", READING],
        capture_output=True,
        text=True,
        env=clean_environment({"NOUGHTS_TABLES": str(installed)}),
        timeout=60,
        check=False,
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, "[]\n", "")


# --------------------------------------------------------------------------------- written or not


class Stop(Exception):
    """Stands for anything that may go wrong in the middle."""


@pytest.mark.parametrize("error", [KeyboardInterrupt, Stop, MemoryError])
@pytest.mark.parametrize("at", [0.0, 0.5, 1.0])
def test_a_build_that_is_stopped_leaves_nothing(
    tmp_path: Path, error: type[BaseException], at: float
) -> None:
    def progress(share: float) -> None:
        if share >= at:
            raise error

    for before in ([], [("t", b"what was there")]):
        for name, content in before:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(error):
            build_table("3x4x3", tmp_path / "t", on_progress=progress)
        assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Any, step: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    (tmp_path / "t").write_bytes(b"what was there")
    monkeypatch.setattr(os, step, fail)
    expected = KeyboardInterrupt if error is KeyboardInterrupt else TableError
    with pytest.raises(expected) as caught:
        build_table("2x2x2", tmp_path / "t")
    if expected is TableError:
        assert "No space left" in str(caught.value)
        assert str(tmp_path / "t") in str(caught.value)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [
        ("t", b"what was there")
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_devices_are_not_replaced() -> None:
    for device in ("/dev/null", "/dev/full"):
        with pytest.raises(TableError, match="not a file"):
            build_table("2x2x2", device)
        assert stat.S_ISCHR(os.stat(device).st_mode)


@pytest.mark.parametrize("place", ["no/where", "file/below", "", "x" * 300, "nu\0ll", "."])
def test_a_place_where_no_table_can_be(tmp_path: Path, place: str) -> None:
    """It is refused before the work begins."""
    (tmp_path / "file").write_bytes(b"")
    began: list[float] = []
    with pytest.raises(TableError, match="cannot write"):
        build_table("2x2x2", tmp_path / place, on_progress=began.append)
    assert not began
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("place", [3, object(), b"t"])
def test_what_is_no_place(tmp_path: Path, place: Any) -> None:
    with pytest.raises(TableError):
        build_table("2x2x2", place)
    with pytest.raises(TableError):
        Table.open(place)


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_not_ours(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(TableError, match="cannot write"):
        build_table("2x2x2", tmp_path / "t")
    tmp_path.chmod(0o700)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that cannot be written")
@pytest.mark.parametrize("variable", ["NOUGHTS_TABLES", "XDG_DATA_HOME"])
def test_a_place_for_tables_that_cannot_be_made(
    monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.delenv("NOUGHTS_TABLES", raising=False)
    monkeypatch.setenv(variable, "/proc/tables")
    with pytest.raises(TableError, match="cannot write the table /proc/tables"):
        build_table("2x2x2")
    assert find_table("2x2x2") is None


def test_a_link_stays_a_link(built: Builder, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "far" / "table")
    for _ in range(2):  # the first time it leads nowhere
        with build_table("2x2x2", tmp_path / "link") as table:
            assert table.path == tmp_path / "link"
        assert (tmp_path / "link").is_symlink()
        assert [path.name for path in (tmp_path / "far").iterdir()] == ["table"]
        assert (tmp_path / "far" / "table").read_bytes() == built("2x2x2").path.read_bytes()
    with Table.open(tmp_path / "link", check=True) as table:
        assert table.grid == Grid(2, 2, 2)


def test_a_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    build_table("2x2x2", tmp_path / "new").close()
    usual = (tmp_path / "usual").stat().st_mode
    assert (tmp_path / "new").stat().st_mode == usual
    (tmp_path / "new").chmod(0o640)
    build_table("2x2x2", tmp_path / "new").close()
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_builds_at_the_same_time(built: Builder, tmp_path: Path) -> None:
    expected = built("3x4x3").path.read_bytes()
    stop = threading.Event()
    seen = []

    def watch() -> None:
        while not stop.is_set():
            if (tmp_path / "t").exists():
                with Table.open(tmp_path / "t", check=True) as table:
                    seen.append(table.digest)

    with ThreadPoolExecutor(5) as pool:
        watching = pool.submit(watch)
        builds = [pool.submit(build_table, "3x4x3", tmp_path / "t") for _ in range(20)]
        for build in builds:
            build.result().close()
        stop.set()
        watching.result()
    assert [path.name for path in tmp_path.iterdir()] == ["t"]
    assert (tmp_path / "t").read_bytes() == expected
    assert set(seen) == {built("3x4x3").digest}


def test_a_table_that_is_open_survives_its_replacement(tmp_path: Path) -> None:
    with build_table("2x2x2", tmp_path / "t") as old:
        build_table("3x3x3", tmp_path / "t").close()
        assert old.lookup(GridPosition.start("2x2x2")) == (Value.WIN, 3)
        with Table.open(tmp_path / "t") as new:
            assert new.grid == Grid(3, 3, 3)


# ----------------------------------------------------------------------------------------- damage


def test_the_file_is_what_it_says(built: Builder) -> None:
    """Read by hand, from the description on top of the module."""
    content = built("3x4x3").path.read_bytes()
    assert content[:8] == bytes.fromhex("89 6E 6F 75 67 68 74 73")
    version, length, checksum = struct.unpack("<III", content[8:20])
    header = content[20 : 20 + length]
    assert (version, zlib.crc32(header)) == (2, checksum)
    assert json.loads(header)["grid"] == "3x4x3"
    digest = sha256(b"3x4x3\n" + content[20 + length :]).hexdigest()
    assert json.loads(header)["sha256"] == digest
    assert len(content) == 20 + length + sum(comb(12, n) * comb(n, n // 2) for n in range(13))
    assert built("3x4x3").size == len(content)
    assert built("3x4x3").digest == json.loads(header)["sha256"]


def test_no_byte_can_be_changed_unnoticed(built: Builder, tmp_path: Path) -> None:
    """In a small table, header and all; in the data it takes the check to see it."""
    table = built("2x2x2")
    content = table.path.read_bytes()
    data_at = len(content) - table.positions
    assert data_at > PREFIX
    path = tmp_path / "t"
    for place in range(len(content)):
        for change in (0x01, 0x80):
            damaged = bytearray(content)
            damaged[place] ^= change
            path.write_bytes(damaged)
            with pytest.raises(TableError, match=r"/t is "):
                Table.open(path, check=True)
            if place < data_at:
                with pytest.raises(TableError, match=r"/t is "):
                    Table.open(path)
            else:
                Table.open(path).close()


def test_no_length_can_be_changed_unnoticed(built: Builder, tmp_path: Path) -> None:
    content = built("2x2x2").path.read_bytes()
    path = tmp_path / "t"
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(TableError, match=r"/t is "):
            Table.open(path)
    for more in (b"\0", content, bytes(10_000)):
        path.write_bytes(content + more)
        with pytest.raises(TableError, match="damaged"):
            Table.open(path)


def file_with(header: object, data: bytes = b"", version: int = 2) -> bytes:
    """Return a file whose prefix is right, whatever the rest is."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return b"\x89noughts" + struct.pack("<III", version, len(text), zlib.crc32(text)) + text + data


SIZE = 1 + 4 + 12 + 12 + 6  # boards of 2x2 by number of marks
GOOD = {"grid": "2x2x2", "layout": "marks, marked cells, cells of O", "sha256": "0" * 64}


NOT_TABLES = [
    b"",
    b"\x89",
    b"hello, world\n" * 10,
    b"\x89PNG\r\n\x1a\n" + bytes(100),
    b"\x89noughts",
    b"\x89noughts" + bytes(12),
    b"\x89noughts" + b"\xff" * 200,
    file_with(GOOD, version=1),
    file_with(b""),
    file_with(b"\xff\xfe"),
    file_with(b"[" * 10_000),
    file_with(b"not JSON"),
    file_with([]),
    file_with(None),
    file_with({}),
    file_with({**GOOD, "grid": None}),
    file_with({**GOOD, "grid": 3}),
    file_with({**GOOD, "grid": "2x2"}),
    file_with({**GOOD, "grid": "1000000x1000000x3"}),
    file_with({**GOOD, "layout": "another"}, bytes(SIZE)),
    file_with({**GOOD, "layout": None}, bytes(SIZE)),
    file_with({**GOOD, "sha256": None}, bytes(SIZE)),
    file_with({**GOOD, "sha256": 7}, bytes(SIZE)),
    file_with(GOOD),
    file_with(GOOD, bytes(SIZE + 1)),
]


def test_files_that_are_not_tables(tmp_path: Path) -> None:
    path = tmp_path / "t"
    for content in NOT_TABLES:
        path.write_bytes(content)
        with pytest.raises(TableError) as caught:
            Table.open(path)
        assert str(path) in str(caught.value)
        assert len(str(caught.value)) < len(str(path)) + 120
        assert path.read_bytes() == content


@given(st.binary(max_size=200), st.booleans())
def test_garbage(tmp_path_factory: pytest.TempPathFactory, content: bytes, is_header: bool) -> None:
    path = tmp_path_factory.mktemp("garbage") / "t"
    path.write_bytes(file_with(content) if is_header else content)
    with pytest.raises(TableError):
        Table.open(path)


def test_places_that_hold_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nowhere").symlink_to("nothing")
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path, tmp_path / "none", tmp_path / "none" / "t", tmp_path / "pipe"):
        with pytest.raises(TableError) as caught:
            Table.open(path)
        assert str(path) in str(caught.value)
    for name in ("nowhere", "loop", "nu\0ll", "/dev/null", ""):
        with pytest.raises(TableError):
            Table.open(tmp_path / name)


def test_bytes_that_mean_nothing(tmp_path: Path) -> None:
    """Data with a right checksum: what is nonsense in them is not passed on."""
    for byte, complaint in (
        (5, "damaged"),
        (100, "damaged"),
        (255, "damaged"),
        (2, "no move gives"),
    ):
        data = bytes([byte]) + bytes([DRAW]) * (SIZE - 1)
        header = {**GOOD, "sha256": sha256(b"2x2x2\n" + data).hexdigest()}
        (tmp_path / "t").write_bytes(file_with(header, data))
        with pytest.raises(TableError):
            Table.open(tmp_path / "t", check=True)
        with Table.open(tmp_path / "t") as table:
            with pytest.raises(TableError, match=complaint):
                table.best(GridPosition.start("2x2x2"))
            if 4 < byte < 255:
                with pytest.raises(TableError, match="damaged"):
                    table.counts()


def test_data_under_the_name_of_another_grid(built: Builder, tmp_path: Path) -> None:
    """With a new header, and with a new checksum as well."""
    source = built("3x3x2")
    content = source.path.read_bytes()
    data = content[len(content) - source.positions :]
    new = {"grid": "3x3x3", "sha256": sha256(b"3x3x3\n" + data).hexdigest()}
    for header, complaint in (
        ({**GOOD, "grid": "3x3x3", "sha256": source.digest}, "checksum"),
        ({**GOOD, **new}, r"t is (not a table of 3x3x3|damaged): "),
    ):
        (tmp_path / "t").write_bytes(file_with(header, data))
        with pytest.raises(TableError, match=complaint):
            Table.open(tmp_path / "t", check=True)
    (tmp_path / "t").write_bytes(
        file_with({**GOOD, "grid": "3x3x2", "sha256": source.digest}, data)
    )
    Table.open(tmp_path / "t", check=True).close()


# ------------------------------------------------------------------------------ what is installed


def test_no_table_is_found_where_none_is(installed: Path) -> None:
    assert find_table("3x3x3") is None
    assert tables_folder() == installed
    assert table_path("3x3x3") == installed / "3x3x3.noughts"


def test_a_table_is_installed_and_found(installed: Path) -> None:
    installed.rmdir()  # the folder is made
    for grid in ("3x3x3", Grid(3, 3, 3)):
        with build_table(grid) as table:
            assert table.path == installed / "3x3x3.noughts"
        found = find_table(grid)
        assert found is not None
        with found:
            assert found.grid == Grid(3, 3, 3)
            assert found.lookup(GridPosition.start("3x3x3")) == (Value.DRAW, None)
            assert repr(found) == f"<Table of 3x3x3 in {str(table.path)!r}>"
    assert [path.name for path in installed.iterdir()] == ["3x3x3.noughts"]
    assert find_table("3x3x2") is None


def test_a_transposed_table_is_found(built: Builder, installed: Path) -> None:
    build_table("2x4x3").close()
    found = find_table("4x2x3")
    assert found is not None
    with found:
        assert found.grid == Grid(4, 2, 3)
        for text in ("../../../..", "../X./../O.", "X./.O/X./..", "XO/XO/X./.."):
            position = GridPosition.parse(f"4x2x3:{text}")
            assert found.lookup(position) == built("4x2x3").lookup(position)
    build_table("4x2x3").close()  # the table of the grid itself comes first
    for grid in ("4x2x3", "2x4x3"):
        own = find_table(grid)
        assert own is not None
        with own:
            assert own.path.name == f"{grid}.noughts"


def test_a_damaged_table_is_never_asked(built: Builder, installed: Path) -> None:
    content = bytearray(built("2x4x3").path.read_bytes())
    content[-1] ^= 1
    (installed / "2x4x3.noughts").write_bytes(content)
    for grid in ("2x4x3", "4x2x3"):
        with pytest.raises(TableError, match="checksum"):
            find_table(grid)
    (installed / "2x4x3.noughts").write_bytes(content[:-1])
    with pytest.raises(TableError, match="bytes"):
        find_table("2x4x3")
    build_table("2x4x3").close()  # which repairs it
    found = find_table("2x4x3")
    assert found is not None
    found.close()


def test_a_table_with_a_wrong_name_is_never_asked(built: Builder, installed: Path) -> None:
    shutil.copy(built("3x3x2").path, installed / "3x3x3.noughts")
    with pytest.raises(TableError, match="3x3x2"):
        find_table("3x3x3")
    shutil.copy(built("4x3x3").path, installed / "3x4x3.noughts")
    for grid in ("3x4x3", "4x3x3"):
        with pytest.raises(TableError, match="4x3x3"):
            find_table(grid)


def test_where_tables_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("NOUGHTS_TABLES", "")
    assert tables_folder() == tmp_path / "data" / "noughts" / "tables"
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "mine"))
    assert tables_folder() == tmp_path / "mine"


def test_without_a_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOUGHTS_TABLES", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)

    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for an unknown user
    with pytest.raises(NoughtsError, match="NOUGHTS_TABLES"):
        build_table("2x2x2")
    assert find_table("2x2x2") is None
