"""Solve all grids of docs/values.md and write the page: ``python scripts/solve_values.py``.

Every grid is solved in a process of its own, so that its time and memory can be told; then its
proof is written and checked by `noughts.solving.verify`. Results are kept in docs/values.json as
they come; what is in there is not solved again unless asked to with ``--again``. With ``--page``
nothing is solved, and the page is written from what is there. Where a published value exists
(docs/published_values.json), ours must equal it, or there is no page.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from noughts import Grid, GridPosition
from noughts.limits import Limits
from noughts.solving.proofs import proof_of
from noughts.solving.solver import Solver
from noughts.solving.verify import verify

ROOT = Path(__file__).resolve().parent.parent
VALUES = ROOT / "docs" / "values.json"
PAGE = ROOT / "docs" / "values.md"
PUBLISHED = ROOT / "docs" / "published_values.json"

LARGE = [
    *("4x7x4", "4x8x4", "5x7x4", "5x8x4", "6x7x4", "6x8x4", "7x7x4", "7x8x4"),
    *("8x8x4", "5x7x5", "5x8x5", "6x7x5", "7x7x5", "6x7x6", "6x8x6", "7x7x6", "7x8x6", "8x8x6"),
    *("7x7x7", "8x8x7", "8x8x8"),
]
ANY_LENGTH = ["4x9x4", "4x10x4"]  # it is not known how long these wins take
TIME_LIMIT = 3 * 3600.0
MEMORY, MEMORY_FOR_ANY_LENGTH = 4 << 30, 16 << 30
PROVABLE = 3_000_000  # nodes; larger proofs are not written here


def all_small() -> Iterator[str]:
    """Yield all grids up to 6x6, each shape once, with every k that can win."""
    for rows in range(1, 7):
        for cols in range(rows, 7):
            for k in range(1, cols + 1):
                yield f"{rows}x{cols}x{k}"


def solve_one(name: str) -> dict[str, Any]:
    """Solve one grid, check the proof, and say what it took."""
    position = GridPosition.start(Grid.parse(name))
    warm_up = Solver(Grid(3, 4, 3))
    warm_up.solve(GridPosition.start(Grid(3, 4, 3)))  # so that loading the kernels is not counted
    distance = name not in ANY_LENGTH
    memory = MEMORY if distance else MEMORY_FOR_ANY_LENGTH
    solver = Solver(position.grid, memory)
    begin = time.perf_counter()
    limits = Limits(seconds=TIME_LIMIT)
    solution = solver.solve(position, limits, distance=distance, with_line=False)
    seconds = time.perf_counter() - begin
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    result: dict[str, Any] = {
        "value": solution.value.value if solution.value else "unknown",
        "plies": solution.plies,
        "nodes": str(solution.nodes),
        "seconds": round(seconds, 3),
        "mib": mib,
    }
    if solution.is_proved and distance and solution.nodes <= PROVABLE:
        proved = verify(proof_of(solution, solver.searches).splitlines(keepends=True))
        assert proved.claim == result["value"], name
        result["proof_nodes"] = proved.nodes
    return result


def solve_all(again: bool) -> None:
    """Solve what is not there yet."""
    done = json.loads(VALUES.read_text()) if VALUES.exists() and not again else {}
    for grid in (*all_small(), *LARGE, *ANY_LENGTH):
        if grid in done:
            continue
        command = [sys.executable, __file__, "--one", grid]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        done[grid] = result = json.loads(run.stdout)
        VALUES.write_text(json.dumps(done, indent=1) + "\n")
        print(f"{grid}: {_words(result)}, {result['seconds']} s", flush=True)


def check_published(done: dict[str, Any]) -> dict[str, str]:
    """Compare with every published value; return the sources by grid."""
    sources = {}
    for entry in json.loads(PUBLISHED.read_text()):
        for grid, (value, plies) in entry["values"].items():
            ours = done[grid]
            if ours["value"] != value or plies not in (None, ours["plies"]):
                sys.exit(f"{grid}: {_words(ours)}, but {entry['source']} has {value} {plies}")
            sources[grid] = entry["key"]
    return sources


def page() -> str:
    """Return docs/values.md, made of what is solved so far."""
    done = json.loads(VALUES.read_text())
    sources = check_published(done)
    parts = [(ROOT / "docs" / "values.in.md").read_text(encoding="utf-8").strip()]
    parts[0] = parts[0].replace("{compared}", str(len(sources)))
    for title, some in (
        ("## All grids up to 6x6", list(all_small())),
        ("## Larger ones", LARGE + ANY_LENGTH),
    ):
        rows = [_row(grid, done[grid], sources.get(grid, "")) for grid in some if grid in done]
        head = "| grid | value | nodes | time | memory | proof's nodes | published |"
        parts += [title, "\n".join([head, "|---|---|---:|---:|---:|---:|---|", *rows])]
    entries = json.loads(PUBLISHED.read_text())
    parts += ["## Sources", "\n".join(f"- **{e['key']}**: {e['source']}" for e in entries)]
    return "\n\n".join(parts) + "\n"


def _words(result: dict[str, Any]) -> str:
    if result["value"] == "win":
        return f"X wins in {result['plies']}" if result["plies"] else "X wins"
    return "draw" if result["value"] == "draw" else "not known"


def _row(grid: str, result: dict[str, Any], source: str) -> str:
    proof = f"{result['proof_nodes']:,}" if "proof_nodes" in result else ""
    took = [f"{int(result['nodes']):,}", f"{result['seconds']:.2f} s", f"{result['mib']:,} MiB"]
    return f"| {grid} | {_words(result)} | {' | '.join([*took, proof, source])} |"


def main() -> None:
    """Solve, check and write."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(solve_one(sys.argv[2])))
        return
    if "--page" not in sys.argv:
        solve_all("--again" in sys.argv)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} written")


if __name__ == "__main__":
    main()
