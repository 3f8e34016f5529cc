"""The game as text and picture, and back: copy, paste, save."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from noughts import Game
from noughts.drawing import COLOURS
from noughts.rules.ultimate import UltimatePosition
from support.browser_page import Window

FEN = UltimatePosition.start().play(40).fen


def paste(window: Window, text: str) -> None:
    """Paste as Ctrl+V does, wherever the focus is."""
    window.page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            const options = {clipboardData: data, bubbles: true, cancelable: true};
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", options));
        }""",
        text,
    )


def test_every_text_form_can_be_pasted(window: Window) -> None:
    window.open()
    for text in (
        "4x4x3 b2 a1 c3",
        "3x3x3 b2 a1 | c3",
        "XX./OO./...",
        "4x4x3:XX../OO../..../....",
        "XO / X /  O",
        "ultimate 40,36 0",
        "ultimate-open ee ea",
        FEN,
        f"{FEN} ea",
        UltimatePosition.start().play(40).text,
    ):
        window.show("5x5x4")
        paste(window, text)
        window.expect_game(Game.parse(text).text)


def test_moves_alone_are_moves_of_the_game_on_the_board(window: Window) -> None:
    window.open("4x4x3 d4")
    paste(window, "b2 a1\nc3")
    window.expect_game("4x4x3 b2 a1 c3")


def test_what_people_paste_is_read(window: Window) -> None:
    window.open("4x4x3 b2")
    link = window.link
    for text, game in (
        ("1. b2 a1 2. c3", "4x4x3 b2 a1 c3"),
        ("B3 A1", "4x4x3 b3 a1"),
        ("ULTIMATE EE EA", "ultimate ee ea"),
        ('["XOX","O O","XOX"]', "3x3x3:XOX/O.O/XOX"),
        ("X | O | X\n---+---+---\n  | X |  \n---+---+---\n  |   | O", "3x3x3:XOX/.X./..O"),
        (link, "4x4x3 b2"),
        (f"{window.address}/?game=4x4x3+c3", "4x4x3 c3"),
    ):
        window.page.get_by_role("tab", name="Share").click()
        window.page.get_by_label("Paste").fill(text)
        window.button("Open").click()
        window.expect_game(game)


def test_a_bad_paste_is_pointed_at_and_the_game_is_kept(window: Window) -> None:
    window.open()
    for text, bad, message in (
        ("3x3x3 b2 b2", "b", "is taken by X"),
        ("b2 a1 a1", "a", "is taken by O"),
        ("XX?/OO./...", "?", "'?'"),
        ("3x3x3 b2 <b>bold</b>", "<", "<b>bold</b>"),
        ("ultimate ee aa", "a", "where O must play"),
    ):
        window.show("3x3x3 c3")
        paste(window, text)
        fault = window.page.locator("#panel-share .fault")
        expect(fault).to_contain_text(message)
        expect(fault.locator("mark")).to_have_text(bad)
        expect(fault.locator(".pointed")).to_have_text(text)
        expect(window.page.get_by_label("Paste")).to_have_value(text)
        window.expect_game("3x3x3 c3")
        window.page.get_by_label("Paste").fill("3x3x3 b2")
        window.button("Open").click()
        window.expect_game("3x3x3 b2")
        expect(fault).to_be_empty()


def test_hostile_pastes_do_no_harm(window: Window) -> None:
    window.page.on("dialog", lambda dialog: window.faults.append(f"dialog: {dialog.message}"))
    window.open("3x3x3 c3")
    for text in ["<img src=x onerror=alert(1)>", "X" * 30_000, "\0", "3x3x3/../etc", "💥 b2"]:
        paste(window, text)
        expect(window.page.locator("#panel-share .fault")).not_to_be_empty()
        assert window.page.locator("#panel-share .fault img").count() == 0
        window.expect_game("3x3x3 c3")
        window.page.locator("h1").click()


def test_copying(new_window: Callable[..., Window]) -> None:
    window = new_window(permissions=["clipboard-read", "clipboard-write"])
    window.open("3x3x3 b2 a1 | c3", panel="share")
    read = "navigator.clipboard.readText()"
    said = window.page.locator("#panel-share .said")
    for label, text in (
        ("Game", "3x3x3 b2 a1 | c3"),
        ("Position", Game.parse("3x3x3 b2 a1").position.text),
        ("Link", f"{window.address}/?game=3x3x3+b2+a1+|+c3"),
    ):
        window.button(label).click()
        expect(said).to_have_text(f"Copied: {text}")
        assert window.page.evaluate(read) == text
    window.page.locator("h1").click()
    window.page.keyboard.press("c")
    expect(window.problem).to_contain_text("Copied: 3x3x3 b2 a1 | c3")


COLOURS_OF_PICTURE = """
async (encoded) => {
  const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, picture.width, picture.height);
  const found = new Set();
  for (let at = 0; at < data.length; at += 4)
    found.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
  return [...found].map((colour) => `#${colour.toString(16).padStart(6, "0")}`);
}
"""


def test_pictures(window: Window, tmp_path: Path) -> None:
    window.open("ultimate ee ea", panel="share")
    for label, name, begin in (
        ("SVG", "noughts.svg", b"<svg "),
        ("PNG", "noughts.png", b"\x89PNG\r\n"),
    ):
        with window.page.expect_download() as download:
            window.button(label).click()
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begin)
    assert "X to move in board a" in (tmp_path / "noughts.svg").read_text()
    size = (tmp_path / "noughts.png").read_bytes()[16:24]
    assert int.from_bytes(size[:4]) > 1000
    expect(window.page.locator("#panel-share .said")).to_have_text(re.compile("Saved"))


def test_pictures_have_the_colours_of_the_page(window: Window, tmp_path: Path) -> None:
    """The page may be dark where the system is light."""
    window.open("ultimate ee ea", panel="share")
    for number, theme in enumerate(("auto", "dark", "light")):
        window.button("Settings").click()
        window.page.get_by_label("Colours").select_option(theme)
        pictures = {}
        for label in ("SVG", "PNG"):
            with window.page.expect_download() as download:
                window.button(label).click()
            download.value.save_as(tmp_path / f"{number}.{label}")
            pictures[label] = (tmp_path / f"{number}.{label}").read_bytes()
        assert f"noughts-{theme}" in pictures["SVG"].decode()
        found = window.page.evaluate(COLOURS_OF_PICTURE, b64encode(pictures["PNG"]).decode())
        index = int(theme == "dark")
        names = ("paper", "shade", "accent-tint", "accent", "x", "o", "last")
        assert [name for name in names if COLOURS[name][index] not in found] == []
