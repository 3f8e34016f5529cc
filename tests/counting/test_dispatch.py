"""`count` answers every question by its name, and refuses what does not apply."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest

from noughts import Game, Grid, GridPosition, NotationError, NoughtsError, UltimatePosition
from noughts.counting import EndingCounts, GameCounts, PositionCounts, count
from noughts.counting.dispatch import Counted, Meaning, Method
from noughts.errors import LimitExceeded
from noughts.limits import Limits
from support.oracle import all_games


def test_what_can_be_counted() -> None:
    assert get_args(Counted) == ("games", "positions", "endings")
    found = [count("3x3x3", of) for of in get_args(Counted)]
    assert [counts.total for counts in found] == [255_168, 5_478, 958]
    assert list(map(type, found)) == [GameCounts, PositionCounts, EndingCounts]
    assert count("3x3x3") == found[0]


def test_where_is_a_position_or_its_text() -> None:
    position = GridPosition.start("2x3x2").play("b2")
    for where in (position, position.text, "2x3x2 b2", Game.parse("2x3x2 b2 | a1")):
        assert count(where) == count(position)
    assert count(Grid(2, 3, 2)) == count("2x3x2")
    for bad in (None, 3, "", "3x3", b"3x3x3", "3x3x3 b2 b2", "ultimate", UltimatePosition.start()):
        with pytest.raises(NoughtsError):
            count(bad)  # type: ignore[arg-type]


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
    start = GridPosition.start("3x3x3")
    assert count(start, "games", up_to_symmetry=True).total == 31896
    assert count(start, "games", up_to_symmetry=True, meaning="moves").total == 26830
    assert count(start, "positions", up_to_symmetry=True).total == 765
    assert count(start.play(4), "positions", up_to_symmetry=True).total < 765
    with pytest.raises(LimitExceeded, match="from the empty board only"):
        count(start.play(4), "games", up_to_symmetry=True)


def test_every_combination_is_answered_alike_or_refused() -> None:
    """No method or meaning is ignored: each is used, or refused by a message that names it."""
    refused = answered = 0
    for where, of, symmetric, method, meaning in product(
        ("2x3x2", "2x3x2 b2"),
        get_args(Counted),
        (False, True),
        (None, *get_args(Method)),
        (None, *get_args(Meaning)),
    ):
        options: dict[str, Any] = {"up_to_symmetry": symmetric, "meaning": meaning}
        try:
            found = count(where, of, method=method, **options)
        except (NotationError, LimitExceeded) as error:
            refused += 1
            named = [word for word in (method, meaning, "meaning", "symmetry") if word]
            assert any(word in str(error) for word in named)
        else:
            answered += 1
            assert found == count(where, of, **options)
            assert meaning is None or (symmetric and of == "games")
            assert method != "backtrack" or (of == "games" and not symmetric)
    assert (answered, refused) == (34, 110)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"of": "bogus"}, "of must be one of games, positions, endings, not 'bogus'"),
        ({"of": None}, "of must be one of games"),
        ({"of": ["games"]}, "of must be one of games"),
        ({"method": "guess"}, "method must be one of frontier, backtrack, positions, not 'guess'"),
        ({"method": ""}, "method must be one of"),
        ({"meaning": "both", "up_to_symmetry": True}, "meaning must be one of orbits, moves"),
        ({"meaning": "moves"}, "a meaning applies to games up to symmetry only"),
        (
            {"of": "positions", "method": "backtrack"},
            "method backtrack does not count positions; frontier and positions can",
        ),
        (
            {"method": "positions", "up_to_symmetry": True},
            r"method positions does not count games up to symmetry \(orbits\); frontier can",
        ),
    ],
)
def test_a_refusal_names_what_applies(options: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        count("3x3x3", **options)


def test_a_checkpoint_or_a_cluster_is_used_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    for options in ({"checkpoint": path}, {"cluster": "local:1"}):
        with pytest.raises(NotationError, match="method positions runs in one go"):
            count("3x3x3", method="positions", **options)
    assert not path.exists()
    assert count("XXX/OO./...", checkpoint=path).total == 1  # finished already, and yet
    assert path.exists()


def test_limits_hold(tmp_path: Path) -> None:
    with pytest.raises(LimitExceeded, match="memory"):
        count("6x6x4", limits=Limits(memory=1 << 20))
    with pytest.raises(LimitExceeded, match="memory"):
        count("4x4x3", "positions", method="positions", limits=Limits(memory=1000))
    shares: list[float] = []
    path = tmp_path / "count.db"
    count("3x3x3", checkpoint=path, limits=Limits(threads=1), on_progress=shares.append)
    assert shares[-1] == 1.0
