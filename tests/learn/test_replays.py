"""The lists of the lessons on replays: they show the mistakes, and no shorter ones do."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from lessons import replays
from lessons.replays import BAD, GOOD, SIMULATE, ULTIMATE, answer_of, shortest_list
from lessons.source import Mistake

from noughts import exercises
from noughts.exercises.textbook.enumeration import games
from noughts.exercises.textbook.simulate import simulate
from support import oracle
from support.cases import for_each
from support.strategies import vectors

X_MOVES = [replays.ultimate_move(board, cell, "X") for board in range(3) for cell in range(4)]


@for_each("mistake", SIMULATE)
def test_no_shorter_list_shows_it(mistake: Mistake) -> None:
    wrong = mistake.made_in("simulate", "simulate")
    moves, right, said = shortest_list(wrong, exercises.simulate, replays.simulate_lists())
    assert right == oracle.simulate(list(moves)) != said
    assert said == answer_of(wrong, moves)
    for length in range(len(moves)):
        for each in itertools.product([*GOOD, *BAD], repeat=length):
            assert answer_of(wrong, each) == oracle.simulate(list(each))


@for_each("mistake", ULTIMATE)
def test_the_list_for_ultimate_shows_it(mistake: Mistake) -> None:
    wrong = mistake.made_in("ultimate", "simulate_ultimate")
    lists = replays.ultimate_lists(mistake)
    moves, right, said = shortest_list(wrong, exercises.simulate_ultimate, lists)
    assert right == oracle.simulate_ultimate(list(moves)) != said
    for length in range(min(len(moves), 4)):
        for each in itertools.product(X_MOVES, repeat=length):
            assert answer_of(wrong, each) == exercises.simulate_ultimate(each)
    for length in range(len(moves)):
        assert answer_of(wrong, moves[:length]) == oracle.simulate_ultimate(list(moves[:length]))


def test_the_drawn_game_is_as_short_as_can_be() -> None:
    moves = list(replays.drawn_ultimate())
    bits, winner, following, *rows = oracle.simulate_ultimate(moves)
    assert (bits, winner, following) == ("1" * 27, "None", "None")
    for top, left in itertools.product((0, 3, 6), repeat=2):
        board = "".join(row[left : left + 3] for row in rows[top : top + 3])
        assert board.count(".") == 6
        assert oracle.has_line(board, 3, 3, 3, "X") or oracle.has_line(board, 3, 3, 3, "O")


def test_the_list_that_names_a_full_board() -> None:
    moves = list(replays.full_board())
    bits, winner, following, *rows = oracle.simulate_ultimate(moves)
    assert (bits, winner, following) == ("1" * len(moves), "None", "*")
    board = "".join(row[:3] for row in rows[:3])
    assert board == replays.DRAWN
    assert not any(oracle.has_line(board, 3, 3, 3, side) for side in "XO")
    # Nine marks in the board. Each of the eight that send play away needs a move back, and the
    # last of these moves is the one that names the board when it is full.
    assert len(moves) == 9 + 8


@pytest.mark.slow
def test_every_game_of_3x3() -> None:
    (published,) = [entry["games"] for entry in vectors("count.json") if entry["grid"] == "3x3x3"]
    winners: Counter[str] = Counter()
    for game in games(3, 3, 3):
        moves = [f"{cell // 3},{cell % 3},{'XO'[ply % 2]}" for ply, cell in enumerate(game)]
        bits, winner, *_ = simulate(moves)
        assert bits == "1" * len(moves)
        winners[winner] += 1
    names = {"X": "x_wins", "O": "o_wins", "None": "draws"}
    assert winners == {winner: published[name] for winner, name in names.items()}


def test_every_list_grows_from_one_before() -> None:
    lists = list(itertools.islice(replays.simulate_lists(), 3000))
    lengths = [len(moves) for moves in lists]
    assert lengths == sorted(lengths)
    assert {moves[:-1] for moves in lists} <= {(), *lists}
    assert lists[: len(GOOD + BAD)] == [(move,) for move in GOOD + BAD]
