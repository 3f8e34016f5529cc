"""Lenient replays: every move of a list is accepted or rejected, and the list goes on.

Turn order is not enforced, and a malformed string is simply a rejected move. There are only
18 well-formed moves on a 3x3 board and 162 in Ultimate, so moves are not parsed: a dictionary
holds the texts of all moves that can still be accepted. An accepted move is removed from it
together with the moves that it rules out, and a text that is not in it is rejected.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.errors import NotationError, brief
from noughts.rules.grid_notation import write_marks
from noughts.rules.player import Player
from noughts.rules.ultimate import FULL, HAS_LINE
from noughts.rules.ultimate_notation import picture_cell

__all__ = ["Replay", "replay_standard", "replay_ultimate"]


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay.

    `bits` has a ``1`` for every accepted move and a ``0`` for every rejected one; `next`
    (Ultimate only) names the board to play in: ``r,c``, ``*`` for any, None when it is over.
    """

    bits: str
    winner: Player | None
    rows: tuple[str, ...]
    next: str | None = None

    def standard_result(self) -> list[str]:
        """Return ``[bits, winner, row0, row1, row2]``."""
        return [self.bits, str(self.winner), *self.rows]

    def ultimate_result(self) -> list[str]:
        """Return ``[bits, winner, next, nine rows of nine]``."""
        return [self.bits, str(self.winner), str(self.next), *self.rows]


_PLAYERS = (Player.X, Player.O)
_NINE = tuple(f"{place // 3},{place % 3}" for place in range(9))  # cells, or boards
_STANDARD_TEXTS = [[f"{cell},{player}" for player in _PLAYERS] for cell in _NINE]
_STANDARD = {
    text: (cell, side)
    for cell, texts in enumerate(_STANDARD_TEXTS)
    for side, text in enumerate(texts)
}
_ULTIMATE_TEXTS = [
    [[f"{board},{text}" for text in texts] for texts in _STANDARD_TEXTS] for board in _NINE
]
_ULTIMATE = {
    text: (board, cell, side)
    for board, cells in enumerate(_ULTIMATE_TEXTS)
    for cell, texts in enumerate(cells)
    for side, text in enumerate(texts)
}


def replay_standard(moves: Iterable[str]) -> Replay:
    """Replay ``row,col,player`` moves on a 3x3 board.

    >>> replay_standard(["0,0,X", "0,0,O", "3,1,X", "1,1,O"]).standard_result()
    ['1001', 'None', 'X..', '.O.', '...']
    """
    texts = _list_of_texts(moves)
    possible = dict(_STANDARD)
    bits = bytearray(b"0" * len(texts))
    marks = [0, 0]
    winner = None
    for index, text in enumerate(texts):
        if text not in possible:
            continue
        cell, side = possible[text]
        bits[index] = ord("1")
        marks[side] |= 1 << cell
        if HAS_LINE[marks[side]]:
            winner = _PLAYERS[side]
            break
        for taken in _STANDARD_TEXTS[cell]:
            del possible[taken]
    return Replay(bits.decode(), winner, tuple(write_marks(marks[0], marks[1], 3, 3)))


def replay_ultimate(moves: Iterable[str]) -> Replay:
    """Replay ``bigrow,bigcol,row,col,player`` moves of Ultimate tic-tac-toe.

    >>> replay_ultimate(["0,0,1,2,X", "0,0,0,0,O"]).ultimate_result()[:3]
    ['10', 'None', '1,2']
    """
    texts = _list_of_texts(moves)
    possible = dict(_ULTIMATE)
    bits = bytearray(b"0" * len(texts))
    marks = [[0] * 9, [0] * 9]  # by side and board
    captured = [0, 0]
    closed = 0
    forced: int | None = None
    winner = None
    for index, text in enumerate(texts):
        if text not in possible:
            continue
        board, cell, side = possible[text]
        if forced is not None and board != forced:
            continue
        bits[index] = ord("1")
        marks[side][board] |= 1 << cell
        if HAS_LINE[marks[side][board]]:
            captured[side] |= 1 << board
            closed |= 1 << board
        elif marks[0][board] | marks[1][board] == FULL:
            closed |= 1 << board
        if HAS_LINE[captured[side]]:
            winner = _PLAYERS[side]
            break
        for gone in range(9) if closed >> board & 1 else (cell,):
            for taken in _ULTIMATE_TEXTS[board][gone]:
                possible.pop(taken, None)
        forced = None if closed >> cell & 1 else cell
    return Replay(
        bits.decode(),
        winner,
        tuple(_picture_rows(marks)),
        _next_board(winner is not None or closed == FULL, forced),
    )


def _next_board(is_over: bool, forced: int | None) -> str | None:
    if is_over:
        return None
    return "*" if forced is None else f"{forced // 3},{forced % 3}"


def _picture_rows(marks: list[list[int]]) -> list[str]:
    x, o = (
        sum(
            1 << picture_cell(board * 9 + cell)
            for board in range(9)
            for cell in range(9)
            if boards[board] >> cell & 1
        )
        for boards in marks
    )
    return write_marks(x, o, 9, 9)


def _list_of_texts(moves: Iterable[str]) -> list[str]:
    """Return the moves as a list, or raise if they are not all strings."""
    if isinstance(moves, (str, bytes)):
        raise NotationError(f"moves are a list of strings, not one string {brief(moves)}")
    try:
        texts = list(moves)
    except TypeError:
        raise NotationError(f"moves are a list of strings, not {brief(moves)}") from None
    if not set(map(type, texts)) <= {str}:
        for index, text in enumerate(texts):
            if not isinstance(text, str):
                raise NotationError(f"move {index} must be a string, not {brief(text)}")
    return texts
