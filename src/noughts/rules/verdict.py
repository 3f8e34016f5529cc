"""The verdict on a board, and why.

A board is a position of some game exactly when

1. there are as many X as O, or one more;
2. not both sides have a line;
3. the side that has a line moved last;
4. all of its lines share a cell, so that one last move completed them.

Why that suffices: without the shared cell's mark (4) neither side has a line, the counts are
those before the winner's move (1, 3), and without lines any order of the marks is a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from noughts.rules.board import Board
from noughts.rules.grid import Grid, cells_of, mask_of
from noughts.rules.grid_notation import cell_name
from noughts.rules.player import Player, Verdict

__all__ = ["Cause", "Judgement", "Reason", "is_reachable", "judge", "verdict_of"]


class Cause(StrEnum):
    """The name of a reason. The first five make a board invalid, the rest explain a verdict."""

    TOO_MANY_X = "too_many_x"
    TOO_MANY_O = "too_many_o"
    BOTH_HAVE_LINES = "both_have_lines"
    MOVED_AFTER_WIN = "moved_after_win"
    NO_SINGLE_LAST_MOVE = "no_single_last_move"
    LINE = "line"
    FULL = "full"
    EQUAL_MARKS = "equal_marks"
    X_IS_AHEAD = "x_is_ahead"


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a verdict: its name, what it means here, and the cells concerned."""

    cause: Cause
    message: str
    mask: int = 0

    @property
    def cells(self) -> list[int]:
        """The cells concerned, in ascending order."""
        return cells_of(self.mask)

    def __str__(self) -> str:
        return self.message

    def to_json(self) -> dict[str, object]:
        """Return the reason as plain data for JSON."""
        return {"name": self.cause.value, "message": self.message, "cells": self.cells}


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with all of its reasons."""

    verdict: Verdict
    reasons: tuple[Reason, ...]

    def to_json(self) -> dict[str, object]:
        """Return the judgement as plain data for JSON."""
        return {
            "verdict": self.verdict.value,
            "reasons": [reason.to_json() for reason in self.reasons],
        }


# Looked up once: access through the class takes longer than the rest of a small verdict.
_X_TURN, _O_TURN, _X_WINS, _O_WINS, _DRAW, _INVALID = Verdict


def verdict_of(grid: Grid, x: int, o: int) -> Verdict:
    """Return the verdict on two masks; the quick form of `judge`, without reasons."""
    ahead = x.bit_count() - o.bit_count()
    if ahead not in (0, 1):
        return _INVALID
    table = grid.line_table  # used directly: two calls of has_line would double the time
    x_line, o_line = (table[x], table[o]) if table else (grid.has_line(x), grid.has_line(o))
    if x_line or o_line:
        winner, moved_last = (x, ahead == 1) if x_line else (o, ahead == 0)
        if (x_line and o_line) or not moved_last or not grid.shared_cells(winner):
            return _INVALID
        return _X_WINS if x_line else _O_WINS
    if x | o == grid.full:
        return _DRAW
    return _O_TURN if ahead else _X_TURN


def is_reachable(board: Board | str | Sequence[str]) -> bool:
    """Return whether some game leads to this board.

    >>> is_reachable("XXX/OOO/...")
    False
    """
    return judge(board).verdict is not Verdict.INVALID


def judge(board: Board | str | Sequence[str]) -> Judgement:
    """Return the verdict on a board, its text or a list of its rows, with every reason for it.

    >>> judgement = judge("XXX/OOO/X..")
    >>> print(judgement.verdict, [str(reason) for reason in judgement.reasons])
    invalid ['both sides have a line: X on a1 b1 c1, O on a2 b2 c2']
    >>> judge(["OO.", "...", "..."]).reasons[0].cells
    [0, 1]
    """
    if not isinstance(board, Board):
        board = Board.parse(board)
    grid, x, o = board.grid, board.x, board.o
    verdict = verdict_of(grid, x, o)
    explain = _why_impossible if verdict is Verdict.INVALID else _why_so
    return Judgement(verdict, tuple(explain(verdict, grid, x, o)))


def _why_impossible(_: Verdict, grid: Grid, x: int, o: int) -> list[Reason]:
    """Return a reason for each of the four conditions above that the board breaks."""
    reasons = []
    x_count, o_count = x.bit_count(), o.bit_count()
    lines = {Player.X: grid.line_cells(x), Player.O: grid.line_cells(o)}
    counts = f"{x_count} X and {o_count} O"
    if x_count > o_count + 1:
        reasons.append(Reason(Cause.TOO_MANY_X, f"too many X: {counts}", x))
    if o_count > x_count:
        reasons.append(Reason(Cause.TOO_MANY_O, f"too many O: {counts}", o))
    winners = [player for player in Player if lines[player]]
    if len(winners) == 2:
        names = {player: _names(grid, lines[player]) for player in Player}
        message = f"both sides have a line: X on {names[Player.X]}, O on {names[Player.O]}"
        reasons.append(Reason(Cause.BOTH_HAVE_LINES, message, lines[Player.X] | lines[Player.O]))
    elif winners:
        (winner,) = winners
        if (winner is Player.X) == (o_count >= x_count):
            message = f"{winner} has a line, but {winner.other} moved after it: {counts}"
            reasons.append(Reason(Cause.MOVED_AFTER_WIN, message, lines[winner]))
    for player, mask in ((Player.X, x), (Player.O, o)):
        if lines[player] and not grid.shared_cells(mask):
            where = _names(grid, lines[player])
            message = f"no single move completes all lines of {player}: {where}"
            reasons.append(Reason(Cause.NO_SINGLE_LAST_MOVE, message, lines[player]))
    return reasons


def _why_so(verdict: Verdict, grid: Grid, x: int, o: int) -> list[Reason]:
    """Return the reasons for the verdict on a valid board."""
    if verdict in (Verdict.X_WINS, Verdict.O_WINS):
        winner, mask = ("X", x) if verdict is Verdict.X_WINS else ("O", o)
        return [
            Reason(
                Cause.LINE,
                f"{winner} on {' '.join(cell_name(grid, cell) for cell in line)}",
                mask_of(line),
            )
            for line in grid.lines_in(mask)
        ]
    if verdict is Verdict.DRAW:
        return [Reason(Cause.FULL, "the board is full and neither side has a line")]
    if verdict is Verdict.X_TURN:
        return [Reason(Cause.EQUAL_MARKS, f"as many X as O ({x.bit_count()}) and no line")]
    return [Reason(Cause.X_IS_AHEAD, f"one X more than O ({x.bit_count()}) and no line")]


def _names(grid: Grid, mask: int, most: int = 12) -> str:
    """Return the names of the cells of a mask, at most `most` of them."""
    cells = cells_of(mask)
    names = " ".join(cell_name(grid, cell) for cell in cells[:most])
    return names if len(cells) <= most else f"{names} and {len(cells) - most} more"
