"""Output that all commands share: JSON lines, errors, exit codes, drawings.

====  =========================================
0     fine
1     the answer is no (an invalid board)
2     wrong usage, or input that cannot be read
130   interrupted (Ctrl-C)
====  =========================================
"""

from __future__ import annotations

import json
import os
import shutil
import sys

import click

from noughts.drawing import Diagram, draw_text
from noughts.errors import NotationError
from noughts.storage import write_whole

__all__ = [
    "EXIT_INTERRUPTED",
    "EXIT_NO",
    "EXIT_UNUSABLE",
    "colour_wanted",
    "complain",
    "echo_json",
    "is_ascii_output",
    "is_dumb_terminal",
    "picture_for_terminal",
    "write_file",
]

EXIT_NO, EXIT_UNUSABLE, EXIT_INTERRUPTED = 1, 2, 130


def colour_wanted() -> bool | None:
    """Return False if the user wants no colour, else None: click decides by the terminal."""
    return False if os.environ.get("NO_COLOR") or is_dumb_terminal() else None


def is_dumb_terminal() -> bool:
    """Return whether the terminal can only print: no colours, no rewritten lines."""
    return os.environ.get("TERM") == "dumb"


def echo_json(data: object) -> None:
    """Print one JSON object on a line of its own."""
    click.echo(json.dumps(data))


def complain(error: Exception, place: str = "") -> None:
    """Print an error to stderr: where it is, what it is, and the character it points at."""
    where = f"{place}: " if place else ""
    lines = [f"{click.style('Error:', fg='red')} {where}{error}"]
    if isinstance(error, NotationError) and (pointer := error.pointer()):
        lines += [f"    {line}" for line in pointer.splitlines()]
    click.echo("\n".join(lines), err=True, color=colour_wanted())


def is_ascii_output() -> bool:
    """Return whether stdout cannot show the characters that pictures are made of."""
    try:
        "│·┼─".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return True
    return False


def picture_for_terminal(
    diagram: Diagram, *, ascii_only: bool = False, beside: int | None = None
) -> str:
    """Return a picture for stdout, in its width and with the characters that it can show.

    With `beside`, the picture and this number of other lines fit the height of the terminal.
    """
    stdout = sys.stdout
    colour = stdout is not None and stdout.isatty() and colour_wanted() is not False
    ascii_only = ascii_only or is_ascii_output()
    width, lines = shutil.get_terminal_size((80, 24))
    height = None if beside is None else lines - beside
    return draw_text(diagram, ascii_only=ascii_only, width=width, height=height, colour=colour)


def write_file(name: str, text: str) -> None:
    """Write a text file atomically."""
    write_whole(name, text, name=repr(click.format_filename(name)))
