"""The board in a real browser: the text that notebooks load, and a kernel behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browsing import launch
from playwright.sync_api import Browser, Page, expect, sync_playwright

from noughts import Game
from noughts.notebook import board
from noughts.notebook.widget import BoardWidget
from support.browser_page import violations

SECONDS = 30  # to wait for something that has to happen; the machine may be busy

PAGE = "<!doctype html><html lang=en><title>Notebook</title><main><h1>Notebook</h1></main>"

# What a notebook does: it loads one module, and gives it a model and an element.
MODEL = """
async ({ esm, css, shown }) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  const listeners = [];
  window.model = {
    state: { shown },
    get: (name) => window.model.state[name],
    set: (name, value) => (window.model.state[name] = value),
    save_changes: () => {},
    on: (event, listener) => listeners.push([event, listener]),
    off: (event, listener) => {
      const at = listeners.findIndex((each) => each[0] === event && each[1] === listener);
      listeners.splice(at, 1);
    },
    listeners,
    async send(content) {
      await window.kernel(content);
      await window.pull();
    },
  };
  window.pull = async () => {
    window.model.set("shown", await window.shown());
    for (const [event, listener] of listeners) if (event === "change:shown") listener();
  };
  const module = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  const el = document.querySelector("main");
  window.cleanup = module.default.render({ model: window.model, el });
}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def show(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Return what shows a board in a bare page; faults in its scripts are the test's."""
    faults: list[str] = []
    pages: list[Page] = []

    def show(played: BoardWidget, **options: Any) -> Page:
        page = browser.new_page(**{"viewport": {"width": 800, "height": 900}, **options})
        pages.append(page)
        page.set_default_timeout(1000 * SECONDS)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.route("**/*", lambda route: route.abort())  # it needs nothing from anywhere
        page.set_content(PAGE)
        page.expose_function("kernel", lambda content: played._handle_custom_msg(content, []))
        page.expose_function("shown", lambda: played.shown)
        page.evaluate(MODEL, {"esm": played._esm, "css": played._css, "shown": played.shown})
        return page

    yield show
    for page in pages:
        page.close()
    assert faults == []


def cell(page: Page, name: str) -> Any:
    return page.locator(f'[data-name="{name}"]')


def marks(page: Page) -> str:
    cells = page.locator("[role=gridcell]")
    return "".join(cells.evaluate_all("cells => cells.map(cell => cell.dataset.mark)"))


def says(page: Page, status: str) -> None:
    expect(page.get_by_role("status")).to_have_text(status, timeout=1000 * SECONDS)


def test_a_game_by_mouse(show: Callable[..., Page]) -> None:
    played = board("3x3x3")
    page = show(played)
    says(page, "X to move.")
    for move, status in (
        ("b2", "X played b2. O to move."),
        ("a1", "O played a1. X to move."),
        ("c2", "X played c2. O to move."),
        ("a3", "O played a3. X to move."),
        ("a2", "X played a2. X wins."),
    ):
        cell(page, move).click()
        says(page, status)
    assert played.game.text == "3x3x3 b2 a1 c2 a3 a2"
    assert marks(page) == "O..XXXO.."
    page.get_by_role("button", name="Undo").click()
    says(page, "O played a3. X to move.")
    page.get_by_role("button", name="Redo").click()
    says(page, "X played a2. X wins.")
    page.get_by_role("button", name="New").click()
    says(page, "X to move.")
    assert played.game.text == "3x3x3"


def test_a_game_by_keyboard(show: Callable[..., Page]) -> None:
    played = board("3x3x3")
    page = show(played)
    page.keyboard.press("Tab")
    expect(cell(page, "b2")).to_be_focused()
    for keys, status in (
        (["Enter"], "X played b2. O to move."),
        (["Control+Home", "Space"], "O played a1. X to move."),
        (["ArrowDown", "End", "Enter"], "X played c2. O to move."),
        (["ArrowDown", "Home", "Enter"], "O played a3. X to move."),
        (["ArrowUp", "Enter"], "X played a2. X wins."),
    ):
        for key in keys:
            page.keyboard.press(key)
        says(page, status)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    says(page, "O played a3. X to move.")
    assert played.game.text == "3x3x3 b2 a1 c2 a3 | a2"


def test_keys_on_the_board_are_not_the_notebooks(show: Callable[..., Page]) -> None:
    page = show(board("3x3x3"))
    page.evaluate("document.addEventListener('keydown', () => (window.heard = true))")
    cell(page, "b2").focus()
    for key in ("ArrowUp", "Enter", "a", "d"):
        page.keyboard.press(key)
    assert page.evaluate("window.heard") is None
    root = page.locator(".noughts-widget")
    expect(root).to_have_attribute("data-lm-suppress-shortcuts", "true")


def test_ultimate_sends_players_where_they_must_go(show: Callable[..., Page]) -> None:
    played = board("ultimate")
    page = show(played)
    cell(page, "ee").click()
    says(page, "X played ee. O to move in board e (centre).")
    cell(page, "aa").click()
    expect(page.get_by_role("alert")).to_have_text(
        "aa (0) is not in board e (centre), where O must play."
    )
    cell(page, "ea").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    assert played.game.text == "ultimate ee ea"
    legal = page.locator('[role=gridcell][data-legal="true"]')
    names = legal.evaluate_all("cells => cells.map(cell => cell.dataset.name)")
    assert sorted(names) == sorted(map(played.position.move_name, played.position.legal_moves))


def test_the_computer_answers(show: Callable[..., Page]) -> None:
    played = board("3x3x3", o="perfect", values=True)
    page = show(played)
    expect(cell(page, "a1")).to_have_attribute("aria-label", "a1, empty, draw")
    cell(page, "a1").click()
    for _ in range(10 * SECONDS):
        if played.shown["values"] and len(played.game.moves) == 2:
            break
        page.wait_for_timeout(100)
    page.evaluate("window.pull()")
    says(page, "O played b2. X to move.")
    shown = played.shown["values"]
    for name in played.shown["view"]["legal"]:
        assert shown[name]["value"] in (cell(page, name).get_attribute("aria-label") or "")


def test_thinking_is_said(show: Callable[..., Page]) -> None:
    played = board("3x3x3", o="perfect")
    page = show(played)
    page.evaluate(
        "model.set('shown', { ...model.get('shown'), thinking: true }); model.listeners[0][1]()"
    )
    says(page, "X (person) is thinking")


def test_a_view_that_is_gone_listens_no_more(show: Callable[..., Page]) -> None:
    page = show(board("3x3x3"))
    assert page.evaluate("model.listeners.length") == 1
    page.evaluate("window.cleanup()")
    assert page.evaluate("model.listeners.length") == 0


@pytest.mark.parametrize("text", ["3x3x3 b2 a1", "15x15x5 h8", "ultimate ee ea"])
def test_axe_finds_nothing(show: Callable[..., Page], text: str) -> None:
    played = board(text, values=True, seconds=0.2)
    page = show(played)
    cell(page, played.position.move_name(played.game.moves[0])).click()
    expect(page.get_by_role("alert")).to_contain_text("taken")
    assert violations(page) == []
    assert played.game == Game.parse(text)


@pytest.mark.parametrize("width", [320, 800])
@pytest.mark.parametrize("text", ["3x3x3", "15x15x5", "ultimate"])
def test_a_board_fits_its_notebook(show: Callable[..., Page], text: str, width: int) -> None:
    page = show(board(text), viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
