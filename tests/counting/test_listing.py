"""The order of games, and `Games` as a sequence; `test_random_access` checks numbers and walks."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, Grid, GridPosition, IllegalMove, NoughtsError, UltimatePosition, Verdict
from noughts.counting.listing import Games, games
from noughts.errors import OutOfRange, SizeError
from support.oracle import all_games
from support.strategies import NOT_WHOLE

SMALL = Games("2x3x2")
LISTED = list(all_games(2, 3, 2))


# ------------------------------------------------------------------------------------- order


def test_all_games_in_lexicographic_order() -> None:
    """The grids have single rows among them, and lines longer than the board."""
    tiny = [(r, c, k) for r, c, k in product(range(1, 7), range(1, 7), range(1, 5)) if r * c <= 6]
    for shape in [*tiny, (1, 7, 3), (2, 4, 2), (3, 3, 2)]:
        found = list(games(Grid(*shape)))
        assert found == list(all_games(*shape)), shape
        assert found == sorted(set(found))


def test_all_games_of_3x3x3() -> None:
    lengths: Counter[int] = Counter()
    before: tuple[int, ...] = ()
    for game in games("3x3x3"):
        assert before < game
        before = game
        lengths[len(game)] += 1
    assert lengths == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    first = list(islice(games("3x3x3"), 20_000))
    assert first == list(islice(all_games(3, 3, 3), 20_000))


def test_a_listing_can_stop_anywhere_on_a_large_board() -> None:
    first = list(islice(games("4x4x3"), 1000))
    assert first == list(islice(all_games(4, 4, 3), 1000))
    assert next(games(Grid(10, 10, 1))) == (0,)
    assert next(games(Grid(6, 6, 7))) == tuple(range(36))


def test_listings_do_not_disturb_each_other() -> None:
    interleaved = list(zip(games("2x3x2"), games("2x3x2"), strict=True))
    assert interleaved == [(game, game) for game in LISTED]


# --------------------------------------------------------------------------- as a sequence

BOUNDS = st.none() | st.integers(-400, 400) | st.sampled_from([10**30, -(10**30)])


@given(BOUNDS, BOUNDS, st.sampled_from([None, 1, 2, 7, -1, -3, 10**30]))
def test_slices_are_those_of_the_list(start: Any, stop: Any, step: Any) -> None:
    part, expected = SMALL[start:stop:step], LISTED[start:stop:step]
    assert list(part) == expected
    assert list(reversed(part)) == expected[::-1]
    assert part.total == len(expected)
    assert list(part[1:-1]) == expected[1:-1]
    assert list(part[::-2]) == expected[::-2]
    for place in range(-len(expected), len(expected), 50):
        assert part[place] == expected[place]
    if expected:
        assert part.index(expected[-1]) == len(expected) - 1
    for game in LISTED[::40]:
        assert (game in part) == (game in expected)
    for place in (len(expected), -len(expected) - 1):
        with pytest.raises(OutOfRange):
            part[place]


def test_reversed() -> None:
    assert list(reversed(SMALL)) == LISTED[::-1]
    draws = Games("3x3x3", outcome="draw", prefix="b2")
    assert list(reversed(draws)) == list(draws)[::-1]


def test_a_huge_slice_takes_no_time() -> None:
    everything = Games("4x4x3")
    part = everything[10**6 : -(10**6)]
    assert part.total == everything.total - 2 * 10**6
    assert part[10**12] == everything[10**12 + 10**6]
    assert list(islice(part, 3)) == [everything[10**6 + n] for n in range(3)]
    assert list(islice(reversed(everything), 40)) == [everything[-1 - n] for n in range(40)]
    assert next(iter(everything[:: 10**11])) == everything[0]
    assert everything[:: 10**11].total == 13


def test_beyond_the_end_is_an_index_error() -> None:
    for index in (len(LISTED), -len(LISTED) - 1, 10**30, -(10**30)):
        for error in (IndexError, NoughtsError, ValueError, OutOfRange):
            with pytest.raises(error):
                SMALL[index]
    with pytest.raises(OutOfRange, match="this list of games is empty"):
        Games("2x2x2", outcome="draw")[0]
    assert list(Games("2x2x2", outcome="draw")[5:]) == []


def test_an_index_is_a_whole_number() -> None:
    for bad in NOT_WHOLE:
        with pytest.raises(SizeError):
            SMALL[bad]
    assert SMALL[np.int64(-1)] == LISTED[-1]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "bad", [slice("a", None), slice(0, 1.5), slice(None, None, 0), slice(None, None, "x")], ids=repr
)
def test_a_slice_has_whole_bounds_and_a_step(bad: slice) -> None:
    with pytest.raises(SizeError, match="slice"):
        SMALL[bad]


# ------------------------------------------------------------------------------ what it takes


def test_where_is_a_position_or_its_text() -> None:
    position = GridPosition.parse("3x3x3:O../.X./...")
    for where in (position, position.text, "3x3x3 b2 a1", Game.parse("3x3x3 b2 a1")):
        assert Games(where).start == position
        assert next(games(where))[0] == 1
    assert Games(Grid(2, 2, 2)).total == Games("2x2x2").total == 24
    for bad in (None, 3, "", "3x3", b"3x3x3", "3x3x3 b2 b2", "ultimate", UltimatePosition.start()):
        with pytest.raises(NoughtsError):
            Games(bad)  # type: ignore[arg-type]


def test_moves_are_numbers_or_names() -> None:
    expected = Games("3x3x3", prefix=(4, 0))
    assert expected.total == Games("3x3x3 b2 a1").total
    for prefix in (["b2", "a1"], "b2 a1", "4 0", [4, "a1"], iter([4, 0])):
        listed = Games("3x3x3", prefix=prefix)  # type: ignore[arg-type]
        assert (listed.prefix, listed.total) == ((4, 0), expected.total)
    game = expected[1000]
    named = [GridPosition.start("3x3x3").move_name(move) for move in game]
    assert expected.index(named) == 1000
    assert named in expected
    assert expected.outcome_of(named) == expected.outcome_of(game)
    assert next(expected.walk_after(named)) == expected[1001]


def test_a_prefix_is_a_list_of_legal_moves() -> None:
    over = (0, 1, 2, 3, 4, 5, 6, 7)  # continues after X has won
    for bad in ((0, 0), (9,), (-1,), over, (True,), (1.0,), (None,), ("x",), 5, None, "b2 b2"):
        with pytest.raises(NoughtsError):
            Games("3x3x3", prefix=bad)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove, match="move 2 of the prefix"):
        Games("3x3x3", prefix=(0, 0))


def test_an_outcome_is_one_of_three() -> None:
    assert Games("2x3x2", outcome=Verdict.X_WINS).total == Games("2x3x2", outcome="X_wins").total
    wrong: list[Any] = ["", "X", "x_wins", "X_turn", "invalid", 3, True, []]
    for bad in wrong:
        with pytest.raises(NoughtsError, match="X_wins, O_wins, draw"):
            Games("3x3x3", outcome=bad)


@pytest.mark.parametrize("bad", [None, 3, "0", "b2", [None], [[0]], [0.5], ["z9"]], ids=repr)
def test_what_is_not_a_game_gives_an_error_of_ours(bad: Any) -> None:
    listed = Games("3x3x3")
    for use in (listed.index, listed.outcome_of, listed.walk_after, listed[5:8].index):
        with pytest.raises(NoughtsError):
            use(bad)
    assert bad not in listed


def test_it_says_what_it_lists() -> None:
    assert repr(Games("2x3x2")) == "Games('2x3x2:.../...')"
    listed = Games("3x3x3", prefix="b2", outcome="draw")
    assert repr(listed) == "Games('3x3x3:.../.../...', prefix=(4,), outcome='draw')"
