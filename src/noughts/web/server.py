"""The application behind a socket, until a signal ends it."""

from __future__ import annotations

import math
import os
import signal
import socket
from contextlib import suppress

import uvicorn
from fastapi import FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from noughts.errors import NoughtsError, brief
from noughts.web.connections import Connections, LimitedProtocol
from noughts.web.logs import limit_log_rate
from noughts.web.settings import Settings

__all__ = ["Server", "listen"]

_BACKLOG = 2048  # connections that wait to be accepted
_BATCH = 128  # connections that asyncio accepts at a time, before any of them is looked at
_GRACE = 3  # seconds for responses that are under way when the server closes
_MOST_FILES = 10_000
_OTHER_FILES = 400  # two batches that come and go, pipes of workers, the file of games
_KEEPALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 60_000}


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or raise why it cannot; port 0 takes any free port."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        # asyncio sends small packets at once only over sockets that say they are TCP. Otherwise a
        # response in two parts would wait some 40 ms for the client to confirm the first.
        listener = socket.socket(family, kind, protocol)
        try:
            _notice_vanished_clients(listener)
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(_BACKLOG)
        except BaseException:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NoughtsError(f"cannot listen at {brief(host)[1:-1]} port {port}: {reason}") from None
    return listener


def _notice_vanished_clients(listener: socket.socket) -> None:
    """Have the system end connections whose other end has gone without a word, in a minute."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _most_files() -> int:
    """Return how many files this process may have open, after raising that as far as it goes."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 1 << 16
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return _MOST_FILES if soft == resource.RLIM_INFINITY else soft


def _is_ignored(number: int) -> bool:
    return signal.getsignal(number) == signal.SIG_IGN


class Server(uvicorn.Server):
    """A server that closes soon after a signal, also while streams are open."""

    def __init__(self, app: FastAPI) -> None:
        settings: Settings = app.state.settings
        config = uvicorn.Config(
            app,
            log_level="warning",
            backlog=_BATCH,
            server_header=False,
            ws="none",
            timeout_keep_alive=math.ceil(settings.idle_seconds),
            timeout_graceful_shutdown=_GRACE,
        )
        forwarding = ProxyHeadersMiddleware(app, config.forwarded_allow_ips)  # type: ignore[arg-type]
        connections = Connections(
            most=min(settings.connections, _most_files() - _OTHER_FILES),
            per_client=settings.connections_per_client,
            is_proxy=lambda address: address in forwarding.trusted_hosts,
        )
        config.http = LimitedProtocol.within(connections, settings)
        super().__init__(config)
        self._closing = app.state.closing

    def run_until_signal(self, listener: socket.socket) -> None:
        """Serve the connections of a socket until Ctrl-C, SIGTERM or the end of the terminal.

        None of these is a failure. Below ``nohup``, the end of the terminal is ignored.
        """
        limit_log_rate()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and (name == "SIGINT" or not _is_ignored(number)):
                signal.signal(number, self.handle_exit)
        self.run(sockets=[listener])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; uvicorn takes one number for the batch and for those that wait."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_BACKLOG)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams that would never end by themselves, and then the server."""
        self._closing.set()
        await super().shutdown(sockets)
