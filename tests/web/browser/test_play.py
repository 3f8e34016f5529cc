"""Games on the page: by mouse, by keyboard, with the computer, with a bad connection."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Error, Route, expect

from noughts import Game, start
from noughts.views import view
from support.browser_page import Window

ULTIMATE = "ultimate"


def random_game(name: str, seed: int) -> Game[Any]:
    """Return a whole game, played at random."""
    rng = Random(seed)
    game = Game(start(name))
    while game.outcome is None:
        game.play(rng.choice(game.position.legal_moves))
    return game


def moves_of(game: Game[Any]) -> list[str]:
    return [game.start.move_name(move) for move in game.moves]


def result_of(game: Game[Any]) -> str:
    text = str(game.outcome)
    return text[0].upper() + text[1:]


def walk(window: Window, name: str, cells: list[str], cols: int) -> None:
    """Go to a cell with arrow keys, from the one that has the focus."""
    here = cells.index(window.page.evaluate("document.activeElement.dataset.name"))
    there = cells.index(name)
    down, right = there // cols - here // cols, there % cols - here % cols
    for _ in range(abs(down)):
        window.page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
    for _ in range(abs(right)):
        window.page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
    expect(window.cell(name)).to_be_focused()


def tab_to_board(window: Window) -> None:
    for _ in range(30):
        window.page.keyboard.press("Tab")
        if window.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            return
    pytest.fail("Tab does not lead to the board")


def play_by_keyboard(window: Window, game: Game[Any]) -> None:
    """Play a whole game without a mouse."""
    seen = view(game)
    names = [cell["name"] for cell in seen["cells"]]
    tab_to_board(window)
    for number, move in enumerate(moves_of(game), 1):
        walk(window, move, names, seen["cols"])
        window.page.keyboard.press("Enter" if number % 2 else "Space")
        expect(window.page.locator("#moves .move")).to_have_count(number)


def test_the_page_is_playable_at_once(window: Window) -> None:
    window.open()
    expect(window.status).to_have_text("Your move, X")
    window.cell("b2").click()
    expect(window.cell("b2")).to_have_attribute("data-mark", "X")
    expect(window.page.locator("#board [data-mark=O]")).to_have_count(1)
    expect(window.status).to_have_text("Your move, X")
    expect(window.page.locator("#moves .move")).to_have_count(2)


def test_a_whole_game_by_mouse(new_window: Callable[..., Window]) -> None:
    window = new_window(reduced_motion="no-preference")
    window.open("3x3x3")
    record = Game.parse("3x3x3")
    for move in ["b2", "a1", "c3", "c1", "b1", "b3", "a2", "c2", "a3"]:
        window.play([move])
        record.play(move)
        window.expect_game(record.text)
    expect(window.status).to_have_text("Draw")


def test_a_whole_game_by_keyboard_alone(window: Window) -> None:
    window.open("3x3x3")
    game = Game.parse("3x3x3 a1 b2 b1 c1 a3 a2 c3 b3 c2")
    play_by_keyboard(window, game)
    window.expect_game(game.text)
    expect(window.status).to_have_text(result_of(game))
    expect(window.live).to_have_text(f"X plays c2. {result_of(game)}.")


def test_a_won_game_shows_its_line(window: Window) -> None:
    window.open("4x4x3 b2 a1 c3 d4 b3 b4")
    window.play(["b1"])
    expect(window.status).to_have_text("X wins")
    for name in ("b1", "b2", "b3"):
        expect(window.cell(name)).to_have_accessible_name(
            f"{name}, X, last move, on the winning line"
            if name == "b1"
            else f"{name}, X, on the winning line"
        )
    expect(window.page.locator(".noughts-strike")).to_have_count(1)
    window.cell("d1").click()
    expect(window.problem).to_contain_text("the game is over: X wins")
    window.expect_game("4x4x3 b2 a1 c3 d4 b3 b4 b1")


@pytest.mark.parametrize(("name", "last"), [("ultimate", 81), ("ultimate-open-most-boards", 12)])
def test_an_ultimate_game_by_mouse(window: Window, name: str, last: int) -> None:
    """The whole game, or of a variant so many moves at its end."""
    game = random_game(name, seed=2)
    moves = moves_of(game)
    begin = max(0, len(moves) - last)
    window.open(" ".join([name, *moves[:begin]]))
    for number, move in enumerate(moves[begin:], begin + 1):
        window.play([move])
        if number % 10 == 0:
            window.expect_game(Game(game.start, game.moves[:number]).text)
    window.expect_game(game.text)
    expect(window.status).to_have_text(result_of(game))
    owners = [board["owner"] for board in view(game)["boards"]]
    drawn = window.page.locator(".noughts-ground")
    assert drawn.evaluate_all("boards => boards.map(board => board.dataset.owner)") == owners


def test_a_whole_ultimate_game_by_keyboard_alone(window: Window) -> None:
    game = random_game(ULTIMATE, seed=5)
    window.open(ULTIMATE)
    play_by_keyboard(window, game)
    window.expect_game(game.text)
    expect(window.status).to_have_text(result_of(game))


def test_the_forced_board_is_marked_and_named(window: Window) -> None:
    window.open("ultimate ee ea")
    expect(window.status).to_have_text("X to move in the top left board")
    expect(window.page.locator(".noughts-frame[data-kind=forced]")).to_have_count(1)
    expect(window.cell("ae")).to_have_accessible_name(
        "board a top left, cell e centre, empty, playable"
    )
    expect(window.cell("be")).to_have_accessible_name("board b top, cell e centre, empty")
    window.play(["ae"])
    expect(window.live).to_have_text(
        "X plays board a top left, cell e centre. O to move in board e (centre)."
    )


def test_an_illegal_click_says_why_and_changes_nothing(window: Window) -> None:
    window.open("ultimate ee ea")
    window.cell("bb").click()
    expect(window.problem).to_contain_text("is not in board a (top left), where X must play")
    window.expect_game("ultimate ee ea")
    window.open("3x3x3 b2")
    window.cell("b2").click()
    expect(window.problem).to_contain_text("is taken by X")
    window.play(["a1"])
    expect(window.problem).to_be_hidden()


def test_a_double_click_is_one_move(window: Window) -> None:
    window.open("3x3x3")
    window.cell("b2").dblclick()
    window.expect_game("3x3x3 b2")
    expect(window.problem).to_be_hidden()


def test_undo_redo_and_jump(window: Window) -> None:
    window.open("3x3x3 b2 a1 c3")
    window.button("Undo").click()
    window.expect_game("3x3x3 b2 a1 | c3")
    assert window.moves() == ["b2", "a1*", "(c3)"]
    window.page.keyboard.press("ArrowLeft")
    window.expect_game("3x3x3 b2 | a1 c3")
    window.page.keyboard.press("Home")
    window.expect_game("3x3x3 | b2 a1 c3")
    window.page.keyboard.press("ArrowRight")
    window.expect_game("3x3x3 b2 | a1 c3")
    window.page.keyboard.press("End")
    window.expect_game("3x3x3 b2 a1 c3")
    window.page.locator("#moves .move", has_text="b2").click()
    window.expect_game("3x3x3 b2 | a1 c3")
    window.cell("a1").click()  # the move that was undone: what follows it stays
    window.expect_game("3x3x3 b2 a1 | c3")
    window.cell("c1").click()
    window.expect_game("3x3x3 b2 a1 c1")


def test_arrows_in_the_board_move_the_focus_only(window: Window) -> None:
    window.open("3x3x3 b2 a1")
    window.page.keyboard.press("b")
    expect(window.cell("b2")).to_be_focused()
    for key, name in [
        ("ArrowLeft", "a2"),
        ("ArrowLeft", "a2"),
        ("ArrowUp", "a1"),
        ("End", "c1"),
        ("Control+End", "c3"),
        ("Home", "a3"),
        ("Control+Home", "a1"),
    ]:
        window.page.keyboard.press(key)
        expect(window.cell(name)).to_be_focused()
    assert window.page.locator("#board [tabindex='0']").count() == 1
    window.expect_game("3x3x3 b2 a1")
    window.page.keyboard.press("k")  # letters step through the moves even here
    window.expect_game("3x3x3 b2 | a1")


def test_keys_are_for_the_game_again_after_a_click_into_the_board(window: Window) -> None:
    window.open("3x3x3")
    window.page.get_by_label("X is played by").focus()
    window.cell("b2").click()
    window.expect_game("3x3x3 b2")
    window.page.keyboard.press("ArrowLeft")
    window.expect_game("3x3x3 | b2")
    expect(window.page.get_by_label("X is played by")).to_have_value("person")


def test_undo_against_the_computer_takes_both_moves_back(window: Window) -> None:
    window.open("3x3x3", o="beginner")
    window.cell("b2").click()
    expect(window.page.locator("#moves .move")).to_have_count(2)
    window.page.keyboard.press("u")
    expect(window.page.locator("#moves .move[data-undone=true]")).to_have_count(2)
    window.expect_marks("." * 9)
    expect(window.status).to_have_text("Your move, X")


def test_the_computer_waits_while_one_looks_back_and_goes_on_when_told(window: Window) -> None:
    window.open("3x3x3 b2 | a1 c3", o="perfect")
    expect(window.status).to_have_text("O to move")
    window.cell("c3").click()
    expect(window.problem).to_contain_text("O is played by the computer")
    window.button("Resume from here").click()
    expect(window.page.locator("#board [data-mark=O]")).to_have_count(1)
    expect(window.page.locator("#moves .move")).to_have_count(2)


def test_players_change_in_the_middle_of_a_game(window: Window) -> None:
    window.open("3x3x3 b2")
    expect(window.status).to_have_text("O to move")
    window.page.get_by_label("O is played by").select_option("perfect")
    expect(window.page.locator("#board [data-mark=O]")).to_have_count(1)
    window.page.get_by_label("X is played by").select_option("perfect")
    expect(window.status).to_have_text("Draw")  # perfect play on both sides


def test_the_engine_plays_ultimate(window: Window) -> None:
    window.open("ultimate", o="skilled")
    window.cell("ee").click()
    expect(window.page.locator("#board [data-mark=O]")).to_have_count(1)
    move = Game.parse(window.game()).moves[1]
    assert move // 9 == 4  # in the board where it has to be


def test_a_level_becomes_the_nearest_one_of_another_game(window: Window) -> None:
    window.open("3x3x3", o="perfect")
    window.page.locator("[data-start=ultimate]").click()
    expect(window.page.get_by_label("O is played by")).to_have_value("full")
    window.expect_game("ultimate")


def test_every_preset_and_any_size(window: Window) -> None:
    window.open("3x3x3")
    window.page.evaluate("localStorage.setItem('noughts.howto', 'seen')")
    window.page.get_by_text("Ultimate by other rules").click()
    for name in ("4x4x3", "5x5x4", "15x15x5", "ultimate-open", "ultimate-most-boards"):
        window.page.locator(f"[data-start='{name}']").click()
        window.expect_game(name)
    for label, number in (("Rows", "4"), ("Columns", "7"), ("In a row", "4")):
        window.page.get_by_label(label).fill(number)
    window.button("Play").click()
    window.expect_game("4x7x4")


def test_two_computers_play_each_other(window: Window) -> None:
    window.open("3x3x3", x="beginner", o="beginner")
    expect(window.status).to_have_text(re.compile("wins|Draw"))
    assert Game.parse(window.game()).outcome is not None


def test_a_new_game_interrupts_the_computer(window: Window) -> None:
    asked = window.hold("**/api/move")
    window.open("3x3x3", o="casual")
    window.cell("b2").click()
    expect(window.status).to_have_text("O is thinking")
    window.wait_for(asked, 1)
    window.button("New game").click()
    window.expect_game("3x3x3")
    expect(window.status).to_have_text("Your move, X")
    # An answer that comes too late changes nothing.
    with suppress(Error):  # the page has given it up, and Playwright may say so
        asked[0].fulfill(json={"move": "a1", "game": "3x3x3 b2 a1", "text": "", "proved": False})
    window.cell("c3").click()
    expect(window.status).to_have_text("O is thinking")
    window.expect_marks("........X")


def test_when_the_computer_fails_one_can_try_again(window: Window) -> None:
    window.page.route("**/api/move", lambda route: route.abort())
    window.open("3x3x3", o="casual")
    window.cell("b2").click()
    expect(window.problem).to_contain_text("The server cannot be reached")
    window.expect_game("3x3x3 b2")
    window.page.unroute("**/api/move")
    window.button("Try again").click()
    expect(window.page.locator("#board [data-mark=O]")).to_have_count(1)
    expect(window.problem).to_be_hidden()


def test_a_busy_server_is_asked_again(window: Window) -> None:
    answers = [503, 429]

    def busy(route: Route) -> None:
        if answers:
            body = {"error": {"code": "busy", "message": "all workers are thinking", "place": {}}}
            route.fulfill(status=answers.pop(), json=body, headers={"Retry-After": "0"})
        else:
            route.continue_()

    window.page.route("**/api/move", busy)
    window.open("3x3x3", o="casual")
    window.cell("b2").click()
    expect(window.page.locator("#board [data-mark=O]")).to_have_count(1)
    assert answers == []


def test_a_lost_connection_keeps_the_game(window: Window) -> None:
    window.open("3x3x3 b2 a1")
    window.page.route("**/api/position", lambda route: route.abort())
    window.cell("c3").click()
    expect(window.problem).to_contain_text("The server cannot be reached")
    window.expect_game("3x3x3 b2 a1")
    window.page.unroute("**/api/position")
    window.button("Try again").click()
    window.expect_game("3x3x3 b2 a1 c3")


def test_without_a_server_the_page_says_so_and_goes_on_when_it_is_back(window: Window) -> None:
    window.page.route("**/api/**", lambda route: route.abort())
    window.open()
    expect(window.problem).to_contain_text("The server cannot be reached")
    for key in ("n", "u", "h", "c", "ArrowLeft", "b"):
        window.page.keyboard.press(key)
    for name in ("Undo", "Hint", "New game", "One move back (←)"):
        window.button(name).click()
    window.page.unroute("**/api/**")
    window.wait_until_ready()
    window.expect_game("3x3x3")
    expect(window.page.get_by_label("O is played by")).to_have_value("casual")


def test_answers_that_overtake_each_other_do_no_harm(window: Window) -> None:
    window.open("3x3x3 b2 a1 c3 c1")
    window.expect_game("3x3x3 b2 a1 c3 c1")
    held = window.hold("**/api/position")
    for asked in (1, 2):
        window.page.keyboard.press("ArrowLeft")
        window.wait_for(held, asked)
    games = [json.loads(route.request.post_data or "")["game"] for route in held]
    assert games == ["3x3x3 b2 a1 c3 | c1", "3x3x3 b2 a1 | c3 c1"]
    held[1].continue_()
    with suppress(Error):  # it was given up
        held[0].continue_()
    window.expect_game("3x3x3 b2 a1 | c3 c1")


@pytest.mark.parametrize("name", ["3x3x3", "5x4x3", "ultimate"])
def test_what_a_click_shows_at_once_is_what_the_library_says(window: Window, name: str) -> None:
    """The page draws a mark before the server has answered: the only guess it makes."""
    window.open()
    for seed in range(3):
        whole = random_game(name, seed)
        game = Game(whole.start, whole.moves[: len(whole.moves) // 2])
        window.show(game.text)
        held = window.hold("**/api/position")
        move = game.position.legal_moves[seed]
        game.play(move)
        window.cell(game.start.move_name(move)).click()
        window.wait_for(held, 1)
        window.expect_marks("".join(cell["mark"] for cell in view(game)["cells"]))
        held[0].continue_()
        window.expect_game(game.text)
        window.page.unroute("**/api/position")


def test_two_quick_clicks_are_two_moves(window: Window) -> None:
    window.open("3x3x3")
    window.page.evaluate(
        "['a1', 'b2'].forEach(name => document.querySelector(`[data-name=${name}]`).click())"
    )
    window.expect_game("3x3x3 a1 b2")


def test_a_click_is_two_requests_at_most(window: Window) -> None:
    """One for the view after the person's move; the computer's move brings its own view."""
    window.open("3x3x3", o="casual")
    asked = window.requests()
    window.cell("b2").click()
    expect(window.page.locator("#moves .move")).to_have_count(2)
    expect(window.status).to_have_text("Your move, X")
    assert asked == ["POST /api/position", "POST /api/move"]
    asked.clear()
    window.page.keyboard.press("u")
    expect(window.page.locator("#moves .move[data-undone=true]")).to_have_count(2)
    window.expect_marks("." * 9)
    assert asked == []  # the page has seen this position
    window.open("3x3x3")
    asked.clear()
    window.play(["b2"])
    window.cell("b2").click()
    expect(window.problem).to_contain_text("is taken by X")
    assert asked == ["POST /api/position"]  # the view says which cells are taken


def test_the_first_load_asks_for_few_files(window: Window) -> None:
    asked = window.requests()
    window.open()
    files = [each for each in asked if "/api/" not in each]
    assert sorted(set(asked) - set(files)) == ["GET /api/version", "POST /api/position"]
    assert len(asked) <= 42
    assert not any("/panels/listing.js" in each for each in files)
    window.page.get_by_role("tab", name="Explore").click()
    expect(window.page.get_by_text(re.compile("255,168 games from here"))).to_be_visible()
    assert any("/panels/listing.js" in each for each in asked)
