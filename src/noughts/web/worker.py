"""A process that thinks, one question at a time; the server talks to it in lines of JSON.

::

    server                                          worker
                                                    {"ready": true}
    {"job": 7, "ask": "analyse", "question": {}}    {"job": 7, "progress": {}}
                                                    {"job": 7, "result": {}}
    {"stop": 7}                                     {"job": 7, "stopped": true}

An answer may also be an error with its code and message. The first thread works and a second
one listens. A wish to stop reaches the work like Ctrl-C, which all of the library can take at any
time. When the server is gone, so is its end of the line, and the worker ends at once.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from types import FrameType
from typing import Any, BinaryIO

from noughts.errors import NoughtsError
from noughts.web.codes import code_of
from noughts.web.jobs import JOBS, Desk, warm_up

__all__ = ["Worker", "main"]

_NICE = 10  # whoever asks for a verdict goes first
_PAUSE = 0.2  # seconds between two reports at least


class Stopped(KeyboardInterrupt):
    """Nobody wants the answer any more."""


class Worker:
    """Reads questions from one stream and writes answers to the other, until the first ends."""

    def __init__(
        self, questions: BinaryIO, answers: BinaryIO, memory: int, *, is_warm: bool
    ) -> None:
        self._questions = questions
        self._answers = answers
        self._memory = memory
        self._is_warm = is_warm
        self._waiting: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._current: int | None = None  # the job that may be interrupted
        self._unwanted: int | None = None  # the job that was last to be stopped
        self._is_writing = False
        self._last_report = 0.0
        self._thread = threading.get_ident()

    def run(self) -> None:
        """Work for ever; the listener ends the process."""
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._listen, daemon=True).start()
        if self._is_warm:
            warm_up()
        os.nice(_NICE)
        _allow(self._memory)
        self._write({"ready": True})
        while True:
            order = self._waiting.get()
            number = order["job"]
            try:
                with self._interruptible(number):
                    answer = self._work(order)
            except Stopped:
                answer = {"stopped": True}
            self._write({"job": number, **answer})
            gc.collect()  # a search takes a gigabyte, which must be free for the next one

    def _work(self, order: dict[str, Any]) -> dict[str, Any]:
        desk = Desk(self._memory, lambda data: self._report(order["job"], data))
        try:
            return {"result": JOBS[order["ask"]](order["question"], desk)}
        except NoughtsError as error:
            return {"error": {"code": code_of(error), "message": str(error)}}
        except MemoryError:
            return {"error": {"code": "limit", "message": "this needs more memory than allowed"}}

    def _report(self, number: int, data: dict[str, Any]) -> None:
        now = time.monotonic()
        if now - self._last_report >= _PAUSE:
            self._last_report = now
            self._write({"job": number, "progress": data})

    def _write(self, message: dict[str, Any]) -> None:
        """Write a line; it is never left half-written."""
        line = json.dumps(message).encode() + b"\n"
        self._is_writing = True
        self._answers.write(line)
        self._answers.flush()
        self._is_writing = False
        self._interrupt()

    # -- stopping ------------------------------------------------------------------------

    def _listen(self) -> None:
        """Take orders; runs in a thread of its own."""
        for line in self._questions:
            order = json.loads(line)
            if "stop" in order:
                self._unwanted = order["stop"]
                signal.pthread_kill(self._thread, signal.SIGINT)
            else:
                self._waiting.put(order)
        os._exit(0)  # whatever the other thread does, nobody is waiting for it

    @contextmanager
    def _interruptible(self, number: int) -> Iterator[None]:
        try:
            self._current = number
            self._interrupt()
            yield
        finally:
            self._current = None

    def _interrupt(self, signal_number: int = 0, frame: FrameType | None = None) -> None:
        """End the job at hand, if it is the one that is not wanted; once."""
        if self._current is not None and self._current == self._unwanted and not self._is_writing:
            self._current = None
            raise Stopped


def main(memory: int, *, is_warm: bool) -> None:
    """Be a worker on stdin and stdout, whose questions may use so many bytes.

    A warm one loads all compiled code before it is ready, so that no question pays for that.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what anybody prints is no answer
    with suppress(BrokenPipeError):  # nobody is there any more
        Worker(sys.stdin.buffer, answers, memory, is_warm=is_warm).run()


def _allow(memory: int) -> None:
    """Let this process have so much more memory than it has now, where the system can see to it."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        with open("/proc/self/statm", encoding="ascii") as pages:
            data = int(pages.read().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (data + memory, most))


if __name__ == "__main__":
    main(int(sys.argv[1]), is_warm=sys.argv[2] == "warm")
