"""Ways to run the command line in tests: in this process, in its own, and on a terminal.

`run` is quick and is what most tests use; `spawn` and `on_terminal` start a real process, for
what only shows there: signals, encodings, typing.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from noughts.cli.main import main

__all__ = [
    "Result",
    "allow_ctrl_c",
    "clean_environment",
    "interrupted",
    "on_terminal",
    "python",
    "run",
    "spawn",
    "without_colour",
]

TIME_LIMIT = 60.0
"""Seconds after which a process has hung; far more than any of them needs."""


@dataclass(frozen=True)
class Result:
    """What a command line gave back."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of stdout."""
        return self.out.splitlines()

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects on stdout, one per line."""
        objects = [json.loads(line) for line in self.out.splitlines()]
        assert all(isinstance(item, dict) for item in objects)
        return objects

    @property
    def object(self) -> dict[str, Any]:
        """The only JSON object on stdout."""
        (item,) = self.objects
        return item

    def failed_politely(self, code: int = 2) -> bool:
        """Return whether the exit code is `code` and stderr says why, without a traceback."""
        assert "Traceback" not in self.err, self.err
        return self.code == code and "Error" in self.err


class _Terminal(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def run(
    *arguments: str,
    stdin: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    is_terminal: bool = False,
) -> Result:
    """Run a command line in this process; the test sees whatever it raises.

    With `is_terminal`, stdout and stderr say that they are one, which is enough for colours.
    """
    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = io.BytesIO(), io.BytesIO()
    settings = {"COLUMNS": "80", **(env or {})}
    kind = _Terminal if is_terminal else io.TextIOWrapper
    with _environment(settings), _streams(data, out, err, kind):
        code = main(list(arguments))
    return Result(code, out.getvalue().decode(), err.getvalue().decode())


@contextmanager
def _streams(
    stdin: bytes, out: io.BytesIO, err: io.BytesIO, kind: type[io.TextIOWrapper]
) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    sys.stdout = kind(out, encoding="utf-8")
    sys.stderr = kind(err, encoding="utf-8", errors="backslashreplace")
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            stream.detach()  # or closing the wrapper would close the buffer we want to read
        sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.pop("NO_COLOR", None)
    os.environ.update(settings)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def clean_environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment without what changes colours, widths or encodings."""
    awkward = ("NO_COLOR", "COLUMNS", "LINES", "PYTHONUTF8", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in awkward}
    # Strict UTF-8 is what a user's en_US.UTF-8 gives; a container's plain C locale is laxer.
    usual = {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8:strict"}
    return {**kept, **usual, **(env or {})}


def python(*arguments: str) -> list[str]:
    """Return the command for a real process: ``python -m noughts ...``."""
    return [sys.executable, "-m", "noughts", *arguments]


def spawn(
    *arguments: str | bytes,
    stdin: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
) -> Result:
    """Run a command line in a process of its own, with pipes all around."""
    process = subprocess.run(
        [sys.executable, "-m", "noughts", *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env=clean_environment(env),
        cwd=cwd,
        timeout=TIME_LIMIT,
        check=False,
    )
    out = process.stdout.decode(errors="backslashreplace")
    return Result(process.returncode, out, process.stderr.decode(errors="backslashreplace"))


def allow_ctrl_c() -> None:
    """Let Ctrl-C reach a process: where tests run in the background, it may be switched off."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


# The clock starts once the command has called the library: Python and its imports take their time.
_INTERRUPTED = """
import os, signal, sys, threading, time
from noughts.cli.main import main

def works():
    frame = sys._current_frames()[threading.main_thread().ident]
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("noughts.") and not name.startswith("noughts.cli."):
            if frame.f_code.co_name != "<module>":
                return True
        frame = frame.f_back
    return False

def interrupt():
    while not works():
        time.sleep(0.001)
    time.sleep({after})
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
sys.exit(main({arguments!r}))
"""


def interrupted(*arguments: str, after: float) -> Result:
    """Run a command line in a process that gets Ctrl-C some seconds after it began its work."""
    script = _INTERRUPTED.format(after=after, arguments=list(arguments))
    process = subprocess.run(
        [sys.executable, "-c", script],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=clean_environment(),
        preexec_fn=allow_ctrl_c,
        timeout=TIME_LIMIT,
        check=False,
    )
    return Result(process.returncode, process.stdout.decode(), process.stderr.decode())


def on_terminal(
    *arguments: str,
    env: Mapping[str, str] | None = None,
    columns: int = 80,
    typed: Sequence[str | bytes] = (),
) -> Result:
    """Run a command line on a terminal: stdin, stdout and stderr are one, so all is in `out`.

    What is `typed`, lines or single keys as bytes, comes one by one after the prompts ``> ``.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        python(*arguments),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=clean_environment(env),
        start_new_session=True,
    )
    os.close(theirs)
    try:
        output = _read_to_end(ours, typed)
        code = process.wait(timeout=TIME_LIMIT)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        os.close(ours)
    shown = output.decode(errors="backslashreplace" if typed else "strict")
    return Result(code, shown.replace("\r\n", "\n"), "")


def _read_to_end(terminal: int, typed: Sequence[str | bytes]) -> bytes:
    """Read until the other side is gone; fail if it just sits there, as if waiting for us."""
    output = b""
    answers = [keys if isinstance(keys, bytes) else f"{keys}\r".encode() for keys in typed]
    give_up = time.monotonic() + TIME_LIMIT
    while time.monotonic() < give_up:
        ready, _, _ = select.select([terminal], [], [], 1.0)
        if not ready:
            continue
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # Linux's way of saying that the other side is closed
            return output
        if not chunk:
            return output
        output += chunk
        if answers and output.endswith(b"> "):
            os.write(terminal, answers.pop(0))
    raise AssertionError(f"the command hangs on a terminal, after {output!r}")


def without_colour(text: str) -> str:
    """Return text without ANSI colour codes."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
