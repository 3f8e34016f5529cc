"""The folder of a data set: begun, filled shard by shard, and complete.

::

    manifest.json       what was asked for, and whether the data set is complete
    README.md           the data card, and croissant.json: written when all rows are there
    data/train-00000-of-00039.parquet ...
    .checkpoint.db      the finished shards, until the data set is complete

Every file is written whole or not at all, so a killed export goes on with the next shard. A
folder with anything else in it, or with another data set, is left as it is.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts import __version__
from noughts.counting.results import digits
from noughts.counting.runner import Task
from noughts.datasets.formats import writer_version
from noughts.datasets.plan import Shard
from noughts.datasets.request import Request
from noughts.datasets.schema import columns_of
from noughts.datasets.splits import SPLITS
from noughts.errors import DataSetError, brief
from noughts.storage import TEMPORARY, Checkpoint, write_whole

__all__ = ["DataFile", "DataSet", "Folder"]

_VERSION = 1


@dataclass(frozen=True)
class DataFile:
    """A file with rows."""

    path: str  # in the folder of the data set
    split: str
    rows: int
    bytes: int
    sha256: str

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {
            "path": self.path,
            "split": self.split,
            "rows": str(self.rows),
            "bytes": self.bytes,
            "sha256": self.sha256,
        }

    @classmethod
    def from_json(cls, data: Any) -> DataFile:
        """Read what `to_json` wrote."""
        return cls(**{**data, "rows": int(data["rows"])})


@dataclass(frozen=True)
class DataSet:
    """A complete data set."""

    folder: Path
    request: Request
    files: tuple[DataFile, ...]

    @property
    def splits(self) -> dict[str, tuple[DataFile, ...]]:
        """The files of each split that has rows."""
        splits = {s: tuple(file for file in self.files if file.split == s) for s in SPLITS}
        return {split: files for split, files in splits.items() if files}

    @property
    def rows(self) -> dict[str, int]:
        """The number of rows of each split that has some."""
        return {split: sum(f.rows for f in files) for split, files in self.splits.items()}

    @property
    def version(self) -> str:
        """The version of noughts that wrote it, which is this one."""
        return __version__

    @property
    def bytes(self) -> int:
        """The size of all files with rows."""
        return sum(file.bytes for file in self.files)

    def to_json(self) -> dict[str, Any]:
        """Return the manifest as plain data for JSON; numbers of rows are decimal strings."""
        return {
            **_head(self.request),
            "complete": True,
            "rows": {
                **{split: digits(count) for split, count in self.rows.items()},
                "total": digits(sum(self.rows.values())),
            },
            "columns": [
                {"name": each.name, "type": each.type, "text": each.text}
                for each in columns_of(self.request)
            ],
            "files": [file.to_json() for file in self.files],
        }


def _head(request: Request) -> dict[str, Any]:
    return {
        "data_set": request.text,
        "manifest_version": _VERSION,
        "noughts": __version__,
        "writer": writer_version(request.format),
        "command": request.command,
        "request": request.to_json(),
    }


class Folder:
    """The folder that a request is exported to."""

    def __init__(self, path: os.PathLike[str] | str, request: Request) -> None:
        try:
            self.path = Path(path)
        except TypeError:
            raise DataSetError(f"a folder's name is needed, not {brief(path)}") from None
        self.request = request
        self._head = _head(request)  # says at once if what writes the format is missing
        self._manifest = self.path / "manifest.json"
        self._shards = 0

    @property
    def checkpoint(self) -> Path:
        """The file that keeps which shards are finished."""
        return self.path / ".checkpoint.db"

    @property
    def subject(self) -> str:
        """What is exported, for the checkpoint."""
        return json.dumps(self._head, sort_keys=True)

    def open(self) -> DataSet | None:
        """Return the data set if it is complete; refuse a folder with anything else in it."""
        with _errors("use", self.path):
            if not self.path.exists():
                return None
            if not self.path.is_dir():
                raise DataSetError(f"{self.path} is not a folder")
            if all(file.name.startswith(TEMPORARY) for file in self.path.iterdir()):
                return None  # it is empty, but for what a run that was killed may have left
            manifest = self._read()
        self._require_same(manifest)
        if not manifest["complete"]:
            self._check(self._finished())
            return None
        files = tuple(map(DataFile.from_json, manifest["files"]))
        self._check(files)
        self._clean()
        return DataSet(self.path, self.request, files)

    def _read(self) -> dict[str, Any]:
        """Return the manifest of a folder that is not empty."""
        if not self._manifest.exists():
            raise DataSetError(f"{self.path} has other files in it: choose an empty or new folder")
        try:
            manifest: dict[str, Any] = json.loads(self._manifest.read_bytes())
            if manifest["manifest_version"] == _VERSION and manifest["complete"] in (True, False):
                return manifest
        except (ValueError, TypeError, KeyError, RecursionError):
            pass
        raise DataSetError(f"{self._manifest} is not the manifest of a data set of this noughts")

    def _require_same(self, manifest: dict[str, Any]) -> None:
        """Raise unless the folder has, or will have, what is asked for now."""
        for name, wanted in self._head.items():
            if manifest.get(name) != wanted:
                key = name if manifest.get("command") == self._head["command"] else "command"
                raise DataSetError(
                    f"{self.path} has another data set ({key}: {manifest.get(key)}); "
                    f"this one is {self._head[key]}"
                )

    def _finished(self) -> list[DataFile]:
        """Return the files of the finished shards, as the checkpoint knows them."""
        if not self.checkpoint.exists():
            return []
        shards = Checkpoint(self.checkpoint, self.subject).load()
        return [DataFile.from_json(file) for key in sorted(shards) for file in shards[key]]

    def _check(self, files: Iterable[DataFile]) -> None:
        """Raise unless the files are as they were written."""
        for file in files:
            path = self.path / file.path
            with _errors("read", path), path.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            if digest != file.sha256:
                raise DataSetError(f"{path} is damaged: remove the folder and start again")

    # -- writing -------------------------------------------------------------------------

    def begin(self, shards: int) -> None:
        """Create the folder, and say in it that the data set is not complete."""
        self._shards = shards
        with _errors("create", self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            self._write("manifest.json", _json({**self._head, "complete": False}))
            (self.path / "data").mkdir(exist_ok=True)

    def receive(self, task: Task, shard: Shard) -> list[dict[str, Any]]:
        """Write the files of a shard, and return what the checkpoint keeps of them."""
        files = []
        for split, (parts, rows) in shard.items():
            name = f"data/{split}-{task.key}-of-{self._shards:05}.{self.request.format}"
            self._write(name, *parts)
            digest = hashlib.sha256()
            for part in parts:
                digest.update(part)
            size = sum(map(len, parts))
            files.append(DataFile(name, split, rows, size, digest.hexdigest()))
        return [file.to_json() for file in files]

    def complete(self, data_set: DataSet, documents: dict[str, str]) -> None:
        """Write the documents, and last the manifest that says that everything is there."""
        for name, content in documents.items():
            self._write(name, content)
        self._write("manifest.json", _json(data_set.to_json()))
        self._clean()

    def _clean(self) -> None:
        """Remove the checkpoint, and what runs that were killed have left."""
        with _errors("clean up", self.path):
            for pattern in (f"{self.checkpoint.name}*", f"**/{TEMPORARY}*"):
                for file in self.path.glob(pattern):
                    file.unlink()

    def _write(self, name: str, *parts: bytes | str) -> None:
        path = self.path / name
        write_whole(path, *parts, name=str(path), error=DataSetError)


def _json(data: object) -> str:
    return json.dumps(data, indent=2) + "\n"


@contextmanager
def _errors(verb: str, path: Path) -> Iterator[None]:
    """Turn what goes wrong with a file into an error that names it."""
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, DataSetError):
            raise
        raise DataSetError(
            f"cannot {verb} {path}: {getattr(error, 'strerror', None) or error}"
        ) from None
