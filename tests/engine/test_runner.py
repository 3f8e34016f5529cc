"""The clock over searches; how exact it is is not asserted, only that it is heard."""

from __future__ import annotations

import math
import time
from threading import Event, Timer, get_ident

import pytest

from noughts.engine.limit import Limit
from noughts.engine.runner import Watch

LONG = 20.0  # far longer than anything here takes when all is well


class Sleeper:
    """A search that does nothing until it is told to give up."""

    def __init__(self) -> None:
        self.ended = Event()
        self.ends = 0
        self.thread = 0

    def __call__(self) -> None:
        self.thread = get_ident()
        assert self.ended.wait(LONG)

    def end(self) -> None:
        self.ends += 1
        self.ended.set()


def test_the_time_ends_a_search() -> None:
    sleeper = Sleeper()
    watch = Watch(Limit(seconds=0.05), Event())
    watch.over([sleeper], sleeper.end)
    assert 0.02 <= watch.seconds < LONG
    assert watch.left <= 0
    assert sleeper.ends == 1
    assert sleeper.thread != get_ident()


def test_a_share_of_the_time() -> None:
    sleeper = Sleeper()
    watch = Watch(Limit(seconds=2 * LONG), Event())
    watch.over([sleeper], sleeper.end, share=0.001)
    assert watch.left > LONG


def test_a_wish_for_an_end() -> None:
    sleeper, stop = Sleeper(), Event()
    watch = Watch(Limit(nodes=1), stop)
    assert watch.left == math.inf
    timer = Timer(0.02, stop.set)
    timer.start()
    watch.over([sleeper], sleeper.end)
    timer.join()
    assert watch.left == 0.0
    assert sleeper.ends == 1
    watch.over([sleeper], sleeper.end)  # the next search is not begun in earnest
    assert sleeper.ends == 2


def test_a_leader_ends_the_others() -> None:
    sleeper = Sleeper()
    Watch(Limit(nodes=1), Event()).over([lambda: None, sleeper], sleeper.end, led=True)
    assert sleeper.ends == 1


def test_all_searches_are_run() -> None:
    done: list[int] = []
    watch = Watch(Limit(nodes=1), Event())
    watch.over([lambda: time.sleep(0.05), *(lambda: done.append(1) for _ in range(3))], done.sort)
    assert done == [1, 1, 1]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_in_a_search_is_heard(failing: int) -> None:
    def fail() -> None:
        raise ZeroDivisionError("oh")

    sleeper = Sleeper()
    searches = [sleeper, sleeper]
    with pytest.raises(ZeroDivisionError, match="oh"):
        Watch(Limit(seconds=0.05), Event()).over(
            [fail if i == failing else search for i, search in enumerate(searches)], sleeper.end
        )
    assert sleeper.ends == 1


def test_a_listener_hears_of_long_searches_only() -> None:
    heard: list[float] = []
    for seconds in (0.01, 0.7):
        sleeper = Sleeper()
        watch = Watch(Limit(seconds=seconds), Event())
        watch.over([sleeper], sleeper.end, lambda watch=watch: heard.append(watch.seconds))  # type: ignore[misc]
    assert heard
    assert all(0.2 < seconds < LONG for seconds in heard)


def test_a_listener_that_fails_ends_the_search() -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    sleeper = Sleeper()
    with pytest.raises(KeyboardInterrupt):
        Watch(Limit(seconds=LONG), Event()).over([sleeper], sleeper.end, fail)
    assert sleeper.ends == 1
