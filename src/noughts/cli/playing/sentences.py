"""A game told in sentences: nothing has to be looked at, and nothing is ever rewritten.

People who listen to a screen reader hear what has changed, and ask for what they want to hear
again. So a move is told with what came of it and whose turn it is, and the board is read on
request, all of it or a part. A line is a few sentences; if it is long, the terminal wraps it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import click

from noughts.cli.playing.presenter import Presenter
from noughts.cli.playing.words import (
    board_in_words,
    layout_in_words,
    move_in_words,
    turn_in_words,
)
from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.values import Analysis

__all__ = ["SentencePresenter"]


class SentencePresenter(Presenter):
    """Says what happens, without pictures, colours or lines that change."""

    options = ("--plain",)

    def greet(self, text: str, game: Game[Any]) -> None:
        """Say it, how the board lies, and what lies on it."""
        self.say(text)
        self.say(layout_in_words(game.position))
        self.board(game)

    def say(self, text: str) -> None:
        """Print it, however long the line."""
        click.echo(_spoken(text))

    def changed(self, what: str, game: Game[Any]) -> None:
        """Say it, and whose turn it is."""
        self.say(f"{what}. {turn_in_words(game.position)}".rstrip())

    def played(
        self,
        before: Position,
        game: Game[Any],
        why: str = "",
        *,
        is_seen: bool = False,
        is_answered: bool = False,
    ) -> None:
        """Say the move, what came of it and what is expected, and whose turn it is."""
        assert game.last_move is not None
        told = [move_in_words(before, game.last_move)]
        if why:
            told.append(f"Outlook for {before.turn}: {why}.")
        if not is_answered:
            told.append(turn_in_words(game.position))
        self.say(" ".join(told).rstrip())

    def ended(self, how: str) -> None:
        """Say it."""
        self.say(how)

    def board(self, game: Game[Any]) -> None:
        """Read all rows, or all small boards."""
        self.say("\n".join(board_in_words(game.position)))

    def values(self, game: Game[Any], found: Analysis) -> None:
        """List what every move leads to."""
        self.moves(found)

    def listing(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print a line for each."""
        self.say("\n".join(f"{name}: {what}" for name, what in rows))

    def complain(self, error: Exception, place: str | None) -> None:
        """Print it, and its place if there is one."""
        where = [] if place is None else ["Error", place]
        click.echo(": ".join(filter(None, [*where, str(error)])), err=True)

    def thinking(self) -> AbstractContextManager[None]:
        """Say nothing: it is short, and often."""
        return nullcontext()

    def notice(self, message: str) -> None:
        """Say it, as this may take a while."""
        self.say(f"One moment: {message}.")


def _spoken(text: str) -> str:
    """Return text without a sign that is written for "about", but not read aloud so."""
    return text.replace("~ ", "about ")
