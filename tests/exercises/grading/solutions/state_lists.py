"""All eight lines written out."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def state(board):
    cells = [mark for row in board for mark in row]
    x, o = cells.count("X"), cells.count("O")
    x_line = any(all(cells[i] == "X" for i in line) for line in LINES)
    o_line = any(all(cells[i] == "O" for i in line) for line in LINES)
    if x - o not in (0, 1):
        return "invalid"
    if x_line and o_line:
        return "invalid"
    if x_line and x == o:
        return "invalid"
    if o_line and x != o:
        return "invalid"
    if x_line:
        return "X_wins"
    if o_line:
        return "O_wins"
    if x + o == 9:
        return "draw"
    return "X_turn" if x == o else "O_turn"
