"""A child process that runs a program of others, read line by line.

It cannot block or flood its parent. Pipes are read and written when they are ready, until a
deadline. Output that is not read waits in the pipe, which holds 64 KiB and then makes the program
wait, so memory is bounded without a thread that drains it. Ctrl-C does not reach the program, and
every process that it started ends with it (`noughts.programs`).
"""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from noughts.errors import Forfeit, NoughtsError, brief
from noughts.matches.player import Fault
from noughts.programs import Program

__all__ = ["LineProcess"]

MOST_LINE = 1 << 16
"""Bytes in one line of output at most."""

MOST_OUTPUT = 1 << 20
"""Bytes of output at most between a question and its answer."""

_CHUNK = 1 << 16
_KEPT_ERRORS = 2000  # bytes of stderr, the last ones, for the report
_LAST_WORDS = 0.5  # seconds until a program that closed its output has ended, or has not


class LineProcess:
    """A running program, with lines to and from it."""

    def __init__(self, arguments: Sequence[str]) -> None:
        if os.name != "posix":
            raise NoughtsError("programs can play on Linux and macOS only")
        try:
            self._program = Program(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise NoughtsError(f"cannot start {brief(arguments[0])}: {reason}") from None
        pipes: tuple[IO[bytes], IO[bytes], IO[bytes]] = self._program.pipes
        self._stdin, self._stdout, self._stderr = pipes
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self._stdout, self._stderr):
            self._selector.register(pipe, selectors.EVENT_READ)
        self._outbox = bytearray()
        self._inbox = bytearray()
        self._errors = bytearray()
        self._received = 0
        self._is_open = True  # its stdout

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._program.pid

    def ask(self, *lines: str) -> None:
        """Send lines, and drop the output before them: it is not an answer."""
        self._pump(0)
        del self._inbox[: self._inbox.rfind(b"\n") + 1]
        self._received = 0
        was_empty = not self._outbox
        self._outbox += "".join(f"{line}\n" for line in lines).encode()
        if was_empty and not self._stdin.closed:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def read_line(self, deadline: float) -> str:
        """Return the next line; raise `TimeoutError` at the deadline, `Forfeit` if none can come.

        The deadline is a time of `time.monotonic`.
        """
        while True:
            line = self._next_line()
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if line is not None:
                return line
            if not self._is_open:
                raise Forfeit(Fault.CRASH, self._last_words())
            self._pump(left)

    def close(self, grace: float) -> None:
        """End the program and every process that it started; kill them after `grace` seconds."""
        with suppress(OSError, ValueError):
            self._stdin.write(b"quit\n")
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()
        self._selector.close()
        try:
            self._program.wait(grace)
        finally:
            self._program.end()

    def _next_line(self) -> str | None:
        """Take the next line that was read already, if there is one."""
        if self._received > MOST_OUTPUT:
            raise Forfeit(Fault.FLOOD, f"wrote {MOST_OUTPUT:,} bytes without an answer")
        end = self._inbox.find(b"\n")
        if (end if end >= 0 else len(self._inbox)) > MOST_LINE:
            raise Forfeit(Fault.FLOOD, f"wrote a line of more than {MOST_LINE:,} bytes")
        if end < 0 and self._inbox and not self._is_open:
            end = len(self._inbox)  # last words without an end of line
        if end < 0:
            return None
        line = self._inbox[:end].decode(errors="replace")
        del self._inbox[: end + 1]
        return line

    # -- pipes ---------------------------------------------------------------------------

    def _pump(self, seconds: float) -> None:
        """Read and write what the pipes allow, after waiting up to `seconds` for it."""
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._stdin:
                self._write()
            elif key.fileobj is self._stdout:
                data = self._read(self._stdout)
                self._is_open = data != b""
                self._inbox += data or b""
                self._received += len(data or b"")
            else:
                self._errors += self._read(self._stderr) or b""
                del self._errors[:-_KEPT_ERRORS]

    def _read(self, pipe: IO[bytes]) -> bytes | None:
        """Return the data in the pipe: None if there is none yet, empty once it is closed."""
        data: bytes | None = pipe.read(_CHUNK)
        if data == b"":
            self._selector.unregister(pipe)
        return data

    def _write(self) -> None:
        try:
            written = self._stdin.write(self._outbox)
        except BrokenPipeError:  # it does not read any more; its output may still count
            self._outbox.clear()
        else:
            del self._outbox[: written or 0]
        if not self._outbox:
            self._selector.unregister(self._stdin)

    def _last_words(self) -> str:
        """Describe how the program ended, with the last line that it wrote to stderr."""
        end = time.monotonic() + _LAST_WORDS
        while self._stderr in self._selector.get_map() and (left := end - time.monotonic()) > 0:
            self._pump(left)
        code = self._program.wait(_LAST_WORDS)
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was ended by signal {-code}"
        else:
            how = f"ended with exit code {code}"
        said = self._errors.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(said) if line.strip()), "")
        return f"{how}: {brief(last)[1:-1]}" if last else how
