"""Limits on connections: how many, from whom, and how long each may keep the server waiting."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from noughts.web.connections import Connections, LimitedProtocol
from noughts.web.settings import Settings
from support.http_server import process, serving

GET = b"GET /api/health HTTP/1.1\r\nHost: noughts\r\n"
MOST = 30


class Fake:
    """A connection that only notes whether it was dropped."""

    is_dropped = False

    def drop(self) -> None:
        self.is_dropped = True


# -- how many ------------------------------------------------------------------------------


def test_the_connection_that_waits_longest_makes_way() -> None:
    connections = Connections(most=3, per_client=3)
    old, busy, new, newer, newest = (Fake() for _ in range(5))
    for number, each in enumerate((old, busy, new, newer)):
        if each is newer:
            connections.set_waiting(busy, is_waiting=False)
        assert connections.admit(each, f"10.0.0.{number}")
    assert [each.is_dropped for each in (old, busy, new, newer)] == [True, False, False, False]
    assert connections.admit(newest, "10.0.0.9")
    assert new.is_dropped
    assert len(connections) == 3
    for each in (newer, newest):
        connections.set_waiting(each, is_waiting=False)
    assert not connections.admit(Fake(), "10.0.0.9")  # all have requests
    connections.set_waiting(busy, is_waiting=True)
    assert connections.admit(Fake(), "10.0.0.9")
    assert busy.is_dropped


def test_one_client_has_a_share_and_a_proxy_has_none() -> None:
    connections = Connections(10, per_client=2, is_proxy=lambda address: address == "10.0.0.9")
    first = Fake()
    assert connections.admit(first, "2001:db8::1")
    assert connections.admit(Fake(), "2001:db8::2")
    assert not connections.admit(Fake(), "2001:db8::3")  # the same network
    assert connections.admit(Fake(), "2001:db8:0:1::1")
    assert not first.is_dropped
    connections.remove(first)
    connections.remove(first)  # it may be told twice
    assert connections.admit(Fake(), "2001:db8::3")
    assert all(connections.admit(Fake(), "10.0.0.9") for _ in range(5))
    assert len(connections) == 8


def test_clients_that_have_gone_take_no_memory() -> None:
    connections = Connections(10, per_client=2)
    for number in range(100):
        fake = Fake()
        assert connections.admit(fake, f"10.0.0.{number}")
        connections.set_waiting(fake, is_waiting=False)
        connections.remove(fake)
        connections.set_waiting(fake, is_waiting=True)  # its response may end later
    assert len(connections) == 0
    assert not connections._counts
    assert not connections._waiting


# -- how long ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = Settings(header_seconds=0.3, connections=MOST, body_seconds=60)
    with serving(settings) as url:
        yield url


@contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        yield connection


def is_cut_off(connection: socket.socket) -> bool:
    """Wait until the server closes a connection, and return whether it said nothing."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_silent_connection_is_closed(url: str) -> None:
    with connected(url) as connection:
        assert is_cut_off(connection)


@pytest.mark.parametrize("has_had_one", [False, True])
def test_a_header_must_come_to_its_end(url: str, has_had_one: bool) -> None:
    """However often there is a little more of it."""
    with connected(url) as connection:
        if has_had_one:
            connection.sendall(GET + b"\r\n")
            said = b""
            while not said.endswith(b'{"status":"ok"}'):
                said += connection.recv(1 << 16)
        connection.sendall(GET)
        connection.settimeout(0.02)
        while True:
            with suppress(TimeoutError):
                if is_cut_off(connection):
                    break
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(b"X: y\r\n")


def test_a_request_that_takes_longer_is_not_cut_off(url: str) -> None:
    body = b'{"game": "3x3x3"}'
    head = b"POST /api/position HTTP/1.1\r\nHost: noughts\r\nContent-Type: application/json\r\n"
    with connected(url) as slow, connected(url) as silent:
        slow.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body))
        assert is_cut_off(silent)
        slow.sendall(body)
        assert slow.recv(1 << 16).startswith(b"HTTP/1.1 200 OK")


def test_silent_connections_keep_nobody_out(url: str) -> None:
    with ExitStack() as stack:
        for _ in range(3 * MOST):
            stack.enter_context(connected(url))
        with httpx.Client(trust_env=False) as http:
            for _ in range(5):
                assert http.get(f"{url}/api/health").status_code == 200


class FakeTransport(asyncio.Transport):
    """A transport whose other end does not read."""

    def __init__(self) -> None:
        super().__init__()
        self.aborted = asyncio.Event()

    def abort(self) -> None:
        self.aborted.set()

    def close(self) -> None:
        pass

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("10.0.0.1", 5) if name == "peername" else default

    def is_closing(self) -> bool:
        return self.aborted.is_set()


async def no_application(scope: Any, receive: Any, send: Any) -> None:
    """Take requests, of which there are none."""


def test_a_client_that_does_not_read_is_cut_off() -> None:
    async def wait() -> None:
        make = LimitedProtocol.within(Connections(1, 1), Settings(send_seconds=0.1))
        config = uvicorn.Config(no_application, interface="asgi3", ws="none")
        protocol = make(config=config, server_state=ServerState(), app_state={})
        transport = FakeTransport()
        protocol.connection_made(transport)
        protocol.pause_writing()
        protocol.resume_writing()
        protocol.pause_writing()
        async with asyncio.timeout(20):
            await transport.aborted.wait()
        protocol.connection_lost(None)

    asyncio.run(wait())


# -- the server ----------------------------------------------------------------------------


def test_one_client_cannot_fill_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.9")  # so that we are a client, not a proxy
    with process("--workers", "1") as server:
        for _ in range(300):
            with connected(server.url) as connection:
                connection.sendall(b"nonsense\r\n\r\n")
                assert b"400" in connection.recv(1 << 16)
        code, said = server.end()
    assert code == 0
    assert 1 <= said.count("\n") <= 10
