"""``noughts engine``: our engine as a program that others can ask."""

from __future__ import annotations

import sys

import click

from noughts import __version__
from noughts.limits import MOST_THREADS
from noughts.matches.players import LEVELS, EnginePlayer, LevelPlayer
from noughts.matches.server import Server

__all__ = ["command"]


@click.command("engine")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    help="Play like this level of 'noughts play'; else with full strength.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    default=1,
    show_default=True,
    help="Cores to think on.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Other luck.")
def command(level: str | None, threads: int, seed: int) -> None:
    """Speak the engine protocol on stdin and stdout.

    For matches, and for programs that want a move. docs/protocol.md describes it; an answer
    to what makes no sense is a line that begins with error. Ends with quit, or with stdin.

    \b
    Commands:
      noughts 1                        who are you?
      game ultimate                    a new game
      position ultimate moves ee ea    the position
      go time 0.2                      or: go nodes 1000, go infinite
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
