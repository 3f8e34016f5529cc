"""A slow, plain copy of the rules that the fast code is compared with.

Nothing here is shared with the package: only the standard library is imported, boards are
strings or lists of characters, and lines are found by looking at the board again. When the
fast code and this file disagree, this file is the one a reader can check by eye.

Cells are numbered row by row from 0. A flat board is one string of `X`, `O` and `.`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

# Right, down, down-right, down-left. The four opposite directions give the same lines.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


# ---------------------------------------------------------------------------------- geometry


def lines(rows: int, cols: int, k: int) -> set[frozenset[int]]:
    """Find every run of exactly k consecutive cells, as sets of cell numbers."""
    found: set[frozenset[int]] = set()
    for row in range(rows):
        for col in range(cols):
            for down, right in DIRECTIONS:
                run: list[int] = []
                for step in range(k):
                    r = row + step * down
                    c = col + step * right
                    if 0 <= r < rows and 0 <= c < cols:
                        run.append(r * cols + c)
                if len(run) == k:
                    # With k = 1 all four directions give the same cell; the set keeps one.
                    found.add(frozenset(run))
    return found


def has_line(cells: str, rows: int, cols: int, k: int, mark: str) -> bool:
    """Tell whether `mark` has k or more in a row, by walking from every cell in every direction."""
    for row in range(rows):
        for col in range(cols):
            if cells[row * cols + col] != mark:
                continue
            for down, right in DIRECTIONS:
                r, c, length = row, col, 0
                while 0 <= r < rows and 0 <= c < cols and cells[r * cols + c] == mark:
                    length += 1
                    r += down
                    c += right
                if length >= k:
                    return True
    return False


# ---------------------------------------------------------------------------------- verdicts


def reachable_verdicts(rows: int, cols: int, k: int) -> dict[str, str]:
    """Give the verdict of every board that some game reaches; any other board is `invalid`."""
    empty = "." * (rows * cols)
    verdicts = {empty: "X_turn"}
    to_expand = [empty]
    while to_expand:
        board = to_expand.pop()
        mover = "X" if verdicts[board] == "X_turn" else "O"
        for cell in range(rows * cols):
            if board[cell] != ".":
                continue
            child = board[:cell] + mover + board[cell + 1 :]
            if child in verdicts:
                continue
            if has_line(child, rows, cols, k, "X"):
                verdicts[child] = "X_wins"
            elif has_line(child, rows, cols, k, "O"):
                verdicts[child] = "O_wins"
            elif "." not in child:
                verdicts[child] = "draw"
            else:
                verdicts[child] = "O_turn" if mover == "X" else "X_turn"
                to_expand.append(child)
    return verdicts


def verdict_by_retrograde(cells: str, rows: int, cols: int, k: int) -> str:
    """Judge one board by taking moves back until the board is empty."""
    if len(cells) != rows * cols or any(mark not in "XO." for mark in cells):
        raise ValueError(f"not a {rows}x{cols} board of X, O and '.': {cells!r}")
    known: dict[str, bool] = {}

    def reachable(board: str) -> bool:
        if board not in known:
            known[board] = explained(board)
        return known[board]

    def explained(board: str) -> bool:
        xs = board.count("X")
        os = board.count("O")
        if xs == 0 and os == 0:
            return True
        if xs == os + 1:
            last = "X"
        elif xs == os:
            last = "O"
        else:
            return False
        for cell in range(len(board)):
            if board[cell] != last:
                continue
            before = board[:cell] + "." + board[cell + 1 :]
            # Play stops at the first line, so nobody may have moved from such a board.
            if has_line(before, rows, cols, k, "X") or has_line(before, rows, cols, k, "O"):
                continue
            if reachable(before):
                return True
        return False

    if not reachable(cells):
        return "invalid"
    if has_line(cells, rows, cols, k, "X"):
        return "X_wins"
    if has_line(cells, rows, cols, k, "O"):
        return "O_wins"
    if "." not in cells:
        return "draw"
    return "X_turn" if cells.count("X") == cells.count("O") else "O_turn"


# ---------------------------------------------------------------------------- every game, perft


def all_games(rows: int, cols: int, k: int) -> Iterator[tuple[int, ...]]:
    """Yield every complete game as a tuple of cells, in lexicographic order."""
    board = ["."] * (rows * cols)
    moves: list[int] = []

    def walk(mover: str, other: str) -> Iterator[tuple[int, ...]]:
        if _grid_is_finished(board, rows, cols, k):
            yield tuple(moves)
            return
        for cell in range(rows * cols):
            if board[cell] != ".":
                continue
            board[cell] = mover
            moves.append(cell)
            yield from walk(other, mover)
            moves.pop()
            board[cell] = "."

    yield from walk("X", "O")


def perft_grid(rows: int, cols: int, k: int, depth: int) -> int:
    """Count the move sequences of exactly `depth` moves from the empty board.

    A game that ended before `depth` moves contributes nothing; one that ends with its last
    move counts.
    """
    board = ["."] * (rows * cols)

    def count(mover: str, other: str, left: int) -> int:
        if left == 0:
            return 1
        if _grid_is_finished(board, rows, cols, k):
            return 0
        total = 0
        for cell in range(rows * cols):
            if board[cell] != ".":
                continue
            board[cell] = mover
            total += count(other, mover, left - 1)
            board[cell] = "."
        return total

    return count("X", "O", depth)


def _grid_is_finished(board: list[str], rows: int, cols: int, k: int) -> bool:
    cells = "".join(board)
    if "." not in cells:
        return True
    return has_line(cells, rows, cols, k, "X") or has_line(cells, rows, cols, k, "O")


# ----------------------------------------------------------------------------------- best play


@cache
def minimax(cells: str, rows: int, cols: int, k: int) -> tuple[str, int | None]:
    """Give a board's value with best play, by trying every game from there on.

    The value, `win`, `draw` or `loss`, is the one for the side to move. With it goes the number
    of moves to the end, None for a draw: a winner is quick, a loser holds out. A game that is
    over is a draw, or lost in 0 moves by the side that would be next. Only for boards that some
    game reaches.
    """
    mover = "X" if cells.count("X") == cells.count("O") else "O"
    if has_line(cells, rows, cols, k, "X") or has_line(cells, rows, cols, k, "O"):
        return "loss", 0
    if "." not in cells:
        return "draw", None
    wins: list[int] = []
    losses: list[int] = []
    can_draw = False
    for cell in range(rows * cols):
        if cells[cell] != ".":
            continue
        child = cells[:cell] + mover + cells[cell + 1 :]
        value, moves = minimax(child, rows, cols, k)
        if moves is None:
            can_draw = True
        elif value == "loss":
            wins.append(1 + moves)
        else:
            losses.append(1 + moves)
    if wins:
        return "win", min(wins)
    if can_draw:
        return "draw", None
    return "loss", max(losses)


# ---------------------------------------------------------------------------- replaying a list


def simulate(moves: list[str]) -> list[str]:
    """Replay `row,col,player` moves on 3x3: `[bits, winner, row0, row1, row2]`."""
    grid = [["."] * 3 for _ in range(3)]
    bits = ""
    for text in moves:
        accepted = False
        parsed = _parse(text, numbers=2)
        if parsed is not None and _winner_of_matrix(grid) is None:
            (row, col), player = parsed
            if row < 3 and col < 3 and player in ("X", "O") and grid[row][col] == ".":
                grid[row][col] = player
                accepted = True
        bits += "1" if accepted else "0"
    return [bits, str(_winner_of_matrix(grid)), *("".join(row) for row in grid)]


def simulate_ultimate(moves: list[str]) -> list[str]:
    """Replay `bigrow,bigcol,row,col,player` moves: `[bits, winner, next, nine rows]`."""
    grid = [["."] * 9 for _ in range(9)]
    last: tuple[int, int] | None = None  # the small row and column of the last accepted move
    bits = ""
    for text in moves:
        accepted = False
        parsed = _parse(text, numbers=4)
        if parsed is not None:
            (big_row, big_col, row, col), player = parsed
            inside = big_row < 3 and big_col < 3 and row < 3 and col < 3
            if (
                inside
                and player in ("X", "O")
                and _may_play_in(grid, last, big_row, big_col)
                and grid[big_row * 3 + row][big_col * 3 + col] == "."
            ):
                grid[big_row * 3 + row][big_col * 3 + col] = player
                last = (row, col)
                accepted = True
        bits += "1" if accepted else "0"

    winner = _winner_of_matrix(_captured(grid))
    if winner is not None or not _some_board_is_open(grid):
        following = "None"
    elif last is not None and not _is_closed(grid, last[0], last[1]):
        following = f"{last[0]},{last[1]}"
    else:
        following = "*"
    return [bits, str(winner), following, *("".join(row) for row in grid)]


def _parse(text: str, numbers: int) -> tuple[list[int], str] | None:
    """Read `numbers` decimal numbers and one capital letter, or None when malformed."""
    fields = [""]
    for char in text:
        if char == ",":
            fields.append("")
        else:
            fields[-1] += char
    if len(fields) != numbers + 1:
        return None
    values: list[int] = []
    for field in fields[:-1]:
        if field == "" or (field[0] == "0" and field != "0"):
            return None
        value = 0
        for char in field:
            # Not str.isdigit: it accepts the digits of every script, and superscripts.
            if char not in "0123456789":
                return None
            value = value * 10 + "0123456789".index(char)
        values.append(value)
    letter = fields[-1]
    if len(letter) != 1 or letter not in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        return None
    return values, letter


def _winner_of_matrix(matrix: list[list[str]]) -> str | None:
    """Tell who has three in a row on a 3x3 matrix, every line written out."""
    for player in ("X", "O"):
        for i in range(3):
            if matrix[i][0] == player and matrix[i][1] == player and matrix[i][2] == player:
                return player
            if matrix[0][i] == player and matrix[1][i] == player and matrix[2][i] == player:
                return player
        if matrix[0][0] == player and matrix[1][1] == player and matrix[2][2] == player:
            return player
        if matrix[0][2] == player and matrix[1][1] == player and matrix[2][0] == player:
            return player
    return None


def _small(grid: list[list[str]], big_row: int, big_col: int) -> list[list[str]]:
    """Cut one small board out of the 9x9 matrix, as a 3x3 matrix."""
    return [[grid[big_row * 3 + r][big_col * 3 + c] for c in range(3)] for r in range(3)]


def _is_closed(grid: list[list[str]], big_row: int, big_col: int) -> bool:
    """Tell whether a small board is won or full."""
    small = _small(grid, big_row, big_col)
    return _winner_of_matrix(small) is not None or all("." not in row for row in small)


def _some_board_is_open(grid: list[list[str]]) -> bool:
    return any(not _is_closed(grid, r, c) for r in range(3) for c in range(3))


def _captured(grid: list[list[str]]) -> list[list[str]]:
    """Build the 3x3 matrix of the owners of the small boards, `.` where there is none."""
    return [[_winner_of_matrix(_small(grid, r, c)) or "." for c in range(3)] for r in range(3)]


def _may_play_in(
    grid: list[list[str]], last: tuple[int, int] | None, big_row: int, big_col: int
) -> bool:
    """Tell whether the next move may go to this small board."""
    if _winner_of_matrix(_captured(grid)) is not None:
        return False
    if _is_closed(grid, big_row, big_col):
        return False
    if last is None or _is_closed(grid, last[0], last[1]):
        return True
    return (big_row, big_col) == last


# ------------------------------------------------------------------------------------ Ultimate


class UltimateOracle:
    """Ultimate tic-tac-toe with alternating turns, X first; a move is board * 9 + cell.

    `open`: a won board stays playable until it is full, and the first side to get a line in
    it keeps it. `most_boards`: a game that ends without a line goes to whoever owns more
    boards.
    """

    def __init__(self, open: bool = False, most_boards: bool = False) -> None:
        self.open = open
        self.most_boards = most_boards
        self.grid = [["."] * 9 for _ in range(9)]
        self.moves: list[int] = []
        # Who made the first line in each board. Kept, not recomputed, because with `open`
        # the marks alone do not tell which of two lines in a board came first.
        self._first_line = ["."] * 9
        self._before: list[tuple[list[list[str]], list[str]]] = []

    @property
    def turn(self) -> str:
        """The side to move; after the end, the side that would have been next."""
        return "X" if len(self.moves) % 2 == 0 else "O"

    @property
    def owners(self) -> list[str]:
        """Nine of `X`, `O`, `#` (full without owner) and `.`."""
        owners: list[str] = []
        for board in range(9):
            if self._first_line[board] != ".":
                owners.append(self._first_line[board])
            elif self._is_full(board):
                owners.append("#")
            else:
                owners.append(".")
        return owners

    @property
    def outcome(self) -> str | None:
        """`X_wins`, `O_wins`, `draw`, or None while the game goes on."""
        owners = self.owners
        for side in ("X", "O"):
            if has_line("".join(owners), 3, 3, 3, side):
                return side + "_wins"
        if any(self._is_playable(board) for board in range(9)):
            return None
        if self.most_boards and owners.count("X") > owners.count("O"):
            return "X_wins"
        if self.most_boards and owners.count("O") > owners.count("X"):
            return "O_wins"
        return "draw"

    @property
    def forced(self) -> int | None:
        """The board that must be played in; None when the choice is free or the game over."""
        if self.outcome is not None or not self.moves:
            return None
        target = self.moves[-1] % 9
        return target if self._is_playable(target) else None

    def legal(self) -> list[int]:
        """List every legal move, ascending; empty once the game is over."""
        if self.outcome is not None:
            return []
        forced = self.forced
        found: list[int] = []
        for board in range(9):
            if not self._is_playable(board):
                continue
            if forced is not None and forced != board:
                continue
            marks = self._marks(board)
            found += [board * 9 + cell for cell in range(9) if marks[cell] == "."]
        return found

    def play(self, move: int) -> None:
        """Make a legal move; anything else raises ValueError and changes nothing."""
        if move not in self.legal():
            raise ValueError(f"illegal move {move} after {self.moves}")
        self._before.append(([row[:] for row in self.grid], self._first_line[:]))
        board, cell = divmod(move, 9)
        row = (board // 3) * 3 + cell // 3
        col = (board % 3) * 3 + cell % 3
        self.grid[row][col] = self.turn
        self.moves.append(move)
        for each in range(9):
            if self._first_line[each] == ".":
                marks = self._marks(each)
                for side in ("X", "O"):
                    if has_line(marks, 3, 3, 3, side):
                        self._first_line[each] = side

    def undo(self) -> None:
        """Take the last move back; with no move to take back raises IndexError."""
        self.grid, self._first_line = self._before.pop()
        self.moves.pop()

    def _marks(self, board: int) -> str:
        top = (board // 3) * 3
        left = (board % 3) * 3
        first, second, third = self.grid[top : top + 3]
        right = left + 3
        return "".join(first[left:right] + second[left:right] + third[left:right])

    def _is_full(self, board: int) -> bool:
        return "." not in self._marks(board)

    def _is_playable(self, board: int) -> bool:
        if self._is_full(board):
            return False
        return self.open or self._first_line[board] == "."


def perft_ultimate(depth: int, open: bool = False, most_boards: bool = False) -> int:
    """Count the move sequences of exactly `depth` moves from the empty Ultimate board.

    A game that ended before `depth` moves contributes nothing; one that ends with its last
    move counts.
    """
    game = UltimateOracle(open=open, most_boards=most_boards)

    def count(left: int) -> int:
        if left == 0:
            return 1
        if left == 1:
            # Each legal move is one sequence; playing it would only cost time.
            return len(game.legal())
        total = 0
        for move in game.legal():
            game.play(move)
            total += count(left - 1)
            game.undo()
        return total

    return count(depth)
