from __future__ import annotations

import datetime
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from noughts import NotationError, SizeError
from noughts import puzzles as package
from noughts.puzzles import Kind, daily, puzzle, puzzles
from noughts.puzzles.rating import Difficulty, stars_of

ALL = puzzles()


def test_the_set_is_large_and_varied() -> None:
    assert len(ALL) >= 300
    games = Counter(each.name for each in ALL)
    assert len(games) >= 6
    assert {"3x3x3", "ultimate"} < games.keys()
    assert set(Counter(each.kind for each in ALL)) == set(Kind)
    stars = Counter(each.stars for each in ALL)
    assert set(stars) == {1, 2, 3, 4, 5}
    assert min(stars.values()) > len(ALL) / 10


def test_the_documents_say_what_is_in_it() -> None:
    docs = Path(__file__).parents[2]
    page = (docs / "docs" / "puzzles.md").read_text(encoding="utf-8")
    for name in [*dict.fromkeys(each.name for each in ALL), "all"]:
        some = ALL if name == "all" else puzzles(name)
        kinds = Counter(each.kind for each in some)
        stars = Counter(each.stars for each in some)
        numbers = [len(some), *(kinds[kind] for kind in Kind), *(stars[n] for n in range(1, 6))]
        assert f"| {' | '.join(map(str, [name, *numbers]))} |" in page
    for text in (page, (docs / "CHANGELOG.md").read_text(encoding="utf-8")):
        assert f" {len(ALL)} " in text
    for number in range(2, 6):
        least = next(rating for rating in range(300) if stars_of(rating) == number)
        assert f"| {number} | {least} |" in page


def test_all_are_sorted_by_game_and_rating() -> None:
    places = {name: place for place, name in enumerate(dict.fromkeys(each.name for each in ALL))}
    assert list(ALL) == sorted(ALL, key=lambda each: (places[each.name], each.rating, each.id))


def test_filters() -> None:
    for name in {each.name for each in ALL}:
        assert puzzles(name) == tuple(each for each in ALL if each.name == name)
    for kind in Kind:
        assert puzzles(kind=kind) == puzzles(kind=kind.value)
        assert {each.kind for each in puzzles(kind=kind)} == {kind}
    for stars in range(1, 6):
        assert {each.stars for each in puzzles(stars=stars)} == {stars}
    assert puzzles("9x9x5") == ()


@pytest.mark.parametrize(
    ("question", "error", "message"),
    [
        ({"game": "chess"}, NotationError, "named like 4x4x3 or ultimate"),
        ({"game": 3}, NotationError, "not 3"),
        ({"kind": "mate"}, NotationError, "'mate' is not a kind of puzzle: win, draw, block"),
        ({"stars": 0}, SizeError, "at least 1"),
        ({"stars": 6}, SizeError, "at most 5"),
        ({"stars": "3"}, SizeError, "whole number"),
    ],
)
def test_wrong_questions(question: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        puzzles(**question)


def test_ids() -> None:
    assert len({each.id for each in ALL}) == len(ALL)
    assert puzzle(ALL[5].id.upper()) is ALL[5]
    for wrong in ("", "zzzzz", None, 12345):
        with pytest.raises(NotationError, match=f"like {ALL[0].id}"):
            puzzle(wrong)  # type: ignore[arg-type]


def test_every_puzzle_has_its_day_before_the_first_comes_again() -> None:
    first = datetime.date(2026, 1, 1)
    days = [daily(first + datetime.timedelta(day)) for day in range(2 * len(ALL))]
    assert {day.id for day in days[: len(ALL)]} == {each.id for each in ALL}
    assert [day.id for day in days[: len(ALL)]] == [day.id for day in days[len(ALL) :]]
    # Two days in a row have different games, also where the round begins anew.
    assert all(a.name != b.name for a, b in pairwise(days))


def test_a_month_of_days_is_varied() -> None:
    games = Counter(each.name for each in ALL)
    stars = Counter(each.stars for each in ALL)
    first = datetime.date(2026, 1, 1)
    for month in range(12):
        days = [daily(first + datetime.timedelta(30 * month + day)) for day in range(30)]
        shown = Counter(day.name for day in days)
        for name, number in games.items():
            assert abs(shown[name] - 30 * number / len(ALL)) < 3
        shown_stars = Counter(day.stars for day in days)
        for star, number in stars.items():
            assert abs(shown_stars[star] - 30 * number / len(ALL)) < 8


def test_a_day_in_every_form() -> None:
    assert daily("2026-02-03") is daily(datetime.date(2026, 2, 3))
    assert daily("2026-02-03") is daily("2026-02-03")
    assert daily() in ALL
    assert daily("0001-01-01") in ALL
    assert daily("9999-12-31") in ALL


@pytest.mark.parametrize("date", ["2026-02-30", "yesterday", "", "20260203", "2026-2-3", 20260203])
def test_days_that_do_not_exist(date: Any) -> None:
    with pytest.raises(NotationError, match="a date is a day like 2026-01-31"):
        daily(date)


def test_ratings() -> None:
    easy = Difficulty(plies=3, forced=1, moves=4, missed=0.0, is_quiet=False)
    assert easy.rating == 29
    for harder in (
        Difficulty(5, 1, 4, 0.0, False),
        Difficulty(3, 0, 4, 0.0, False),
        Difficulty(3, 1, 5, 0.0, False),
        Difficulty(3, 1, 4, 0.5, False),
        Difficulty(3, 1, 4, 0.0, True),
    ):
        assert harder.rating > easy.rating
    stars = [stars_of(rating) for rating in range(300)]
    assert stars == sorted(stars)
    assert set(stars) == {1, 2, 3, 4, 5}


def test_the_package_says_what_it_has() -> None:
    assert package.__all__ == sorted(package.__all__)
