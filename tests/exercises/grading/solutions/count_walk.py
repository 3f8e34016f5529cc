"""Recursion: place, go on, undo."""


def count_games(rows=4, cols=4, k=3):
    board = [["."] * cols for _ in range(rows)]

    def wins(r, c):
        player = board[r][c]
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = 1
            for sign in (1, -1):
                a, b = r + sign * dr, c + sign * dc
                while 0 <= a < rows and 0 <= b < cols and board[a][b] == player:
                    run += 1
                    a, b = a + sign * dr, b + sign * dc
            if run >= k:
                return True
        return False

    def walk(depth):
        total = 0
        for r in range(rows):
            for c in range(cols):
                if board[r][c] == ".":
                    board[r][c] = "XO"[depth % 2]
                    if wins(r, c) or depth + 1 == rows * cols:
                        total += 1
                    else:
                        total += walk(depth + 1)
                    board[r][c] = "."
        return total

    return walk(0)
