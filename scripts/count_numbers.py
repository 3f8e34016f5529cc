"""Count all grids of docs/numbers.md and write the page: ``python scripts/count_numbers.py``.

Every count runs in a process of its own, so that its time and memory can be told. Results are
kept in docs/numbers.json as they come; what is in there is not counted again unless asked to
with ``--again``. With ``--page`` nothing is counted, and the page is written from what is there.
Where a published figure exists (docs/published.json), ours must equal it, or there is no page.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from noughts import Grid
from noughts.cli.units import share
from noughts.counting import count
from noughts.limits import GIB, Limits

ROOT = Path(__file__).resolve().parent.parent
NUMBERS = ROOT / "docs" / "numbers.json"
PAGE = ROOT / "docs" / "numbers.md"
PUBLISHED = ROOT / "docs" / "published.json"

LARGE = ["7x7x7", "8x8x8", "9x9x9", "10x10x10", "7x7x3"]
BOARD_CELLS = 25  # positions and endings take dozens of sweeps each, so they stop earlier


def game_grids() -> Iterator[str]:
    """Yield all grids up to 6x6, each shape once, with every k that can win; and larger ones."""
    for rows in range(1, 7):
        for cols in range(rows, 7):
            for k in range(1, cols + 1):
                yield f"{rows}x{cols}x{k}"
    yield from LARGE


def jobs() -> Iterator[tuple[str, str]]:
    """Yield everything that is counted: what, and on which grid."""
    for grid in game_grids():
        yield "games", grid
        if grid not in LARGE:
            yield "games_up_to_symmetry", grid
    for grid in game_grids():
        if Grid.parse(grid).cells <= BOARD_CELLS and grid not in LARGE:
            for what in ("positions", "endings"):
                yield what, grid
                yield f"{what}_up_to_symmetry", grid


def count_one(what: str, name: str) -> dict[str, Any]:
    """Count one thing and say what it took."""
    grid = Grid.parse(name)
    begin = time.perf_counter()
    of: Any = what.removesuffix("_up_to_symmetry")
    counts = count(grid, of, up_to_symmetry=of != what, limits=Limits(memory=8 * GIB))
    return {
        **counts.to_json(),
        "seconds": round(time.perf_counter() - begin, 3),
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def count_all(again: bool) -> None:
    """Count what is not there yet."""
    done = json.loads(NUMBERS.read_text()) if NUMBERS.exists() and not again else {}
    for what, grid in jobs():
        if grid in done.get(what, {}):
            continue
        command = [sys.executable, __file__, "--one", what, grid]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        done.setdefault(what, {})[grid] = result = json.loads(run.stdout)
        NUMBERS.write_text(json.dumps(done, indent=1) + "\n")
        print(f"{what} {grid}: {int(result['total']):,} in {result['seconds']} s", flush=True)


def check_published(done: dict[str, Any]) -> int:
    """Compare with every published figure; return how many there are."""
    compared = 0
    for what, grids in json.loads(PUBLISHED.read_text()).items():
        for grid, figures in grids.items():
            if grid == "source":
                continue
            ours = done[what][grid]
            ours = ours if what == "games" else ours["by_marks"]
            for name, figure in figures.items():
                if ours[name] != figure:
                    sys.exit(f"{what} of {grid}, {name}: {ours[name]}, but published is {figure}")
                compared += 1
    return compared


def page() -> str:
    """Return docs/numbers.md, made of what is counted so far."""
    done = json.loads(NUMBERS.read_text())
    compared = check_published(done)
    explanation = (ROOT / "docs" / "numbers.in.md").read_text(encoding="utf-8")
    parts = [explanation.strip().replace("{compared}", str(compared)), "## Games"]
    parts.append(
        "| grid | all games | won by X | won by O | drawn | up to symmetry | time | memory |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|\n"
        + "\n".join(_games_row(grid, done) for grid in game_grids())
    )
    parts.append("## Positions and endings")
    parts.append(
        "| grid | positions | up to symmetry | endings | up to symmetry | won by X | won by O "
        "| drawn | time |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        + "\n".join(_boards_row(grid, done) for grid in done["positions"])
    )
    return "\n\n".join(parts) + "\n"


def _number(text: str) -> str:
    return f"{int(text):,}" if len(text) < 22 else f"{Decimal(text):.3e}".replace("e+", "e")


def _games_row(grid: str, done: dict[str, Any]) -> str:
    games, classes = done["games"][grid], done["games_up_to_symmetry"].get(grid)
    total = int(games["total"])
    shares = [share(int(games[name]), total) for name in ("x_wins", "o_wins", "draws")]
    numbers = [_number(games["total"]), *shares, _number(classes["total"]) if classes else ""]
    took = [f"{games['seconds']:.2f} s", f"{games['mib']:,} MiB"]
    return f"| {grid} | {' | '.join([*numbers, *took])} |"


def _boards_row(grid: str, done: dict[str, Any]) -> str:
    names = ("positions", "positions_up_to_symmetry", "endings", "endings_up_to_symmetry")
    totals = [_number(done[name][grid]["total"]) for name in names]
    endings = [_number(done["endings"][grid][name]) for name in ("x_wins", "o_wins", "draws")]
    seconds = sum(done[name][grid]["seconds"] for name in names)
    return f"| {grid} | {' | '.join([*totals, *endings])} | {seconds:.2f} s |"


def main() -> None:
    """Count, check and write."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(count_one(sys.argv[2], sys.argv[3])))
        return
    if "--page" not in sys.argv:
        count_all("--again" in sys.argv)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} written")


if __name__ == "__main__":
    main()
