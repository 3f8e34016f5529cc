"""The three formats: rows in, the bytes of a file out.

CSV and JSON Lines come from the standard library, Parquet from pyarrow. In CSV a list is its
JSON text, a flag is ``true`` or ``false``, and what is missing is empty. The same rows give the
same bytes; of Parquet that holds for one version of pyarrow.
"""

from __future__ import annotations

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from noughts.datasets.columns import Rows, require_pyarrow
from noughts.datasets.schema import Column

__all__ = ["Encoder", "encoder_of", "writer_version"]


_json = json.JSONEncoder(separators=(",", ":")).encode


class Encoder(ABC):
    """A file in the making."""

    def __init__(self, columns: tuple[Column, ...]) -> None:
        self.columns = columns
        self.rows = 0

    def write(self, rows: Rows) -> None:
        """Add rows to the file."""
        count = len(rows[self.columns[0].name])
        if count:
            self.rows += count
            self._write(rows)

    @abstractmethod
    def _write(self, rows: Rows) -> None: ...

    @abstractmethod
    def finish(self) -> list[bytes]:
        """Return the whole file, in parts."""


class _CsvEncoder(Encoder):
    def __init__(self, columns: tuple[Column, ...]) -> None:
        super().__init__(columns)
        self._parts = [(",".join(column.name for column in columns) + "\n").encode()]

    def _write(self, rows: Rows) -> None:
        values = []
        for column in self.columns:
            plain = rows[column.name].plain()
            if column.is_list:
                # One call for all lists is quick; no text in them looks like what is between two.
                plain = [f"[{items}]" for items in _json(plain)[2:-2].split("],[")]
            elif column.type == "bool":
                plain = [None if flag is None else str(flag).lower() for flag in plain]
            values.append(plain)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(zip(*values, strict=True))
        self._parts.append(text.getvalue().encode())

    def finish(self) -> list[bytes]:
        return self._parts


class _JsonLinesEncoder(Encoder):
    def __init__(self, columns: tuple[Column, ...]) -> None:
        super().__init__(columns)
        self._parts: list[bytes] = []

    def _write(self, rows: Rows) -> None:
        names = [column.name for column in self.columns]
        values = zip(*(rows[name].plain() for name in names), strict=True)
        lines = [_json(dict(zip(names, row, strict=True))) + "\n" for row in values]
        self._parts.append("".join(lines).encode())

    def finish(self) -> list[bytes]:
        return self._parts


class _ParquetEncoder(Encoder):
    def __init__(self, columns: tuple[Column, ...]) -> None:
        super().__init__(columns)
        arrow = require_pyarrow()
        import pyarrow.parquet

        self._schema = arrow.schema(
            [arrow.field(each.name, _arrow_type(arrow, each), each.nullable) for each in columns]
        )
        self._file = io.BytesIO()
        self._writer = pyarrow.parquet.ParquetWriter(self._file, self._schema, compression="zstd")

    def _write(self, rows: Rows) -> None:
        arrow = require_pyarrow()
        arrays = [rows[field.name].arrow().cast(field.type) for field in self._schema]
        self._writer.write_table(arrow.Table.from_arrays(arrays, schema=self._schema))

    def finish(self) -> list[bytes]:
        self._writer.close()
        return [self._file.getvalue()]


def _arrow_type(arrow: Any, column: Column) -> Any:
    items = {
        "string": arrow.string(),
        "bool": arrow.bool_(),
        "int8": arrow.int8(),
        "int16": arrow.int16(),
        "int64": arrow.int64(),
        "double": arrow.float64(),
    }
    item = items[column.item]
    return arrow.list_(item) if column.is_list else item


_ENCODERS: dict[str, Callable[[tuple[Column, ...]], Encoder]] = {
    "parquet": _ParquetEncoder,
    "csv": _CsvEncoder,
    "jsonl": _JsonLinesEncoder,
}


def encoder_of(format: str, columns: tuple[Column, ...]) -> Encoder:
    """Return a new file of a format."""
    return _ENCODERS[format](columns)


def writer_version(format: str) -> str | None:
    """Return the version of what decides the bytes besides noughts, or say what is missing."""
    if format != "parquet":
        return None
    return f"pyarrow {require_pyarrow().__version__}"
