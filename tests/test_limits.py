from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.errors import SizeError
from noughts.limits import Limits


def test_a_second_is_what_one_gets_without_asking() -> None:
    assert Limits() == Limits(seconds=1.0, nodes=None, threads=1)
    assert Limits(threads=2).seconds == 1.0


def test_nodes_alone_have_no_clock() -> None:
    assert Limits(nodes=5).seconds is None


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


@pytest.mark.parametrize("threads", [0, -1, 65, 1000, 10**400, 1.0, math.nan, True, "1", None])
def test_threads_that_cannot_be(threads: Any) -> None:
    with pytest.raises(SizeError, match="threads must be"):
        Limits(threads=threads)


@pytest.mark.parametrize("limit", [{"nodes": 1 << 63}, {"nodes": 10**30}, {"seconds": 10**400}])
def test_limits_that_no_search_can_count(limit: dict[str, Any]) -> None:
    with pytest.raises(SizeError):
        Limits(**limit)


def test_what_is_refused_is_quoted_briefly() -> None:
    with pytest.raises(SizeError) as caught:
        Limits(seconds="x" * 1000)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 120
