"""A smaller board as a guide: where it lies, what it advises, and that it changes no answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.kernels import wrapping
from noughts.rules.grid import Grid
from noughts.rules.player import Player
from noughts.solving import searches as module
from noughts.solving.arena import ATTACKER, DEFENDER, HOLDS, WINS, arena_of, new_workspace, prepare
from noughts.solving.guide import advise, placements, smaller
from noughts.solving.searches import Roles, Searches
from support.brute_force import brute, questions

MEMORY = 1 << 22


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ("4x10x4", "4x9x4"),
        ("5x5x4", "5x4x4"),
        ("6x4x4", "5x4x4"),
        ("1x2x2", "1x1x2"),
        ("1x1x1", None),
    ],
)
def test_the_longer_side_is_shortened(grid: str, expected: str | None) -> None:
    assert smaller(Grid.parse(grid)) == (Grid.parse(expected) if expected else None)


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 3), (4, 2), (4, 10), (1, 5)])
def test_both_ends_have_its_lines(rows: int, cols: int) -> None:
    grid = Grid(rows, cols, 2)
    small = smaller(grid)
    assert small
    near, far = placements(small, grid).tolist()
    assert near[0] == 0
    assert far[-1] == grid.cells - 1
    assert set(near) | set(far) == set(range(grid.cells))
    lines = {frozenset(line) for line in grid.lines}
    for cells in (near, far):
        assert {frozenset(cells[cell] for cell in line) for line in small.lines} <= lines


def test_it_advises_what_wins_on_the_smaller_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GUIDED_EFFORT", 0)
    grid, roles = Grid(3, 5, 3), Roles(0, 0, ATTACKER)
    searches = Searches(grid, MEMORY)
    guide, nodes = searches._guide(roles, Player.X, 1000, 10**6)
    assert nodes > 0
    arena = arena_of(grid)
    work = new_workspace(arena)
    prepare(arena, work, *roles, 1)
    with wrapping():
        advise(guide, work, 1)
    advised = set(np.flatnonzero(work.score[1]).tolist())
    small = Grid(3, 4, 3)
    winning = {
        cells[first]
        for cells in placements(small, grid).tolist()
        for first in range(small.cells)
        if brute((3, 4, 3)).wins(1 << first, 0, DEFENDER, 99)
    }
    assert advised
    assert advised <= winning


def test_without_a_win_there_it_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GUIDED_EFFORT", 0)
    guide, _ = Searches(Grid(3, 4, 3), MEMORY)._guide(Roles(0, 0, ATTACKER), Player.X, 10**6, 10**9)
    assert len(guide.cells) == 0  # 3x3x3 is a draw


@given(questions(), st.integers(10, 2000))
@settings(max_examples=300, deadline=None)
def test_no_answer_changes(question: tuple[tuple[int, int, int], Roles], effort: int) -> None:
    sizes, roles = question
    truth = brute(sizes).wins(*roles, 99)
    guided = Searches(Grid(*sizes), MEMORY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_GUIDED_EFFORT", 0)
        for aim in (WINS, HOLDS):
            assert guided.defend(roles, Player.X, effort, aim=aim).attacker_wins in (truth, None)
            assert guided.defend(roles, Player.X, aim=aim).attacker_wins is truth
