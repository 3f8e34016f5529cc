"""The way in: finds the command, and turns every ending into a documented exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from noughts import __version__
from noughts.cli.output import EXIT_INTERRUPTED, EXIT_UNUSABLE, complain
from noughts.errors import NoughtsError

__all__ = ["main", "run"]

COMMANDS = {
    "check": "Judge boards: whose turn, who won, draw or invalid, and why.",
    "replay": "Replay a list of moves, rejecting the bad ones.",
    "show": "Draw a position or a game, as text or SVG.",
    "perft": "Count the move sequences of a given length.",
}
"""Every command with its one-line help; its module in this package has its name."""


class _Commands(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = import_module(f"noughts.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever read our output has seen enough, as with `| head`: no error. What is
            # still buffered must not be written when Python closes stdout.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        return result


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Run 'noughts COMMAND --help' for examples.",
)
@click.version_option(__version__, message="noughts %(version)s")
def commands() -> None:
    """Judge, replay, draw and count the tic-tac-toe family.

    Any grid with k in a row, and Ultimate tic-tac-toe.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    colour = False if os.environ.get("NO_COLOR") else None  # None: where the terminal can
    try:
        code = commands.main(arguments, "noughts", standalone_mode=False, color=colour)
    except click.ClickException as error:
        error.show()
        return EXIT_UNUSABLE
    except click.Abort:
        return EXIT_INTERRUPTED
    except NoughtsError as error:
        complain(error)
        return EXIT_UNUSABLE
    return code if isinstance(code, int) else 0


def run() -> NoReturn:
    """Run the command line of this process."""
    sys.exit(main())
