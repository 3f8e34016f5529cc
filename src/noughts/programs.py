"""Programs of others, run as child processes: everything that they start ends with them.

On Linux a `guardian` sees to that. Elsewhere it holds for what stays in the program's process
group.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["Program"]

_GUARDIAN = str(Path(__file__).with_name("guardian.py"))
_MOST_SECONDS = 10.0  # for a guardian to end, twice the time that it takes at most


class Program:
    """A running program. Ctrl-C does not reach it; the keywords are those of `subprocess.Popen`."""

    def __init__(
        self, arguments: Sequence[str], *, pass_fds: Sequence[int] = (), **options: Any
    ) -> None:
        if sys.platform != "linux" or not sys.executable:
            self._control: int | None = None
            self._process = subprocess.Popen(
                arguments, pass_fds=pass_fds, start_new_session=True, **options
            )
            return
        wanted, self._control = os.pipe()
        outcome, report = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", _GUARDIAN, str(wanted), str(report), *arguments],
                pass_fds=(*pass_fds, wanted, report),
                start_new_session=True,
                **options,
            )
        except BaseException:
            os.close(self._control)
            os.close(outcome)
            raise
        finally:
            os.close(wanted)
            os.close(report)
        try:
            with open(outcome, "rb") as file:
                number = int(file.read() or 0)
            if number:
                raise OSError(number, os.strerror(number))
        except BaseException:  # also Ctrl-C
            self.end()
            for pipe in filter(None, self.pipes):
                pipe.close()
            raise

    @property
    def pid(self) -> int:
        """The number of the process, or of its guardian."""
        return self._process.pid

    @property
    def pipes(self) -> tuple[Any, Any, Any]:
        """The pipes to its stdin and from its stdout and stderr, where there are any."""
        return self._process.stdin, self._process.stdout, self._process.stderr

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while it runs."""
        return self._process.poll()

    def wait(self, seconds: float) -> int | None:
        """Return what `poll` does, after waiting for the end up to some seconds."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def end(self) -> None:
        """End the program and everything that it started, at once."""
        if self._control is not None:
            os.close(self._control)
            self._control = None
            self.wait(_MOST_SECONDS)
        with suppress(ProcessLookupError, PermissionError):  # the group is empty
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
