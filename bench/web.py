"""How fast the server gives verdicts, alone and while every worker is busy.

The server is started as users start it, with ``noughts serve``. Four clients request verdicts,
each the next one as soon as it has a response; then once more while an analysis runs on every
worker. Clients and server share one machine. Run with ``make bench``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from statistics import quantiles
from threading import Event
from time import perf_counter

SECONDS = 8.0  # for each measurement
CLIENTS = 4
MAX_SECONDS = 20  # of an analysis
BOARDS = ["XX./OO./...", "XXX/OOO/X..", "4x4x3:XXX./OO.O/O.O./XXX.", "/".join(["." * 15] * 15)]
ANALYSES = ["ultimate", "15x15x5 h8", "7x7x5 d4"]


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """Start a server, and yield its host and port."""
    command = [
        sys.executable,
        "-m",
        "noughts",
        "serve",
        "--port",
        "0",
        "--max-seconds",
        f"{MAX_SECONDS}s",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            found = re.search(r"http://(.+):(\d+)", server.stdout.readline())
            assert found, "the server did not print its address"
            yield found[1], int(found[2])
        finally:
            server.terminate()


def post(connection: HTTPConnection, path: str, **body: object) -> int:
    """Send a request and return the status of the response."""
    headers = {"Content-Type": "application/json"}
    connection.request("POST", f"/api/{path}", json.dumps(body), headers)
    response = connection.getresponse()
    response.read()
    return response.status


def side_by_side(work: Callable[[int], list[float]], clients: int) -> list[float]:
    """Run clients at the same time, and return all their measurements."""
    with ThreadPoolExecutor(clients) as pool:
        return [each for part in pool.map(work, range(clients)) for each in part]


def verdicts(host: str, port: int) -> list[float]:
    """Return how long each verdict took, in seconds."""

    def work(_: int) -> list[float]:
        connection = HTTPConnection(host, port)
        taken: list[float] = []
        end = perf_counter() + SECONDS
        while (begin := perf_counter()) < end:
            status = post(connection, "verdict", board=BOARDS[len(taken) % len(BOARDS)])
            assert status == 200
            taken.append(perf_counter() - begin)
        connection.close()
        return taken

    return side_by_side(work, CLIENTS)


@contextmanager
def all_workers_busy(host: str, port: int, workers: int) -> Iterator[list[int]]:
    """Keep every worker busy within the block; yield the statuses of the responses."""
    is_over = Event()
    statuses: list[int] = []

    def work(client: int) -> None:
        connection = HTTPConnection(host, port)
        while not is_over.is_set():
            game = ANALYSES[client % len(ANALYSES)]
            statuses.append(post(connection, "analyse", game=game, seconds=SECONDS + 2))
        connection.close()

    with ThreadPoolExecutor(workers) as pool:
        jobs = [pool.submit(work, client) for client in range(workers)]
        try:
            yield statuses
        finally:
            is_over.set()
    for job in jobs:
        job.result()


def report(what: str, taken: list[float]) -> None:
    """Print a row of the table."""
    hundredths = [1000 * each for each in quantiles(taken, n=100)]
    rate = len(taken) / SECONDS
    print(f"{what:<36}{rate:>10,.0f}{hundredths[49]:>10.1f}{hundredths[98]:>10.1f}")


def main() -> None:
    """Measure and print."""
    workers = os.cpu_count() or 1
    load = os.getloadavg()[0]
    print(f"verdicts over HTTP, {CLIENTS} clients, {workers} cores, load {load:.1f} before")
    print(f"{'':<36}{'a second':>10}{'p50 ms':>10}{'p99 ms':>10}")
    with serving() as (host, port):
        connection = HTTPConnection(host, port)
        while post(connection, "analyse", game="ultimate", nodes=100) == 503:
            pass  # the first worker is only just starting
        report("the server is idle otherwise", verdicts(host, port))
        with all_workers_busy(host, port, workers) as statuses:
            report(f"{workers} analyses at the same time", verdicts(host, port))
        assert set(statuses) == {200}, statuses
        connection.close()


if __name__ == "__main__":
    main()
