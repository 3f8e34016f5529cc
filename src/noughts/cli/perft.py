"""``noughts perft``: counting move sequences."""

from __future__ import annotations

import click

from noughts.cli.output import echo_json
from noughts.errors import MissingExtra
from noughts.rules.parsing import start
from noughts.rules.perft import Counter
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import UltimatePosition

__all__ = ["command"]

_DEEP = 6  # from this depth on, compiled rules save more time than loading them takes


@click.command("perft")
@click.argument("game", metavar="GAME")
@click.argument("depth", type=int)
@click.option(
    "-p",
    "--position",
    metavar="P",
    help="Start from this position of the game.",
)
@click.option("--split", is_flag=True, help="Show how many sequences begin with each move.")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def command(game: str, depth: int, position: str | None, split: bool, as_json: bool) -> None:
    """Count the sequences of exactly DEPTH legal moves.

    A game that ends earlier contributes nothing. GAME is a grid like 3x3x3, 'ultimate',
    'ultimate-open', 'ultimate-most-boards' or 'ultimate-open-most-boards'.

    \b
    Examples:
      noughts perft 3x3x3 5
      noughts perft ultimate 4 --split
      noughts perft 3x3x3 2 --position XX./OO./... --json
    """
    begin = start(game)
    if position is not None:
        begin = _position_of(begin, position)
    counter = _counter(begin, depth)
    parts = counter.split(begin, depth) if split and depth else {}
    nodes = sum(parts.values()) if parts else counter.count(begin, depth)
    names = {begin.move_name(move): count for move, count in parts.items()}
    if as_json:
        more = {"split": {name: str(count) for name, count in names.items()}} if split else {}
        echo_json({"game": begin.game, "depth": depth, "nodes": str(nodes), **more})
        return
    width = len(f"{nodes:,}")
    for name, count in names.items():
        click.echo(f"{name:<5} {count:>{width},}")
    click.echo(f"{'total' if split else begin.game:<5} {nodes:>{width},}")


def _counter(begin: GridPosition | UltimatePosition, depth: int) -> Counter:
    """Return a counter: compiled where that is possible and faster, else with the pure rules."""
    if isinstance(begin, UltimatePosition) and depth >= _DEEP:
        try:
            from noughts.engine.ultimate.perft import CompiledCounter
            from noughts.kernels import COMPILED
        except MissingExtra:
            return Counter()
        if COMPILED:
            return CompiledCounter()
    return Counter()


def _position_of(
    game: GridPosition | UltimatePosition, text: str
) -> GridPosition | UltimatePosition:
    """Read a position of the same game."""
    if isinstance(game, UltimatePosition):
        return UltimatePosition.parse(text, game.variant)
    return GridPosition.parse(text, game.grid)
