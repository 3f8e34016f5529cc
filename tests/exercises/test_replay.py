from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts import NoughtsError, Player
from noughts.exercises.replay import Replay, replay_standard, replay_ultimate
from support.cases import for_each
from support.oracle import simulate, simulate_ultimate
from support.strategies import FOREIGN, NOT_TEXT, ultimate_games, ultimate_settings, vectors

STANDARD = [f"{r},{c},{p}" for r in range(3) for c in range(3) for p in "XO"]
ULTIMATE = [
    f"{a},{b},{c},{d},{p}" for a, b, c, d in itertools.product(range(3), repeat=4) for p in "XO"
]
# Each is one small step away from a good move on both boards.
DAMAGE: list[Callable[[str], str]] = [
    lambda move: " " + move,
    lambda move: move + " ",
    lambda move: move + "\n",
    lambda move: move + ",",
    lambda move: "," + move,
    lambda move: "0" + move,
    lambda move: "+" + move,
    lambda move: "-" + move,
    lambda move: move.replace(",", ", ", 1),
    lambda move: move.replace(",", ",,", 1),
    lambda move: move.replace(",", ";", 1),
    lambda move: move.replace(",", "", 1),
    lambda move: move.replace("0", "00", 1),
    lambda move: move.replace("0", "3", 1),
    lambda move: move.replace("1", "10", 1),
    lambda move: move.replace("1", "01", 1),
    lambda move: move.replace("1", "1.0", 1),
    lambda move: move.replace("1", "1_0", 1),
    lambda move: move.replace("2", "-1", 1),
    lambda move: move.replace("2", "２", 1),
    lambda move: move.replace("2", "٢", 1),
    lambda move: move.replace("2", "²", 1),
    lambda move: move.replace("0", "9" * 5000, 1),
    lambda move: move.lower(),
    lambda move: move.replace("O", "0"),
    lambda move: move.replace("X", "Z").replace("O", "Z"),
    lambda move: move.replace("X", "Х").replace("O", "О"),
    lambda move: move + move[-1],
    lambda move: move[:-1],
    lambda move: move[2:],
    lambda move: "0," + move,
    lambda move: "\x00" + move,
    lambda move: "",
    lambda move: ",".join(move),
    lambda move: move[::-1],
]


def noise(moves: list[str]) -> st.SearchStrategy[str]:
    """Draw strings that are nearly moves, or not at all."""
    return st.one_of(
        st.builds(
            lambda damage, move: damage(move), st.sampled_from(DAMAGE), st.sampled_from(moves)
        ),
        st.text(alphabet="0123,XO" + FOREIGN, max_size=12),
        st.text(max_size=8),
    )


def shuffled(moves: list[str], seed: int, length: int) -> list[str]:
    """Return `length` moves and near-moves; long enough, these end every game."""
    rng = random.Random(seed)
    result = []
    for _ in range(length):
        move = moves[int(rng.random() * len(moves))]
        if rng.random() < 0.2:
            move = DAMAGE[int(rng.random() * len(DAMAGE))](move)
        result.append(move)
    return result


# -------------------------------------------------------------------------------------- 3x3


@given(st.lists(st.one_of(st.sampled_from(STANDARD), noise(STANDARD)), max_size=40))
@example(["0,0,X", "0,1,X", "0,2,X", "1,0,O"])
@example(["0,0,X", "0,0,X", "0,0,O"])
def test_standard_replays_go_as_the_oracle_says(moves: list[str]) -> None:
    assert replay_standard(moves).standard_result() == simulate(moves)


@given(st.permutations(STANDARD), st.integers(0, 18))
def test_standard_replays_of_plain_moves(order: list[str], stop: int) -> None:
    assert replay_standard(order[:stop]).standard_result() == simulate(order[:stop])


def test_every_short_list_of_corner_moves() -> None:
    moves = ["0,0,X", "0,1,X", "0,2,X", "0,2,O", "1,1,O", "3,0,X"]
    for length in range(5):
        for each in itertools.product(moves, repeat=length):
            listed = list(each)
            assert replay_standard(listed).standard_result() == simulate(listed)


def test_standard_endings_of_every_kind_are_met() -> None:
    winners = set()
    for seed in range(60):
        moves = shuffled(STANDARD, seed, 120)
        result = replay_standard(moves).standard_result()
        assert result == simulate(moves)
        winners.add(result[1] if "." in "".join(result[2:]) else "full")
    assert winners == {"X", "O", "full"}


# ----------------------------------------------------------------------------------- Ultimate


@st.composite
def ultimate_lists(draw: st.DrawFn) -> list[str]:
    """Draw a real game and spoil it: other players, repeated moves, noise in between."""
    _, moves = draw(ultimate_games())
    result = []
    for number, move in enumerate(moves):
        board, cell = divmod(move, 9)
        text = f"{board // 3},{board % 3},{cell // 3},{cell % 3},"
        result.append(text + "XO"[number % 2])
    for _ in range(draw(st.integers(0, 12))):
        index = draw(st.integers(0, len(result)))
        kind = draw(st.integers(0, 3))
        if kind == 0 or index == len(result):
            result.insert(index, draw(st.one_of(st.sampled_from(ULTIMATE), noise(ULTIMATE))))
        elif kind == 1:
            result[index] = result[index][:-1] + draw(st.sampled_from("XO"))
        elif kind == 2:
            result.insert(draw(st.integers(0, len(result))), result[index])
        else:
            del result[index]
    return result


@ultimate_settings
@given(ultimate_lists())
def test_ultimate_replays_go_as_the_oracle_says(moves: list[str]) -> None:
    assert replay_ultimate(moves).ultimate_result() == simulate_ultimate(moves)


@given(st.lists(st.one_of(st.sampled_from(ULTIMATE), noise(ULTIMATE)), max_size=60))
def test_ultimate_replays_of_wild_lists(moves: list[str]) -> None:
    assert replay_ultimate(moves).ultimate_result() == simulate_ultimate(moves)


@for_each("players", ["X", "O", "XO"])
def test_ultimate_endings_of_every_kind_are_met(players: str) -> None:
    allowed = [move for move in ULTIMATE if move[-1] in players]
    endings = set()
    for seed in (0, 1, 2, 3, 15, 19):
        moves = shuffled(allowed, seed, 3000)
        result = replay_ultimate(moves).ultimate_result()
        assert result == simulate_ultimate(moves)
        endings.add((result[1], result[2]))
    if players == "XO":
        assert endings == {("X", "None"), ("O", "None"), ("None", "None")}
    else:
        assert endings == {(players, "None")}


@for_each("seed", range(6))
def test_every_prefix_of_an_ultimate_replay(seed: int) -> None:
    moves = shuffled(ULTIMATE, 100 + seed, 1500)
    accepted = [
        move for move, bit in zip(moves, replay_ultimate(moves).bits, strict=True) if bit == "1"
    ]
    kinds = set()
    for stop in range(len(accepted) + 1):
        result = replay_ultimate(accepted[:stop]).ultimate_result()
        assert result == simulate_ultimate(accepted[:stop])
        assert result[0] == "1" * stop
        kinds.add(result[2])
    assert {"*", "None"} <= kinds
    assert len(kinds) > 5


# -------------------------------------------------------------------------------- long lists


# Where the game is long over the oracle, which is slow, need not go on.
@for_each("seed", [7, 8])
def test_a_hundred_thousand_standard_moves(seed: int) -> None:
    moves = shuffled(STANDARD, seed, 100_000)
    bits, winner, *rows = simulate(moves[:1_000])
    assert winner != "None"
    result = replay_standard(moves).standard_result()
    assert result == [bits + "0" * 99_000, winner, *rows]


@for_each("seed", [7, 8])
def test_a_hundred_thousand_ultimate_moves(seed: int) -> None:
    moves = shuffled(ULTIMATE, seed, 100_000)
    bits, winner, following, *rows = simulate_ultimate(moves[:5_000])
    assert following == "None"
    result = replay_ultimate(moves).ultimate_result()
    assert result == [bits + "0" * 95_000, winner, following, *rows]


def test_a_game_that_ends_late_in_a_long_list() -> None:
    bad = ["0,0,0,0,Z", "9,9,9,9,X", "nonsense", ""] * 25_000
    good = [
        *["1,1,0,0,X", "0,0,0,0,X", "0,0,0,1,X", "0,1,0,0,X", "0,0,0,2,X", "0,2,0,0,X"],
        *["1,1,0,1,X", "0,1,0,1,X", "0,1,0,2,X", "0,2,0,1,X", "1,2,0,2,X", "0,2,0,2,X"],
    ]
    replay = replay_ultimate([*bad, *good, *bad])
    assert replay.bits == "0" * 100_000 + "1" * 12 + "0" * 100_000
    assert (replay.winner, replay.next) == (Player.X, None)
    standard = replay_standard([*bad, "0,0,O", "1,1,O", "2,2,O", *bad])
    assert standard.bits == "0" * 100_000 + "111" + "0" * 100_000
    assert standard.winner is Player.O


# ------------------------------------------------------------------------------ laws and vectors


@given(st.lists(st.one_of(st.sampled_from(STANDARD), noise(STANDARD)), max_size=40))
def test_rejected_moves_change_nothing(moves: list[str]) -> None:
    replay = replay_standard(moves)
    accepted = [move for move, bit in zip(moves, replay.bits, strict=True) if bit == "1"]
    again = replay_standard(accepted)
    assert again == Replay("1" * len(accepted), replay.winner, replay.rows, replay.next)


@ultimate_settings
@given(ultimate_lists())
def test_rejected_ultimate_moves_change_nothing(moves: list[str]) -> None:
    replay = replay_ultimate(moves)
    accepted = [move for move, bit in zip(moves, replay.bits, strict=True) if bit == "1"]
    again = replay_ultimate(accepted)
    assert again == Replay("1" * len(accepted), replay.winner, replay.rows, replay.next)


def test_a_replay_begins_afresh_each_time() -> None:
    moves = ["0,0,X", "0,1,X", "0,2,X"]
    assert replay_standard(moves) == replay_standard(moves)
    ultimate = [move for move in ULTIMATE if move.endswith("X")] * 3
    assert replay_ultimate(ultimate) == replay_ultimate(ultimate)
    assert replay_ultimate([]).next == "*"


def test_any_iterable_of_strings_will_do() -> None:
    moves = ["0,0,X", "1,1,O", "0,0,O"]
    expected = replay_standard(moves)
    assert replay_standard(tuple(moves)) == expected
    assert replay_standard(iter(moves)) == expected
    assert replay_standard(move for move in moves) == expected
    assert replay_ultimate(iter(ULTIMATE)) == replay_ultimate(ULTIMATE)


@for_each("entry", vectors("replay_standard.json"))
def test_standard_vectors(entry: dict[str, Any]) -> None:
    assert replay_standard(entry["moves"]).standard_result() == entry["result"]


@for_each("entry", vectors("replay_ultimate.json"))
def test_ultimate_vectors(entry: dict[str, Any]) -> None:
    assert replay_ultimate(entry["moves"]).ultimate_result() == entry["result"]


# ------------------------------------------------------------------------------------- errors


@for_each("replay", [replay_standard, replay_ultimate])
@for_each("bad", ["0,0,X", "", b"0,0,X", bytearray(b"x"), None, 3, 3.5, True])
def test_a_list_of_strings_is_needed(replay: Callable[[Any], Replay], bad: Any) -> None:
    with pytest.raises(NoughtsError):
        replay(bad)


@for_each("replay", [replay_standard, replay_ultimate])
@for_each("bad", [*NOT_TEXT, [], ("0", "0", "X"), 0])
@for_each("before", [[], ["0,0,X"], ["0,0,X", "0,1,X", "0,2,X"]])
def test_every_move_is_a_string(
    replay: Callable[[Any], Replay], bad: Any, before: list[Any]
) -> None:
    with pytest.raises(NoughtsError, match=rf"\b{len(before)}\b"):
        replay([*before, bad, "1,1,O"])
