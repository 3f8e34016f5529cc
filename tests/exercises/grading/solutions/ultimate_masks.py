"""Bit masks for each board and player, and for the captured boards."""

WINS = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]
LINE = [any(m & w == w for w in WINS) for m in range(512)]


def parse(move):
    if len(move) != 9 or move[1:8:2] != ",,,,":
        return None
    digits, player = move[0:8:2], move[8]
    if any(d not in "012" for d in digits) or player not in "XO":
        return None
    a, b, c, d = map(int, digits)
    return 3 * a + b, 3 * c + d, "XO".index(player)


def simulateUltimate(moves):
    marks = [[0, 0] for _ in range(9)]
    captured = [0, 0]
    closed = 0
    target = -1
    winner = None
    accepted = []
    for text in moves:
        move = parse(text)
        accepted.append(0)
        if move is None or winner is not None:
            continue
        board, cell, side = move
        if target not in (-1, board) or closed >> board & 1:
            continue
        if (marks[board][0] | marks[board][1]) >> cell & 1:
            continue
        accepted[-1] = 1
        marks[board][side] |= 1 << cell
        if LINE[marks[board][side]]:
            captured[side] |= 1 << board
            closed |= 1 << board
            if LINE[captured[side]]:
                winner = "XO"[side]
        if marks[board][0] | marks[board][1] == 511:
            closed |= 1 << board
        target = -1 if closed >> cell & 1 else cell
    if winner is not None or closed == 511:
        following = "None"
    else:
        following = "*" if target < 0 else "%d,%d" % divmod(target, 3)
    rows = []
    for row in range(9):
        text = ""
        for col in range(9):
            x, o = marks[row // 3 * 3 + col // 3]
            bit = 1 << row % 3 * 3 + col % 3
            text += "X" if x & bit else "O" if o & bit else "."
        rows.append(text)
    return ["".join(map(str, accepted)), str(winner), following, *rows]
