"""Searches in threads: limits, cancelling, errors and progress.

No test asserts how exact the clock is.
"""

from __future__ import annotations

import math
import time
from threading import Event, Timer, get_ident

import pytest

from noughts.engine.supervisor import Supervisor
from noughts.limits import Limits

LONG = 20.0  # far longer than anything here takes when all is well


class Sleeper:
    """A search that does nothing until it is stopped."""

    def __init__(self) -> None:
        self.stopped = Event()
        self.stops = 0
        self.thread = 0

    def __call__(self) -> None:
        self.thread = get_ident()
        assert self.stopped.wait(LONG)

    def stop(self) -> None:
        self.stops += 1
        self.stopped.set()


def test_the_time_ends_a_search() -> None:
    sleeper = Sleeper()
    supervisor = Supervisor(Limits(seconds=0.05), Event())
    supervisor.run([sleeper], sleeper.stop)
    assert 0.02 <= supervisor.seconds < LONG
    assert supervisor.left <= 0
    assert sleeper.stops == 1
    assert sleeper.thread != get_ident()


def test_a_share_of_the_time() -> None:
    sleeper = Sleeper()
    supervisor = Supervisor(Limits(seconds=2 * LONG), Event())
    supervisor.run([sleeper], sleeper.stop, share=0.001)
    assert supervisor.left > LONG


def test_cancelling() -> None:
    sleeper, cancelled = Sleeper(), Event()
    supervisor = Supervisor(Limits(nodes=1), cancelled)
    assert supervisor.left == math.inf
    timer = Timer(0.02, cancelled.set)
    timer.start()
    supervisor.run([sleeper], sleeper.stop)
    timer.join()
    assert supervisor.left == 0.0
    assert sleeper.stops == 1
    supervisor.run([sleeper], sleeper.stop)  # and a later search ends at once
    assert sleeper.stops == 2


def test_when_the_leader_is_done_the_others_are_stopped() -> None:
    sleeper = Sleeper()
    Supervisor(Limits(nodes=1), Event()).run([lambda: None, sleeper], sleeper.stop, led=True)
    assert sleeper.stops == 1


def test_all_searches_are_run() -> None:
    done: list[int] = []
    supervisor = Supervisor(Limits(nodes=1), Event())
    supervisor.run(
        [lambda: time.sleep(0.05), *(lambda: done.append(1) for _ in range(3))], done.sort
    )
    assert done == [1, 1, 1]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_in_a_search_is_raised(failing: int) -> None:
    def fail() -> None:
        raise ZeroDivisionError("oh")

    sleeper = Sleeper()
    searches = [sleeper, sleeper]
    with pytest.raises(ZeroDivisionError, match="oh"):
        Supervisor(Limits(seconds=0.05), Event()).run(
            [fail if i == failing else search for i, search in enumerate(searches)], sleeper.stop
        )
    assert sleeper.stops == 1


def test_only_long_searches_report_progress() -> None:
    reported: list[float] = []
    for seconds in (0.01, 0.7):
        sleeper = Sleeper()
        supervisor = Supervisor(Limits(seconds=seconds), Event())

        def report(supervisor: Supervisor = supervisor) -> None:
            reported.append(supervisor.seconds)

        supervisor.run([sleeper], sleeper.stop, report)
    assert reported
    assert all(0.2 < seconds < LONG for seconds in reported)


def test_an_error_in_on_progress_stops_the_search() -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    sleeper = Sleeper()
    with pytest.raises(KeyboardInterrupt):
        Supervisor(Limits(seconds=LONG), Event()).run([sleeper], sleeper.stop, fail)
    assert sleeper.stops == 1


@pytest.mark.parametrize(("nodes", "shares"), [(1, [1, 0]), (5, [3, 2]), (8, [4, 4])])
def test_threads_share_the_nodes(nodes: int, shares: list[int]) -> None:
    assert Supervisor(Limits(nodes=nodes), Event()).node_limits(2) == shares
