"""The searches against brute force, also on positions that no game reaches."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.errors import LimitExceeded
from noughts.kernels import wrapping
from noughts.rules.grid import Grid
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.solving.arena import (
    ATTACKER,
    DEFENDER,
    HOLDS,
    WINS,
    arena_of,
    enter,
    new_workspace,
    prepare,
)
from noughts.solving.attack import best_cell, judge_cells
from noughts.solving.searches import Roles, Searches
from support.brute_force import brute, questions

MEMORY = 1 << 22


@cache
def searches(sizes: tuple[int, int, int]) -> Searches:
    return Searches(Grid(*sizes), MEMORY)


@given(questions(), st.integers(1, 5))
@settings(max_examples=500, deadline=None)
def test_attack_is_right(question: tuple[tuple[int, int, int], Roles], moves: int) -> None:
    sizes, roles = question
    truth = brute(sizes).wins(*roles, moves)
    finding = searches(sizes).attack(roles, Player.X, moves)
    assert finding.attacker_wins is truth
    if truth and roles.side == ATTACKER:
        assert finding.move is not None
        after = roles.play(finding.move)
        assert brute(sizes).has_line(after.attacker) or brute(sizes).wins(*after, moves - 1)


@given(questions(), questions(), st.integers(0, 20))
def test_a_search_that_ends_early_has_no_move(
    before: tuple[tuple[int, int, int], Roles],
    question: tuple[tuple[int, int, int], Roles],
    limit: int,
) -> None:
    """Neither one of its own nor that of the search before it."""
    sizes, roles = question
    used = searches(sizes)
    used.attack(before[1] if before[0] == sizes else roles, Player.X, 5)
    for finding in (
        used.attack(roles, Player.X, 5, limit=limit),
        used.defend(roles, Player.X, 50, limit=limit),
        used.defend(roles, Player.X, 50, aim=WINS, limit=limit),
    ):
        assert finding.nodes <= limit
        assert finding.attacker_wins is not None or finding.move is None
    used.stop()
    assert used.attack(roles, Player.X, 5).move is None
    used.stop(False)


@pytest.mark.parametrize("aim", [HOLDS, WINS])
@given(questions(), st.integers(2, 200))
@settings(max_examples=400, deadline=None)
def test_defence_is_right(
    aim: int, question: tuple[tuple[int, int, int], Roles], effort: int
) -> None:
    sizes, roles = question
    truth = brute(sizes).wins(*roles, 99)
    assert searches(sizes).defend(roles, Player.X, effort, aim=aim).attacker_wins in (truth, None)
    finding = searches(sizes).defend(roles, Player.X, aim=aim)
    assert finding.attacker_wins is truth
    if truth and roles.side == ATTACKER and finding.move is not None:
        after = roles.play(finding.move)
        assert brute(sizes).has_line(after.attacker) or brute(sizes).wins(*after, 99)
    if not truth and roles.side == DEFENDER and finding.move is not None:
        after = roles.play(finding.move)
        assert brute(sizes).has_line(after.defender) or not brute(sizes).wins(*after, 99)


@pytest.mark.parametrize(
    ("grid", "middle"), [("4x9x4", "e2"), ("4x10x4", "e2"), ("9x4x4", "b5"), ("7x7x7", "d4")]
)
def test_of_equal_cells_the_middle_is_tried_first(grid: str, middle: str) -> None:
    """Many cells of the empty board have as many lines."""
    start = GridPosition.start(grid)
    arena = arena_of(start.grid)
    work = new_workspace(arena)
    prepare(arena, work, *Roles(0, 0, ATTACKER), limit=1)
    with wrapping():
        enter(work, 1)
        judge_cells(arena, work, 1, arena.weights, 0.3)
        assert best_cell(work.score[1], arena.full) == start.read_move(middle)


@given(questions(), st.data())
@settings(max_examples=300, deadline=None)
def test_marks_outside_the_zone_of_a_defence_do_not_matter(
    question: tuple[tuple[int, int, int], Roles], data: st.DataObject
) -> None:
    sizes, roles = question
    finding = searches(sizes).defend(roles, Player.X, aim=data.draw(st.sampled_from([HOLDS, WINS])))
    if finding.attacker_wins is not False:
        return
    outside = [
        c
        for c in range(sizes[0] * sizes[1])
        if not (roles.attacker | roles.defender | finding.zone) >> c & 1
    ]
    chosen = data.draw(st.sets(st.sampled_from(outside))) if outside else set()
    extra = sum(1 << c for c in chosen)
    more = roles._replace(attacker=roles.attacker | extra)
    completing = roles.side == DEFENDER and finding.move is not None
    if completing and brute(sizes).has_line(roles.play(finding.move).defender):
        return  # the defender ends the game at once, so no line of the attacker's can come of it
    assert not brute(sizes).has_line(more.attacker)
    assert not brute(sizes).wins(*more, 99)


@given(questions(), st.integers(1, 5), st.integers(1, 2), st.data())
@settings(max_examples=500, deadline=None)
def test_as_many_marks_as_the_tempo_outside_the_zone_of_an_attack_do_not_matter(
    question: tuple[tuple[int, int, int], Roles], moves: int, tempo: int, data: st.DataObject
) -> None:
    sizes, roles = question
    finding = searches(sizes).attack(roles, Player.X, moves, tempo=tempo)
    if not finding.attacker_wins:
        return
    outside = [
        c
        for c in range(sizes[0] * sizes[1])
        if not (roles.attacker | roles.defender | finding.zone) >> c & 1
    ]
    if outside:
        chosen = data.draw(st.sets(st.sampled_from(outside), max_size=tempo))
        more = roles._replace(defender=roles.defender | sum(1 << c for c in chosen))
        if not brute(sizes).has_line(more.defender):
            assert brute(sizes).wins(*more, moves)


@given(questions())
@settings(max_examples=350, deadline=None)
def test_pairs_and_potential_hold(question: tuple[tuple[int, int, int], Roles]) -> None:
    sizes, roles = question
    pairs = searches(sizes).pairs(roles)
    if pairs is not None:
        assert not brute(sizes).wins(*roles, 99)
        cells = [cell for pair in pairs for cell in pair]
        assert len(set(cells)) == len(cells)
        assert not any((roles.attacker | roles.defender) >> cell & 1 for cell in cells)


def test_pairs_hold_often_enough_to_be_of_use() -> None:
    assert searches((3, 4, 4)).pairs(Roles(0, 0, ATTACKER)) == []  # the potential is enough
    assert searches((1, 6, 3)).pairs(Roles(0, 0, ATTACKER)) == [(1, 2)]
    assert searches((3, 3, 3)).pairs(Roles(0, 0, ATTACKER)) is None


def test_what_is_dumped_can_be_loaded() -> None:
    grid = Grid(5, 5, 4)
    first = Searches(grid, MEMORY)
    start = Roles(0, 0, ATTACKER)
    cost = first.defend(start, Player.X, 10**6).nodes
    second = Searches(grid, MEMORY)
    second.load(first.dump(100_000))
    again = second.defend(start, Player.X, 10**6)
    assert again.attacker_wins is False
    assert again.nodes < cost / 10


def test_a_table_grows_without_forgetting() -> None:
    grown = Searches(Grid(5, 5, 4), 1 << 26)
    start = Roles(0, 0, ATTACKER)
    first = grown.attack(start, Player.X, 7, 10**4)
    assert first.attacker_wins is None
    for effort in (10**5, 10**6, 10**7):
        finding = grown.attack(start, Player.X, 7, effort)
    assert finding.attacker_wins is False
    assert grown.attack(start, Player.X, 7, 10**7).nodes < 100


def test_a_tiny_table_costs_time_not_truth() -> None:
    rng = random.Random(7)
    small, large = Searches(Grid(4, 4, 3), 1), Searches(Grid(4, 4, 3), 1 << 26)
    for _ in range(100):
        cells = rng.sample(range(16), 6)
        roles = Roles(sum(1 << c for c in cells[::2]), sum(1 << c for c in cells[1::2]), ATTACKER)
        for moves in (2, 4):
            answers = [e.attack(roles, Player.X, moves).attacker_wins for e in (small, large)]
            assert answers[0] is answers[1]


def test_a_board_that_is_too_large_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="at most 64 cells"):
        Searches(Grid(9, 8, 5), MEMORY)
