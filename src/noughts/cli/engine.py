"""``noughts engine``: the engine as a program, for matches and other programs."""

from __future__ import annotations

import sys

import click

from noughts import __version__
from noughts.cli.units import SEED
from noughts.limits import MOST_THREADS
from noughts.matches.players import LEVELS, EnginePlayer, LevelPlayer
from noughts.matches.server import Server

__all__ = ["command"]


@click.command("engine")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    help="Play at this level of 'noughts play'.  [default: full strength]",
)
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    default=1,
    show_default=True,
    help="Threads of the search.",
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of the random choices.")
def command(level: str | None, threads: int, seed: int) -> None:
    """Speak the engine protocol on stdin and stdout.

    docs/protocol.md describes the protocol. A line that the engine cannot use gets an answer
    that begins with error. The engine ends on quit, and at the end of stdin.

    \b
    Commands:
      noughts 1                        greet; answers name and ready
      game ultimate                    begin a game; answers ready
      position ultimate moves ee ea    set the position
      go time 0.2                      search; also nodes 1000, infinite
      stop, isready, quit

    \b
    Examples:
      noughts engine
      printf 'position 4x4x3\\ngo nodes 100\\n' | noughts engine
      noughts match 'cmd:noughts engine --threads 2' cmd:./mybot
    """
    name = f"noughts {__version__}"
    player = (
        LevelPlayer(f"{name} {level}", level, threads) if level else EnginePlayer(name, threads)
    )
    server = Server(player, click.echo, seed)
    if sys.stdin is not None:
        server.run(sys.stdin.buffer)
