"""Starting the process of a solution.

A file runs in a fresh interpreter; an object, as in a notebook, runs in a copy of this process
(a fork), as there is no other way to hand over a function with what it refers to.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from noughts.exercises.grading import child
from noughts.exercises.grading.finding import Solution
from noughts.programs import Program

__all__ = ["Process", "start"]


class Process(Protocol):
    """What is needed of a process."""

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""

    def end(self) -> None:
        """End the process and what it started."""


_HERE = Path(__file__).resolve().parent

_PROGRAM = f"""
import sys, types
sys.path.append({str(_HERE.parents[2])!r})  # a solution may import noughts
package = sys.modules["noughts_grading"] = types.ModuleType("noughts_grading")
package.__path__ = [{str(_HERE)!r}]  # this folder, without what its __init__ imports
from noughts_grading.child import main
main()
"""


def start(solution: Solution, questions: int, answers: int, output: int) -> Process:
    """Start a process that reads questions and writes answers and output to these pipes."""
    if solution.thing is None:
        return _start_file(questions, answers, output)
    return _fork(solution.thing, questions, answers, output)


def _start_file(questions: int, answers: int, output: int) -> Process:
    """Start a fresh interpreter, which does not look for its own modules in this folder."""
    return Program(
        [sys.executable, "-P", "-c", _PROGRAM, str(questions), str(answers)],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=(questions, answers),
    )


class _Forked:
    """A copy of this process; what it starts ends with it unless it leaves the process group."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code

    def end(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # the group is empty
            os.killpg(self._pid, signal.SIGKILL)
        while self.poll() is None:
            with suppress(ProcessLookupError):  # it may have left its group
                os.kill(self._pid, signal.SIGKILL)
            time.sleep(0.001)


def _fork(thing: object, questions: int, answers: int, output: int) -> Process:
    """Start a copy of this process that serves an object, and never returns from here."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that threads stay behind: the copy does not use them
        pid = os.fork()
    if pid:
        return _Forked(pid)
    try:
        os.setsid()
        _redirect(output)
        _close_others(questions, answers)
        child.serve(questions, answers, thing)
    finally:
        os._exit(1)


def _redirect(output: int) -> None:
    """Send what is printed to a pipe, at the level of the system and of Python."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, standard in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, standard)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, closefd=False) for number, mode in enumerate("rww")
    )


def _close_others(*kept: int) -> None:
    """Close files that were open before the fork: they belong to the parent."""
    low = 3
    for number in sorted(kept):
        os.closerange(low, number)
        low = number + 1
    os.closerange(low, os.sysconf("SC_OPEN_MAX"))
