"""What stands before every question: bodies are bounded, answers are safe to show.

A body is read whole before anybody looks at it, so that a slow or a huge one costs nothing but
its own connection. Faults that nobody foresaw become an answer as well, and a line in the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.web.problems import Problem
from noughts.web.settings import Settings

__all__ = ["HEADERS", "Bodies", "SafeAnswers"]

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What browsers are told with every answer."""

_HEARD_OUT = 1 << 24  # bytes of a body that is too large, so that its sender hears the answer

_log = logging.getLogger("noughts.web")


class SafeAnswers:
    """Gives every answer its headers, and an answer to what nobody foresaw."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._headers = dict(HEADERS)
        if settings.origins:  # CORS decides then who may read what
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
            _log.exception("%s %s", scope["method"], scope["path"])
            if has_begun:
                raise  # half an answer must not look like a whole one
            await Problem(500).response()(scope, receive, send_safely)


class Bodies:
    """Lets only bodies through that are small enough, quick enough and JSON."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on whose body may be read, or say why not."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                body = await self._read(Request(scope, receive))
        except Problem as problem:
            await problem.response()(scope, receive, send)
            return
        except TimeoutError:
            close = {"Connection": "close"}
            await Problem(408, headers=close).response()(scope, receive, send)
            return
        except ClientDisconnect:
            return
        is_told = False

        async def receive_again() -> Message:
            nonlocal is_told
            if is_told:
                return await receive()  # the client may leave while we think
            is_told = True
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
            elif size > _HEARD_OUT:
                break
        if size > most:
            # Who is still talking may not hear the answer, and is cut off after it.
            close = {"Connection": "close"} if size > _HEARD_OUT else {}
            raise Problem(413, f"a body may have {most:,} bytes", headers=close)
        if body and not _is_json(request.headers):
            raise Problem(415)
        return body


def _is_json(headers: Headers) -> bool:
    media_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return media_type == "application/json"
