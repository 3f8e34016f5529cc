"""A level's move, in any game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from noughts.engine.engine import Engine
from noughts.errors import IllegalMove
from noughts.limits import Limits, limits_of
from noughts.players import grid, ultimate
from noughts.players.levels import level_named, levels_of
from noughts.rules.game import Game
from noughts.rules.parsing import position_of
from noughts.rules.position import GridPosition, Position
from noughts.rules.ultimate import UltimatePosition
from noughts.values import MoveValue

__all__ = ["Choice", "choose_move"]


@dataclass(frozen=True)
class Choice:
    """A move that was chosen, and what is known about it; nothing where the level did not search.

    `note` says why not everything is proved on this board, if that is so.
    """

    move: int
    known: MoveValue | None = None
    note: str = ""

    @property
    def phrase(self) -> str:
        """What the move leads to, in words; empty where nothing is known."""
        return "" if self.known is None else self.known.phrase


def choose_move(
    where: Position | Game[Any] | str,
    level: str | None = None,
    limits: Limits | None = None,
    rng: Random | None = None,
    engine: Engine | None = None,
    on_notice: Callable[[str], None] | None = None,
) -> Choice:
    """Return the move that a player of this level makes; without one, of the best level.

    An engine that is handed in keeps what it learnt for the next move. The best level is
    deterministic without `rng`, as far as the time suffices; the others need randomness, and
    without `rng` each call has its own.

    >>> choice = choose_move("XX./OO./...")
    >>> choice.move, choice.phrase
    (2, 'wins in 1')
    """
    position = position_of(where)
    if position.outcome is not None:
        raise IllegalMove(f"the game is over: {position.outcome}")
    best = list(levels_of(position))[-1]
    chosen = level_named(position, best if level is None else level)
    limits = Limits(seconds=1.0) if limits is None else limits_of(limits)
    note = ""
    if isinstance(position, UltimatePosition):
        known = ultimate.choose(position, chosen, limits, rng or Random(), engine)
    else:
        assert isinstance(position, GridPosition)
        known, note = grid.choose(position, chosen.name, limits, rng, engine, on_notice)
    return Choice(known.move, known if known.is_examined else None, note)
