"""Connections: how many there may be, and how long they may take.

uvicorn ends an idle connection that has had a request, but waits for ever for the first request,
for the rest of a header, and for a client that does not read. Here each of these has a time. There
is a limit of connections in total and for each client. At the limit, the connection that has
waited longest without a request makes way, so that silent ones never keep others out.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from uvicorn.protocols.http.h11_impl import H11Protocol

from noughts.web.clients import network_of
from noughts.web.settings import Settings

__all__ = ["Connections", "LimitedProtocol"]

_log = logging.getLogger("noughts.web")


class _Connection(Protocol):
    def drop(self) -> None:
        """Close the connection at once."""


class Connections:
    """The open connections of a server.

    `is_proxy` tells addresses that have no limit of their own, as a proxy speaks for many clients.
    """

    def __init__(
        self, most: int, per_client: int, is_proxy: Callable[[str], bool] = lambda address: False
    ) -> None:
        self._most = most
        self._per_client = per_client
        self._is_proxy = is_proxy
        self._clients: dict[_Connection, str] = {}
        self._counts: Counter[str] = Counter()
        self._waiting: dict[_Connection, None] = {}  # for a request, the longest first

    def __len__(self) -> int:
        return len(self._clients)

    def admit(self, connection: _Connection, address: str) -> bool:
        """Return whether a new connection may stay; another one may have to make way for it."""
        client = network_of(address)
        if self._counts.get(client, 0) >= self._per_client and not self._is_proxy(address):
            _log.warning("a client has more than %d connections", self._per_client)
            return False
        if len(self._clients) >= self._most:
            _log.warning("there are more than %d connections", self._most)
            longest = next(iter(self._waiting), None)
            if longest is None:
                return False
            self.remove(longest)
            longest.drop()
        self._clients[connection] = client
        self._counts[client] += 1
        self._waiting[connection] = None
        return True

    def remove(self, connection: _Connection) -> None:
        """Forget a connection that is closed."""
        self._waiting.pop(connection, None)
        client = self._clients.pop(connection, None)
        if client is not None:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]

    def set_waiting(self, connection: _Connection, *, is_waiting: bool) -> None:
        """Note that a connection waits for a request from now on, or that it has one."""
        if not is_waiting:
            self._waiting.pop(connection, None)
        elif connection in self._clients:
            self._waiting.setdefault(connection)


class LimitedProtocol(H11Protocol):
    """uvicorn's protocol for HTTP, with limits on connections."""

    def __init__(self, connections: Connections, settings: Settings, **keywords: Any) -> None:
        super().__init__(**keywords)
        self._connections = connections
        self._header = _Deadline(settings.header_seconds, self.drop)
        self._reading = _Deadline(settings.send_seconds, self.drop)

    @classmethod
    def within(cls, connections: Connections, settings: Settings) -> Any:
        """Return what uvicorn makes its connections with."""
        return partial(cls, connections, settings)

    def drop(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    # -- what happens to a connection ------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, if there may be one more connection."""
        self.transport = transport
        address = transport.get_extra_info("peername")
        if not self._connections.admit(self, str(address[0]) if address else ""):
            self.drop()
            return
        super().connection_made(transport)
        self._header.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._connections.remove(self)
        self._header.end()
        self._reading.end()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Look whether a request has begun, or is still awaited."""
        super().handle_events()
        has_request = self.cycle is not None and not self.cycle.response_complete
        self._connections.set_waiting(self, is_waiting=not has_request)
        if has_request:
            self._header.end()
        elif not self.transport.is_closing():
            # Data does not put it off: one byte at a time would be enough to wait for ever.
            self._header.begin()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._connections.set_waiting(self, is_waiting=True)
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Give a client that does not read some time."""
        super().pause_writing()
        self._reading.begin()

    def resume_writing(self) -> None:
        """Go on, as the client has read."""
        self._reading.end()
        super().resume_writing()


class _Deadline:
    """A time after which something happens, unless it ends before."""

    def __init__(self, seconds: float, action: Callable[[], object]) -> None:
        self._seconds = seconds
        self._action = action
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begin, unless it runs already."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._seconds, self._action)

    def end(self) -> None:
        """End, if it runs."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
