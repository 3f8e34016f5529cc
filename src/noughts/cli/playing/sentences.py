"""Shows a game in sentences, for screen readers and logs: no drawings, and no rewritten lines.

A screen reader reads what is new, so every move comes with its consequences and whose turn it is.
The board, or a part of it, is read on request. A line is a few sentences; the terminal wraps it.
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
    """Prints sentences, without pictures, colours or lines that change."""

    options = ("--plain",)

    def greet(self, text: str, game: Game[Any]) -> None:
        """Print the text, the layout of the board, and its marks."""
        self.say(text)
        self.say(layout_in_words(game.position))
        self.board(game)

    def say(self, text: str) -> None:
        """Print the text on one line of any length."""
        click.echo(_spoken(text))

    def changed(self, what: str, game: Game[Any]) -> None:
        """Print the change, and whose turn it is."""
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
        """Print the move, its consequences, what it leads to, and whose turn it is."""
        assert game.last_move is not None
        sentences = [move_in_words(before, game.last_move)]
        if why:
            sentences.append(f"Outlook for {before.turn}: {why}.")
        if not is_answered:
            sentences.append(turn_in_words(game.position))
        self.say(" ".join(sentences).rstrip())

    def ended(self, how: str) -> None:
        """Print the result."""
        self.say(how)

    def board(self, game: Game[Any]) -> None:
        """Print all rows, or all small boards."""
        self.say("\n".join(board_in_words(game.position)))

    def values(self, game: Game[Any], found: Analysis) -> None:
        """List what every move leads to."""
        self.moves(found)

    def listing(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print a line for each."""
        self.say("\n".join(f"{name}: {what}" for name, what in rows))

    def complain(self, error: Exception, place: str | None) -> None:
        """Print the error, with its place if it has one."""
        where = [] if place is None else ["Error", place]
        click.echo(": ".join(filter(None, [*where, str(error)])), err=True)

    def thinking(self) -> AbstractContextManager[None]:
        """Print nothing: it happens at every move."""
        return nullcontext()

    def notice(self, message: str) -> None:
        """Print the message, as this may take a while."""
        self.say(f"One moment: {message}.")


def _spoken(text: str) -> str:
    """Return the text with the sign for "about" as a word, which screen readers need."""
    return text.replace("~ ", "about ")
