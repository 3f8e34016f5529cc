"""The exercises that can be graded, and the usual names of their solutions."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NAMES", "Names", "exercise_names"]


@dataclass(frozen=True, slots=True)
class Names:
    """The names of an exercise; `usual` and `other` are compared without case and underscores."""

    exercise: str
    shown: tuple[str, ...]
    usual: frozenset[str]
    other: frozenset[str]
    is_class: bool = False

    def rank(self, name: str) -> int:
        """Return 0 for the exercise's own name, 1 for another usual one, else 9."""
        return 0 if name in self.usual else 1 if name in self.other else 9


def _names(exercise: str, shown: str, others: str, is_class: bool = False) -> Names:
    own = shown.split()
    bare = frozenset(name.replace("_", "").lower() for name in own)
    return Names(exercise, tuple(own), bare, frozenset(others.split()), is_class)


NAMES = (
    _names("state", "state", "boardstate gamestate getstate tictactoestate verdict"),
    _names(
        "valid",
        "valid_tic_tac_toe validTicTacToe",
        "valid isvalid validboard isvalidboard isvalidtictactoe",
    ),
    _names(
        "simulate",
        "simulate",
        "simulategame simulatemoves simulatestandard simulatetictactoe replay replaymoves",
    ),
    _names(
        "simulate-ultimate",
        "simulate_ultimate simulateUltimate",
        "ultimate replayultimate simulateultimatetictactoe ultimatetictactoe",
    ),
    _names("tic-tac-toe", "TicTacToe", "tictactoegame", is_class=True),
    _names("count", "count_games countGames", "count countallgames numberofgames numgames"),
    _names("games", "games", "allgames everygame listgames enumerategames generategames"),
)


def exercise_names() -> list[str]:
    """Return the names of the exercises.

    >>> exercise_names()[:3]
    ['state', 'valid', 'simulate']
    """
    return [names.exercise for names in NAMES]
