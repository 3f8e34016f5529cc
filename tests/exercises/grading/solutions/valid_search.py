"""Play every game once, and look whether the board was there."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
reached = {" " * 9}
layer = set(reached)
for player in "XOXOXOXOX":
    following = set()
    for text in layer:
        if any(text[a] == text[b] == text[c] != " " for a, b, c in LINES):
            continue
        for cell in range(9):
            if text[cell] == " ":
                following.add(text[:cell] + player + text[cell + 1 :])
    reached |= following
    layer = following


def solution(board):
    return "".join(board) in reached
