"""Positions and moves in words, to follow a game without seeing the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from noughts.drawing import LETTERS
from noughts.errors import NotationError, brief
from noughts.rules.grid import cells_of
from noughts.rules.grid_notation import column_name
from noughts.rules.position import GridPosition, Position
from noughts.rules.ultimate import BOARD_NAMES, BOARDS, FULL, UltimatePosition

__all__ = ["board_in_words", "layout_in_words", "move_in_words", "part_in_words", "turn_in_words"]


def layout_in_words(position: Position) -> str:
    """Describe the size of the board and the names of its cells."""
    if isinstance(position, GridPosition):
        grid = position.grid
        rows = f"{grid.rows} rows, numbered from the top"
        fits = "" if grid.k <= max(grid.rows, grid.cols) else ", which do not fit: nobody can win"
        return f"{rows}; {grid.cols} columns, lettered from the left; {grid.k} in a row win{fits}."
    return "Nine boards of nine cells; boards and cells are lettered a to i, row by row."


def turn_in_words(position: Position) -> str:
    """Describe whose turn it is, and where; empty once the game is over.

    >>> from noughts import Game
    >>> turn_in_words(Game.parse("ultimate ee ea").position)
    'X to move in board a (top left).'
    """
    if position.outcome is not None:
        return ""
    if isinstance(position, UltimatePosition) and position.forced is None:
        playable = cells_of(position.playable)
        if len(playable) == len(BOARDS):
            return f"{position.turn} to move in any board."
        return f"{position.turn} to move in any open board: {_lettered(playable)}."
    if isinstance(position, UltimatePosition):
        return f"{position.caption}."
    return f"{position.turn} to move."


def move_in_words(before: Position, move: int) -> str:
    """Describe a move and its consequences.

    >>> from noughts import Game, GridPosition
    >>> move_in_words(GridPosition.start("3x3x3"), 4)
    'X plays b2.'
    >>> move_in_words(Game.parse("ultimate ee").position, 36)
    'O plays ea: centre board, top left cell.'
    """
    player, name = before.turn, before.move_name(move)
    if not isinstance(before, UltimatePosition):
        return f"{player} plays {name}."
    board, cell = divmod(move, 9)
    after = before.play_unchecked(move)
    sentences = [f"{player} plays {name}: {BOARD_NAMES[board]} board, {BOARD_NAMES[cell]} cell."]
    if after.owners[board] != before.owners[board]:
        taken = after.owners[board] == player
        what = f"{player} captures {_named(board)}" if taken else f"{_capital(board)} is full"
        sentences.append(f"{what}.")
    if after.outcome is None and after.forced is None:
        sentences.append(f"{_capital(cell)} is closed.")
    return " ".join(sentences)


def board_in_words(position: Position) -> list[str]:
    """Describe the board, a line for each row or small board, and whose turn it is.

    >>> from noughts import GridPosition
    >>> board_in_words(GridPosition.parse("X.O/.../..."))
    ['Row 1: X at a, O at c.', 'Rows 2 to 3 are empty.', 'X to move.']
    """
    if isinstance(position, GridPosition):
        lines = _rows(position)
    else:
        assert isinstance(position, UltimatePosition)
        lines = _boards(position)
    turn = turn_in_words(position)
    return [*lines, turn] if turn else lines


def part_in_words(position: Position, part: str) -> str:
    """Describe a row or column, or a small board at Ultimate.

    >>> from noughts import GridPosition
    >>> part_in_words(GridPosition.parse("X.O/.../O.X"), "c")
    'Column c: O at 1, X at 3.'
    """
    part = part.lower()
    if isinstance(position, UltimatePosition):
        if len(part) == 1 and part in LETTERS:
            return _small_board(position, LETTERS.index(part))
        raise NotationError(f"{brief(part)} is not a board; boards are a to i")
    assert isinstance(position, GridPosition)
    grid = position.grid
    rows = {str(row + 1): row for row in range(grid.rows)}
    cols = {column_name(col): col for col in range(grid.cols)}
    if part in rows:
        return _row(position, rows[part])
    if part in cols:
        cells = range(cols[part], grid.cells, grid.cols)
        return _filled(f"Column {part}", _marks(position, cells, list(rows)))
    last = column_name(grid.cols - 1)
    raise NotationError(
        f"{brief(part)} is neither a row from 1 to {grid.rows} nor a column from a to {last}"
    )


# -- grids -------------------------------------------------------------------------------


def _rows(position: GridPosition) -> list[str]:
    taken, cols = position.x | position.o, position.grid.cols
    if not taken:
        return ["The board is empty."]
    every = (1 << cols) - 1
    lines = []
    for is_taken, group in groupby(
        range(position.grid.rows), lambda row: bool(taken >> row * cols & every)
    ):
        rows = list(group)
        if is_taken:
            lines += [_row(position, row) for row in rows]
        elif len(rows) == 1:
            lines.append(f"Row {rows[0] + 1} is empty.")
        else:
            lines.append(f"Rows {rows[0] + 1} to {rows[-1] + 1} are empty.")
    return lines


def _row(position: GridPosition, row: int) -> str:
    cols = position.grid.cols
    cells = range(row * cols, (row + 1) * cols)
    names = [column_name(col) for col in range(cols)]
    return _filled(f"Row {row + 1}", _marks(position, cells, names))


def _filled(what: str, marks: Sequence[str]) -> str:
    return f"{what}: {', '.join(marks)}." if marks else f"{what} is empty."


# -- Ultimate ----------------------------------------------------------------------------


def _boards(position: UltimatePosition) -> list[str]:
    """Describe who has which boards, then the boards that are still open."""
    lines = []
    for player, mask in zip("XO", position.captured, strict=True):
        if mask:
            lines.append(f"{player} has {_and([_named(board) for board in cells_of(mask)])}.")
    if drawn := [board for board in BOARDS if position.owners[board] == "#"]:
        lines.append(f"Full without a winner: {_and([_named(board) for board in drawn])}.")
    open_boards = cells_of(FULL & ~position.closed)
    empty = [board for board in open_boards if not _taken(position, board)]
    lines += [_small_board(position, board) for board in open_boards if board not in empty]
    if len(empty) == len(BOARDS):
        lines.append("All boards are empty.")
    elif len(empty) == 1:
        lines.append(f"{_capital(empty[0])} is empty.")
    elif empty:
        lines.append(f"Boards {_lettered(empty)} are empty.")
    return lines


def _small_board(position: UltimatePosition, board: int) -> str:
    owner = position.owners[board]
    whose = {".": "", "#": ", full"}.get(owner, f", captured by {owner}")
    said = f"{_capital(board)}{whose}"
    taken = _taken(position, board)
    if not taken:
        return f"{said} is empty."
    cells = range(board * 9, board * 9 + 9)
    said += f": {', '.join(_marks(position, cells, LETTERS))}"
    free = cells_of(FULL & ~taken)
    if free and not position.closed >> board & 1:
        said += f"; free: {_lettered(free)}"
    return f"{said}."


def _taken(position: UltimatePosition, board: int) -> int:
    return (position.x | position.o) >> board * 9 & FULL


def _named(board: int) -> str:
    return f"board {LETTERS[board]} ({BOARD_NAMES[board]})"


def _capital(board: int) -> str:
    return _named(board).capitalize()


# -- both --------------------------------------------------------------------------------


def _marks(
    position: GridPosition | UltimatePosition, cells: Iterable[int], names: Sequence[str]
) -> list[str]:
    """Return the marks in some cells, each with the name of its cell."""
    return [
        f"{'X' if position.x >> cell & 1 else 'O'} at {name}"
        for cell, name in zip(cells, names, strict=True)
        if (position.x | position.o) >> cell & 1
    ]


def _lettered(places: Iterable[int]) -> str:
    return _and([LETTERS[place] for place in places])


def _and(names: Sequence[str]) -> str:
    """Return names as an enumeration: a, b and c."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
