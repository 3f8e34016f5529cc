"""The lessons in a browser: readable on a phone, in light and dark, and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from noughts.exercises.tracing import trace
from noughts.web.assets import STATIC
from support.browser_page import PHONE, Window, violations

LESSONS = sorted(path.name for path in STATIC.glob("learn/*.html"))


def test_every_lesson_is_for_everyone_on_a_phone(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    page = window.page
    for name in LESSONS:
        page.goto(f"{window.address}/learn/{name}")
        assert page.evaluate("document.documentElement.scrollWidth") == 360, name
        assert violations(page) == [], name


def test_a_lesson_is_for_everyone_in_a_large_window(window: Window) -> None:
    page = window.page
    page.goto(f"{window.address}/learn/state.html")
    assert violations(page) == []
    overflowing = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    for name in LESSONS:
        page.goto(f"{window.address}/learn/{name}")
        assert page.locator("pre:has(.keyword), .frame").evaluate_all(overflowing) == 0, name
    text = page.locator("main > p").first.bounding_box()
    assert text is not None
    assert text["width"] < 600  # about 70 characters


def test_the_keyboard_is_enough(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    page = window.page
    page.goto(f"{window.address}/learn")
    expect(page).to_have_url(f"{window.address}/learn/")
    page.get_by_role("link", name="Judge a drawn board").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Judge a drawn board")
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        reached.append(focused.get_attribute("aria-label") or focused.inner_text())
        if reached[-1] == "Code: The solution":
            page.keyboard.press("ArrowRight")
            window.eventually(lambda: page.evaluate("document.activeElement.scrollLeft") > 0, True)
        if focused.get_attribute("rel") == "next":
            break
    assert reached[0].strip() == "noughts"
    assert "Watch it run" in reached
    assert "Code: The solution" in reached
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Replay moves on 3x3")


def test_colours_are_those_chosen_on_the_page(window: Window) -> None:
    page = window.page
    page.goto(f"{window.address}/learn/")
    page.get_by_label("Colours").select_option("dark")
    page.get_by_role("link", name="noughts").click()
    window.wait_until_ready()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_on_paper_there_is_the_text_alone_and_it_is_dark(window: Window) -> None:
    page = window.page
    page.goto(f"{window.address}/learn/")
    page.get_by_label("Colours").select_option("dark")
    page.goto(f"{window.address}/learn/state.html")
    ink = "getComputedStyle(document.querySelector('main')).color"
    assert page.evaluate(ink) != "rgb(27, 34, 46)"
    page.emulate_media(media="print")
    assert page.evaluate(ink) == "rgb(27, 34, 46)"
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for hidden in ("header", "nav.contents", "nav.onward"):
        expect(page.locator(hidden)).to_be_hidden()


def test_a_lesson_leads_to_its_trace(window: Window) -> None:
    page = window.page
    page.goto(f"{window.address}/learn/tic-tac-toe.html")
    page.get_by_role("link", name="Watch it run", exact=True).click()
    window.wait_until_ready()
    run = trace("move", 3, ["0,0,1", "2,0,2", "1,1,1", "2,1,2", "2,2,1"])
    expect(window.status).to_have_text(next(iter(run)).text)
    window.page.keyboard.press("End")
    expect(window.status).to_have_text(list(run)[-1].text)
