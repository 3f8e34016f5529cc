"""The page in a browser window, as those who use it see it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar
from urllib.parse import urlencode

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Locator, Page, Request, Route, expect

from noughts import Game
from noughts.views import view

__all__ = ["PHONE", "VALUED", "Window", "violations"]

T = TypeVar("T")

# In the dark only the colours differ, and with them what these two rules find.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
SCHEMES: dict[Literal["light", "dark"], dict[str, Any]] = {"light": {}, "dark": COLOURS}
# In the frame after a change of colours all of the page has heard of it; then some may fade.
RUN_AXE = """async options => {
    await new Promise(requestAnimationFrame);
    const fading = document.getAnimations().filter(each => each instanceof CSSTransition);
    await Promise.allSettled(fading.map(each => each.finished));
    return (await axe.run(document, options)).violations;
}"""

TRIES, PAUSE = 600, 50  # how often, and how many milliseconds apart, something is looked at
PROBE = "/api/caught"  # no route of the server's, but asked for to see whether it is caught
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


VALUED = "#board [data-worth]:not([data-worth=''])"  # cells of moves with a value, written or not


class Window:
    """A window with the page in it; `faults` are errors of its scripts and refused resources."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._listen)
        self._page_route = page.route
        page.route = self._route  # type: ignore[method-assign]

    def _listen(self, message: ConsoleMessage) -> None:
        # A browser also notes each answer that is an error, which tests ask for on purpose.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(message.text)

    # -- going somewhere ------------------------------------------------------------------

    def open(self, game: str | None = None, **fields: str) -> None:
        """Open the page: as it is by itself, or with a game and other fields in its address.

        Both sides are people's unless the fields say otherwise.
        """
        query = {} if game is None else {"game": game, "x": "person", "o": "person", **fields}
        self.visit(f"{self.address}/#{urlencode(query)}")

    def visit(self, address: str) -> None:
        """Open an address, and wait until the page is ready."""
        if self.page.url != "about:blank":
            self.page.goto("about:blank")  # else a change behind the # would load nothing
        self.page.goto(address)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until the page has started."""
        expect(self.page.locator("html[data-ready]")).to_be_attached()

    def show(self, game: str, **fields: str) -> None:
        """Show another game by its address, in the page that is open."""
        fields = {"game": game, "x": "person", "o": "person", **fields}
        self.page.evaluate("hash => { location.hash = hash; }", urlencode(fields))
        self.expect_game(game)

    def _route(self, url: Any, handler: Any, *, times: int | None = None) -> Any:
        """Do what `page.route` does, and return once not even the next question slips through.

        A page that is open hears a moment later than the browser that someone stands in between.
        """
        routed = self._page_route(url, handler, times=times)
        if not self.page.url.startswith(self.address):  # what comes is loaded anew
            return routed
        caught: list[Route] = []

        def catch(route: Route) -> None:
            caught.append(route)
            route.fulfill()

        def is_caught() -> bool:
            self.page.evaluate("probe => fetch(probe)", PROBE)
            return bool(caught)

        self._page_route(f"**{PROBE}", catch)
        self.eventually(is_caught, True)
        self.page.unroute(f"**{PROBE}")
        return routed

    def hold(self, pattern: str) -> list[Route]:
        """Keep questions of a kind from the server; they are listed as they come."""
        held: list[Route] = []

        def keep(route: Route) -> None:
            held.append(route)

        self.page.route(pattern, keep)
        return held

    def wait_for(self, held: list[Route], count: int) -> None:
        """Wait until so many questions are held."""
        self.eventually(lambda: len(held) >= count, True)

    def requests(self) -> list[str]:
        """Return a list of all requests from now on, as they come: POST /api/move."""
        sent: list[str] = []

        def note(request: Request) -> None:
            if request.url.startswith(self.address) and not request.url.endswith(PROBE):
                sent.append(f"{request.method} {request.url.removeprefix(self.address)}")

        self.page.on("request", note)
        return sent

    # -- what is there ---------------------------------------------------------------------

    def cell(self, name: str) -> Locator:
        """Return a cell of the board."""
        return self.page.locator(f'#board [data-name="{name}"]')

    def button(self, name: str) -> Locator:
        """Return a button by what is on it."""
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def status(self) -> Locator:
        """The line below the board."""
        return self.page.locator("#status")

    @property
    def problem(self) -> Locator:
        """What is said to have gone wrong."""
        return self.page.locator("#problem")

    @property
    def live(self) -> Locator:
        """What screen readers are told."""
        return self.page.locator("#live")

    def game(self) -> str:
        """Return the text of the game on the board, once the server has confirmed it."""
        expect(self.page.locator("#board[aria-busy=false]")).to_be_attached()
        return self.page.locator("#board").get_attribute("data-game") or ""

    @property
    def link(self) -> str:
        """The address, as the page has it: Playwright hears of changes a little later."""
        return str(self.page.evaluate("location.href"))

    def marks(self) -> str:
        """Return the marks on the board, row by row."""
        cells = self.page.locator("#board [role=gridcell]")
        return "".join(cells.evaluate_all("cells => cells.map(cell => cell.dataset.mark)"))

    def values(self) -> dict[str, str]:
        """Return what the names of the cells say about moves, by name: win in 5, 61 %."""
        found: dict[str, str] = {}
        for name, label in self.page.locator(VALUED).evaluate_all(
            "cells => cells.map(cell => [cell.dataset.name, cell.getAttribute('aria-label')])"
        ):
            words = [
                part for part in label.split(", ") if re.match(r"win|draw|loss|estimate", part)
            ]
            found[name] = " ".join(words)
        return found

    def moves(self) -> list[str]:
        """Return the moves as they are listed: undone ones in brackets, the last one starred."""
        buttons: list[list[Any]] = self.page.locator("#moves .move").evaluate_all(
            "all => all.map(one => [one.textContent, one.dataset.undone, one.ariaCurrent !== null])"
        )
        return [
            f"({name})" if undone == "true" else f"{name}*" if current else name
            for name, undone, current in buttons
        ]

    # -- what is expected ------------------------------------------------------------------

    def eventually(self, read: Callable[[], T], wanted: T) -> None:
        """Wait until what is read from the page is as wanted."""
        for _ in range(TRIES):
            if read() == wanted:
                return
            self.page.wait_for_timeout(PAUSE)
        assert read() == wanted

    def expect_marks(self, marks: str) -> None:
        """Wait until the marks on the board are these, row by row."""
        self.eventually(self.marks, marks)

    def expect_game(self, text: str) -> None:
        """Wait until the page shows exactly this game, as the library sees it."""
        seen = view(Game.parse(text))
        expected = "".join(cell["mark"] for cell in seen["cells"])
        shown = self.page.locator("#board[data-game]")
        expect(shown).to_have_attribute("data-game", seen["game"])
        self.expect_marks(expected)

    def play(self, moves: Sequence[str]) -> None:
        """Click cells one after the other, each when the one before has been played."""
        for move in moves:
            played = len(self.moves())
            self.cell(move).click()
            expect(self.page.locator("#moves .move")).to_have_count(played + 1)


def violations(page: Page) -> list[str]:
    """Return what axe finds on a page, best practices included, in light and in dark."""
    found: list[str] = []
    page.evaluate(Axe().axe_script)
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        found += [
            f"{scheme}: {each['id']}: {node['target']} {node['failureSummary']}"
            for each in page.evaluate(RUN_AXE, {"resultTypes": ["violations"], **rules})
            for node in each["nodes"]
        ]
    return found
