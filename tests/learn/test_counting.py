"""The numbers of the lesson on counting, listed where that is possible."""

from __future__ import annotations

import itertools

from lessons import counting as lesson
from lessons.games import small_grids, smallest_miscount
from lessons.source import Mistake

from noughts import Grid
from noughts.exercises.textbook.counting import count_games
from support.cases import for_each
from support.oracle import all_games, lines, reachable_verdicts
from support.strategies import Shape, vectors


@for_each("shape", [(3, 3, 3), (2, 4, 2), (1, 6, 3), (4, 2, 3), (3, 2, 2)])
def test_states_of_the_sweep(shape: Shape) -> None:
    runs = lines(*shape)
    sizes = lesson.sweep_sizes(Grid(*shape))
    for marked, size in enumerate(sizes, 1):
        states = set()
        for marks in itertools.product(".XO", repeat=marked):
            open_lines = []
            for side in "XO":
                own = {cell for cell, mark in enumerate(marks) if mark == side}
                begun = [run for run in runs if min(run) < marked]
                if any(run <= own for run in begun):
                    break  # a line: such a board is not counted
                alive = {r for r in begun if {c for c in r if c < marked} <= own}
                open_lines.append(frozenset(alive))
            else:
                states.add(tuple(open_lines))
        assert size == len(states)


def test_positions_that_symmetries_leave_alone() -> None:
    turns = {
        "identity": "012345678",
        "rotate 90": "630741852",
        "rotate 180": "876543210",
        "rotate 270": "258147036",
        "mirror left right": "210543876",
        "mirror top bottom": "678345012",
        "transpose": "036147258",
        "antitranspose": "852741630",
    }
    boards = reachable_verdicts(3, 3, 3)
    fixed = {
        name: sum("".join(board[int(cell)] for cell in turn) == board for board in boards)
        for name, turn in turns.items()
    }
    assert lesson.fixed_positions(Grid(3, 3, 3)) == fixed
    (published,) = [entry for entry in vectors("count.json") if entry["grid"] == "3x3x3"]
    assert fixed["identity"] == published["positions"]
    assert sum(fixed.values()) == 8 * published["positions_up_to_symmetry"]


def test_the_published_numbers_are_those_of_the_textbook_form() -> None:
    published = lesson.published_games()
    assert set(lesson.PUBLISHED_GAMES) <= set(published)
    for grid in lesson.PUBLISHED_GAMES:
        rows, cols, k = map(int, grid.split("x"))
        assert count_games(rows, cols, k) == published[grid]


@for_each("mistake", lesson.MISTAKES)
def test_no_smaller_grid_is_miscounted(mistake: Mistake) -> None:
    found = smallest_miscount(mistake, "counting")
    wrong = mistake.made_in("counting", "count_games")
    for grid in small_grids(6):
        right = sum(1 for _ in all_games(*grid))
        if found and "x".join(map(str, grid)) == found[0]:
            assert found[1:] == (right, wrong(*grid))
            break
        assert wrong(*grid) == right
