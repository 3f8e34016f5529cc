"""Plain versions of the exercises, the way textbooks and interviews have them.

The benchmarks measure noughts against these. They are written to be good code of their
kind: no needless work, but no idea beyond the obvious one either.
"""

from __future__ import annotations

LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip


class Counters:
    """The bare counter class for n x n: no checks, one method."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.rows = [0] * n
        self.cols = [0] * n
        self.diagonal = 0
        self.anti = 0

    def move(self, row: int, col: int, player: int) -> int:
        """Count a move and return the winner or 0."""
        mark = 1 if player == 1 else -1
        self.rows[row] += mark
        self.cols[col] += mark
        if row == col:
            self.diagonal += mark
        if row + col == self.n - 1:
            self.anti += mark
        goal = mark * self.n
        if (
            self.rows[row] == goal
            or self.cols[col] == goal
            or self.diagonal == goal
            or self.anti == goal
        ):
            return player
        return 0


def has_line(cells: list[str], mark: str) -> bool:
    """Return whether one of the eight lines is all `mark`."""
    return any(cells[a] == cells[b] == cells[c] == mark for a, b, c in LINES)


def wins(board: list[str], mark: str) -> bool:
    """Return whether a row, column or diagonal of an n x n board is all `mark`."""
    size = range(len(board))
    return (
        any(all(board[row][col] == mark for col in size) for row in size)
        or any(all(board[row][col] == mark for row in size) for col in size)
        or all(board[i][i] == mark for i in size)
        or all(board[i][-1 - i] == mark for i in size)
    )


def state(board: list[str]) -> str:
    """Return the verdict on an n x n board with n in a row."""
    x_count = sum(row.count("X") for row in board)
    o_count = sum(row.count("O") for row in board)
    if x_count - o_count not in (0, 1):
        return "invalid"
    x_wins, o_wins = wins(board, "X"), wins(board, "O")
    if (x_wins and o_wins) or (x_wins and x_count == o_count) or (o_wins and x_count > o_count):
        return "invalid"
    if x_wins:
        return "X_wins"
    if o_wins:
        return "O_wins"
    if x_count + o_count == len(board) ** 2:
        return "draw"
    return "X_turn" if x_count == o_count else "O_turn"


def state_3x3(board: list[str]) -> str:
    """Return the verdict on a 3x3 board: one pass over the eight lines, written for speed.

    It is much quicker than `state` because it knows no other size and believes its input.
    """
    cells = "".join(board)
    x_count, o_count = cells.count("X"), cells.count("O")
    if x_count - o_count not in (0, 1):
        return "invalid"
    x_wins = o_wins = False
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c]:
            if cells[a] == "X":
                x_wins = True
            elif cells[a] == "O":
                o_wins = True
    if (x_wins and (o_wins or x_count == o_count)) or (o_wins and x_count > o_count):
        return "invalid"
    if x_wins:
        return "X_wins"
    if o_wins:
        return "O_wins"
    if x_count + o_count == 9:
        return "draw"
    return "X_turn" if x_count == o_count else "O_turn"


def _numbers(texts: list[str]) -> list[int] | None:
    """Return small numbers given as one digit each."""
    numbers = []
    for text in texts:
        if text not in ("0", "1", "2"):
            return None
        numbers.append(int(text))
    return numbers


def simulate(moves: list[str]) -> list[str]:
    """Replay on 3x3: split every move, rescan the board after every accepted one."""
    cells = ["."] * 9
    bits = []
    winner = "None"
    for move in moves:
        parts = move.split(",")
        numbers = _numbers(parts[:2]) if len(parts) == 3 else None
        if numbers is None or parts[2] not in ("X", "O") or winner != "None":
            bits.append("0")
            continue
        row, col = numbers
        if cells[row * 3 + col] != ".":
            bits.append("0")
            continue
        cells[row * 3 + col] = parts[2]
        bits.append("1")
        for mark in "XO":
            if has_line(cells, mark):
                winner = mark
    rows = ["".join(cells[start : start + 3]) for start in (0, 3, 6)]
    return ["".join(bits), winner, *rows]


def simulate_ultimate(moves: list[str]) -> list[str]:
    """Replay Ultimate: split every move, rescan the boards for every one."""
    boards = [["."] * 9 for _ in range(9)]
    bits = []
    winner = "None"
    forced = -1

    def owner(board: list[str]) -> str:
        for mark in "XO":
            if has_line(board, mark):
                return mark
        return "#" if "." not in board else "."

    for move in moves:
        parts = move.split(",")
        numbers = _numbers(parts[:4]) if len(parts) == 5 else None
        if numbers is None or parts[4] not in ("X", "O") or winner != "None":
            bits.append("0")
            continue
        board, cell = numbers[0] * 3 + numbers[1], numbers[2] * 3 + numbers[3]
        if forced not in (-1, board) or boards[board][cell] != "." or owner(boards[board]) != ".":
            bits.append("0")
            continue
        boards[board][cell] = parts[4]
        bits.append("1")
        owners = [owner(b) for b in boards]
        for mark in "XO":
            if has_line(owners, mark):
                winner = mark
        forced = cell if owners[cell] == "." else -1
    over = winner != "None" or all(owner(b) != "." for b in boards)
    following = "None" if over else "*" if forced < 0 else f"{forced // 3},{forced % 3}"
    rows = [
        "".join(boards[row // 3 * 3 + col // 3][row % 3 * 3 + col % 3] for col in range(9))
        for row in range(9)
    ]
    return ["".join(bits), winner, following, *rows]
