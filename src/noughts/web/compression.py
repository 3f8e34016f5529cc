"""Compressed responses: what a route answers, once it is whole. Streams pass as they are."""

from __future__ import annotations

import gzip
import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["CompressedResponses", "takes_gzip"]

_LEAST = 1_000  # bytes; less fits into one packet anyway
_LEVEL = 5  # higher levels take twice the time and save a fiftieth of a view
_KINDS = ("application/json", "image/svg+xml", "text/html")

_REFUSED = re.compile(r"gzip\s*;\s*q=0(\.0*)?\s*(,|$)")


def takes_gzip(headers: Headers) -> bool:
    """Return whether a client can read compressed responses."""
    accepted = headers.get("Accept-Encoding", "").lower()
    return "gzip" in accepted and not _REFUSED.search(accepted)


class CompressedResponses:
    """Compresses responses that come in one piece.

    A stream comes in many pieces, so it is neither held back nor changed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http" or not takes_gzip(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        start: Message | None = None  # held until it is known whether the body is in one piece

        async def send_compressed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_compressible(message):
                start = message
                return
            if start is not None:
                begin, start = start, None
                if not message.get("more_body"):
                    message = {**message, "body": _compress(begin, message.get("body", b""))}
                await send(begin)
            await send(message)

        await self._app(scope, receive, send_compressed)


def _is_compressible(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    kind = headers.get("Content-Type", "").partition(";")[0]
    return kind in _KINDS and "Content-Encoding" not in headers


def _compress(start: Message, body: bytes) -> bytes:
    """Return a body compressed, if that is worth it, and correct the headers of its response."""
    headers = MutableHeaders(raw=start["headers"])
    headers.add_vary_header("Accept-Encoding")
    if len(body) >= _LEAST:
        body = gzip.compress(body, _LEVEL, mtime=0)
        headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(body))
    start["headers"] = headers.raw
    return body
