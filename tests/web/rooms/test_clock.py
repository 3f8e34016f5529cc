"""The clock as a value: what runs when, what a move costs and adds, and when a flag falls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.rules.player import Player
from noughts.web.rooms.clock import LAG_SECONDS as LAG
from noughts.web.rooms.clock import Clock, TimeControl

X, O = Player  # noqa: E741 - the side's own name


def clock(initial: int = 180, increment: int = 2) -> Clock:
    return Clock.of(TimeControl(initial, increment))


def running(initial: int = 180, increment: int = 2) -> Clock:
    """Return a clock after both first moves, at time 100; X is to move."""
    return press(press(clock(initial, increment), X, 50), O, 100)


def press(it: Clock, side: Player, now: float, thought: float | None = None) -> Clock:
    """Return the clock after a move that came in time."""
    pressed = it.press(side, now, thought)
    assert pressed
    return pressed


def left(it: Clock, now: float) -> tuple[float, float]:
    return it.left(X, now), it.left(O, now)


def test_no_time_runs_until_both_sides_have_moved() -> None:
    it = clock()
    assert (it.running, it.falls_at) == (None, None)
    it = press(it, X, 1_000)
    assert left(it, 5_000) == (180, 180)
    it = press(it, O, 5_000)
    assert left(it, 5_000) == (180, 180), "and the first moves add nothing"
    assert it.running is X
    assert left(it, 5_010) == (170, 180)


def test_o_may_be_the_first_to_move() -> None:
    it = press(press(clock(), O, 0), X, 10)
    assert (it.running, it.falls_at) == (O, 190 + LAG)


def test_a_move_costs_its_time_and_adds_the_increment() -> None:
    it = press(running(), X, 107.5)
    assert left(it, 107.5) == (174.5, 180)
    it = press(it, O, 108)
    assert left(it, 108) == (174.5, 181.5), "more than in the beginning"


def test_a_flag_falls_when_the_time_is_over_and_not_before() -> None:
    it = press(running(60, 0), X, 110)
    assert it.falls_at == 170 + LAG, "a move may be on its way"
    assert left(it, 169.9)[1] > 0
    assert left(it, 1_000) == (50, 0)
    fallen = it.flag()
    assert (fallen.fallen, fallen.running, fallen.falls_at) == (O, None, None)
    assert left(fallen, 1_000) == (50, 0)


def test_a_player_does_not_lose_time_by_the_way_that_moves_take() -> None:
    it = running(60, 0)
    assert press(it, X, 110, thought=9.7).x == 60 - 9.7
    assert press(it, X, 110, thought=0).x == 60 - (10 - LAG), "not any more than that"
    assert press(it, X, 110, thought=99).x == 50, "nor less than without"
    assert press(it, X, 160.3, thought=59.9).x == pytest.approx(0.1)
    assert it.press(X, 160, thought=60) is None
    assert it.press(X, 160.3) is None
    assert it.press(X, 161, thought=1) is None


def test_a_clock_that_is_stopped_stays_as_it_is() -> None:
    it = running().stop(110)
    assert (it.running, it.fallen) == (None, None)
    assert left(it, 1_000) == (170, 180)
    assert it.stop(2_000) == it


def test_a_move_that_came_in_before_another_costs_nothing() -> None:
    assert left(press(running(), X, 99), 99) == (182, 180)


def test_after_a_pause_both_sides_have_what_they_had_and_some_more() -> None:
    it = press(running(), X, 105)  # at 120 the server goes, and at 9 another machine has it
    again = it.resume(120, 9, 10)
    assert left(again, 9) == (187, 175)
    assert again.falls_at == 184 + LAG


def test_what_is_told_is_what_is_left_now() -> None:
    assert running().to_json(100.12345) == {
        "initial": 180,
        "increment": 2,
        "X": 179.877,
        "O": 180,
        "running": "X",
    }


@given(st.integers(10, 100), st.integers(0, 5), st.lists(st.floats(0, 9), max_size=30))
def test_time_is_neither_lost_nor_made(initial: int, increment: int, thoughts: list[float]) -> None:
    it, now, side = clock(initial, increment), 0.0, X
    used = {X: 0.0, O: 0.0}
    for number, thought in enumerate(thoughts):
        now += thought
        pressed = it.press(side, now)
        if pressed is None:
            assert it.left(side, now) == 0
            return
        it = pressed
        if number > 1:
            used[side] += thought - increment
        side = side.other
    for each in Player:
        assert abs(it.left(each, now) - (initial - used[each])) < 1e-6
    assert Clock.from_row(it.to_row()) == it
