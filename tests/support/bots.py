"""Bots for tests of matches: small programs without any import of ours, good and bad ones.

Each plays 3x3x3, taking the first free cell. A test gives lines that change that: `on_go` runs at
every ``go`` in place of the answer, `first` before anything is read.
"""

from __future__ import annotations

import fcntl
import shlex
import sys
import textwrap
import time
from pathlib import Path

__all__ = ["bot", "is_free"]

_SCRIPT = """
import fcntl, os, signal, subprocess, sys, time

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

def hold():
    lock = open(os.path.join(os.path.dirname(__file__), "lock"), "a")
    fcntl.flock(lock, fcntl.LOCK_SH)
    return lock

{first}
for line in sys.stdin:
    words = line.split()
    if words[0] == "noughts":
        say("name bot")
    if words[0] in ("noughts", "game"):
        say("ready")
    if words[0] == "position":
        free = [col + row for row in "123" for col in "abc" if col + row not in words[3:]]
    if words[0] == "go":
{on_go}
    if words[0] == "quit":
        break
"""


def bot(folder: Path, on_go: str = "say('best ' + free[0])", first: str = "") -> str:
    """Write a bot to a folder and return the command that runs it."""
    script = folder / "bot.py"
    script.write_text(_SCRIPT.format(first=first, on_go=textwrap.indent(on_go, " " * 8)))
    return shlex.join([sys.executable, "-I", "-S", str(script)])


def is_free(folder: Path) -> bool:
    """Return whether nobody holds the lock of a bot that calls `hold`, or soon nobody does.

    A process gives its locks back when it ends, also if nobody ever asks how it ended.
    """
    with (folder / "lock").open("a") as lock:
        give_up = time.monotonic() + 10
        while time.monotonic() < give_up:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.01)
            else:
                return True
    return False
