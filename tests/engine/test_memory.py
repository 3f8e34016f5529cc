"""What searches remember, against a dictionary that forgets nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.engine.memory import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NO_MOVE,
    NOTHING,
    Hash,
    Memory,
    new_memory,
    recall,
    remember,
)

UNKNOWN = (NOTHING, 0, 0, NO_MOVE)


def key_of(place: int, check: int) -> Hash:
    return np.array([place, check], np.int64)


facts = st.tuples(
    st.sampled_from([AT_LEAST, AT_MOST, EXACT]),
    st.integers(-(2**15), 2**15 - 1),
    st.integers(0, 2**16 - 1),
    st.integers(NO_MOVE, 1024),
)
keys = st.tuples(st.integers(0, 40), st.integers(-(2**63), 2**63 - 1))


@given(st.lists(st.tuples(keys, facts), max_size=40))
def test_nothing_is_remembered_that_was_not_said(
    said: list[tuple[tuple[int, int], tuple[int, int, int, int]]],
) -> None:
    memory, truth = new_memory(8), {}
    for (place, check), fact in said:
        remember(memory, key_of(place, check), *fact)
        assert recall(memory, key_of(place, check)) == fact, "the newest is there"
        truth[place, check] = fact
    for (place, check), fact in truth.items():
        assert recall(memory, key_of(place, check)) in (fact, UNKNOWN)


def test_the_deeper_of_two_stays() -> None:
    memory = new_memory(8)
    remember(memory, key_of(2, 11), EXACT, 5, 100, 7)
    for other in range(20, 30):
        remember(memory, key_of(2, other), EXACT, 6, 3, 8)
    assert recall(memory, key_of(2, 11)) == (EXACT, 5, 100, 7)
    assert recall(memory, key_of(2, 29)) == (EXACT, 6, 3, 8)
    assert recall(memory, key_of(2, 28)) == UNKNOWN


def test_half_an_entry_is_not_believed() -> None:
    """As another thread may have written the other half."""
    memory: Memory = new_memory(8)
    remember(memory, key_of(2, 11), EXACT, 5, 100, 7)
    memory[2, 1] ^= 1
    assert recall(memory, key_of(2, 11)) == UNKNOWN


@pytest.mark.parametrize("slots", [2, 8, 1 << 12])
def test_two_slots_are_in_one_line_of_the_cache(slots: int) -> None:
    assert new_memory(slots).ctypes.data % 64 == 0
