"""Shows a game with drawn boards, in lines as wide as the terminal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from noughts.cli.output import complain, picture_for_terminal
from noughts.cli.playing.presenter import Presenter
from noughts.cli.progress import ProgressLine
from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.values import Analysis

__all__ = ["PicturePresenter"]

_BESIDE = 3  # lines that must fit beside the board: its headline, an empty one, the prompt
_LEGEND = "W3 wins in 3 moves of both sides, L4 loses in 4, D is a draw; 61% is a guess."


class PicturePresenter(Presenter):
    """Draws the board after every move."""

    def __init__(self, *, ascii_only: bool) -> None:
        self.options = ("--ascii",) if ascii_only else ()
        self._ascii_only = ascii_only
        self._line = ProgressLine()

    def greet(self, text: str, game: Game[Any]) -> None:
        """Print the text, and draw the board."""
        self.say(text)
        click.echo()
        self.board(game)

    def say(self, text: str) -> None:
        """Print the text in lines as wide as the terminal."""
        click.echo(_wrapped("", text))

    def changed(self, what: str, game: Game[Any]) -> None:
        """Print the change above the board."""
        click.echo(what)
        self.board(game)

    def played(
        self,
        before: Position,
        game: Game[Any],
        why: str = "",
        *,
        is_seen: bool = False,
        is_answered: bool = False,
    ) -> None:
        """Print the move above the board, unless it was typed there."""
        if not is_seen:
            assert game.last_move is not None
            name = before.move_name(game.last_move)
            click.echo(f"{before.turn} plays {name}{f' ({why})' if why else ''}")
        self.board(game)

    def ended(self, how: str) -> None:
        """Print the result in bold type."""
        click.secho(how, bold=True)

    def board(self, game: Game[Any]) -> None:
        """Draw the board, with an empty line below it."""
        click.echo(self._picture(game, {}))
        click.echo()

    def values(self, game: Game[Any], found: Analysis) -> None:
        """Draw the board with a label in every cell that may be played."""
        labels = found.labels
        picture = self._picture(game, labels)
        if any(label in picture for label in labels.values()):
            click.echo(picture)
            self.say(_LEGEND)
            click.echo()
        else:
            self.say("The terminal is too narrow for values on the board; moves lists them.")

    def _picture(self, game: Game[Any], labels: Mapping[int, str]) -> str:
        diagram = game.position.diagram(last=game.last_move, values=labels)
        return picture_for_terminal(diagram, ascii_only=self._ascii_only, beside=_BESIDE)

    def listing(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print two columns."""
        rows = list(rows)
        width = max(len(name) for name, _ in rows)
        for name, what in rows:
            click.echo(_wrapped(f"  {name:<{width}}  ", what))

    def complain(self, error: Exception, place: str | None) -> None:
        """Print the error, with its place unless it follows the line at fault."""
        if place is None:
            click.echo(_wrapped("", str(error)), err=True)
        else:
            complain(error, place)

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Show the word thinking meanwhile."""
        self._line.notice("thinking")
        try:
            yield
        finally:
            self._line.clear()

    def notice(self, message: str) -> None:
        """Show the message in place of the word thinking."""
        self._line.notice(message)


def _wrapped(begin: str, text: str) -> str:
    """Return rows as wide as the terminal, indented as far as the beginning of the first."""
    return textwrap.fill(
        text,
        max(shutil.get_terminal_size((80, 24)).columns, len(begin) + 20),
        initial_indent=begin,
        subsequent_indent=" " * len(begin),
        break_on_hyphens=False,
    )
