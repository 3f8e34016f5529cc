"""``noughts serve``: the page and the HTTP API."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from threading import Thread

import click

from noughts.cli.units import TIME
from noughts.errors import MissingExtra

__all__ = ["command"]


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen at; 0 takes any free one.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Worker processes: tasks that run at the same time.  [default: all cores]",
)
@click.option(
    "--max-seconds",
    type=TIME,
    default=30.0,
    show_default=True,
    help="Longest time for one task.",
)
@click.option(
    "--database",
    metavar="FILE",
    help="Save games by link in FILE.  [default: kept until the server ends]",
)
@click.option("--origin", "origins", multiple=True, help="Other site whose pages may use the API.")
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
    Every machine that can reach the address may use it; with the default address, only this
    one.

    \b
    Examples:
      noughts serve --open
      noughts serve --host 0.0.0.0 --port 80 --database games.db
      noughts serve --workers 4 --max-seconds 10s
    """
    try:
        import fastapi  # noqa: F401 - only to check that it is installed
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtra("web", "the page and the HTTP API need FastAPI and uvicorn") from error
    from noughts.web.app import create_app
    from noughts.web.server import Server, listen
    from noughts.web.settings import Settings

    settings = Settings(
        workers=workers or os.cpu_count() or 1,
        ready=1,
        max_seconds=max_seconds,
        database=Path(database) if database else None,
        origins=origins,
    )
    with listen(host, port) as listener:
        server = Server(create_app(settings))
        address = _address(host, listener.getsockname()[1])
        click.echo(f"noughts is at {address} (Ctrl-C ends it)")
        if opens and _has_screen():
            Thread(target=webbrowser.open, args=[address], daemon=True).start()
        server.run_until_signal(listener)


def _address(host: str, port: int) -> str:
    """Return the address to type into a browser."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _has_screen() -> bool:
    """Return whether a browser has a screen; a text browser would take over the terminal."""
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in names)
