"""The well-known exercises, under the names that their readers expect.

The functions here are thin; the work is done by pure Python modules: `counters` (constant-time
play) and `replay` (move lists) beside this one, `rules.verdict` and `counting`.

=====================  =====================================================================
`TicTacToe`            constant-time play on n x n (LeetCode 348)
`valid_tic_tac_toe`    can this board be reached? (LeetCode 794)
`state`                whose turn, who won, draw or invalid
`simulate`             replay moves on 3x3, rejecting bad ones
`simulate_ultimate`    the same for Ultimate tic-tac-toe
`count_games`          how many games there are, also where they cannot be listed
`games`                every game, by backtracking
`trace`                the textbook form of an exercise, step by step
`grade`                is this solution of an exercise right?
=====================  =====================================================================

`textbook/` holds the exercises as one would write them on a whiteboard, `tracing/` runs them
step by step, and `grading/` judges solutions of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from noughts.counting.games import sweep_games
from noughts.counting.listing import games as _games
from noughts.counting.runner import Runner
from noughts.exercises.counters import TicTacToe
from noughts.exercises.replay import replay_standard, replay_ultimate
from noughts.rules.grid import grid_of
from noughts.rules.grid_notation import read_marks
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition
from noughts.rules.verdict import verdict_of

if TYPE_CHECKING:
    from noughts.exercises.grading import grade
    from noughts.exercises.tracing import trace

__all__ = [
    "TicTacToe",
    "count_games",
    "games",
    "grade",
    "simulate",
    "simulate_ultimate",
    "state",
    "trace",
    "validTicTacToe",
    "valid_tic_tac_toe",
]


def state(board: str | Sequence[str], k: int = 3) -> str:
    """Return ``X_turn``, ``O_turn``, ``X_wins``, ``O_wins``, ``draw`` or ``invalid``.

    The board may have any size; `k` in a row win.

    >>> state(["XXX", "OO.", "..."]), state("OO./.../...")
    ('X_wins', 'invalid')
    """
    rows, cols, x, o = read_marks(board)
    return str(verdict_of(grid_of(rows, cols, k), x, o))


def valid_tic_tac_toe(board: str | Sequence[str], k: int = 3) -> bool:
    """Return whether some game leads to this board.

    >>> valid_tic_tac_toe(["XOX", " X ", "   "]), valid_tic_tac_toe(["XOX", "O O", "XOX"])
    (False, True)
    """
    rows, cols, x, o = read_marks(board)
    return verdict_of(grid_of(rows, cols, k), x, o) is not Verdict.INVALID


validTicTacToe = valid_tic_tac_toe  # noqa: N816 - the exercise's own spelling


def simulate(moves: Sequence[str]) -> list[str]:
    """Replay ``row,col,player`` moves and return ``[bits, winner, row0, row1, row2]``.

    >>> simulate(["0,0,X", "0,0,O", "1,1,O"])
    ['101', 'None', 'X..', '.O.', '...']
    """
    return replay_standard(moves).standard_result()


def simulate_ultimate(moves: Sequence[str]) -> list[str]:
    """Replay ``bigrow,bigcol,row,col,player`` moves; ``[bits, winner, next, nine rows]``.

    >>> simulate_ultimate(["0,0,1,2,X"])[:5]
    ['1', 'None', '1,2', '.........', '..X......']
    """
    return replay_ultimate(moves).ultimate_result()


def count_games(rows: int = 4, cols: int = 4, k: int = 3) -> int:
    """Return how many games there are: ordered lists of moves up to a win or a full board.

    >>> count_games(3, 3, 3)
    255168
    """
    return sweep_games(GridPosition.start(grid_of(rows, cols, k)), Runner()).total


def games(rows: int = 4, cols: int = 4, k: int = 3) -> Iterator[tuple[int, ...]]:
    """Yield every game as a tuple of cells, in lexicographic order.

    >>> next(games())
    (0, 1, 2, 3, 4, 5, 6, 7, 8)
    """
    return _games(grid_of(rows, cols, k))


_HOMES = {"grade": "noughts.exercises.grading", "trace": "noughts.exercises.tracing"}
"""Where the names are that load more; each is loaded when it is first used."""


def __getattr__(name: str) -> Any:
    """Load a name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'noughts.exercises' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
