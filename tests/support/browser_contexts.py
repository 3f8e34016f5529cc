"""Private windows that tests take one after the other, each as if it were new.

A page opens in half the time where its files are in the cache and the process has compiled
them. So the contexts of a browser are used again, with cache and process, and with nothing
else: each test has a page of its own, and finds nothing stored, allowed or switched off.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser, Page

__all__ = ["Contexts"]

# What moves is drawn many times a second, which only those tests pay for that look at it.
# What a service worker fetches, tests could not stand in front of.
USUAL = {
    "viewport": {"width": 1280, "height": 800},
    "reduced_motion": "reduce",
    "service_workers": "block",
}


class Contexts:
    """The contexts of a browser for the pages of one server."""

    def __init__(self, browser: Browser, address: str, timeout: float) -> None:
        self._browser = browser
        self._address = address
        self._timeout = timeout
        self._free: dict[str, list[_Context]] = defaultdict(list)
        self._taken: dict[Page, _Context] = {}

    def new_page(self, **options: Any) -> Page:
        """Return a page in a context with these options, which no other page shares."""
        options = {**USUAL, **options}
        free = self._free[repr(options)]
        context = free.pop() if free else _Context(self._browser, self._address, options)
        page = context.new_page()
        page.set_default_timeout(self._timeout)
        self._taken[page] = context
        return page

    def give_back(self, page: Page) -> None:
        """Close a page; its context is for the next test, unless it cannot be as it was."""
        context = self._taken.pop(page)
        if context.is_clean_again():
            self._free[repr(context.options)].append(context)


class _Context:
    """A context with a page of no scripts, whose process is there for the pages to come."""

    def __init__(self, browser: Browser, address: str, options: dict[str, Any]) -> None:
        self.options = options
        self._address = address
        self._context = browser.new_context(**options)
        self._keeper = self._context.new_page()
        self._keeper.goto(f"{address}/api/health")
        self._line = self._context.new_cdp_session(self._keeper)

    def new_page(self) -> Page:
        """Return a new page of this context."""
        return self._context.new_page()

    def is_clean_again(self) -> bool:
        """Close all pages, forget what they stored, and return whether all is as it was."""
        for page in self._context.pages:
            if page is not self._keeper:
                page.close()
        if self._keeper.evaluate("'__pwClock' in globalThis"):  # a clock that was replaced stays
            self._context.close()
            return False
        self._context.set_offline(False)
        self._context.clear_cookies()
        self._line.send(
            "Storage.clearDataForOrigin", {"origin": self._address, "storageTypes": "all"}
        )
        return True
