from __future__ import annotations

import functools
import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, IllegalMove, NoughtsError
from noughts.counting.listing import Games, games
from support.oracle import all_games, has_line
from support.strategies import NOT_WHOLE, Played, Shape, board_of, played_boards

# Grids whose games the oracle lists in no time; among them single rows and k beyond the sides.
TINY: list[Shape] = [
    (rows, cols, k)
    for rows, cols in itertools.product(range(1, 7), repeat=2)
    if rows * cols <= 6
    for k in range(1, 5)
]
OUTCOMES = ["X_wins", "O_wins", "draw"]
oracle_games = functools.cache(lambda *shape: list(all_games(*shape)))


def outcome_of(shape: Shape, game: tuple[int, ...]) -> str:
    """Play a game out on a flat board and tell who won."""
    cells = ["."] * (shape[0] * shape[1])
    for number, cell in enumerate(game):
        cells[cell] = "XO"[number % 2]
    for side in "XO":
        if has_line("".join(cells), *shape, side):
            return f"{side}_wins"
    return "draw"


# ------------------------------------------------------------------------------------- games()


@pytest.mark.parametrize("shape", [*TINY, (1, 7, 3), (2, 4, 2), (3, 3, 2)], ids=str)
def test_all_games_in_lexicographic_order(shape: Shape) -> None:
    found = list(games(Grid(*shape)))
    assert found == oracle_games(*shape)
    assert found == sorted(set(found))


def test_all_games_of_3x3x3() -> None:
    lengths: Counter[int] = Counter()
    before: tuple[int, ...] = ()
    for game in games(Grid(3, 3, 3)):
        assert before < game
        before = game
        lengths[len(game)] += 1
    assert lengths == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    assert lengths.total() == 255_168
    first = list(itertools.islice(games(Grid(3, 3, 3)), 20_000))
    assert first == list(itertools.islice(all_games(3, 3, 3), 20_000))


def test_a_listing_can_stop_anywhere_on_a_large_board() -> None:
    first = list(itertools.islice(games(Grid(4, 4, 3)), 1000))
    assert first == list(itertools.islice(all_games(4, 4, 3), 1000))
    assert next(games(Grid(10, 10, 1))) == (0,)
    assert next(games(Grid(6, 6, 7))) == tuple(range(36))


def test_listings_do_not_disturb_each_other() -> None:
    grid = Grid(2, 3, 3)
    interleaved = list(zip(games(grid), games(grid), strict=True))
    assert all(first == second for first, second in interleaved)
    assert [first for first, _ in interleaved] == oracle_games(2, 3, 3)


def test_a_grid_may_be_given_by_name() -> None:
    assert list(games("2x3x2")) == list(games(Grid(2, 3, 2)))


@settings(max_examples=50)
@given(played_boards((2, 3, 2)) | played_boards((2, 3, 3)))
def test_games_from_a_position_on(played: Played) -> None:
    shape, cells, moves = played
    tails = [
        game[len(moves) :] for game in oracle_games(*shape) if game[: len(moves)] == tuple(moves)
    ]
    assert list(games(GridPosition.of(board_of(shape, cells)))) == tails


@pytest.mark.parametrize("bad", [None, 3, "", "3x3"], ids=repr)
def test_games_need_a_grid(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        next(games(bad))
    with pytest.raises(NoughtsError):
        Games(bad)


# --------------------------------------------------------------------------- games by number


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 1, 3), (2, 2, 2), (2, 3, 2), (1, 5, 4)], ids=str)
@pytest.mark.parametrize("outcome", [None, *OUTCOMES])
def test_games_have_numbers(shape: Shape, outcome: str | None) -> None:
    expected = [game for game in oracle_games(*shape) if outcome in (None, outcome_of(shape, game))]
    listed = Games(Grid(*shape), outcome=outcome)
    assert listed.total == len(expected)
    assert list(listed) == expected
    for number, game in enumerate(expected):
        assert listed[number] == game
        assert listed[number - len(expected)] == game
        assert listed.index(game) == number
        assert listed.outcome_of(game) == outcome_of(shape, game)
    for bad in (len(expected), -len(expected) - 1, 10**30):
        with pytest.raises((NoughtsError, IndexError)):
            listed[bad]


@settings(max_examples=60)
@given(st.data())
def test_games_may_be_resumed_and_filtered(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from([(2, 3, 2), (2, 3, 3), (1, 6, 3), (3, 2, 5)]))
    outcome = data.draw(st.sampled_from([None, *OUTCOMES]))
    full = data.draw(st.sampled_from(oracle_games(*shape)))
    prefix = full[: data.draw(st.integers(0, len(full)))]
    expected = [
        game
        for game in oracle_games(*shape)
        if game[: len(prefix)] == prefix and outcome in (None, outcome_of(shape, game))
    ]
    listed = Games(Grid(*shape), prefix=prefix, outcome=outcome)
    assert listed.total == len(expected)
    first = data.draw(st.integers(0, len(expected)))
    assert list(listed.walk(first)) == expected[first:]
    assert list(listed.walk_outcomes(first)) == [
        (game, outcome_of(shape, game)) for game in expected[first:]
    ]
    if expected:
        number = data.draw(st.integers(0, len(expected) - 1))
        assert listed[number] == expected[number]
        assert listed.index(expected[number]) == number
        seed = data.draw(st.integers(0, 10**6))
        drawn = list(listed.sample(5, seed))
        assert len(drawn) == 5
        assert set(drawn) <= set(expected)
        assert drawn == list(listed.sample(5, seed))


def test_the_numbers_of_a_large_board_lead_back() -> None:
    everything = Games("4x4x3")
    assert everything.total == 1_281_016_086_768
    assert everything[0] == next(all_games(4, 4, 3))
    for number in (0, 1, 10**6, 10**12, everything.total - 1):
        game = everything[number]
        assert everything.index(game) == number
        assert outcome_of((4, 4, 3), game) == everything.outcome_of(game)
        following = list(itertools.islice(everything.walk(number), 2))
        assert following[0] == game
        if number + 1 < everything.total:
            assert following[1] == everything[number + 1] > game


@pytest.mark.parametrize(
    "bad",
    [(0, 0), (9,), (-1,), (0, 1, 2, 3, 4, 5, 6, 7), (True,), (1.0,), (None,), ("x",), 5, "b2 b2"],
)
def test_a_prefix_is_a_list_of_legal_moves(bad: Any) -> None:
    # The longest one continues after X has won.
    with pytest.raises(NoughtsError):
        Games("3x3x3", prefix=bad)


@pytest.mark.parametrize("bad", ["", "X", "x_wins", "X_turn", "invalid", 3, True], ids=repr)
def test_an_outcome_is_one_of_three(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Games("3x3x3", outcome=bad)


@pytest.mark.parametrize(
    "bad", [(), (0,), (0, 1, 2), (0, 0), (0, 1, 2, 3, 4, 5, 6, 7), (9,), None, 3, "0"], ids=repr
)
def test_what_is_not_a_game_has_no_number(bad: Any) -> None:
    with pytest.raises((NoughtsError, ValueError)):
        Games("3x3x3").index(bad)


@pytest.mark.parametrize("bad", NOT_WHOLE, ids=repr)
def test_a_number_is_whole(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Games("3x3x3")[bad]


def test_an_illegal_prefix_says_which_move() -> None:
    with pytest.raises(IllegalMove, match="0"):
        Games("3x3x3", prefix=(0, 0))
