"""Data sets read back, as another program reads them."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from noughts.datasets import DataSet
from noughts.datasets.columns import Rows
from noughts.datasets.schema import columns_of

__all__ = ["Row", "content", "rows_of", "rows_of_columns"]

Row = dict[str, Any]


def rows_of(data_set: DataSet, split: str | None = None) -> Iterator[Row]:
    """Yield the rows of a data set, as another program reads them."""
    for file in data_set.files:
        if split not in (None, file.split):
            continue
        path = data_set.folder / file.path
        if data_set.request.format == "parquet":
            import pyarrow.parquet

            yield from pyarrow.parquet.read_table(path).to_pylist()
        elif data_set.request.format == "jsonl":
            yield from map(json.loads, path.read_text().splitlines())
        else:
            with path.open(newline="") as lines:
                for row in csv.DictReader(lines):
                    yield {
                        column.name: _from_csv(column.type, row[column.name])
                        for column in columns_of(data_set.request)
                    }


def _from_csv(kind: str, text: str) -> Any:
    if kind == "string":
        return text
    return json.loads(text) if text else None


def content(folder: Path) -> dict[str, str]:
    """Return the digest of every file below a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def rows_of_columns(columns: Rows) -> list[Row]:
    """Return the rows that columns stand for."""
    values = {name: column.plain() for name, column in columns.items()}
    return [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
