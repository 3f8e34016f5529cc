"""What each reader sets for themselves: sounds and animations; for colours see test_access.py."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from support.browser_page import PHONE, Window, violations

# Instead of being heard, tones are listed: their frequencies.
SILENT = """
window.heard = [];
window.AudioContext = class {
  currentTime = 0;
  destination = null;
  resume() {}
};
window.OscillatorNode = class {
  constructor(audio, { frequency }) { this.frequency = frequency; }
  connect(node) { return node; }
  start() { window.heard.push(this.frequency); }
  stop() {}
};
window.GainNode = class {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  connect(node) { return node; }
};
"""
ANIMATED = "() => document.getAnimations().length > 0"


def switch(window: Window, name: str) -> Locator:
    """Open the settings; return a switch."""
    found = window.page.get_by_role("switch", name=name)
    if not found.is_visible():
        window.button("Settings").click()
    return found


def heard(window: Window) -> list[int]:
    """Return the tones since this was asked last."""
    return list(window.page.evaluate("window.heard.splice(0)"))


def wait_for_sounds(window: Window, taken: str) -> None:
    """Click a cell that is taken until that is heard: sounds are loaded after the page."""

    def is_refused() -> bool:
        window.cell(taken).click()
        return heard(window) != []

    window.eventually(is_refused, True)


@pytest.fixture
def quiet(window: Window) -> Window:
    window.page.add_init_script(SILENT)
    return window


def test_sounds_of_a_game(quiet: Window) -> None:
    quiet.open("3x3x3")
    quiet.play(["b2"])
    assert heard(quiet) == []  # until one wants to hear something
    switch(quiet, "Sounds").check()
    quiet.eventually(lambda: quiet.page.evaluate("window.heard.length"), 1)  # this is how it sounds
    heard(quiet)
    quiet.page.keyboard.press("Escape")
    sounds: dict[str, list[int]] = {}
    acts: dict[str, Callable[[], None]] = {
        "O": lambda: quiet.play(["a1"]),
        "X": lambda: quiet.play(["c3"]),
        "refusal": lambda: quiet.cell("c3").click(),
        "back": lambda: quiet.page.keyboard.press("ArrowLeft"),
        "forward": lambda: quiet.page.keyboard.press("ArrowRight"),
        "O again": lambda: quiet.play(["a2"]),
    }
    for what, act in acts.items():
        act()
        quiet.game()
        sounds[what] = heard(quiet)
    assert len(sounds["X"]) == len(sounds["O"]) == 1
    assert sounds["X"] != sounds["O"]
    assert sounds["O again"] == sounds["O"]
    assert sounds["back"] == []
    assert sounds["forward"] == sounds["X"]
    assert len(sounds["refusal"]) > 1
    assert sounds["refusal"][0] < min(sounds["X"] + sounds["O"])


def test_how_a_game_ends_is_heard_once(quiet: Window) -> None:
    ends = {
        "win": ("3x3x3 a1 a2 b1 b2", "c1", "You won"),
        "loss": ("3x3x3 a1 b2 c3 b1", "a3", "You lost"),
        "draw": ("3x3x3 b2 a1 c3 c1 b1 b3 a2 c2", "a3", "A draw"),
    }
    quiet.open("3x3x3")
    switch(quiet, "Sounds").check()
    found = {}
    for name, (game, last, words) in ends.items():
        quiet.open(game, o="perfect")
        wait_for_sounds(quiet, "a1")
        quiet.cell(last).click()
        expect(quiet.status).to_have_text(words)
        moves = 2 if name == "loss" else 1  # with the computer's
        found[name] = heard(quiet)[moves:]
        quiet.page.keyboard.press("ArrowLeft")
        quiet.page.keyboard.press("ArrowRight")
        expect(quiet.status).to_have_text(words)
        assert len(heard(quiet)) == 1  # the move, but not the end
    assert found["win"] == sorted(found["win"])
    assert found["loss"] == sorted(found["loss"], reverse=True)
    assert len({tuple(tones) for tones in found.values()}) == 3


def test_sounds_last_and_are_loaded_when_they_are_wanted(quiet: Window) -> None:
    asked = quiet.requests()
    quiet.open("3x3x3")
    switch(quiet, "Sounds")
    assert not any("sounds.js" in each for each in asked)
    switch(quiet, "Sounds").check()
    quiet.eventually(lambda: any("sounds.js" in each for each in asked), True)
    quiet.page.reload()
    quiet.wait_until_ready()
    expect(switch(quiet, "Sounds")).to_be_checked()
    quiet.page.keyboard.press("Escape")
    quiet.play(["b2"])
    wait_for_sounds(quiet, "b2")
    quiet.play(["c3"])
    assert len(heard(quiet)) == 1
    switch(quiet, "Sounds").uncheck()
    quiet.page.keyboard.press("Escape")
    quiet.play(["a1"])
    assert heard(quiet) == []


@pytest.mark.parametrize("system", ["no-preference", "reduce"])
def test_animations_are_as_the_system_has_them_until_one_chooses(
    new_window: Callable[..., Window], system: str
) -> None:
    window = new_window(reduced_motion=system)
    window.open("3x3x3")
    is_animated = system == "no-preference"
    for moves in (["b2"], ["a1", "b1"]):
        expect(switch(window, "Animations")).to_be_checked(checked=is_animated)
        window.page.keyboard.press("Escape")
        for move in moves:
            window.play([move])
            mark = window.cell(move).locator(".noughts-mark")
            duration = mark.evaluate("mark => getComputedStyle(mark).animationDuration")
            assert (duration != "0s") == is_animated
        if not is_animated:
            assert not window.page.evaluate(ANIMATED)
        switch(window, "Animations").click()
        is_animated = not is_animated
    window.page.reload()
    window.wait_until_ready()
    expect(switch(window, "Animations")).to_be_checked(checked=is_animated)


def test_settings_are_for_everyone(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    window.open("3x3x3")
    window.button("Settings").tap()
    dialog = window.page.get_by_role("dialog", name="Settings")
    expect(dialog).to_be_visible()
    assert violations(window.page) == []
    box = dialog.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    window.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    window.button("Settings").tap()
    window.page.mouse.click(20, 600)  # beside it
    expect(dialog).to_be_hidden()
