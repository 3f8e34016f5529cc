"""A server for the tests of the page, a browser, and windows for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browsing import launch, serving
from playwright.sync_api import Browser, expect, sync_playwright

from support.browser_contexts import Contexts
from support.browser_page import Window

SECONDS = 30  # to wait for something that has to happen; the machine may be busy

expect.set_options(timeout=1000 * SECONDS)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Give the address of the page."""
    with serving("--workers", "2", "--max-seconds", "20s") as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Give a browser; not for the whole session, as asyncio is not free while it is open."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def contexts(browser: Browser, address: str) -> Contexts:
    """Give contexts of the browser, which tests take one after the other."""
    return Contexts(browser, address, 1000 * SECONDS)


@pytest.fixture
def new_window(contexts: Contexts, address: str) -> Iterator[Callable[..., Window]]:
    """Open windows that know nothing of each other; a fault in any of them is the test's."""
    windows: list[Window] = []

    def new(**options: Any) -> Window:
        windows.append(Window(contexts.new_page(**options), address))
        return windows[-1]

    yield new
    for window in windows:
        contexts.give_back(window.page)
    assert [fault for window in windows for fault in window.faults] == []


@pytest.fixture
def window(new_window: Callable[..., Window]) -> Window:
    """Give a window of a usual size."""
    return new_window()
