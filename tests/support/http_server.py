"""Ways to run the server in tests: in a thread of this process, and as ``noughts serve``.

Both take a free port and end with the block. Processes are for what only shows there: signals,
what is printed, a restart.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from browsing import start_server

from noughts.web.app import create_app
from noughts.web.server import Server, listen
from noughts.web.settings import Settings
from support.cli_runner import allow_ctrl_c, clean_environment

__all__ = ["Process", "process", "serving"]


@contextmanager
def serving(settings: Settings | None = None) -> Iterator[str]:
    """Serve from a thread and yield the address."""
    server = Server(create_app(settings))
    listener = listen("127.0.0.1", 0)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        # Connections wait in the listener until the server takes them.
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


class Process:
    """A server in a process of its own; `url` is where it listens."""

    def __init__(self, *arguments: str) -> None:
        self.popen, self.url = start_server(
            *arguments,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=clean_environment(),
            preexec_fn=allow_ctrl_c,
        )

    @property
    def port(self) -> str:
        """The port, so that another server can take the place of this one."""
        return self.url.rpartition(":")[2]

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End the server by a signal; return its exit code and what it complained about."""
        self.popen.send_signal(number)
        _, err = self.popen.communicate()
        return self.popen.returncode, err


@contextmanager
def process(*arguments: str, port: str = "0") -> Iterator[Process]:
    """Run ``noughts serve``, at a free port unless another is named."""
    server = Process("--port", port, *arguments)
    try:
        yield server
    finally:
        server.popen.kill()
        server.popen.communicate()
