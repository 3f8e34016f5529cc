"""Games of Ultimate by the names of their moves, for tests of its rules and of its texts."""

from __future__ import annotations

from noughts import UltimatePosition, Variant

__all__ = [
    "EMPTY",
    "LINES",
    "MOST",
    "OPEN",
    "O_FOLLOWS_X",
    "O_TAKES_A",
    "STANDARD",
    "X_FOLLOWS_O",
    "play",
]

OPEN, MOST = Variant.OPEN, Variant.MOST_BOARDS
STANDARD = Variant.STANDARD
EMPTY = "........."
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

# O takes the top row of board a; the last move closes the very board that it sends to.
O_TAKES_A = "ea ab ba ac ca aa"
# With `open`, the other side then gets the bottom row of board a as well.
X_FOLLOWS_O = O_TAKES_A + " ag ga ah ha ai"
O_FOLLOWS_X = "ab ba ac ca aa ag ga ah ha ai"


def play(moves: str, variant: Variant = STANDARD) -> UltimatePosition:
    """Play moves given by name."""
    position = UltimatePosition.start(variant)
    for move in moves.split():
        position = position.play(move)
    return position
