"""noughts: the tic-tac-toe family.

Any ``rows x cols`` board with ``k`` in a row, and Ultimate tic-tac-toe. This module is the front
door: what people do first is here, and heavy parts load when they are touched.

>>> import noughts
>>> noughts.judge("XXX/OO./...").verdict.value
'X_wins'
>>> noughts.position("3x3x3 b2 a1").play("c3").text
'3x3x3:O../.X./..X'
>>> noughts.count("4x4x3").total
1281016086768
>>> print(noughts.solve("3x3x3 b2 a2"))
X wins in 5 plies

::

    rules/      what is legal           exercises/  the well-known exercises
    counting/   how many                solving/    what is proved
    engine/     what is estimated       analysis/   what is a move worth?
    players/    opponents for people    matches/    who is stronger
    puzzles/    one move to find        rl/         for learners: arrays, environments
    datasets/   files with exact labels
    web/  cli/  notebook/               the page and the HTTP API, the command line, Jupyter
    values      win, draw, loss, and estimates      limits   time, nodes, memory, threads
    drawing/    text and SVG            errors      one small tree
    kernels     compiled loops          storage     files, written whole
    folders     of the user             programs    of others, and their ends
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from noughts.errors import (
    CheckpointError,
    CountMismatch,
    DataSetError,
    Forfeit,
    IllegalMove,
    InvalidPosition,
    LimitExceeded,
    MissingExtra,
    NotationError,
    NoughtsError,
    ProofError,
    SizeError,
    StoreError,
    TableError,
)
from noughts.rules.board import Board
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.rules.parsing import parse_position, position, start
from noughts.rules.perft import perft, perft_split
from noughts.rules.player import Outcome, Player, Termination, Verdict
from noughts.rules.position import GridPosition, Position
from noughts.rules.symmetry import Symmetry
from noughts.rules.ultimate import UltimatePosition, Variant
from noughts.rules.verdict import Cause, Judgement, Reason, is_reachable, judge

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy import int8
    from numpy.typing import NDArray

    from noughts.analysis import Exploration, ExploredMove, analyse, explore, review
    from noughts.counting import Games, count
    from noughts.limits import Limits
    from noughts.solving import solve
    from noughts.values import Analysis, MoveValue, Solution, Value

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "Board",
    "Cause",
    "CheckpointError",
    "CountMismatch",
    "DataSetError",
    "Exploration",
    "ExploredMove",
    "Forfeit",
    "Game",
    "Games",
    "Grid",
    "GridPosition",
    "IllegalMove",
    "InvalidPosition",
    "Judgement",
    "LimitExceeded",
    "Limits",
    "MissingExtra",
    "MoveValue",
    "NotationError",
    "NoughtsError",
    "Outcome",
    "Player",
    "Position",
    "ProofError",
    "Reason",
    "SizeError",
    "Solution",
    "StoreError",
    "Symmetry",
    "TableError",
    "Termination",
    "UltimatePosition",
    "Value",
    "Variant",
    "Verdict",
    "analyse",
    "count",
    "explore",
    "is_reachable",
    "judge",
    "judge_many",
    "parse_position",
    "perft",
    "perft_split",
    "position",
    "review",
    "solve",
    "start",
]

_HOMES = {
    **dict.fromkeys(
        ("Exploration", "ExploredMove", "analyse", "explore", "review"), "noughts.analysis"
    ),
    **dict.fromkeys(("Games", "count"), "noughts.counting"),
    "Limits": "noughts.limits",
    "solve": "noughts.solving",
    **dict.fromkeys(("Analysis", "MoveValue", "Solution", "Value"), "noughts.values"),
}
"""Where the names are that load more than the rules; each is loaded when it is first used."""


def judge_many(
    boards: "NDArray[int8]", k: "SupportsIndex" = 3, *, threads: int | None = None
) -> "NDArray[int8]":
    """Return the verdicts on an array of boards, each as its place in ``list(Verdict)``.

    The boards are of int8 or uint8, with the shape (boards, rows, columns): 0 is an empty cell, 1
    an X, 2 an O. `k` in a row win. Without `threads` all cores are used. It needs numpy.

    >>> import numpy as np
    >>> boards = np.array([[[1, 1, 1], [2, 2, 0], [0, 0, 0]], [[1, 1, 0], [0, 0, 0], [0, 0, 0]]])
    >>> [list(Verdict)[code].value for code in judge_many(boards.astype(np.int8))]
    ['X_wins', 'invalid']
    """
    from noughts.rl.judging import judge_many as judge_arrays  # only here is numpy loaded

    return judge_arrays(boards, k, threads=threads)


def __getattr__(name: str) -> Any:
    """Load a name of the front door from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'noughts' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
