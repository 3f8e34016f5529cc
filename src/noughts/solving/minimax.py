"""Tiny boards: plain minimax with a transposition table, in pure Python.

A score is the value and the distance in one number, so that comparing scores is comparing
outcomes: the side to move prefers a quick win to a slow one, that to a draw, and a slow loss
to a quick one::

    win in n plies   100 - n        draw   0        loss in n plies   n - 100
"""

from __future__ import annotations

from functools import lru_cache

from noughts.rules.grid import Grid, cells_of
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.values import Analysis, MoveValue, Solution, Value, best_first

__all__ = ["MAX_CELLS", "analyse", "evaluate"]

MAX_CELLS = 9  # 3x3 has some five thousand positions: a few milliseconds
_WIN = 100


def evaluate(position: GridPosition) -> tuple[Value, int | None]:
    """Return the value of a position and the plies to the end, which draws do not have.

    >>> evaluate(GridPosition.parse("XX./OO./..."))
    (<Value.WIN: 'win'>, 1)
    """
    mover, other = position.x, position.o
    if position.turn is Player.O:
        mover, other = other, mover
    score = _scores(position.grid).of(mover, other)
    if not score:
        return Value.DRAW, None
    return (Value.WIN, _WIN - score) if score > 0 else (Value.LOSS, _WIN + score)


def analyse(position: GridPosition) -> Analysis:
    """Return the value of a position and of every legal move."""
    if position.outcome is not None:
        return Analysis.finished(position)
    moves = []
    for move in position.legal_moves:
        value, plies = evaluate(position.play_unchecked(move))
        moves.append(MoveValue.after(move, Solution(position, value, value, plies)))
    return Analysis(position, best_first(moves), _line(position))


def _line(position: GridPosition) -> tuple[int, ...]:
    """Return a line of best play: the first of the best moves each time."""
    line = []
    while position.outcome is None:
        value, plies = evaluate(position)
        after = {move: position.play_unchecked(move) for move in position.legal_moves}
        wanted = value.reversed, None if plies is None else plies - 1
        move = next(move for move in after if evaluate(after[move]) == wanted)
        line.append(move)
        position = after[move]
    return tuple(line)


@lru_cache(maxsize=64)
def _scores(grid: Grid) -> _Scores:
    return _Scores(grid)


class _Scores:
    """The scores of a grid's positions, as far as they were asked for."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.known: dict[tuple[int, int], int] = {}

    def of(self, mover: int, other: int) -> int:
        """Return the score of a position for the side to move; only `other` may have a line."""
        score = self.known.get((mover, other))
        if score is None:
            score = self.known[mover, other] = self._find(mover, other)
        return score

    def _find(self, mover: int, other: int) -> int:
        if self.grid.has_line(other):
            return -_WIN
        empty = self.grid.full & ~(mover | other)
        if not empty:
            return 0
        best = -_WIN
        for cell in cells_of(empty):
            score = -self.of(other, mover | 1 << cell)
            if score:
                score -= 1 if score > 0 else -1  # one ply further from the end
            best = max(best, score)
        return best
