"""Walking through games: the textbook form against the compiled walk, time per node.

Both walk below the same positions of 4x4x3, reached by random moves, so the time of a node holds
for the whole walk. How many nodes there are is counted, not measured. Run with ``make bench``; with
``--write``, docs/learn/timings.json is written, from which the lessons take their times.
"""

from __future__ import annotations

import json
import platform
import random
import sys
from pathlib import Path
from time import process_time

from measure import Task, best_seconds, print_ratio
from noughts import GridPosition, exercises
from noughts.counting import count
from noughts.counting.backtracking import Backtracking
from noughts.exercises.textbook import counting, enumeration

TIMINGS = Path(__file__).resolve().parent.parent / "docs" / "learn" / "timings.json"
DEPTH = 6
SAMPLES = 6


def sample_positions(amount: int, seed: int = 1) -> list[GridPosition]:
    """Return positions of 4x4x3 after random moves that have not ended the game."""
    rng = random.Random(seed)
    positions: list[GridPosition] = []
    while len(positions) < amount:
        position = GridPosition.start("4x4x3")
        while position.move_count > 16 - DEPTH and not position.outcome:
            position = position.play(rng.choice(list(position.legal_moves)))
        if not position.outcome:
            positions.append(position)
    return positions


def board_of(position: GridPosition) -> list[str]:
    """Return a position as the textbook form takes it."""
    cells = range(position.grid.cells)
    return ["X" if position.x >> c & 1 else "O" if position.o >> c & 1 else "." for c in cells]


def nodes_below(position: GridPosition) -> int:
    """Return how many nodes a walk visits below a position: running games times free cells."""
    by_length = count(position).by_length
    nodes, running = 0, 1
    for length in range(1, position.move_count + 1):
        placed = running * (position.move_count - length + 1)
        nodes += placed
        running = placed - by_length.get(length, 0)
    return nodes


def bench_nodes() -> dict[str, float]:
    """Compare the walks on the same subtrees, and return the times per node."""
    positions = sample_positions(SAMPLES)
    lines = enumeration.lines_through(4, 4, 3)

    def textbook(_: object) -> int:
        return sum(enumeration.count(board_of(position), DEPTH, lines) for position in positions)

    def compiled(_: object) -> int:
        return sum(int(Backtracking(position).count().sum()) for position in positions)

    assert textbook(None) == compiled(None) == sum(count(p).total for p in positions)
    nodes = sum(map(nodes_below, positions))
    fast, plain = best_seconds(Task(compiled), Task(textbook), rounds=3, clock=process_time)
    print_ratio(f"walking, {nodes:,} nodes of 4x4x3", fast, plain, nodes, 100)
    return {
        "sample_nodes": nodes,
        "textbook_ns_per_node": round(plain / nodes * 1e9, 1),
        "compiled_ns_per_node": round(fast / nodes * 1e9, 2),
    }


def bench_sweeps() -> dict[str, float]:
    """Compare the two sweeps, and return their times for 4x4x3."""
    assert counting.count_games() == exercises.count_games()
    fast, plain = best_seconds(
        Task(lambda _: exercises.count_games()),
        Task(lambda _: counting.count_games()),
        clock=process_time,
    )
    print_ratio("counting the games of 4x4x3 by a sweep", fast, plain, 1, None)
    return {"sweep_seconds": round(plain, 4), "packed_sweep_seconds": round(fast, 4)}


def time_levels() -> dict[str, float]:
    """Return the time of counting 4x4x3 by levels: once, as it takes long."""
    begin = process_time()
    assert counting.count_by_levels() == exercises.count_games()
    return {"levels_seconds": round(process_time() - begin, 1)}


def main() -> None:
    """Measure, print, and write if asked to."""
    print(
        f"{'best time in microseconds per node, or in all':<46}"
        f"{'noughts':>9}{'textbook':>11}{'ratio':>9}{'target':>8}"
    )
    times = bench_nodes() | bench_sweeps()
    if "--write" in sys.argv[1:]:
        about = {"command": "python bench/walking.py --write", "python": platform.python_version()}
        TIMINGS.write_text(json.dumps(about | times | time_levels(), indent=1) + "\n")


if __name__ == "__main__":
    main()
