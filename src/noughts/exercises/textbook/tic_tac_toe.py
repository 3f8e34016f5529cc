"""Play on n x n with n in a row, in constant time per move (LeetCode 348).

A winning line is a whole row, column or diagonal. So it is enough to count: player 1 adds 1
to the counters of the lines through the cell, player 2 takes 1 away. A counter reaches n or
-n when all cells of its line belong to one player. Moves are taken as legal, as the exercise
promises.
"""

from __future__ import annotations

from collections.abc import Iterable


class TicTacToe:
    """A game on n x n for players 1 and 2: two lists of counters and two single ones."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.rows = [0] * n
        self.cols = [0] * n
        self.diagonal = 0
        self.anti_diagonal = 0

    def move(self, row: int, col: int, player: int) -> int:
        """Mark a cell and return the winner: `player`, or 0 while there is none."""
        mark = 1 if player == 1 else -1
        self.rows[row] += mark
        self.cols[col] += mark
        if row == col:
            self.diagonal += mark
        if row + col == self.n - 1:
            self.anti_diagonal += mark
        goal = mark * self.n
        if (
            self.rows[row] == goal
            or self.cols[col] == goal
            or self.diagonal == goal
            or self.anti_diagonal == goal
        ):
            return player  # win
        return 0


def play(n: int, moves: Iterable[tuple[int, int, int]]) -> list[int]:
    """Play moves (row, col, player) and return what each of them returned.

    >>> play(2, [(0, 0, 1), (0, 1, 2), (1, 1, 1)])
    [0, 0, 1]
    """
    game = TicTacToe(n)
    results = []
    for row, col, player in moves:
        results.append(game.move(row, col, player))
    return results
