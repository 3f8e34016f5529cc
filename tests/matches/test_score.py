from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.matches.score import Score, elo

results = st.sampled_from([0.0, 0.5, 1.0])
pairs = st.lists(st.lists(results, min_size=1, max_size=2).map(tuple), max_size=30).map(tuple)


def swapped(score: Score) -> Score:
    """Return the score as B sees it."""
    return Score(tuple(tuple(1 - result for result in pair) for pair in score.pairs))


@settings(deadline=None)
@given(pairs)
def test_the_interval_contains_the_score_and_stays_within_the_possible(
    played: tuple[tuple[float, ...], ...],
) -> None:
    score = Score(played)
    low, high = score.interval
    assert 0 <= low <= score.share <= high <= 1
    assert low < high
    assert elo(low) <= elo(score.share) <= elo(high)


@settings(deadline=None)
@given(pairs)
def test_b_sees_the_same_match_from_the_other_side(played: tuple[tuple[float, ...], ...]) -> None:
    a, b = Score(played), swapped(Score(played))
    assert (a.count(1), a.count(0.5), a.count(0)) == (b.count(0), b.count(0.5), b.count(1))
    assert b.share == pytest.approx(1 - a.share)
    assert b.interval == pytest.approx((1 - a.interval[1], 1 - a.interval[0]))
    assert b.superiority == pytest.approx(1 - a.superiority)
    assert elo(b.share) == pytest.approx(-elo(a.share))


@settings(deadline=None)
@given(pairs.filter(bool), st.integers(2, 5))
def test_more_of_the_same_makes_it_surer(played: tuple[tuple[float, ...], ...], times: int) -> None:
    once, often = Score(played), Score(played * times)
    assert often.share == pytest.approx(once.share)
    assert often.interval[1] - often.interval[0] < once.interval[1] - once.interval[0]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), results), max_size=20))
def test_games_are_grouped_by_their_opening(games: list[tuple[int, float]]) -> None:
    score = Score.of(games)
    assert score.games == len(games)
    assert score.points == sum(result for _, result in games)
    assert len(score.pairs) == len({opening for opening, _ in games})
    assert Score.of(reversed(games)).to_json() == score.to_json()


def test_an_opening_that_decides_says_nothing_about_the_players() -> None:
    decided = Score(((1, 0),) * 50)
    independent = Score(((1, 1), (0, 0)) * 25)
    assert decided.share == independent.share == 0.5
    assert decided.interval[0] > independent.interval[0] + 0.05


@pytest.mark.parametrize("draws", [0.0, 0.4])
@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_the_interval_holds_as_often_as_it_says(share: float, draws: float) -> None:
    rng = random.Random(7)
    draws = min(draws, 2 * (1 - share))

    def game() -> float:
        luck = rng.random()
        return 1.0 if luck < share - draws / 2 else 0.5 if luck < share + draws / 2 else 0.0

    matches = [Score(tuple((game(), game()) for _ in range(20))) for _ in range(1000)]
    held = sum(low <= share <= high for low, high in (match.interval for match in matches))
    assert 930 <= held <= 999


def test_elo_of_known_shares() -> None:
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.0) == -math.inf
    assert Score(()).share == 0.5


def test_json_has_no_infinity() -> None:
    data = Score(((1, 1),) * 3).to_json()
    assert data["elo"] is None
    assert data["elo_interval"][1] is None  # type: ignore[index]
    assert (data["wins"], data["draws"], data["losses"]) == (6, 0, 0)
