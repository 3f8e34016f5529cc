"""For everyone: axe, small and zoomed windows, dark, forced colours, less motion, keys, words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from noughts import Game
from noughts.rules.ultimate import BOARD_NAMES
from noughts.views import view
from support.browser_page import PHONE, VALUED, Window, violations

GAMES = [
    "3x3x3",
    "4x4x3 b2 a1 c3 d4 b3 b4 b1",
    "15x15x5 h8 i9 h9",
    "ultimate ee ea aa ad da ab be eb bb | bc",
    "ultimate ee eb be ea ae ec",
]


def test_axe_finds_nothing_in_a_game(window: Window) -> None:
    window.open()
    for text in GAMES:
        window.show(text)
        assert violations(window.page) == [], text


def test_axe_finds_nothing_in_panels_and_dialogs(window: Window) -> None:
    window.open("4x4x3 b2 a1", panel="analysis")
    expect(window.page.locator("#board .noughts-value")).to_have_count(14)
    expect(window.button("Analyse")).to_be_visible()
    assert violations(window.page) == []
    window.open("ultimate ee ea", panel="analysis")
    window.page.get_by_label("Time to think").select_option("2")
    expect(window.page.locator(VALUED)).to_have_count(9)
    expect(window.button("Analyse")).to_be_visible()
    assert violations(window.page) == []
    window.open("3x3x3 b2 a1 a1", panel="share")  # with a problem
    expect(window.problem).to_be_visible()
    window.page.get_by_label("Paste").fill("3x3x3 zz")
    window.button("Open").click()
    expect(window.page.locator("#panel-share .fault")).not_to_be_empty()
    assert violations(window.page) == []
    window.open("3x3x3 a1 b1 c3 b2 c1 b3")
    window.button("Review").click()
    expect(window.page.locator(".turning li")).to_have_count(3)
    assert violations(window.page) == []
    window.page.locator("h1").click()
    window.page.keyboard.press("?")
    expect(window.page.get_by_role("dialog")).to_be_visible()
    assert violations(window.page) == []


def test_no_sideways_scrolling_at_360_pixels(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    window.open()
    for text in [*GAMES, "3x12x3", "12x3x3", "1x30x5", "40x40x5"]:
        window.show(text)
        for tab in window.page.get_by_role("tab").all():
            tab.evaluate("tab => tab.click()")  # the board stays in sight, perhaps above it
            expect(tab).to_have_attribute("aria-selected", "true")
            assert window.page.evaluate("document.documentElement.scrollWidth") <= 360, text
        port = window.page.locator("#port").bounding_box()  # which may show a part of the board
        assert port is not None
        assert port["x"] >= 0, text
        assert port["x"] + port["width"] <= 360, text


def test_cells_are_large_enough_to_touch(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    window.open("15x15x5")
    box = window.cell("h8").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 23  # larger ones are a touch away: test_zoom.py
    window.cell("h8").tap()
    window.expect_game("15x15x5 h8")


def test_zoomed_to_twice_the_size(new_window: Callable[..., Window]) -> None:
    window = new_window(viewport={"width": 640, "height": 400})  # 1280 x 800 at 200 %
    window.open("ultimate ee ea", panel="share")
    assert window.page.evaluate("document.documentElement.scrollWidth") <= 640
    window.cell("ae").click()
    window.expect_game("ultimate ee ea ae")


def test_the_choice_of_colours_lasts(window: Window) -> None:
    window.open("3x3x3")
    page = window.page.locator("html")
    light = page.evaluate("page => getComputedStyle(page).backgroundColor")
    window.button("Settings").click()
    window.page.get_by_label("Colours").select_option("dark")
    expect(page).not_to_have_css("background-color", light)
    dark = page.evaluate("page => getComputedStyle(page).backgroundColor")
    window.page.reload()
    window.wait_until_ready()
    expect(page).to_have_css("background-color", dark)
    window.button("Settings").click()
    expect(window.page.get_by_label("Colours")).to_have_value("dark")
    window.page.get_by_label("Colours").select_option("auto")
    expect(page).to_have_css("background-color", light)


def test_forced_colours_show_marks(new_window: Callable[..., Window]) -> None:
    window = new_window(forced_colors="active")
    window.open("3x3x3 b2 a1")
    stroke = "cell => getComputedStyle(cell.querySelector('svg')).stroke"
    ground = window.page.evaluate("getComputedStyle(document.body).backgroundColor")
    for name in ("b2", "a1"):
        assert window.cell(name).evaluate(stroke) != ground
    seat = window.page.locator("#seat-x")
    assert seat.evaluate("seat => getComputedStyle(seat).outlineStyle") == "solid"


def test_less_motion_where_it_is_asked_for(new_window: Callable[..., Window]) -> None:
    window = new_window(reduced_motion="reduce")
    window.hold("**/api/move")
    window.open("3x3x3", o="casual", panel="analysis")
    window.cell("b2").click()
    expect(window.status).to_have_text("O is thinking")
    assert window.page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("text", ["3x3x3 b2 a1", "ultimate ee ea ae"])
def test_every_cell_has_a_name(window: Window, text: str) -> None:
    window.open(text)
    seen = view(Game.parse(text))
    labels = window.page.locator("#board [role=gridcell]").evaluate_all(
        "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    )
    for cell, label in zip(seen["cells"], labels, strict=True):
        name, mark = cell["name"], cell["mark"]
        if seen["kind"] == "ultimate":
            board, inner = (BOARD_NAMES["abcdefghi".index(letter)] for letter in name)
            name = f"board {name[0]} {board}, cell {name[1]} {inner}"
        words = [name, "empty" if mark == "." else mark]
        if seen["kind"] == "ultimate" and cell["name"] in seen["legal"]:
            words.append("playable")
        if cell["name"] == seen["last"]:
            words.append("last move")
        assert label == ", ".join(words)
    rows = window.page.locator("#board [role=grid] > [role=row]")
    expect(rows).to_have_count(seen["rows"])


def test_what_is_announced(window: Window) -> None:
    window.open("3x3x3 a1 a2 b1 b2")
    expect(window.live).to_have_text("3x3x3, after 4 moves. X to move.")
    window.page.keyboard.press("ArrowLeft")
    expect(window.live).to_have_text("Back to move 3. O to move.")
    window.page.keyboard.press("ArrowRight")
    expect(window.live).to_have_text("O plays b2. X to move.")
    window.cell("c1").click()
    expect(window.live).to_have_text("X plays c1. X wins.")


def test_the_focus_stays_when_the_computer_moves(window: Window) -> None:
    window.open("3x3x3", o="beginner")
    window.page.keyboard.press("b")
    window.page.keyboard.press("Enter")
    expect(window.page.locator("#moves .move")).to_have_count(2)
    expect(window.cell("b2")).to_be_focused()


def test_help_lists_the_keys_and_closes(window: Window) -> None:
    window.open("3x3x3")
    window.page.keyboard.press("?")
    dialog = window.page.get_by_role("dialog")
    expect(dialog).to_contain_text("one move back")
    described = (Path(__file__).parents[3] / "docs" / "page.md").read_text(encoding="utf-8")
    assert [
        key for key in dialog.locator("kbd").all_text_contents() if f"`{key}`" not in described
    ] == []
    window.page.keyboard.press("n")  # keys of the page do nothing meanwhile
    window.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    window.button("Help: keys and touch (?)").click()
    expect(dialog).to_be_visible()
    window.button("Close").click()
    expect(dialog).to_be_hidden()


def test_tabs_follow_the_arrows(window: Window) -> None:
    window.open("3x3x3 b2")
    window.page.get_by_role("tab", name="Game").focus()
    window.page.keyboard.press("ArrowRight")
    expect(window.page.get_by_role("tab", name="Analysis")).to_be_focused()
    window.page.keyboard.press("End")
    last = window.page.get_by_role("tab").last
    expect(last).to_be_focused()
    expect(last).to_have_attribute("aria-selected", "true")
    window.expect_game("3x3x3 b2")  # and not through the moves


def test_keys_in_fields_are_for_the_fields(window: Window) -> None:
    window.open("3x3x3 b2", panel="share")
    window.page.get_by_label("Paste").focus()
    window.page.keyboard.type("hna? u0")
    expect(window.page.get_by_label("Paste")).to_have_value("hna? u0")
    window.page.keyboard.press("Home")
    window.expect_game("3x3x3 b2")
    expect(window.page.get_by_role("dialog")).to_be_hidden()
