"""The lobby: who plays, which game, and what comes after a game."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from noughts import Game
from support.browser_page import PHONE, Window, violations


def role(window: Window, name: str) -> None:
    """Choose how to take part."""
    radio = window.page.get_by_role("radio", name=name, exact=True)
    window.page.locator(".who .pill").filter(has=radio).click()


def players(window: Window) -> tuple[str, str]:
    """Return who plays X and O, as the address has it."""
    found: list[str] = window.page.evaluate(
        "['x', 'o'].map(side => new URLSearchParams(location.hash.slice(1)).get(side))"
    )
    return found[0], found[1]


def test_one_click_makes_one_o_and_the_computer_begins(window: Window) -> None:
    window.open()
    role(window, "O")
    expect(window.page.locator("#moves .move")).to_have_count(1)
    expect(window.status).to_have_text("Your move, O")
    assert players(window) == ("casual", "person")


def test_ultimate_as_o_against_a_casual_computer_in_three_taps(
    new_window: Callable[..., Window],
) -> None:
    window = new_window(**PHONE)
    window.open()
    window.button("New game").tap()
    role(window, "O")
    window.page.locator(".choice[data-start=ultimate]").tap()
    window.page.get_by_role("dialog", name="How to play").press("Escape")  # this once
    expect(window.page.locator("#moves .move")).to_have_count(1)
    assert window.game().startswith("ultimate ")
    assert players(window) == ("casual", "person")
    # Whose turn it is, and where to play, is in sight.
    status = window.status.bounding_box()
    assert status
    assert status["y"] + status["height"] < 660  # above the bar


def test_both_sides_and_levels(window: Window) -> None:
    window.open()
    role(window, "Both sides")
    assert players(window) == ("person", "person")
    expect(window.page.get_by_label("Against")).to_be_hidden()
    role(window, "X")
    window.page.get_by_label("Against").select_option("perfect")
    assert players(window) == ("person", "perfect")
    window.page.locator(".choice[data-start=ultimate]").click()
    window.expect_game("ultimate")
    assert players(window)[0] == "person"
    levels = window.page.get_by_label("Against").locator("option").all_text_contents()
    assert levels == ["Beginner", "Casual", "Skilled", "Strong", "Expert", "Full"]


def test_chance_picks_the_side_of_each_game(window: Window) -> None:
    window.open()
    window.page.evaluate(
        "() => { crypto.getRandomValues = bytes => { bytes[0] = window.next; return bytes; }; }"
    )
    for number, sides in ((1, ("casual", "person")), (0, ("person", "casual"))):
        window.page.evaluate(f"window.next = {number}")
        role(window, "Both sides")
        role(window, "Random")
        assert players(window) == sides
        expect(window.page.get_by_role("radio", name="Random")).to_be_checked()
    window.page.evaluate("window.next = 1")
    window.page.locator(".choice[data-start='4x4x3']").click()
    window.eventually(lambda: players(window), ("casual", "person"))


def test_a_board_without_room_for_a_line_is_pointed_out(window: Window) -> None:
    window.open()
    for label, number in (("Rows", "3"), ("Columns", "4"), ("In a row", "5")):
        window.page.get_by_label(label).fill(number)
    warning = window.page.locator(".custom [role=status]")
    expect(warning).to_have_text("No line of 5 fits this board: every game is a draw.")
    window.page.get_by_label("Columns").fill("5")
    expect(warning).to_be_empty()
    window.open("3x3x5 b2", panel="share")  # came by a link
    expect(window.page.locator("#detail")).to_have_text("No line of 5 fits: every game is a draw.")
    window.show("3x4x4 b2", panel="share")
    expect(window.page.locator("#detail")).to_be_hidden()


# --------------------------------------------------------------------------------- how to play


def test_ultimate_is_explained_once(window: Window) -> None:
    window.open()
    window.page.locator(".choice[data-start=ultimate]").click()
    dialog = window.page.get_by_role("dialog", name="How to play")
    for number, words in enumerate(("capture a small board", "must play in next", "anywhere"), 1):
        expect(dialog.get_by_role("status")).to_contain_text(words)
        expect(dialog).to_contain_text(f"{number} of 3")
        assert violations(window.page) == []
        window.page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    window.expect_game("ultimate")
    window.page.locator(".choice[data-start=ultimate]").click()
    window.page.wait_for_timeout(300)
    expect(dialog).to_be_hidden()


def test_how_to_play_shows_the_game_on_the_board(window: Window) -> None:
    window.open("5x5x4")
    window.button("How to play").click()
    dialog = window.page.get_by_role("dialog", name="How to play")
    window.button("Next").click()
    expect(dialog.get_by_role("status")).to_have_text(
        "Four in a row win: across, down, or along a diagonal."
    )
    expect(dialog.locator(".noughts-strike")).to_have_count(1)  # it stands still
    window.button("Back").click()
    expect(dialog.get_by_role("status")).to_contain_text("Take turns")
    window.page.keyboard.press("Escape")
    window.expect_game("5x5x4")


def test_how_to_play_moves(new_window: Callable[..., Window]) -> None:
    window = new_window(reduced_motion="no-preference")
    window.open("3x3x3")
    window.button("How to play").click()
    window.button("Next").click()
    marks = window.page.locator(".howto-board .noughts-mark")
    for count in (1, 2, 3):
        expect(marks).to_have_count(count)


# ----------------------------------------------------------------------------------- the sheet


def test_the_sheet_comes_and_goes(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    window.open("3x3x3 b2")
    sheet = window.page.get_by_role("dialog", name="New game")
    ways: list[Callable[[], None]] = [
        lambda: window.page.keyboard.press("Escape"),
        lambda: window.button("Close").click(),
        lambda: window.page.mouse.click(180, 10),  # beside it
    ]
    for close in ways:
        window.button("New game").click()
        expect(sheet).to_be_visible()
        expect(sheet.locator(".choice").first).to_be_visible()
        assert violations(window.page) == []
        close()
        expect(sheet).to_be_hidden()
        window.expect_game("3x3x3 b2")
    expect(window.page.locator("#panels .lobby")).to_be_visible()
    window.button("New game").click()
    for label, number in (("Rows", "4"), ("Columns", "7"), ("In a row", "4")):
        window.page.get_by_label(label).fill(number)
    window.button("Play").click()
    expect(sheet).to_be_hidden()
    window.expect_game("4x7x4")


def test_the_bar_stays_in_sight(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    window.open("15x15x5")
    for where in (0, 10_000):
        window.page.evaluate(f"scrollTo(0, {where})")
        for name in ("Undo", "Hint", "Analysis", "New game"):
            box = window.button(name).bounding_box()
            assert box
            assert 660 < box["y"] < box["y"] + box["height"] <= 740
    window.button("Analysis").click()
    expect(window.button("Analysis")).to_have_attribute("aria-pressed", "true")


# ------------------------------------------------------------------------------ after a game


@pytest.mark.parametrize(
    ("sides", "text"),
    [(("person", "casual"), "You won"), (("casual", "person"), "You lost")],
)
def test_a_result_is_told_from_the_side_of_the_person(
    window: Window, sides: tuple[str, str], text: str
) -> None:
    window.open("3x3x3 a1 a2 b1 b2 c1", x=sides[0], o=sides[1])
    expect(window.status).to_have_text(text)
    expect(window.page.locator("#detail")).to_have_text("X has a1 b1 c1, after 5 moves.")
    expect(window.page.locator("#seat-x")).to_have_attribute("data-winner", "true")
    window.button("Swap sides").click()
    window.eventually(lambda: players(window), (sides[1], sides[0]))
    expect(window.page.locator("#board")).to_have_attribute("data-game", "3x3x3")


def test_a_draw_has_a_state_of_its_own(window: Window) -> None:
    window.open("3x3x3 a1 b1 c1 b2 a2 c2 b3 a3 c3", o="casual")
    assert Game.parse("3x3x3 a1 b1 c1 b2 a2 c2 b3 a3 c3").outcome is not None
    expect(window.status).to_have_text("A draw")
    expect(window.page.locator("#detail")).to_have_text("After 9 moves.")
    expect(window.page.locator(".button.strong:visible")).to_have_text(["Rematch"])
    window.button("Rematch").click()
    window.expect_game("3x3x3")
    expect(window.button("Rematch")).to_be_hidden()


def test_redo_plays_again_what_undo_took_back(window: Window) -> None:
    game = "3x3x3 b2 a1 c3 a3"
    window.open(game, o="casual")
    window.button("Undo").click()
    window.expect_game("3x3x3 b2 a1 | c3 a3")
    window.button("Redo").click()
    window.expect_game(game)
    window.page.keyboard.press("Control+z")
    window.expect_game("3x3x3 b2 a1 | c3 a3")
    window.page.keyboard.press("Control+y")
    window.expect_game(game)
    expect(window.button("Redo")).to_have_attribute("aria-disabled", "true")


def test_a_winning_line_leaves_the_marks_whole(window: Window) -> None:
    """Along a diagonal it lies on an arm of each X, so it must be thinner than these."""
    window.open("3x3x3 a1 a2 b2 c1 c3")
    widths = [
        float(
            window.page.locator(f"#board {part} path")
            .first.evaluate("path => getComputedStyle(path).strokeWidth")
            .removesuffix("px")
        )
        for part in (".noughts-strike", ".noughts-mark")
    ]
    assert 0 < widths[0] <= 0.6 * widths[1]
    assert window.page.locator("#board .noughts-halo").count() == 0
