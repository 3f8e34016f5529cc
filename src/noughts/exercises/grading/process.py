"""The child process of a solution, as its parent sees it: questions in, answers or a fault out.

It has limits of memory, time and output, and what it starts ends with it.

The parent waits for the pipes and the clock only, never for the end of a pipe alone: a process
that the solution started may keep one open.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from noughts.errors import NoughtsError
from noughts.exercises.grading import child
from noughts.exercises.grading.exercise import one_line
from noughts.exercises.grading.finding import Solution
from noughts.exercises.grading.starting import start
from noughts.limits import human_size

__all__ = ["MOST_OUTPUT", "Allowance", "Fault", "SolutionProcess"]

MOST_OUTPUT = 16 << 20
"""Bytes that a solution may print; they are read and dropped."""

MOST_ANSWER = 32 << 20
"""Bytes in one answer at most; the list of all games of 3x3 takes 7 MB."""

CALLS = 10
"""All calls together may take this many times the time of one call."""

_DISTURBED = "disturbed the process in which it runs"
_AHEAD = 1 << 16  # bytes of questions that are sent before their turn
_CHUNK = 1 << 16
_POLL = 0.1  # seconds between looks at whether the process is still there
_START = 60.0  # seconds that the interpreter may take to start


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a solution may use: seconds for one call, and bytes of memory."""

    seconds: float
    memory: int


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong other than by a wrong result: a name, and what happened."""

    name: str
    text: str


class SolutionProcess:
    """A running solution."""

    def __init__(self, solution: Solution, allowance: Allowance) -> None:
        if os.name != "posix":
            raise NoughtsError("solutions can be graded on Linux and macOS only")
        self._allowance = allowance
        questions, self._questions = os.pipe()
        self._answers, answers = os.pipe()
        self._output, output = os.pipe()
        try:
            self._process = start(solution, questions, answers, output)
        finally:
            for pipe in (questions, answers, output):
                os.close(pipe)
        self.printed = 0
        self._inbox = bytearray()
        self._outbox = bytearray()
        self._selector = selectors.DefaultSelector()
        for pipe in (self._questions, self._answers, self._output):
            os.set_blocking(pipe, False)
        for pipe in (self._answers, self._output):
            self._selector.register(pipe, selectors.EVENT_READ)
        self._is_writing = False
        setup = {
            "target": solution.target,
            "path": solution.path,
            "source": solution.source,
            "memory": allowance.memory,
            "cpu": int(CALLS * allowance.seconds) + 60,
        }
        self._outbox += json.dumps(setup).encode() + b"\n"
        self._total = _START
        self._end = time.monotonic() + _START
        try:
            started = self._answer(self._end, _START)
        except BaseException:  # Ctrl-C
            self.close()
            raise
        self._problem = started if isinstance(started, Fault) else None
        self._total = CALLS * allowance.seconds
        self._end = time.monotonic() + self._total

    def __enter__(self) -> SolutionProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def form(self) -> dict[str, Any] | Fault:
        """Return what the solution takes, once it is loaded, or the fault of loading it."""
        answer = self._problem or self._next()
        if isinstance(answer, Fault):
            return answer
        takes = answer.get("takes")
        if not isinstance(takes, list) or not all(type(count) is int for count in takes):
            return Fault("process", _DISTURBED)  # the solution wrote this
        return {"takes": tuple(takes), "k": answer.get("k") is True}

    def ask(
        self, questions: Iterable[dict[str, Any]], seconds: float | None = None
    ) -> Iterator[Any]:
        """Yield the result of each question in turn; the first `Fault` is the last result.

        Each answer has `seconds`, by default the time of one call.
        """
        waiting = iter(questions)
        asked = answered = 0
        while True:
            while len(self._outbox) < _AHEAD and (question := next(waiting, None)) is not None:
                self._outbox += json.dumps(question).encode() + b"\n"
                asked += 1
            if asked == answered:
                return
            answer = self._next(seconds)
            answered += 1
            yield answer if isinstance(answer, Fault) else answer.get("value")
            if isinstance(answer, Fault):
                return

    def close(self) -> None:
        """End the process and what it started."""
        self._process.end()
        self._selector.close()
        for pipe in (self._questions, self._answers, self._output):
            with suppress(OSError):
                os.close(pipe)

    # -- answers -------------------------------------------------------------------------

    def _next(self, seconds: float | None = None) -> dict[str, Any] | Fault:
        """Return the next answer, within the time of one call and of all calls."""
        seconds = seconds or self._allowance.seconds
        answer = self._answer(min(time.monotonic() + seconds, self._end), seconds)
        return answer if isinstance(answer, Fault) else _read(answer, self._allowance)

    def _answer(self, end: float, seconds: float) -> dict[str, Any] | Fault:
        has_ended = False
        while True:
            line = self._line()
            if line is not None:
                return line
            if self.printed > MOST_OUTPUT:
                return Fault("output", f"printed more than {human_size(MOST_OUTPUT)}")
            if has_ended:
                return self._how_it_ended()
            has_ended = self._process.poll() is not None  # it may have answered before its end
            left = end - time.monotonic()
            if left <= 0:
                self._pump(0)
                return self._line() or self._too_late(seconds)
            self._pump(0 if has_ended else min(left, _POLL))

    def _too_late(self, seconds: float) -> Fault:
        if time.monotonic() >= self._end:
            return Fault("total time", f"all calls together took more than {self._total:g} s")
        return Fault("time", f"no answer within {seconds:g} s")

    def _line(self) -> dict[str, Any] | Fault | None:
        """Take the next line that was read, if there is one."""
        end = self._inbox.find(b"\n")
        if end < 0 and len(self._inbox) <= MOST_ANSWER:
            return None
        line = bytes(self._inbox[:end])
        del self._inbox[: end + 1]
        with suppress(ValueError, RecursionError):
            answer = json.loads(line)
            if isinstance(answer, dict):
                return answer
        return Fault("process", _DISTURBED)

    def _how_it_ended(self) -> Fault:
        code = self._process.poll()
        assert code is not None
        if code == child.DISTURBED:
            return Fault("process", _DISTURBED)
        if code == -signal.SIGXCPU:
            return Fault("total time", "used more processor time than allowed")
        if code < 0:
            with suppress(ValueError):
                return Fault("signal", f"its process was ended by {signal.Signals(-code).name}")
            return Fault("signal", f"its process was ended by signal {-code}")
        return Fault("exit", f"ended its process without an answer, with exit code {code}")

    # -- pipes ---------------------------------------------------------------------------

    def _pump(self, seconds: float) -> bool:
        """Read and write what the pipes allow, after waiting up to `seconds` for it."""
        if bool(self._outbox) != self._is_writing:
            self._is_writing = not self._is_writing
            if self._is_writing:
                self._selector.register(self._questions, selectors.EVENT_WRITE)
            else:
                self._selector.unregister(self._questions)
        if not self._selector.get_map():
            time.sleep(seconds)  # it closed all of its pipes, and may still run
            return False
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.fd == self._questions:
                self._write()
                continue
            data = os.read(key.fd, _CHUNK)
            if not data:
                self._selector.unregister(key.fd)
            elif key.fd == self._answers:
                self._inbox += data
            else:
                self.printed += len(data)
        return bool(ready)

    def _write(self) -> None:
        try:
            del self._outbox[: os.write(self._questions, self._outbox[:_CHUNK])]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # it does not read any more; its answers may still count
            self._outbox.clear()


def _read(answer: dict[str, Any], allowance: Allowance) -> dict[str, Any] | Fault:
    """Return an answer that has a result, or the fault that it describes."""
    if "changed" in answer:
        return Fault("mutation", "changed its argument")
    if "missing" in answer:
        raise NoughtsError(f"{answer['missing']} is not a function, class or method")
    if "raised" not in answer:
        return answer
    name, text = (one_line(str(answer.get(key))) for key in ("raised", "text"))
    where = f" (line {answer['line']})" if isinstance(answer.get("line"), int) else ""
    if name == "MemoryError":
        return Fault("memory", f"needed more than {human_size(allowance.memory)} of memory{where}")
    if name == "SystemExit":
        return Fault("exit", f"called sys.exit{where}")
    if name == "RecursionError":
        return Fault("recursion", f"raised RecursionError: {text}{where}")
    return Fault("exception", f"raised {name}{f': {text}' if text else ''}{where}")
