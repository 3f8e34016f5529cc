"""Counting by name asks the function that counts; both ways to it agree."""

from __future__ import annotations

from typing import get_args

import pytest

from noughts import GridPosition
from noughts.counting.dispatch import Counted, count
from noughts.errors import LimitExceeded
from support.oracle import all_games

START = GridPosition.start("3x3x3")


def test_what_can_be_counted() -> None:
    assert get_args(Counted) == ("games", "positions", "endings")
    assert count(START, "games") == count("3x3x3")
    assert count(START, "positions") == count("3x3x3", "positions")
    assert count(START, "endings") == count("3x3x3", "endings")


def test_from_a_position_on() -> None:
    boards = set()
    games = 0
    for game in all_games(2, 4, 3):
        if game[:2] == (1, 0):
            games += 1
            for length in range(2, len(game) + 1):
                marks = frozenset(game[:length:2]), frozenset(game[1:length:2])
                boards.add((marks, length == len(game)))
    later = GridPosition.start("2x4x3").play(1).play(0)
    assert count(later, "games").total == games
    assert count(later, "positions").total == len(boards)
    assert count(later, "endings").total == sum(is_end for _, is_end in boards)


def test_up_to_symmetry() -> None:
    assert count(START, "games", up_to_symmetry=True).total == 31896
    assert count(START, "games", up_to_symmetry=True, meaning="moves").total == 26830
    assert count(START, "positions", up_to_symmetry=True).total == 765
    assert count(START.play(4), "positions", up_to_symmetry=True).total < 765
    with pytest.raises(LimitExceeded, match="from the empty board only"):
        count(START.play(4), "games", up_to_symmetry=True)
