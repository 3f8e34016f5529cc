"""A server and a real browser, for tests and pictures of the page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

__all__ = ["find_chromium", "launch", "serving", "start_server"]

# The first one is Chromium without windows, which is all that is needed here, and quicker.
_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
_END_SECONDS = 10  # for a server that was told to end


def find_chromium() -> str | None:
    """Return the system's Chromium, or None if there is none; Playwright may have its own then."""
    return next((path for path in map(shutil.which, _NAMES) if path), None)


def launch(playwright: Playwright) -> Browser:
    """Start a browser; where there is none, the error says how to get one."""
    try:
        return playwright.chromium.launch(
            executable_path=find_chromium(),
            # Containers seldom have what the sandbox and shared memory need; only our own page is
            # opened. One way to draw text, so that pictures are the same each time. One process
            # for all pages of a context, so that it starts once.
            args=[
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--font-render-hinting=none",
                "--process-per-site",
            ],
        )
    except Exception as error:
        raise RuntimeError(
            "there is no Chromium to look at the page with; `python scripts/chromium.py` gets one"
        ) from error


def start_server(*options: str, **more: Any) -> tuple[subprocess.Popen[str], str]:
    """Start ``noughts serve``; return the process and its address. What is `more` is for Popen."""
    command = [sys.executable, "-m", "noughts", "serve", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **more)
    assert process.stdout is not None
    greeting = process.stdout.readline()
    found = re.search(r"http://\S+:\d+", greeting)
    if not found:
        process.kill()
        _, complaint = process.communicate()
        raise RuntimeError(f"the server did not say where it is: {greeting!r} {complaint or ''}")
    return process, found.group()


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """Run ``noughts serve`` at a free port, and give its address."""
    process, address = start_server("--port", "0", *options)
    with process:
        try:
            yield address
        finally:
            process.terminate()
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
