"""Two bit masks."""

WINS = [0b111000000, 0b000111000, 0b000000111, 0b100100100, 0b010010010, 0b001001001]
WINS += [0b100010001, 0b001010100]


def valid_tic_tac_toe(board):
    x = o = 0
    for row in board:
        for mark in row:
            x = x * 2 + (mark == "X")
            o = o * 2 + (mark == "O")
    difference = x.bit_count() - o.bit_count()
    x_won = any(x & win == win for win in WINS)
    o_won = any(o & win == win for win in WINS)
    if difference == 0:
        return not x_won
    if difference == 1:
        return not o_won
    return False
