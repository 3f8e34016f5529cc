"""What every command gives back alike: JSON lines, complaints and exit codes.

====  =========================================
0     fine
1     the answer is no (an invalid board)
2     wrong usage, or input that cannot be read
130   interrupted (Ctrl-C)
====  =========================================
"""

from __future__ import annotations

import json

import click

from noughts.errors import NotationError

__all__ = ["EXIT_INTERRUPTED", "EXIT_NO", "EXIT_UNUSABLE", "complain", "echo_json"]

EXIT_NO, EXIT_UNUSABLE, EXIT_INTERRUPTED = 1, 2, 130


def echo_json(data: object) -> None:
    """Print one JSON object on a line of its own."""
    click.echo(json.dumps(data))


def complain(error: Exception, place: str = "") -> None:
    """Print an error to stderr: where it is, what it is, and the character it points at."""
    where = f"{place}: " if place else ""
    click.echo(f"{click.style('Error:', fg='red')} {where}{error}", err=True)
    if isinstance(error, NotationError) and (pointer := error.pointer()):
        click.echo("\n".join(f"    {line}" for line in pointer.splitlines()), err=True)
