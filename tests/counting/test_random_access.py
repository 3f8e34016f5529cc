"""Games by number: every way into the list against the list itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, IllegalMove, NoughtsError, Verdict
from noughts.counting import count
from noughts.counting.backtracking import DRAW, O_WINS, X_WINS, Block
from noughts.counting.listing import Games, games
from noughts.errors import LimitExceeded
from noughts.limits import Limits
from support.oracle import all_games, has_line
from support.strategies import Shape, masks_of, played_boards, shapes

OUTCOMES = ("X_wins", "O_wins", "draw")
CODES = {X_WINS: "X_wins", O_WINS: "O_wins", DRAW: "draw"}
TINY = shapes(max_side=5, max_k=6, max_cells=5)
SMALL = shapes(max_side=6, max_k=7, max_cells=6)

Moves = tuple[int, ...]
chisquare: Any = import_module("scipy.stats").chisquare


def ending(shape: Shape, game: Moves) -> str:
    """Tell how a whole game ended, by looking at its last board."""
    marks = ["."] * (shape[0] * shape[1])
    for place, cell in enumerate(game):
        marks[cell] = "XO"[place % 2]
    board = "".join(marks)
    return next((f"{mark}_wins" for mark in "XO" if has_line(board, *shape, mark)), "draw")


def start_after(shape: Shape, moves: list[int]) -> GridPosition:
    position = GridPosition.start(Grid(*shape))
    for move in moves:
        position = position.play(move)
    return position


@st.composite
def listings(
    draw: st.DrawFn, shape_of: st.SearchStrategy[Shape] = TINY
) -> tuple[Games, list[tuple[Moves, str]]]:
    """Draw a start, a prefix and an outcome: the package's games, and the oracle's own list."""
    shape = draw(shape_of)
    _, _, played = draw(played_boards(shape))
    cut = draw(st.integers(0, len(played)))
    before, prefix = played[:cut], played[cut:]
    outcome = draw(st.none() | st.sampled_from(OUTCOMES))
    expected = [
        (game[cut:], ending(shape, game))
        for game in all_games(*shape)
        if list(game[: len(played)]) == played and outcome in (None, ending(shape, game))
    ]
    return Games(start_after(shape, before), prefix=prefix, outcome=outcome), expected


def rows(blocks: Iterator[Block]) -> list[tuple[Moves, str]]:
    """Turn blocks into tuples and outcomes, checking what is behind the end of each game."""
    found = []
    for block in blocks:
        assert len(block) == len(block.moves) == len(block.lengths) == len(block.outcomes) > 0
        for moves, length, outcome in zip(block.moves, block.lengths, block.outcomes, strict=True):
            assert (moves[length:] == -1).all()
            found.append((tuple(int(m) for m in moves[:length]), CODES[int(outcome)]))
    return found


# ---------------------------------------------------------------------------- numbers and games


@settings(max_examples=80)
@given(listings())
def test_numbers_are_those_of_the_list(drawn: tuple[Games, list[tuple[Moves, str]]]) -> None:
    listed, expected = drawn
    assert listed.total == len(expected)
    assert list(listed) == [game for game, _ in expected]
    assert list(listed.walk_outcomes()) == expected
    for number, (game, outcome) in enumerate(expected):
        assert listed[number] == game
        assert listed[number - len(expected)] == game
        assert listed.index(game) == number
        assert listed.outcome_of(game) == outcome


def test_all_of_three_in_a_row() -> None:
    everything = Games("3x3x3")
    assert everything.total == 255_168
    previous: Moves = ()
    for number, game in enumerate(everything):
        assert previous < game
        previous = game
        if number % 997 == 0:
            assert everything[number] == game
            assert everything.index(game) == number
    assert number == 255_167
    assert everything[-1] == previous


@pytest.mark.parametrize("grid", ["4x4x3", "4x5x4", "3x6x3", "5x5x5"])
@settings(max_examples=3)
@given(data=st.data())
def test_large_boards_lead_there_and_back(grid: str, data: st.DataObject) -> None:
    everything = Games(grid)
    number = data.draw(st.integers(0, everything.total - 2))
    game, after = everything[number], everything[number + 1]
    assert everything.index(game) == number
    assert everything.index(after) == number + 1
    assert game < after
    assert list(everything.walk(number, number + 2)) == [game, after]
    assert everything.outcome_of(game) in OUTCOMES


def test_first_and_last_of_a_large_board() -> None:
    everything = Games("4x4x3")
    assert everything[0] == next(games("4x4x3"))
    assert everything[everything.total - 1] == everything[-1]
    assert everything[-everything.total] == everything[0]
    assert everything.index(everything[-1]) == everything.total - 1 == 1_281_016_086_767
    assert list(everything.walk(everything.total - 3)) == [everything[-3 + i] for i in range(3)]


@pytest.mark.parametrize("grid", ["3x3x3", "4x4x3", "3x4x3"])
def test_outcomes_share_out_the_games(grid: str) -> None:
    counts = count(grid)
    totals = [Games(grid, outcome=outcome).total for outcome in OUTCOMES]
    assert totals == [counts.x_wins, counts.o_wins, counts.draws]
    assert Games(grid).total == sum(totals)


@pytest.mark.parametrize("grid", ["3x3x3", "4x4x3"])
def test_first_moves_share_out_the_games(grid: str) -> None:
    parts = [Games(grid, prefix=[move]) for move in range(Grid.parse(grid).cells)]
    everything = Games(grid)
    assert sum(part.total for part in parts) == everything.total
    before = 0
    for move, part in enumerate(parts):
        assert everything[before] == part[0]
        assert part[0][0] == move
        assert part.index(part[part.total // 2]) == part.total // 2
        before += part.total


def test_counts_keep_to_the_limits() -> None:
    with pytest.raises(LimitExceeded, match=r"needs more than 1\.0 MiB of memory"):
        _ = Games("6x5x4", limits=Limits(memory=1 << 20)).total


def test_an_outcome_may_be_given_as_a_verdict() -> None:
    assert list(Games("2x3x2", outcome=Verdict.X_WINS)) == list(Games("2x3x2", outcome="X_wins"))


# ---------------------------------------------------------------------------------- out of range


@pytest.mark.parametrize("number", [24, 25, 10**30])
def test_a_number_out_of_range_names_the_range(number: int) -> None:
    with pytest.raises(NoughtsError, match=r"\b0 to 23\b") as caught:
        Games("2x2x2")[number]
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("number", [-25, -(10**30)])
def test_a_number_from_the_end_has_a_range_too(number: int) -> None:
    with pytest.raises(NoughtsError, match=r"-24\b"):
        Games("2x2x2")[number]


def test_the_range_is_that_of_the_filtered_games() -> None:
    with pytest.raises(NoughtsError, match=r"0 to 46079\b"):
        Games("3x3x3", outcome="draw")[46_080]
    centre = count("3x3x3:.../.X./...").total
    with pytest.raises(NoughtsError, match=rf"0 to {centre - 1}\b"):
        Games("3x3x3", prefix=[4])[255_167]
    with pytest.raises(NoughtsError, match="this list of games is empty"):
        Games("2x2x2", outcome="draw")[0]
    with pytest.raises(NoughtsError):
        Games("2x2x2", outcome="draw")[-1]


@pytest.mark.parametrize("bad", ["0", 0.0, True, None, (0,)], ids=repr)
def test_a_number_is_a_whole_number(bad: Any) -> None:
    everything = Games("2x2x2")
    for use in (everything.__getitem__, everything.walk, lambda n: everything.blocks(2, n)):
        with pytest.raises(NoughtsError, match="whole number"):
            use(bad)


@pytest.mark.parametrize("start", [25, 10**30, -1])
def test_nothing_starts_outside_the_list(start: int) -> None:
    everything = Games("2x2x2")
    with pytest.raises(NoughtsError):
        everything.walk(start)
    with pytest.raises(NoughtsError):
        everything.walk_outcomes(start)
    with pytest.raises(NoughtsError):
        everything.blocks(4, start)


def test_a_start_at_the_end_leaves_nothing() -> None:
    everything = Games("2x2x2")
    assert list(everything.walk(24)) == []
    assert list(everything.blocks(4, 24)) == []
    none = Games("2x2x2", outcome="draw")
    assert not list(none.walk(0))
    assert not list(none.blocks(4, 0))
    assert not list(none.sample(0))


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ((0, 1), "not finished"),
        ((), "not finished"),
        ((0, 1, 2, 3), "over|finished"),
        ((0, 0, 1), "taken"),
        ((0, 1, 4), "outside|at most 3"),
        ((0, 1, -1), "."),
        ((0, 1, 2.0), "whole"),
    ],
)
def test_what_is_no_game_has_no_number(game: Any, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        Games("2x2x2").index(game)


def test_a_game_of_another_kind_has_no_number() -> None:
    draw = Games("3x3x3", outcome="draw")[0]
    with pytest.raises(IllegalMove, match="draw, not X_wins"):
        Games("3x3x3", outcome="X_wins").index(draw)
    with pytest.raises(IllegalMove, match="begin with"):
        Games("3x3x3", prefix=[8]).index(draw)
    with pytest.raises(IllegalMove, match="begin with"):
        Games("3x3x3", prefix=[0, 1, 2]).index([0, 1])


# ------------------------------------------------------------------------------- walking on from


@settings(max_examples=60)
@given(listings(), st.data())
def test_a_walk_may_start_and_stop_anywhere(
    drawn: tuple[Games, list[tuple[Moves, str]]], data: st.DataObject
) -> None:
    listed, expected = drawn
    start = data.draw(st.integers(0, len(expected)))
    stop = data.draw(st.none() | st.integers(0, len(expected) + 3))
    assert list(listed.walk_outcomes(start, stop)) == expected[start:stop]
    assert list(listed.walk(start, stop)) == [game for game, _ in expected[start:stop]]


@pytest.mark.parametrize("workers", [1, 2, 3, 7, 50])
def test_numbers_share_the_work(workers: int) -> None:
    everything = Games("2x3x2")
    total = everything.total
    shares = [
        list(everything.walk(total * i // workers, total * (i + 1) // workers))
        for i in range(workers)
    ]
    assert [game for share in shares for game in share] == list(everything)


@pytest.mark.parametrize("outcome", [None, *OUTCOMES])
@pytest.mark.parametrize("prefix", [(), (4,), (4, 0, 8), (0, 1, 2, 3, 4, 5, 6)])
def test_a_stopped_listing_resumes_after_any_game(outcome: str | None, prefix: Moves) -> None:
    listed = Games("3x3x3", prefix=prefix, outcome=outcome)
    walked = list(listed)
    assert len(walked) == listed.total
    for start in {0, 1, len(walked) // 3, len(walked) - 1, len(walked)}:
        if 0 <= start <= len(walked):
            assert list(islice(listed.walk(start), 5)) == walked[start : start + 5]


@settings(max_examples=60)
@given(listings(), st.data())
def test_a_walk_goes_on_after_any_game(
    drawn: tuple[Games, list[tuple[Moves, str]]], data: st.DataObject
) -> None:
    listed, expected = drawn
    if expected:
        number = data.draw(st.integers(0, len(expected) - 1))
        after = listed.walk_after(expected[number][0])
        assert list(after) == [game for game, _ in expected[number + 1 :]]


def test_a_large_board_goes_on_after_a_game() -> None:
    everything = Games("6x6x4")  # no count is needed for this
    first = list(islice(everything, 1000))
    assert list(islice(everything.walk_after(first[499]), 500)) == first[500:]


@pytest.mark.parametrize("game", [(), (4, 0), (4, 4), (0, 3, 1, 4, 2), (0, 1, 2, 3, 6)])
def test_what_is_none_of_the_games_leads_nowhere(game: Moves) -> None:
    """The last but one is a whole game, the last would be with another first move."""
    listed = Games("3x3x3", prefix=[4])
    for use in (listed.index, listed.outcome_of, listed.walk_after):
        with pytest.raises(IllegalMove):
            use(game)
    assert game not in listed


def test_a_game_is_in_the_list_or_not() -> None:
    draws = Games("3x3x3", outcome="draw")
    assert draws[0] in draws
    assert draws[0] in Games("3x3x3")
    assert draws[0] not in Games("3x3x3", outcome="X_wins")
    assert draws[0][:-1] not in draws
    for stray in (None, 3, "draw", (9,), [0.5]):
        assert stray not in draws


@pytest.mark.parametrize("stop", [1.5, "3", True, [], -1], ids=repr)
def test_a_stop_is_a_number_too(stop: Any) -> None:
    everything = Games("2x2x2")
    if stop == -1:  # like any stop before the start, it leaves nothing
        assert list(everything.walk(0, stop)) == []
        return
    with pytest.raises(NoughtsError, match="whole number"):
        list(everything.walk(0, stop))


# --------------------------------------------------------------------------------------- samples


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("grid", "prefix", "outcome"),
    [
        ("2x2x2", (), None),
        ("2x3x2", (), "O_wins"),
        ("1x5x3", (), "draw"),
        ("2x3x2", (0,), "X_wins"),
        ("1x5x2", (), None),
    ],
)
def test_samples_are_uniform(grid: str, prefix: Moves, outcome: str | None, seed: int) -> None:
    listed = Games(grid, prefix=prefix, outcome=outcome)
    drawn = Counter(listed.sample(10 * listed.total, seed))
    assert drawn.keys() <= set(listed)
    assert 2 <= listed.total <= 1000
    assert chisquare([drawn[game] for game in listed]).pvalue > 1e-4


def test_samples_of_three_in_a_row_are_uniform() -> None:
    everything = Games("3x3x3")
    kinds = [(move, outcome) for move in range(9) for outcome in OUTCOMES]
    sizes = [Games("3x3x3", prefix=[move], outcome=outcome).total for move, outcome in kinds]
    assert sum(sizes) == everything.total
    amount = 1500
    drawn = Counter((game[0], ending((3, 3, 3), game)) for game in everything.sample(amount, 1))
    observed = [drawn[kind] for kind in kinds]
    expected = [amount * size / everything.total for size in sizes]
    assert chisquare(observed, expected).pvalue > 1e-4


def test_samples_of_a_large_board_are_spread_evenly() -> None:
    everything = Games("4x4x3")
    tenths = Counter(n * 10 // everything.total for n in everything.sample_numbers(10_000, 3))
    assert tenths.keys() == set(range(10))
    assert chisquare([tenths[i] for i in range(10)]).pvalue > 1e-4
    firsts = Counter(game[0] for game in everything.sample(40, 3))
    assert len(firsts) > 8


def test_a_seed_gives_the_same_games() -> None:
    everything = Games("3x3x3")
    assert list(everything.sample(20, 7)) == list(everything.sample(20, 7))
    assert list(everything.sample(20, 7)) != list(everything.sample(20, 8))
    numbers = everything.sample_numbers(20, 7)
    assert list(everything.sample(20, 7)) == [everything[number] for number in numbers]
    assert list(everything.sample(20)) != list(everything.sample(20))


def test_the_longer_sample_begins_with_the_shorter() -> None:
    everything = Games("3x3x3")
    assert list(everything.sample(30, 7))[:10] == list(everything.sample(10, 7))


@pytest.mark.parametrize("bad", [-1, 1.5, True, None, "3"], ids=repr)
def test_a_sample_has_a_size(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Games("2x2x2").sample_numbers(bad)


def test_nothing_is_drawn_from_nothing() -> None:
    none = Games("2x2x2", outcome="draw")
    with pytest.raises(NoughtsError, match="no such game"):
        none.sample_numbers(1)
    with pytest.raises(NoughtsError, match="no such game"):
        list(none.sample(1))


# ---------------------------------------------------------------------------------------- blocks


@settings(max_examples=80)
@given(listings(SMALL), st.data())
def test_blocks_are_the_same_games(
    drawn: tuple[Games, list[tuple[Moves, str]]], data: st.DataObject
) -> None:
    listed, expected = drawn
    size = data.draw(st.sampled_from([1, 2, 3, 7, 64, 1 << 16]))
    start = data.draw(st.integers(0, len(expected)))
    # Bounded, since blocks without end would hang the test rather than fail it.
    blocks = islice(listed.blocks(size, start), len(expected) + 1)
    assert rows(blocks) == expected[start:]


@pytest.mark.parametrize("size", [1, 5, 1000, 1 << 16])
def test_blocks_are_full_but_for_the_last(size: int) -> None:
    everything = Games("2x4x3")
    lengths = [len(block) for block in everything.blocks(size)]
    assert sum(lengths) == everything.total
    assert set(lengths[:-1]) <= {size}
    assert 0 < lengths[-1] <= size


def test_blocks_of_three_in_a_row() -> None:
    everything = Games("3x3x3")
    blocks = list(everything.blocks(5000))
    outcomes = np.concatenate([block.outcomes for block in blocks])
    assert np.bincount(outcomes).tolist() == [131_184, 77_904, 46_080]
    for number in (0, 20, len(blocks) - 1):
        expected = list(everything.walk_outcomes(number * 5000, number * 5000 + 5000))
        assert rows(iter([blocks[number]])) == expected


def test_blocks_start_anywhere_on_a_large_board() -> None:
    everything = Games("4x4x3")
    start = 10**12
    block = next(everything.blocks(2000, start))
    expected = list(everything.walk_outcomes(start, start + 2000))
    assert rows(iter([block])) == expected


def test_blocks_below_a_prefix_and_from_a_number() -> None:
    listed = Games("4x4x3", prefix=[5, 10, 6])
    start = listed.total // 3
    block = next(listed.blocks(500, start))
    assert rows(iter([block])) == list(listed.walk_outcomes(start, start + 500))


@pytest.mark.parametrize("size", [1, 2, 10])
@pytest.mark.parametrize(
    ("where", "prefix"),
    [("2x2x2", [0, 1, 2]), ("XXX/OO./...", []), ("1x1x1", [0]), ("XX./OO./...", [2])],
)
def test_a_whole_game_is_one_block(where: str, prefix: list[int], size: int) -> None:
    listed = Games(where, prefix=prefix)
    found = rows(islice(listed.blocks(size), 3))
    assert found == list(listed.walk_outcomes())
    assert len(found) == 1


def test_blocks_are_arrays_of_small_numbers() -> None:
    block = next(Games("3x3x3").blocks(10))
    assert block.moves.shape == (10, 9)
    assert block.moves.dtype == block.lengths.dtype == block.outcomes.dtype == np.int8


def test_a_row_of_a_block_has_its_number() -> None:
    everything = Games("3x3x3")
    block = next(everything.blocks(10, 1000))
    for place in range(10):
        row: Any = block.moves[place, : block.lengths[place]]
        assert everything.index(row) == 1000 + place


@pytest.mark.parametrize("size", [0, -1, 1.5, True, None])
def test_a_block_has_a_size(size: Any) -> None:
    with pytest.raises(NoughtsError):
        Games("2x2x2").blocks(size)


def test_blocks_are_for_boards_of_one_word() -> None:
    full = GridPosition.start(Grid(1, 62, 99))
    for move in range(58):
        full = full.play(move)
    assert rows(Games(full).blocks()) == list(Games(full).walk_outcomes())
    with pytest.raises(LimitExceeded, match="62 cells, not 63"):
        next(Games("7x9x9").blocks())


def test_o_may_begin() -> None:
    position = GridPosition(Grid(2, 3, 3), *masks_of("X....."))
    listed = Games(position)
    assert rows(listed.blocks(4)) == list(listed.walk_outcomes())
    assert {len(game) for game in listed} == {5, 4}
    assert listed[listed.total // 2] == list(listed)[listed.total // 2]
