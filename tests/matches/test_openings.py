from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import start
from noughts.errors import NotationError, NoughtsError, SizeError
from noughts.matches import openings
from noughts.matches.openings import openings_of

games = st.sampled_from(["3x3x3", "4x4x3", "5x4x4", "ultimate", "ultimate-open"])


@settings(deadline=None)
@given(games, st.integers(0, 4), st.integers(0, 5), st.integers(0, 2**32), st.integers(0, 3))
def test_random_openings(game: str, plies: int, count: int, seed: int, more: int) -> None:
    found = openings_of(f"random:{plies}", start(game), count, seed)
    assert [len(opening.moves) for opening in found] == [plies] * count
    assert all(opening.outcome is None for opening in found)
    assert openings_of(f"random:{plies}", start(game), count + more, seed)[:count] == found


def test_openings_differ_as_long_as_they_can() -> None:
    found = openings_of("random:1", start("3x3x3"), 9, seed=3)
    assert len({opening.moves for opening in found}) == 9
    assert len(openings_of("random:1", start("3x3x3"), 12, seed=3)) == 12
    found = openings_of("random:2", start("3x3x3"), 500, seed=3)
    assert len({opening.position for opening in found}) == 9 * 8
    assert found[72:144] == found[:72]
    ultimate = openings_of("random:2", start("ultimate"), 200, seed=3)
    assert len({opening.position for opening in ultimate}) == 200


def test_no_time_is_lost_where_there_are_no_more_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are 72 openings of two plies on 3x3: the search for a 73rd is given up only once."""
    played = 0

    def random_game(*arguments: Any) -> Any:
        nonlocal played
        played += 1
        return original(*arguments)

    original = openings._random_game
    monkeypatch.setattr(openings, "_random_game", random_game)
    openings_of("random:2", start("3x3x3"), 500, seed=3)
    assert played < 5_000


def test_none_is_the_start() -> None:
    (opening,) = openings_of("none", start("4x4x3"), 1, seed=1)
    assert opening.text == "4x4x3"


@pytest.mark.parametrize(
    "text", ["", "random", "random:", "random:-1", "random:x", "random:²", "book:2", "file:", "2"]
)
def test_what_is_no_opening_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="openings are none, random:PLIES or file:FILE"):
        openings_of(text, start("3x3x3"), 1, seed=1)


@pytest.mark.parametrize("plies", [9, 99, 10**8])
def test_too_many_plies_are_refused(plies: int) -> None:
    with pytest.raises(SizeError, match="plies"):
        openings_of(f"random:{plies}", start("3x3x3"), 1, seed=1)


def test_a_file_of_openings_is_used_over_and_over(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("# two of them\n3x3x3 b2\n\n3x3x3:X../.O./... c3\n")
    found = openings_of(f"file:{file}", start("3x3x3"), 3, seed=1)
    assert [opening.text for opening in found] == [
        "3x3x3 b2",
        "3x3x3:X../.O./... c3",
        "3x3x3 b2",
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("3x3x3 b2\n3x3x3 b2 b2", "line 2: move 2: b2"),
        ("4x4x3 b2", "line 1: an opening of 4x4x3 in a match of 3x3x3"),
        ("3x3x3:XX./OO./... c1", "line 1: the game is over: X wins"),
        ("3x3x3 b2 | a1", "line 1: an opening cannot have undone moves"),
        ("# nothing\n", "does not contain an opening"),
        (b"\xff\xfe", "cannot read"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(
    tmp_path: Path, content: str | bytes, says: str
) -> None:
    file = tmp_path / "openings.txt"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(NoughtsError, match=says):
        openings_of(f"file:{file}", start("3x3x3"), 3, seed=1)
    with pytest.raises(NoughtsError, match="cannot read"):
        openings_of(f"file:{tmp_path}/missing", start("3x3x3"), 3, seed=1)


def test_a_file_of_openings_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "_MOST_BYTES", 1 << 20)
    with pytest.raises(NoughtsError, match=r"/dev/zero': it has more than 1\.0 MiB"):
        openings_of("file:/dev/zero", start("3x3x3"), 3, seed=1)
