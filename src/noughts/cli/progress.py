"""One line on stderr with the progress of a long count."""

from __future__ import annotations

import sys
import time

import click

from noughts.cli.output import is_dumb_terminal
from noughts.cli.units import duration

__all__ = ["ProgressLine"]


class ProgressLine:
    """A line that is rewritten in place on a terminal, and not shown elsewhere.

    The time left is estimated from the speed since the first report, so that the work of an
    earlier run does not count.
    """

    def __init__(self, quiet: bool = False) -> None:
        self.share = 0.0
        is_terminal = sys.stderr is not None and sys.stderr.isatty() and not is_dumb_terminal()
        self._is_shown = is_terminal and not quiet
        self._begin: tuple[float, float] | None = None
        self._last = 0.0
        self._has_line = False

    def report(self, share: float) -> None:
        """Record the share of the work that is done, and show it a few times a second."""
        now = time.monotonic()
        self.share = share
        if self._begin is None:
            self._begin = now, share
        if not self._is_shown or now - self._last < 0.2:
            return
        began, at = self._begin
        left = ""
        if share > at and now - began > 1:
            left = f", about {duration((now - began) * (1 - share) / (share - at))} left"
        self._write(f"{share * 100:5.1f} %{left}")
        self._last = now

    def status(self, text: str) -> None:
        """Show a text, a few times a second, where the share of the work is not known."""
        now = time.monotonic()
        if self._is_shown and now - self._last >= 0.2:
            self._write(text)
            self._last = now

    def notice(self, message: str) -> None:
        """Show a message that the user should read while waiting."""
        if self._is_shown:
            self._write(f"{message} ...")

    def clear(self) -> None:
        """Remove the line."""
        if self._has_line:
            self._write("")
            self._has_line = False

    def _write(self, text: str) -> None:
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)
        self._has_line = True
