"""Two bit masks, and an enum that is also a string."""

from enum import StrEnum


class State(StrEnum):
    X_TURN = "X_turn"
    O_TURN = "O_turn"
    X_WINS = "X_wins"
    O_WINS = "O_wins"
    DRAW = "draw"
    INVALID = "invalid"


WINS = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]


def mask(text, mark):
    return sum(1 << i for i, each in enumerate(text) if each == mark)


def won(marks):
    return any(marks & win == win for win in WINS)


def boardState(board):
    text = "".join(board)
    x, o = mask(text, "X"), mask(text, "O")
    ahead = bin(x).count("1") - bin(o).count("1")
    if ahead < 0 or ahead > 1 or (won(x) and ahead == 0) or (won(o) and ahead == 1):
        return State.INVALID
    if won(x):
        return State.X_WINS
    if won(o):
        return State.O_WINS
    if x | o == 0o777:
        return State.DRAW
    return State.O_TURN if ahead else State.X_TURN
