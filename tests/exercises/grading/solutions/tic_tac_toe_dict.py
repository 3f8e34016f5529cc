"""One dictionary of counters by line and player, as a class Solution."""

from collections import Counter


class Solution:
    def __init__(self, n):
        self.size = n
        self.counts = Counter()

    def move(self, row, col, player):
        lines = [("row", row), ("col", col)]
        if row - col == 0:
            lines.append(("down", 0))
        if row + col + 1 == self.size:
            lines.append(("up", 0))
        for line in lines:
            self.counts[line, player] += 1
            if self.counts[line, player] == self.size:
                return player
        return 0
