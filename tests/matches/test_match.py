from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.errors import NotationError, NoughtsError, SizeError
from noughts.limits import Limits
from noughts.matches.external import ExternalPlayer
from noughts.matches.match import GameRecord, Match, play_match, score_of
from noughts.matches.player import Answer, AnyGame, AnyPosition, Fault, MatchPlayer
from noughts.matches.players import RandomPlayer
from noughts.rules.player import Player, Verdict
from support.bots import bot

FAST = Limits(nodes=1)


class Fixed(RandomPlayer):
    """Always gives the same answer, legal or not, and remembers what happened to it."""

    def __init__(self, name: str, move: int = 0, wait: float = 0.0) -> None:
        super().__init__(name)
        self.move = move
        self.wait = wait
        self.closed = 0

    def choose(self, game: AnyGame, limit: Limits, timeout: float) -> Answer:
        time.sleep(self.wait)
        return Answer(self.move)

    def close(self) -> None:
        self.closed += 1


def play(
    match: Match, make_player: Callable[[str], MatchPlayer] = RandomPlayer
) -> list[GameRecord]:
    return list(play_match(match, make_player))


games = st.sampled_from(["3x3x3", "4x4x3", "ultimate", "ultimate-open", "ultimate-most-boards"])


@settings(max_examples=20, deadline=None)
@given(games, st.integers(1, 6), st.integers(0, 3), st.integers(0, 2**32))
def test_games_are_played_by_the_rules_and_can_be_replayed(
    game: str, count: int, plies: int, seed: int
) -> None:
    match = Match("one", "two", game, count, FAST, f"random:{plies}", seed)
    records = play(match)
    assert [record.number for record in records] == [*range(1, count + 1)]
    for record in records:
        replayed = record.game
        assert replayed.text == record.text
        assert replayed.outcome is not None
        assert replayed.outcome.verdict is record.result
        assert replayed.outcome.termination == record.ending
        assert len(record.seconds) == len(replayed.moves) - record.opening
        assert not record.is_forfeit
        assert record.x == ("one" if record.a_side is Player.X else "two")
        assert GameRecord.from_json(json.loads(json.dumps(record.to_json()))).text == record.text
    assert score_of(records).games == count
    assert [record.text for record in play(match)] == [record.text for record in records]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_each_opening_is_played_with_both_colours(seed: int, plies: int) -> None:
    records = play(Match("one", "two", "ultimate", 6, FAST, f"random:{plies}", seed))
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert (first.a_side, second.a_side) == (Player.X, Player.O)
        assert (first.x, first.o) == (second.o, second.x)
        assert first.game.moves[:plies] == second.game.moves[:plies]


def test_a_match_goes_on_where_it_stopped() -> None:
    match = Match("one", "two", "4x4x3", 6, FAST)
    whole = play(match)
    rest = list(play_match(match, RandomPlayer, [3, 4, 6]))
    assert [record.text for record in rest] == [whole[index].text for index in (2, 3, 5)]


def test_an_illegal_move_loses() -> None:
    match = Match("one", "two", "3x3x3", 2, FAST, "none")
    first, second = play(
        match, lambda name: Fixed(name, 4) if name == "one" else RandomPlayer(name)
    )
    assert (first.result, first.ending) == (Verdict.O_WINS, Fault.ILLEGAL)
    assert first.is_forfeit
    assert first.reason.startswith("X (one) made an illegal move: b2 (cell 4) is taken by")
    assert (first.points, second.points) == (0.0, 0.0)
    assert first.game.outcome is None


def test_a_late_move_loses() -> None:
    match = Match("one", "two", "3x3x3", 1, Limits(seconds=0.01), "none", margin=0.01)
    (record,) = play(match, lambda name: Fixed(name, 4, wait=0.05 if name == "one" else 0))
    assert (record.result, record.ending) == (Verdict.O_WINS, Fault.TIME)
    assert "with 0.01 s" in record.reason
    assert record.text == "3x3x3"


def test_a_bad_program_loses_its_games_and_the_match_goes_on(tmp_path: Path) -> None:
    command = bot(tmp_path, "if len(free) < 6: sys.exit(2)\nsay('best ' + free[0])")
    match = Match("one", "two", "3x3x3", 4, Limits(nodes=1), "none")
    records = play(match, lambda name: ExternalPlayer(command) if name == "one" else Fixed(name, 8))
    assert {record.ending for record in records} <= {Fault.CRASH, Fault.ILLEGAL}
    assert records[0].ending == Fault.ILLEGAL  # of two, who plays c3 twice
    assert len(records) == 4


def test_everybody_is_closed_whatever_happens() -> None:
    made: list[Fixed] = []

    def make_player(name: str) -> MatchPlayer:
        made.append(Fixed(name))
        if name == "broken":
            raise NoughtsError("cannot be made")
        return made[-1]

    play(Match("one", "two", "3x3x3", 2, FAST), make_player)
    assert [each.closed for each in made] == [1, 1]
    made.clear()
    playing = play_match(Match("one", "two", "3x3x3", 2, FAST), make_player)
    next(playing)
    playing.close()
    assert [each.closed for each in made] == [1, 1]
    made.clear()
    with pytest.raises(NoughtsError, match="cannot be made"):
        play(Match("one", "broken", "3x3x3", 2, FAST), make_player)
    assert made[0].closed == 1


def test_an_error_that_is_nobodys_fault_ends_the_match() -> None:
    class Unfit(Fixed):
        def new_game(self, start: AnyPosition, seed: int) -> None:
            raise NoughtsError("this game is not for me")

    with pytest.raises(NoughtsError, match="not for me"):
        play(Match("one", "two", "3x3x3", 2, FAST), Unfit)


@pytest.mark.parametrize("games", [0, -1, 10**9, 1.5, True])
def test_a_number_of_games_that_makes_no_sense(games: int) -> None:
    with pytest.raises(SizeError, match="games must be"):
        Match("one", "two", games=games)


def test_a_game_or_an_opening_that_does_not_exist() -> None:
    for game, openings in (("chess", "none"), ("3x3x3", "sicilian"), ("3x3x3", "file:missing")):
        with pytest.raises(NoughtsError):
            Match("one", "two", game, openings=openings)
    with pytest.raises(SizeError, match="9 random plies of 3x3x3 nearly always end the game"):
        Match("one", "two", "3x3x3", openings="random:9")


def test_a_margin_that_makes_no_sense() -> None:
    for margin in (-1.0, float("nan"), float("inf")):
        with pytest.raises(SizeError, match="margin"):
            Match("one", "two", margin=margin)


TRUE = {
    "number": 1,
    "x": "one",
    "o": "two",
    "a": "X",
    "game": "3x3x3 a1 b1 a2 b2 a3",
    "opening": 2,
    "result": "X_wins",
    "ending": "line",
    "reason": None,
    "seconds": [0, 0.5, 1],
}
FALSE: list[tuple[str, object]] = [
    *(("result", result) for result in ("O_wins", "draw", "X_turn", "invalid", None)),
    *(("ending", ending) for ending in ("full", "most_boards", "boredom", 5)),
    *(("game", game) for game in ("3x3x3 a1", "3x3x3", "3x3x3 a1 a1", 5, ["a1"])),
    *(("seconds", times) for times in (5, "123", [-1], ["1"], [True], [float("nan")], [None])),
    *(("a", "O"), ("number", 2), ("opening", 6), ("x", 5), ("reason", 5), ("reason", ["no"])),
]


def test_a_record_says_what_can_have_happened() -> None:
    assert GameRecord.from_json(TRUE).points == 1
    forfeit = {"ending": "crash", "game": "3x3x3 a1", "opening": 0, "result": "O_wins"}
    assert GameRecord.from_json({**TRUE, **forfeit}).points == 0
    for name, value in [*FALSE, ("forfeit", "draw")]:
        change = {**forfeit, "result": value} if name == "forfeit" else {name: value}
        with pytest.raises(NotationError, match="not a game of a match"):
            GameRecord.from_json({**TRUE, **change})


@pytest.mark.parametrize("data", [None, [], {}, {"number": 0}, "x", {"number": 1, "x": 1}])
def test_what_is_no_record_is_refused(data: object) -> None:
    with pytest.raises(NotationError, match="not a game of a match"):
        GameRecord.from_json(data)
