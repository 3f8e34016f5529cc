"""The numbers of the lesson on verdicts, counted anew by the slow rules."""

from __future__ import annotations

import itertools

from lessons.state import (
    MISTAKES,
    all_boards,
    boards_without_a_last_move,
    smallest_grid_for,
    verdicts_of,
    wrong_boards,
)

from noughts import Grid
from support.cases import for_each
from support.oracle import has_line, lines, reachable_verdicts, verdict_by_retrograde
from support.strategies import Shape

REACHED = reachable_verdicts(3, 3, 3)
EVERY = ["".join(marks) for marks in itertools.product(".XO", repeat=9)]


def wrong_of(about: str) -> list[tuple[str, str]]:
    """Return the boards that a mistake judges wrong, as text, with the wrong verdicts."""
    (mistake,) = [mistake for mistake in MISTAKES if mistake.about == about]
    wrong = wrong_boards(mistake.made_in("verdict", "state"), verdicts_of(3, 3, 3))
    return [("".join(board), verdict) for board, verdict in wrong]


def lines_of(cells: str) -> tuple[bool, bool]:
    """Return whether X has a line, and whether O has one."""
    return has_line(cells, 3, 3, 3, "X"), has_line(cells, 3, 3, 3, "O")


def lines_share_a_cell(cells: str) -> bool:
    """Return whether a cell lies on all lines on the board, or there is none."""
    full = [run for run in lines(3, 3, 3) if {cells[c] for c in run} in ({"X"}, {"O"})]
    return not full or bool(frozenset.intersection(*full))


def test_every_board_once_and_few_marks_first() -> None:
    boards = ["".join(board) for board in all_boards(3, 3)]
    assert sorted(boards) == sorted(EVERY)
    marks = [9 - board.count(".") for board in boards]
    assert marks == sorted(marks)


def test_verdicts_are_those_of_play() -> None:
    found = {"".join(board): verdict for board, verdict in verdicts_of(3, 3, 3).items()}
    assert found == {cells: REACHED.get(cells, "invalid") for cells in EVERY}


def test_the_winner_that_did_not_move_last() -> None:
    late: dict[str, set[str]] = {"X": set(), "O": set()}
    for cells in EVERY:
        ahead = cells.count("X") - cells.count("O")
        if lines_of(cells) == (True, False) and ahead == 0:
            late["X"].add(cells)
        elif lines_of(cells) == (False, True) and ahead == 1:
            late["O"].add(cells)
    assert {cells for cells, _ in wrong_of("... checked for O only")} == late["X"]
    assert {cells for cells, _ in wrong_of("... checked for X only")} == late["O"]
    both = {cells for cells, _ in wrong_of("the winner need not have moved last")}
    assert both == late["X"] | late["O"]
    assert len(both) == 412  # as in the task of this lesson


def test_the_count_of_marks() -> None:
    uneven = set()
    for cells in EVERY:
        ahead = cells.count("X") - cells.count("O")
        if ahead not in (0, 1):
            x_line, o_line = lines_of(cells)
            moved_last = (not x_line or ahead != 0) and (not o_line or ahead <= 0)
            if not (x_line and o_line) and moved_last and lines_share_a_cell(cells):
                uneven.add(cells)
    assert {cells for cells, _ in wrong_of("the marks are not counted")} == uneven


def test_a_full_board_that_is_won() -> None:
    full = {cells for cells, verdict in REACHED.items() if "." not in cells and "wins" in verdict}
    wrong = wrong_of("a full board is a draw, before lines are looked at")
    assert {cells for cells, _ in wrong} == full
    assert {verdict for _, verdict in wrong} == {"draw"}


def test_a_line_that_wins_before_anything_is_checked() -> None:
    wrong = wrong_of("a line wins, before anything is checked")
    invalid = {cells for cells in EVERY if any(lines_of(cells)) and cells not in REACHED}
    assert {cells for cells, _ in wrong} == invalid


@for_each("about", [MISTAKES[-2].about, MISTAKES[-1].about])
def test_what_3x3_does_not_show(about: str) -> None:
    assert wrong_of(about) == []


def test_the_smallest_grid_on_which_lines_must_share_a_cell() -> None:
    grid, board, verdict = smallest_grid_for(MISTAKES[-1], 7)
    rows, cols, k = map(int, grid.split("x"))
    assert verdict_by_retrograde("".join(board), rows, cols, k) == "invalid" != verdict
    wrong = MISTAKES[-1].made_in("verdict", "state")
    for rows, cols in itertools.product(range(1, 6), repeat=2):
        for k in (1, 2, 3) if rows * cols <= 5 else ():
            reached = reachable_verdicts(rows, cols, k)
            for smaller in all_boards(rows, cols):
                assert wrong(smaller, k) == reached.get("".join(smaller), "invalid")


@for_each("shape", [(3, 3, 2), (2, 4, 2), (1, 8, 2), (2, 3, 2), (3, 3, 3), (2, 2, 2)])
def test_boards_that_only_lack_a_last_move(shape: Shape) -> None:
    reached = reachable_verdicts(*shape)
    lacking = 0
    for marks in itertools.product(".XO", repeat=shape[0] * shape[1]):
        cells = "".join(marks)
        sides = has_line(cells, *shape, "X"), has_line(cells, *shape, "O")
        ahead = cells.count("X") - cells.count("O")
        if (sides, ahead) in (((True, False), 1), ((False, True), 0)):
            lacking += cells not in reached
    assert boards_without_a_last_move(Grid(*shape)) == lacking
