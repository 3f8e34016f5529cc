"""The two players, the six verdicts, and how a game ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Outcome", "Player", "Termination", "Verdict"]


class Player(StrEnum):
    """A side, equal to its mark: ``Player.X == "X"``. X moves first."""

    X = "X"
    O = "O"  # noqa: E741 - the mark's own name

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.O if self is Player.X else Player.X


class Verdict(StrEnum):
    """What a drawn board is; equal to its name in text and JSON."""

    X_TURN = "X_turn"
    O_TURN = "O_turn"
    X_WINS = "X_wins"
    O_WINS = "O_wins"
    DRAW = "draw"
    INVALID = "invalid"

    @classmethod
    def turn_of(cls, player: Player) -> Verdict:
        """Return the verdict that `player` is to move."""
        return cls.X_TURN if player is Player.X else cls.O_TURN

    @classmethod
    def win_of(cls, player: Player) -> Verdict:
        """Return the verdict that `player` has won."""
        return cls.X_WINS if player is Player.X else cls.O_WINS


class Termination(StrEnum):
    """Why a game is over."""

    LINE = "line"  # a player completed a line
    FULL = "full"  # no move is left and neither side has a line
    MOST_BOARDS = "most_boards"  # decided by the captured boards, in the variant of that name


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended.

    `lines` are the winner's completed lines: cells on a grid, small boards in Ultimate.
    """

    winner: Player | None
    termination: Termination
    lines: tuple[tuple[int, ...], ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The outcome as a verdict: ``X_wins``, ``O_wins`` or ``draw``."""
        return Verdict.DRAW if self.winner is None else Verdict.win_of(self.winner)

    def __str__(self) -> str:
        if self.winner is None:
            return "draw"
        by = "" if self.termination is Termination.LINE else " with more boards"
        return f"{self.winner} wins{by}"
