"""How the page loads: little on the line, less the second time, and nothing that jumps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

SLOW = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 200_000,
    "uploadThroughput": 200_000,
}
SUM_SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(params=[(1280, 800), (360, 740)], ids=["desktop", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Give a window whose browser has a cache: one that tests listen in on has none."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    yield context.new_page()
    context.close()


def come_over_the_line(page: Page) -> dict[str, int]:
    """Return a record, kept up to date, of what is not from the browser's own cache: its bytes."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    paths: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def respond(event: Any) -> None:
        response = event["response"]
        if not response["fromDiskCache"] and not response.get("fromServiceWorker"):
            paths[event["requestId"]] = response["url"]

    def finish(event: Any) -> None:
        if event["requestId"] in paths and event["encodedDataLength"]:
            sizes[paths[event["requestId"]]] = int(event["encodedDataLength"])

    line.on("Network.responseReceived", respond)
    line.on("Network.loadingFinished", finish)
    return sizes


def wait_until_loaded(page: Page) -> None:
    expect(page.locator("html[data-ready]")).to_be_attached()
    page.wait_for_load_state("networkidle")


def test_the_first_load_is_small_and_the_second_takes_almost_nothing(
    page: Page, address: str
) -> None:
    loaded = come_over_the_line(page)
    page.goto(f"{address}/")
    wait_until_loaded(page)
    assert len(loaded) > 10
    assert sum(loaded.values()) < 120_000
    loaded.clear()
    page.reload()
    wait_until_loaded(page)
    assert 0 < len(loaded) <= 10, loaded
    assert not any("/js/" in url or "/css/" in url for url in loaded)


@pytest.mark.parametrize("game", ["3x3x3", "ultimate", "7x7x5"])
def test_nothing_jumps_on_a_slow_line(page: Page, address: str, game: str) -> None:
    page.add_init_script(SUM_SHIFTS)
    line = page.context.new_cdp_session(page)
    line.send("Network.emulateNetworkConditions", SLOW)
    page.goto(f"{address}/#game={game}&x=person&o=person")
    wait_until_loaded(page)
    assert page.evaluate("window.shifts") < 0.05
