"""``noughts count``: how many games, positions or endings there are."""

from __future__ import annotations

import shutil
from typing import get_args

import click

from noughts.cli.output import echo_json
from noughts.cli.progress import ProgressLine
from noughts.cli.units import MEMORY, bars, duration, share
from noughts.counting.games import Method, count_games
from noughts.counting.questions import Counted, Counts, count
from noughts.counting.results import GameCounts, PositionCounts, digits
from noughts.counting.symmetric import Meaning
from noughts.counting.tasks import Resources
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
    help="Of games up to symmetry: 'orbits' of whole games (the default), or 'moves' "
    "identified at each step.",
)
@click.option("--from", "position", metavar="POSITION", help="Count from this position on.")
@click.option(
    "--method",
    type=click.Choice(get_args(Method)),
    help="'frontier' sweeps and walks nothing (the default), 'backtrack' walks every game, "
    "'positions' lists every position.",
)
@click.option("--by-length", is_flag=True, help="Show a table by length, or by number of marks.")
@click.option(
    "--memory", type=MEMORY, default="4GiB", show_default=True, help="Most memory to use."
)
@click.option("--threads", type=click.IntRange(min=1), help="Cores to use; all by default.")
@click.option("--checkpoint", metavar="FILE", help="Keep finished work here, and go on from it.")
@click.option("--cluster", metavar="ADDRESS", help="Run on Dask: a scheduler, or local:N.")
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
    is_listed = method == "positions" or meaning == "moves" or (of != "games" and position)
    if meaning and not (up_to_symmetry and of == "games"):
        raise click.UsageError("--meaning needs --up-to-symmetry and --of games.")
    if up_to_symmetry and position is not None:
        raise click.UsageError("--up-to-symmetry cannot be combined with --from.")
    if method == "backtrack" and (of != "games" or up_to_symmetry):
        raise click.UsageError("--method backtrack counts all games, not boards or classes.")
    if method == "frontier" and is_listed:
        raise click.UsageError("--method frontier does not answer this; leave the method out.")
    if method == "positions" and up_to_symmetry and of == "games" and meaning != "moves":
        raise click.UsageError("--method positions counts --meaning moves, not orbits.")
    if is_listed and (checkpoint or cluster):
        raise click.UsageError("Positions are listed in one go: no --checkpoint or --cluster.")
    line = ProgressLine()
    limits = {} if threads is None else {"threads": threads}
    resources = Resources(
        memory=memory,
        checkpoint=checkpoint,
        cluster=cluster,
        progress=line.report,
        notice=line.notice,
        **limits,
    )
    try:
        if method == "backtrack":
            _announce_walk(start, resources)
        counts = count(
            start,
            of,
            up_to_symmetry=up_to_symmetry,
            meaning=meaning,
            method=method,
            resources=resources,
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


def _announce_walk(start: GridPosition, resources: Resources) -> None:
    """Say how long walking all games will take, if it is long."""
    from noughts.counting.walk import needs_compiling, walk_rate

    if needs_compiling():
        resources.notice("compiling the walk, once on this machine")
    if start.move_count > 25:
        games, size = None, f"more than 10^20 games of {start.game}"
    else:
        games = count_games(start).total
        size = f"{games:,} games"
    seconds = (games or 10**20) / (walk_rate(start) * resources.threads)
    if seconds > 30:
        click.echo(f"Walking {size} one by one takes about {duration(seconds)}.", err=True)


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
