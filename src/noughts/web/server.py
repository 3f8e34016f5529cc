"""The application behind a socket, until it is told to end."""

from __future__ import annotations

import signal
import socket

import uvicorn
from fastapi import FastAPI

__all__ = ["Server"]

_GRACE = 3  # seconds for answers that are under way when the server ends


class Server(uvicorn.Server):
    """A server that ends soon when it is told to, also while streams are open."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app, log_level="warning", server_header=False, timeout_graceful_shutdown=_GRACE
            )
        )
        self._closing = app.state.closing

    def run_until_told(self, listener: socket.socket) -> None:
        """Serve what comes over a socket until Ctrl-C or SIGTERM; neither is a failure."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        self.run(sockets=[listener])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell streams that would go on for ever, and then end."""
        self._closing.set()
        await super().shutdown(sockets)
