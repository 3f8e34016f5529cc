"""The numbers of the lesson on games, walked and played where that is possible."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import factorial

import count_mistakes
import pytest
from lessons import games as lesson
from lessons.source import Mistake

import walking
from noughts import Grid, GridPosition
from noughts.counting import count
from noughts.exercises.textbook import enumeration
from support.cases import for_each
from support.oracle import all_games, has_line, perft_grid
from support.strategies import Shape

SMALL: list[Shape] = [
    *((1, 1, 1), (1, 5, 2), (2, 2, 2), (2, 3, 2), (2, 3, 3), (3, 2, 2), (2, 2, 3)),
    *((1, 6, 3), (1, 7, 2), (2, 4, 2), (2, 4, 3)),
]
ON_3X3 = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]  # as published


def walked_nodes(games: Iterable[tuple[int, ...]], cells: int) -> list[int]:
    """Return how many nodes a walk through these games has at each depth.

    A node is a list of moves that some game begins with, and the games come in order.
    """
    nodes = [1] + [0] * cells
    before: tuple[int, ...] = ()
    for game in games:
        same = next((i for i, (a, b) in enumerate(zip(before, game, strict=False)) if a != b), 0)
        for depth in range(same + 1, len(game) + 1):
            nodes[depth] += 1
        before = game
    return nodes


@for_each("shape", SMALL)
def test_nodes_of_small_grids_by_walking(shape: Shape) -> None:
    cells = shape[0] * shape[1]
    nodes = lesson.nodes_by_depth(cells, count(Grid(*shape)))
    assert nodes == walked_nodes(all_games(*shape), cells)
    assert nodes == [perft_grid(*shape, depth) for depth in range(cells + 1)]


def test_nodes_of_3x3_by_walking() -> None:
    nodes = lesson.nodes_by_depth(9, count(Grid(3, 3, 3)))
    assert nodes == ON_3X3 == walked_nodes(enumeration.games(3, 3, 3), 9)
    assert sum(nodes) == 549_946


def test_the_first_nodes_of_4x4x3_by_walking() -> None:
    nodes = lesson.nodes_by_depth(16, count(Grid(4, 4, 3)))
    assert nodes[:5] == [perft_grid(4, 4, 3, depth) for depth in range(5)]


@for_each("cells", [1, 2, 3, 6])
def test_nodes_without_stopping(cells: int) -> None:
    walked = [len(list(itertools.permutations(range(cells), d))) for d in range(cells + 1)]
    assert lesson.nodes_without_stopping(cells) == walked


@for_each("shape", [*SMALL, (3, 3, 3), (4, 4, 3), (4, 4, 4), (3, 5, 4)])
def test_every_order_of_cells_begins_with_one_game(shape: Shape) -> None:
    cells = shape[0] * shape[1]
    orders = lesson.orders_by_length(cells, count(Grid(*shape)))
    assert sum(orders.values()) == factorial(cells)


@for_each("shape", [*SMALL, (3, 3, 3)])
def test_random_play(shape: Shape) -> None:
    cells = shape[0] * shape[1]

    @cache
    def chances(board: str) -> tuple[Fraction, ...]:
        for place, side in enumerate("XO"):
            if has_line(board, *shape, side):
                return tuple(Fraction(int(place == outcome)) for outcome in range(3))
        if "." not in board:
            return Fraction(0), Fraction(0), Fraction(1)
        mover = "XO"[(cells - board.count(".")) % 2]
        free = [cell for cell, mark in enumerate(board) if mark == "."]
        after = [chances(board[:cell] + mover + board[cell + 1 :]) for cell in free]
        return tuple(sum(column, Fraction(0)) / len(free) for column in zip(*after, strict=True))

    assert lesson.random_play(cells, count(Grid(*shape))) == chances("." * cells)


@for_each("shape", [(3, 3, 3), (2, 3, 2), (1, 5, 2), (2, 2, 2), (2, 4, 3)])
def test_classes_of_first_moves(shape: Shape) -> None:
    by_first = Counter(game[0] for game in enumeration.games(*shape))
    classes = lesson.first_moves(Grid(*shape))
    assert sum(cells for _, cells, _ in classes) == shape[0] * shape[1]
    for cell, _, games in classes:
        assert games.total == by_first[cell]
    assert sum(cells * games.total for _, cells, games in classes) == by_first.total()


def test_the_classes_of_4x4_add_up() -> None:
    grid = Grid(4, 4, 3)
    classes = lesson.first_moves(grid)
    assert [(cell, cells) for cell, cells, _ in classes] == [(0, 4), (1, 8), (5, 4)]
    assert sum(cells * games.total for _, cells, games in classes) == count(grid).total
    subtrees = lesson.subtrees_after_two_moves(grid)
    below = [sum(subtrees[start : start + 15]) for start in (0, 15, 30)]
    assert below == [games.total for _, _, games in classes]


def test_grids_come_in_order_of_size() -> None:
    grids = lesson.small_grids(6)
    cells = [rows * cols for rows, cols, _ in grids]
    assert cells == sorted(cells)
    assert len(grids) == len(set(grids))
    assert {(2, 3, 2), (2, 3, 3), (6, 1, 6)} <= set(grids)


def test_every_mistake_is_counted_on_3x3() -> None:
    kept = json.loads(lesson.MISCOUNTS.read_text(encoding="utf-8"))["3x3x3"]
    assert list(kept) == [mistake.about for mistake in lesson.MISTAKES]


@pytest.mark.slow
def test_what_mistakes_count_on_3x3() -> None:
    kept = json.loads(lesson.MISCOUNTS.read_text(encoding="utf-8"))["3x3x3"]
    assert kept == count_mistakes.miscounts(3, 3, 3)
    through = enumeration.lines_through(3, 3, 3)
    games, twice, above = 0, 0, 0
    for game in enumeration.games(3, 3, 3):
        own = set(game[(len(game) - 1) % 2 :: 2])
        complete = [line for line in through[game[-1]] if own >= set(line)]
        games += 1
        twice += len(complete) == 2
        above += len(complete) > 2
    assert not above
    assert int(kept["a move that completes two lines counts twice"]) == games + twice
    assert int(kept["play goes on after a win"]) == factorial(9)


@for_each("mistake", lesson.MISTAKES)
def test_no_smaller_grid_is_miscounted(mistake: Mistake) -> None:
    found = lesson.smallest_miscount(mistake)
    wrong = mistake.made_in("enumeration", "count_games")
    for grid in lesson.small_grids(6):
        right = sum(1 for _ in all_games(*grid))
        if found and "x".join(map(str, grid)) == found[0]:
            assert found[1:] == (right, wrong(*grid))
            break
        assert wrong(*grid) == right


def test_the_sample_that_is_timed() -> None:
    positions = walking.sample_positions(walking.SAMPLES)
    assert all(not p.outcome and p.move_count == 16 - walking.DEPTH for p in positions)
    kept = json.loads(lesson.TIMINGS.read_text(encoding="utf-8"))
    assert kept["sample_nodes"] == sum(map(walking.nodes_below, positions))


@for_each("moves", [(), (0,), (4, 0, 8), (0, 1, 3, 4)])
def test_nodes_below_a_position(moves: tuple[int, ...]) -> None:
    position = GridPosition.start("3x3x3")
    for move in moves:
        position = position.play(move)
    assert walking.board_of(position).count(".") == position.move_count
    games = [game for game in enumeration.games(3, 3, 3) if game[: len(moves)] == moves]
    assert walking.nodes_below(position) == sum(walked_nodes(games, 9)) - 1 - len(moves)
