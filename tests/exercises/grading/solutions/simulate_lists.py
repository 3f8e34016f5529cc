"""A list of lists and a regular expression."""

import re

FORM = re.compile(r"([012]),([012]),([XO])")


def simulate(moves):
    grid = [["."] * 3 for _ in range(3)]
    bits = []
    winner = "None"
    for move in moves:
        match = FORM.fullmatch(move)
        if winner != "None" or match is None:
            bits.append("0")
            continue
        row, col, player = int(match[1]), int(match[2]), match[3]
        if grid[row][col] != ".":
            bits.append("0")
            continue
        grid[row][col] = player
        bits.append("1")
        if (
            all(grid[row][i] == player for i in range(3))
            or all(grid[i][col] == player for i in range(3))
            or all(grid[i][i] == player for i in range(3))
            or all(grid[i][2 - i] == player for i in range(3))
        ):
            winner = player
    return ["".join(bits), winner] + ["".join(row) for row in grid]
