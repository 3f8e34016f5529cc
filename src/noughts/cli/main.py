"""The entry point: finds the command, and turns every ending into an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn

import click

from noughts import __version__
from noughts.cli.ending import ended_like_ctrl_c
from noughts.cli.output import EXIT_INTERRUPTED, EXIT_UNUSABLE, colour_wanted, complain
from noughts.errors import NoughtsError

__all__ = ["main", "run"]

COMMANDS = {
    "check": "Judge boards: whose turn, who won, draw or invalid, and why.",
    "replay": "Replay a list of moves, and reject the bad ones.",
    "trace": "Show the textbook form of an exercise step by step.",
    "show": "Draw a position or a game, as text or SVG.",
    "perft": "Count the move sequences of a given length.",
    "count": "Count every game, position or ending on a grid, exactly.",
    "games": "List games, from any number on, or random ones.",
    "play": "Play against the computer or another person.",
    "puzzle": "Solve a puzzle: win in N, the only move that draws, the block.",
    "solve": "Prove who wins with best play, in how many plies, and how.",
    "explore": "Show every move's proved value and the games behind it.",
    "analyse": "Value every move: proved where possible, else estimated.",
    "grade": "Grade a solution of an exercise, with the smallest counterexample.",
    "verify": "Check proofs of who wins, without the solver.",
    "match": "Play a match between two players: levels, programs, OpenSpiel.",
    "engine": "Speak the engine protocol on stdin and stdout.",
    "serve": "Serve the page and the HTTP API.",
    "export": "Write data sets of positions, moves and games with exact labels.",
    "table": "Build and inspect tables: the value of every position.",
}
"""Every command with its one-line help; the module of a command has its name."""


class _Commands(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            close = get_close_matches(name, COMMANDS, 1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"No such command {name!r}.{hint}")
        command = import_module(f"noughts.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    # Help is printed while the context is made, everything else when the command is invoked.

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _closed_pipe_is_fine():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> object:
        with _closed_pipe_is_fine():
            result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
            return result


@contextmanager
def _closed_pipe_is_fine() -> Iterator[None]:
    """End quietly when the reader of the output stops reading, as with ``| head``."""
    try:
        yield
    except BrokenPipeError:
        _drop_output()
        raise click.exceptions.Exit(0) from None


def _drop_output() -> None:
    """Discard what is still buffered, so that Python does not write it at its end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    try:
        code = commands.main(arguments, "noughts", standalone_mode=False, color=colour_wanted())
    except click.ClickException as error:
        error.show()
        return EXIT_UNUSABLE
    except click.Abort:
        return EXIT_INTERRUPTED
    except NoughtsError as error:
        complain(error)
        return EXIT_UNUSABLE
    except OSError as error:  # only stdout: files and clusters raise errors of noughts
        _drop_output()
        complain(NoughtsError(f"cannot write the output: {error.strerror or error}"))
        return EXIT_UNUSABLE
    return code if isinstance(code, int) else 0


def run() -> NoReturn:
    """Run the command line of this process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # for characters that the terminal lacks
    with ended_like_ctrl_c():
        sys.exit(main())
