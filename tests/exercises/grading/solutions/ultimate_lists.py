"""One list of 9 x 9 cells; what is closed is looked up on the board each time."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner_of(marks):
    for a, b, c in LINES:
        if marks[a] == marks[b] == marks[c] and marks[a] in "XO":
            return marks[a]
    return "."


def closed(board):
    return winner_of(board) != "." or "." not in board


def simulate_ultimate(moves):
    boards = [["."] * 9 for _ in range(9)]
    forced = None
    bits = ""
    over = False
    winner = "None"
    for move in moves:
        parts = move.split(",")
        good = (
            not over
            and len(parts) == 5
            and all(part in ("0", "1", "2") for part in parts[:4])
            and parts[4] in ("X", "O")
        )
        if good:
            big = 3 * int(parts[0]) + int(parts[1])
            small = 3 * int(parts[2]) + int(parts[3])
            good = (
                (forced is None or forced == big)
                and not closed(boards[big])
                and boards[big][small] == "."
            )
        if not good:
            bits += "0"
            continue
        bits += "1"
        boards[big][small] = parts[4]
        owner = winner_of([winner_of(board) for board in boards])
        if owner != ".":
            winner = owner
            over = True
        if all(closed(board) for board in boards):
            over = True
        forced = None if closed(boards[small]) else small
    if over:
        following = "None"
    elif forced is None:
        following = "*"
    else:
        following = f"{forced // 3},{forced % 3}"
    rows = []
    for r in range(9):
        rows.append("".join(boards[r // 3 * 3 + c // 3][r % 3 * 3 + c % 3] for c in range(9)))
    return [bits, winner, following] + rows
