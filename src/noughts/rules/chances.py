"""Whether a side can still win, if the opponent helps: what decides a game on time.

A player who runs out of time loses, unless the opponent could not have won by any further moves;
then it is a draw.
"""

from __future__ import annotations

from noughts.rules.grid import Grid, cells_of, mask_of
from noughts.rules.player import Player
from noughts.rules.position import GridPosition, Position
from noughts.rules.ultimate import BOARDS, FULL, HAS_LINE, SMALL, UltimatePosition, Variant

__all__ = ["can_still_win"]

_MOST_TRIES = 5_000
"""How many choices of the opponent's moves are tried; after them, a side may still win."""


def can_still_win(position: Position, side: Player) -> bool:
    """Return whether some legal moves of both sides lead to a win of this side.

    On grids this is exact, but for positions in which it would take very long. In Ultimate it is
    whether the boards that the side has, and those that it could still capture, are enough to win.

    >>> can_still_win(GridPosition.parse("XO./..."), Player.O)
    False
    """
    if position.outcome is not None:
        return position.outcome.winner is side
    if isinstance(position, GridPosition):
        return _on_grid(position, side)
    assert isinstance(position, UltimatePosition)
    return _in_ultimate(position, side)


def _on_grid(position: GridPosition, side: Player) -> bool:
    """Look for a line that the side can fill while the opponent makes harmless moves.

    A win has a last line, which takes the side one move for each of its empty cells. Meanwhile
    the opponent makes as many moves (one less if the side begins), all of them off that line and
    without a line of its own. Other moves of the side only take time and cells away.
    """
    grid = position.grid
    own, others = (position.x, position.o) if side is Player.X else (position.o, position.x)
    empty = grid.full & ~(own | others)
    is_first = position.turn is side
    tries = [_MOST_TRIES]
    for line in map(mask_of, grid.lines_in(own | empty)):
        moves = (line & empty).bit_count() - is_first
        if _has_harmless(grid, others, cells_of(empty & ~line), moves, tries):
            return True
    return False


def _has_harmless(grid: Grid, marks: int, cells: list[int], count: int, tries: list[int]) -> bool:
    """Return whether `count` of these cells can be added to the marks without making a line."""
    tries[0] -= 1
    if count <= 0 or tries[0] < 0:
        return True
    for index in range(len(cells) - count + 1):
        more = marks | 1 << cells[index]
        if not grid.has_line(more) and _has_harmless(
            grid, more, cells[index + 1 :], count - 1, tries
        ):
            return True
    return False


def _in_ultimate(position: UltimatePosition, side: Player) -> bool:
    others = position.o if side is Player.X else position.x
    x_boards, o_boards = position.captured
    own, lost = (x_boards, o_boards) if side is Player.X else (o_boards, x_boards)
    within_reach = own
    for board in BOARDS:
        is_free = not (own | lost) >> board & 1
        if is_free and HAS_LINE[FULL & ~(others >> 9 * board)]:
            within_reach |= 1 << board
    if SMALL.has_line(within_reach):
        return True
    return Variant.MOST_BOARDS in position.variant and within_reach.bit_count() > lost.bit_count()
