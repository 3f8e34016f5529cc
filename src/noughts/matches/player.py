"""The interface of a player in a match: our engine, a program of others, another library.

A player that cannot go on raises `Forfeit` and loses that game only: it plays the next game of
the match. Any other error ends the match.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from noughts.limits import Limits
from noughts.rules.game import Game
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import UltimatePosition

__all__ = ["Answer", "AnyGame", "AnyPosition", "Fault", "MatchPlayer"]

AnyPosition: TypeAlias = GridPosition | UltimatePosition
AnyGame: TypeAlias = Game[GridPosition | UltimatePosition]


class Fault(StrEnum):
    """Why a player lost a game by forfeit: the cause of a `Forfeit`."""

    ILLEGAL = "illegal move"
    TIME = "time-out"
    CRASH = "crash"
    FLOOD = "flood"
    REFUSAL = "refusal"  # it answered with an error


@dataclass(frozen=True)
class Answer:
    """A move, and the player's remark about it."""

    move: int
    info: str = ""


class MatchPlayer(Protocol):
    """Plays in a match."""

    @property
    def name(self) -> str:
        """The name in tables and records."""

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Get ready for a game, before the clock runs; `seed` makes random choices repeatable."""

    def choose(self, game: AnyGame, limit: Limits, timeout: float) -> Answer:
        """Return a move for the side to move.

        After `timeout` seconds, a little more than the limit, the move comes too late.
        """

    def close(self) -> None:
        """Release processes and memory; may be called twice."""
