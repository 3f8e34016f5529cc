"""The table of levels: what each is called, in which game, and what it does.

Help texts, the page, the HTTP API and the notebook take their texts from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from noughts.errors import NotationError, brief
from noughts.rules.game import Game
from noughts.rules.parsing import position_of
from noughts.rules.position import Position
from noughts.rules.ultimate import UltimatePosition

__all__ = ["GRID_LEVELS", "ULTIMATE_LEVELS", "Level", "level_named", "levels_of"]


@dataclass(frozen=True)
class Level:
    """A strength of the computer; `simulations` is what its engine may run for a move."""

    name: str
    about: str
    simulations: int | None = None


def _searching(name: str, simulations: int) -> Level:
    return Level(name, f"tries {simulations:,} lines of play", simulations)


def _by_name(*levels: Level) -> Mapping[str, Level]:
    return MappingProxyType({level.name: level for level in levels})


GRID_LEVELS = _by_name(
    Level("beginner", "plays at random, spots half of the wins"),
    Level("casual", "completes lines, overlooks one threat in six, has an eye for open lines"),
    Level("strong", "perfect, but for one move in eight, which is second best"),
    Level("perfect", "never errs where it can be proved; otherwise the engine's best"),
)
"""The levels on grids by name, from the weakest on."""

ULTIMATE_LEVELS = _by_name(
    Level("beginner", "plays at random, spots half of the boards it can capture"),
    Level("casual", "captures and blocks boards, and looks where the move sends the opponent"),
    _searching("skilled", 40),
    _searching("strong", 400),
    _searching("expert", 4_000),
    Level("full", "thinks for all of its time"),
)
"""The levels at Ultimate by name, from the weakest on."""


def levels_of(where: Position | Game[Any] | str) -> Mapping[str, Level]:
    """Return the levels of a position's game by name, from the weakest on.

    >>> list(levels_of("3x3x3"))
    ['beginner', 'casual', 'strong', 'perfect']
    """
    position = position_of(where)
    return ULTIMATE_LEVELS if isinstance(position, UltimatePosition) else GRID_LEVELS


def level_named(where: Position | Game[Any] | str, text: str) -> Level:
    """Return a level of a game by its name, or its number from 1 on.

    >>> level_named("ultimate", "6").name, level_named("3x3x3", "Casual").name
    ('full', 'casual')
    """
    position = position_of(where)
    levels = levels_of(position)
    by_number = dict(zip(map(str, range(1, len(levels) + 1)), levels.values(), strict=True))
    level = levels.get(text.lower()) or by_number.get(text) if isinstance(text, str) else None
    if level is None:
        raise NotationError(
            f"{brief(text)} is not a level of {position.game}: "
            f"1 to {len(levels)}, or {', '.join(levels)}"
        )
    return level
