"""``noughts serve``: the page and the HTTP API."""

from __future__ import annotations

import os
import signal
import socket
import webbrowser
from pathlib import Path
from threading import Timer
from typing import Any

import click

from noughts.cli.units import TIME
from noughts.errors import MissingExtra, NoughtsError

__all__ = ["command"]

_GRACE = 3  # seconds for answers that are under way when the server ends


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port; 0 takes any that is free.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Processes that think, so many questions at once; as many as cores by default.",
)
@click.option(
    "--max-seconds",
    type=TIME,
    default=30.0,
    show_default=True,
    help="The longest time to think about one question.",
)
@click.option(
    "--database",
    metavar="FILE",
    help="Keep games by link here; else they last as long as the server.",
)
@click.option("--origin", "origins", multiple=True, help="A site whose pages may ask as well.")
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
def command(
    host: str,
    port: int,
    workers: int | None,
    max_seconds: float,
    database: str | None,
    origins: tuple[str, ...],
    opens: bool,
) -> None:
    """Serve the page and the HTTP API until Ctrl-C.

    The page is for playing, analysing and exploring in a browser; /docs describes the API.
    Everybody who can reach the address may use it, and nobody else: by default only this
    machine.

    \b
    Examples:
      noughts serve --open
      noughts serve --host 0.0.0.0 --port 80 --database games.db
      noughts serve --workers 4 --max-seconds 10s
    """
    try:
        import uvicorn

        from noughts.web.app import create_app
        from noughts.web.settings import Settings
    except ImportError as error:
        raise MissingExtra("web", "the page and the HTTP API need FastAPI and uvicorn") from error
    app = create_app(
        Settings(
            workers=workers or os.cpu_count() or 1,
            ready=1,
            max_seconds=max_seconds,
            database=Path(database) if database else None,
            origins=origins,
        )
    )
    listener = _listen(host, port)
    address = _address(host, listener.getsockname()[1])
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_GRACE)

    class Server(uvicorn.Server):
        """Tells endless streams that the server is about to end, so that it can."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.closing.set()
            await super().shutdown(sockets)

    server = Server(config)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, server.handle_exit)  # to be told to end is no failure
    click.echo(f"noughts is at {address} (Ctrl-C ends it)")
    if opens:
        Timer(0.5, _open, [address]).start()
    server.run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or say why there is none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, where = found[0]
        return socket.create_server(where[:2], family=family, backlog=2048)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NoughtsError(f"cannot listen at {host} port {port}: {reason}") from None


def _address(host: str, port: int) -> str:
    """Return what to type into a browser."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, host)
    return f"http://{f'[{shown}]' if ':' in shown and shown[0] != '[' else shown}:{port}"


def _open(address: str) -> Any:
    """Open a browser, if there is one; what it prints is not for our users."""
    return webbrowser.open(address)
