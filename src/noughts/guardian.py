"""The guardian of a program: a process between us and it, which ends all that the program started.

It runs as a script, ``guardian.py CONTROL REPORT PROGRAM ARGUMENT ...``, and imports nothing of
noughts. A process that starts a session of its own, or whose parent has ended, is beyond a signal
to a group. But below a Linux *subreaper*, whatever loses its parent becomes a child of the
subreaper. So the guardian is one, and kills its children until there are none:

- when the program has ended; the guardian then ends in the same way, with its exit code or signal;
- when the pipe CONTROL is closed at the other end, as the parent wants an end, or has died.

If the program cannot be started, the pipe REPORT has the number of the error.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import time

_SET_CHILD_SUBREAPER = 36  # of prctl
_MOST_SECONDS = 5.0  # for killing: a process that waits for a broken disk cannot be killed
_BETWEEN_SECONDS = 0.002


def main() -> None:
    """Run a program, and end everything below this process when it ends or has to end."""
    control, report, *arguments = sys.argv[1:]
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda number, frame: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.set_inheritable(int(control), False)
    os.set_inheritable(int(report), False)  # it closes when the program has started
    program = os.fork()
    if not program:
        _become(arguments, int(report))
    _close_all_but(int(control), woken, wake)
    status = _wait(program, int(control), woken)
    _kill_all()
    _end_like(status)


def _become(arguments: list[str], report: int) -> None:
    """Replace this process by the program."""
    try:
        os.setsid()
        for name in ("SIGCHLD", "SIGTERM", "SIGHUP", "SIGINT", "SIGPIPE", "SIGXFSZ"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        os.execvp(arguments[0], arguments)
    except OSError as error:
        os.write(report, str(error.errno).encode())
    finally:
        os._exit(127)


def _close_all_but(*kept: int) -> None:
    """Let go of the pipes of the program, so that they close when it ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    low = 3
    for number in sorted(kept):
        os.closerange(low, number)
        low = number + 1
    os.closerange(low, os.sysconf("SC_OPEN_MAX"))


def _wait(program: int, control: int, woken: int) -> int | None:
    """Return the status with which the program ended, or None if it has to be ended."""
    while True:
        ready, _, _ = select.select([control, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return None
            if pid == program:
                return status
            if not pid:
                break
        if control in ready:
            return None


def _kill_all() -> None:
    """Kill all children, and those that become children thereby, until there are none."""
    end = time.monotonic() + _MOST_SECONDS
    while time.monotonic() < end:
        for child in _children():
            os.kill(child, signal.SIGKILL)  # it is a child until it is waited for
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(_BETWEEN_SECONDS)


def _children() -> list[int]:
    own = os.getpid()
    try:
        with open(f"/proc/self/task/{own}/children", "rb") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:  # a kernel without this list
        return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and _parent(pid) == own]


def _parent(pid: str) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except OSError:  # it has ended
        return 0


def _end_like(status: int | None) -> None:
    """End with the exit code or the signal of the program."""
    if status is None:
        os._exit(0)
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        os._exit(code)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if -code not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    os._exit(128 - code)


if __name__ == "__main__":
    main()
