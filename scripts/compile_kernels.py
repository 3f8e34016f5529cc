"""Compile the kernels once, so that tests, which run side by side, do not all wait for it.

What is compiled is kept beside the sources; a second run takes a few seconds.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from noughts.cli.main import main

COMMANDS = [
    "solve 5x5x4",
    "solve 4x5x3 --moves",
    "analyse ultimate --nodes 200",
    "analyse ultimate-open --nodes 200",
    "analyse 7x7x5 d4 --nodes 200",
    "perft ultimate 6",
    "count 5x5x3",
    "count 3x4x3 --method backtrack",
    "table build 3x4x3 --out {folder}/3x4x3.noughts",
]


def compile_kernels() -> None:
    """Run a small command of each kind."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for command in COMMANDS:
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                code = main(command.format(folder=Path(folder)).split())
            if code:
                raise SystemExit(f"noughts {command}: exit code {code}")
    print(f"kernels are compiled ({time.perf_counter() - begin:.0f} s)")


if __name__ == "__main__":
    compile_kernels()
