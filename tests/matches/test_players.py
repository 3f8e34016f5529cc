from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from noughts import Game
from noughts.errors import NotationError
from noughts.limits import Limits
from noughts.matches.match import Match, play_match
from noughts.matches.players import EnginePlayer, LevelPlayer


def test_it_wins_and_says_that_this_is_proved() -> None:
    player = EnginePlayer("engine")
    game = Game.parse("3x3x3 a1 a2 b1 b2")
    player.new_game(game.start, seed=1)
    answer = player.choose(game, Limits(nodes=100), 60)
    assert answer.move == 2
    assert answer.info.startswith("value win plies 1 nodes ")
    assert answer.info.endswith(" line c1")


def test_an_estimate_is_not_said_to_be_a_proof() -> None:
    player = EnginePlayer("uct", plain=True)
    game = Game.parse("ultimate ee ea")
    player.new_game(game.start, seed=1)
    words = player.choose(game, Limits(nodes=200), 60).info.split()
    assert words[0] == "score"
    assert 0 < float(words[1]) < 1
    assert words[2:5] == ["nodes", "200", "line"]


def test_a_match_of_it_can_be_repeated() -> None:
    match = Match("one", "two", "5x5x4", 2, Limits(nodes=50))
    first, second = ([each.text for each in play_match(match, EnginePlayer)] for _ in range(2))
    assert first == second


def test_it_can_be_stopped_and_says_what_it_thinks() -> None:
    player = EnginePlayer("uct", plain=True)
    said: list[str] = []
    player.on_info = said.append
    game = Game.parse("ultimate")
    player.new_game(game.start, seed=1)

    def stop() -> None:
        while not said:
            time.sleep(0.01)
        player.cancel()

    stopper = threading.Thread(target=stop)
    stopper.start()
    answer = player.choose(game, Limits(seconds=1000), 2000)
    stopper.join()
    assert answer.move in game.position.legal_moves
    assert all(line.startswith("score ") for line in said)


@pytest.mark.parametrize(
    ("level", "game"),
    [
        *[("beginner", "ultimate"), ("casual", "ultimate"), ("skilled", "ultimate-open")],
        *[("casual", "5x5x4"), ("strong", "3x3x3"), ("perfect", "3x3x3")],
    ],
)
def test_levels_play_legally_and_repeatably(level: str, game: str) -> None:
    match = Match("one", "two", game, 2, Limits(nodes=50))
    player = partial(LevelPlayer, level=level)
    records = list(play_match(match, player))
    assert not any(record.is_forfeit for record in records)
    assert [each.text for each in play_match(match, player)] == [each.text for each in records]


def test_an_unknown_level_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="'bogus' is not a level: beginner, casual"):
        LevelPlayer("bogus", "bogus")


def test_a_level_that_a_game_lacks_is_named_before_the_game() -> None:
    with pytest.raises(NotationError, match="3x3x3: 1 to 4, or beginner, casual"):
        LevelPlayer("expert", "expert").new_game(Game.parse("3x3x3").start, seed=1)
    with pytest.raises(NotationError, match="is not a level of ultimate"):
        LevelPlayer("perfect", "perfect").new_game(Game.parse("ultimate").start, seed=1)
