"""``noughts serve`` as users start it: where it listens, what it refuses, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from support.cli_runner import run, spawn
from support.http_server import Process, process


def client(server: Process) -> httpx.Client:
    return httpx.Client(base_url=server.url, trust_env=False, timeout=60)


def wait_for_a_worker(http: httpx.Client) -> None:
    """Wait until the engine has answered a question: it may only just be getting ready."""
    question = {"game": "ultimate", "nodes": 1}
    while (answer := http.post("/api/analyse", json=question)).status_code == 503:
        time.sleep(0.1)
    assert answer.is_success


def workers_of(server: Process) -> list[int]:
    """Return the processes that a server started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue  # it ended just now
        if int(parent) == server.popen.pid:
            found.append(int(folder.name))
    return found


def ends(pid: int) -> bool:
    """Wait until a process has ended."""
    for _ in range(1000):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_says_where_it_is_and_ends_when_it_is_told_to(number: signal.Signals) -> None:
    with process("--workers", "1") as server, client(server) as http:
        assert server.url.startswith("http://127.0.0.1:")
        assert http.get("/api/health").json() == {"status": "ok"}
        assert http.get("/").status_code == 200
        assert server.end(number) == (0, "")


def test_it_ends_also_while_it_thinks_and_takes_its_workers_along() -> None:
    with process("--workers", "1", "--max-seconds", "60s") as server, client(server) as http:
        wait_for_a_worker(http)
        question = {"game": "ultimate", "seconds": 60}
        stream = {"Accept": "text/event-stream"}
        with http.stream("POST", "/api/analyse", json=question, headers=stream) as response:
            lines = response.iter_lines()
            assert next(lines) == "event: progress"
            workers = workers_of(server)
            assert workers
            server.popen.send_signal(signal.SIGINT)
            assert "event: error" in list(lines)
        assert server.popen.wait(30) == 0
        assert all(ends(pid) for pid in workers)


def test_workers_end_with_a_server_that_is_killed() -> None:
    with process("--workers", "1") as server, client(server) as http:
        wait_for_a_worker(http)
        workers = workers_of(server)
        assert workers
        server.popen.kill()
        server.popen.wait()
        assert all(ends(pid) for pid in workers)


def test_options_reach_the_server(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with (
        process(
            *("--workers", "3", "--max-seconds", "7s", "--database", str(database)),
            *("--origin", "https://example.org"),
        ) as server,
        client(server) as http,
    ):
        limits = http.get("/api/version").json()["limits"]
        assert (limits["workers"], limits["max_seconds"]) == (3, 7.0)
        assert database.exists()
        asked = {"Origin": "https://example.org"}
        answer = http.get("/api/health", headers=asked)
        assert answer.headers["Access-Control-Allow-Origin"] == "https://example.org"


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = spawn("serve", "--port", str(port))
    assert result.code == 2
    assert result.err == f"Error: cannot listen at 127.0.0.1 port {port}: Address already in use\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--host", "no such host"), "cannot listen at no such host port 8000: "),
        (("--host", "192.0.2.1"), "cannot listen at 192.0.2.1 port 8000: "),
        (("--host", "x" * 300), "cannot listen at xxx"),
        (("--host", "\0"), "cannot listen at "),
        (("--port", "65536"), "65536 is not in the range"),
        (("--port", "http"), "'http' is not a valid integer"),
        (("--workers", "0"), "0 is not in the range"),
        (("--max-seconds", "0"), "'0' is not a time"),
        (("--max-seconds", "soon"), "'soon' is not a time"),
        (("--port", "0", "--origin", "*"), "name the origins that may use the API"),
        (("--port", "0", "--database", "/no/such/folder/games.db"), "/no/such/folder/games.db"),
    ],
    ids=str,
)
def test_what_cannot_be_served(arguments: tuple[str, ...], complaint: str) -> None:
    result = run("serve", *arguments)
    assert result.code == 2
    assert complaint in result.err
    assert result.out == ""


def test_without_the_extra_it_says_what_is_missing() -> None:
    code = (
        "import sys; sys.modules['fastapi'] = None\n"
        "from noughts.cli.main import main; sys.exit(main(['serve']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 2
    assert ran.stderr == (
        "Error: the page and the HTTP API need FastAPI and uvicorn: pip install 'noughts[web]'\n"
    )
