"""From a name on the command line to a player.

::

    random                  any legal move
    casual                  one of the levels that people play against
    engine:threads=2        our engine; the same as the level full, also on grids
    uct                     textbook UCT with random playouts (at Ultimate), as a yardstick
    openspiel:c=1.4         OpenSpiel's search, if it is installed
    cmd:./mybot --fast      a program that speaks the protocol of docs/protocol.md

Settings follow a colon, separated by commas.
"""

from __future__ import annotations

import math

from noughts.errors import NotationError, brief
from noughts.matches.external import STARTUP, ExternalPlayer
from noughts.matches.player import MatchPlayer
from noughts.matches.players import LEVELS, EnginePlayer, LevelPlayer, RandomPlayer

__all__ = ["player_of"]


def player_of(text: str, startup: float = STARTUP) -> MatchPlayer:
    """Return the player that a text names; a program is started, and has to be closed.

    >>> player_of("random").name
    'random'
    """
    name, _, rest = text.partition(":")
    if name == "cmd":
        return ExternalPlayer(rest, text, startup)
    settings = _Settings(text, rest)
    if name == "random":
        player: MatchPlayer = RandomPlayer(text)
    elif name == "openspiel":
        from noughts.matches.openspiel import OpenSpielPlayer

        player = OpenSpielPlayer(text, c=settings.number("c", 1.0))
    elif name in ("engine", "uct"):
        player = EnginePlayer(text, settings.count("threads", 1), plain=name == "uct")
    elif name in LEVELS:
        player = LevelPlayer(text, name, settings.count("threads", 1))
    else:
        known = ", ".join([*LEVELS, "engine", "uct", "random", "openspiel", "cmd:COMMAND"])
        raise NotationError(f"{brief(text)} is not a player: {known}")
    settings.require_all_used()
    return player


class _Settings:
    """What follows a name: ``threads=2,c=1.4``; every setting must be one that is asked for."""

    def __init__(self, text: str, rest: str) -> None:
        self._text = text
        self._values: dict[str, str] = {}
        for part in rest.split(",") if rest else []:
            key, equals, value = part.partition("=")
            if not key or not equals or not value or key in self._values:
                raise NotationError(f"settings are like threads=2,c=1.4, not {brief(rest)}")
            self._values[key] = value
        self._asked: list[str] = []

    def number(self, key: str, default: float) -> float:
        """Return a number above 0."""
        self._asked.append(key)
        text = self._values.get(key)
        if text is None:
            return default
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not 0 < number < math.inf:
            raise NotationError(f"{key} must be a number above 0, not {brief(text)}")
        return number

    def count(self, key: str, default: int) -> int:
        """Return a whole number; whether it is one that can be used is for others to say."""
        self._asked.append(key)
        text = self._values.get(key, str(default))
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise NotationError(f"{key} must be a whole number, not {brief(text)}")
        return int(text)

    def require_all_used(self) -> None:
        """Refuse settings that nobody asked for."""
        for key in self._values:
            if key not in self._asked:
                known = f"; it has {', '.join(self._asked)}" if self._asked else ""
                raise NotationError(f"{brief(self._text)} has no setting {brief(key)}{known}")
