"""The socket that the server listens at; `tests/cli/test_serve.py` has the whole server."""

from __future__ import annotations

import socket

import pytest

from noughts.errors import NoughtsError
from noughts.web.server import listen


def test_a_free_port_is_found_and_small_answers_are_sent_at_once() -> None:
    with listen("127.0.0.1", 0) as listener:
        host, port = listener.getsockname()
        assert host == "127.0.0.1"
        assert port > 0
        with socket.create_connection((host, port)), listener.accept()[0] as accepted:
            # What asyncio looks at before it switches Nagle's algorithm off.
            assert accepted.proto == socket.IPPROTO_TCP


def test_a_port_that_is_taken() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(NoughtsError, match=f"127.0.0.1 port {port}: Address already in use"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["no such host", "192.0.2.1", "x" * 300, "\0", "a..b"])
def test_hosts_that_are_not_ours(host: str) -> None:
    with pytest.raises(NoughtsError, match="cannot listen at "):
        listen(host, 0)
