"""Links that are shared, boards on the pages of other sites, and pictures as a browser has them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import Browser, expect

from noughts import Game
from noughts.drawing import Diagram, draw_svg
from noughts.drawing.png import draw_png
from support.browser_page import Window, violations

GAME = "4x4x3 b2 a1 c3"
SIZE = (600, 315)

COMPARE = """
async ([svg, png, width, height]) => {
  const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  for (const text of drawing.querySelectorAll("text, title, desc")) text.remove();
  const [ground, ...others] = drawing.children;
  const board = document.createElementNS("http://www.w3.org/2000/svg", "g");
  board.append(...others);
  drawing.append(board);
  document.body.replaceChildren(drawing);
  const box = board.getBBox();
  const margin = 0.06 * height;
  const scale = Math.min((width - 2 * margin) / box.width, (height - 2 * margin) / box.height);
  const left = width / 2 - scale * (box.x + box.width / 2);
  const top = height / 2 - scale * (box.y + box.height / 2);
  board.setAttribute("transform", `matrix(${scale} 0 0 ${scale} ${left} ${top})`);
  const sizes = { viewBox: `0 0 ${width} ${height}`, width, height };
  for (const [name, value] of Object.entries(sizes)) drawing.setAttribute(name, value);
  const text = new XMLSerializer().serializeToString(drawing);
  const pixels = async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.drawImage(image, 0, 0, width, height);
    return [image.naturalWidth, image.naturalHeight, canvas.getImageData(0, 0, width, height).data];
  };
  const [, , wanted] = await pixels(`data:image/svg+xml,${encodeURIComponent(text)}`);
  const [naturalWidth, naturalHeight, found] = await pixels(`data:image/png;base64,${png}`);
  let sum = 0;
  let far = 0;
  for (const [index, value] of wanted.entries()) {
    const difference = Math.abs(value - found[index]);
    sum += difference;
    if (difference > 80) far += 1; // edges are smoothed in more than one way
  }
  return { size: [naturalWidth, naturalHeight], mean: sum / wanted.length, far };
}
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_are_what_a_browser_makes_of_the_svg(browser: Browser, theme: str) -> None:
    games = ["3x3x3 a1 a2 b1 b2 c1", "4x5x4 b2 a1", "1x1x1", "12x12x5 f6 g7", "ultimate ee ea aa"]
    diagrams = [Game.parse(game).position.diagram(last=0) for game in games]
    diagrams.append(
        Diagram(9, 9, "XO." * 27, "", owners="XO#.X#O.#", playable=(0, 7), lines=((0, 4, 8),))
    )
    page = browser.new_page()
    for diagram in diagrams:
        picture = draw_png(diagram, theme=theme, width=SIZE[0], height=SIZE[1])
        encoded = base64.b64encode(picture).decode()
        found = page.evaluate(COMPARE, [draw_svg(diagram, theme=theme), encoded, *SIZE])
        assert found["size"] == [*SIZE]
        assert found["mean"] < 1, diagram.caption
        assert found["far"] == 0, diagram.caption
    page.close()


def test_a_link_that_is_shared_shows_the_same(new_window: Callable[..., Window]) -> None:
    window = new_window(permissions=["clipboard-read", "clipboard-write"])
    window.open(GAME, o="casual", panel="share")
    window.button("Link").click()
    expect(window.page.get_by_text("Copied: http")).to_be_visible()
    link = window.page.evaluate("navigator.clipboard.readText()")
    assert link == f"{window.address}/?game=4x4x3+b2+a1+c3&o=casual"
    other = new_window()
    other.visit(link)
    other.expect_game(Game.parse(GAME).text)
    assert other.link.startswith(f"{window.address}/#game=4x4x3+b2+a1+c3&")
    assert "&x=person" in other.link
    assert "&o=casual" in other.link
    other.visit(f"{window.address}/?game=4x4x3+b2&fbclid=abc&utm_source=x#panel=share")
    other.expect_game("4x4x3 b2")
    expect(other.page.get_by_role("tab", name="Share")).to_have_attribute("aria-selected", "true")
    assert "abc" not in other.link
    assert "o=person" in other.link


def test_a_link_to_what_is_no_game_says_so(window: Window) -> None:
    for query, status, said in [
        ("?game=3x3x3+b2+zz", 422, "A move is a cell name"),
        ("?room=nope", 404, "There is no such room"),
    ]:
        response = window.page.goto(f"{window.address}/{query}")
        assert response
        assert response.status == status
        window.wait_until_ready()
        expect(window.problem).to_contain_text(said)
        window.expect_game("3x3x3")


class Elsewhere(BaseHTTPRequestHandler):
    """Another site: whatever is behind the ? of an address of it is in a frame."""

    def do_GET(self) -> None:
        address = unquote(self.path.partition("?")[2])
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f'<iframe src="{address}" width="360" height="440"></iframe>'.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_board_on_another_site(new_window: Callable[..., Window], elsewhere: str) -> None:
    window = new_window(permissions=["clipboard-read", "clipboard-write"])
    window.open(GAME, panel="share")
    window.button("Embed code").click()
    expect(window.page.get_by_text("Copied: <iframe")).to_be_visible()
    code = window.page.evaluate("navigator.clipboard.readText()")
    assert f'src="{window.address}/embed?game=4x4x3+b2+a1+c3"' in code
    window.page.goto(f"{elsewhere}?{window.address}/embed?game=4x4x3+b2+a1+c3")
    frame = window.page.frame_locator("iframe")
    board, count = frame.get_by_role("img"), frame.get_by_role("status")
    expect(count).to_have_text("3 / 3")
    expect(board.locator(".s-x")).to_have_count(2)
    frame.get_by_role("link", name="Back").click()
    expect(count).to_have_text("2 / 3")
    expect(board.locator(".s-x")).to_have_count(1)
    frame.get_by_role("link", name="First position").click()
    expect(count).to_have_text("0 / 3")
    expect(frame.get_by_role("link", name="Back")).to_have_count(0)
    frame.get_by_role("link", name="Last position").click()
    expect(count).to_have_text("3 / 3")
    with window.page.expect_popup() as popup:
        frame.get_by_role("link", name="Play on noughts").click()
    expect(popup.value.locator("#board[data-game='4x4x3 b2 a1 c3']")).to_be_attached()


def test_nothing_else_can_be_framed(window: Window, elsewhere: str) -> None:
    for path in ("/?game=3x3x3", "/api/draw.svg?game=3x3x3", "/docs"):
        window.page.goto(f"{elsewhere}?{quote(window.address + path)}")
        window.eventually(lambda: len(window.faults), 1)
        assert "frame-ancestors 'none'" in window.faults.pop()


@pytest.mark.parametrize("text", ["ultimate ee ea | ae", "XXX/OO./...", "3x3x3 zz"])
def test_axe_finds_nothing_in_an_embedded_board(window: Window, text: str) -> None:
    window.page.goto(f"{window.address}/embed?game={text.replace(' ', '+')}")
    assert violations(window.page) == []
    for width in (360, 200):
        window.page.set_viewport_size({"width": width, "height": 300})
        assert window.page.evaluate("document.documentElement.scrollWidth") <= width
