"""Running the independent tasks of a long count: here, or on a cluster; resumable.

A task is a function of plain arguments with a result that JSON can hold. Whether it is run in
a thread, on a Dask worker, or was finished by an earlier run makes no difference to its result.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from noughts.counting.checkpoint import Checkpoint
from noughts.errors import LimitExceeded, MissingExtra, NoughtsError

__all__ = ["GIB", "Progress", "Resources", "Task"]

GIB = 1 << 30

Progress = Callable[[float], None]
"""Takes the share of all work that is done, from 0 to 1."""


@dataclass(frozen=True)
class Task:
    """One piece of a count: a module-level function, its arguments, and a name for the pair.

    `report` of a task that runs on its own tells how far it is.
    """

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Resources:
    """What a count may use, and whom it tells how far it is.

    `cluster` is the address of a Dask scheduler, or ``local:N`` for N worker processes.
    """

    memory: int = 4 * GIB
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    checkpoint: Path | str | None = None
    cluster: str | None = None
    progress: Progress = lambda share: None
    notice: Callable[[str], None] = lambda message: None

    @property
    def is_plain(self) -> bool:
        """Whether the work is neither kept nor sent anywhere, so that small counts may be quick."""
        return self.checkpoint is None and self.cluster is None

    def run(self, subject: str, tasks: Sequence[Task], *, one_at_a_time: bool = False) -> list[Any]:
        """Run the tasks that no earlier run finished and return all results in order.

        With `one_at_a_time` a task uses all threads itself, and takes two more arguments:
        their number, and a function to report its progress to.
        """
        keeper = None if self.checkpoint is None else Checkpoint(self.checkpoint, subject)
        results: dict[str, Any] = {} if keeper is None else keeper.load()
        todo = [task for task in tasks if task.key not in results]

        def report(share_of_running: float = 0.0) -> None:
            done = sum(task.key in results for task in tasks) + share_of_running
            self.progress(done / max(len(tasks), 1))

        report()
        with self._runner(one_at_a_time, report) as run:
            for task, result in run(todo):
                results[task.key] = result
                if keeper is not None:
                    keeper.save(task.key, result)
                report()
        return [results[task.key] for task in tasks]

    @contextmanager
    def _runner(
        self, one_at_a_time: bool, report: Progress
    ) -> Iterator[Callable[[list[Task]], Iterator[tuple[Task, Any]]]]:
        if self.cluster is not None:
            with _cluster(self.cluster) as run:
                yield run
        elif one_at_a_time:
            yield lambda tasks: (
                (task, task.function(*task.arguments, self.threads, report)) for task in tasks
            )
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                yield lambda tasks: _in_threads(pool, tasks)


def _in_threads(pool: ThreadPoolExecutor, tasks: list[Task]) -> Iterator[tuple[Task, Any]]:
    """Run tasks in threads and yield results as they come."""
    waiting: dict[Future[Any], Task] = {
        pool.submit(task.function, *task.arguments): task for task in tasks
    }
    try:
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _cluster(address: str) -> Iterator[Callable[[list[Task]], Iterator[tuple[Task, Any]]]]:
    """Connect to a Dask cluster, or start one of N local processes for ``local:N``."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise MissingExtra("cluster", "running on a cluster needs dask.distributed") from error
    kind, _, number = address.partition(":")
    is_local = kind == "local"
    if is_local and not (number.isdecimal() and int(number) > 0):
        raise LimitExceeded(f"a local cluster is local:N with N from 1, not {address!r}")
    try:
        cluster = (
            distributed.LocalCluster(
                n_workers=int(number), threads_per_worker=1, dashboard_address=None
            )
            if is_local
            else None
        )
        client = distributed.Client(cluster or address, timeout="10s")
    except (OSError, ValueError) as error:
        raise NoughtsError(f"cannot reach the cluster at {address}: {error}") from None

    def run(tasks: list[Task]) -> Iterator[tuple[Task, Any]]:
        # A lost worker is not the task's fault: it is tried again elsewhere, a few times.
        futures = {
            client.submit(task.function, *task.arguments, key=task.key, retries=3): task
            for task in tasks
        }
        for future in distributed.as_completed(list(futures)):
            yield futures[future], future.result()

    try:
        yield run
    finally:
        client.close()
        if cluster is not None:
            cluster.close()
