"""What a sitting has to tell, whoever tells it: `PicturePresenter` or `SentencePresenter`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.values import Analysis

__all__ = ["Presenter"]

_MOST_NAMES = 60  # of moves that nobody looked into


class Presenter(ABC):
    """Tells people at the table what happens."""

    options: Sequence[str] = ()
    """What to write on the command line to have it told like this."""

    @abstractmethod
    def greet(self, text: str, game: Game[Any]) -> None:
        """Say who plays what, and how the board lies."""

    @abstractmethod
    def say(self, text: str) -> None:
        """Say something short."""

    @abstractmethod
    def changed(self, what: str, game: Game[Any]) -> None:
        """Tell that something happened to the game, and how it stands now."""

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
        """Tell the last move, why it was made, and how the game stands now.

        It may be seen already, where it was typed, and the computer may be about to answer it.
        """

    @abstractmethod
    def ended(self, how: str) -> None:
        """Tell how the game ended."""

    @abstractmethod
    def board(self, game: Game[Any]) -> None:
        """Tell all that lies on the board."""

    @abstractmethod
    def values(self, game: Game[Any], found: Analysis) -> None:
        """Tell what every move is worth, on the board where there is one."""

    @abstractmethod
    def listing(self, rows: Iterable[tuple[str, str]]) -> None:
        """Tell names, and what there is to say about each."""

    @abstractmethod
    def complain(self, error: Exception, place: str | None) -> None:
        """Say what cannot be done and why; what was typed just now needs no place."""

    @abstractmethod
    def thinking(self) -> AbstractContextManager[None]:
        """Tell that the computer thinks, as long as it does."""

    @abstractmethod
    def notice(self, message: str) -> None:
        """Tell why it takes longer this time."""

    def moves(self, found: Analysis) -> None:
        """Tell what every move leads to, from best to worst; like ones together."""
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
