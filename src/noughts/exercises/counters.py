"""Constant-time play on n x n with n in a row, for boards of any size.

A line of n cells is a whole row, column or diagonal. One counter for each goes up for
player 1 and down for player 2; since a cell is marked once, a counter reaches n or -n
exactly when the whole line belongs to one player.

So a move takes the same few steps for every n. On a huge board the counters no longer fit
the processor's caches, and moves far apart wait for memory like any other random access;
`make bench` measures that.
"""

from __future__ import annotations

from noughts.errors import IllegalMove, brief, whole_number

__all__ = ["TicTacToe"]

MAX_SIZE = 100_000_000
"""The largest n; the counters take 16 bytes for each row."""


class TicTacToe:
    """A game on n x n with n in a row, for players 1 and 2; turn order is not enforced.

    >>> game = TicTacToe(2)
    >>> game.move(0, 0, 1), game.move(0, 1, 2), game.move(1, 1, 1)
    (0, 0, 1)

    By default a move outside the board, on a taken cell, by another player number or after
    the win is refused with `IllegalMove` and changes nothing. With ``trusted=True`` nothing is
    checked, and only the counters are kept.
    """

    __slots__ = ("_anti", "_cols", "_diagonal", "_last", "_rows", "_taken", "n", "winner")

    def __init__(self, n: int, *, trusted: bool = False) -> None:
        self.n = whole_number(n, "n", least=1, most=MAX_SIZE)
        self.winner = 0
        self._last = self.n - 1  # row + col all along the other diagonal
        self._rows = [0] * self.n
        self._cols = [0] * self.n
        self._diagonal = 0
        self._anti = 0
        self._taken: set[int] | None = None if trusted else set()

    def move(self, row: int, col: int, player: int) -> int:
        """Mark a cell and return the winner: `player`, or 0 while neither player has won."""
        if player == 1:
            mark, goal = 1, self.n
        else:
            mark, goal = -1, -self.n
        rows, cols = self._rows, self._cols
        try:  # an index that is out of range or not an int is refused by the lists themselves
            in_row, in_col = rows[row] + mark, cols[col] + mark
        except (IndexError, TypeError):
            raise self._refusal(row, col, player) from None
        taken = self._taken
        if taken is not None:
            # type() instead of isinstance, because a bool is an int.
            if not (
                type(row) is type(col) is type(player) is int
                and row >= 0
                and col >= 0
                and player in (1, 2)
                and not self.winner
            ):
                raise self._refusal(row, col, player)
            cell = row * self.n + col
            if cell in taken:
                raise IllegalMove(f"row {row}, column {col} is taken")
            taken.add(cell)
        rows[row], cols[col] = in_row, in_col
        if in_row == goal or in_col == goal:
            self.winner = player
        if row == col:
            self._diagonal += mark
            if self._diagonal == goal:
                self.winner = player
        if row + col == self._last:
            self._anti += mark
            if self._anti == goal:
                self.winner = player
        return self.winner

    def _refusal(self, row: object, col: object, player: object) -> IllegalMove:
        """Return the error that says what is wrong with a move."""
        for name, value in (("row", row), ("column", col)):
            if type(value) is not int:
                return IllegalMove(f"{name} must be a whole number, not {brief(value)}")
            if not 0 <= value < self.n:
                return IllegalMove(f"{name} must be 0 to {self.n - 1}, not {brief(value)}")
        if type(player) is not int or player not in (1, 2):
            return IllegalMove(f"player must be 1 or 2, not {brief(player)}")
        return IllegalMove(f"the game is over: player {self.winner} has won")
