from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from noughts import IllegalMove, NoughtsError, SizeError, Verdict, exercises
from support.cases import for_each
from support.oracle import all_games, verdict_by_retrograde
from support.strategies import NOT_TEXT, NOT_WHOLE, Drawn, drawn_boards, rows_of, vectors

# ------------------------------------------------------------------------------------- vectors


@for_each("entry", vectors("state.json"))
def test_state_vectors(entry: dict[str, Any]) -> None:
    board = entry["board"]
    for form in (board, tuple(board), "/".join(board), [row.replace(".", " ") for row in board]):
        assert exercises.state(form) == entry["state"]
        assert exercises.valid_tic_tac_toe(form) is (entry["state"] != "invalid")


@for_each("entry", vectors("move.json"))
def test_move_vectors(entry: dict[str, Any]) -> None:
    game = exercises.TicTacToe(entry["n"])
    assert [game.move(*move) for move in entry["moves"]] == entry["winners"]


@for_each("entry", vectors("replay_standard.json"))
def test_simulate_vectors(entry: dict[str, Any]) -> None:
    assert exercises.simulate(entry["moves"]) == entry["result"]


@for_each("entry", vectors("replay_ultimate.json"))
def test_simulate_ultimate_vectors(entry: dict[str, Any]) -> None:
    assert exercises.simulate_ultimate(entry["moves"]) == entry["result"]


# The slow one, 5x5x5, is counted in tests/counting/test_frontier.py.
@for_each("entry", [entry for entry in vectors("count.json") if entry["grid"] != "5x5x5"])
def test_count_vectors(entry: dict[str, Any]) -> None:
    rows, cols, k = map(int, entry["grid"].split("x"))
    if "games" in entry:
        assert exercises.count_games(rows, cols, k) == entry["games"]["total"]
    else:
        assert exercises.count_games(rows, cols, k) > 10**12


# --------------------------------------------------------------------------------- signatures


def parameters(function: Any) -> list[tuple[str, Any]]:
    """List a function's parameters with their defaults."""
    return [
        (parameter.name, parameter.default)
        for parameter in inspect.signature(function).parameters.values()
    ]


def test_names_and_signatures_of_the_specification() -> None:
    nothing = inspect.Parameter.empty
    assert parameters(exercises.TicTacToe)[0] == ("n", nothing)
    assert parameters(exercises.TicTacToe.move)[1:] == [
        ("row", nothing),
        ("col", nothing),
        ("player", nothing),
    ]
    assert parameters(exercises.valid_tic_tac_toe)[0] == ("board", nothing)
    assert parameters(exercises.state)[0] == ("board", nothing)
    assert parameters(exercises.simulate) == [("moves", nothing)]
    assert parameters(exercises.simulate_ultimate) == [("moves", nothing)]
    assert parameters(exercises.count_games) == [("rows", 4), ("cols", 4), ("k", 3)]
    assert parameters(exercises.games) == [("rows", 4), ("cols", 4), ("k", 3)]
    assert exercises.validTicTacToe is exercises.valid_tic_tac_toe
    # Whatever else these two take may be left out.
    for function in (exercises.valid_tic_tac_toe, exercises.state):
        assert all(default is not nothing for _, default in parameters(function)[1:])


def test_results_are_of_plain_types() -> None:
    assert type(exercises.valid_tic_tac_toe(["X..", "...", "..."])) is bool
    assert type(exercises.state(["X..", "...", "..."])) is str
    assert not isinstance(exercises.state(["X..", "...", "..."]), Verdict)
    for result in (
        exercises.simulate(["0,0,X", "0,1,X", "0,2,X"]),
        exercises.simulate_ultimate(["0,0,0,0,X"]),
    ):
        assert type(result) is list
        assert {type(item) for item in result} == {str}
    assert type(exercises.count_games(2, 2, 2)) is int
    assert type(exercises.TicTacToe(1).move(0, 0, 1)) is int
    listed = exercises.games(2, 2, 2)
    assert isinstance(listed, Iterator)
    assert type(next(listed)) is tuple


def test_everything_public_is_named() -> None:
    wanted = {
        *("TicTacToe", "valid_tic_tac_toe", "validTicTacToe", "state"),
        *("simulate", "simulate_ultimate", "count_games", "games", "grade", "trace"),
    }
    assert wanted <= set(dir(exercises))
    assert wanted == set(exercises.__all__)


# ------------------------------------------------------------------------------------ behaviour


@given(drawn_boards())
def test_state_takes_any_size_and_k(drawn: Drawn) -> None:
    (rows, cols, k), cells = drawn
    if len(cells) > 12:
        return
    expected = verdict_by_retrograde(cells, rows, cols, k)
    assert exercises.state(rows_of(cells, cols), k) == expected
    assert exercises.valid_tic_tac_toe("/".join(rows_of(cells, cols)), k=k) is (
        expected != "invalid"
    )


@for_each(
    ("board", "valid"),
    [
        (["O  ", "   ", "   "], False),
        (["XOX", " X ", "   "], False),
        (["XXX", "   ", "OOO"], False),
        (["XOX", "O O", "XOX"], True),
    ],
)
def test_the_examples_of_leetcode_794(board: list[str], valid: bool) -> None:
    assert exercises.validTicTacToe(board) is valid


def test_games_are_listed_and_counted() -> None:
    assert list(exercises.games(2, 3, 2)) == list(all_games(2, 3, 2))
    assert exercises.count_games(2, 3, 2) == len(list(all_games(2, 3, 2)))
    first = list(itertools.islice(exercises.games(), 20))
    assert first == list(itertools.islice(all_games(4, 4, 3), 20))
    assert exercises.count_games() == exercises.count_games(4, 4, 3)


@for_each("bad", NOT_TEXT)
def test_boards_and_moves_must_be_text(bad: Any) -> None:
    for function in (exercises.state, exercises.valid_tic_tac_toe):
        with pytest.raises(NoughtsError):
            function(bad)
    for replay in (exercises.simulate, exercises.simulate_ultimate):
        with pytest.raises(NoughtsError):
            replay([bad])
        if bad != {}:  # a mapping without keys is an empty list of moves
            with pytest.raises(NoughtsError):
                replay(bad)


@for_each("bad", [0, -1, *NOT_WHOLE])
def test_sizes_must_be_sizes(bad: Any) -> None:
    with pytest.raises(SizeError, match="rows"):
        exercises.count_games(bad)
    with pytest.raises(SizeError, match="cols"):
        exercises.count_games(3, bad)
    with pytest.raises(SizeError, match=r"\bk\b"):
        exercises.count_games(3, 3, bad)
    with pytest.raises(SizeError, match="rows"):
        next(exercises.games(bad))
    with pytest.raises(SizeError, match=r"\bk\b"):
        exercises.state(["..."], bad)
    with pytest.raises(SizeError, match=r"\bk\b"):
        exercises.valid_tic_tac_toe(["..."], bad)
    with pytest.raises(SizeError, match=r"\bn\b"):
        exercises.TicTacToe(bad)


def test_the_checked_class_is_the_default() -> None:
    game = exercises.TicTacToe(3)
    game.move(0, 0, 1)
    with pytest.raises(IllegalMove):
        game.move(0, 0, 2)
    assert exercises.TicTacToe(3, trusted=True).move(0, 0, 1) == 0
