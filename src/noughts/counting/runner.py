"""Runs the independent tasks of a long count: in threads or on a cluster; resumable.

A task is a function of plain arguments with a result that JSON can hold. Whether it is run in
a thread, on a Dask worker, or was finished by an earlier run makes no difference to its result.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from math import inf
from threading import Event
from typing import TYPE_CHECKING, Any, TypeGuard

from noughts.errors import (
    CheckpointError,
    MissingExtra,
    NotationError,
    NoughtsError,
    SizeError,
    brief,
)
from noughts.limits import DEFAULT_LIMITS, Limits, require_limits
from noughts.storage import Checkpoint

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

__all__ = ["Progress", "Runner", "Subject", "Task", "is_stopping", "table_of_numbers"]

Progress = Callable[[float], None]
"""Takes the share of all work that is done, from 0 to 1."""

Subject = Callable[[], str]
"""Says what is counted, for a checkpoint; called only if there is one."""

Run = Callable[[list["Task"]], Iterator[tuple["Task", Any]]]

_stop: ContextVar[Event | None] = ContextVar("stop", default=None)
"""Set in threads that run tasks: the event that tells them to give up."""


def is_stopping() -> bool:
    """Return whether the task at hand should give up, as after Ctrl-C.

    It must then raise, not return: what it has is not its result.
    """
    stop = _stop.get()
    return stop is not None and stop.is_set()


@dataclass(frozen=True)
class Task:
    """One piece of a count: a module-level function, its arguments, and a name for the pair.

    `accepts` says whether a result that was read from a file can be one of this task.
    """

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    accepts: Callable[[object], bool] = lambda result: True


def table_of_numbers(rows: int, cols: int, below: int | None = None) -> Callable[[object], bool]:
    """Return whether a result is a table of this size, of whole numbers from 0 on."""

    def accepts(result: object) -> bool:
        return _is_list(result, rows) and all(
            _is_list(row, cols)
            and all(type(number) is int and 0 <= number < (below or inf) for number in row)
            for row in result
        )

    return accepts


def _is_list(value: object, length: int) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and len(value) == length


class Runner:
    """Runs the tasks of a count: in threads here, or on a Dask cluster.

    Of the limits, `threads` is all cores by default, and `memory` holds for all processes
    together; a count that would need more is refused. There is no limit of time or nodes. With
    a `checkpoint`, a file, finished tasks are kept, and those of an earlier run are not run
    again. `cluster` is the address of a Dask scheduler, where every worker may use the whole
    memory, or ``local:N`` for N processes here. `on_progress` is called with the share of the
    work that is done, from 0 to 1, and `on_notice` with what a user should know while waiting.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        checkpoint: os.PathLike[str] | str | None = None,
        cluster: str | None = None,
        on_progress: Progress | None = None,
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        limits = DEFAULT_LIMITS if limits is None else require_limits(limits)
        if limits.seconds is not None or limits.nodes is not None:
            raise SizeError("a count has limits of memory and threads, not of seconds or nodes")
        if cluster is not None and not isinstance(cluster, str):
            raise NotationError(f"a cluster is an address, not {brief(cluster)}")
        self.memory = limits.memory
        self.threads = limits.threads or os.cpu_count() or 1
        self.checkpoint = checkpoint
        self.cluster = cluster
        self.on_progress: Progress = on_progress or (lambda share: None)
        self.on_notice: Callable[[str], None] = on_notice or (lambda message: None)
        self._local_workers = _local_workers(cluster) if cluster is not None else None

    @property
    def is_plain(self) -> bool:
        """Whether the work is neither kept nor sent anywhere, so that small counts may be quick."""
        return self.checkpoint is None and self.cluster is None

    @property
    def task_memory(self) -> int:
        """The memory that one task may use."""
        return self.memory // (self._local_workers or 1)

    def run(
        self,
        subject: Subject,
        tasks: Sequence[Task],
        *,
        one_at_a_time: bool = False,
        receive: Callable[[Task, Any], Any] | None = None,
    ) -> list[Any]:
        """Run the tasks that no earlier run finished and return all results in order.

        With `one_at_a_time` a task uses all threads itself, and takes two more arguments:
        their number, and a function to report its progress to. `receive` is called here with
        each result as it comes, and returns what is kept of it: results may be too large to be
        kept, and then they need not be JSON.
        """
        checkpoint = None if self.checkpoint is None else Checkpoint(self.checkpoint, subject())
        results: dict[str, Any] = {} if checkpoint is None else checkpoint.load()
        for task in tasks:
            if task.key in results and not task.accepts(results[task.key]):
                message = f"{self.checkpoint!s} is damaged: {brief(task.key)} has another result"
                raise CheckpointError(message)
        todo = [task for task in tasks if task.key not in results]

        def report(share_of_running: float = 0.0) -> None:
            done = sum(task.key in results for task in tasks) + share_of_running
            self.on_progress(done / max(len(tasks), 1))

        report()
        if todo:
            with self._started(one_at_a_time, report) as run:
                for task, result in run(todo):
                    kept = result if receive is None else receive(task, result)
                    results[task.key] = kept
                    if checkpoint is not None:
                        checkpoint.save(task.key, kept)
                    report()
        return [results[task.key] for task in tasks]

    @contextmanager
    def _started(self, one_at_a_time: bool, report: Progress) -> Iterator[Run]:
        """Yield a function that runs tasks, as long as its threads or processes are there."""
        if self.cluster is not None:
            with _cluster(self.cluster) as run:
                yield run
        elif one_at_a_time:
            yield lambda tasks: (
                (task, task.function(*task.arguments, self.threads, report)) for task in tasks
            )
        else:
            with _threads(self.threads) as run:
                yield run


@contextmanager
def _threads(count: int) -> Iterator[Run]:
    """Run tasks in threads, and stop them when the caller is interrupted."""
    from concurrent.futures import ThreadPoolExecutor

    stop = Event()
    pool = ThreadPoolExecutor(count, initializer=_stop.set, initargs=(stop,))
    try:
        yield lambda tasks: _as_completed(pool, tasks)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _as_completed(pool: ThreadPoolExecutor, tasks: list[Task]) -> Iterator[tuple[Task, Any]]:
    from concurrent.futures import FIRST_COMPLETED, wait

    waiting: dict[Future[Any], Task] = {
        pool.submit(task.function, *task.arguments): task for task in tasks
    }
    while waiting:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield waiting.pop(future), future.result()


def _local_workers(address: str) -> int | None:
    """Return N for ``local:N``, or None for any other address."""
    kind, _, number = address.partition(":")
    if kind != "local":
        return None
    if not (number.isascii() and number.isdecimal() and 0 < int(number[:9]) < 10_000):
        raise NotationError(f"a local cluster is local:N, like local:2, not {brief(address)}")
    return int(number)


def _require_reachable(address: str) -> None:
    """Raise unless something listens at the address.

    Asked first and plainly, because a Dask client that cannot connect takes its time, and may
    hang when it is thrown away.
    """
    host, _, port = address.removeprefix("tcp://").removeprefix("tls://").rpartition(":")
    if not host or "/" in host or not (port.isascii() and port.isdecimal() and len(port) < 6):
        message = f"a cluster's address is tcp://HOST:PORT or local:N, not {brief(address)}"
        raise NotationError(message)
    import socket

    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=5) as connection:
            # A scheduler greets its clients, unless it waits for an encrypted greeting.
            if not address.startswith("tls://") and not connection.recv(1):
                raise OSError("it does not answer like a Dask scheduler")
    except (OSError, OverflowError, UnicodeError) as error:
        raise NoughtsError(f"cannot reach the cluster at {address}: {error}") from None


@contextmanager
def _cluster(address: str) -> Iterator[Run]:
    """Connect to a Dask cluster, or start one of N local processes for ``local:N``."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise MissingExtra("cluster", "running on a cluster needs dask.distributed") from error
    workers = _local_workers(address)
    if workers is None:
        _require_reachable(address)
    cluster = client = None
    try:
        try:
            if workers is not None:
                # An error of a worker is raised here; the worker's own log does not help users.
                cluster = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address=":0",
                    silence_logs=logging.CRITICAL,
                    env={"DASK_LOGGING__DISTRIBUTED": "critical"},
                )
            client = distributed.Client(cluster or address, timeout="10s")
        except (OSError, ValueError, RuntimeError) as error:
            raise NoughtsError(f"cannot use the cluster at {address}: {error}") from None
        yield lambda tasks: _on_cluster(distributed, client, tasks)
    finally:
        for service in (client, cluster):
            if service is not None:
                with suppress(OSError):
                    service.close()


def _on_cluster(distributed: Any, client: Any, tasks: list[Task]) -> Iterator[tuple[Task, Any]]:
    """Run tasks on a cluster; a task whose worker is lost is run again elsewhere by Dask."""
    futures = {client.submit(task.function, *task.arguments, pure=False): task for task in tasks}
    for future in distributed.as_completed(list(futures)):
        task = futures.pop(future)  # so that the worker may drop the result
        try:
            result = future.result()
        except NoughtsError:
            raise
        except Exception as error:  # whatever a cluster can fail with
            message = f"the cluster could not finish {task.key}"
            raise NoughtsError(f"{message}: {type(error).__name__}: {error}") from error
        yield task, result
