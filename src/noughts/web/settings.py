"""What a server allows: sizes, times, and how much at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from noughts.errors import NoughtsError, SizeError, brief, whole_number

__all__ = ["Settings"]


_LEAST = {
    "max_nodes": 1,
    "workers": 1,
    "ready": 0,
    "waiting": 0,
    "per_client": 1,
    "memory": 3 << 29,  # the engine's tree alone takes a gigabyte
    "body_bytes": 1,
    "text_length": 1,
    "board_cells": 1,
    "page_size": 1,
}


@dataclass(frozen=True)
class Settings:
    """The limits of a server; the defaults suit one machine and its friends.

    `workers` processes think and count, so as many questions of this kind are answered at once;
    each may use `memory` bytes, and they are started when first needed, but for `ready` of them.
    `waiting` more questions may wait for a worker, at most `patience` seconds.
    `per_client` is how many of them one address may have under way. `database` is the file of
    the games by link; without it they last as long as the server. `origins` are the sites whose
    pages may ask: none but our own, unless named.
    """

    max_seconds: float = 30.0
    max_nodes: int = 1_000_000_000
    workers: int = os.cpu_count() or 1
    ready: int = 0
    waiting: int = 16
    patience: float = 10.0
    per_client: int = 8
    memory: int = 2 << 30
    body_bytes: int = 1 << 16
    body_seconds: float = 10.0
    text_length: int = 20_000
    board_cells: int = 2_500
    page_size: int = 100
    database: Path | None = None
    origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            whole_number(getattr(self, name), name, least=least)
        for name in ("max_seconds", "patience", "body_seconds"):
            seconds = getattr(self, name)
            if not 0 < seconds < float("inf"):
                raise SizeError(f"{name} must be a number above 0, not {brief(seconds)}")
        if "*" in self.origins:
            raise NoughtsError("name the sites that may ask; '*' would be everybody's")

    def limits(self) -> dict[str, float | int]:
        """Return what clients have to know."""
        return {
            "max_seconds": self.max_seconds,
            "max_nodes": self.max_nodes,
            "body_bytes": self.body_bytes,
            "text_length": self.text_length,
            "board_cells": self.board_cells,
            "page_size": self.page_size,
            "workers": self.workers,
            "per_client": self.per_client,
        }
