"""The interface of what is shown during a game; `pictures` and `sentences` implement it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.values import Analysis

__all__ = ["Presenter"]

_MOST_NAMES = 60  # of moves that were not examined


class Presenter(ABC):
    """Shows the people who play what happens in their game."""

    options: Sequence[str] = ()
    """The command line options that choose this presenter."""

    @abstractmethod
    def greet(self, text: str, game: Game[Any]) -> None:
        """Show who plays which side, and the board."""

    @abstractmethod
    def say(self, text: str) -> None:
        """Show a short text."""

    @abstractmethod
    def changed(self, what: str, game: Game[Any]) -> None:
        """Show a change of the game that is not a move, and the position after it."""

    @abstractmethod
    def played(
        self,
        before: Position,
        game: Game[Any],
        why: str = "",
        *,
        is_seen: bool = False,
        is_answered: bool = False,
    ) -> None:
        """Show the last move, what it leads to (`why`), and the position after it.

        The move is on the screen already (`is_seen`) if it was typed at a prompt; with
        `is_answered` the computer plays next.
        """

    @abstractmethod
    def ended(self, how: str) -> None:
        """Show how the game ended."""

    @abstractmethod
    def board(self, game: Game[Any]) -> None:
        """Show the board."""

    @abstractmethod
    def values(self, game: Game[Any], found: Analysis) -> None:
        """Show the value of every move, on the board if there is one."""

    @abstractmethod
    def listing(self, rows: Iterable[tuple[str, str]]) -> None:
        """Show a table of names and descriptions."""

    @abstractmethod
    def complain(self, error: Exception, place: str | None) -> None:
        """Show an error; without a place, it is about the line that was just typed."""

    @abstractmethod
    def thinking(self) -> AbstractContextManager[None]:
        """Show that the computer is thinking, for the duration of this context."""

    @abstractmethod
    def notice(self, message: str) -> None:
        """Show why the answer takes longer than usual."""

    def moves(self, found: Analysis) -> None:
        """Show what every move leads to, from best to worst, grouped by result."""
        groups: dict[str, list[str]] = {}
        for known in found.moves:
            words = known.phrase if known.is_examined else "not looked into"
            groups.setdefault(words, []).append(found.position.move_name(known.move))
        rows = []
        for words, names in groups.items():
            if words.startswith("not ") and len(names) > _MOST_NAMES:
                names = [f"{'all' if len(groups) == 1 else 'the other'} {len(names):,} moves"]
            rows.append((words, " ".join(names)))
        self.listing(rows)
