"""The clock as a value: what runs when, what a move costs and adds, and when a flag falls."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from noughts.rules.player import Player
from noughts.web.rooms.clock import Clock, TimeControl

X, O = Player  # noqa: E741 - the side's own name


def clock(initial: int = 180, increment: int = 2) -> Clock:
    return Clock.of(TimeControl(initial, increment))


def running(initial: int = 180, increment: int = 2) -> Clock:
    """Return a clock after both first moves, at time 100; X is to move."""
    return clock(initial, increment).press(X, 50).press(O, 100)


def left(it: Clock, now: float) -> tuple[float, float]:
    return it.left(X, now), it.left(O, now)


def test_no_time_runs_until_both_sides_have_moved() -> None:
    it = clock()
    assert (it.running, it.falls_at) == (None, None)
    it = it.press(X, 1_000)
    assert left(it, 5_000) == (180, 180)
    it = it.press(O, 5_000)
    assert left(it, 5_000) == (180, 180), "and the first moves add nothing"
    assert it.running is X
    assert left(it, 5_010) == (170, 180)


def test_o_may_be_the_first_to_move() -> None:
    it = clock().press(O, 0).press(X, 10)
    assert (it.running, it.falls_at) == (O, 190)


def test_a_move_costs_its_time_and_adds_the_increment() -> None:
    it = running().press(X, 107.5)
    assert left(it, 107.5) == (174.5, 180)
    it = it.press(O, 108)
    assert left(it, 108) == (174.5, 181.5), "more than in the beginning"


def test_a_flag_falls_when_the_time_is_over_and_not_before() -> None:
    it = running(60, 0).press(X, 110)
    assert it.falls_at == 170
    assert left(it, 169.9)[1] > 0
    assert left(it, 1_000) == (50, 0)
    fallen = it.flag()
    assert (fallen.fallen, fallen.running, fallen.falls_at) == (O, None, None)
    assert left(fallen, 1_000) == (50, 0)


def test_a_clock_that_is_stopped_stays_as_it_is() -> None:
    it = running().stop(110)
    assert (it.running, it.fallen) == (None, None)
    assert left(it, 1_000) == (170, 180)
    assert it.stop(2_000) == it


def test_a_move_that_came_in_before_another_costs_nothing() -> None:
    assert left(running().press(X, 99), 99) == (182, 180)


def test_after_a_pause_both_sides_have_what_they_had_and_some_more() -> None:
    it = running().press(X, 105)  # at 120 the server goes, and at 9 another machine has it
    again = it.resume(120, 9, 10)
    assert left(again, 9) == (187, 175)
    assert again.falls_at == 184


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
        if it.falls_at is not None and now >= it.falls_at:
            return
        it = it.press(side, now)
        if number > 1:
            used[side] += thought - increment
        side = side.other
    for each in Player:
        assert abs(it.left(each, now) - (initial - used[each])) < 1e-6
    assert Clock.from_row(it.to_row()) == it
