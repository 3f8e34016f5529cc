"""Hostile and clumsy requests: bounded, with errors in the one shape, with all headers."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

from noughts.web.app import create_app
from noughts.web.middleware import HEADERS, BodyLimits, SafeResponses, StreamLimits
from noughts.web.settings import Settings
from support.http_client import Client, asking, problem

SMALL = Settings(body_bytes=1000, body_seconds=0.5)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking(SMALL) as client:
        yield client


def send(client: Client, body: bytes | str, **headers: str) -> httpx.Response:
    headers = {"Content-Type": "application/json", **headers}
    return client.http.post("/api/verdict", content=body, headers=headers)


def exchange(client: Client, *parts: bytes) -> bytes:
    """Send bytes as they are, and return all that comes back until the server closes."""
    url = client.http.base_url
    with socket.create_connection((url.host, url.port or 0), timeout=20) as line:
        for part in parts:
            line.sendall(part)
        heard = b""
        while data := line.recv(1 << 16):
            heard += data
        return heard


# -- headers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/api/health", 200),
        ("GET", "/api/nothing", 404),
        ("GET", "/nothing.js", 404),
        ("GET", "/api/verdict", 405),
        ("POST", "/api/verdict", 422),
        ("GET", "/api/openapi.json", 200),
    ],
)
def test_every_answer_has_the_headers(client: Client, method: str, path: str, status: int) -> None:
    response = client.http.request(method, path)
    assert response.status_code == status
    assert (
        HEADERS.items()
        <= {name: response.headers[name] for name in HEADERS if name in response.headers}.items()
    )
    assert response.headers["Cache-Control"] in ("no-store", "no-cache")


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }


def test_other_sites_may_not_ask_unless_they_are_named(client: Client) -> None:
    asked = {"Origin": "https://example.org"}
    assert (
        "Access-Control-Allow-Origin" not in client.http.get("/api/health", headers=asked).headers
    )
    with asking(Settings(origins=("https://example.org",))) as friendly:
        headers = friendly.http.get("/api/health", headers=asked).headers
        assert headers["Access-Control-Allow-Origin"] == "https://example.org"
        assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        before = {**asked, "Access-Control-Request-Method": "POST"}
        before["Access-Control-Request-Headers"] = "content-type"
        assert friendly.http.options("/api/verdict", headers=before).status_code == 200
        stranger = friendly.http.get("/api/health", headers={"Origin": "https://example.com"})
        assert "Access-Control-Allow-Origin" not in stranger.headers


# -- bodies ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 422, "validation"),
        (b"{", 400, "malformed"),
        (b"\xff\xfe", 400, "malformed"),
        (b"\x00", 400, "malformed"),
        (b"[" * 900, 400, "malformed"),
        (b'{"board": ' + b"9" * 900 + b"}", 422, "validation"),
        (b"null", 422, "validation"),
        (b"[]", 422, "validation"),
        (b'"XXX/OO./..."', 422, "validation"),
        (b"{}", 422, "validation"),
        (b'{"board": null}', 422, "validation"),
        (b'{"board": 3}', 422, "validation"),
        (b'{"board": ["XXX"]}', 422, "validation"),
        (b'{"board": NaN}', 422, "validation"),
        (b'{"board": "\\ud800"}', 422, "notation"),
        (b'{"board": "\\u0000"}', 422, "notation"),
        (b'{"board": "X<script>"}', 422, "notation"),
        (b'{"board": "XXX/OO./...", "boar": 1}', 422, "validation"),
        (b'{"board": "' + b"X" * 2000 + b'"}', 413, "too_large"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_bad_bodies(client: Client, body: bytes, status: int, code: str) -> None:
    response = send(client, body)
    found, error = problem(response)
    assert (found, error["code"]) == (status, code)
    assert len(error["message"]) < 300


def test_deep_json() -> None:
    with asking(Settings(body_bytes=1 << 20)) as client:
        for body in (b"[" * 500_000, b'{"board":' * 100_000):
            assert problem(send(client, body))[0] == 400


def test_a_number_of_many_digits() -> None:
    with asking() as client:
        status, error = problem(send(client, b'{"board": ' + b"9" * 10_000 + b"}"))
        assert (status, error["code"]) in [(400, "malformed"), (422, "validation")]


def test_a_bad_body_says_where_it_is_bad(client: Client) -> None:
    _, error = problem(send(client, b'{"board": x}'))
    assert error["place"]["offset"] == 10


@pytest.mark.parametrize(
    "media_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x", ""],
)
def test_media_types_that_are_not_json(client: Client, media_type: str) -> None:
    response = send(client, json.dumps({"board": "..."}), **{"Content-Type": media_type})
    assert (response.status_code, problem(response)[1]["code"]) == (415, "media_type")


def test_json_may_name_its_encoding(client: Client) -> None:
    for name in ("application/json; charset=utf-8", "Application/JSON"):
        response = send(client, json.dumps({"board": "..."}), **{"Content-Type": name})
        assert response.status_code == 200


def test_a_body_that_has_no_length_is_counted_as_it_comes(client: Client) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"board": "'
        for _ in range(50):
            yield b"X" * 100
        yield b'"}'

    response = client.http.post(
        "/api/verdict", content=chunks(), headers={"Content-Type": "application/json"}
    )
    assert problem(response)[0] == 413


def test_a_body_of_megabytes_is_heard_out_and_then_refused(client: Client) -> None:
    assert problem(send(client, b"X" * (8 << 20)))[0] == 413


def test_a_body_without_end_is_cut_off(client: Client) -> None:
    heard = exchange(
        client,
        b"POST /api/verdict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 99999999999\r\n\r\n",
        b"X" * ((1 << 24) + 1),
    )
    assert heard.startswith(b"HTTP/1.1 413 ")
    assert b'"too_large"' in heard


def test_a_body_that_does_not_come_is_given_up(client: Client) -> None:
    heard = exchange(
        client,
        b"POST /api/verdict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b'Content-Length: 20\r\n\r\n{"bo',
    )
    assert heard.startswith(b"HTTP/1.1 408 ")
    assert b'"too_slow"' in heard


def test_a_client_that_disconnects_in_its_body_does_no_harm(client: Client) -> None:
    url = client.http.base_url
    for _ in range(5):
        with socket.create_connection((url.host, url.port or 0)) as line:
            line.sendall(b"POST /api/verdict HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{")
    assert client.ask("verdict", board="...")["verdict"] == "X_turn"


def test_what_is_not_even_http(client: Client) -> None:
    assert exchange(client, b"\x16\x03\x01 hello\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    assert client.ask("verdict", board="...")["verdict"] == "X_turn"


@pytest.mark.parametrize(
    "path", ["/api/%00", "/%00", "/%ff", "/" + "a" * 5000, "/..%2f..%2fetc/passwd"]
)
def test_odd_addresses(client: Client, path: str) -> None:
    for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS", "BREW"):
        assert problem(client.http.request(method, path))[0] == 404


# -- faults of our own -------------------------------------------------------------------


def test_an_unexpected_error_is_a_response_and_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = create_app(Settings())

    @app.get("/api/fault")
    def fault() -> None:
        raise ZeroDivisionError("something secret")

    with caplog.at_level(logging.ERROR, "noughts.web"):
        start, body = answer(app, "/api/fault")
    assert start["status"] == 500
    assert (b"x-content-type-options", b"nosniff") in start["headers"]
    error = json.loads(body)["error"]
    assert error["code"] == "internal"
    assert "secret" not in error["message"]
    assert "something secret" in caplog.text


def test_half_an_answer_does_not_become_a_whole_one() -> None:
    async def half(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        answer(SafeResponses(half, Settings()), "/")


def test_other_protocols_pass_through() -> None:
    heard: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        heard.append(scope["type"])

    for layer in (SafeResponses(app, Settings()), BodyLimits(app, Settings())):
        run(layer, {"type": "lifespan"})
    assert heard == ["lifespan", "lifespan"]


def answer(app: Any, path: str) -> tuple[dict[str, Any], bytes]:
    """Ask an application for a path without a server; return the start and the body."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [],
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
    }
    sent = run(app, scope)
    return sent[0], b"".join(message.get("body", b"") for message in sent[1:])


def run(app: Any, scope: dict[str, Any]) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent


# -- streams -----------------------------------------------------------------------------


def test_event_streams_have_limits_that_many_requests_at_once_do_not_pass() -> None:
    """In total and for each client; a place is free again when a stream ends, or fails."""
    begun: list[str] = []
    answers: list[tuple[str, int]] = []

    async def ask(app: StreamLimits, address: str, path: str = "/api/rooms/a/events") -> None:
        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answers.append((address, message["status"]))

        async def receive() -> Any:
            raise AssertionError

        scope = {"type": "http", "method": "GET", "path": path, "headers": []}
        with suppress(ZeroDivisionError):
            await app({**scope, "client": (address, 80)}, receive, send)

    async def test() -> None:
        end = asyncio.Event()

        async def stream(scope: Any, receive: Any, send: Any) -> None:
            await asyncio.sleep(0)  # as one that looks the room up
            begun.append(scope["client"][0])
            await end.wait()
            if scope["client"][0] == "::2":
                raise ZeroDivisionError

        app = StreamLimits(stream, Settings(streams=5, streams_per_client=3))
        async with asyncio.TaskGroup() as tasks:
            for _ in range(10):
                tasks.create_task(ask(app, "10.0.0.1"))
            for host in range(1, 5):
                tasks.create_task(ask(app, f"::{host}"))
            tasks.create_task(ask(app, "10.0.0.1", "/api/health"))
            while len(answers) < 9 or len(begun) < 6:
                await asyncio.sleep(0)
            assert Counter(begun) == {"10.0.0.1": 4, "::1": 1, "::2": 1}
            assert Counter(status for _, status in answers) == {429: 7, 503: 2}
            end.set()
        assert not app._open
        await ask(app, "::7")
        assert begun[-1] == "::7"

    asyncio.run(test())
