"""What every request passes first: limits on bodies and streams, security headers, our errors.

A body is read whole before a route sees it, so that a slow or a huge one costs nothing but its own
connection. An unexpected error becomes a response too, and a line in the log.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.errors import brief
from noughts.web.clients import client_of
from noughts.web.errors import ApiError
from noughts.web.handlers import error_response
from noughts.web.settings import Settings

__all__ = ["HEADERS", "BodyLimits", "SafeResponses", "StreamLimits"]

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The security headers of every response."""

_MAX_READ = 1 << 24  # bytes of a body that is too large; after them the connection is closed

_STREAM = re.compile("/api/rooms/[^/]+/events$")

_log = logging.getLogger("noughts.web")


class SafeResponses:
    """Adds the headers to every response, and turns an unexpected error into a response."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._headers = dict(HEADERS)
        if settings.origins:  # then CORS decides which sites may read it
            self._headers["Cross-Origin-Resource-Policy"] = "cross-origin"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def send_safely(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self._app(scope, receive, send_safely)
        except Exception:
            _log.exception("%s %s", scope["method"], brief(scope["path"]))
            if has_begun:
                raise  # half a response must not look like a whole one
            await error_response(ApiError(500))(scope, receive, send_safely)


class BodyLimits:
    """Refuses bodies that are too large, too slow or not JSON."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its body, or refuse it."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                body = await self._read(Request(scope, receive))
        except ApiError as error:
            await error_response(error)(scope, receive, send)
            return
        except TimeoutError:
            close = {"Connection": "close"}
            await error_response(ApiError(408, headers=close))(scope, receive, send)
            return
        except ClientDisconnect:
            return
        is_passed_on = False

        async def receive_again() -> Message:
            nonlocal is_passed_on
            if is_passed_on:
                return await receive()  # the client may disconnect during the task
            is_passed_on = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, receive_again, send)

    async def _read(self, request: Request) -> bytes:
        most = self._settings.body_bytes
        body = b""
        size = 0
        async for chunk in request.stream():
            size += len(chunk)
            if size <= most:
                body += chunk
            elif size > _MAX_READ:
                break
        if size > most:
            # A client that is still sending may miss the response, and is cut off after it.
            close = {"Connection": "close"} if size > _MAX_READ else {}
            raise ApiError(413, f"a body may have {most:,} bytes", headers=close)
        if body and not _is_json(request.headers):
            raise ApiError(415)
        return body


class StreamLimits:
    """Limits the event streams of rooms, in total and for each client.

    A stream has its place until its request has ended, however that comes.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._most = settings.streams
        self._per_client = settings.streams_per_client
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse one more stream."""
        if scope["type"] != "http" or not _STREAM.search(scope["path"]):
            await self._app(scope, receive, send)
            return
        client = client_of(HTTPConnection(scope))
        # Nothing is awaited between a look at the numbers and the new number.
        error = self._error(client)
        if error is not None:
            await error_response(error)(scope, receive, send)
            return
        self._open[client] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]

    def _error(self, client: str) -> ApiError | None:
        wait = {"Retry-After": "60"}
        if self._open.get(client, 0) >= self._per_client:
            message = f"one client may have {self._per_client} event streams"
            return ApiError(429, message, headers=wait)
        if self._open.total() >= self._most:
            return ApiError(503, "the server has as many event streams as it can", headers=wait)
        return None


def _is_json(headers: Headers) -> bool:
    media_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return media_type == "application/json"
