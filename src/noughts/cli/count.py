"""``noughts count``: how many games, positions or endings there are."""

from __future__ import annotations

import os
import shutil
from typing import get_args

import click

from noughts.cli.output import echo_json
from noughts.cli.progress import ProgressLine
from noughts.cli.units import MEMORY, bars, duration, share
from noughts.counting.dispatch import Counted, Meaning, Method, count
from noughts.counting.results import Counts, GameCounts, PositionCounts, digits
from noughts.limits import Limits
from noughts.rules.grid import Grid
from noughts.rules.position import GridPosition

__all__ = ["command"]


@click.command("count")
@click.argument("grid", metavar="GRID")
@click.option(
    "--of",
    type=click.Choice(get_args(Counted)),
    default="games",
    show_default=True,
    help="What to count: whole games, distinct positions, or distinct finished boards.",
)
@click.option("--up-to-symmetry", is_flag=True, help="Count rotations and reflections once.")
@click.option(
    "--meaning",
    type=click.Choice(get_args(Meaning)),
    help="What games up to symmetry are: 'orbits' of whole games (default), or 'moves' "
    "identified at each step.",
)
@click.option("--from", "position", metavar="POSITION", help="Count from this position on.")
@click.option(
    "--method",
    type=click.Choice(get_args(Method)),
    help="How to count: 'frontier' by a transfer-matrix sweep (default), 'backtrack' by playing "
    "every game, 'positions' by listing every position.",
)
@click.option("--by-length", is_flag=True, help="Show a table by length, or by number of marks.")
@click.option(
    "--memory", type=MEMORY, default="4GiB", show_default=True, help="Memory to use at most."
)
@click.option("--threads", type=click.IntRange(min=1), help="Threads to use (default: all cores).")
@click.option(
    "--checkpoint", metavar="FILE", help="Keep finished work in a file, and continue from it."
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Run on a Dask cluster: its scheduler, or local:N for N processes here.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def command(
    grid: str,
    of: Counted,
    up_to_symmetry: bool,
    meaning: Meaning | None,
    position: str | None,
    method: Method | None,
    by_length: bool,
    memory: int,
    threads: int | None,
    checkpoint: str | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Count every game, position or ending on a grid, exactly.

    A game is the ordered list of moves up to a win or a full board. Positions and endings
    are distinct boards that games reach.

    \b
    Examples:
      noughts count 4x4x3
      noughts count 4x4x3 --by-length
      noughts count 3x3x3 --of positions --up-to-symmetry
      noughts count 4x4x3 --from X.../.O../..../.... --json
      noughts count 6x6x3 --checkpoint count.db
    """
    shape = Grid.parse(grid)
    start = GridPosition.start(shape) if position is None else GridPosition.parse(position, shape)
    line = ProgressLine()
    limits = Limits(memory=memory, threads=threads)
    try:
        if method == "backtrack" and of == "games" and not up_to_symmetry:
            _announce_backtracking(start, limits, line)
        counts = count(
            start,
            of,
            up_to_symmetry=up_to_symmetry,
            meaning=meaning,
            method=method,
            limits=limits,
            checkpoint=checkpoint,
            cluster=cluster,
            on_progress=line.report,
            on_notice=line.notice,
        )
    except KeyboardInterrupt:
        line.clear()
        kept = f"; {checkpoint} keeps what is finished" if checkpoint else ""
        click.echo(f"Interrupted at {line.share * 100:.1f} %: no number yet{kept}.", err=True)
        raise
    finally:
        line.clear()
    if as_json:
        more: dict[str, object] = {"from": start.text} if position is not None else {}
        if up_to_symmetry:
            more |= {"up_to_symmetry": True}
            more |= {"meaning": meaning or "orbits"} if of == "games" else {}
        echo_json({"grid": str(shape), "of": of, **more, **counts.to_json()})
        return
    symmetric = " up to symmetry" if up_to_symmetry else ""
    if up_to_symmetry and of == "games":
        symmetric += f" ({meaning or 'orbits'})"
    origin = f" from {start.text}" if position is not None else ""
    click.echo(f"{of} of {shape}{origin}{symmetric}")
    for row in _summary(counts):
        click.echo(row)
    if by_length:
        click.echo()
        for row in _table(counts):
            click.echo(row)


def _announce_backtracking(start: GridPosition, limits: Limits, line: ProgressLine) -> None:
    """Say how long playing all games will take, if it is long."""
    from noughts.counting.backtracking import games_per_second, needs_compiling
    from noughts.kernels import compiling_notice

    if needs_compiling():
        line.notice(compiling_notice("the backtracking"))
    if start.move_count > 25:
        games, size = None, f"more than 10^20 games of {start.game}"
    else:
        games = count(start).total
        size = f"{games:,} games"
    seconds = (games or 10**20) / (
        games_per_second(start) * (limits.threads or os.cpu_count() or 1)
    )
    if seconds > 30:
        click.echo(f"Playing {size} one by one takes about {duration(seconds)}.", err=True)


def _summary(counts: Counts) -> list[str]:
    """Return a line for each outcome, with its share, and one for the total."""
    total = digits(counts.total, ",")
    if isinstance(counts, PositionCounts):
        return [f"  total   {total}"]
    parts = {"X wins": counts.x_wins, "O wins": counts.o_wins, "draws": counts.draws}
    rows = [
        f"  {name:<6}  {digits(number, ','):>{len(total)}}  {share(number, counts.total):>7}"
        for name, number in parts.items()
    ]
    return [*rows, f"  total   {total}"]


def _table(counts: Counts) -> list[str]:
    """Return the counts by length or marks, with bars where the terminal has room for them."""
    numbers = counts.by_length if isinstance(counts, GameCounts) else counts.by_marks
    head = "length" if isinstance(counts, GameCounts) else "marks"
    width = max(len("number"), *(len(digits(number, ",")) for number in numbers.values()))
    room = shutil.get_terminal_size((80, 24)).columns - len(head) - width - 16
    drawn = bars(numbers, min(room, 40)) if room >= 8 else dict.fromkeys(numbers, "")
    rows = [f"  {head}  {'number':>{width}}    share"]
    for key, number in numbers.items():
        part = share(number, counts.total)
        row = f"  {key:>{len(head)}}  {digits(number, ','):>{width}}  {part:>7}  {drawn[key]}"
        rows.append(row.rstrip())
    return rows
