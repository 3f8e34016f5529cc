"""Who plays in a match: our levels, somebody's program, another library; all answer alike.

A player that cannot go on raises `Forfeit`, which costs it that game and nothing else: for
the next game it is asked again. Any other error is not the player's fault and ends the match.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from noughts.engine.limit import Limit
from noughts.rules.game import Game
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import UltimatePosition

__all__ = ["Answer", "AnyGame", "AnyPosition", "Fault", "MatchPlayer"]

AnyPosition: TypeAlias = GridPosition | UltimatePosition
AnyGame: TypeAlias = Game[GridPosition | UltimatePosition]


class Fault(StrEnum):
    """Why a player lost without being beaten: the cause of a `Forfeit`."""

    ILLEGAL = "illegal move"
    TIME = "time-out"
    CRASH = "crash"
    FLOOD = "flood"
    REFUSAL = "refusal"  # it said that it cannot go on


@dataclass(frozen=True)
class Answer:
    """A move, and what its player says about it."""

    move: int
    info: str = ""


class MatchPlayer(Protocol):
    """What everybody answers who plays in a match."""

    @property
    def name(self) -> str:
        """How tables and records call it."""

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Get ready for a game, outside the clock; `seed` makes luck repeatable."""

    def choose(self, game: AnyGame, limit: Limit, patience: float) -> Answer:
        """Return a move for the side to move.

        After `patience` seconds, which are a little more than the limit, nobody waits any more.
        """

    def close(self) -> None:
        """Let go of processes and memory; may be called twice."""
