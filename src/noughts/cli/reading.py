"""The input of commands: arguments, files, or stdin, one item per line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import click

from noughts.errors import NotationError, NoughtsError
from noughts.limits import human_size

__all__ = ["Item", "file_option", "items"]

MOST_BYTES = 1 << 28  # of a line: twice the largest board

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
    """One line or argument: its content, or the error of reading it, and its place for messages."""

    content: bytes | str | Exception
    place: str
    line: int | None = None

    @property
    def is_blank(self) -> bool:
        """Whether this is an empty line."""
        return self.content == b""

    @property
    def is_remark(self) -> bool:
        """Whether this is a line of a file that begins with ``#``."""
        return isinstance(self.content, bytes) and self.content.startswith(b"#")

    def text(self) -> str:
        """Return the item as text, or raise if it cannot be read."""
        if isinstance(self.content, str):
            return self.content
        if isinstance(self.content, Exception):
            raise self.content
        try:
            return self.content.decode()
        except UnicodeDecodeError as error:
            byte = self.content[error.start]
            message = f"not text: byte 0x{byte:02x} at column {error.start + 1} is not UTF-8"
            raise NotationError(message) from None


def items(arguments: Sequence[str], files: Sequence[str], what: str) -> Iterator[Item]:
    """Yield the items that a command was given, streaming from files or stdin.

    Arguments come first, then files; without either, stdin is read.
    """
    for number, argument in enumerate(arguments, 1):
        yield Item(argument, f"argument {number}" if len(arguments) > 1 else "")
    if not arguments and not files:
        if sys.stdin is None or sys.stdin.isatty():
            raise click.UsageError(f"Give {what} as an argument, with --file, or on stdin.")
        files = ("-",)
    for name in files:
        if name == "-":
            if sys.stdin is not None:
                yield from _lines(sys.stdin.buffer, "")
            continue
        try:
            with open(name, "rb") as stream:
                yield from _lines(stream, f"{click.format_filename(name)}, ")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            message = f"cannot read {click.format_filename(name)!r}: {reason}"
            yield Item(NoughtsError(message), "")


def _lines(stream: BinaryIO, name: str) -> Iterator[Item]:
    for number, raw in enumerate(iter(lambda: stream.readline(MOST_BYTES + 1), b""), 1):
        if len(raw) > MOST_BYTES:  # the rest may have no end, as in /dev/zero
            message = f"the line is longer than {human_size(MOST_BYTES)}"
            yield Item(NoughtsError(message), f"{name}line {number}", number)
            return
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")  # a byte order mark is not content
            if not raw:
                return
        yield Item(raw.removesuffix(b"\n").removesuffix(b"\r"), f"{name}line {number}", number)
