"""How much the page loads, how soon one can play, and whether anything jumps.

A real browser opens the page for the first time, and then once more, on loopback and over a slow
line that Chromium emulates. Requests and bytes are counted where they arrive, in the server, so
what a browser takes from its own cache does not count. Run with ``make bench``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

from playwright.sync_api import Page, sync_playwright
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.web.app import create_app
from noughts.web.server import Server, listen

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))
from browsing import launch  # the same browser as the tests have

RUNS = 3
QUIET_SECONDS = 1.5  # after which nothing more is loaded
LINES = {
    "loopback": None,
    "150 ms, 200 kB/s": {
        "offline": False,
        "latency": 150,
        "downloadThroughput": 200_000,
        "uploadThroughput": 200_000,
    },
}
LOOK = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver(() => {
  if (document.documentElement?.dataset.ready) window.interactive ??= performance.now();
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-ready"] });
"""


class Counter:
    """Counts the requests that reach a server, and the bytes of the responses' bodies."""

    requests = 0
    received = 0

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "http":
            Counter.requests += 1

        async def count(message: Message) -> None:
            Counter.received += len(message.get("body", b""))
            await send(message)

        await self._app(scope, receive, count)


@dataclass(frozen=True)
class Load:
    """What one load of the page took."""

    requests: int
    received: int
    milliseconds: float
    shift: float


@contextmanager
def serving() -> Iterator[str]:
    """Serve the page from a thread, and yield its address."""
    app = create_app()
    app.add_middleware(Counter)
    server = Server(app)
    listener = listen("127.0.0.1", 0)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join()


def load(page: Page, address: str | None) -> Load:
    """Open an address, or reload the page."""
    Counter.requests = Counter.received = 0
    if address:
        page.goto(address)
    else:
        page.reload()
    page.locator("html[data-ready]").wait_for(state="attached")
    time.sleep(QUIET_SECONDS)
    measured: Any = page.evaluate("[window.interactive, window.shifts]")
    return Load(Counter.requests, Counter.received, *measured)


def measure(browser: Any, address: str, line: dict[str, Any] | None, **options: Any) -> list[Load]:
    """Return the first load of the page in a new browser, and a reload."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.add_init_script(LOOK)
    if line:
        context.new_cdp_session(page).send("Network.emulateNetworkConditions", line)
    loads = [load(page, address), load(page, None)]
    context.close()
    return loads


def main() -> None:
    """Measure and print."""
    print(f"the page in Chromium, medians of {RUNS} runs")
    print(f"{'':<34}{'requests':>10}{'kB':>8}{'ready ms':>10}{'shift':>8}")
    with serving() as address, sync_playwright() as playwright:
        browser = launch(playwright)
        measure(browser, address, None)  # starts what the first request starts
        for screen, width, height in (("desktop", 1280, 800), ("phone", 360, 740)):
            for name, line in LINES.items():
                size = {"width": width, "height": height}
                runs = [measure(browser, address, line, viewport=size) for _ in range(RUNS)]
                for kind, loads in zip(("first", "again"), zip(*runs, strict=True), strict=True):
                    print(
                        f"{f'{screen}, {name}, {kind}':<34}"
                        f"{max(each.requests for each in loads):>10}"
                        f"{max(each.received for each in loads) / 1000:>8.1f}"
                        f"{median(each.milliseconds for each in loads):>10.0f}"
                        f"{max(each.shift for each in loads):>8.3f}"
                    )
        browser.close()


if __name__ == "__main__":
    main()
