"""What the page says to people: to whoever clicked, not to whoever writes games down."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from support.browser_page import Window


def test_a_click_that_the_rules_refuse_is_told_why(window: Window) -> None:
    for game, cell, message in (
        ("3x3x3 b2", "b2", "You cannot play b2: it is taken by X"),
        ("ultimate ee ea", "ee", "You cannot play ee: it is taken by X"),
        (
            "ultimate ee ea",
            "ia",
            "You cannot play ia: it is not in board a (top left), where X must play",
        ),
    ):
        window.open(game)
        window.cell(cell).click()
        expect(window.problem.locator("p")).to_have_text(message)
        window.expect_game(game)


def test_what_was_said_of_a_turn_goes_with_it(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    host.open("ultimate", panel="link")
    host.button("Create a link").click()
    expect(host.page.get_by_text("It works on this computer only")).to_be_visible()
    guest.visit(host.page.locator("#room-link").input_value())
    guest.button("Play as O").click()
    expect(guest.button("Resign")).to_be_visible()
    guest.cell("ea").click()
    expect(guest.problem).to_contain_text("It is X's turn.")
    host.cell("ee").click()
    guest.expect_game("ultimate ee")
    expect(guest.problem).to_be_hidden()
    guest.cell("aa").click()
    words = "You cannot play aa: it is not in board e (centre), where O must play"
    expect(guest.problem.locator("p")).to_have_text(words)


def test_opening_nothing_keeps_the_game(window: Window) -> None:
    window.open("4x4x3 b2 a1", panel="share")
    for text in ("", "  \n"):
        window.page.get_by_label("Paste").fill(text)
        window.button("Open").click()
        expect(window.page.locator("#panel-share .fault")).to_have_text("There is nothing to open.")
        window.expect_game("4x4x3 b2 a1")


def test_a_position_that_cannot_be_read_is_not_taken_for_moves(window: Window) -> None:
    window.open("4x4x3 b2 a1", panel="share")
    fault = window.page.locator("#panel-share .fault p").first
    for text, message in (
        ("ultimate:foo", "An Ultimate position is PLAYER;OWNERS;BOARDS"),
        ("x" * 70_000, "This is too long to be a game"),
    ):
        window.page.get_by_label("Paste").fill(text)
        window.button("Open").click()
        expect(fault).to_contain_text(message)
        window.expect_game("4x4x3 b2 a1")
