"""A save file: a game as one line of text, after remarks on who plays it.

::

    # X: person, O: casual
    4x4x3 b2 a1 | c3

Lines that begin with # are remarks. Only the two kinds that say who plays and who resigned are
read; a file may also have just the game.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from noughts.cli.output import write_file
from noughts.cli.reading import items
from noughts.errors import IllegalMove, NotationError, NoughtsError
from noughts.players import levels_of
from noughts.rules.game import Game
from noughts.rules.player import Player

__all__ = ["SavedGame", "read_game", "write_game"]

_PLAYERS = re.compile(r"# X: (\w+), O: (\w+)\s*")
_RESIGNED = re.compile(r"# ([XO]) resigned\s*")


@dataclass(frozen=True)
class SavedGame:
    """A game and who plays it; `people` and `level` are None if the file does not say."""

    game: Game[Any]
    people: frozenset[Player] | None = None
    level: str | None = None
    resigned: Player | None = None

    def __post_init__(self) -> None:
        if (outcome := self.game.start.outcome) is not None:
            raise IllegalMove(f"the game is over: {outcome}")

    @property
    def text(self) -> str:
        """The content of the file."""
        lines = []
        if self.people is not None:
            x, o = ("person" if side in self.people else self.level for side in Player)
            lines.append(f"# X: {x}, O: {o}")
        if self.resigned is not None:
            lines.append(f"# {self.resigned} resigned")
        return "".join(f"{line}\n" for line in [*lines, self.game.text])


def write_game(name: str, saved: SavedGame, *, over: bool = False) -> None:
    """Write a game to a file atomically; replace an existing one only with `over`."""
    path = os.path.expanduser(name)
    if not over and os.path.lexists(path):
        raise NoughtsError(f"{_quoted(name)} exists already; save! {name} replaces it")
    write_file(path, saved.text)


def read_game(name: str) -> SavedGame:
    """Read a game from a file; errors name the line."""
    path = os.path.expanduser(name)
    if path == "-":
        path = os.path.join(os.curdir, path)  # not stdin, where the moves come from
    if os.path.exists(path) and not os.path.isfile(path):
        raise NoughtsError(f"cannot read {_quoted(name)}: it is not a file")
    game: Game[Any] | None = None
    players: Sequence[str] = ()
    resigned = None
    for item in items([], [path], "a game"):
        where = f"{item.place}: " if item.place else ""
        try:
            text = item.text()
            if match := _PLAYERS.fullmatch(text):
                players = match.groups()
            elif match := _RESIGNED.fullmatch(text):
                resigned = Player(match[1])
            if item.is_blank or item.is_remark:
                continue
            if game is not None:
                raise NotationError("a second game; a saved game is one line")
            game = Game.parse(text)
        except NotationError as error:
            raise NotationError(f"{where}{error}", error.text, error.offset) from None
        except NoughtsError as error:
            raise NoughtsError(f"{where}{error}") from None
    if game is None:
        raise NotationError(f"{_quoted(name)} does not contain a game")
    people, level = _seats(name, game, players) if players else (None, None)
    return SavedGame(game, people, level, resigned)


def _seats(
    name: str, game: Game[Any], players: Sequence[str]
) -> tuple[frozenset[Player], str | None]:
    """Return the sides that people play, and the level of the others."""
    people = frozenset(side for side, who in zip(Player, players, strict=True) if who == "person")
    levels = {*players} - {"person"}
    if len(levels) > 1 or not levels <= {*levels_of(game.start)}:
        known = ", ".join(levels_of(game.start))
        raise NotationError(
            f"{_quoted(name)}: X cannot be {players[0]} and O {players[1]} at {game.start.game}, "
            f"but person or one of its levels: {known}"
        )
    return people, next(iter(levels), None)


def _quoted(name: str) -> str:
    return repr(click.format_filename(name))
