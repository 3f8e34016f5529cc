"""Compile the kernels once, so that tests, which run side by side, do not all wait for it.

The machine code is kept; a second run takes a few seconds.
"""

from __future__ import annotations

import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np

from noughts.cli.main import main
from noughts.rl import Batch, judge_many, playouts

GROUPS = [  # each compiles what the others do not need
    ["solve 5x5x4", "solve 4x5x3 --moves", "analyse 7x7x5 d4 --nodes 200"],
    ["analyse ultimate --nodes 200", "analyse ultimate-open --nodes 200", "perft ultimate 6"],
    [
        "count 3x3x3 --checkpoint {table}.db",  # else it would not need the compiled sweep
        "count 3x4x3 --method backtrack",
        "table build 3x4x3 --out {table}",
    ],
]


def compile_kernels() -> None:
    """Run a small command of each kind, those of different groups side by side."""
    begin = time.perf_counter()
    with ProcessPoolExecutor(len(GROUPS) + 1) as pool:
        learning = pool.submit(_run_arrays)
        for failure in pool.map(_run, GROUPS):
            if failure:
                raise SystemExit(failure)
        learning.result()
    print(f"kernels are compiled ({time.perf_counter() - begin:.0f} s)")


def _run(commands: list[str]) -> str | None:
    """Run commands one after the other; return what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            said = StringIO()
            with redirect_stdout(said), redirect_stderr(said):
                code = main(command.format(table=Path(folder) / "3x4x3.noughts").split())
            if code:
                return f"noughts {command}: exit code {code}\n{said.getvalue()}"
    return None


def _run_arrays() -> None:
    """Call what the command line does not."""
    for game in ("3x3x3", "ultimate"):
        batch = Batch(game, 1)
        batch.step(batch.random_actions(1), observation=batch.observe())
        playouts(game, 1)
    playouts("5x5x4", 1)
    for size in (3, 9):
        judge_many(np.zeros((1, size, size), np.int8))
    Batch.from_boards(np.zeros((1, 3, 3), np.int8))


if __name__ == "__main__":
    compile_kernels()
