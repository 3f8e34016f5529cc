"""Boards of any size: runs are followed from each cell, as a method of a class."""


class Solution:
    def state(self, board, k=3):
        rows, cols = len(board), len(board[0])
        counts = {mark: sum(row.count(mark) for row in board) for mark in "XO"}
        if not 0 <= counts["X"] - counts["O"] <= 1:
            return "invalid"
        lines = {"X": [], "O": []}
        for r in range(rows):
            for c in range(cols):
                for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                    line = [(r + i * dr, c + i * dc) for i in range(k)]
                    if not all(0 <= a < rows and 0 <= b < cols for a, b in line):
                        continue
                    marks = {board[a][b] for a, b in line}
                    if marks == {"X"} or marks == {"O"}:
                        lines[marks.pop()].append(set(line))
        last = "X" if counts["X"] > counts["O"] else "O"
        other = "O" if last == "X" else "X"
        if lines[other]:
            return "invalid"
        if lines[last]:
            if not set.intersection(*lines[last]):
                return "invalid"
            return last + "_wins"
        if counts["X"] + counts["O"] == rows * cols:
            return "draw"
        return other + "_turn"
