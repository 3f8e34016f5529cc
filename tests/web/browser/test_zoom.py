"""Large boards on small screens: zoom and pan, and swipes through the moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from support.browser_page import PHONE, Window, violations

COMFORTABLE, TOO_SMALL = 40, 22  # pixels


@pytest.fixture
def phone(new_window: Callable[..., Window]) -> Window:
    return new_window(**PHONE)


def touch(window: Window, *paths: Sequence[tuple[float, float]]) -> None:
    """Move fingers over the screen, each along its own path of as many points."""
    line = window.page.context.new_cdp_session(window.page)
    for number, points in enumerate(zip(*paths, strict=True)):
        kind = "touchStart" if number == 0 else "touchMove"
        fingers = [{"x": x, "y": y, "id": id} for id, (x, y) in enumerate(points)]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    line.detach()


def straight(
    start: tuple[float, float], end: tuple[float, float], steps: int = 8
) -> list[tuple[float, float]]:
    """Return points on a straight way."""
    (x, y), (to_x, to_y) = start, end
    return [(x + (to_x - x) * at / steps, y + (to_y - y) * at / steps) for at in range(steps + 1)]


def box_of(window: Window, query: str) -> dict[str, float]:
    box: Any = window.page.locator(query).bounding_box()
    assert box
    return {name: round(value, 1) for name, value in box.items()}


def width_of(window: Window, name: str) -> float:
    return box_of(window, f'#board [data-name="{name}"]')["width"]


def is_in_sight(window: Window, name: str) -> bool:
    """Whether a cell is seen whole: in the port, and not below the letters and numbers."""
    found: bool = window.page.evaluate(
        """(name) => {
          const boxOf = (query) => document.querySelector(query).getBoundingClientRect();
          const cell = boxOf(`#board [data-name="${name}"]`);
          const port = boxOf("#port");
          return cell.left >= boxOf(".noughts-rows").right - 1 && cell.right <= port.right + 1
            && cell.top >= boxOf(".noughts-columns").bottom - 1 && cell.bottom <= port.bottom + 1;
        }""",
        name,
    )
    return found


def test_a_large_board_begins_with_cells_for_a_finger(phone: Window) -> None:
    phone.open("30x30x5 h8")
    assert width_of(phone, "h8") == pytest.approx(COMFORTABLE, abs=2)
    assert is_in_sight(phone, "h8")
    for name in ("h9", "a1", "ad30"):
        phone.cell(name).tap()
        expect(phone.page.locator("#moves .move").last).to_have_text(name)
    phone.expect_game("30x30x5 h8 h9 a1 ad30")
    for game in ("15x15x5", "10x10x5", "ultimate"):  # a finger finds the cells of the whole board
        phone.show(game)
        expect(phone.page.locator("#port")).to_have_attribute("data-zoomed", "false")
    expect(phone.page.get_by_role("group", name="Size of the cells")).to_be_hidden()


def test_buttons_make_cells_larger_and_nothing_else_moves(phone: Window) -> None:
    phone.open("30x30x5 h8")
    around = ("#port", "#status", "#zoom", "#moves-card", "#seat-o")
    before = {query: box_of(phone, query) for query in around}
    widths = []
    for label, end in (("Smaller cells", "true"), ("Larger cells", "true")):
        button = phone.button(label)
        while button.get_attribute("aria-disabled") != end:
            button.tap()
            widths.append(width_of(phone, "h8"))
            assert {query: box_of(phone, query) for query in around} == before
        button.tap(force=True)  # does nothing more
        assert width_of(phone, "h8") == widths[-1]
    assert min(widths) < 12
    assert max(widths) == pytest.approx(64, abs=2)
    assert widths[-4:] == sorted(widths[-4:])
    assert violations(phone.page) == []


def test_keys_do_the_same(window: Window) -> None:
    window.page.set_viewport_size({"width": 360, "height": 740})
    window.open("30x30x5")
    assert width_of(window, "a1") < TOO_SMALL  # a mouse needs no more
    window.cell("b2").click()
    window.expect_game("30x30x5 b2")
    window.page.keyboard.press("+")
    window.page.keyboard.press("+")
    assert width_of(window, "a1") == pytest.approx(COMFORTABLE, abs=2)
    window.page.keyboard.press("b")
    for key, name in (("Control+End", "ad30"), ("Control+Home", "a1"), ("End", "ad1")):
        window.page.keyboard.press(key)
        expect(window.cell(name)).to_be_focused()
        window.eventually(partial(is_in_sight, window, name), True)
    window.page.keyboard.press("-")
    window.page.keyboard.press("-")
    expect(window.page.locator("#port")).to_have_attribute("data-zoomed", "false")


def test_a_tap_on_a_tiny_cell_goes_there_first(phone: Window) -> None:
    phone.open("30x30x5")
    phone.page.keyboard.press("-")
    phone.page.keyboard.press("-")
    assert width_of(phone, "z28") < TOO_SMALL
    phone.cell("z28").tap()
    assert width_of(phone, "z28") == pytest.approx(COMFORTABLE, abs=2)
    assert is_in_sight(phone, "z28")
    expect(phone.live).to_have_text("Zoomed in. Choose the cell again.")
    phone.expect_game("30x30x5")
    phone.cell("z28").tap()
    phone.expect_game("30x30x5 z28")


def test_two_fingers_zoom_and_one_moves_the_board(phone: Window) -> None:
    phone.open("15x15x5 h8 h9")
    before = box_of(phone, '#board [data-name="h8"]')
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    touch(phone, straight((x - 40, y), (x - 80, y + 10)), straight((x + 40, y), (x + 80, y - 10)))
    after = box_of(phone, '#board [data-name="h8"]')
    assert after["width"] == pytest.approx(2 * before["width"], rel=0.1)
    # What was between the fingers still is.
    assert after["x"] + after["width"] / 2 == pytest.approx(x, abs=6)
    assert after["y"] + after["height"] / 2 == pytest.approx(y, abs=6)
    place = "() => [document.querySelector('#port').scrollLeft, scrollY]"
    here = phone.page.evaluate(place)[0]
    touch(phone, straight((250, y), (130, y), 12))
    phone.eventually(lambda: phone.page.evaluate(place)[0] > here + 60, True)
    phone.expect_game("15x15x5 h8 h9")  # neither a move nor a step
    assert phone.page.evaluate(place)[1] == 0
    touch(phone, straight((60, y), (150, y)), straight((300, y), (210, y)))
    expect(phone.page.locator("#port")).to_have_attribute("data-zoomed", "false")
    phone.cell("a15").tap()
    phone.expect_game("15x15x5 h8 h9 a15")


def test_the_last_move_is_brought_into_sight(phone: Window) -> None:
    phone.open("30x30x5 b2")
    for move in ("ac29", "b29", "o15"):
        game = f"{phone.game()} {move}"
        phone.show(game)
        phone.eventually(partial(is_in_sight, phone, move), True)
        assert phone.page.evaluate("scrollY") == 0


def test_turned_around_the_cells_stay_as_large(phone: Window) -> None:
    phone.open("30x30x5 h8")
    phone.page.set_viewport_size({"width": 740, "height": 360})
    phone.eventually(lambda: abs(width_of(phone, "h8") - COMFORTABLE) < 4, True)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 740
    assert is_in_sight(phone, "h8")


def test_a_swipe_goes_through_the_moves(phone: Window) -> None:
    phone.open("3x3x3 b2 a1 c3")
    port, card = box_of(phone, "#port"), box_of(phone, "#moves-card")
    middle = port["y"] + port["height"] / 2
    left, right = (80.0, middle), (280.0, middle)
    touch(phone, straight(left, right))
    phone.expect_game("3x3x3 b2 a1 | c3")
    touch(phone, straight(left, right))
    phone.expect_game("3x3x3 b2 | a1 c3")
    touch(phone, straight(right, left))
    phone.expect_game("3x3x3 b2 a1 | c3")
    touch(phone, straight((280, card["y"] + 30), (80, card["y"] + 40)))
    phone.expect_game("3x3x3 b2 a1 c3")
    touch(phone, straight((200, middle + 100), (180, middle - 100)))  # the page scrolls
    phone.eventually(lambda: phone.page.evaluate("scrollY") > 50, True)
    phone.expect_game("3x3x3 b2 a1 c3")


def test_a_swipe_goes_through_the_steps_of_a_lesson(phone: Window) -> None:
    phone.visit(f"{phone.address}/#panel=learn&trace=games&input=3x3x3&step=20")
    place = phone.page.locator(".player .place")
    expect(place).to_contain_text("step 21")
    phone.page.evaluate("scrollTo(0, 0)")
    port = box_of(phone, "#port")
    middle = port["y"] + port["height"] / 2
    touch(phone, straight((280, middle), (80, middle)))
    expect(place).to_contain_text("step 22")
    touch(phone, straight((80, middle), (280, middle)))
    expect(place).to_contain_text("step 21")
