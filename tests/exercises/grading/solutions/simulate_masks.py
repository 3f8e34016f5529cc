"""A mask for each player, and a table of all well-formed moves."""

MOVES = {f"{c // 3},{c % 3},{p}": (1 << c, p) for c in range(9) for p in "XO"}
WINS = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]


def simulateMoves(moves):
    masks = {"X": 0, "O": 0}
    bits, winner = "", None
    for text in moves:
        bit, player = MOVES.get(text, (0, ""))
        if winner or not bit or (masks["X"] | masks["O"]) & bit:
            bits += "0"
            continue
        masks[player] |= bit
        bits += "1"
        if any(masks[player] & win == win for win in WINS):
            winner = player
    cells = "".join(
        "X" if masks["X"] >> c & 1 else "O" if masks["O"] >> c & 1 else "." for c in range(9)
    )
    return [bits, str(winner), cells[:3], cells[3:6], cells[6:]]
