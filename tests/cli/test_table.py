"""``noughts table``: built, inspected, refused, interrupted; what it says and where it says it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from noughts import GridPosition
from noughts.counting import count
from noughts.solving.tables import Table, find_table
from support.cli_runner import (
    TIME_LIMIT,
    Result,
    clean_environment,
    interrupted,
    on_terminal,
    python,
    run,
    spawn,
    without_colour,
)
from support.oracle import minimax


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of installed tables, which is nobody's real one."""
    folder = tmp_path / "installed"
    monkeypatch.setenv("NOUGHTS_TABLES", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def built(grid: str, *arguments: str) -> dict[str, Any]:
    result = run("table", "build", grid, *arguments, "--json")
    assert (result.code, result.err) == (0, "")
    return result.object


def inspected(table: str) -> dict[str, Any]:
    result = run("table", "info", table, "--json")
    assert (result.code, result.err) == (0, "")
    return result.object


# ------------------------------------------------------------------------------------------ build


def test_a_table_is_installed(tables: Path) -> None:
    result = run("table", "build", "3x3x3")
    assert (result.code, result.err) == (0, "")
    assert result.lines == ["3x3x3: a draw", f"  {tables}/3x3x3.noughts, 6.1 KiB"]
    assert [path.name for path in tables.iterdir()] == ["3x3x3.noughts"]
    found = find_table("3x3x3")
    assert found is not None
    found.close()


def test_a_table_goes_where_it_is_told(tables: Path, tmp_path: Path) -> None:
    for name in ("mine", str(tmp_path / "there.noughts"), "./x.noughts"):
        for option in ("--out", "-o"):
            result = run("table", "build", "3x4x3", option, name)
            assert (result.code, result.err) == (0, "")
            assert result.lines[0] == "3x4x3: X wins in 7 plies"
            assert str(Path(name)) in result.lines[1]
            with Table.open(name, check=True) as table:
                assert str(table.grid) == "3x4x3"
    assert not tables.exists()


def test_as_json(tables: Path) -> None:
    found = built("4x3x3")
    path = tables / "4x3x3.noughts"
    assert found["grid"] == "4x3x3"
    assert found["file"] == str(path)
    assert found["bytes"] == path.stat().st_size
    assert found["start"]["text"] == "X wins in 7 plies"
    assert (found["start"]["value"], found["start"]["plies"]) == ("win", 7)
    assert len(found["start"]["line"]) == 7
    value, plies = minimax("." * 12, 4, 3, 3)
    assert (found["start"]["value"], found["start"]["plies"]) == (value, plies)


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_threads_change_nothing(threads: str) -> None:
    assert built("2x6x3", "--threads", threads)["sha256"] == built("2x6x3")["sha256"]


def test_the_largest_board(tables: Path) -> None:
    assert built("4x4x3")["start"]["text"] == "X wins in 5 plies"
    assert (tables / "4x4x3.noughts").stat().st_size < 10_170_000


@pytest.mark.parametrize("grid", ["5x5x4", "1x17x3", "1000x1000x5"])
def test_a_board_that_is_too_large(tables: Path, grid: str) -> None:
    result = run("table", "build", grid)
    assert result.failed_politely()
    assert result.out == ""
    assert "16" in result.err
    assert not tables.exists()


@pytest.mark.parametrize("grid", ["", "3x3", "0x3x3", "3x3x3x3", "3×3×3", "3x3x3.noughts"])
def test_a_bad_grid(grid: str) -> None:
    result = run("table", "build", grid)
    assert result.failed_politely()
    assert result.out == ""


@pytest.mark.parametrize("name", ["no/where", ".", "/dev/null", "file/x", "/proc/table", ""])
def test_a_place_where_no_table_can_be(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    result = run("table", "build", "2x2x2", "--out", name)
    assert result.failed_politely()
    assert result.out == ""
    assert f"cannot write the table {name}" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_folder_of_tables_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        result = run("table", "build", "2x2x2", env={"NOUGHTS_TABLES": str(place)})
        assert result.failed_politely()
        assert str(place) in result.err


# ------------------------------------------------------------------------------------------- info


def test_what_is_in_a_table(tables: Path) -> None:
    built("3x4x3")
    result = run("table", "info", "3x4x3")
    assert (result.code, result.err) == (0, "")
    assert result.lines[0] == "3x4x3: X wins in 7 plies"
    facts = dict(line.split(maxsplit=1) for line in result.lines[1:5])
    path = tables / "3x4x3.noughts"
    with Table.open(path) as table:
        expected = {"file": str(path), "checksum": "ok", "sha256": table.digest}
        assert facts == {**expected, "size": f"{path.stat().st_size:,} bytes"}
        counts = table.counts()
    head = next(n for n, line in enumerate(result.lines) if "marks" in line)
    assert re.split(r"  +", result.lines[head].strip()) == [
        *("marks", "positions", "X wins", "draws", "O wins"),
    ]
    rows = [[int(n.replace(",", "")) for n in line.split()] for line in result.lines[head + 1 : -1]]
    assert {marks: total for marks, total, *_ in rows} == count("3x4x3", "positions").by_marks
    assert {marks: tuple(parts) for marks, _, *parts in rows} == counts.by_winner
    total = [int(n.replace(",", "")) for n in result.lines[-1].split()[1:]]
    assert total == [counts.total, counts.x_wins, counts.draws, counts.o_wins]


@pytest.mark.parametrize("grid", ["1x1x1", "3x3x3", "2x8x3"])
def test_columns_stand_below_their_heads(grid: str) -> None:
    built(grid)
    lines = run("table", "info", grid).lines
    head = next(n for n, line in enumerate(lines) if "marks" in line)
    assert len({len(line) for line in lines[head:]}) == 1
    assert all(len(line) <= 80 for line in lines[head:])


def test_info_as_json(tables: Path) -> None:
    made = built("3x3x3")
    for name in ("3x3x3", str(tables / "3x3x3.noughts"), "installed/3x3x3.noughts"):
        found = inspected(name)
        assert found["checksum"] == "ok"
        assert found["positions"]["total"] == "5478"
        assert found["positions"]["by_marks"]["1"] == {"x_wins": "0", "o_wins": "0", "draws": "9"}
        assert {key: found[key] for key in ("grid", "bytes", "sha256", "start")} == {
            key: made[key] for key in ("grid", "bytes", "sha256", "start")
        }


def test_a_transposed_table_serves(tables: Path) -> None:
    built("2x5x3")
    found = inspected("5x2x3")
    assert found["grid"] == "5x2x3"
    assert found["start"]["position"] == "5x2x3:../../../../.."
    assert found["file"] == str(tables / "2x5x3.noughts")
    assert found["positions"] == inspected("2x5x3")["positions"]


def test_a_file_that_is_called_like_a_grid(tmp_path: Path) -> None:
    built("2x2x2", "--out", "3x3x3")
    assert inspected("./3x3x3")["grid"] == "2x2x2"
    result = run("table", "info", "3x3x3")
    assert result.failed_politely()


@pytest.mark.parametrize("grid", ["3x3x3", "5x5x4"])
def test_a_table_that_is_not_there(tables: Path, grid: str) -> None:
    result = run("table", "info", grid)
    assert result.failed_politely()
    assert result.out == ""
    if grid == "5x5x4":
        assert "16 cells" in result.err
    else:
        assert str(tables) in result.err
        assert "noughts table build 3x3x3" in result.err


@pytest.mark.parametrize("name", ["none", ".", "/dev/null", "none/t", "file", "file/t", ""])
def test_a_file_that_is_no_table(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("hello")
    for form in ([], ["--json"]):
        result = run("table", "info", name, *form)
        assert result.failed_politely()
        assert result.out == ""
        assert len(result.err.splitlines()) == 1
        assert name in result.err


@pytest.mark.parametrize("place", [0, 9, 30, -1])
@pytest.mark.parametrize("by_grid", [True, False])
def test_a_damaged_table(tables: Path, place: int, by_grid: bool) -> None:
    built("3x3x3")
    path = tables / "3x3x3.noughts"
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)
    result = run("table", "info", "3x3x3" if by_grid else str(path))
    assert result.failed_politely()
    assert result.out == ""
    assert str(path) in result.err
    path.write_bytes(content[:-10])
    assert run("table", "info", "3x3x3" if by_grid else str(path)).failed_politely()


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.noughts"
    result = spawn("table", "build", "2x2x2", "--out", name)
    assert (result.code, result.err) == (0, "")
    assert os.path.exists(name)
    result = spawn("table", "info", name)
    assert (result.code, result.err) == (0, "")
    result = spawn("table", "info", name, "--json")
    assert os.fsencode(json.loads(result.out)["file"]) == name
    Path(os.fsdecode(name)).write_bytes(b"")
    result = spawn("table", "info", name)
    assert result.failed_politely()


# ------------------------------------------------------------------------------------------ usage


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["biuld", "3x3x3"],
        ["build"],
        ["info"],
        ["build", "3x3x3", "4x4x3"],
        ["info", "3x3x3", "4x4x3"],
        ["build", "3x3x3", "--threads", "0"],
        ["build", "3x3x3", "--threads", "two"],
        ["build", "3x3x3", "--out"],
        ["build", "--jsno", "3x3x3"],
        ["info", "3x3x3", "--out", "x"],
        ["--json"],
    ],
    ids=" ".join,
)
def test_wrong_usage(tables: Path, arguments: list[str]) -> None:
    result = run("table", *arguments)
    assert (result.code, result.out) == (2, "")
    assert "Usage: noughts table" in result.err or "Error: " in result.err
    assert "Traceback" not in result.err
    assert not tables.exists()


def test_a_mistyped_command_is_guessed() -> None:
    assert "'build'" in run("table", "biuld", "3x3x3").err


def examples(*command: str) -> list[str]:
    """Return the lines under ``Examples:`` in a command's help."""
    result = run("table", *command, "--help")
    assert (result.code, result.err) == (0, "")
    assert all(len(line) <= 80 for line in result.lines)
    listing = result.out.partition("\n  Examples:\n")[2].partition("\n\n")[0]
    return [line.strip() for line in listing.splitlines()]


def test_help_has_examples_that_work() -> None:
    for command in ((), ("build",), ("info",)):
        found = examples(*command)
        assert len(found) >= 2
        for example in found:
            assert example.startswith(" ".join(["noughts table", *command]))
            if command == ("info",):
                for grid in ("3x3x3", "4x4x3 --out 4x4x3.noughts"):
                    assert run("table", "build", *grid.split()).code == 0
            result = run(*shlex.split(example)[1:])
            assert (result.code, result.err) == (0, ""), example


# ----------------------------------------------------------------------- terminals, pipes, signals


def test_colours_on_a_terminal() -> None:
    built("3x3x3")
    result = on_terminal("table", "info", "3x3x3")
    assert "\x1b[" in result.out
    assert without_colour(result.out) == run("table", "info", "3x3x3").out
    assert "\x1b" not in on_terminal("table", "info", "3x3x3", env={"NO_COLOR": "1"}).out
    assert "\x1b" not in on_terminal("table", "info", "none", env={"NO_COLOR": "1"}).out
    assert "\x1b" not in spawn("table", "info", "3x3x3").out


def shown(result: Result) -> list[str]:
    """Return what stood in the line of progress, one after the other."""
    return without_colour(result.out).replace("\x1b[K", "").split("\r")


def test_progress_on_a_terminal() -> None:
    """Uncompiled, so that it takes long enough to be seen."""
    result = on_terminal("table", "build", "3x4x3", "--json", env={"NUMBA_DISABLE_JIT": "1"})
    assert result.code == 0
    lines = shown(result)
    assert "without numba" in lines[1]
    assert any(re.fullmatch(r" *\d+\.\d %.*", line) for line in lines)
    assert lines[-1].startswith('{"grid": "3x4x3"'), "the progress is gone at the end"


def test_compiling_is_announced(tmp_path: Path) -> None:
    result = on_terminal(
        "table", "build", "3x3x3", env={"NUMBA_CACHE_DIR": str(tmp_path / "machine code")}
    )
    assert result.code == 0
    assert "compiling" in shown(result)[1]
    assert shown(result)[-1].startswith("3x3x3: a draw\n")


def test_a_pipe_gets_no_progress() -> None:
    result = spawn("table", "build", "3x4x3", env={"NUMBA_DISABLE_JIT": "1"})
    assert (result.code, result.err) == (0, "")
    assert "%" not in result.out


@pytest.mark.flaky(reruns=2)
@pytest.mark.parametrize("after", [0.2, 2.0])
def test_interrupted(tables: Path, monkeypatch: pytest.MonkeyPatch, after: float) -> None:
    """Uncompiled, so that it cannot be finished by then."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    tables.mkdir()
    (tables / "4x4x4.noughts").write_bytes(b"what was there")
    result = interrupted("table", "build", "4x4x4", after=after)
    assert (result.code, result.out) == (130, "")
    assert "Traceback" not in result.err
    assert re.fullmatch(r"Interrupted at \d+\.\d %: no table was written\.\n+", result.err)
    assert [path.name for path in tables.iterdir()] == ["4x4x4.noughts"]
    assert (tables / "4x4x4.noughts").read_bytes() == b"what was there"


def test_processes_at_the_same_time(tables: Path) -> None:
    """Whoever is last replaces what the others wrote, and it is the same."""
    processes = [
        subprocess.Popen(
            python("table", "build", "3x5x3", "--json"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean_environment(),
        )
        for _ in range(3)
    ]
    ends = [process.communicate(timeout=3 * TIME_LIMIT) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], ends
    assert len({json.loads(out)["sha256"] for out, _ in ends}) == 1
    assert [path.name for path in tables.iterdir()] == ["3x5x3.noughts"]
    assert inspected("3x5x3")["checksum"] == "ok"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written() -> None:
    built("3x3x3")
    for arguments in (["build", "3x3x3"], ["info", "3x3x3"], ["info", "3x3x3", "--json"]):
        with open("/dev/full", "wb") as full:
            process = subprocess.run(
                python("table", *arguments),
                stdin=subprocess.DEVNULL,
                stdout=full,
                stderr=subprocess.PIPE,
                env=clean_environment(),
                timeout=TIME_LIMIT,
                check=False,
            )
        assert b"Traceback" not in process.stderr
        assert b"space" in process.stderr
        assert process.returncode == 2


# --------------------------------------------------------------------------------- what is loaded

BARE = """
import sys
for name in ("numpy", "numba"):
    sys.modules[name] = None  # as if it were not installed
from noughts.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def bare(*arguments: str) -> Result:
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", BARE, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=clean_environment(),
        timeout=TIME_LIMIT,
        check=False,
    )
    return Result(process.returncode, process.stdout, process.stderr)


def test_a_table_is_read_without_the_engine(tables: Path) -> None:
    built("3x3x3")
    assert bare("table", "info", "3x3x3").out == run("table", "info", "3x3x3").out
    result = bare("table", "build", "2x2x2")
    assert result.failed_politely()
    assert "pip install 'noughts[engine]'" in result.err
    assert [path.name for path in tables.iterdir()] == ["3x3x3.noughts"]


def test_the_start_is_what_the_rules_call_so() -> None:
    assert built("2x3x3")["start"]["position"] == GridPosition.start("2x3x3").text
