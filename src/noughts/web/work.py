"""Workers for everything that thinks or counts, so that the server itself never waits for it.

A worker is a process (`noughts.web.worker`) that takes one question at a time. A question that
finds all of them busy waits a little and is then refused; one that nobody wants any more is asked
to stop, and its worker is killed if it does not obey. Whatever dies is replaced when needed.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count
from typing import Any, Literal

from noughts.web.problems import Problem
from noughts.web.settings import Settings

__all__ = ["Event", "Job", "Pool"]

Event = tuple[Literal["progress", "result"], dict[str, Any]]

COMMAND = (sys.executable, "-P", "-m", "noughts.web.worker")
"""What runs as a worker."""

_OBEDIENCE = 1.0  # seconds to stop in, before it is done by force
_RETRY = {"Retry-After": "2"}
_NOT_YET = "the engine is getting ready; the first time this takes some minutes"
_MOST_LINE = 1 << 26  # bytes in an answer; the largest are some megabytes

_log = logging.getLogger("noughts.web")


class Job:
    """A question under way: iterate over it for its progress and its result."""

    def __init__(self, number: int, worker: _Worker) -> None:
        self._number = number
        self._worker = worker
        self._news: asyncio.Queue[Event | Problem] = asyncio.Queue()
        self._is_over = False
        self._force: asyncio.TimerHandle | None = None
        self._reason: Problem | None = None  # why it was stopped

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Yield what is known so far, as it comes, and then the result; or raise a problem."""
        while True:
            news = await self._news.get()
            if isinstance(news, Problem):
                raise news
            yield news
            if news[0] == "result":
                return

    def stop(self, problem: Problem | None = None) -> None:
        """End it early; with a problem for whoever still listens."""
        if not self._is_over and self._force is None:
            self._reason = problem
            self._worker.send({"stop": self._number})
            loop = asyncio.get_running_loop()
            self._force = loop.call_later(_OBEDIENCE, self._worker.kill)

    async def run(self, ask: str, question: dict[str, Any]) -> None:
        """Ask the worker, and pass on what it says until the end."""
        self._worker.send({"job": self._number, "ask": ask, "question": question})
        while not self._is_over:
            message = await self._worker.read()
            if message is None:
                _log.error("a worker ended while it was asked for %s: %.200s", ask, question)
                self._end(self._reason or Problem(500, "the worker of this question has died"))
            elif "progress" in message:
                self._tell(("progress", message["progress"]))
            elif "result" in message:
                self._end(("result", message["result"]))
            else:
                self._end(self._reason or _problem(ask, message.get("error")))

    def _tell(self, news: Event | Problem) -> None:
        """Pass news on; what somebody slow has not heard yet is old now."""
        while not self._news.empty():
            self._news.get_nowait()
        self._news.put_nowait(news)

    def _end(self, news: Event | Problem) -> None:
        self._is_over = True
        if self._force is not None:
            self._force.cancel()
        self._tell(news)


class Pool:
    """The workers of a server, and who is allowed to use them.

    Warm ones have loaded the compiled code, or compiled it, before they are asked.
    """

    def __init__(self, settings: Settings, *, is_warm: bool = True) -> None:
        self._settings = settings
        self._is_warm = is_warm
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()  # the last is the warmest
        self._workers: set[_Worker] = set()
        self._jobs: set[Job] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._clients: Counter[str] = Counter()
        self._waiting = 0
        self._numbers = count(1)
        self._is_closed = False

    async def ask(self, ask: str, question: dict[str, Any], *, client: str, seconds: float) -> Job:
        """Hand a question to a worker; it is stopped after so many seconds."""
        settings = self._settings
        if self._clients[client] >= settings.per_client:
            most = f"{settings.per_client} questions at once are the most for one client"
            raise Problem(429, most, headers=_RETRY)
        self._clients[client] += 1
        try:
            worker = await self._take()
        except BaseException:
            self._leave(client)
            raise
        job = Job(next(self._numbers), worker)
        self._jobs.add(job)
        message = f"this takes more than {seconds:g} seconds"
        late = Problem(422, message, code="limit", field="game")
        deadline = asyncio.get_running_loop().call_later(seconds, job.stop, late)

        async def run() -> None:
            try:
                await job.run(ask, question)
            finally:
                deadline.cancel()
                self._jobs.discard(job)
                self._leave(client)
                self._give_back(worker)

        self._do(run())
        return job

    def prepare(self) -> None:
        """Start the workers that are to be ready before anybody asks."""
        for _ in range(self._settings.ready):
            self._start()

    async def stop_when(self, closing: asyncio.Event) -> None:
        """Stop all jobs as soon as the server is about to end."""
        await closing.wait()
        self._is_closed = True
        for job in self._jobs:
            job.stop()

    async def close(self) -> None:
        """End all workers."""
        self._is_closed = True
        workers = list(self._workers)  # one that is given back dead is forgotten, but not yet gone
        for worker in workers:
            worker.kill()
        while self._tasks:
            await asyncio.wait(self._tasks)
        for worker in workers:
            await worker.end()

    # -- workers -------------------------------------------------------------------------

    async def _take(self) -> _Worker:
        """Return a worker that is free, soon, or say that there is none."""
        if self._waiting >= self._settings.waiting:
            raise Problem(503, headers=_RETRY)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._settings.patience):
                while True:
                    if self._free.empty():
                        self._start()
                    worker = await self._free.get()
                    if worker.is_alive:
                        return worker
                    self._workers.discard(worker)  # it died while nobody needed it
        except TimeoutError:
            is_ready = any(worker.is_ready for worker in self._workers)
            raise Problem(503, None if is_ready else _NOT_YET, headers=_RETRY) from None
        finally:
            self._waiting -= 1

    def _give_back(self, worker: _Worker) -> None:
        if worker.is_alive:
            self._free.put_nowait(worker)
        else:
            self._workers.discard(worker)
            if self._waiting:
                self._start()

    def _start(self) -> None:
        """Begin to start one more worker, if there may be one more."""
        if len(self._workers) < self._settings.workers and not self._is_closed:
            worker = _Worker(self._settings.memory, is_warm=self._is_warm)
            self._workers.add(worker)
            self._do(self._start_worker(worker))

    async def _start_worker(self, worker: _Worker) -> None:
        try:
            await worker.start()
        except OSError as error:
            _log.error("a worker could not be started: %s", error)
        if worker.is_alive:
            self._free.put_nowait(worker)
        else:  # whoever asks next tries again
            self._workers.discard(worker)

    def _leave(self, client: str) -> None:
        self._clients[client] -= 1
        if not self._clients[client]:
            del self._clients[client]

    def _do(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Worker:
    """Our end of the line to a worker."""

    def __init__(self, memory: int, *, is_warm: bool) -> None:
        self.is_ready = False
        self._arguments = (str(memory), "warm" if is_warm else "cold")
        self._process: asyncio.subprocess.Process | None = None
        self._is_killed = False

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        process = self._process
        return process is not None and process.returncode is None and not self._is_killed

    async def start(self) -> None:
        """Start the process and wait until it is ready."""
        self._process = await asyncio.create_subprocess_exec(
            *(*COMMAND, *self._arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_MOST_LINE,
            start_new_session=True,  # Ctrl-C is for the server alone
        )
        if self._is_killed:
            self._process.kill()
        self.is_ready = await self.read() is not None

    def send(self, message: dict[str, Any]) -> None:
        """Say something; what is said to the dead is lost."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def read(self) -> dict[str, Any] | None:
        """Return what it says next, or None when it has ended."""
        assert self._process is not None
        assert self._process.stdout is not None
        with suppress(ValueError, ConnectionError):  # a line that is too long, or half a line
            line = await self._process.stdout.readline()
            if line:
                message: dict[str, Any] = json.loads(line)
                return message
        await self.end()
        return None

    async def end(self) -> None:
        """End it, and see it out."""
        self.kill()
        if self._process is not None:
            await self._process.communicate()

    def kill(self) -> None:
        """End it at once."""
        # Only once: to kill what has ended may take its exit code from asyncio, which complains.
        if self._process is not None and not self._is_killed:
            with suppress(ProcessLookupError):
                self._process.kill()
        self._is_killed = True


def _problem(ask: str, error: dict[str, Any] | None) -> Problem:
    """Return what a worker could not answer; without an error it was only stopped."""
    if error is None:
        return Problem(503, "the question was given up", headers=_RETRY)
    code, message = error["code"], error["message"]
    if code is None:
        _log.error("%s: %s", ask, message)
        return Problem(500)
    # The rest of the question was looked at before: the game, or the number of one, is at fault.
    fault = "first" if (ask, code) == ("games", "size") else "game"
    return Problem(422, message, code=code, field=fault)
