"""``noughts analyse``: what every move is worth."""

from __future__ import annotations

import click

from noughts.analysis import analyse
from noughts.cli.output import echo_json, picture_for_terminal
from noughts.cli.progress import ProgressLine
from noughts.cli.units import SEED, TIME
from noughts.engine import Engine
from noughts.limits import MOST_THREADS, Limits
from noughts.rules.game import Game
from noughts.values import Analysis

__all__ = ["command"]

_SHOWN = 10


@click.command("analyse")
@click.argument("game", metavar="GAME", nargs=-1, required=True)
@click.option(
    "--time",
    "seconds",
    type=TIME,
    help="Time limit, like 5s (default: 1s if there is no node limit).",
)
@click.option(
    "--nodes", type=click.IntRange(1), help="Most positions to visit (default: no limit)."
)
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    default=1,
    show_default=True,
    help="Threads of the search.",
)
@click.option(
    "--seed",
    type=SEED,
    default=0,
    show_default=True,
    help="Seed of the random choices.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    game: tuple[str, ...],
    seconds: float | None,
    nodes: int | None,
    threads: int,
    seed: int,
    as_json: bool,
) -> None:
    """Say what every move of a position is worth.

    GAME is a position, a grid or `ultimate`, and moves that follow. What is proved says so;
    everything else is an estimate, in percent. A node limit with one thread gives the same
    answer each time. `noughts solve` says only what is proved.

    \b
    Examples:
      noughts analyse ultimate ee ea --time 5s --threads 2
      noughts analyse 15x15x5 h8 i9 h9
    """
    position = Game.parse(" ".join(game)).position
    line = ProgressLine()
    try:
        found = analyse(
            position,
            Limits(seconds, nodes, threads=threads),
            lambda now: line.status(str(now)),
            engine=Engine(seed),
            on_notice=line.notice,
        )
    finally:
        line.clear()
    if as_json:
        echo_json(found.to_json())
        return
    click.echo(f"{found}")
    name = position.move_name
    click.echo(picture_for_terminal(position.diagram(values=_labels(found))))
    for each in found.moves[:_SHOWN]:
        click.echo(f"  {name(each.move):<4}{each!s:<12}{each.visits:>12,}")
    if len(found.moves) > _SHOWN:
        click.echo(f"  and {len(found.moves) - _SHOWN} more")
    click.echo(f"  line  {' '.join(name(move) for move in found.line[:20])}")
    click.echo(f"  {found.nodes:,} {found.unit} in {found.seconds:.1f} s", err=True)


def _labels(found: Analysis) -> dict[int, str]:
    """Return the labels of the moves that are listed; more would hide the board."""
    shown = {each.move for each in found.moves[:_SHOWN]}
    return {move: label for move, label in found.labels.items() if move in shown}
