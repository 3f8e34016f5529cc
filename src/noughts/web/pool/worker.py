"""A worker process: it runs one task at a time and talks to the server in lines of JSON.

::

    server                                            worker
                                                      {"compiling": true}
                                                      {"ready": true}
    {"task": 7, "name": "analyse", "request": {}}     {"task": 7, "progress": {}}
                                                      {"task": 7, "result": {}}
    {"stop": 7}                                       {"task": 7, "stopped": true}

The first line comes only if compiled code has to be compiled before the worker is ready. Instead of
a result there may be an error. The main thread runs the tasks and a second thread reads
the messages. A stop interrupts the main thread like Ctrl-C, which all of the library can take at
any time. When the server has gone, its end of the pipe is closed, and the worker ends at once.
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

from noughts.counting.line_free import NeedsCompiled
from noughts.errors import LimitExceeded, NoughtsError
from noughts.web.errors import NEEDS_COMPILED, ApiError, api_error, code_of
from noughts.web.pool.tasks import TASKS, Context, load_engine, warm_up

__all__ = ["Worker", "main"]

_NICE = 10  # the server itself goes first
_REPORT_SECONDS = 0.2  # between two reports of progress at least


class Stopped(KeyboardInterrupt):
    """The task was stopped."""


class Worker:
    """Reads tasks from one stream and writes results to another, until the first one ends."""

    def __init__(self, inbox: BinaryIO, outbox: BinaryIO, memory: int, kind: str) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._memory = memory
        self._kind = kind
        self._waiting: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._current: int | None = None  # the task that may be interrupted
        self._to_stop: int | None = None  # the task that was last to be stopped
        self._is_writing = False
        self._last_report = 0.0
        self._thread = threading.get_ident()

    def run(self) -> None:
        """Run tasks for ever; the reading thread ends the process."""
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._read, daemon=True).start()
        os.nice(_NICE)
        if self._kind == "warm":
            warm_up(lambda: self._write({"compiling": True}))
        elif self._kind == "uncompiled":
            load_engine()
        _limit_memory(self._memory)
        self._write({"ready": True})
        while True:
            message = self._waiting.get()
            number = message["task"]
            try:
                with self._interruptible(number):
                    answer = self._run(message)
            except Stopped:
                answer = {"stopped": True}
            self._write({"task": number, **answer})
            gc.collect()  # a search takes a gigabyte, which must be free for the next one

    def _run(self, message: dict[str, Any]) -> dict[str, Any]:
        context = Context(self._memory, lambda data: self._report(message["task"], data))
        try:
            return {"result": TASKS[message["name"]](message["request"], context)}
        except ApiError as error:
            return {"error": error.to_fields()}
        except NeedsCompiled:
            return {"error": ApiError(503, NEEDS_COMPILED).to_fields()}
        except NoughtsError as error:
            return {"error": _fields_of(error)}
        except MemoryError:
            return {"error": _fields_of(LimitExceeded("this needs more memory than allowed"))}

    def _report(self, number: int, data: dict[str, Any]) -> None:
        now = time.monotonic()
        if now - self._last_report >= _REPORT_SECONDS:
            self._last_report = now
            self._write({"task": number, "progress": data})

    def _write(self, message: dict[str, Any]) -> None:
        """Write a line; a stop waits until it is written."""
        line = json.dumps(message).encode() + b"\n"
        self._is_writing = True
        self._outbox.write(line)
        self._outbox.flush()
        self._is_writing = False
        self._interrupt()

    # -- stopping ------------------------------------------------------------------------

    def _read(self) -> None:
        """Read messages; runs in a thread of its own."""
        for line in self._inbox:
            message = json.loads(line)
            if "stop" in message:
                self._to_stop = message["stop"]
                signal.pthread_kill(self._thread, signal.SIGINT)
            else:
                self._waiting.put(message)
        os._exit(0)  # the server has gone, so nothing reads the result of the main thread

    @contextmanager
    def _interruptible(self, number: int) -> Iterator[None]:
        try:
            self._current = number
            self._interrupt()
            yield
        finally:
            self._current = None

    def _interrupt(self, signal_number: int = 0, frame: FrameType | None = None) -> None:
        """Interrupt the current task, once, if it is the one to stop."""
        if self._current is not None and self._current == self._to_stop and not self._is_writing:
            self._current = None
            raise Stopped


def main(memory: int, kind: str) -> None:
    """Run a worker on stdin and stdout; its tasks may use this many bytes of memory.

    A worker of the kind `warm` loads all compiled code before it is ready, an `uncompiled` one what
    it needs of the engine, and any other nothing.
    """
    outbox = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a task prints is not a message
    with suppress(BrokenPipeError):  # the server has gone
        Worker(sys.stdin.buffer, outbox, memory, kind).run()


def _fields_of(error: NoughtsError) -> dict[str, Any]:
    if code_of(error) is None:
        return {"status": 500, "message": str(error)}  # for the server's log
    return api_error(error, "game").to_fields()


def _limit_memory(memory: int) -> None:
    """Limit the memory that this process may take from now on, where the system supports it."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        with open("/proc/self/statm", encoding="ascii") as pages:
            data = int(pages.read().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (data + memory, most))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
