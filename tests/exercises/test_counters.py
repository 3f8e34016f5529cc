from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import IllegalMove, SizeError
from noughts.exercises.counters import MAX_SIZE, TicTacToe
from support.cases import for_each
from support.strategies import NOT_WHOLE, vectors

Move = tuple[int, int, int]


class Naive:
    """The same game by looking at the whole board after each move."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.cells: dict[tuple[int, int], int] = {}
        self.winner = 0

    def refuses(self, row: int, col: int, player: int) -> bool:
        """Return whether the rules refuse a move."""
        inside = 0 <= row < self.n and 0 <= col < self.n
        return bool(self.winner or not inside or (row, col) in self.cells or player not in (1, 2))

    def move(self, row: int, col: int, player: int) -> int:
        """Make a legal move and return the winner or 0."""
        self.cells[row, col] = player
        every = range(self.n)
        lines = [
            *([(r, c) for c in every] for r in every),
            *([(r, c) for r in every] for c in every),
            [(i, i) for i in every],
            [(i, self.n - 1 - i) for i in every],
        ]
        if any(all(self.cells.get(cell) == player for cell in line) for line in lines):
            self.winner = player
        return self.winner


@st.composite
def sessions(draw: st.DrawFn) -> tuple[int, list[Move]]:
    """Draw moves, mostly sensible ones, so that games go on and end."""
    n = draw(st.integers(1, 5))
    order = draw(st.permutations(list(itertools.product(range(n), repeat=2))))
    bias = draw(st.sampled_from([[1, 2], [1, 1, 1, 2], [2]]))
    moves = [(row, col, draw(st.sampled_from(bias))) for row, col in order]
    wild = st.tuples(st.integers(-2, n + 1), st.integers(-2, n + 1), st.integers(-1, 4))
    for _ in range(draw(st.integers(0, 8))):
        moves.insert(draw(st.integers(0, len(moves))), draw(wild))
    return n, moves


# ----------------------------------------------------------------------------------- the rules


@settings(max_examples=100)
@given(sessions())
def test_games_go_as_the_naive_version_says(session: tuple[int, list[Move]]) -> None:
    n, moves = session
    game, naive = TicTacToe(n), Naive(n)
    for move in moves:
        if naive.refuses(*move):
            # What is refused must leave no trace: the rest of the game is compared, too.
            with pytest.raises(IllegalMove):
                game.move(*move)
        else:
            assert game.move(*move) == naive.move(*move)
        assert game.winner == naive.winner


@given(sessions())
def test_trusted_games_have_the_same_winners(session: tuple[int, list[Move]]) -> None:
    n, moves = session
    game, trusted, naive = TicTacToe(n), TicTacToe(n, trusted=True), Naive(n)
    for move in moves:
        if not naive.refuses(*move):
            assert trusted.move(*move) == game.move(*move) == naive.move(*move)
            assert trusted.winner == game.winner == naive.winner


@for_each("n", [1, 2, 3, 7])
@for_each("player", [1, 2])
@for_each("trusted", [False, True])
def test_every_line_wins_with_its_last_cell(n: int, player: int, trusted: bool) -> None:
    every = range(n)
    lines = [
        *([(r, c) for c in every] for r in every),
        *([(r, c) for r in every] for c in every),
        [(i, i) for i in every],
        [(i, n - 1 - i) for i in every],
    ]
    for line in lines:
        game = TicTacToe(n, trusted=trusted)
        results = [game.move(*cell, player) for cell in reversed(line)]
        assert results == [0] * (n - 1) + [player]


def test_mixed_lines_do_not_win() -> None:
    for n in (2, 3, 4):
        for players in itertools.product((1, 2), repeat=n):
            game = TicTacToe(n)
            results = [game.move(0, col, player) for col, player in enumerate(players)]
            assert results[-1] == (players[0] if len(set(players)) == 1 else 0)


def test_a_cell_off_the_diagonals_does_not_count_for_them() -> None:
    game = TicTacToe(4)
    for row, col in [(0, 0), (1, 1), (2, 2), (3, 2)]:
        assert game.move(row, col, 1) == 0
    assert game.move(3, 3, 1) == 1


@for_each("trusted", [False, True])
def test_a_million_by_a_million(trusted: bool) -> None:
    n = 1_000_000
    game = TicTacToe(n, trusted=trusted)
    assert game.move(n - 1, 0, 2) == 0
    assert game.move(0, n - 1, 2) == 0
    row = n // 2
    assert not any(game.move(row, col, 1) for col in range(n - 1))
    assert game.move(row, n - 1, 1) == 1


def test_two_games_do_not_share_anything() -> None:
    first, second = TicTacToe(2), TicTacToe(2)
    assert first.move(0, 0, 1) == 0
    assert second.move(0, 0, 2) == 0
    assert first.move(1, 1, 1) == 1
    assert second.move(1, 1, 2) == 2


@for_each("trusted", [False, True])
def test_copies_play_on_by_themselves(trusted: bool) -> None:
    game = TicTacToe(2, trusted=trusted)
    assert game.move(0, 1, 2) == 0
    copies = [copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    for other in copies:
        assert isinstance(other, TicTacToe)
        if not trusted:
            with pytest.raises(IllegalMove, match="taken"):
                other.move(0, 1, 1)
        assert other.move(1, 0, 2) == other.winner == 2
    assert game.winner == 0
    assert game.move(1, 0, 1) == 0


@for_each("entry", vectors("move.json"))
@for_each("trusted", [False, True])
def test_vectors(entry: dict[str, Any], trusted: bool) -> None:
    game = TicTacToe(entry["n"], trusted=trusted)
    assert [game.move(*move) for move in entry["moves"]] == entry["winners"]


# --------------------------------------------------------------------------------- refusals


def near_the_end() -> TicTacToe:
    """Return a 3x3 game in which 1 wins with 0,2 and 2 with 1,2."""
    game = TicTacToe(3)
    for move in [(0, 0, 1), (1, 0, 2), (0, 1, 1), (1, 1, 2)]:
        assert game.move(*move) == 0
    return game


BAD_MOVES: list[tuple[Any, Any, Any, str]] = [
    *[(3, 0, 1, "row"), (-1, 2, 1, "row"), (10**400, 2, 1, "row"), (-(10**400), 2, 1, "row")],
    *[(0, 3, 1, "column"), (0, -1, 1, "column"), (0, 10**400, 1, "column")],
    *[(0, 2, 0, "player"), (0, 2, 3, "player"), (0, 2, -1, "player"), (0, 2, "X", "player")],
    *[(0, 0, 1, "0, 0|taken"), (0, 0, 2, "0, 0|taken"), (1, 1, 1, "1, 1|taken")],
    *((bad, 2, 1, "row") for bad in NOT_WHOLE),
    *((0, bad, 1, "column") for bad in NOT_WHOLE),
    *((0, 2, bad, "player") for bad in NOT_WHOLE),
]


@for_each(("row", "col", "player", "words"), BAD_MOVES)
def test_a_refused_move_names_the_fault_and_changes_nothing(
    row: Any, col: Any, player: Any, words: str
) -> None:
    for winning in [(0, 2, 1), (1, 2, 2)]:
        game = near_the_end()
        for _ in range(4):
            with pytest.raises(IllegalMove, match=words):
                game.move(row, col, player)
        assert game.move(2, 2, winning[2]) == 0
        assert game.move(*winning) == winning[2]


def test_nothing_is_played_after_the_win() -> None:
    game = near_the_end()
    assert game.move(0, 2, 1) == 1
    for row, col in itertools.product(range(3), repeat=2):
        for player in (1, 2):
            with pytest.raises(IllegalMove):
                game.move(row, col, player)


def test_turn_order_is_not_enforced() -> None:
    game = TicTacToe(3)
    assert [game.move(0, col, 2) for col in range(3)] == [0, 0, 2]


@for_each("trusted", [False, True])
@for_each("bad", [0, -1, MAX_SIZE + 1, 10**400, 10**5000, *NOT_WHOLE])
def test_a_bad_size_is_refused_by_name(bad: Any, trusted: bool) -> None:
    with pytest.raises(SizeError, match=r"\bn\b"):
        TicTacToe(bad, trusted=trusted)


def test_trusted_is_given_by_name() -> None:
    positional: Any = TicTacToe
    with pytest.raises(TypeError):
        positional(3, True)
