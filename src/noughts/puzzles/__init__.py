"""Puzzles: positions with exactly one solution, proved.

>>> from noughts import puzzles
>>> puzzle = puzzles.puzzles("4x4x3", kind="win")[0]
>>> puzzle.title
'O to move and win in 2'
>>> puzzle.check(puzzle.solution).is_right
True

The value of every legal move was proved when the set was made, and comes with it: to judge an
attempt takes no search, and neither numpy nor numba. ``docs/puzzles.md`` has the details.

::

    puzzle      `Puzzle`, and `Attempt`: what a solver's moves are worth, in plain words
    answers     what follows every move, and how it is written in the file
    collection  the set that comes with noughts: `puzzles`, `puzzle`, `daily`
    rating      how hard a puzzle is
    finding     whether a position is a puzzle: the proofs; this is how the set was made
"""

from __future__ import annotations

from noughts.puzzles.collection import daily, puzzle, puzzles
from noughts.puzzles.puzzle import Attempt, Kind, Puzzle

__all__ = ["Attempt", "Kind", "Puzzle", "daily", "puzzle", "puzzles"]
