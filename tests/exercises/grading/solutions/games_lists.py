"""A list of lists, with a stack instead of recursion, and so in another order."""


def has_line(marks, rows, cols, k):
    for r, c in marks:
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if all((r + i * dr, c + i * dc) in marks for i in range(k)):
                return True
    return False


def allGames(rows, cols, k):
    found = []
    stack = [[]]
    while stack:
        game = stack.pop()
        mine = {divmod(cell, cols) for cell in game[-1::-2]}
        if has_line(mine, rows, cols, k) or len(game) == rows * cols:
            found.append(game)
            continue
        for cell in range(rows * cols):
            if cell not in game:
                stack.append(game + [cell])
    return found
