"""The reference of the API: all routes are there, can be found, and can be tried."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx
from playwright.sync_api import Locator, Page, expect

from support.browser_page import Window, violations


def opened(window: Window) -> Page:
    window.page.goto(f"{window.address}/docs")
    expect(window.page.locator("#reference")).to_have_attribute("aria-busy", "false")
    return window.page


def route(page: Page, method: str, path: str) -> Locator:
    """Return a route, which is opened."""
    found = page.locator(f".opblock-{method}", has=page.locator(f'[data-path="{path}"]'))
    found.locator(".opblock-summary-control").click()
    return found


def test_every_route_is_described(window: Window) -> None:
    document = httpx.get(f"{window.address}/api/openapi.json", trust_env=False).json()
    page = opened(window)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            shown = page.locator(f"[id$='-{operation['operationId']}']")
            expect(shown.locator(".opblock-summary-method")).to_have_text(method.upper())
            expect(shown.locator("[data-path]")).to_have_attribute("data-path", path)
            expect(shown.locator(".opblock-summary-description")).to_have_text(operation["summary"])
            assert "`" not in operation["summary"]
    expect(page.locator(".info code").first).to_have_text("4x4x3 b2 a1")


def test_a_route_with_a_body_can_be_tried(window: Window) -> None:
    page = opened(window)
    verdict = route(page, "post", "/api/verdict")
    verdict.locator("textarea.body-param__text").fill(json.dumps({"board": "XXX/OOO/..."}))
    verdict.get_by_role("button", name="Execute").click()
    expect(verdict.locator(".live-responses-table")).to_contain_text('"invalid"')
    expect(verdict.locator(".live-responses-table tbody .response-col_status")).to_contain_text(
        "200"
    )


def test_a_route_with_parameters_and_a_secret_can_be_tried(window: Window) -> None:
    page = opened(window)
    rooms = route(page, "post", "/api/rooms")
    rooms.get_by_role("button", name="Execute").click()
    expect(rooms.locator(".live-responses-table")).to_contain_text('"secret"')
    room = route(page, "get", "/api/rooms/{room}")
    room.locator("tr[data-param-name=room] input").fill("nowhere")
    room.get_by_role("button", name="Execute").click()
    expect(room.locator(".live-responses-table")).to_contain_text("not_found")


def test_routes_are_found_by_what_they_do(window: Window) -> None:
    page = opened(window)
    shown = page.locator(".opblock-summary-path")
    count = shown.count()
    page.get_by_label("Search the routes").fill("Canonical form")
    expect(shown).to_have_count(1)
    expect(shown).to_have_attribute("data-path", "/api/twins")
    page.get_by_label("Search the routes").fill("")
    expect(shown).to_have_count(count)


def test_the_reference_is_for_everyone(new_window: Callable[..., Window]) -> None:
    page = opened(new_window(viewport={"width": 360, "height": 740}))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert violations(page) == []


def test_the_reference_has_the_colours_of_the_page(window: Window) -> None:
    page = opened(window)
    for theme in ("dark", "light"):
        page.get_by_label("Colours").select_option(theme)
        expect(page.locator("html.dark-mode")).to_have_count(int(theme == "dark"))
