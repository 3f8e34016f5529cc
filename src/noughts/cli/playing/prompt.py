"""The lines that are typed at a prompt, or come from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from noughts.cli.reading import Item, items
from noughts.errors import NotationError

__all__ = ["Prompt"]


class Prompt:
    """Reads stdin; at a keyboard with a prompt, where the tab key completes these commands."""

    def __init__(self, commands: Iterable[str]) -> None:
        self.is_typed = sys.stdin is not None and sys.stdin.isatty()
        self.is_shown = self.is_typed and sys.stdout is not None and sys.stdout.isatty()
        self._commands = tuple(commands)

    def lines(self, words: Callable[[], str]) -> Iterator[Item]:
        """Yield line after line, until Ctrl-D or the end of the pipe; `words` are the prompt."""
        if self.is_typed:
            yield from self._typed(words)
        else:
            yield from items([], ["-"], "moves")

    def _typed(self, words: Callable[[], str]) -> Iterator[Item]:
        if self.is_shown:
            self._edit_lines()
        while True:
            try:
                yield Item(input(f"{words()}> " if self.is_shown else ""), "")
            except EOFError:
                click.echo()
                return
            except UnicodeDecodeError:
                yield Item(NotationError("that is not text; type help for what can be typed"), "")

    def _edit_lines(self) -> None:
        """Let the arrow keys work while typing, and the tab key complete commands."""
        with suppress(ImportError):
            readline: Any = import_module("readline")

            def complete(text: str, state: int) -> str | None:
                meant = [name for name in self._commands if name.startswith(text)]
                return next(iter(meant[state:]), None)

            readline.set_completer(complete)
            readline.parse_and_bind("tab: complete")
            # Bracketed paste sends codes around every line, which screen readers may read aloud.
            readline.parse_and_bind("set enable-bracketed-paste off")
