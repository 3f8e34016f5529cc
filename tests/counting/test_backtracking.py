"""The compiled walk: what it counts and lists, where it begins and resumes."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, Verdict
from noughts.counting import count
from noughts.counting.backtracking import (
    DRAW,
    O_WINS,
    X_WINS,
    Backtracking,
    Block,
    backtrack_games,
    game_blocks,
)
from noughts.counting.listing import games
from noughts.counting.runner import Runner
from noughts.errors import IllegalMove, LimitExceeded
from noughts.limits import Limits
from support.oracle import all_games, has_line
from support.strategies import Shape, masks_of, played_boards, shapes

SMALL = shapes(max_side=6, max_k=7, max_cells=6)
Moves = tuple[int, ...]


def listed(shape: Shape, before: list[int]) -> list[tuple[Moves, int]]:
    """List the games through some moves, without those, each with its outcome's number."""
    found = []
    for game in all_games(*shape):
        if list(game[: len(before)]) != before:
            continue
        marks = ["."] * (shape[0] * shape[1])
        for place, cell in enumerate(game):
            marks[cell] = "XO"[place % 2]
        won = [mark for mark in "XO" if has_line("".join(marks), *shape, mark)]
        outcome = {"X": X_WINS, "O": O_WINS}[won[0]] if won else DRAW
        found.append((game[len(before) :], outcome))
    return found


def tuples(block: Block) -> list[tuple[Moves, int]]:
    rows = zip(block.moves.tolist(), block.lengths.tolist(), block.outcomes.tolist(), strict=True)
    return [(tuple(moves[:length]), outcome) for moves, length, outcome in rows]


def position_of(shape: Shape, cells: str) -> GridPosition:
    return GridPosition(Grid(*shape), *masks_of(cells))


def without_lines(grid: Grid, moves: int, seed: int) -> GridPosition:
    """Play so many moves, each at random among those that end nothing."""
    rng = random.Random(seed)
    position = GridPosition.start(grid)
    for _ in range(moves):
        going_on = [m for m in position.legal_moves if not position.play(m).outcome]
        position = position.play(rng.choice(going_on))
    return position


# -------------------------------------------------------------------------------------- counting


@settings(max_examples=60)
@given(SMALL, st.data())
def test_a_walk_counts_the_games_below_moves(shape: Shape, data: st.DataObject) -> None:
    _, _, played = data.draw(played_boards(shape))
    cut = data.draw(st.integers(0, len(played)))
    position = GridPosition.start(Grid(*shape))
    for move in played[:cut]:
        position = position.play(move)
    counts = Backtracking(position, tuple(played[cut:])).count()
    expected: Counter[tuple[int, int]] = Counter(
        (outcome, len(game) + len(played) - cut) for game, outcome in listed(shape, played)
    )
    found = {(i, j): int(n) for (i, j), n in np.ndenumerate(counts) if n}
    assert found == expected


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("text", ["3x3x3", "2x4x3", "1x9x3", "3x3x2", "9x1x4"])
def test_any_number_of_threads(text: str, threads: int) -> None:
    counts = backtrack_games(GridPosition.start(text), Runner(Limits(threads=threads)))
    assert counts == count(text)


@settings(max_examples=60)
@given(shapes(max_side=8, max_k=9, max_cells=8), st.data())
def test_symmetric_first_moves_are_walked_once(shape: Shape, data: st.DataObject) -> None:
    """Also from positions that have symmetries of their own."""
    _, cells, _ = data.draw(played_boards(shape))
    position = position_of(shape, cells)
    assume(not position.outcome)
    assert backtrack_games(position, Runner(Limits(threads=1))) == count(position)


@pytest.mark.parametrize("cells", [".........", "....X....", "X...O...X", "XO.....OX", "X.O...O.X"])
def test_positions_with_symmetries(cells: str) -> None:
    position = position_of((3, 3, 3), cells)
    assert backtrack_games(position, Runner()) == count(position, method="positions")


@pytest.mark.parametrize("text", ["XXX/OO./...", "XOX/XOO/OXX", "OOO/XX./X.."])
def test_a_finished_position_has_one_game(text: str) -> None:
    position = GridPosition.parse(text)
    assert Backtracking(position).count().sum() == 1
    assert backtrack_games(position, Runner()) == count(position)


# ------------------------------------------------------------------------------ the largest boards


@pytest.mark.parametrize(
    ("grid", "marks"), [("2x31x3", 54), ("1x62x3", 54), ("1x62x80", 56), ("2x31x31", 55)]
)
@pytest.mark.parametrize("seed", range(3))
def test_sixty_two_cells_fit(grid: str, marks: int, seed: int) -> None:
    position = without_lines(Grid.parse(grid), marks, seed)
    assert backtrack_games(position, Runner()) == count(position)


@pytest.mark.parametrize("k", [3, 5, 70])
@pytest.mark.parametrize("shift", [0, 2, 6])
def test_the_last_cells_of_sixty_two(k: int, shift: int) -> None:
    """The cells left to play are at the top of the word, or at both its ends."""
    pattern = "XXOO" * 14
    cells = "." * shift + pattern + "." * (6 - shift)
    position = position_of((1, 62, k), cells)
    assert backtrack_games(position, Runner()) == count(position)
    blocks = game_blocks(position, (), (), 100)
    assert [game for block in blocks for game, _ in tuples(block)] == list(games(position))


def test_more_cells_are_refused_with_both_numbers() -> None:
    for start in ("7x9x3", "100x100x3"):
        with pytest.raises(LimitExceeded, match=r"62 cells, not (63|10000)"):
            backtrack_games(GridPosition.start(start), Runner())
        with pytest.raises(LimitExceeded, match=r"62 cells, not (63|10000)"):
            Backtracking(GridPosition.start(start))


# -------------------------------------------------------------------------------------- listing


@settings(max_examples=60)
@given(SMALL, st.integers(1, 8), st.data())
def test_blocks_are_the_games_in_order(shape: Shape, size: int, data: st.DataObject) -> None:
    _, _, prefix = data.draw(played_boards(shape))
    expected = [((*prefix, *game), outcome) for game, outcome in listed(shape, prefix)]
    first = data.draw(st.integers(0, len(expected) - 1))
    resume = expected[first][0] if first else tuple(prefix)
    start = GridPosition.start(Grid(*shape))
    blocks = game_blocks(start, tuple(prefix), resume, size)
    # Bounded, since blocks without end would hang the test rather than fail it.
    found = [row for block in islice(blocks, len(expected) + 1) for row in tuples(block)]
    assert found == expected[first:]


def test_a_walk_goes_on_where_it_stopped() -> None:
    expected = listed((2, 3, 2), [])
    walk = Backtracking(GridPosition.start("2x3x2"))
    found = []
    for size in (1, 2, 3, 5, 8, 13, 1000):
        found += tuples(walk.next_block(size))
    assert found == expected
    assert len(walk.next_block(10)) == 0
    assert walk.count().sum() == 0


def test_what_is_left_is_counted() -> None:
    walk = Backtracking(GridPosition.start("3x3x3"))
    walk.next_block(1000)
    assert walk.count().sum() == 255_168 - 1000


@pytest.mark.parametrize("walked", [0, 1, 7, 10_000])
def test_any_game_can_be_made_the_next_one(walked: int) -> None:
    """Whatever the walk did before."""
    expected = listed((2, 3, 2), [0])
    for first in (3, 1, len(expected) - 1, 0):
        game = (0, *expected[first][0])
        walk = Backtracking(GridPosition.start("2x3x2"), (0,))
        if walked:
            walk.next_block(walked)
        walk.resume(game)
        assert tuples(walk.next_block(1)) == [(game, expected[first][1])]
        assert walk.count().sum() == len(expected) - first - 1


def test_a_block_may_be_cut_to_an_outcome() -> None:
    block = Backtracking(GridPosition.start("3x3x3")).next_block(1000)
    for verdict, number in (("X_wins", X_WINS), ("O_wins", O_WINS), ("draw", DRAW)):
        part = block.ending_as(Verdict(verdict))
        assert tuples(part) == [row for row in tuples(block) if row[1] == number]
        assert 0 < len(part) < len(block)


def test_moves_that_are_not_legal_are_refused() -> None:
    for moves in ((0, 0), (0, 1, 2, 3), (9,)):
        with pytest.raises(IllegalMove):
            Backtracking(GridPosition.start("2x2x2"), moves)
