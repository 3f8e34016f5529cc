"""Both textbook replays, which are compared in the same ways."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from noughts import exercises
from noughts.exercises.textbook.simulate import simulate
from noughts.exercises.textbook.ultimate import simulate_ultimate
from support import oracle
from support.cases import for_each
from support.strategies import FOREIGN, mangled, ultimate_games, ultimate_settings, vectors

Replay = Callable[[list[str]], list[str]]

STANDARD = [f"{r},{c},{p}" for r in range(3) for c in range(3) for p in "XO"]
ULTIMATE = [
    f"{a},{b},{c},{d},{p}" for a, b, c, d in itertools.product(range(3), repeat=4) for p in "XO"
]
NEARLY = [
    *("", ",", ",,", "0,0", "0,0,", "0,0,X,", ",0,0,X", "0,0,X ", " 0,0,X", "0, 0,X", "0;0;X"),
    *("00,0,X", "0,01,X", "+0,0,X", "-0,0,X", "-1,0,X", "3,0,X", "0,3,X", "9" * 5000 + ",0,X"),
    *("0,0,x", "0,0,XO", "0,0,Z", "0,0,0", "0,0,", "٠,0,X", "0,²,X", "0,0,Х", "0,0,X\n", "0,0,\0"),
    *("1.0,0,X", "0x0,0,X", "None,0,X", "True,0,X", "0,0,0,0", "0,0,0,0,0,X", "a,b,c,d,X"),
]


def lists(moves: list[str]) -> st.SearchStrategy[list[str]]:
    """Draw lists of moves, some of them malformed."""
    good = st.sampled_from(moves)
    bad = st.sampled_from(NEARLY) | mangled(good) | st.text("0123,XO" + FOREIGN, max_size=12)
    return st.lists(good | good | good | bad, max_size=60)


@given(lists(STANDARD))
def test_standard(moves: list[str]) -> None:
    assert simulate(moves) == exercises.simulate(moves) == oracle.simulate(moves)


@given(lists(ULTIMATE))
def test_ultimate(moves: list[str]) -> None:
    expected = oracle.simulate_ultimate(moves)
    assert simulate_ultimate(moves) == exercises.simulate_ultimate(moves) == expected


@ultimate_settings
@given(ultimate_games())
def test_whole_games_of_ultimate(game: tuple[Any, list[int]]) -> None:
    moves = [
        f"{cell // 27},{cell // 9 % 3},{cell % 9 // 3},{cell % 3},{'XO'[ply % 2]}"
        for ply, cell in enumerate(game[1])
    ]
    assert simulate_ultimate(moves) == exercises.simulate_ultimate(moves)


def test_every_short_list() -> None:
    moves = ["0,0,X", "0,1,X", "0,2,X", "0,2,O", "1,1,O", "3,0,X"]
    for length in range(5):
        for each in itertools.product(moves, repeat=length):
            assert simulate(list(each)) == exercises.simulate(list(each))


@for_each(
    ("replay", "numbers", "fast"),
    [(simulate, 2, exercises.simulate), (simulate_ultimate, 4, exercises.simulate_ultimate)],
)
@for_each("text", NEARLY)
def test_a_malformed_move_is_rejected_and_the_list_goes_on(
    replay: Replay, numbers: int, fast: Replay, text: str
) -> None:
    moves = [",".join([*"1" * numbers, "O"]), text, "0," * (numbers - 2) + text, "1,1,2,2,X"]
    assert replay(moves) == fast(moves)
    assert replay(moves)[0][:2] == "10"


@for_each("entry", vectors("replay_standard.json"))
def test_standard_vectors(entry: dict[str, Any]) -> None:
    assert simulate(entry["moves"]) == entry["result"]


@for_each("entry", vectors("replay_ultimate.json"))
def test_ultimate_vectors(entry: dict[str, Any]) -> None:
    assert simulate_ultimate(entry["moves"]) == entry["result"]
