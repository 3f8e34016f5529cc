"""``noughts games``: listing games."""

from __future__ import annotations

from collections.abc import Iterator

import click

from noughts.cli.output import echo_json
from noughts.cli.units import SEED
from noughts.counting.listing import Games, Moves
from noughts.errors import NoughtsError, brief
from noughts.rules.grid import Grid
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition

__all__ = ["command"]


@click.command("games")
@click.argument("grid", metavar="GRID")
@click.option(
    "--outcome",
    type=click.Choice(["X_wins", "O_wins", "draw"]),
    help="List only games with this outcome.",
)
@click.option("--from", "position", metavar="POSITION", help="List games from this position on.")
@click.option("--prefix", metavar="MOVES", help="List only games that begin with these moves.")
@click.option(
    "--start", type=int, default=0, metavar="I", help="Begin with game number I (default: 0)."
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="Stop after N games (default: list all).",
)
@click.option(
    "--sample", type=click.IntRange(min=0), metavar="N", help="Draw N games at random instead."
)
@click.option(
    "--seed", type=SEED, metavar="S", help="Seed of the random choices (default: random)."
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object per game.")
def command(
    grid: str,
    outcome: str | None,
    position: str | None,
    prefix: str | None,
    start: int,
    limit: int | None,
    sample: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """List games in lexicographic order, one per line, from any number on.

    Games are numbered from 0. With --outcome, only the games with that outcome are numbered. In
    a sample every game is equally likely.

    \b
    Examples:
      noughts games 3x3x3 --limit 5
      noughts games 4x4x3 --start 1000000000000 --limit 3
      noughts games 4x4x3 --outcome draw --sample 2 --seed 1 --json
    """
    if seed is not None and sample is None:
        raise click.UsageError("--seed is for --sample.")
    if sample is not None and (start or limit is not None):
        raise click.UsageError("--sample draws from all games; it takes no --start or --limit.")
    shape = Grid.parse(grid)
    begin = GridPosition.start(shape) if position is None else GridPosition.parse(position, shape)
    try:
        games = Games(begin, prefix=prefix or "", outcome=outcome)
    except NoughtsError as error:
        raise click.UsageError(f"--prefix {brief(prefix)}: {error}") from None
    if sample is not None:
        found = _drawn(games, games.sample_numbers(sample, seed))
    else:
        walked = games.walk_outcomes(start, None if limit is None else start + limit)
        found = ((start + place, *game) for place, game in enumerate(walked))
    for number, moves, verdict in found:
        if as_json:
            echo_json({"index": str(number), "moves": list(moves), "outcome": verdict.value})
        else:
            names = " ".join(map(begin.move_name, moves))
            click.echo(f"{number}: {names} {verdict}")


def _drawn(games: Games, numbers: Iterator[int]) -> Iterator[tuple[int, Moves, Verdict]]:
    for number in numbers:
        moves = games[number]
        yield number, moves, games.outcome_of(moves)
