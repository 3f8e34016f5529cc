"""The reference of the API: all questions are there, and can be asked."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx
from playwright.sync_api import expect

from support.browser_page import Window, violations


def test_every_question_is_described_and_can_be_asked(window: Window) -> None:
    page = window.page
    document = httpx.get(f"{window.address}/api/openapi.json", trust_env=False).json()
    page.goto(f"{window.address}/docs")
    expect(page.locator("#reference")).to_have_attribute("aria-busy", "false")
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            question = page.locator(f"#{operation['operationId']}")
            expect(question.locator("summary")).to_contain_text(f"{method.upper()} {path}")
    for name in document["components"]["schemas"]:
        expect(page.locator(f"article#{name} h3")).to_have_text(name)
    verdict = page.locator("#post_verdict")
    verdict.locator("summary").click()
    verdict.locator("textarea").fill(json.dumps({"board": "XXX/OOO/..."}))
    verdict.get_by_role("button", name="Ask").click()
    expect(verdict.locator("pre")).to_contain_text('"invalid"')


def test_the_reference_is_for_everyone(new_window: Callable[..., Window]) -> None:
    window = new_window(viewport={"width": 360, "height": 740})
    page = window.page
    page.goto(f"{window.address}/docs")
    expect(page.locator("#reference")).to_have_attribute("aria-busy", "false")
    page.locator("#post_analyse summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert violations(page) == []
