"""Choosing a game, and the board that it gets."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser_page import Window


def test_the_form_has_the_grid_that_is_played(window: Window) -> None:
    window.open("2x6x3 a1")
    for label, value in (("Rows", "2"), ("Columns", "6"), ("In a row", "3")):
        expect(window.page.get_by_label(label, exact=True)).to_have_value(value)
    window.page.get_by_label("Columns", exact=True).fill("5")
    window.button("Play").click()
    window.expect_game("2x5x3")


def test_what_is_above_and_below_is_as_wide_as_the_board(window: Window) -> None:
    for game in ("3x3x3", "15x15x5", "20x20x5", "ultimate"):
        window.open(game)
        widths = window.page.locator("#table > *").evaluate_all(
            "parts => parts.map(part => part.getBoundingClientRect().width)"
        )
        assert len(set(widths)) == 1, (game, widths)
