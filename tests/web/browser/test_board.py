"""How values look on the board: what is written fits, and nothing lies over anything else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from noughts import Game
from noughts.analysis import analyse
from noughts.limits import Limits
from support.browser_page import PHONE, VALUED, Window

GRIDS = ["3x3x3", "6x6x4", "10x10x5", "15x15x5", "30x30x5", "4x12x4", "12x4x4"]
SCREENS: Mapping[str, dict[str, Any]] = {
    "360": PHONE,
    "768": {"viewport": {"width": 768, "height": 1024}},
    "1280": {"viewport": {"width": 1280, "height": 800}},
}
LEAST_TEXT = 9.5  # pixels that letters are high

# Boxes that lie over others, stick out of where they belong, or hold letters too small to read.
FAULTS = """
(least) => {
  const found = [];
  // A text is as high as its letters, which is less than what is set aside for it.
  const boxOf = (text) => {
    const range = document.createRange();
    range.selectNode(text);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const half = 0.37 * sizeOf(text);
    return { left, right, top: (top + bottom) / 2 - half, bottom: (top + bottom) / 2 + half };
  };
  const sizeOf = (text) => parseFloat(getComputedStyle(text.parentElement).fontSize);
  const isWithin = (a, b, margin = -0.5) =>
    a.left > b.left + margin && a.right < b.right - margin &&
    a.top > b.top + margin && a.bottom < b.bottom - margin;
  const meet = (a, b) =>
    a.left < b.right - 0.5 && b.left < a.right - 0.5 &&
    a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  const textsIn = (element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (data !== "" && parentElement.checkVisibility()) found.push(texts.currentNode);
    }
    return found;
  };
  const note = (name, fault) => found.push(`${name} ${fault}`);

  for (const cell of document.querySelectorAll("#board [role=gridcell]")) {
    const { name } = cell.dataset;
    for (const label of cell.querySelectorAll(".noughts-value")) {
      const box = label.getBoundingClientRect();
      if (!isWithin(box, cell.getBoundingClientRect(), 1)) note(name, "touches its neighbour");
      const texts = textsIn(label);
      for (const [at, text] of texts.entries()) {
        if (!isWithin(boxOf(text), box)) note(name, "has a text that sticks out");
        if (sizeOf(text) < least) note(name, "is too small");
        if (texts.slice(at + 1).some((other) => meet(boxOf(text), boxOf(other))))
          note(name, "has one text over another");
      }
    }
  }
  // In larger cells some letters and numbers wait below the others.
  const strips = "#port[data-zoomed=false] :is(.noughts-columns, .noughts-rows)";
  const names = [...document.querySelectorAll(strips)].flatMap(textsIn);
  const board = document.querySelector("#board .noughts-grid").getBoundingClientRect();
  for (const [at, name] of names.entries()) {
    const box = boxOf(name);
    if (meet(box, board)) note(name.textContent, "lies over the cells");
    if (box.left < 0) note(name.textContent, "is out of sight");
    if (sizeOf(name) < least) note(name.textContent, "is too small");
    if (names.slice(at + 1).some((other) => meet(box, boxOf(other))))
      note(name.textContent, "lies over another");
  }
  return [names.length, found.slice(0, 8)];
}
"""


def move_value(value: str, number: float) -> dict[str, Any]:
    """Return what the server says about a move: a result in so many moves, or an estimate."""
    if value == "estimate":
        return {"value": "unknown", "plies": None, "proved": False, "score": number}
    plies = None if value == "draw" else number
    return {"value": value, "plies": plies, "proved": True, "score": 0.5}


def answer(window: Window, valued: Callable[[list[str]], dict[str, Any]]) -> None:
    """Let the server say of each position what moves are worth: a function of their names."""

    def fulfil(route: Route) -> None:
        position = Game.parse(json.loads(route.request.post_data or "")["game"]).position
        moves = valued([position.move_name(move) for move in position.legal_moves])
        found = {"moves": moves, "best": [next(iter(moves))], "line": [], "text": "", "nodes": "0"}
        body = f"event: result\ndata: {json.dumps({**found, 'unit': ''})}\n\n"
        route.fulfill(body=body, content_type="text/event-stream")

    window.page.route("**/api/analyse", fulfil)


def long_labels(names: list[str]) -> dict[str, Any]:
    """Return values with labels as long as they come."""
    kinds = [("win", 21), ("estimate", 0.996), ("loss", 42), ("draw", 0), ("estimate", 0.88)]
    return {name: move_value(*kinds[at % len(kinds)]) for at, name in enumerate(names)}


def all_alike(value: dict[str, Any]) -> Callable[[list[str]], dict[str, Any]]:
    """Return a function that gives every move the same value."""
    return lambda names: dict.fromkeys(names, value)


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_on_the_board_lies_over_anything_else(
    new_window: Callable[..., Window], screen: str
) -> None:
    window = new_window(**SCREENS[screen])
    answer(window, long_labels)
    window.open()
    found = {}
    for grid in [*GRIDS, "ultimate"]:
        window.show(grid, panel="analysis")
        expect(window.page.locator(VALUED).first).to_be_attached()
        for size in (*"---", *"+++"):  # at last the whole board, then larger cells
            window.page.keyboard.press(size)
            is_whole = window.page.locator("#port[data-zoomed=false]").count() == 1
            names, faults = window.page.evaluate(FAULTS, LEAST_TEXT)
            assert (names > 4) == (is_whole and grid != "ultimate")
            if faults:
                found[f"{grid} {size}"] = faults
    assert found == {}, json.dumps(found)


def test_estimates_are_tints_and_the_best_five_are_written(window: Window) -> None:
    def falling(names: list[str]) -> dict[str, Any]:
        return {
            name: move_value("estimate", 0.6 - 0.5 * at / len(names))
            for at, name in enumerate(names)
        }

    answer(window, falling)
    for game in ("ultimate", "15x15x5"):
        window.open(game, panel="analysis")
        cells = window.page.locator(VALUED)
        expect(cells.first).to_be_attached()
        position = Game.parse(game).position
        names = [position.move_name(move) for move in position.legal_moves]
        written = window.page.locator("#board [role=gridcell]:has(.noughts-value)")
        assert written.evaluate_all("cells => cells.map(cell => cell.dataset.name)") == names[:5]
        expect(written.first).to_have_text("60%")
        found = cells.evaluate_all(
            "cells => cells.map(cell => [cell.dataset.name, cell.style.getPropertyValue('--heat')])"
        )
        tints = [float(dict(found)[name]) for name in names]
        assert (tints[0], tints[-1]) == (1, 0)
        assert tints == sorted(tints, reverse=True)
        grounds = cells.evaluate_all(
            "cells => cells.map(cell => getComputedStyle(cell).backgroundImage)"
        )
        assert len(set(grounds)) == len(set(tints)) > 10
        expect(window.page.locator("#board [data-best=true]")).to_have_count(1)


def test_proofs_are_written_where_there_is_room(window: Window) -> None:
    answer(window, all_alike(move_value("loss", 4)))
    labels = window.page.locator("#board .noughts-value")
    for game, moves, written in (("10x10x5", 100, 100), ("15x15x5", 225, 5)):
        window.open(game, panel="analysis")
        expect(labels).to_have_count(moves)  # at least a shape, which no estimate has
        expect(window.page.locator("#board .noughts-value:not(:empty)")).to_have_count(written)
        expect(labels.last).to_have_css("border-top-style", "solid")


def test_where_all_moves_are_equal_none_is_framed(window: Window) -> None:
    framed = window.page.locator("#board [data-best=true]")
    for value in (move_value("draw", 0), move_value("estimate", 0.5)):
        answer(window, all_alike(value))
        window.open("3x3x3 b2 a1", panel="analysis")
        expect(window.page.locator(VALUED)).to_have_count(7)
        expect(framed).to_have_count(0)
        window.page.unroute("**/api/analyse")
    answer(window, long_labels)
    window.open("3x3x3 b2 a1", panel="analysis")
    expect(framed).to_have_count(1)
    expect(framed).not_to_have_css("box-shadow", "none")


@pytest.mark.parametrize("game", ["ultimate ee ea ae", "9x9x5 e5"])
def test_the_board_the_list_and_the_bar_have_one_point_of_view(window: Window, game: str) -> None:
    """All are the chances of the side to move, here O."""
    position = Game.parse(game).position
    found = analyse(position, Limits(nodes=300))
    assert not found.is_proved
    body = f"event: result\ndata: {json.dumps(found.to_json())}\n\n"
    window.page.route(
        "**/api/analyse", lambda route: route.fulfill(body=body, content_type="text/event-stream")
    )
    window.open(game, panel="analysis")
    best = position.move_name(found.best.move)
    percent = f"{found.best.score:.0%}".replace("%", " %")
    assert window.values()[best] == f"estimate {percent}"
    panel = window.page.locator("#panel-analysis")
    expect(panel.locator(".values li").first).to_have_text(f"{best}about {percent}")
    expect(panel.locator(".verdict")).to_contain_text(f"{percent} for O")
    expect(panel.locator(".evaluation")).to_have_attribute(
        "aria-label", f"Who is ahead: about {percent} for O"
    )
    share = panel.locator(".share").evaluate("part => parseFloat(part.style.width)")
    assert share == pytest.approx(100 - 100 * found.best.score, abs=0.1)
