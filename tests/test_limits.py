from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.errors import SizeError
from noughts.limits import GIB, Clock, Limits, human_size, limits_of


def test_without_a_limit_only_the_memory_is_limited() -> None:
    assert Limits() == Limits(seconds=None, nodes=None, memory=4 * GIB, threads=None)


def test_limits_may_be_given_as_a_whole_one_by_one_or_both() -> None:
    assert limits_of(None) == Limits()
    assert limits_of(None, nodes=5, threads=2) == Limits(nodes=5, threads=2)
    whole = Limits(seconds=2.0, nodes=7)
    assert limits_of(whole) == whole
    assert limits_of(whole, nodes=5) == Limits(seconds=2.0, nodes=5)
    with pytest.raises(SizeError, match="nodes must be"):
        limits_of(whole, nodes=0)


@given(st.floats(0, 1e9, exclude_min=True), st.integers(1, 10**9))
def test_both_limits_are_kept(seconds: float, nodes: int) -> None:
    limit = Limits(seconds=seconds, nodes=nodes)
    assert (limit.seconds, limit.nodes) == (seconds, nodes)


@pytest.mark.parametrize(
    "seconds", [0, 0.0, -1, -0.5, math.nan, math.inf, -math.inf, True, False, "1", b"1", [1], 1j]
)
def test_seconds_that_are_no_time(seconds: Any) -> None:
    with pytest.raises(SizeError, match="seconds must be a number above 0"):
        Limits(seconds=seconds)


@pytest.mark.parametrize("nodes", [0, -1, -(10**400), math.nan, math.inf, 1.0, True, "1", [1]])
def test_nodes_that_are_no_number(nodes: Any) -> None:
    with pytest.raises(SizeError, match="nodes must be"):
        Limits(nodes=nodes)


@pytest.mark.parametrize("threads", [0, -1, 65, 1000, 10**400, 1.0, math.nan, True, "1"])
def test_threads_that_cannot_be(threads: Any) -> None:
    with pytest.raises(SizeError, match="threads must be"):
        Limits(threads=threads)


@pytest.mark.parametrize("memory", [0, -1, 1.5, math.inf, True, "4GiB", None])
def test_memory_that_cannot_be(memory: Any) -> None:
    with pytest.raises(SizeError, match="memory must be"):
        Limits(memory=memory)


@pytest.mark.parametrize("limit", [{"nodes": 1 << 63}, {"nodes": 10**30}, {"seconds": 10**400}])
def test_limits_that_no_search_can_count(limit: dict[str, Any]) -> None:
    with pytest.raises(SizeError):
        Limits(**limit)


def test_what_is_refused_is_quoted_briefly() -> None:
    with pytest.raises(SizeError) as caught:
        Limits(seconds="x" * 1000)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 120


def test_a_clock_ends_once_its_time_is_over() -> None:
    endless, soon = Clock(None), Clock(1e-9)
    while soon.elapsed < 1e-6:
        pass
    assert (endless.left, endless.is_over) == (math.inf, False)
    assert (soon.left, soon.is_over) == (0.0, True)
    assert soon.within(60.0).is_over, "a part does not last longer than the whole"
    assert 0 < Clock(60.0).within(5.0).left <= 5.0
    assert 0 < endless.within(5.0).left <= 5.0


def test_sizes_are_said_in_the_unit_that_suits_them() -> None:
    sizes = {0: "0 bytes", 1023: "1023 bytes", 1024: "1.0 KiB", 3 << 20: "3.0 MiB"}
    sizes |= {GIB: "1.0 GiB", 5000 * GIB: "5000.0 GiB"}
    assert {size: human_size(size) for size in sizes} == sizes
