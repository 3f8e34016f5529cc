"""The panel Puzzles: what the library says of every attempt, and what is kept in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from noughts import puzzles
from noughts.puzzles import Puzzle
from support.browser_page import PHONE, Window, violations


def solve(window: Window, puzzle: Puzzle) -> None:
    """Play the right moves until the puzzle is solved."""
    moves: list[int] = []
    solved = False
    while not solved:
        moves.append(puzzle.right_moves(*moves)[0])
        attempt = puzzle.check(*moves)
        position = puzzle.position
        window.cell(position.move_name(moves[-1])).click()
        expect(window.status).to_have_text(attempt.text)
        solved = attempt.is_solved


def show(window: Window, puzzle: Puzzle) -> None:
    window.open("3x3x3", panel="puzzles", puzzle=puzzle.id)
    expect(window.status).to_have_text(puzzle.title)
    expect(window.page.locator("#main")).to_have_attribute("data-mode", "puzzle")


@pytest.mark.parametrize("game", ["3x3x3", "4x4x3", "ultimate"])
def test_a_puzzle_is_solved_by_its_right_moves(window: Window, game: str) -> None:
    found = puzzles.puzzles(game)
    puzzle = found[len(found) // 2]
    show(window, puzzle)
    solve(window, puzzle)
    expect(window.page.locator(".puzzle[aria-current] .done")).to_have_text("✓")
    window.button("Next puzzle").click()
    window.eventually(lambda: f"puzzle={puzzle.id}" in window.link, False)
    expect(window.page.locator("#main")).to_have_attribute("data-mode", "puzzle")
    window.button("Leave").click()
    window.expect_game("3x3x3")
    assert "puzzle" not in window.link.partition("panel=puzzles")[2]


def test_a_wrong_move_is_refuted_and_taken_back(window: Window) -> None:
    puzzle = puzzles.puzzles("3x3x3")[0]
    show(window, puzzle)
    marks = window.marks()
    right = puzzle.right_moves()
    wrong = next(move for move in puzzle.position.legal_moves if move not in right)
    name = puzzle.position.move_name(wrong)
    window.cell(name).click()
    expect(window.status).to_have_text(puzzle.check(wrong).text)
    expect(window.cell(name)).to_have_attribute("data-guilty", "true")
    window.expect_marks(marks)
    solve(window, puzzle)


def test_hints_and_solutions(window: Window) -> None:
    puzzle = puzzles.puzzles("4x4x3", kind="win")[0]
    show(window, puzzle)
    window.button("Hint").click()
    expect(window.problem).to_contain_text(puzzle.hint())
    window.button("Solution").click()
    names = " ".join(puzzle.position.move_name(move) for move in puzzle.line)
    expect(window.status).to_have_text(f"The solution is {names}.")
    expect(window.button("Hint")).to_have_attribute("aria-disabled", "true")
    expect(window.page.locator(".puzzle[aria-current] .done")).to_have_text("")


def test_the_puzzle_of_the_day_and_its_streak(window: Window) -> None:
    today = date.today()
    days = {f"id{back}": str(today - timedelta(days=back)) for back in (1, 2, 4)}
    window.open("3x3x3")
    window.page.evaluate(f"localStorage.setItem('noughts.puzzles', {json.dumps(json.dumps(days))})")
    window.page.get_by_role("tab", name="Puzzles").click()
    streak = window.page.locator(".puzzles [role=status]")
    expect(streak).to_have_text("Solved on 2 days in a row.")
    window.button("Puzzle of the day").click()
    puzzle = puzzles.daily(str(today))
    expect(window.status).to_have_text(puzzle.title)
    solve(window, puzzle)
    expect(streak).to_have_text("Solved on 3 days in a row.")


def test_the_list_is_filtered(window: Window) -> None:
    window.open("3x3x3", panel="puzzles")
    entries = window.page.locator(".puzzle")
    expect(entries).to_have_count(30)
    window.button(f"Show all {len(puzzles.puzzles())}").click()
    expect(entries).to_have_count(len(puzzles.puzzles()))
    window.page.get_by_role("combobox", name="Game", exact=True).select_option("ultimate")
    window.page.get_by_label("Difficulty").select_option("3")
    expect(entries).to_have_count(len(puzzles.puzzles("ultimate", stars=3)))


def test_the_board_comes_into_sight(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    window.open("3x3x3", panel="puzzles")
    window.page.locator(".puzzle").last.click()
    expect(window.page.locator("#main")).to_have_attribute("data-mode", "puzzle")
    window.eventually(lambda: window.page.evaluate("scrollY < 80"), True)


def test_an_unknown_puzzle_is_said(window: Window) -> None:
    window.open("3x3x3", panel="puzzles", puzzle="nope")
    expect(window.problem).to_be_visible()
    window.expect_game("3x3x3")


def test_axe_finds_nothing(new_window: Callable[..., Window]) -> None:
    for window, game in ((new_window(), "5x5x4"), (new_window(**PHONE), "ultimate")):
        show(window, puzzles.puzzles(game)[0])
        window.page.get_by_role("combobox", name="Game", exact=True).select_option("3x3x3")
        assert violations(window.page) == []
        width = window.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert width <= 0
