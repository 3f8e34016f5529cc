"""4x4x3 alone, as a method that yields lists."""


class Solution:
    def games(self):
        board = [None] * 16
        game = []

        def wins(cell):
            row, col = divmod(cell, 4)
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run = 0
                for i in range(-2, 3):
                    r, c = row + i * dr, col + i * dc
                    inside = 0 <= r < 4 and 0 <= c < 4
                    run = run + 1 if inside and board[4 * r + c] == board[cell] else 0
                    if run == 3:
                        return True
            return False

        def walk():
            for cell in range(16):
                if board[cell] is None:
                    board[cell] = len(game) % 2
                    game.append(cell)
                    if wins(cell) or len(game) == 16:
                        yield list(game)
                    else:
                        yield from walk()
                    game.pop()
                    board[cell] = None

        yield from walk()
