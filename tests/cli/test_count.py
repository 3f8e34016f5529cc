"""`noughts count`, from the specification (5, 8), issue 3 and its help."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from noughts.counting.results import GameCounts
from support.cli_runner import clean_environment, on_terminal, python, run, spawn, without_colour
from support.strategies import vectors

LENGTHS = {
    "5": "22464",
    "6": "236880",
    "7": "6803424",
    "8": "53680896",
    "9": "720255744",
    "10": "3828533760",
    "11": "26837568000",
    "12": "82833062400",
    "13": "278986291200",
    "14": "376466227200",
    "15": "404799897600",
    "16": "106483507200",
}
FOUR = {
    "grid": "4x4x3",
    "of": "games",
    "total": "1281016086768",
    "x_wins": "711350838432",
    "o_wins": "540402605136",
    "draws": "29262643200",
    "by_length": LENGTHS,
}


def counted(*arguments: str) -> dict[str, Any]:
    """Count in this process and return the JSON; nothing else may be said."""
    result = run("count", *arguments, "--json")
    assert (result.code, result.err) == (0, "")
    return result.object


# ------------------------------------------------------------------------------------------- JSON


def test_games() -> None:
    found = counted("3x3x3")
    assert found == {
        "grid": "3x3x3",
        "of": "games",
        "total": "255168",
        "x_wins": "131184",
        "o_wins": "77904",
        "draws": "46080",
        "by_length": {"5": "1440", "6": "5328", "7": "47952", "8": "72576", "9": "127872"},
    }
    assert list(found) == ["grid", "of", "total", "x_wins", "o_wins", "draws", "by_length"]


def test_four_by_four() -> None:
    found = counted("4x4x3", "--of", "games")
    assert found == FOUR
    assert list(found["by_length"]) == list(LENGTHS)  # in order


def test_in_a_process() -> None:
    result = spawn("count", "4x4x3", "--json")
    assert result.object == FOUR
    assert (result.code, result.err) == (0, "")
    assert len(result.lines) == 1


def test_positions() -> None:
    assert counted("3x3x3", "--of", "positions") == {
        "grid": "3x3x3",
        "of": "positions",
        "total": "5478",
        "by_marks": {
            "0": "1",
            "1": "9",
            "2": "72",
            "3": "252",
            "4": "756",
            "5": "1260",
            "6": "1520",
            "7": "1140",
            "8": "390",
            "9": "78",
        },
    }


def test_endings() -> None:
    found = counted("3x3x3", "--of", "endings")
    assert found.pop("by_marks") == {"5": "120", "6": "148", "7": "444", "8": "168", "9": "78"}
    assert found == {
        "grid": "3x3x3",
        "of": "endings",
        "total": "958",
        "x_wins": "626",
        "o_wins": "316",
        "draws": "16",
    }


@pytest.mark.parametrize("entry", vectors("published.json"), ids=lambda entry: entry["what"])
def test_published(entry: dict[str, Any]) -> None:
    options = ["--of", entry["of"]]
    if entry.get("up_to_symmetry") or "meaning" in entry:
        options.append("--up-to-symmetry")
    if "meaning" in entry:
        options += ["--meaning", entry["meaning"]]
    for grid, total in entry["totals"].items():
        found = counted(grid, *options)
        assert found["total"] == total
        for outcome in ("x_wins", "o_wins", "draws"):
            if outcome in entry:
                assert found[outcome] == entry[outcome]
        for marks, number in enumerate(entry.get("by_marks", {}).get(grid, [])):
            assert found["by_marks"].get(str(marks), "0") == str(number)


@pytest.mark.parametrize(
    ("options", "total"),
    [
        (["--of", "positions", "--up-to-symmetry"], "765"),
        (["--of", "endings", "--up-to-symmetry"], "138"),
        (["--up-to-symmetry"], "31896"),
        (["--up-to-symmetry", "--meaning", "orbits"], "31896"),
        (["--up-to-symmetry", "--meaning", "moves"], "26830"),
    ],
)
def test_up_to_symmetry_says_so(options: list[str], total: str) -> None:
    found = counted("3x3x3", *options)
    assert found["total"] == total
    assert found["up_to_symmetry"] is True
    if found["of"] == "games":
        assert found["meaning"] == ("moves" if "moves" in options else "orbits")


@pytest.mark.parametrize("method", ["frontier", "backtrack", "positions"])
@pytest.mark.parametrize("options", [[], ["--from", "X../.O./..."], ["--from", "XXX/OO./..."]])
def test_methods_agree(method: str, options: list[str]) -> None:
    assert counted("3x3x3", *options, "--method", method) == counted("3x3x3", *options)


@pytest.mark.parametrize("of", ["positions", "endings"])
@pytest.mark.parametrize("options", [[], ["--up-to-symmetry"]])
def test_listing_agrees_with_the_sweep(of: str, options: list[str]) -> None:
    listed = counted("3x4x3", "--of", of, *options, "--method", "positions")
    assert listed == counted("3x4x3", "--of", of, *options)


def test_from_a_position() -> None:
    found = counted("3x3x3", "--from", "XX./OO./...")
    assert found["from"] == "3x3x3:XX./OO./..."
    assert found["by_length"]["1"] == "1"
    with_name = counted("3x3x3", "--from", "3x3x3:XX./OO./...")
    assert with_name == found
    assert counted("3x3x3", "--from", ".../.../...")["total"] == "255168"
    assert counted("4x4x3", "--from", "..../..../..../....")["total"] == FOUR["total"]


def test_from_a_finished_position() -> None:
    found = counted("3x3x3", "--from", "XXX/OO./...")
    assert (found["total"], found["x_wins"], found["by_length"]) == ("1", "1", {"0": "1"})


@pytest.mark.parametrize("of", ["positions", "endings"])
def test_boards_from_a_position(of: str) -> None:
    found = counted("3x3x3", "--of", of, "--from", "XOX/XOO/OX.")
    assert found["total"] == ("2" if of == "positions" else "1")
    assert found["by_marks"] == ({"8": "1", "9": "1"} if of == "positions" else {"9": "1"})
    if of == "endings":
        assert (found["x_wins"], found["o_wins"], found["draws"]) == ("0", "0", "1")


def test_the_grid_is_written_as_it_is_written_everywhere() -> None:
    result = run("count", "03x3x03", "--json")
    assert result.code == 2 or result.object["grid"] == "3x3x3"


@pytest.mark.parametrize("grid", ["1x1x1", "1x5x3", "5x1x9", "2x3x7", "1x1x100000000"])
def test_odd_grids(grid: str) -> None:
    for of in ("games", "positions", "endings"):
        found = counted(grid, "--of", of)
        assert found["grid"] == grid
        assert int(found["total"]) > 0


@pytest.mark.parametrize("threads", ["1", "2"])
def test_threads_change_nothing(threads: str) -> None:
    found = counted("2x4x3", "--method", "backtrack", "--threads", threads)
    assert found == counted("2x4x3")


@pytest.mark.parametrize(
    "memory", ["1GiB", "500MB", "2G", "1.5 GiB", "4294967296", "64m", "8000000"]
)
def test_memory_in_human_units(memory: str) -> None:
    assert counted("3x3x3", "--memory", memory)["total"] == "255168"


# ----------------------------------------------------------------------------- for people to read


def test_a_summary() -> None:
    result = run("count", "4x4x3")
    assert (result.code, result.err) == (0, "")
    assert "4x4x3" in result.lines[0]
    assert "1,281,016,086,768" in result.out
    rows = {
        name: line
        for line in result.lines
        for name in ("X wins", "O wins", "draws")
        if name in line
    }
    assert "711,350,838,432" in rows["X wins"]
    assert "55.5 %" in rows["X wins"]
    assert "540,402,605,136" in rows["O wins"]
    assert "42.2 %" in rows["O wins"]
    assert "29,262,643,200" in rows["draws"]
    assert "2.3 %" in rows["draws"]


def test_a_summary_says_what_it_counts() -> None:
    assert "positions" in run("count", "3x3x3", "--of", "positions").lines[0]
    assert "symmetry" in run("count", "3x3x3", "--up-to-symmetry").lines[0]
    assert "X../.O./..." in run("count", "3x3x3", "--from", "X../.O./...").lines[0]
    orbits = run("count", "3x3x3", "--up-to-symmetry").out
    moves = run("count", "3x3x3", "--up-to-symmetry", "--meaning", "moves").out
    assert orbits.splitlines()[0] != moves.splitlines()[0], "the two meanings look alike"


def table(*arguments: str, env: dict[str, str] | None = None) -> list[str]:
    """Return the head and the rows of the table by length."""
    result = run("count", *arguments, "--by-length", env=env)
    assert (result.code, result.err) == (0, "")
    lines = result.lines
    head = next(n for n, line in enumerate(lines) if "share" in line)
    return lines[head:]


def test_a_table_by_length() -> None:
    head, *rows = table("4x4x3")
    assert head.split() == ["length", "number", "share"]
    assert [row.split()[0] for row in rows] == list(LENGTHS)
    for row, number in zip(rows, LENGTHS.values(), strict=True):
        assert f" {int(number):,} " in row
        assert re.search(r"(\d+\.\d|< 0\.1) %", row)
    assert "31.6 %" in rows[10]
    assert "< 0.1 %" in rows[0]  # not 0.0 %: there are some


def test_bars_show_the_lengths() -> None:
    _, *rows = table("4x4x3")
    bars = [row.count("█") for row in rows]
    numbers = [int(n) for n in LENGTHS.values()]
    assert max(bars) == bars[numbers.index(max(numbers))] > 10
    ordered = [bar for _, bar in sorted(zip(numbers, bars, strict=True))]
    assert ordered == sorted(ordered)


@pytest.mark.parametrize("columns", ["80", "40", "60", "200", "20"])
@pytest.mark.parametrize("grid", ["3x3x3", "4x4x3", "5x5x4", "2x2x2"])
def test_a_table_fits_the_terminal(columns: str, grid: str) -> None:
    lines = table(grid, env={"COLUMNS": columns})
    widest = max(map(len, lines))
    bare = max(len(line.rstrip("█ ")) for line in lines)
    assert widest <= max(int(columns), bare)
    assert bare <= 60


@pytest.mark.parametrize(
    "arguments",
    [
        ["4x4x3"],
        ["3x3x3"],
        ["2x2x2"],
        ["3x3x3", "--of", "positions", "--up-to-symmetry"],
        ["2x2x2", "--of", "endings"],
        ["3x3x3", "--from", "XXX/OO./..."],
    ],
    ids=" ".join,
)
def test_columns_stand_below_their_heads(arguments: list[str]) -> None:
    head, *rows = table(*arguments)
    number, share = head.index("number") + len("number"), head.index("share") + len("share")
    assert rows
    for row in rows:
        match = re.fullmatch(r" *\d+ +([\d,]+) +((?:< )?[\d.]+ %) *█*", row)
        assert match, row
        assert match.end(1) == number, (head, row)
        assert match.end(2) == share, (head, row)


@pytest.mark.parametrize("form", [[], ["--by-length"], ["--json"]], ids=" ".join)
def test_numbers_of_any_length(monkeypatch: pytest.MonkeyPatch, form: list[str]) -> None:
    """`count 40x40x41` takes minutes; what it gives is put in place here."""
    huge = GameCounts(10**5000, 10**5000, 0, {1600: 2 * 10**5000})
    monkeypatch.setattr("noughts.cli.count.count", lambda *args, **options: huge)
    result = run("count", "40x40x41", *form)
    assert (result.code, result.err) == (0, "")
    assert "2" + "0" * 5000 in result.out.replace(",", "")


def test_a_table_by_marks() -> None:
    head, *rows = table("3x3x3", "--of", "positions")
    assert head.split()[0] == "marks"
    assert [row.split()[:2] for row in rows][:3] == [["0", "1"], ["1", "9"], ["2", "72"]]


def test_a_terminal_gets_the_same() -> None:
    result = on_terminal("count", "4x4x3", "--by-length")
    assert result.code == 0
    plain = run("count", "4x4x3", "--by-length").out
    assert without_colour(result.out).replace("\x1b[K", "").replace("\r", "") == plain


def test_a_long_count_shows_its_progress_on_a_terminal() -> None:
    result = on_terminal("count", "5x6x3", "--json")
    assert result.code == 0
    assert "%" in result.out
    last = without_colour(result.out).split("\r")[-1].replace("\x1b[K", "")
    assert last.strip().startswith('{"grid": "5x6x3"'), "the progress is gone at the end"


def test_a_pipe_gets_no_progress() -> None:
    result = spawn("count", "5x6x3", "--json")
    assert (result.code, result.err) == (0, "")


# -------------------------------------------------------------------------------- wrong questions


@pytest.mark.parametrize(
    "grid", ["", "3x3", "0x3x3", "3x3x0", "axbxc", "3x3x3x3", "-1x3x3", "3×3×3"]
)
def test_a_bad_grid(grid: str) -> None:
    result = run("count", grid)
    assert result.failed_politely()
    assert result.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["3x3x3", "--of", "moves"],
        ["3x3x3", "--method", "guess"],
        ["3x3x3", "--meaning", "both", "--up-to-symmetry"],
        ["3x3x3", "--threads", "0"],
        ["3x3x3", "--threads", "two"],
        ["3x3x3", "4x4x3"],
        ["3x3x3", "--from", "X../..."],
        ["3x3x3", "--from", "XX./.../..."],
        ["3x3x3", "--from", "X?./.../..."],
        ["3x3x3", "--from", "4x4x3:X.../..../..../...."],
        ["3x3x3", "--from", "X.../..../..../...."],
        ["3x3x3", "--from", ""],
        ["3x3x3", "--cluster", "local:0"],
        ["3x3x3", "--cluster", "local:many"],
    ],
    ids=" ".join,
)
def test_what_makes_no_sense(arguments: list[str]) -> None:
    result = run("count", *arguments)
    assert result.failed_politely()
    assert result.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--meaning", "moves"],
        ["--meaning", "orbits", "--of", "positions", "--up-to-symmetry"],
        ["--up-to-symmetry", "--from", "X../.../..."],
        ["--method", "backtrack", "--of", "positions"],
        ["--method", "backtrack", "--of", "endings"],
        ["--method", "backtrack", "--up-to-symmetry"],
        # Each of these would be answered by another method than the one that is asked for.
        ["--method", "frontier", "--up-to-symmetry", "--meaning", "moves"],
        ["--method", "positions", "--up-to-symmetry", "--meaning", "orbits"],
        ["--method", "positions", "--up-to-symmetry"],
        ["--method", "frontier", "--of", "positions", "--from", "X../.../..."],
    ],
    ids=" ".join,
)
def test_contradictory_options(arguments: list[str]) -> None:
    result = run("count", "3x3x3", *arguments)
    assert result.failed_politely()
    assert result.out == ""
    named = [option[2:].replace("-", " ") for option in arguments if option.startswith("--")]
    assert any(option in result.err for option in named)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--method", "positions"],
        ["--of", "positions", "--method", "positions"],
        ["--of", "endings", "--from", "X../.../..."],
        ["--up-to-symmetry", "--meaning", "moves"],
    ],
    ids=" ".join,
)
def test_a_checkpoint_is_kept_or_refused(tmp_path: Path, arguments: list[str]) -> None:
    """What is asked to be kept is kept, or it is said that it cannot be: nothing silent."""
    path = tmp_path / "count.db"
    result = run("count", "3x3x3", *arguments, "--checkpoint", str(path))
    assert path.exists() or result.failed_politely()
    result = run("count", "3x3x3", *arguments, "--cluster", "local:1")
    assert result.failed_politely()


# -------------------------------------------------------------------------------------- too large


@pytest.mark.parametrize("memory", ["", "lots", "-1", "4XB", "GiB", "1e9", "1/2GiB", "0x10", "0"])
def test_an_impossible_amount_of_memory(memory: str) -> None:
    result = run("count", "3x3x3", "--memory", memory)
    assert result.failed_politely()
    assert result.out == ""
    assert "memory" in result.err


@pytest.mark.parametrize("memory", ["1", "1000", "1MB", "20MiB"])
def test_too_little_memory(memory: str) -> None:
    result = run("count", "6x6x4", "--memory", memory)
    assert result.failed_politely()
    assert result.out == ""
    assert "memory" in result.err
    assert re.search(r"\d", result.err)
    assert not re.search(r"-\d|\b0\.0 ", result.err), result.err


@pytest.mark.parametrize("grid", ["20x20x3", "8x8x5", "100x100x5", "1000x1000x5"])
def test_a_board_that_nobody_can_count_is_refused_soon(grid: str) -> None:
    result = spawn("count", grid)
    assert result.failed_politely()
    assert re.search(r"\d", result.err)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [["30x30x3"], ["20x20x20"], ["100x1x3"], ["1x100x2"], ["20x20x3", "--of", "positions"]],
    ids=" ".join,
)
def test_a_large_board_is_counted_or_refused_soon(arguments: list[str]) -> None:
    """The time limit of all commands in these tests is for hanging, and this must not hang."""
    result = spawn("count", *arguments, "--json", "--memory", "200MB")
    assert result.code == 0 or result.failed_politely()


def peak(*arguments: str) -> tuple[int, int]:
    """Run a command line and return its exit code and the most memory that it had."""
    process = subprocess.Popen(
        python(*arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=clean_environment(),
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * 1024


@pytest.fixture(scope="module")
def base() -> int:
    """Return the memory that Python and numba need to be there at all."""
    code, most = peak("count", "2x2x2", "--method", "backtrack")
    assert code == 0
    return most


@pytest.mark.slow
@pytest.mark.parametrize("grid", ["15x15x15", "6x6x4"])
def test_memory_is_what_it_says(base: int, grid: str) -> None:
    code, most = peak("count", grid, "--memory", "100MB")
    assert code == 2
    assert most < base + 100_000_000 + (50 << 20)


def test_positions_of_a_large_board_cannot_be_listed() -> None:
    for arguments in (["--method", "positions"], ["--up-to-symmetry", "--meaning", "moves"]):
        result = run("count", "6x6x4", *arguments)
        assert result.failed_politely()
        assert "36" in result.err


def test_a_board_too_large_to_walk() -> None:
    result = run("count", "8x8x4", "--method", "backtrack")
    assert result.failed_politely()
    assert "62" in result.err
    assert "64" in result.err


# -------------------------------------------------------------------------- checkpoints, clusters


def test_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    for _ in range(2):
        assert counted("4x4x3", "--checkpoint", str(path)) == FOUR
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM result").fetchone()[0] > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["4x4x4"],
        ["4x3x3"],
        ["4x4x3", "--of", "positions"],
        ["4x4x3", "--of", "endings"],
        ["4x4x3", "--up-to-symmetry"],
        ["4x4x3", "--from", "X.../..../..../...."],
        ["4x4x3", "--from", "XO../OX../XO../O..X", "--method", "backtrack"],
    ],
    ids=" ".join,
)
def test_the_checkpoint_of_another_count(tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "count.db"
    counted("4x4x3", "--checkpoint", str(path))
    before = path.read_bytes()
    result = run("count", *arguments, "--checkpoint", str(path), "--json")
    assert result.failed_politely()
    assert "another count" in result.err
    assert result.out == ""
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["count.db"]


@pytest.mark.parametrize("options", [[], ["--of", "endings"], ["--up-to-symmetry"]], ids=" ".join)
def test_every_long_count_can_be_kept(tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "count.db"
    kept = counted("4x4x3", *options, "--checkpoint", str(path))
    assert kept == counted("4x4x3", *options)
    assert kept == counted("4x4x3", *options, "--checkpoint", str(path))


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0" + bytes(100), b"\0" * 5000])
def test_a_file_that_is_no_checkpoint(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    result = run("count", "4x4x3", "--checkpoint", str(path))
    assert result.failed_politely()
    assert "notes.txt" in result.err
    assert path.read_bytes() == content


def test_a_checkpoint_where_none_can_be(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "where.db", Path("/dev/null/x")):
        result = run("count", "4x4x3", "--checkpoint", str(path))
        assert result.failed_politely()
        assert str(path) in result.err


@pytest.mark.slow
def test_a_cluster_that_is_not_there() -> None:
    with closing(socket.socket()) as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        result = spawn("count", "3x3x3", "--cluster", address)
    assert result.failed_politely()
    assert address in result.err
    assert len(result.err.splitlines()) == 1


@pytest.mark.slow
def test_an_address_where_something_else_listens() -> None:
    """It takes the connection and says nothing, as a server of another kind may do."""
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        result = spawn("count", "3x3x3", "--cluster", address)
    assert result.failed_politely()
    assert address in result.err


@pytest.mark.slow
@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1:8786", ""])
def test_what_is_no_address(address: str) -> None:
    result = spawn("count", "3x3x3", "--cluster", address)
    assert result.failed_politely()
    assert "cluster" in result.err
    assert len(result.err.splitlines()) == 1


@pytest.mark.slow
def test_an_error_stands_on_a_line_of_its_own() -> None:
    """Also where a line of progress was shown before."""
    result = on_terminal("count", "3x3x3", "--cluster", "nonsense")
    assert result.code == 2
    shown = result.out.replace("\r\x1b[K", "\n")
    assert any(line.startswith("Error: ") for line in without_colour(shown).splitlines())


def test_help_has_examples_that_work() -> None:
    result = run("count", "--help")
    assert result.code == 0
    examples = re.findall(r"^ +noughts (count .*)$", result.out, re.M)
    assert len(examples) >= 4
    for example in examples:
        if "6x6x3" not in example:
            assert run(*example.split()).code == 0, example
