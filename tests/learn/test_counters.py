"""The games of the lesson on constant time: judged by a board, and all shorter ones tried."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from lessons.counters import MISTAKES, Moves, games_on, last_answer, smallest_game
from lessons.source import Mistake

from noughts.exercises.textbook import tic_tac_toe
from noughts.exercises.textbook.enumeration import games
from support.cases import for_each
from support.oracle import has_line
from support.strategies import vectors


def winner_on_a_board(n: int, moves: Moves) -> int:
    """Return who has a line when all marks are on the board."""
    cells = ["."] * (n * n)
    for row, col, player in moves:
        assert cells[row * n + col] == "."
        cells[row * n + col] = "XO"[player - 1]
    sides = [has_line("".join(cells), n, n, n, side) for side in "XO"]
    assert not all(sides)
    return sides.index(True) + 1 if any(sides) else 0


@for_each("mistake", MISTAKES)
def test_no_smaller_game_shows_it(mistake: Mistake) -> None:
    wrong = mistake.made_in("tic_tac_toe", "TicTacToe")
    n, moves, right, said = smallest_game(mistake)
    assert right == winner_on_a_board(n, moves) != said
    for smaller in range(1, n + 1):
        longest = smaller * smaller if smaller < n else len(moves) - 1
        for length in range(1, longest + 1):
            for each in games_on(smaller, length):
                assert last_answer(wrong, smaller, each) == winner_on_a_board(smaller, each)


def test_all_short_games_are_tried() -> None:
    cells = list(itertools.product(range(3), repeat=2))
    for length in (1, 2, 3):  # three marks can win with the last of them, but not before
        orders = list(itertools.permutations(cells, length))
        assert len(list(games_on(3, length))) == len(orders) * 2**length


@pytest.mark.slow
def test_every_game_of_3x3() -> None:
    (published,) = [entry["games"] for entry in vectors("count.json") if entry["grid"] == "3x3x3"]
    winners: Counter[int] = Counter()
    for game in games(3, 3, 3):
        moves = [(cell // 3, cell % 3, 1 + ply % 2) for ply, cell in enumerate(game)]
        *before, last = tic_tac_toe.play(3, moves)
        assert not any(before)
        winners[last] += 1
    assert winners == {1: published["x_wins"], 2: published["o_wins"], 0: published["draws"]}
