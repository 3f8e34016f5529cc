"""The limits of a server: sizes, times, and how much at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from noughts.errors import NoughtsError, whole_number
from noughts.limits import GIB, require_seconds

__all__ = ["Settings"]


_LEAST = {
    "max_nodes": 1,
    "workers": 1,
    "ready": 0,
    "waiting": 0,
    "per_client": 1,
    "memory": 3 * GIB // 2,  # the engine's tree alone takes a gigabyte
    "body_bytes": 1,
    "text_length": 1,
    "board_cells": 1,
    "page_size": 1,
    "connections": 1,
    "connections_per_client": 1,
    "streams": 1,
    "streams_per_client": 1,
}


_TIMES = (
    *("max_seconds", "wait_seconds", "body_seconds"),
    *("header_seconds", "idle_seconds", "send_seconds"),
)


@dataclass(frozen=True)
class Settings:
    """The limits of a server; the defaults suit one machine and a few users.

    Up to `workers` tasks (searches and counts) run at once, each in a process that may use
    `memory` bytes. `ready` of these processes are started with the server, the others when they
    are needed. `waiting` more requests may wait for a worker, each for `wait_seconds` at most;
    one client may have `per_client` requests running or waiting. There may be `connections`, and
    event streams of rooms on `streams` of them. A header has to arrive within `header_seconds`, the
    next request within `idle_seconds`; a client that reads nothing is cut off after `send_seconds`.
    `database` is the file of the games by link; without it they last as long as the server.
    `origins` are other sites whose pages may use the API.
    """

    max_seconds: float = 30.0
    max_nodes: int = 1_000_000_000
    workers: int = os.cpu_count() or 1
    ready: int = 0
    waiting: int = 16
    wait_seconds: float = 10.0
    per_client: int = 8
    memory: int = 2 * GIB
    body_bytes: int = 1 << 16
    body_seconds: float = 10.0
    text_length: int = 20_000
    board_cells: int = 2_500
    page_size: int = 100
    connections: int = 3_000
    connections_per_client: int = 500
    streams: int = 2_000
    streams_per_client: int = 200
    header_seconds: float = 10.0
    idle_seconds: float = 15.0
    send_seconds: float = 30.0
    database: Path | None = None
    origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            whole_number(getattr(self, name), name, least=least)
        for name in _TIMES:
            require_seconds(getattr(self, name), name)
        if "*" in self.origins:
            raise NoughtsError("'*' would allow every site; name the origins that may use the API")
