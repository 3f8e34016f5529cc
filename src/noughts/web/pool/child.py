"""The server's end of a worker process; both write lines of JSON (`noughts.web.pool.worker`)."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

__all__ = ["Child", "Kind"]

Kind = Literal["warm", "cold", "uncompiled"]
"""What a worker does about compiled code before its first task: it loads or compiles all of it;
nothing, as its tasks need none; or nothing, as it runs the same functions uncompiled."""

COMMAND = (sys.executable, "-P", "-m", "noughts.web.pool.worker")
"""The command that starts a worker."""

_MAX_LINE = 1 << 26  # bytes of a result; the largest have some megabytes


class Child:
    """A worker process: started once, sent messages, and killed at the latest with the pool.

    `on_compiling` is called if it has to compile before it is ready, which takes a minute.
    """

    def __init__(
        self, memory: int, kind: Kind, on_compiling: Callable[[], object] = lambda: None
    ) -> None:
        self.kind = kind
        self.is_ready = False
        self.is_compiling = False
        self._arguments = (str(memory), kind)
        self._on_compiling = on_compiling
        self._process: asyncio.subprocess.Process | None = None
        self._is_killed = False

    @property
    def is_alive(self) -> bool:
        """Whether it can take a task."""
        process = self._process
        return process is not None and process.returncode is None and not self._is_killed

    async def start(self) -> None:
        """Start the process and wait until it is ready."""
        self._process = await asyncio.create_subprocess_exec(
            *(*COMMAND, *self._arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_MAX_LINE,
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"} if self.kind == "uncompiled" else None,
            start_new_session=True,  # Ctrl-C is for the server alone
        )
        if self._is_killed:
            self._process.kill()
        message = await self.read()
        if message is not None and "compiling" in message:
            self.is_compiling = True
            self._on_compiling()
            message = await self.read()
        self.is_compiling = False
        self.is_ready = message is not None

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; a process that has ended ignores it."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def read(self) -> dict[str, Any] | None:
        """Return the next message, or None when the process has ended or wrote nonsense."""
        assert self._process is not None
        assert self._process.stdout is not None
        with suppress(ValueError, ConnectionError):  # a line that is too long, or cut off
            line = await self._process.stdout.readline()
            if line:
                message: dict[str, Any] = json.loads(line)
                return message
        await self.end()
        return None

    async def end(self) -> None:
        """Kill the process and wait for its end."""
        self.kill()
        if self._process is not None:
            await self._process.communicate()

    def kill(self) -> None:
        """Kill the process."""
        # Only once: to kill what has ended may take its exit code from asyncio, which complains.
        if self._process is not None and not self._is_killed:
            with suppress(ProcessLookupError):
                self._process.kill()
        self._is_killed = True
