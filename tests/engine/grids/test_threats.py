"""A forced win is a win within its plies, and no move outside its relevance zone spoils it."""

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
    MAX_THREATS,
    NODE_LIMIT,
    NODES,
    find_forced_win,
    mark_relevance_zone,
    new_threat_workspace,
)
from noughts.rules.grid import cells_of
from noughts.solving import Value
from support.solver_cases import sampled, solver

SIDES = {Player.X: 0, Player.O: 1}


class Setup:
    """A position on the board of the search, with what a threat search needs."""

    def __init__(self, position: GridPosition) -> None:
        self.layout = layout_of(position.grid)
        self.board: Board = new_board(self.layout)
        self.threats = new_threat_workspace()
        self.threats.counters[NODE_LIMIT] = 1 << 40
        mark = np.full(self.layout.cells, EMPTY, np.int8)
        mark[cells_of(position.x)], mark[cells_of(position.o)] = 0, 1
        set_up(self.layout, self.board, mark)

    def win(self, side: Player, most: int = MAX_THREATS, budget: int = 10_000) -> int:
        return find_forced_win(self.layout, self.board, self.threats, SIDES[side], most, budget)

    def zone(self, side: Player, plies: int) -> set[int]:
        zone = np.zeros(self.layout.cells, np.int8)
        mark_relevance_zone(self.layout, self.board, self.threats, SIDES[side], plies, zone)
        return set(np.flatnonzero(zone).tolist())

    @property
    def is_quiet(self) -> bool:
        """Whether neither side can complete a line."""
        return all(completions(self.board, side)[0] == NOWHERE for side in range(2))


def quiet_positions(grid: str, marks: tuple[int, int], count: int) -> list[GridPosition]:
    rng = random.Random(grid)
    found: list[GridPosition] = []
    while len(found) < count:
        position = sampled(grid, rng.randint(*marks), rng)
        if position.outcome is None and Setup(position).is_quiet:
            found.append(position)
    return found


SMALL = [("4x4x3", (0, 7)), ("3x6x3", (0, 8)), ("5x5x4", (5, 14)), ("4x6x4", (6, 14))]


@pytest.mark.parametrize(("grid", "marks"), SMALL)
def test_forced_wins_and_relevance_zones_are_true(grid: str, marks: tuple[int, int]) -> None:
    wins = spoilt = 0
    for position in quiet_positions(grid, marks, 60):
        turn = position.turn
        setup = Setup(position)
        plies = setup.win(turn)
        if plies:
            wins += 1
            solution = solver(grid).solve(position, with_line=False)
            assert solution.value is Value.WIN
            assert solution.plies is not None
            assert solution.plies <= plies
            continue
        plies = setup.win(turn.other)
        if not plies:
            continue
        zone = setup.zone(turn.other, plies)
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
        setup, untouched = Setup(position), Setup(position)
        plies = setup.win(position.turn)
        if plies:
            setup.zone(position.turn, plies)
        for name in (
            "mark",
            "held",
            "empty_sum",
            "near_count",
            "cell_weight",
            "total_weight",
            "open_lines",
            "hash",
        ):
            assert np.array_equal(getattr(setup.board, name), getattr(untouched.board, name))


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


def test_a_forced_win_of_two_threats() -> None:
    setup = Setup(GridPosition.parse(TWO_STEPS, k=5))
    assert setup.win(Player.O) == 0
    assert setup.win(Player.X, most=1) == 0
    assert setup.win(Player.X, most=2) == setup.win(Player.X) == 5
    zone = setup.zone(Player.X, 5)
    column = {9 * row + 4 for row in range(2, 8)}
    assert zone <= column | {41}
    assert {31, 40, 41} <= zone


def test_a_budget_is_kept() -> None:
    position = GridPosition.start("8x8x2")
    setup = Setup(position)
    assert setup.win(Player.X, budget=5) == 3
    nothing = Setup(GridPosition.start("8x8x3"))
    assert nothing.win(Player.X) == 0  # no line has two to go
    assert nothing.threats.counters[NODES] == 0


def test_no_threats_without_lines() -> None:
    setup = Setup(GridPosition.start(Grid(2, 2, 3)))
    assert setup.win(Player.X) == setup.win(Player.O) == 0
