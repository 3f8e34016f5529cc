"""The table of levels: names, numbers, texts; and each level beats the one below."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from noughts import GridPosition, NotationError, Player, start
from noughts.limits import Limits
from noughts.matches.match import Match, play_match, score_of
from noughts.matches.registry import player_of
from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS, choose_move, level_named, levels_of
from noughts.solving.tables import Table


def test_the_levels_of_a_game() -> None:
    for game in ("ultimate", "ultimate-open"):
        assert levels_of(start(game)) is ULTIMATE_LEVELS
    for game in ("1x1x1", "3x3x3", "1000x1000x5"):
        assert levels_of(start(game)) is GRID_LEVELS
    assert list(ULTIMATE_LEVELS) == ["beginner", "casual", "skilled", "strong", "expert", "full"]
    assert list(GRID_LEVELS) == ["beginner", "casual", "strong", "perfect"]
    simulations = [level.simulations for level in ULTIMATE_LEVELS.values()]
    assert simulations == [None, None, 40, 400, 4_000, None]


def test_every_level_says_what_it_does() -> None:
    for levels in (GRID_LEVELS, ULTIMATE_LEVELS):
        assert len({level.about for level in levels.values()}) == len(levels)
        for name, level in levels.items():
            assert level.name == name
            assert level.about
            assert not level.about.endswith(".")
            if level.simulations:
                assert f"{level.simulations:,}" in level.about


def test_a_level_has_a_name_and_a_number() -> None:
    for position in (start("ultimate"), start("3x3x3")):
        for number, (name, level) in enumerate(levels_of(position).items(), 1):
            for text in (name, name.upper(), name.title(), str(number)):
                assert level_named(position, text) is level


@pytest.mark.parametrize(
    ("game", "level", "message"),
    [
        ("ultimate", "perfect", "'perfect' is not a level of ultimate: 1 to 6, or beginner, cas"),
        ("ultimate", "", "'' is not a level of ultimate"),
        ("ultimate", "7", "'7' is not a level of ultimate"),
        ("3x3x3", "expert", "'expert' is not a level of 3x3x3: 1 to 4, or .* strong, perfect$"),
        ("3x3x3", "0", "'0' is not a level"),
        ("3x3x3", "5", "'5' is not a level"),
        ("3x3x3", "²", "'²' is not a level"),
        ("3x3x3", "x" * 10_000, "is not a level of 3x3x3"),
        ("3x3x3", 3, "3 is not a level of 3x3x3"),
        ("3x3x3", ["casual"], "is not a level of 3x3x3"),
    ],
)
def test_an_unknown_level_is_refused(game: str, level: Any, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        level_named(start(game), level)
    assert len(str(caught.value)) < 300


# -- each beats the one below ------------------------------------------------------------


def score(grid: str, level: str, below: str, games: int, limits: Limits | None = None) -> float:
    """Return the share of points that a level gets, with each side in half of the games."""
    rng = Random(2024)
    points = 0.0
    for number in range(games):
        side = Player.X if number % 2 else Player.O
        position = GridPosition.start(grid)
        while position.outcome is None:
            mover = level if position.turn is side else below
            position = position.play(choose_move(position, mover, limits, rng).move)
        winner = position.outcome.winner
        points += 0.5 if winner is None else winner is side
    return points / games


def test_each_level_beats_the_one_below_on_3x3() -> None:
    for below, level in pairwise(GRID_LEVELS):
        assert score("3x3x3", level, below, 200) > 0.52, level


@pytest.mark.slow
@pytest.mark.parametrize("grid", ["3x4x3", "4x4x3"])
def test_each_level_beats_the_one_below(
    grid: str, built: Callable[[str], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(built(grid).path.parent))
    for below, level in pairwise(GRID_LEVELS):
        assert score(grid, level, below, 200) > 0.52, level


@pytest.mark.slow
def test_large_boards_are_played_better_by_higher_levels() -> None:
    little = Limits(nodes=500)
    assert score("9x9x4", "casual", "beginner", 20, little) > 0.9
    assert score("9x9x4", "perfect", "casual", 20, little) > 0.6


@pytest.mark.parametrize(
    ("higher", "lower", "games", "share"),
    [
        ("beginner", "random", 60, 0.5),
        ("casual", "beginner", 20, 0.7),
        ("skilled", "casual", 10, 0.8),
    ],
)
def test_a_higher_level_beats_a_lower_one_at_ultimate(
    higher: str, lower: str, games: int, share: float
) -> None:
    match = Match(higher, lower, "ultimate", games, Limits(nodes=1000))
    records = list(play_match(match, player_of))
    assert not any(record.is_forfeit for record in records)
    assert score_of(records).share > share
