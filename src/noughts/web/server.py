"""The application behind a socket, until a signal ends it."""

from __future__ import annotations

import os
import signal
import socket

import uvicorn
from fastapi import FastAPI

from noughts.errors import NoughtsError, brief

__all__ = ["Server", "listen"]

_BACKLOG = 2048  # connections that wait to be accepted
_GRACE = 3  # seconds for responses that are under way when the server closes


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or raise why it cannot; port 0 takes any free port."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        # asyncio sends small packets at once only over sockets that say they are TCP. Otherwise a
        # response in two parts would wait some 40 ms for the client to confirm the first.
        listener = socket.socket(family, kind, protocol)
        try:
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


def _is_ignored(number: int) -> bool:
    return signal.getsignal(number) == signal.SIG_IGN


class Server(uvicorn.Server):
    """A server that closes soon after a signal, also while streams are open."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app, log_level="warning", server_header=False, timeout_graceful_shutdown=_GRACE
            )
        )
        self._closing = app.state.closing

    def run_until_signal(self, listener: socket.socket) -> None:
        """Serve the connections of a socket until Ctrl-C, SIGTERM or the end of the terminal.

        None of these is a failure. Below ``nohup``, the end of the terminal is ignored.
        """
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and (name == "SIGINT" or not _is_ignored(number)):
                signal.signal(number, self.handle_exit)
        self.run(sockets=[listener])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams that would never end by themselves, and then the server."""
        self._closing.set()
        await super().shutdown(sockets)
