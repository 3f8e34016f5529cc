"""Numbers of any length are written in decimal, and the process-wide limit on digits stays."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import getcontext
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.counting.results import GameCounts, digits


@given(st.integers(0, 10**12) | st.integers(2**1990, 2**2010) | st.integers(2**5000, 2**9000))
def test_short_numbers_are_written_as_python_writes_them(number: int) -> None:
    for grouping in ("", ","):
        assert digits(number, grouping) == format(number, grouping)
        assert digits(-number, grouping) == format(-number, grouping)


@pytest.mark.parametrize("length", [5_000, 33_333, 200_000])
def test_long_numbers(length: int) -> None:
    sevens = (10**length - 1) // 9 * 7
    assert digits(sevens) == "7" * length
    assert digits(10**length) == "1" + "0" * length
    assert digits(10**length, ",").replace(",", "") == digits(10**length)
    assert digits(10**length, ",").split(",")[1:] == ["000"] * (length // 3)


def test_the_limit_on_digits_is_never_touched() -> None:
    """Other threads rely on it, at every moment."""
    limit, precision = sys.get_int_max_str_digits(), getcontext().prec
    seen: set[int] = set()
    done = Event()

    def watch() -> None:
        while not done.is_set():
            seen.add(sys.get_int_max_str_digits())

    watcher = Thread(target=watch)
    watcher.start()
    try:
        counts = GameCounts(10**30_000, 0, 0, {1: 10**30_000})
        with ThreadPoolExecutor(4) as threads:
            written = [threads.submit(counts.to_json) for _ in range(20)]
        assert {str(each.result()["total"]) for each in written} == {"1" + "0" * 30_000}
    finally:
        done.set()
        watcher.join()
    assert seen == {limit} == {sys.get_int_max_str_digits()}
    assert getcontext().prec == precision


def test_a_lower_limit_does_not_matter() -> None:
    limit = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(640)  # the lowest that Python allows
        assert digits(10**700) == "1" + "0" * 700
        assert digits(10**600) == "1" + "0" * 600
    finally:
        sys.set_int_max_str_digits(limit)
