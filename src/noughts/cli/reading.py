"""Where commands get their input: arguments, files, or stdin; one item a line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import click

from noughts.errors import NotationError

__all__ = ["Item", "file_option", "items"]

file_option = click.option(
    "-f",
    "--file",
    "files",
    multiple=True,
    metavar="FILE",
    help="Read from a file, one per line; '-' is stdin. May be repeated.",
)


@dataclass(frozen=True, slots=True)
class Item:
    """One line or argument: its bytes or text, and its place for messages."""

    raw: bytes | str
    place: str
    line: int | None

    def text(self) -> str:
        """Return the item as text, or raise if it is none."""
        if isinstance(self.raw, str):
            return self.raw
        try:
            return self.raw.decode()
        except UnicodeDecodeError as error:
            byte = self.raw[error.start]
            message = f"not text: byte 0x{byte:02x} at column {error.start + 1} is not UTF-8"
            raise NotationError(message) from None


def items(arguments: Sequence[str], files: Sequence[str], what: str) -> Iterator[Item]:
    """Yield the items that a command was given, streaming from files or stdin.

    Arguments and files come in this order; with neither, stdin is read.
    """
    for number, argument in enumerate(arguments, 1):
        yield Item(argument, f"argument {number}" if len(arguments) > 1 else "", None)
    if not arguments and not files:
        if sys.stdin is None or sys.stdin.isatty():
            raise click.UsageError(f"Give {what} as an argument, with --file, or on stdin.")
        files = ("-",)
    for name in files:
        if name == "-":
            yield from _lines(sys.stdin.buffer, "")
            continue
        try:
            with open(name, "rb") as stream:
                yield from _lines(stream, f"{click.format_filename(name)}, ")
        except OSError as error:
            reason = error.strerror or str(error)
            message = f"Cannot read {click.format_filename(name)}: {reason}."
            raise click.UsageError(message) from None


def _lines(stream: BinaryIO | Iterable[bytes], name: str) -> Iterator[Item]:
    for number, raw in enumerate(stream, 1):
        line = raw.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")  # a byte order mark is not content
        yield Item(line, f"{name}line {number}", number)
