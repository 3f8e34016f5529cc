"""Take the pictures of the page in docs/pictures: large and small windows, light and dark.

Games and opponents are given by the address, and what the engine says comes from a search with a
fixed number of nodes, so that the same browser takes the same pictures each time.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from browsing import launch, serving
from playwright.sync_api import Route, sync_playwright

from noughts import Game
from noughts.analysis import analyse
from noughts.limits import Limits

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"

LATE_ULTIMATE = (
    "ultimate ge ef fe ea ab bd de ee ed dd dc ce ei ih he eb ba ae eh ha aa ac cc ch hb bc cb bi"
    " ii ib bf fg gh hh hd di ie ec ca ag gb"
)
PAGES = {
    "play": {"game": "5x5x4 c3 b2 b4 d2 c2", "x": "casual", "o": "person", "panel": "game"},
    "ultimate": {"game": LATE_ULTIMATE, "x": "person", "o": "person", "panel": "analysis"},
    "analysis": {"game": "4x4x3 b2 a1", "x": "person", "o": "person", "panel": "analysis"},
    "learn": {"panel": "learn", "trace": "games", "input": "3x3x3", "step": "1320"},
}
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2},
}
NODES = 20_000
MOST_BYTES = 200_000


def pictures(browser: Browser, address: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each picture."""
    for size, window in SIZES.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(
                **window, color_scheme=scheme, reduced_motion="reduce", locale="en-GB"
            )
            page = context.new_page()
            page.route("**/api/analyse", answer_analysis)
            for name, fields in PAGES.items():
                page.goto("about:blank")
                page.goto(f"{address}/#{urlencode(fields)}")
                page.locator("html[data-ready]").wait_for(state="attached")
                if fields["panel"] == "learn":
                    page.locator(".place").filter(has_text="1,321").wait_for()
                if fields["panel"] == "analysis":
                    page.locator("#board .noughts-value").first.wait_for()
                    page.get_by_role("button", name="Analyse").wait_for()
                    # How long it took, and how much work it was for threads, differs each time.
                    page.locator(".effort").evaluate("line => line.replaceChildren()")
                yield f"page-{name}-{size}-{scheme}.png", page.screenshot()
            context.close()


def answer_analysis(route: Route) -> None:
    """Answer a question as the server does, but after as much work each time."""
    question = json.loads(route.request.post_data or "{}")
    found = analyse(Game.parse(question["game"]).position, Limits(nodes=NODES))
    body = f"event: result\ndata: {json.dumps(found.to_json())}\n\n"
    route.fulfill(body=body, content_type="text/event-stream")


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to; docs/pictures")
    folder = parser.parse_args().folder
    with serving() as address, sync_playwright() as playwright:
        browser = launch(playwright)
        for name, picture in pictures(browser, address):
            if len(picture) > MOST_BYTES:
                raise SystemExit(f"{name} has {len(picture):,} bytes, more than {MOST_BYTES:,}")
            (folder / name).write_bytes(picture)
            print(f"{name}, {len(picture):,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
