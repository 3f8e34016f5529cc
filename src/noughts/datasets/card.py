"""README.md: the data card, for people, with the head that Hugging Face reads."""

from __future__ import annotations

from noughts.datasets.folder import DataSet
from noughts.datasets.request import Request
from noughts.datasets.schema import columns_of
from noughts.limits import human_size
from noughts.rules.position import GridPosition

__all__ = ["card", "columns_table", "licence_url", "summary"]

licence_url = "https://creativecommons.org/publicdomain/zero/1.0/"

_READERS = {
    "parquet": ("pd.read_parquet", "pl.read_parquet", "parquet"),
    "csv": ("pd.read_csv", "pl.read_csv", "csv"),
    "jsonl": ("pd.read_json", "pl.read_ndjson", "json"),
}


def summary(request: Request) -> str:
    """Return what the data set is, in a sentence or two."""
    return " ".join([*_contents(request), _labels(request)]).strip()


def _contents(request: Request) -> list[str]:
    """Say which positions or games have rows, and how they were chosen."""
    noun = "games" if request.kind == "games" else "positions"
    which = f"{noun} of {_named(request)}"
    if request.verdicts:
        names = " or ".join(request.verdicts)
        which += f" whose {'outcome' if noun == 'games' else 'verdict'} is {names}"
    elif request.kind == "actions":
        which += " in which a move is to be made"
    if request.up_to_symmetry:
        which += ", one of each set of rotations and reflections (the canonical form)"
    unit = {"states": "position", "actions": "position and legal move", "games": "game"}
    each = f"A row is a {unit[request.kind]}."
    if not request.is_sampled:
        if request.start or request.limit is not None:
            end = "on" if request.limit is None else f"to {request.start + request.limit - 1:,}"
            return [f"The {which}, from number {request.start:,} {end}.", each]
        return [f"All {which} that games reach." if noun == "positions" else f"All {which}.", each]
    if request.is_listed:
        how = "all equally likely, none twice"
    elif noun == "games":
        how = "of random play: every legal move is equally likely, and games may repeat"
    else:
        how = "of games of random play, where every legal move is equally likely; none twice"
    return [f"{request.sample:,} {which}, {how} (seed {request.seed}).", each]


def _named(request: Request) -> str:
    position = request.position
    if not isinstance(position, GridPosition):
        return f"Ultimate tic-tac-toe ({request.game})"
    grid = position.grid
    return f"{request.game} ({grid.rows} rows, {grid.cols} columns, {grid.k} in a row win)"


def _labels(request: Request) -> str:
    """Say where the labels come from."""
    if request.is_listed:
        return "All labels are exact: every position was solved backwards from the final boards."
    if request.kind == "games":
        return ""
    return (
        "A value is proved, or it is unknown, and then there is an estimate by the engine, with "
        f"{request.nodes:,} nodes for each position."
    )


def card(data_set: DataSet) -> str:
    """Return README.md of a data set."""
    request = data_set.request
    parts = [
        _head(data_set),
        f"# {request.text[0].upper()}{request.text[1:]}",
        summary(request),
        f"Written by noughts {data_set.version}: "
        f"`{request.command}`. The same command writes the same bytes.",
        _table(data_set),
        "## Columns",
        columns_table(request),
        _cells(request),
        "## Splits",
        _splits(request),
        "## Reading it",
        _reading(request),
        "## Licence",
        f"The data are computed facts, dedicated to the public domain: [CC0 1.0]({licence_url}).",
    ]
    return "\n\n".join(parts) + "\n"


def _head(data_set: DataSet) -> str:
    """Return the head in YAML that says where the rows of each split are."""
    request = data_set.request
    lines = [
        "---",
        f"pretty_name: {request.text}",
        "license: cc0-1.0",
        "tags:",
        "- tic-tac-toe",
        "- board-games",
        "- reinforcement-learning",
        "configs:",
        f"- config_name: {request.kind}",
        "  data_files:",
    ]
    for split in data_set.splits:
        lines += [f"  - split: {split}", f"    path: data/{split}-*.{request.format}"]
    return "\n".join([*lines, "---"])


def _table(data_set: DataSet) -> str:
    rows = ["| split | rows | files | size |", "|---|--:|--:|--:|"]
    for split, files in data_set.splits.items():
        size = human_size(sum(file.bytes for file in files))
        rows.append(f"| {split} | {data_set.rows[split]:,} | {len(files)} | {size} |")
    return "\n".join(rows)


def columns_table(request: Request) -> str:
    """Return a table of the columns, in Markdown."""
    rows = ["| column | type | meaning |", "|---|---|---|"]
    for column in columns_of(request):
        kind = f"`{column.type}`{', may be missing' if column.nullable else ''}"
        rows.append(f"| `{column.name}` | {kind} | {column.text} |")
    return "\n".join(rows)


def _cells(request: Request) -> str:
    """Say how cells are numbered, and how lists are written."""
    if isinstance(request.position, GridPosition):
        notes = ["Cells are numbered row by row from 0. X moves first."]
    else:
        notes = [
            "A cell is 9 times its small board plus its place in it, both numbered row by row "
            "from 0. X moves first."
        ]
    if request.format == "csv":
        notes.append("A list is JSON text; what is missing is empty.")
    return " ".join(notes)


def _splits(request: Request) -> str:
    if not request.test_share:
        return "All rows are in one split, train."
    return (
        "All rows whose `canonical` is the same are in the same split, so that no rotation or "
        "reflection of a training row is in the test split. A row is in the test split if the "
        "SHA-256 of `canonical`, its first 8 bytes read as a big-endian number and divided by "
        f"2^64, is below {request.test_share}."
    )


def _reading(request: Request) -> str:
    pandas, polars, loader = _READERS[request.format]
    lines = ", lines=True" if request.format == "jsonl" else ""
    return "\n".join(
        [
            "From this folder:",
            "",
            "```python",
            "from glob import glob",
            "",
            "import pandas as pd",
            f'train = pd.concat({pandas}(file{lines}) for file in sorted(glob("data/train-*")))',
            "",
            "import polars as pl",
            f'train = {polars}("data/train-*.{request.format}")',
            "",
            "from datasets import load_dataset  # of Hugging Face",
            f'train = load_dataset("{loader}", data_files="data/train-*", split="train")',
            "```",
        ]
    )
