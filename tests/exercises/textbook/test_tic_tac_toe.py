from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from noughts import exercises
from noughts.exercises.textbook.tic_tac_toe import TicTacToe, play
from support.cases import for_each
from support.strategies import vectors


@st.composite
def legal_games(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, int]]]:
    """Draw moves on different cells, by players in any order."""
    n = draw(st.integers(1, 6))
    cells = draw(st.permutations(range(n * n)))
    players = draw(st.lists(st.sampled_from([1, 1, 2]), min_size=n * n, max_size=n * n))
    return n, [(*divmod(cell, n), player) for cell, player in zip(cells, players, strict=True)]


@given(legal_games())
def test_the_winner_is_that_of_the_fast_form(game: tuple[int, list[tuple[int, int, int]]]) -> None:
    n, moves = game
    textbook, fast = TicTacToe(n), exercises.TicTacToe(n)
    for ply, move in enumerate(moves):
        assert textbook.move(*move) == fast.move(*move)
        if fast.winner:
            assert play(n, moves[: ply + 1]) == [0] * ply + [fast.winner]
            break
    else:
        assert play(n, moves) == [0] * len(moves)


@for_each("entry", vectors("move.json"))
def test_vectors(entry: dict[str, Any]) -> None:
    assert play(entry["n"], [tuple(move) for move in entry["moves"]]) == entry["winners"]
