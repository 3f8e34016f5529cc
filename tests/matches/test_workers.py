from __future__ import annotations

import os
import signal
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from noughts.errors import NoughtsError
from noughts.limits import Limits
from noughts.matches.match import Match, play_match
from noughts.matches.player import AnyPosition
from noughts.matches.players import RandomPlayer
from noughts.matches.registry import player_of
from noughts.matches.workers import _work, play_at_once
from support.bots import bot, is_free

FAST = Limits(nodes=1)


class Dying(RandomPlayer):
    def new_game(self, start: AnyPosition, seed: int) -> None:
        os._exit(1)


class Unfit(RandomPlayer):
    def new_game(self, start: AnyPosition, seed: int) -> None:
        raise NoughtsError("this game is not for me")


def test_games_at_once_are_the_same_games() -> None:
    match = Match("random", "random", "ultimate", 8, FAST)
    one_by_one = {record.number: record.text for record in play_match(match, player_of)}
    at_once = list(play_at_once(match, player_of, [*match.numbers][2:], 2))
    assert sorted(record.number for record in at_once) == [3, 4, 5, 6, 7, 8]
    assert all(one_by_one[record.number] == record.text for record in at_once)


def test_a_match_that_is_left_closes_its_players(tmp_path: Path) -> None:
    command = f"cmd:{bot(tmp_path, first='held = hold()')}"
    match = Match("random", command, "3x3x3", 50, FAST)
    with closing(play_at_once(match, partial(player_of, startup=60), match.numbers, 2)) as games:
        assert not next(games).is_forfeit
    assert is_free(tmp_path)


def test_what_ends_a_match_is_told() -> None:
    match = Match("one", "two", "3x3x3", 4, FAST)
    with pytest.raises(NoughtsError, match="not for me"):
        list(play_at_once(match, Unfit, match.numbers, 1))
    with pytest.raises(NoughtsError, match="has died"):
        list(play_at_once(match, Dying, match.numbers, 1))


def work_and_hear_a_late_word(match: Match, line: Connection) -> None:
    _work(match, player_of, line)
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_late_word_to_end_does_not_hit_the_way_out(capfd: pytest.CaptureFixture[str]) -> None:
    """A worker ends when its line is closed, and may be told to end just then."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    match = Match("random", "random", "3x3x3", 1, FAST)
    worker = context.Process(target=work_and_hear_a_late_word, args=(match, theirs))
    worker.start()
    theirs.close()
    ours.close()
    worker.join(60)
    assert worker.exitcode == 0
    assert capfd.readouterr().err == ""
