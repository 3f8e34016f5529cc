"""What the API answers is compressed when it is whole; streams come as they are made."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from noughts.web.compression import CompressedResponses
from support.http_client import Client, asking, events


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking() as client:
        yield client


def test_a_view_is_compressed(client: Client) -> None:
    packed = client.post("position", game="ultimate ee ea")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == "Accept-Encoding"
    assert int(packed.headers["Content-Length"]) < len(packed.content) / 4
    plain = client.http.post(
        "/api/position", json={"game": "ultimate ee ea"}, headers={"Accept-Encoding": "identity"}
    )
    assert "Content-Encoding" not in plain.headers
    assert plain.content == packed.content


def test_what_is_small_is_not(client: Client) -> None:
    health = client.http.get("/api/health")
    assert "Content-Encoding" not in health.headers
    assert health.headers["Vary"] == "Accept-Encoding"


def test_errors_and_pictures_are_compressed_by_the_same_rule(client: Client) -> None:
    picture = client.http.get("/api/draw.svg", params={"game": "ultimate ee"})
    assert picture.headers["Content-Encoding"] == "gzip"
    assert picture.text.startswith("<svg")
    refused = client.post("position", game="3x3x3 zz")
    assert (refused.status_code, "Content-Encoding" in refused.headers) == (422, False)


def test_a_stream_is_not_compressed(client: Client) -> None:
    question = {"game": "3x3x3", "seconds": 1}
    accept = {"Accept": "text/event-stream"}
    with client.http.stream("POST", "/api/analyse", json=question, headers=accept) as stream:
        assert "Content-Encoding" not in stream.headers
        assert list(events(stream.iter_lines()))[-1][0] == "result"


def test_pieces_are_passed_on_as_they_come() -> None:
    """JSON in pieces is held back no more than a stream of events."""
    passed: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for part in (b"[" + b" " * 2000, b"]"):
            await send({"type": "http.response.body", "body": part, "more_body": part != b"]"})
            assert passed[-1]["body"] == part

    async def send(message: Any) -> None:
        passed.append(message)

    async def receive() -> Any:
        return {}

    scope = {"type": "http", "headers": [(b"accept-encoding", b"gzip")]}
    asyncio.run(CompressedResponses(app)(scope, receive, send))
    assert [message["type"] for message in passed] == [
        "http.response.start",
        *["http.response.body"] * 2,
    ]
