"""Games in files: what is saved is read back, nothing is lost, and nothing is read that is none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noughts import Game, IllegalMove, NotationError, NoughtsError, Player
from noughts.cli.playing.save_file import SavedGame, read_game, write_game
from noughts.players import levels_of
from support.cli_runner import run
from support.play_sessions import record
from support.strategies import records

own_folder = settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def saved_games(draw: st.DrawFn) -> SavedGame:
    """Draw a game, who plays it, and perhaps who gave up."""
    game = draw(records().filter(lambda game: game.start.outcome is None))
    resigned = draw(st.none() | st.sampled_from(Player))
    if draw(st.booleans()):
        return SavedGame(game, resigned=resigned)
    people = draw(st.frozensets(st.sampled_from(Player)))
    level = None if len(people) == 2 else draw(st.sampled_from(list(levels_of(game.start))))
    return SavedGame(game, people, level, resigned)


@own_folder
@given(saved_games())
def test_what_is_saved_is_read_back(saved: SavedGame) -> None:
    write_game("game.txt", saved, over=True)
    assert read_game("game.txt") == saved
    shown = run("show", "--file", "game.txt")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == run("show", saved.game.text).out


def test_a_saved_game_is_a_line_that_people_can_read(tmp_path: Path) -> None:
    game = Game.parse("4x4x3 b2 a1 | c3")
    write_game("game.txt", SavedGame(game, frozenset({Player.O}), "casual", Player.X))
    assert (tmp_path / "game.txt").read_text() == (
        "# X: casual, O: person\n# X resigned\n4x4x3 b2 a1 | c3\n"
    )


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    for content in (b"my thesis\n", b"3x3x3 b2\n", b""):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(NoughtsError, match=r"'file' exists already; save! file replaces"):
            write_game("file", SavedGame(Game.parse("3x3x3")))
        assert (tmp_path / "file").read_bytes() == content
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(NoughtsError, match="exists already"):
        write_game("link", SavedGame(Game.parse("3x3x3")))
    assert sorted(os.listdir(tmp_path)) == ["file", "link"]


@pytest.mark.parametrize("name", ["no/such/folder", ".", "x" * 5000, "a\0b"])
def test_what_cannot_be_written_says_so_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    with pytest.raises(NoughtsError, match=r"cannot write|exists already"):
        write_game(name, SavedGame(Game.parse("3x3x3")), over=name != ".")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_halfway_leaves_the_old_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_game("game.txt", SavedGame(Game.parse("3x3x3 b2")))

    def no_space(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", no_space)
    with pytest.raises(NoughtsError, match=r"cannot write 'game.txt': No space left on device"):
        write_game("game.txt", SavedGame(Game.parse("3x3x3 a1")), over=True)
    assert read_game("game.txt").game.text == "3x3x3 b2"
    assert os.listdir(tmp_path) == ["game.txt"]


def test_a_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write_game("~/game.txt", SavedGame(Game.parse("3x3x3 b2")))
    assert (tmp_path / "game.txt").exists()
    assert read_game("~/game.txt").game.text == "3x3x3 b2"


def test_a_game_by_hand() -> None:
    for text in ("3x3x3 b2", "\n# a remark\n\n  3x3x3   4\n", "\ufeff3x3x3 b2\r\n"):
        Path("game.txt").write_text(text, encoding="utf-8")
        saved = read_game("game.txt")
        assert (saved.game.text, saved.people, saved.level) == ("3x3x3 b2", None, None)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "'file' does not contain a game"),
        (b"# X: person, O: casual\n", "'file' does not contain a game"),
        (b"Dear diary,\n", "file, line 1: a position is a board"),
        (b"3x3x3 b2\n\n3x3x3 a1\n", "file, line 3: a second game"),
        (b"# mine\n3x3x3 b2 b2\n", r"file, line 2: move 2: b2 \(cell 4\) is taken by X"),
        (b"XXX/OOO/...\n", "file, line 1: no game leads there"),
        (b"\x89PNG\r\n\x1a\n\x00", "file, line 1: not text: byte 0x89"),
        (b"3x3x3 b2\n\xff\xfe\n", "file, line 2: not text"),
        (b"# X: person, O: grandmaster\n3x3x3\n", "O grandmaster at 3x3x3, but person or one of"),
        (b"# X: casual, O: strong\n3x3x3\n", "X cannot be casual and O strong"),
        (b"# X: person, O: full\n3x3x3\n", "beginner, casual, strong, perfect"),
        (b"# X: person, O: perfect\nultimate\n", "beginner, casual, skilled"),
    ],
)
def test_what_is_no_saved_game(content: bytes, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(NoughtsError, match=complaint):
        read_game("file")
    result = run("play", "--load", "file")
    assert result.failed_politely()
    assert result.out == ""
    sitting = run("play", "3x3x3", "--against", "person", stdin="b2\nload file\na1\n")
    assert sitting.code == 2
    assert "Error: line 2: " in sitting.err
    assert record(sitting).text == "3x3x3 b2 a1", "the game on the table is kept"


def test_the_fault_in_a_file_is_pointed_at(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("# mine\n3x3x3 b2 d9\n")
    with pytest.raises(NotationError) as caught:
        read_game("file")
    assert (caught.value.text, caught.value.offset) == ("3x3x3 b2 d9", 9)


def test_a_game_that_was_over_before_it_began(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("XXX/OO./...\n")
    with pytest.raises(IllegalMove, match="the game is over: X wins"):
        read_game("file")


@pytest.mark.parametrize("name", ["missing", ".", "/dev/null", "-", "x" * 5000, "a\0b"])
def test_what_cannot_be_read(name: str) -> None:
    with pytest.raises(NoughtsError, match="cannot read"):
        read_game(name)
