"""The exercises `state` and `valid`: verdicts on drawn boards.

A solution that takes only the board is judged on all 19,683 boards of 3x3. One that takes
`(board, k)` is judged on smaller and larger boards, too, also on those where one side has
two lines: on larger boards these may lie apart, so that no last move completes both.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

from noughts.drawing import Diagram
from noughts.exercises.grading.exercise import Case, Exercise, Form
from noughts.rules.board import Board
from noughts.rules.grid import Grid, grid_of
from noughts.rules.grid_notation import write_marks
from noughts.rules.player import Verdict
from noughts.rules.verdict import judge, verdict_of

__all__ = ["State", "Valid"]

WHOLE = (
    *((1, 1, 1), (1, 2, 1), (1, 2, 2), (2, 1, 2), (1, 3, 2)),
    *((3, 1, 3), (2, 2, 2), (2, 2, 3), (1, 5, 3), (2, 3, 2)),
)
"""Grids of which all boards are cases."""

SAMPLED = (
    *((3, 2, 2), (3, 3, 2), (3, 3, 4), (2, 6, 3), (3, 4, 3)),
    *((4, 3, 3), (4, 4, 3), (4, 4, 4), (5, 5, 4), (3, 8, 3)),
)
"""Grids of which some boards are cases."""

PLAYED = 60  # boards of a sampled grid from random play
DRAWN = 30  # with random marks
PAIRED = 60  # with two lines of one side


class State(Exercise):
    """Whose turn, who won, draw or invalid."""

    name = "state"
    blank = "."

    def cases(self, form: Form, seed: int) -> Iterable[Case]:
        """Return all boards of 3x3, and with `k` smaller and larger ones."""
        if not form.has_k:
            return [self._case((rows,), "boards of 3x3", None) for rows in _all_boards(3, 3)]
        cases = []
        for rows, cols, k in sorted((*WHOLE, (3, 3, 3), *SAMPLED), key=lambda g: g[0] * g[1]):
            is_whole = (rows, cols, k) not in SAMPLED
            boards = _all_boards(rows, cols) if is_whole else _some_boards(rows, cols, k, seed)
            stage = f"boards of {rows}x{cols}, {k} in a row"
            cases += [self._case((board, k), stage, rows * cols) for board in boards]
        return sorted(cases, key=lambda case: case.size)

    def _case(self, arguments: tuple[Any, ...], stage: str, cells: int | None) -> Case:
        board = [row.replace(".", self.blank) for row in arguments[0]]
        marks = sum(len(row) - row.count(".") for row in arguments[0])
        size = (cells or 9, marks)
        return Case({"call": [board, *arguments[1:]]}, size, stage)

    def expected(self, case: Case) -> object:
        """Return the verdict."""
        return str(_verdict(case))

    def explain(self, case: Case, expected: object, got: object) -> tuple[str, str]:
        """Return the first reason for the verdict."""
        if type(expected) is not type(got):
            return "result type", f"the result is a {type(expected).__name__}"
        reasons = judge(_board(case)).reasons
        return reasons[0].cause.value, "; ".join(map(str, reasons))

    def diagram(self, case: Case, got: object) -> Diagram | None:
        """Draw the board."""
        return _board(case).diagram()


class Valid(State):
    """Whether some game leads to a board; blanks are spaces, as on LeetCode."""

    name = "valid"
    blank = " "

    def expected(self, case: Case) -> object:
        """Return whether the board can be reached."""
        return _verdict(case) is not Verdict.INVALID


def _board(case: Case) -> Board:
    rows, *k = case.arguments
    return Board.parse(rows, k=k[0] if k else None)


def _verdict(case: Case) -> Verdict:
    board = _board(case)
    return verdict_of(board.grid, board.x, board.o)


# -- boards ------------------------------------------------------------------------------


def _all_boards(rows: int, cols: int) -> list[list[str]]:
    """Return every board of a size, those with few marks first."""
    texts = ["".join(marks) for marks in product(".XO", repeat=rows * cols)]
    texts.sort(key=lambda text: -text.count("."))
    return [[text[row * cols : row * cols + cols] for row in range(rows)] for text in texts]


def _some_boards(rows: int, cols: int, k: int, seed: int) -> list[list[str]]:
    """Return boards of a grid from random play, with random marks, and with two lines."""
    grid = grid_of(rows, cols, k)
    chance = random.Random(f"{seed} {grid}")
    masks = [*_played(grid, chance), *_drawn(grid, chance), *_paired(grid, chance)]
    return [write_marks(x, o, rows, cols) for x, o in dict.fromkeys(masks)]


def _played(grid: Grid, chance: random.Random) -> Iterator[tuple[int, int]]:
    for _ in range(PLAYED):
        cells = chance.sample(range(grid.cells), grid.cells)
        x = o = 0
        for cell in cells[: chance.randint(0, grid.cells)]:
            if grid.has_line(x) or grid.has_line(o):
                break
            if x.bit_count() == o.bit_count():
                x |= 1 << cell
            else:
                o |= 1 << cell
        yield x, o


def _drawn(grid: Grid, chance: random.Random) -> Iterator[tuple[int, int]]:
    for _ in range(DRAWN):
        marks = chance.choices("XO.", k=grid.cells)
        yield _mask(marks, "X"), _mask(marks, "O")


def _mask(marks: list[str], mark: str) -> int:
    return sum(1 << cell for cell, each in enumerate(marks) if each == mark)


def _paired(grid: Grid, chance: random.Random) -> Iterator[tuple[int, int]]:
    """Yield boards on which one side has two lines or more, and the number of marks is right."""
    lines = [sum(1 << cell for cell in line) for line in grid.lines_in(grid.full)]
    pairs = list(combinations(lines, 2))
    for first, second in chance.sample(pairs, min(PAIRED, len(pairs))):
        winner = first | second
        is_x = chance.random() < 0.5
        free = [cell for cell in range(grid.cells) if not winner >> cell & 1]
        wanted = winner.bit_count() - is_x
        if wanted > len(free):
            continue
        for _ in range(20):
            other = sum(1 << cell for cell in chance.sample(free, wanted))
            if not grid.has_line(other):
                yield (winner, other) if is_x else (other, winner)
                break
