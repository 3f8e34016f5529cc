"""The registry: turns a name on the command line into a player.

::

    random                  any legal move
    casual                  one of the levels that people play against
    engine:threads=2        the engine at full strength
    uct                     textbook UCT with random playouts (at Ultimate), as a yardstick
    openspiel:c=1.4         OpenSpiel's search, if it is installed
    cmd:./mybot --fast      a program that speaks the protocol of docs/protocol.md

Settings follow a colon, separated by commas.
"""

from __future__ import annotations

import math

from noughts.errors import NotationError, brief, require_text
from noughts.matches.external import STARTUP, ExternalPlayer
from noughts.matches.player import MatchPlayer
from noughts.matches.players import LEVELS, EnginePlayer, LevelPlayer, RandomPlayer

__all__ = ["player_of"]

_SETTINGS = {
    **dict.fromkeys([*LEVELS, "engine", "uct"], ("threads",)),
    "random": (),
    "openspiel": ("c",),
}
"""The settings of every player by its name."""


def player_of(text: str, startup: float = STARTUP) -> MatchPlayer:
    """Return the player that a text names; a program is started, and has to be closed.

    >>> player_of("random").name
    'random'
    """
    name, _, rest = require_text(text, "a player").partition(":")
    if name == "cmd":
        return ExternalPlayer(rest, text, startup)
    settings = _settings(text, name, rest)
    if name == "random":
        return RandomPlayer(text)
    if name == "openspiel":
        from noughts.matches.openspiel import OpenSpielPlayer

        return OpenSpielPlayer(text, _number("c", settings.get("c", "1")))
    threads = _whole("threads", settings.get("threads", "1"))
    if name in ("engine", "uct"):
        return EnginePlayer(text, threads, plain=name == "uct")
    return LevelPlayer(text, name, threads)


def _settings(text: str, name: str, rest: str) -> dict[str, str]:
    """Read the settings after a name, like ``threads=2``; refuse those that it does not have."""
    known = _SETTINGS.get(name)
    if known is None:
        names = ", ".join([*_SETTINGS, "cmd:COMMAND"])
        raise NotationError(f"{brief(text)} is not a player: {names}")
    settings: dict[str, str] = {}
    for part in rest.split(",") if rest else []:
        key, equals, value = part.partition("=")
        if not key or not equals or not value or key in settings:
            raise NotationError(f"settings are like threads=2,c=1.4, not {brief(rest)}")
        if key not in known:
            has = f"; it has {', '.join(known)}" if known else ""
            raise NotationError(f"{brief(text)} has no setting {brief(key)}{has}")
        settings[key] = value
    return settings


def _number(key: str, text: str) -> float:
    """Read a number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise NotationError(f"{key} must be a number above 0, not {brief(text)}")
    return number


def _whole(key: str, text: str) -> int:
    """Read a whole number; the player checks its range."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise NotationError(f"{key} must be a whole number, not {brief(text)}")
    return int(text)
