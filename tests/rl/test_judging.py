"""`judge_many` against the verdicts on single boards."""

from __future__ import annotations

import os
import random
from itertools import product

import numpy as np
import pytest

import noughts
from noughts import Grid, LimitExceeded, NoughtsError, SizeError, Verdict
from noughts.rl import judging
from noughts.rules.verdict import verdict_of
from support import oracle
from support.cases import for_each

BOARDS = int(os.environ.get("NOUGHTS_TEST_POSITIONS", "6000"))
VERDICTS = list(Verdict)


def test_every_board_of_3x3() -> None:
    boards = np.array(list(product((0, 1, 2), repeat=9)), np.int8).reshape(-1, 3, 3)
    reachable = oracle.reachable_verdicts(3, 3, 3)
    codes = noughts.judge_many(boards)
    assert len(codes) == 19_683
    for board, code in zip(boards, codes, strict=True):
        text = "".join(".XO"[mark] for mark in board.reshape(-1))
        assert VERDICTS[code] == reachable.get(text, "invalid"), text


def random_board(grid: Grid, rng: random.Random) -> tuple[list[int], int, int]:
    """Return a board that is likely to be a game's, or nearly: its marks, and two masks.

    Play goes on after a line at times, and at times in the neighbourhood of the last mark, so
    that there are lines, several of them, and lines of both sides.
    """
    marks, masks = [0] * grid.cells, [0, 0]
    order = list(range(grid.cells))
    rng.shuffle(order)
    if rng.random() < 0.6:  # all lines of X through one cell, or through two
        for _ in range(rng.randint(1, 2)):
            line = rng.choice(grid.lines) if grid.lines else ()
            for cell in line:
                order.remove(cell)
                order.insert(0 if rng.random() < 0.5 else len(order) // 2, cell)
        order = [*order[: len(order) // 2 : 2], *order[1 : len(order) // 2 : 2], *order]
        order = list(dict.fromkeys(order))
    stops = rng.random() < 0.7
    for ply, cell in enumerate(order[: rng.randint(0, grid.cells)]):
        masks[ply % 2] |= 1 << cell
        marks[cell] = 1 + ply % 2
        if stops and grid.has_line(masks[ply % 2]):
            break
    if rng.random() < 0.1:
        cell, mark = rng.randrange(grid.cells), rng.randrange(3)
        marks[cell] = mark
        masks = [sum(1 << c for c, m in enumerate(marks) if m == side) for side in (1, 2)]
    return marks, masks[0], masks[1]


def test_random_boards_of_all_sizes() -> None:
    rng = random.Random(23)
    found = dict.fromkeys(VERDICTS, 0)
    left = BOARDS
    while left > 0:
        # Up to 8, up to 64 and more cells are judged in different ways.
        rows, cols = rng.choice([(2, 3), (4, 4), (1, 7), (7, 8), (8, 8), (3, 21), (9, 9), (15, 15)])
        grid = Grid(rows, cols, rng.choice([1, 2, 3, 3, 4, 5, 20]))
        boards = [random_board(grid, rng) for _ in range(50)]
        array = np.array([marks for marks, _, _ in boards], np.int8).reshape(-1, rows, cols)
        for (_, x, o), code in zip(boards, noughts.judge_many(array, grid.k), strict=True):
            verdict = verdict_of(grid, x, o)
            assert VERDICTS[code] is verdict, (grid, x, o)
            found[verdict] += 1
        left -= len(boards)
    assert min(found.values()) > BOARDS // 100


@for_each(("rows", "cols"), [(4, 4), (9, 9)])
def test_lines_that_share_no_cell_are_no_last_move(rows: int, cols: int) -> None:
    boards = np.zeros((2, rows, cols), np.int8)
    boards[:, 0, :3] = 1  # a line of X, and another, that crosses it or does not
    boards[0, 1:3, 0] = boards[1, 3, :3] = 1
    boards[0, 3, [0, 1, 3]] = boards[0, 1, 2] = 2
    boards[1, 1, [0, 2]] = boards[1, 2, [0, 2, 3]] = 2
    codes = noughts.judge_many(boards)
    assert [VERDICTS[code] for code in codes] == [Verdict.X_WINS, Verdict.INVALID]


def test_arrays_of_other_orders_and_signs_are_the_same_boards() -> None:
    boards = np.array(list(product((0, 1, 2), repeat=9)), np.int8).reshape(-1, 3, 3)
    codes = noughts.judge_many(boards)
    assert (noughts.judge_many(boards.astype(np.uint8)) == codes).all()
    assert (noughts.judge_many(np.asfortranarray(boards)) == codes).all()
    assert (noughts.judge_many(boards[::-1]) == codes[::-1]).all()
    assert (noughts.judge_many(boards, threads=3) == codes).all()
    assert noughts.judge_many(np.zeros((0, 3, 3), np.int8)).tolist() == []
    assert codes.dtype == np.int8
    many = np.tile(boards, (3 * judging.LEAST_BYTES // boards.nbytes, 1, 1))
    assert (noughts.judge_many(many, threads=3).reshape(-1, len(codes)) == codes).all()


@for_each(
    ("boards", "k", "message"),
    [
        ([[0, 1, 2]], 3, r"an array of shape \(boards, rows, columns\), not \[\[0, 1, 2\]\]"),
        (np.zeros((3, 3), np.int8), 3, r"rows, columns\), not one of shape \(3, 3\)"),
        (np.zeros((1, 3, 3)), 3, r"int8, not float64: use \.astype\(np\.int8\)"),
        (np.zeros((1, 3, 3), bool), 3, "int8, not bool"),
        (np.zeros((1, 0, 3), np.int8), 3, "rows must be at least 1, not 0"),
        (np.zeros((1, 3, 3), np.int8), 0, "k must be at least 1, not 0"),
        (np.zeros((1, 3, 3), np.int8), "3", "k must be a whole number, not '3'"),
        (np.full((1, 3, 3), 3, np.int8), 3, r"boards\[0, 0, 0\] is 3; a cell is 0 \(empty\)"),
        (np.full((1, 3, 3), -1, np.int8), 3, r"boards\[0, 0, 0\] is -1"),
        (np.full((1, 9, 9), 255, np.uint8), 3, r"boards\[0, 0, 0\] is 255"),
    ],
)
def test_wrong_input_is_a_clear_error(boards: object, k: int, message: str) -> None:
    with pytest.raises(SizeError, match=message):
        noughts.judge_many(boards, k)  # type: ignore[arg-type]


@for_each("cells", [6, 9, 64, 81])
def test_a_wrong_cell_is_named_wherever_it_is(cells: int) -> None:
    rows = {6: 2, 9: 3, 64: 8, 81: 9}[cells]
    boards = np.zeros((5, rows, cells // rows), np.int8)
    for cell in range(cells):
        boards[3].reshape(-1)[cell] = 4
        row, col = divmod(cell, cells // rows)
        with pytest.raises(SizeError, match=rf"boards\[3, {row}, {col}\] is 4"):
            noughts.judge_many(boards)
        boards[:] = 0


def test_marks_are_read_for_boards_that_fit_a_word() -> None:
    with pytest.raises(LimitExceeded):
        judging.marks_of(np.zeros((1, 9, 9), np.int8), 3)
    with pytest.raises(NoughtsError, match=r"boards\[0, 0, 0\] is 9"):
        judging.marks_of(np.full((1, 3, 3), 9, np.int8), 3)
