"""Addresses: reloading, going back, links to others, and links that are wrong or mean harm."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import expect

from support.browser_page import Window

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "3x3x3 <svg/onload=alert(1)>",
    'javascript:alert(1)//" onmouseover="alert(1)',
    "3x3x3:X../.../...' onfocus='alert(1)",
    "\u202e3x3x3\0 b2",
    "💥" * 100,
]


def test_a_reload_keeps_everything(window: Window) -> None:
    window.open("ultimate ee ea | aa", o="strong", panel="share")
    window.page.reload()
    window.wait_until_ready()
    window.expect_game("ultimate ee ea | aa")
    expect(window.page.get_by_label("O is played by")).to_have_value("strong")
    expect(window.page.get_by_role("tab", name="Share")).to_have_attribute("aria-selected", "true")


def test_a_reload_in_the_middle_of_a_game(window: Window) -> None:
    window.open()
    window.cell("b2").click()
    expect(window.page.locator("#moves .move")).to_have_count(2)
    game = window.game()
    window.page.reload()
    window.wait_until_ready()
    window.expect_game(game)
    expect(window.status).to_have_text("Your move, X")


def test_a_link_restores_everything_elsewhere(new_window: Callable[..., Window]) -> None:
    one, other = new_window(), new_window()
    one.open("4x4x3")
    one.play(["b2", "a1", "c3"])
    one.page.keyboard.press("ArrowLeft")
    one.expect_game("4x4x3 b2 a1 | c3")
    one.page.get_by_label("X is played by").select_option("casual")
    one.page.get_by_role("tab", name="Share").click()
    expect(one.page.get_by_role("tab", name="Share")).to_have_attribute("aria-selected", "true")
    other.visit(one.link)
    other.expect_game("4x4x3 b2 a1 | c3")
    expect(other.page.get_by_label("X is played by")).to_have_value("casual")
    expect(other.page.get_by_label("O is played by")).to_have_value("person")
    expect(other.page.get_by_role("tab", name="Share")).to_have_attribute("aria-selected", "true")


def test_back_and_forward(window: Window) -> None:
    window.open("3x3x3")
    for move in ("b2", "a1"):  # each is an entry of the history once it is confirmed
        window.play([move])
        window.game()
    window.page.locator("[data-start='4x4x3']").click()
    window.expect_game("4x4x3")
    window.page.go_back()
    window.expect_game("3x3x3 b2 a1")
    window.page.go_back()
    window.expect_game("3x3x3 b2")
    window.page.go_forward()
    window.expect_game("3x3x3 b2 a1")
    window.page.go_forward()
    window.expect_game("4x4x3")


def test_back_leads_to_where_a_person_has_to_move(window: Window) -> None:
    window.open("3x3x3", o="casual")
    window.cell("b2").click()
    expect(window.page.locator("#moves .move")).to_have_count(2)
    window.page.go_back()
    window.expect_game("3x3x3")
    expect(window.status).to_have_text("Your move, X")


def test_an_address_that_is_typed_opens_a_game(window: Window) -> None:
    window.open("3x3x3")
    window.page.evaluate("location.hash = '#game=4x4x3+b2&o=person'")
    window.expect_game("4x4x3 b2")


def test_a_bad_link_is_pointed_at_and_there_is_a_game(window: Window) -> None:
    window.open("3x3x3 b2 b2 c3")
    expect(window.problem).to_contain_text("is taken by X")
    expect(window.problem.locator("mark")).to_have_text("b")
    expect(window.problem.locator(".pointed")).to_have_text("3x3x3 b2 b2 c3")
    window.expect_game("3x3x3")
    window.play(["a1"])


def test_a_bad_address_keeps_the_game_on_the_board(window: Window) -> None:
    window.open("3x3x3 b2")
    window.page.evaluate("location.hash = '#game=nonsense'")
    expect(window.problem).to_be_visible()
    window.expect_game("3x3x3 b2")


def test_hostile_addresses_do_no_harm(window: Window) -> None:
    window.page.on("dialog", lambda dialog: window.faults.append(f"dialog: {dialog.message}"))
    fields = ["game", "x", "o", "panel", "other"]
    for text in HOSTILE:
        window.visit(f"{window.address}/#{urlencode(dict.fromkeys(fields, text))}")
        expect(window.problem).to_be_visible()
        assert window.page.locator("#problem :is(img, script, svg)").count() == 0, text
        window.expect_game("3x3x3")
        expect(window.page.locator("[role=tab][aria-selected=true]")).to_have_text("Game")


def test_a_huge_address_does_no_harm(window: Window) -> None:
    window.visit(f"{window.address}/#game={'3x3x3+b2+' * 5000}")
    expect(window.problem).to_contain_text("characters")
    window.expect_game("3x3x3")
    window.open("1000x1000x5")
    expect(window.problem).to_contain_text("cells")
    window.expect_game("3x3x3")
