"""Signals that end a command: it cleans up first, whatever signal it is."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["ended_like_ctrl_c"]


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """End what is done here on SIGTERM, and when the terminal closes, as on Ctrl-C.

    A signal that the caller ignores, as SIGHUP below ``nohup``, stays ignored.
    """

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can handle signals
        return
    numbers = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
    handled = [each for each in numbers if each and signal.getsignal(each) == signal.SIG_DFL]
    for number in handled:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
