"""A win by threats is a win within its plies, and outside its zone nothing spoils it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from noughts import Grid, GridPosition, Player
from noughts.engine.grids.board import (
    EMPTY,
    NOWHERE,
    Board,
    completions,
    layout_of,
    new_board,
    set_up,
)
from noughts.engine.grids.threats import (
    LONGEST,
    NODE_LIMIT,
    NODES,
    mark_zone,
    new_chain,
    win_by_threats,
)
from noughts.rules.grid import cells_of
from noughts.solving import Value
from support.solver_cases import sampled, solver

SIDES = {Player.X: 0, Player.O: 1}


class Desk:
    """A board with a position on it, to ask about threats."""

    def __init__(self, position: GridPosition) -> None:
        self.layout = layout_of(position.grid)
        self.board: Board = new_board(self.layout)
        self.chain = new_chain()
        self.chain.counters[NODE_LIMIT] = 1 << 40
        mark = np.full(self.layout.cells, EMPTY, np.int8)
        mark[cells_of(position.x)], mark[cells_of(position.o)] = 0, 1
        set_up(self.layout, self.board, mark)

    def win(self, side: Player, most: int = LONGEST, budget: int = 10_000) -> int:
        return win_by_threats(self.layout, self.board, self.chain, SIDES[side], most, budget)

    def zone(self, side: Player, plies: int) -> set[int]:
        zone = np.zeros(self.layout.cells, np.int8)
        mark_zone(self.layout, self.board, self.chain, SIDES[side], plies, zone)
        return set(np.flatnonzero(zone).tolist())

    @property
    def is_quiet(self) -> bool:
        """Whether nobody can complete a line."""
        return all(completions(self.board, side)[0] == NOWHERE for side in range(2))


def quiet_positions(grid: str, marks: tuple[int, int], count: int) -> list[GridPosition]:
    rng = random.Random(grid)
    found: list[GridPosition] = []
    while len(found) < count:
        position = sampled(grid, rng.randint(*marks), rng)
        if position.outcome is None and Desk(position).is_quiet:
            found.append(position)
    return found


SMALL = [("4x4x3", (0, 7)), ("3x6x3", (0, 8)), ("5x5x4", (5, 14)), ("4x6x4", (6, 14))]


@pytest.mark.parametrize(("grid", "marks"), SMALL)
def test_wins_and_zones_are_true(grid: str, marks: tuple[int, int]) -> None:
    wins = spoilt = 0
    for position in quiet_positions(grid, marks, 60):
        turn = position.turn
        desk = Desk(position)
        plies = desk.win(turn)
        if plies:
            wins += 1
            solution = solver(grid).solve(position, with_line=False)
            assert solution.value is Value.WIN
            assert solution.plies is not None
            assert solution.plies <= plies
            continue
        plies = desk.win(turn.other)
        if not plies:
            continue
        zone = desk.zone(turn.other, plies)
        for move in set(position.legal_moves) - zone:
            spoilt += 1
            solution = solver(grid).solve(position.play(move), with_line=False)
            assert solution.value is Value.WIN, (position, move, zone)
            assert solution.plies is not None
            assert solution.plies <= plies
    assert wins > 3
    assert spoilt > 3


def test_the_board_is_left_as_it_was() -> None:
    for position in quiet_positions("5x5x4", (4, 12), 20):
        desk, untouched = Desk(position), Desk(position)
        plies = desk.win(position.turn)
        if plies:
            desk.zone(position.turn, plies)
        for name in ("mark", "held", "rest", "near_count", "pull", "total", "alive", "hash"):
            assert np.array_equal(getattr(desk.board, name), getattr(untouched.board, name))


TWO_STEPS = (
    "O.......O",  # X threatens in the row, at e5; O answers at f5; and now the column
    ".........",  # holds three in a row with room at both ends
    ".O.......",
    ".........",
    "OXXX.....",
    "....X....",
    "....X....",
    ".........",
    "........O",
)


def test_a_win_by_two_threats_in_a_row() -> None:
    desk = Desk(GridPosition.parse(TWO_STEPS, k=5))
    assert desk.win(Player.O) == 0
    assert desk.win(Player.X, most=1) == 0
    assert desk.win(Player.X, most=2) == desk.win(Player.X) == 5
    zone = desk.zone(Player.X, 5)
    column = {9 * row + 4 for row in range(2, 8)}
    assert zone <= column | {41}
    assert {31, 40, 41} <= zone


def test_a_budget_is_kept() -> None:
    position = GridPosition.start("8x8x2")
    desk = Desk(position)
    assert desk.win(Player.X, budget=5) == 3
    nothing = Desk(GridPosition.start("8x8x3"))
    assert nothing.win(Player.X) == 0  # no line has two to go
    assert nothing.chain.counters[NODES] == 0


def test_no_threats_without_lines() -> None:
    desk = Desk(GridPosition.start(Grid(2, 2, 3)))
    assert desk.win(Player.X) == desk.win(Player.O) == 0
