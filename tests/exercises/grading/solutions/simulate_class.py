"""A class with a dictionary of cells; only the lines through the last move are looked at."""


class Solution:
    def __init__(self):
        self.cells = {}
        self.winner = None

    def simulate(self, moves: list[str]) -> list[str]:
        bits = "".join("1" if self.accept(move) else "0" for move in moves)
        rows = ["".join(self.cells.get((r, c), ".") for c in range(3)) for r in range(3)]
        return [bits, str(self.winner), *rows]

    def accept(self, move):
        parts = move.split(",")
        if self.winner or len(parts) != 3:
            return False
        row, col, player = parts
        if row not in list("012") or col not in list("012") or player not in list("XO"):
            return False
        place = int(row), int(col)
        if place in self.cells:
            return False
        self.cells[place] = player
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = [(place[0] + i * dr, place[1] + i * dc) for i in range(-2, 3)]
            if sum(self.cells.get(cell) == player for cell in run) == 3:
                self.winner = player
        return True
