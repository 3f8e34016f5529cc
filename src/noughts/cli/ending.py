"""Ending a command that has started processes: they end with it, whatever signal ends it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["ended_like_ctrl_c"]


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """End what is done here on SIGTERM, and when the terminal closes, as on Ctrl-C."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can handle signals
        return
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [(name, signal.signal(getattr(signal, name), interrupt)) for name in names]
    try:
        yield
    finally:
        for name, handler in before:
            signal.signal(getattr(signal, name), handler)
