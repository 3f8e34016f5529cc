"""Two lists of counters for each player."""


class TicTacToe:
    def __init__(self, n: int):
        self.n = n
        self.rows = {1: [0] * n, 2: [0] * n}
        self.cols = {1: [0] * n, 2: [0] * n}
        self.diagonal = {1: 0, 2: 0}
        self.anti = {1: 0, 2: 0}

    def move(self, row: int, col: int, player: int) -> int:
        self.rows[player][row] += 1
        self.cols[player][col] += 1
        if row == col:
            self.diagonal[player] += 1
        if row + col == self.n - 1:
            self.anti[player] += 1
        counts = (
            self.rows[player][row],
            self.cols[player][col],
            self.diagonal[player],
            self.anti[player],
        )
        return player if self.n in counts else 0
