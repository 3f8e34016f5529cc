"""Memory that threads do not share by accident, and words through which they do on purpose."""

from __future__ import annotations

from threading import Thread
from typing import Any

import pytest

from noughts.kernels import CACHE_LINE, NDArray, kernel, load_word, np, room_apart, store_word

MESSAGES, SIZE = 20_000, 50


@pytest.mark.parametrize(("shape", "dtype"), [((1,), np.uint64), ((3, 5), np.int16), ((0,), "i4")])
def test_room_apart_is_alone_in_its_lines(shape: tuple[int, ...], dtype: Any) -> None:
    rooms = [room_apart(shape, dtype) for _ in range(50)]
    for room in rooms:
        assert (room.shape, room.dtype) == (shape, np.dtype(dtype))
        assert not room.any()
        assert room.flags.c_contiguous
    begins = sorted(room.ctypes.data for room in rooms if room.size)
    assert all(begin % (2 * CACHE_LINE) == 0 for begin in begins)
    assert len(set(begins)) == len(begins)
    assert all(room.nbytes <= 2 * CACHE_LINE for room in rooms)  # so none reaches the next one


@kernel
def send(turns: NDArray[np.int64], letter: NDArray[np.int64]) -> None:
    for message in range(1, MESSAGES + 1):
        for i in range(SIZE):
            letter[i] = message + i
        store_word(turns, 0, message)
        while load_word(turns, 8) != message:
            pass


@kernel
def receive(turns: NDArray[np.int64], letter: NDArray[np.int64]) -> int:
    errors = 0
    for message in range(1, MESSAGES + 1):
        while load_word(turns, 0) != message:
            pass
        for i in range(SIZE):
            errors += letter[i] != message + i
        store_word(turns, 8, message)
    return errors


def test_who_loads_a_word_sees_what_was_written_before() -> None:
    turns, letter = room_apart((16,), np.int64), room_apart((SIZE,), np.int64)
    errors: list[int] = []
    threads = [
        Thread(target=send, args=(turns, letter), daemon=True),
        Thread(target=lambda: errors.append(receive(turns, letter)), daemon=True),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert errors == [0]
