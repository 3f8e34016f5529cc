from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from noughts.errors import NoughtsError
from noughts.limits import Limits
from noughts.matches.match import Match, play_match
from noughts.matches.match_file import MatchFile
from noughts.matches.players import RandomPlayer

FAST = Limits(nodes=1)


def test_an_interrupted_match_loses_nothing(tmp_path: Path) -> None:
    match = Match("one", "two", "4x4x3", 4, FAST)
    file = tmp_path / "games.jsonl"
    whole = list(play_match(match, RandomPlayer))
    with MatchFile(str(file), match) as match_file:
        for record in whole[:3]:
            match_file.add(record)
    cut = file.read_bytes()[:-20]  # the third game was only half written
    file.write_bytes(cut)
    with MatchFile(str(file), match) as match_file:
        assert [record.number for record in match_file.records] == [1, 2]
        for record in play_match(match, RandomPlayer, [3, 4]):
            match_file.add(record)
    with MatchFile(str(file), match) as match_file:
        assert [record.text for record in match_file.records] == [record.text for record in whole]
    assert len(file.read_text().splitlines()) == 5
    with MatchFile(str(file), Match("one", "two", "4x4x3", 6, FAST)) as match_file:
        assert len(match_file.records) == 4  # a match may become longer


def test_the_file_of_another_match_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    match = Match("one", "two", "4x4x3", 4, FAST)
    with MatchFile(str(file), match) as match_file:
        match_file.add(next(play_match(match, RandomPlayer)))
    before = file.read_bytes()
    with pytest.raises(NoughtsError, match="another match: seed is 1 there, not 2"):
        MatchFile(str(file), Match("one", "two", "4x4x3", 4, FAST, seed=2))
    assert file.read_bytes() == before


def test_a_match_that_never_began_leaves_the_file_to_any_other(tmp_path: Path) -> None:
    """A player's name may be mistyped: the next run has other terms."""
    file = tmp_path / "games.jsonl"
    with MatchFile(str(file), Match("one", "tow", "4x4x3", 4, FAST)):
        pass
    with MatchFile(str(file), Match("one", "two", "4x4x3", 4, FAST)) as match_file:
        assert match_file.records == []


@pytest.mark.parametrize("content", ["precious", "precious\n", "{}\n", '{"match": 3}\n', "[1]\n"])
def test_a_file_that_is_no_match_is_left_alone(tmp_path: Path, content: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(content)
    with pytest.raises(NoughtsError, match="it is not a match"):
        MatchFile(str(file), Match("one", "two"))
    assert file.read_text() == content


def test_a_place_where_nothing_can_be_kept_is_named(tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "missing" / "games.jsonl", "\0"):
        with pytest.raises(NoughtsError, match="cannot save the match in"):
            MatchFile(str(name), Match("one", "two"))


def test_games_of_another_board_are_no_games_of_this_match(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    match = Match("one", "two", "4x4x3", 2, FAST)
    with MatchFile(str(file), match) as match_file:
        for record in play_match(match, RandomPlayer):
            match_file.add(record)
    other = next(play_match(Match("one", "two", "3x3x3", 2, FAST), RandomPlayer))
    lines = [*file.read_text().splitlines()[:2], json.dumps(other.to_json())]
    file.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(NoughtsError, match="it is not a match"):
        MatchFile(str(file), match)


@pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")
def test_two_runs_never_write_to_one_file(tmp_path: Path) -> None:
    match = Match("one", "two", "4x4x3", 2, FAST)
    file = tmp_path / "games.jsonl"
    records = list(play_match(match, RandomPlayer))
    with MatchFile(str(file), match) as match_file:
        match_file.add(records[0])
        with pytest.raises(NoughtsError, match="another run is writing to it"):
            MatchFile(str(file), match)
        match_file.add(records[1])
    with MatchFile(str(file), match) as match_file:
        assert [record.text for record in match_file.records] == [record.text for record in records]
