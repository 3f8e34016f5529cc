"""Grading says whether a solution of an exercise is right, and fast enough.

==============  =====================================================================
`finding`       the solution in a file, by its usual names (`names`), without running it
`exercise`      what all exercises share: cases in order of size, and what is right
`boards`        `state` and `valid`: verdicts on drawn boards
`replays`       `simulate`: lists of moves; `ultimate_replays` the same for Ultimate
`play`          `tic-tac-toe`: play on n x n
`enumeration`   `count` and `games`: every game
`process`       the child process of a solution, as its parent sees it; `starting` makes it
`child`         that process itself; it calls (`calling`) and measures (`measuring`)
`growth`        constant time and little memory, told by ratios
`judging`       case by case up to the first that fails
`result`        the result; `junit` writes it for other programs
==============  =====================================================================

A solution runs in a process of its own, with limits. This keeps the grader alive; it is not a
sandbox: the solution has the rights of the user who grades it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from noughts.errors import NoughtsError, whole_number
from noughts.exercises.grading.finding import find_in_file, find_object
from noughts.exercises.grading.judging import judge_solution
from noughts.exercises.grading.process import Allowance
from noughts.exercises.grading.result import Counterexample, Grade, Remark
from noughts.limits import GIB, MOST_SEED, require_seconds

__all__ = ["DEFAULT_MEMORY", "DEFAULT_SECONDS", "Counterexample", "Grade", "Remark", "grade"]

DEFAULT_SECONDS = 5.0
DEFAULT_MEMORY = GIB


def grade(
    solution: str | os.PathLike[str] | Callable[..., Any],
    exercise: str | None = None,
    *,
    function: str | None = None,
    seconds: float = DEFAULT_SECONDS,
    memory: int = DEFAULT_MEMORY,
    seed: int = 0,
    strict: bool = False,
) -> Grade:
    """Return whether a solution is right, with the smallest counterexample found if it is not.

    A solution is a file's name, a function or a class. Without `exercise`, the name of the
    function decides. One call may take `seconds`, all calls ten times as long; the solution
    may use `memory` bytes. With `strict`, remarks on growth and order are failures.

    A file runs in a fresh interpreter, an object in a copy of this process (a fork), which sees
    all that this process has loaded. Neither is a sandbox.

    >>> def state(board):
    ...     return "X_turn"
    >>> result = grade(state)
    >>> result.right, result.cases
    (False, 2)
    >>> print(result.counterexample.expected, result.counterexample.got)
    'O_turn' 'X_turn'
    """
    require_seconds(seconds)
    allowance = Allowance(seconds, whole_number(memory, "memory", least=1))
    seed = whole_number(seed, "seed", most=MOST_SEED)
    if isinstance(solution, str | os.PathLike):
        found = find_in_file(solution, exercise, function)
    elif function is None:
        found = find_object(solution, exercise)
    else:
        raise NoughtsError("`function` is a name in a file; grade the function or class itself")
    return judge_solution(found, allowance, seed, strict)
