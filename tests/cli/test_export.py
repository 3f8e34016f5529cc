"""``noughts export``: what it prints, how it ends, and that Ctrl-C loses nothing."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from noughts.cli.main import main
from noughts.datasets import export
from noughts.limits import human_size
from support.cli_runner import interrupted, on_terminal, run, without_colour
from support.data_sets import content


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_summary_and_the_same_once_more() -> None:
    command = ("export", "states", "3x3x3", "--format", "csv", "--out", "out/states")
    result = run(*command)
    assert (result.code, result.err) == (0, "")
    first, train, test = result.lines
    assert first == "states of 3x3x3 in out/states"
    counts = [int(line.split()[1].replace(",", "")) for line in (train, test)]
    assert sum(counts) == 5478
    (path,) = Path("out/states/data").glob("train-*")
    assert train.endswith(f"rows  1 file, {human_size(path.stat().st_size)}")
    assert run(*command) == result


def test_the_manifest_as_json() -> None:
    command = "export games 3x3x3 --sample 50 --seed 4 --test-share 0 --out games"
    result = run(*command.split(), "--json")
    assert (result.code, result.err) == (0, "")
    assert result.object.pop("out") == "games"
    manifest = json.loads(Path("games/manifest.json").read_text())
    assert result.object == {"out": "games", **manifest}
    assert manifest["rows"] == {"train": "50", "total": "50"}
    assert manifest["command"] == (
        "noughts export games 3x3x3 --format parquet --sample 50 --seed 4 --test-share 0.0"
    )


@pytest.mark.parametrize(
    "command",
    [
        "states 2x3x2 --format jsonl",
        "states 3x3x3 --format csv --finished --up-to-symmetry",
        "actions 2x3x2 --format csv --verdict X_turn --test-share 0.5",
        "games 2x3x2 --format csv --start 7 --limit 9 --verdict draw --verdict O_wins",
        "actions 5x5x4 --format csv --sample 2 --seed 3 --nodes 20 --threads 1",
    ],
)
def test_the_command_of_the_manifest_gives_the_same_bytes(command: str) -> None:
    assert run("export", *command.split(), "--out", "one").code == 0
    manifest = json.loads(Path("one/manifest.json").read_text())
    assert main([*shlex.split(manifest["command"])[1:], "--out", "two"]) == 0
    assert content(Path("one")) == content(Path("two"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["states", "3x3x3"], "--out"),
        (["boards", "3x3x3", "--out", "x"], "'boards' is not one of"),
        (["states", "3x3", "--out", "x"], "ROWSxCOLSxK"),
        (["states", "3x3x3", "--out", "x", "--format", "xml"], "'xml' is not one of"),
        (["states", "3x3x3", "--out", "x", "--finished", "--verdict", "draw"], "--finished"),
        (["games", "3x3x3", "--out", "x", "--finished"], "--finished"),
        (["states", "3x3x3", "--out", "x", "--test-share", "2"], "test share"),
        (["states", "5x5x4", "--out", "x"], "--sample"),
        (["games", "4x4x3", "--out", "x"], "1,281,016,086,768"),
        (["states", "3x3x3", "--out", "/dev/null"], "not a folder"),
        (["states", "3x3x3", "--out", "/proc/x"], "cannot"),
        (["states", "3x3x3", "--out", ""], "other files"),
        (["states", "3x3x3", "--out", "x", "--cluster", "127.0.0.1:1"], "cannot reach"),
    ],
)
def test_bad_input(arguments: Sequence[str], message: str) -> None:
    Path("mine").write_text("")
    result = run("export", *arguments)
    assert result.failed_politely()
    assert message in result.err
    assert result.out == ""


def test_ctrl_c_keeps_what_is_finished() -> None:
    command = ("export", "actions", "3x4x3", "--format", "csv", "--threads", "1")
    result = interrupted(*command, "--out", "out", after=0.3)
    assert result.code == 130
    assert "Traceback" not in result.err
    assert "Interrupted at" in result.err
    folder = Path("out")
    if folder.exists():
        assert json.loads((folder / "manifest.json").read_text())["complete"] is False


def test_progress_on_a_terminal() -> None:
    result = on_terminal("export", "actions", "3x4x3", "--up-to-symmetry", "--out", "out")
    assert result.code == 0
    shown = without_colour(result.out)
    assert "solving 3x4x3" in shown
    assert "0.0 %" in shown
    assert shown.splitlines()[-1].endswith("MiB") or "KiB" in shown


def test_many_rows_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.cli.export._MANY", 1_000)
    result = run("export", "states", "3x3x3", "--format", "csv", "--out", "out")
    assert result.err == "Writing 5,478 rows in 1 part.\n"
    assert export("states", "3x3x3", "out", format="csv").rows
