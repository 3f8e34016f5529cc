"""Whole exports: what is in the files, that they go on after a kill, and what is refused."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import mlcroissant
import pytest

from noughts import count, storage
from noughts.datasets import DataSet, export, plan
from noughts.datasets import folder as folder_module
from noughts.datasets.request import Format
from noughts.datasets.schema import columns_of
from noughts.errors import CountMismatch, DataSetError, MissingExtra, NoughtsError
from support.cli_runner import clean_environment
from support.data_sets import content, rows_of


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_ROWS", 2_500)  # three shards of 3x3x3


# ---------------------------------------------------------------------------------- the rows


def test_the_958_boards_of_the_uci_data_set(tmp_path: Path) -> None:
    """Tic-Tac-Toe Endgame: 958 instances, 626 positive (X has won) and 332 negative.

    https://archive.ics.uci.edu/dataset/101/tic+tac+toe+endgame
    """
    endings = ("X_wins", "O_wins", "draw")
    found = export("states", "3x3x3", tmp_path / "uci", verdicts=endings, test_share=0)
    boards = [tuple(row["cells"]) for row in rows_of(found)]
    assert len(boards) == len(set(boards)) == 958
    labels = Counter(row["verdict"] == "X_wins" for row in rows_of(found))
    assert labels == {True: 626, False: 332}
    by_winner = Counter(row["verdict"] for row in rows_of(found))
    assert by_winner == {"X_wins": 626, "O_wins": 316, "draw": 16}


@pytest.mark.parametrize("kind", ["states", "actions", "games"])
def test_all_formats_hold_the_same_rows(kind: Any, tmp_path: Path) -> None:
    sets = [export(kind, "2x3x2", tmp_path / name, format=name) for name in get_args(Format)]
    first, *others = [list(rows_of(each)) for each in sets]
    assert first
    assert list(first[0]) == [column.name for column in columns_of(sets[0].request)]
    assert all(rows == first for rows in others)


@pytest.mark.parametrize("grid", ["3x3x3", "2x4x3", "1x6x2"])
@pytest.mark.parametrize("up_to_symmetry", [False, True])
def test_rows_are_as_many_as_are_counted(grid: str, up_to_symmetry: bool, tmp_path: Path) -> None:
    options: dict[str, Any] = {"up_to_symmetry": up_to_symmetry, "format": "csv"}
    states = list(rows_of(export("states", grid, tmp_path / "states", **options)))
    positions = count(grid, "positions", up_to_symmetry=up_to_symmetry)
    assert Counter(row["marks"] for row in states) == positions.by_marks
    endings = count(grid, "endings", up_to_symmetry=up_to_symmetry)
    verdicts = Counter(row["verdict"] for row in states)
    assert (verdicts["X_wins"], verdicts["O_wins"]) == (endings.x_wins, endings.o_wins)
    if up_to_symmetry:
        assert sum(row["orbit_size"] for row in states) == count(grid, "positions").total
    ended = [row for row in states if row["verdict"] not in ("X_turn", "O_turn")]
    times = [row["orbit_size"] if up_to_symmetry else 1 for row in ended]
    through = [row["games_through"] for row in ended]
    assert sum(map(int.__mul__, times, through)) == count(grid).total


@pytest.mark.parametrize("up_to_symmetry", [False, True])
def test_games_are_as_many_as_are_counted(up_to_symmetry: bool, tmp_path: Path) -> None:
    found = export("games", "2x4x3", tmp_path / "games", up_to_symmetry=up_to_symmetry)
    expected = count("2x4x3", up_to_symmetry=up_to_symmetry)
    rows = list(rows_of(found))
    assert Counter(row["length"] for row in rows) == expected.by_length
    outcomes = Counter(row["outcome"] for row in rows)
    assert outcomes["X_wins"] == expected.x_wins
    assert outcomes["draw"] == expected.draws
    if up_to_symmetry:
        assert sum(row["orbit_size"] for row in rows) == count("2x4x3").total


def test_rows_that_are_not_as_many_as_counted_are_no_data_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "_rows_of_table", lambda request, grid: 5477)
    with pytest.raises(CountMismatch, match=r"5,478 rows .* 5,477"):
        export("states", "3x3x3", tmp_path / "states", format="csv")
    assert json.loads((tmp_path / "states" / "manifest.json").read_text())["complete"] is False


# --------------------------------------------------------------------------------- the splits


@pytest.mark.parametrize("kind", ["states", "actions", "games"])
def test_mirror_images_never_fall_into_both_splits(kind: Any, tmp_path: Path) -> None:
    found = export(kind, "3x3x3", tmp_path / "set", limit=20_000 if kind == "games" else None)
    train, test = (
        {row["canonical"] for row in rows_of(found, split)} for split in ("train", "test")
    )
    assert train
    assert test
    assert not train & test
    share = len(test) / len(train | test)
    assert 0.15 < share < 0.25
    for form in test:
        number = int(hashlib.sha256(form.encode()).hexdigest()[:16], 16)
        assert number / 2**64 < 0.2


# ----------------------------------------------------------------------------- going on


@pytest.mark.usefixtures("small_shards")
def test_an_export_stopped_at_any_write_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(folder: Path) -> DataSet:
        return export("states", "3x3x3", folder, threads=1)

    whole = run(tmp_path / "whole")
    expected = content(whole.folder)
    assert len(whole.files) == 6
    write = storage.write_whole

    class Killed(BaseException):
        pass

    writes = 1 + 6 + 2 + 1  # the manifest, the shards' files, two documents, the manifest
    for last in range(writes):
        left = [last]

        def write_some(path: Path, *parts: bytes, left: list[int] = left, **options: Any) -> None:
            if not left[0]:
                raise Killed
            left[0] -= 1
            write(path, *parts, **options)

        folder = tmp_path / f"stopped-{last}"
        monkeypatch.setattr(folder_module, "write_whole", write_some)
        with pytest.raises(Killed):
            run(folder)
        monkeypatch.setattr(folder_module, "write_whole", write)
        if last:
            assert json.loads((folder / "manifest.json").read_text())["complete"] is False
        times = {path: path.stat().st_mtime_ns for path in folder.glob("data/*")}
        assert run(folder) == DataSet(folder, whole.request, whole.files)
        assert content(folder) == expected
        # Finished shards, those with both files, were not written again.
        kept = [path for path, time in times.items() if path.stat().st_mtime_ns == time]
        assert len(kept) == len(times) // 2 * 2


def test_an_export_that_is_killed_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """A real SIGKILL, just before the fifth file has its name."""
    script = """
import os, signal, sys
from noughts import storage
from noughts.datasets import export, plan
plan._ROWS = 1_000
replace, names = os.replace, []
def replace_or_die(source, target):
    if len(names) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    names.append(target)
    replace(source, target)
os.replace = replace_or_die
export("states", "3x3x3", sys.argv[1], format="jsonl", threads=2)
"""
    killed = tmp_path / "killed"
    done = subprocess.run(
        [sys.executable, "-c", script, str(killed)], env=clean_environment(), check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert list(killed.glob("data/.noughts-*"))
    whole = tmp_path / "whole"
    for folder in (killed, whole):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plan, "_ROWS", 1_000)
            export("states", "3x3x3", folder, format="jsonl")
    assert content(killed) == content(whole)


@pytest.mark.usefixtures("small_shards")
def test_threads_and_clusters_change_no_byte(tmp_path: Path) -> None:
    one = export("actions", "3x3x3", tmp_path / "one", threads=1)
    two = export("actions", "3x3x3", tmp_path / "two", threads=2)
    cluster = export("actions", "3x3x3", tmp_path / "cluster", cluster="local:1")
    assert content(one.folder) == content(two.folder) == content(cluster.folder)


def test_a_complete_data_set_is_checked_and_left_alone(tmp_path: Path) -> None:
    first = export("states", "2x2x2", tmp_path, format="csv")
    before = content(tmp_path)
    assert export("states", "2x2x2", tmp_path, format="csv") == first
    assert content(tmp_path) == before
    with (tmp_path / first.files[0].path).open("a") as file:
        file.write("more\n")
    with pytest.raises(DataSetError, match="damaged"):
        export("states", "2x2x2", tmp_path, format="csv")
    (tmp_path / first.files[0].path).unlink()
    with pytest.raises(DataSetError, match="cannot read"):
        export("states", "2x2x2", tmp_path, format="csv")


# ---------------------------------------------------------------------------- the documents


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what mlcroissant uses
@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize(
    ("kind", "game", "options"),
    [("states", "2x3x3", {}), ("games", "2x2x2", {}), ("actions", "5x5x4", {"sample": 1})],
)
def test_croissant_is_valid_and_finds_the_rows(
    kind: Any, game: str, options: dict[str, Any], format: Any, tmp_path: Path
) -> None:
    found = export(kind, game, tmp_path / "set", format=format, **options)
    read = mlcroissant.Dataset(jsonld=found.folder / "croissant.json")
    assert not read.metadata.ctx.issues.errors
    warned = {
        warning.rpartition('"https://schema.org/')[2]
        for warning in read.metadata.ctx.issues.warnings
    }
    assert warned == {'datePublished" is recommended, but does not exist.'}
    for file in found.files:
        described = next(each for each in read.metadata.file_objects if each.id == file.path)
        assert (described.sha256, described.content_size) == (file.sha256, f"{file.bytes} B")
    splits: Counter[str] = Counter()
    by_name = {split: iter(list(rows_of(found, split))) for split in found.splits}
    for record in read.records(kind):
        split = record.pop(f"{kind}/split").decode()
        splits[split] += 1
        row = next(by_name[split])
        for column in columns_of(found.request):
            value = record[f"{kind}/{column.name}"]
            if column.is_list and format == "csv":
                value = json.loads(value)
            assert plain(value) == row[column.name], column
    assert splits == found.rows


def plain(value: Any) -> Any:
    """Return a value of mlcroissant as JSON has it."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode()
    return None if value is None or value != value else value


def test_the_card_says_where_the_rows_are(tmp_path: Path) -> None:
    found = export("states", "3x3x3", tmp_path, verdicts=("draw",), format="csv")
    card = (tmp_path / "README.md").read_text()
    assert "verdict is draw" in card
    assert found.request.command in card
    for column in columns_of(found.request):
        assert f"| `{column.name}` | `{column.type}`" in card
    for split, rows in found.rows.items():
        assert f"| {split} | {rows} | 1 |" in card
        (pattern,) = [
            line.split()[1] for line in card.splitlines() if f"path: data/{split}" in line
        ]
        assert sorted(tmp_path.glob(pattern)) == [tmp_path / f.path for f in found.splits[split]]
    block = card.partition("```python\n")[2].partition("```")[0]
    reading, _, _ = block.partition("import polars")
    names: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        exec(reading, names)
    assert len(names["train"]) == found.rows["train"]


def test_the_manifest_names_every_file(tmp_path: Path) -> None:
    found = export("games", "2x3x2", tmp_path, format="jsonl", test_share=0.5)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest == found.to_json()
    assert manifest["complete"] is True
    rows = {split: str(len(list(rows_of(found, split)))) for split in ("train", "test")}
    assert manifest["rows"] == {**rows, "total": str(count("2x3x2").total)}
    digests = content(tmp_path)
    assert {file["path"]: file["sha256"] for file in manifest["files"]} == {
        name: digest for name, digest in digests.items() if name.startswith("data/")
    }
    assert set(digests) - {file["path"] for file in manifest["files"]} == {
        "README.md",
        "croissant.json",
        "manifest.json",
    }


# -------------------------------------------------------------------------------- refusals


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    before = content(tmp_path)
    with pytest.raises(DataSetError, match="other files"):
        export("states", "2x2x2", tmp_path, format="csv")
    (tmp_path / "file").write_text("")
    with pytest.raises(DataSetError, match="not a folder"):
        export("states", "2x2x2", tmp_path / "file", format="csv")
    with pytest.raises(DataSetError, match="cannot"):
        export("states", "2x2x2", tmp_path / "file" / "below", format="csv")
    (tmp_path / "file").unlink()
    assert content(tmp_path) == before


@pytest.mark.parametrize("text", ["", "[]", "{", '{"complete": true}', "\x00", "[" * 10_000])
def test_a_manifest_of_something_else(text: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(DataSetError, match=r"manifest\.json is not"):
        export("states", "2x2x2", tmp_path, format="csv")
    assert (tmp_path / "manifest.json").read_text() == text


@pytest.mark.parametrize("complete", [True, False])
def test_another_data_set_is_not_mixed_in(
    complete: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if complete:
        export("states", "2x2x2", tmp_path, format="csv")
    else:
        with monkeypatch.context() as patch:
            patch.setattr(plan, "_rows_of_table", lambda request, grid: 0)
            with pytest.raises(CountMismatch):
                export("states", "2x2x2", tmp_path, format="csv")
    before = content(tmp_path)
    for kind, game, options in (
        ("actions", "2x2x2", {}),
        ("states", "2x2x1", {}),
        ("states", "2x2x2", {"up_to_symmetry": True}),
        ("states", "2x2x2", {"test_share": 0.1}),
    ):
        with pytest.raises(DataSetError, match="another data set"):
            export(kind, game, tmp_path, format="csv", **options)  # type: ignore[arg-type]
    monkeypatch.setattr(folder_module, "__version__", "99.0")
    with pytest.raises(DataSetError, match=r"noughts.*99\.0"):
        export("states", "2x2x2", tmp_path, format="csv")
    assert content(tmp_path) == before


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("positions", "3x3x3"), {}, "states, actions, games"),
        (("states", "3x3"), {}, "ROWSxCOLSxK"),
        (("states", "chess"), {}, "a game is named"),
        (("states", "3x3x3"), {"format": "xlsx"}, "parquet, csv, jsonl"),
        (("states", "3x3x3"), {"verdicts": ("invalid",)}, "X_turn, O_turn, X_wins"),
        (("states", "3x3x3"), {"verdicts": "draw"}, "a list of names"),
        (("actions", "3x3x3"), {"verdicts": ("draw",)}, "X_turn, O_turn"),
        (("games", "3x3x3"), {"verdicts": ("X_turn",)}, "X_wins, O_wins, draw"),
        (("states", "3x3x3"), {"test_share": 1}, "test share"),
        (("states", "3x3x3"), {"test_share": float("nan")}, "test share"),
        (("states", "3x3x3"), {"sample": 0}, "at least 1"),
        (("states", "3x3x3"), {"sample": 5479}, "only 5,478"),
        (("states", "3x3x3"), {"sample": 1, "seed": -1}, "seed"),
        (("states", "3x3x3"), {"seed": 1}, "a seed is for a sample"),
        (("states", "3x3x3"), {"nodes": 10}, "more than 16 cells"),
        (("states", "3x3x3"), {"limit": 10}, "games"),
        (("games", "3x3x3"), {"sample": 5, "limit": 10}, "without range"),
        (("games", "3x3x3"), {"up_to_symmetry": True, "limit": 10}, "without start"),
        (("games", "3x3x3"), {"start": 255_169}, "255,168 games"),
        (("games", "2x2x2"), {"sample": 25}, "only 24"),
        (("games", "2x2x2"), {"verdicts": ("draw",), "sample": 1}, "only 0"),
        (("states", "4x5x3"), {}, "321,254,413 positions"),
        (("states", "15x15x5"), {}, "more than 16 cells"),
        (("states", "ultimate"), {}, "sample"),
        (("states", "40x40x5"), {"sample": 1}, "1,024 cells"),
        (("games", "4x4x3"), {}, "1,281,016,086,768 games"),
        (("games", "7x7x5"), {}, "too many games"),
        (("games", "ultimate"), {}, "not listed"),
        (("states", "1x17x1"), {"sample": 100}, "only 18"),
        (("games", "1x17x1"), {"verdicts": ("draw",), "sample": 1}, "none of 10,000"),
        (("states", "3x3x3"), {"threads": 0}, "threads"),
        (("states", "3x3x3"), {"cluster": "here"}, "tcp://HOST:PORT"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused(
    arguments: Any, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    kind, game = arguments
    with pytest.raises(NoughtsError, match=message):
        export(kind, game, folder, **{"format": "csv", **options})
    if folder.exists():  # what is found out by the tasks
        assert json.loads((folder / "manifest.json").read_text())["complete"] is False
        assert not list(folder.glob("data/*"))


def test_a_missing_pyarrow_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"noughts\[datasets\]"):
        export("states", "2x2x2", tmp_path / "set")
    assert not (tmp_path / "set").exists()
    assert export("states", "2x2x2", tmp_path / "set", format="csv").rows
