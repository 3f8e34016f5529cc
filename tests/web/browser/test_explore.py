"""The panel Explore: verdicts, counts, symmetric images, games by number; against the library."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Route, expect

import noughts
from noughts import Board, ExploredMove, Game, GridPosition, counting, judge
from noughts.counting import Games
from noughts.rules.player import Verdict
from noughts.views import view
from support.browser_page import PHONE, Window, violations

VERDICTS = {
    Verdict.X_TURN: "X to move",
    Verdict.O_TURN: "O to move",
    Verdict.X_WINS: "X has won",
    Verdict.O_WINS: "O has won",
    Verdict.DRAW: "A draw",
    Verdict.INVALID: "Impossible position",
}

BOARDS = {
    "3x3x3": [
        "XX./OO./...",
        "XXX/OOO/X..",
        "OO./.../...",
        "XXX/OO./O..",
        "XOX/OXO/OXO",
        "XXX/OO./...",
    ],
    "4x4x3": ["XXX./OO.O/O.O./XXX."],
    "2x5x2": ["X.O.X/....."],
}


def explore(window: Window, game: str, page: str = "") -> None:
    """Open the panel, perhaps at one of its pages."""
    window.open(game, panel="explore")
    expect(window.page.get_by_role("tabpanel", name="Explore")).to_be_visible()
    if page:
        turn_to(window, page)


def number_games(window: Window, game: str) -> None:
    explore(window, game, "Games")
    expect(window.page.locator(".listing .about")).to_contain_text("numbered from 0")


def turn_to(window: Window, page: str) -> None:
    window.page.locator(".pill").filter(has=window.page.get_by_role("radio", name=page)).click()


def edit(window: Window, game: str) -> None:
    """Begin to set up an empty board."""
    explore(window, game)
    window.button("Set up a board").click()
    window.button("Clear").click()


def leave(window: Window, button: str, game: str) -> None:
    """Make a game of the board; the editor shows the same text until it is there."""
    window.button(button).click()
    expect(window.page.locator(".editor")).to_be_hidden()
    window.expect_game(game)


def brush(window: Window, name: str) -> None:
    window.page.locator(".pill").filter(
        has=window.page.get_by_role("radio", name=name, exact=True)
    ).click()


def expect_judged(window: Window, text: str) -> None:
    """Wait until the page says what the library says of a board, with all reasons."""
    judgement = judge(Board.parse(text))
    # Not the verdict on another board, which is there until this one comes.
    editor = window.page.locator(".editor")
    expect(editor).to_have_attribute("data-verdict", judgement.verdict.value)
    expect(window.page.locator(".judgement .verdict")).to_have_text(VERDICTS[judgement.verdict])
    reasons = [str(reason) for reason in judgement.reasons]
    shown = window.page.locator(".reasons li")
    expect(shown).to_have_text([reason[0].upper() + reason[1:] for reason in reasons])
    if judgement.verdict is Verdict.INVALID:
        board = Board.parse(text)
        names = [
            cell["name"]
            for cell in _cells(board)
            if any(cell["number"] in reason.cells for reason in judgement.reasons)
        ]
        pointed = window.page.locator('#board [data-guilty="true"]')
        expect(pointed).to_have_count(len(names))
        assert pointed.evaluate_all("all => all.map(one => one.dataset.name)") == names


def _cells(board: Board) -> list[dict[str, Any]]:
    position = GridPosition.start(board.grid)
    return [{"name": position.move_name(cell), "number": cell} for cell in range(board.grid.cells)]


def separated(number: int) -> str:
    return f"{number:,}"


# ----------------------------------------------------------------------------------- the editor


@pytest.mark.parametrize("game", BOARDS)
def test_verdicts_by_mouse(window: Window, game: str) -> None:
    edit(window, game)
    for rows in BOARDS[game]:
        text = f"{game}:{rows}"
        names = [cell["name"] for cell in _cells(Board.parse(text))]
        window.button("Clear").click()
        for mark in "XO":
            brush(window, mark)
            for name, wanted in zip(names, rows.replace("/", ""), strict=True):
                if wanted == mark:
                    window.cell(name).click()
        window.expect_marks(rows.replace("/", ""))
        expect_judged(window, text)


def test_verdicts_by_keyboard(window: Window) -> None:
    edit(window, "3x3x3")
    window.page.locator("h1").click()
    window.page.keyboard.press("b")  # to the board; its middle is in the tab order
    for key, text in (
        ("x", "3x3x3:.../.X./..."),
        ("o", "3x3x3:.../.O./..."),
        ("Delete", "3x3x3:.../.../..."),
        ("Enter", "3x3x3:.../.X./..."),
        ("Enter", "3x3x3:.../.O./..."),
        ("Enter", "3x3x3:.../.../..."),
        ("X", "3x3x3:.../.X./..."),
        ("Backspace", "3x3x3:.../.../..."),
    ):
        window.page.keyboard.press(key)
        window.expect_marks(text.partition(":")[2].replace("/", ""))
        expect_judged(window, text)


def test_clicks_cycle_and_brushes_toggle(window: Window) -> None:
    edit(window, "3x3x3")
    for wanted in ("X", "O", ".", "X"):
        window.cell("a1").click()
        window.expect_marks(f"{wanted}........")
    brush(window, "O")
    window.cell("a1").click()
    window.expect_marks("O........")
    window.cell("a1").click()
    window.expect_marks(".........")
    brush(window, "X, O, empty")
    window.cell("b1").dblclick()
    window.expect_marks(".O.......")
    brush(window, "Erase")
    window.cell("b1").click()
    window.expect_marks(".........")


def test_a_late_verdict_is_not_shown(window: Window) -> None:
    edit(window, "3x3x3")
    expect_judged(window, "3x3x3:.../.../...")
    late: list[Route] = []

    def hold_first(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append(route)

    window.page.route("**/api/verdict", hold_first)
    window.cell("a1").dblclick()  # an O too many
    window.wait_for(late, 1)
    brush(window, "X")
    window.cell("b2").click()
    expect_judged(window, "3x3x3:O../.X./...")
    with suppress(Error):  # the page has given it up, and Playwright may say so
        late[0].fulfill(json={"grid": "3x3x3", "verdict": "draw", "reasons": []})
    window.page.wait_for_timeout(200)
    expect_judged(window, "3x3x3:O../.X./...")


def test_playing_from_a_board(window: Window) -> None:
    edit(window, "3x3x3")
    for name in ("a1", "b1"):
        window.cell(name).click()
    expect(window.button("Play from here")).to_have_attribute("aria-disabled", "true")
    window.button("Play from here").click(force=True)
    window.cell("b1").click()
    expect(window.button("Play from here")).to_have_attribute("aria-disabled", "false")
    leave(window, "Play from here", "3x3x3:XO./.../...")
    window.cell("b2").click()
    window.expect_game("3x3x3:XO./.../... b2")


def test_a_finished_board_can_be_opened(window: Window) -> None:
    edit(window, "3x3x3")
    brush(window, "X")
    for name in ("a1", "b1", "c1"):
        window.cell(name).click()
    brush(window, "O")
    for name in ("a2", "b2"):
        window.cell(name).click()
    expect(window.page.locator("#board .noughts-strike")).to_have_count(1)
    leave(window, "Open this position", "3x3x3:XXX/OO./...")


def test_cancelling_brings_the_game_back(window: Window) -> None:
    explore(window, "3x3x3 b2 a1 | c3")
    window.button("Set up a board").click()
    window.cell("c1").click()
    window.button("Cancel").click()
    window.expect_game("3x3x3 b2 a1 | c3")
    expect(window.button("Set up a board")).to_be_focused()
    window.button("Set up a board").click()
    window.page.get_by_role("tab", name="Game").click()  # another panel ends it, too
    window.expect_game("3x3x3 b2 a1 | c3")


def test_the_server_being_away_is_said_and_nothing_is_lost(window: Window) -> None:
    edit(window, "3x3x3")
    expect_judged(window, "3x3x3:.../.../...")
    window.page.route("**/api/verdict", lambda route: route.abort())
    window.cell("b2").click()
    expect(window.page.locator(".reasons li")).to_have_text("The server cannot be reached.")
    window.page.unroute("**/api/verdict")
    window.cell("a1").click()
    expect_judged(window, "3x3x3:X../.X./...")


# ------------------------------------------------------------------------------------- the facts


@pytest.mark.parametrize("game", ["3x3x3", "3x3x3 b2", "4x4x3 b2 a1", "2x3x2", "1x1x1"])
def test_games_are_counted(window: Window, game: str) -> None:
    explore(window, game)
    position = Game.parse(game).position
    assert isinstance(position, GridPosition)
    counts = counting.count(position)
    expect_summed_up(window, counts)
    table = window.page.locator(".explorer details table tbody tr")
    window.page.get_by_text("As a table").click()
    expected = [
        f"{length}{separated(count)}{percent(count, counts.total)}"
        for length, count in sorted(counts.by_length.items())
    ]
    assert table.all_text_contents() == expected
    columns = window.page.locator(".explorer .column")
    expect(columns).to_have_count(len(counts.by_length))
    heights = columns.evaluate_all("all => all.map(one => Number(one.getAttribute('height')))")
    most = max(counts.by_length.values())
    for height, (_, count) in zip(heights, sorted(counts.by_length.items()), strict=True):
        assert height == pytest.approx(max(1.5, 110 * count / most), abs=0.01)


def expect_summed_up(window: Window, counts: counting.GameCounts) -> None:
    """Wait until the numbers above the moves are these."""
    summary = window.page.locator(".summary")
    expect(summary.locator("strong")).to_have_text(separated(counts.total))
    for name in ("x_wins", "draws", "o_wins"):
        cells = summary.locator(f'tr[data-outcome="{name}"] td')
        count = getattr(counts, name)
        expect(cells).to_have_text([separated(count), percent(count, counts.total)])


def percent(part: int, whole: int) -> str:
    tenths = (2000 * part + whole) // (2 * whole)
    return "< 0.1 %" if part and not tenths else f"{tenths // 10}.{tenths % 10} %"


def test_positions_are_counted_up_to_symmetry(window: Window) -> None:
    explore(window, "3x3x3", "Positions")
    total = counting.count("3x3x3", "positions", up_to_symmetry=True).total
    assert total == 765
    expect(window.page.locator(".facts section").first).to_contain_text(separated(total))


def test_what_cannot_be_counted_is_not_offered(window: Window) -> None:
    explore(window, "15x15x5", "Games")
    expect(window.page.locator(".listing .about")).to_contain_text(
        "All games of 15x15x5 are not numbered: this board is too large to count"
    )
    for name in ("First game", "Random", "Go"):
        expect(window.button(name)).to_be_hidden()
    expect(window.page.get_by_label("Which games")).to_be_hidden()
    window.show("ultimate", panel="explore")
    expect(window.page.locator(".images li")).to_have_count(1)
    expect(window.button("Random")).to_be_hidden()


def test_a_refusal_to_count_is_remembered(window: Window) -> None:
    explore(window, "6x6x4", "Games")
    about = window.page.locator(".listing .about")
    expect(about).to_contain_text("this count needs more than 1.0 GiB of memory")
    asked = window.requests()
    for page in ("Positions", "Games", "Positions", "Games"):
        turn_to(window, page)
        expect(about).to_be_visible(visible=page == "Games")
    assert "POST /api/games" not in asked
    expect(about).to_contain_text("this count needs more than")


def test_numbers_follow_the_position(window: Window) -> None:
    explore(window, "3x3x3 b2 a1")
    for text, key in (("O../.X./...", "ArrowLeft"), (".../.X./...", "ArrowLeft"), ("3x3x3", "")):
        expect_summed_up(window, counting.count(GridPosition.parse(text) if "/" in text else text))
        if key:
            window.page.keyboard.press(key)


@pytest.mark.parametrize(
    "text", ["3x3x3:X../.../...", "3x3x3:XO./.../...", "2x3x3:XO./...", "ultimate ee ea"]
)
def test_symmetric_images(window: Window, text: str) -> None:
    explore(window, text, "" if text.startswith("ultimate") else "Positions")
    position = Game.parse(text).position
    positions = {position.transformed(symmetry) for symmetry in _symmetries(position)}
    expect(window.page.locator(".images li")).to_have_count(len(positions))
    expect(window.page.locator(".images [aria-current]")).to_have_count(1)
    if len(positions) > 1:
        window.page.locator(".images button").last.click()
        expect(window.page.locator("#board")).not_to_have_attribute("data-game", text)
        shown = Game.parse(window.page.locator("#board").get_attribute("data-game") or "").position
        assert shown in positions
        assert shown != position
        assert shown.canonical() == position.canonical()
        window.page.go_back()
        window.expect_game(text)


@pytest.mark.parametrize("text", ["4x3x3 b2 a1 c4", "ultimate ee ea ab bi"])
def test_small_boards_are_drawn_as_the_large_one(window: Window, text: str) -> None:
    explore(window, text, "" if text.startswith("ultimate") else "Positions")
    seen = view(Game.parse(text))
    expected = {
        (index % seen["cols"], index // seen["cols"], cell["mark"])
        for index, cell in enumerate(seen["cells"])
        if cell["mark"] != "."
    }
    marks = window.page.locator(".image[aria-current] .mark")
    expect(marks).to_have_count(len(expected))
    boxes: list[list[Any]] = marks.evaluate_all(
        "all => all.map(one => [one.getBBox().x, one.getBBox().y, one.dataset.mark])"
    )
    assert {(int(x // 20), int(y // 20), mark) for x, y, mark in boxes} == expected


def _symmetries(position: Any) -> list[Any]:
    from noughts.rules.symmetry import Symmetry

    if isinstance(position, GridPosition) and position.grid.rows != position.grid.cols:
        names = ("IDENTITY", "ROTATE_180", "MIRROR_LEFT_RIGHT", "MIRROR_TOP_BOTTOM")
        return [Symmetry[name] for name in names]
    return list(Symmetry)


# ------------------------------------------------------------------------------- games by number


def go_to(window: Window, number: str) -> None:
    window.page.get_by_label("Number").fill(number)
    window.button("Go").click()


def expect_listed(window: Window, games: Games, number: int, prefix: str) -> None:
    moves = " ".join(games.start.move_name(move) for move in games[number])
    window.expect_game(f"{prefix} {moves}")
    expect(window.page.get_by_label("Number")).to_have_value(separated(number))
    expect(window.page.locator(".listing .said")).to_contain_text(f"Game {separated(number)}:")


def expect_offered(window: Window, words: str) -> None:
    expect(window.page.locator(".listing .about")).to_have_text(words)


def test_the_games_of_4x4x3_by_number(window: Window) -> None:
    number_games(window, "4x4x3")
    games = Games("4x4x3")
    last = games.total - 1
    expect_offered(window, "All games of 4x4x3: 1,281,016,086,768, numbered from 0.")
    window.button("Last game").click()
    expect_listed(window, games, last, "4x4x3")
    window.button("Next game").click()
    expect(window.page.locator("#game-fault")).to_have_text("This is the last game.")
    window.button("Previous game").click()
    expect_listed(window, games, last - 1, "4x4x3")
    go_to(window, "1,000,000,000,000")
    expect_listed(window, games, 10**12, "4x4x3")
    window.button("Next game").click()
    expect_listed(window, games, 10**12 + 1, "4x4x3")


def test_a_number_may_be_written_in_several_ways(window: Window) -> None:
    number_games(window, "3x3x3")
    games = Games("3x3x3")
    for typed in ("100,000", "100000", " 100 000", "100_000", "100.000", "100’000"):
        window.button("First game").click()
        expect_listed(window, games, 0, "3x3x3")
        go_to(window, typed)
        expect_listed(window, games, 100_000, "3x3x3")


def test_games_from_a_position_that_end_in_a_draw(window: Window) -> None:
    number_games(window, "3x3x3 b2 a1")
    window.button("From here").click()
    window.page.get_by_label("Which games").select_option("draw")
    games = Games(GridPosition.parse("O../.X./..."), outcome="draw")
    words = "The games that begin 3x3x3 b2 a1 that are draws"
    expect_offered(window, f"{words}: {separated(games.total)}, numbered from 0.")
    window.button("Last game").click()
    expect_listed(window, games, games.total - 1, "3x3x3 b2 a1")
    window.button("From the start").click()
    expect_offered(window, "The games of 3x3x3 that are draws: 46,080, numbered from 0.")
    window.button("First game").click()
    expect_listed(window, Games("3x3x3", outcome="draw"), 0, "3x3x3")


def test_a_random_game_has_its_number(window: Window) -> None:
    number_games(window, "4x4x3")
    window.button("Random").click()
    field = window.page.get_by_label("Number")
    expect(field).to_have_value(re.compile(r"\d"))
    games = Games("4x4x3")
    expect_listed(window, games, int(field.input_value().replace(",", "")), "4x4x3")


def test_a_bad_number(window: Window) -> None:
    number_games(window, "3x3x3 b2")
    for typed, message in (
        ("", "Type a number from 0 to 255,167."),
        ("abc", "“abc” is not a whole number. Games are numbered from 0 to 255,167."),
        ("12.5", "“12.5” is not a whole number. Games are numbered from 0 to 255,167."),
        ("1,00", "“1,00” is not a whole number. Games are numbered from 0 to 255,167."),
        ("1.000,000", "“1.000,000” is not a whole number."),
        ("-1", "There is no game -1. They are numbered from 0 to 255,167."),
        ("255168", "There is no game 255,168. They are numbered from 0 to 255,167."),
        ("1e5", "“1e5” is not a whole number. Games are numbered from 0 to 255,167."),
        ("9" * 60, "There is no game 999,999,999,999,999,999,999,999,999,999,…."),
        ("<img src=x onerror=alert(1)>", "“<img src=x onerror=alert(1)>” is not a whole number."),
    ):
        go_to(window, typed)
        expect(window.page.locator("#game-fault")).to_contain_text(message)
        expect(window.page.get_by_label("Number")).to_have_attribute("aria-invalid", "true")
        window.expect_game("3x3x3 b2")


def test_a_game_on_the_board_can_be_gone_through(window: Window) -> None:
    number_games(window, "3x3x3")
    go_to(window, "100,000")
    names = [Games("3x3x3").start.move_name(move) for move in Games("3x3x3")[100_000]]
    window.expect_game(" ".join(["3x3x3", *names]))
    window.page.locator("h1").click()
    window.page.keyboard.press("Home")
    window.expect_game(" ".join(["3x3x3", "|", *names]))


def test_during_a_game_by_link_the_board_is_left_alone(window: Window) -> None:
    window.open("3x3x3", panel="link")
    window.button("Create a link").click()
    expect(window.page.get_by_label("The link")).to_be_visible()
    window.page.get_by_role("tab", name="Explore").click()
    expect(window.page.get_by_text("The board belongs to a game with a friend")).to_be_visible()
    expect(window.button("Set up a board")).to_be_hidden()
    expect(window.button("Random")).to_be_hidden()
    expect(window.page.locator(".moves-table")).to_be_hidden()
    expect(window.page.locator(".images li")).to_have_count(1)
    expect(window.page.locator(".images button")).to_have_count(0)


# ------------------------------------------------------------------------------------- exploring


LAPTOP = {"viewport": {"width": 1280, "height": 620}}


@pytest.mark.parametrize("options", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("page", ["Moves", "Games"])
def test_the_board_stays_in_sight_and_nothing_jumps(
    new_window: Callable[..., Window], options: dict[str, Any], page: str
) -> None:
    window = new_window(**options)
    explore(window, "4x4x3 c3 b2 b3", page)
    window.page.locator("h1").click()  # so that keys are not for the choice of pages
    steps = [partial(window.page.keyboard.press, key) for key in ("Home", "End", "ArrowLeft")]
    if page == "Games":
        window.button("First game").click()
        expect(window.page.locator(".listing .said")).to_contain_text("Game 0:")
        # Without scrolling there, as a click would.
        names = ("Next game", "Last game", "Random", "Previous game")
        steps = [partial(window.button(name).dispatch_event, "click") for name in names]
    else:
        expect(window.page.locator(".explorer .chart")).to_be_visible()
    for share in (1, 0.6):
        window.page.evaluate(
            "share => scrollTo(0, share * (document.documentElement.scrollHeight - innerHeight))",
            share,
        )
        before = window.page.evaluate("scrollY")
        assert before > 0 or options is LAPTOP
        for step in steps:
            game = window.game()
            step()
            expect(window.page.locator("#board")).not_to_have_attribute("data-game", game)
            if page == "Moves":
                shown = window.page.locator(".explorer")
                expect(shown).to_have_attribute("aria-busy", "false")
            assert window.page.evaluate("scrollY") == before
            assert sight(window) == 1


def sight(window: Window) -> float:
    """Return which part of the board one sees."""
    part: float = window.page.evaluate(
        """() => {
          const board = document.querySelector(".noughts-grid").getBoundingClientRect();
          const hit = (x, y) => Boolean(document.elementFromPoint(x, y)?.closest("#board"));
          const at = [0.02, 0.25, 0.5, 0.75, 0.98];
          const seen = at.flatMap((x) => at.map(
            (y) => hit(board.x + x * board.width, board.y + y * board.height)));
          return seen.filter(Boolean).length / seen.length;
        }"""
    )
    return part


def test_exploring_leaves_your_game_alone(window: Window) -> None:
    window.open("3x3x3 b2 a1", o="casual", panel="explore")
    turn_to(window, "Games")
    asked = window.requests()
    window.button("First game").click()
    expect_listed(window, Games("3x3x3"), 0, "3x3x3")
    window.page.keyboard.press("ArrowLeft")
    window.cell("c3").click()  # instead of a3, and O's turn is next
    window.expect_game("3x3x3 a1 b1 c1 a2 b2 c2 c3")
    window.page.keyboard.press("Home")
    window.cell("a1").click()
    window.expect_game("3x3x3 a1 | b1 c1 a2 b2 c2 c3")
    window.cell("c2").click()
    window.cell("c2").click()
    expect(window.problem).to_contain_text("You cannot play c2")
    window.expect_game("3x3x3 a1 c2")
    window.page.reload()
    window.wait_until_ready()
    window.expect_game("3x3x3 a1 c2")
    window.page.go_back()
    window.expect_game("3x3x3 a1 | b1 c1 a2 b2 c2 c3")
    window.button("Back to your game").click()
    window.expect_game("3x3x3 b2 a1")
    assert "explore=" not in window.link
    window.page.go_back()
    window.expect_game("3x3x3 a1 | b1 c1 a2 b2 c2 c3")
    assert "POST /api/move" not in asked


# ----------------------------------------------------------------------------- what is behind moves


def rows(window: Window) -> list[dict[str, Any]]:
    """Return the rows of the table as they are drawn."""
    found: list[dict[str, Any]] = window.page.locator(".moves-table tbody").evaluate_all(
        """all => all.map(body => ({
          moves: [...body.querySelectorAll(".move")].map(each => each.textContent),
          value: body.querySelector(".worth").textContent,
          total: body.querySelector("td[title]")?.title,
          ends: [...body.querySelectorAll(".ends-bar > span")].map(
            each => [each.firstChild.textContent.trim(), each.title, each.style.flexGrow]),
        }))"""
    )
    return found


def expect_explored(window: Window, game: str, key: Callable[[ExploredMove], Any]) -> None:
    """Wait until the table has the library's numbers, in an order."""
    found = noughts.explore(game, seconds=60)
    assert found.is_proved
    assert found.is_counted
    name = found.position.move_name
    groups = {each.alike: each for each in sorted(found.moves, key=lambda each: each.move)}
    best = [each for each in found.moves if each.alike[0] == each.move]
    expected = []
    for each in sorted(best, key=key):
        games = groups[each.alike].games
        assert games is not None
        ends = [("X wins", games.x_wins), ("Draws", games.draws), ("O wins", games.o_wins)]
        expected.append(
            {
                "moves": [name(move) for move in each.alike],
                "value": str(each.proof),
                "total": separated(games.total),
                "ends": [
                    [
                        f"{label} {percent(count, games.total)}",
                        f"{label}: {separated(count)}",
                        f"{count * 1_000_000 // games.total / 1_000_000:g}",
                    ]
                    for label, count in ends
                ],
            }
        )
    window.eventually(lambda: rows(window), expected)


@pytest.mark.parametrize("game", ["3x3x3", "3x3x3 b2 a2", "4x4x3 b2", "2x5x3 a1", "3x3x5"])
def test_every_move_has_its_value_and_its_games(window: Window, game: str) -> None:
    explore(window, game)
    expect_explored(window, game, lambda each: 0)
    text = noughts.explore(game, seconds=60)
    expect(window.page.locator(".explorer .verdict")).to_have_text(
        f"{str(text)[0].upper()}{str(text)[1:]}."
    )


def test_moves_can_be_sorted(window: Window) -> None:
    game = "3x3x3 b2 a2"
    explore(window, game)

    def share(outcome: str, sign: int) -> Callable[[ExploredMove], Any]:
        return lambda each: sign * getattr(each.games, outcome) / each.games.total  # type: ignore[union-attr]

    for label, outcome in (("X wins", "x_wins"), ("Draws", "draws"), ("O wins", "o_wins")):
        window.button(label).click()
        expect_explored(window, game, share(outcome, -1))
        expect(window.button(label)).to_have_attribute("aria-pressed", "true")
        window.button(label).click()
        expect_explored(window, game, share(outcome, 1))
    column = window.page.get_by_role("columnheader", name="Games")

    def total(sign: int) -> Callable[[ExploredMove], Any]:
        return lambda each: sign * each.games.total  # type: ignore[union-attr]

    for sign, direction in ((-1, "descending"), (1, "ascending")):
        window.button("Games").click()
        expect_explored(window, game, total(sign))
        expect(column).to_have_attribute("aria-sort", direction)
        expect(window.button("Games")).to_be_focused()


def expect_looked_at(window: Window, move: str | None, alike: Sequence[str] = ()) -> None:
    for flag, names in (("preview", [move] if move else []), ("marked", alike)):
        cells = window.page.locator(f"#board [data-{flag}=true]")
        expect(cells).to_have_count(len(names))
        assert cells.evaluate_all("all => all.map(one => one.dataset.name)") == list(names)


def move_button(window: Window, name: str) -> Locator:
    return window.page.locator(f'.moves-table [data-move="{name}"]')


def test_a_move_is_looked_at_and_played_by_mouse(window: Window) -> None:
    window.open("3x3x3", o="casual", panel="explore")
    asked = window.requests()
    whole, after = counting.count("3x3x3"), counting.count("3x3x3:.../..X/...")
    expect_summed_up(window, whole)
    move_button(window, "c2").hover()
    expect_looked_at(window, "c2", ["b1", "a2", "c2", "b3"])
    expect_summed_up(window, after)
    window.page.locator(".moves-table tbody").nth(2).locator(".ends-bar").hover()
    expect_looked_at(window, "b2")
    window.page.locator("h1").hover()
    expect_looked_at(window, None)
    expect_summed_up(window, whole)
    move_button(window, "c2").click()
    window.expect_game("3x3x3 c2")
    expect_explored(window, "3x3x3 c2", lambda each: 0)
    window.page.locator(".moves-table tbody").first.locator(".ends-bar").click()
    window.expect_game(f"3x3x3 c2 {rows(window)[0]['moves'][0]}")
    window.button("Back to your game").click()
    window.expect_game("3x3x3")
    assert "POST /api/move" not in asked


def test_a_move_is_looked_at_and_played_by_keyboard(window: Window) -> None:
    explore(window, "3x3x3")
    expect_explored(window, "3x3x3", lambda each: 0)
    window.button("O wins").focus()
    keys = window.page.keyboard
    keys.press("Tab")  # one button of the table is in the tab order
    expect_looked_at(window, "a1", ["a1", "c1", "a3", "c3"])
    keys.press("ArrowDown")
    expect_looked_at(window, "c1", ["a1", "c1", "a3", "c3"])
    keys.press("ArrowUp")
    keys.press("Enter")
    window.expect_game("3x3x3 a1")
    expect_explored(window, "3x3x3 a1", lambda each: 0)
    expect(move_button(window, "b2")).to_be_focused()
    expect_looked_at(window, "b2")
    keys.press("ArrowDown")
    expect(move_button(window, "b1")).to_be_focused()
    keys.press("ArrowLeft")  # through the moves, as elsewhere
    window.expect_game("3x3x3 | a1")


def test_a_finger_unfolds_the_numbers_of_a_move(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    explore(window, "3x3x3 b2")
    row = window.page.locator(".moves-table tbody").first
    expect(row.locator(".exact")).to_be_hidden()
    row.locator(".ends-bar").tap()
    expect(row.locator(".exact")).to_have_text("X wins 1,830Draws 576O wins 792")
    expect_looked_at(window, "a1", ["a1", "c1", "a3", "c3"])
    window.expect_game("3x3x3 b2")
    move_button(window, "c1").tap()
    window.expect_game("3x3x3 b2 c1")


def streamed(*known: Any) -> str:
    """Return a stream of what is known, the last of it as the result."""
    *before, result = (json.dumps(each) for each in known)
    events = [f"event: progress\ndata: {each}\n\n" for each in before]
    return "".join([*events, f"event: result\ndata: {result}\n\n"])


def test_what_is_open_is_said_and_may_be_looked_for_longer(window: Window) -> None:
    whole = noughts.explore("3x3x3 b2 a1").to_json()
    part = json.loads(json.dumps(whole))
    for name in ("b1", "c1"):
        part["moves"][name] |= {"value": "unknown", "at_most": "win", "proved": False}
        part["moves"][name] |= {"at_least": "draw", "plies": None, "games": None}
    part["notes"] = ["2 of 7 moves are not proved: the time was not enough."]
    asked: list[float] = []

    def respond(route: Route) -> None:
        asked.append((route.request.post_data_json or {})["seconds"])
        body = streamed(part, part if len(asked) == 1 else whole)
        route.fulfill(body=body, content_type="text/event-stream")

    window.page.route("**/api/explore", respond)
    explore(window, "3x3x3 b2 a1")
    expect(window.page.locator(".notes li")).to_have_text(part["notes"])
    values = {row["moves"][0]: (row["value"], row["total"]) for row in rows(window)}
    assert values["b1"] == ("at least a draw", None)
    assert asked == [10]
    window.button("Look longer").click()
    expect(window.button("Look longer")).to_be_hidden()
    expect_explored(window, "3x3x3 b2 a1", lambda each: 0)
    assert asked == [10, 20], "as long as this server allows"
    window.page.keyboard.press("ArrowLeft")
    window.eventually(lambda: len(asked), 3)
    window.page.keyboard.press("ArrowRight")
    window.expect_game("3x3x3 b2 a1")
    expect_explored(window, "3x3x3 b2 a1", lambda each: 0)
    assert len(asked) == 3, "what is known is not asked for again"


def test_a_board_that_is_too_large_is_said_to_be(window: Window) -> None:
    explore(window, "15x15x5")
    notes = window.page.locator(".notes li")
    expect(notes).to_have_count(2)
    expect(notes.nth(0)).to_have_text("Boards of more than 64 cells are too large to be solved.")
    expect(notes.nth(1)).to_contain_text("Games are not counted: this board is too large to count")
    expect(window.page.locator(".moves-table")).to_be_hidden()
    expect(window.button("Look longer")).to_be_hidden()


def test_a_finished_game_has_no_moves_to_explore(window: Window) -> None:
    explore(window, "3x3x3 a1 a2 b1 b2 c1")
    expect(window.page.locator(".explorer h3")).to_have_text("The game is over")
    expect(window.page.locator(".moves-table")).to_be_hidden()
    window.page.keyboard.press("ArrowLeft")
    expect(window.page.locator(".explorer .verdict")).to_have_text("X wins in 1 move, proved.")


def test_playing_on_from_where_one_explored(window: Window) -> None:
    window.open("3x3x3", panel="game", explore="3x3x3 b2 a1 c3")
    window.expect_game("3x3x3 b2 a1 c3")
    window.button("Play from here").click()
    expect(window.button("New game")).to_be_visible()
    window.expect_game("3x3x3 b2 a1 c3")
    assert "explore=" not in window.link
    window.open("3x3x3 b2", panel="game", explore="3x3x3 zz")
    expect(window.problem).to_contain_text("not 'zz'")
    window.expect_game("3x3x3 b2")
    assert "explore=" not in window.link


# ---------------------------------------------------------------------------------- for everyone


def test_setting_up_by_keyboard_alone(window: Window) -> None:
    explore(window, "3x3x3")
    window.button("Set up a board").focus()
    keys = window.page.keyboard
    keys.press("Enter")
    for key in ("x", "ArrowRight", "o", "ArrowDown", "x"):
        keys.press(key)
    expect_judged(window, "3x3x3:.../.XO/..X")
    window.button("Play from here").focus()
    keys.press("Enter")
    expect(window.page.locator(".editor")).to_be_hidden()
    window.expect_game("3x3x3:.../.XO/..X")
    keys.press("ArrowLeft")  # the focus is in the board
    keys.press("Enter")
    window.expect_game("3x3x3:.../.XO/..X b3")


def test_axe_finds_nothing(window: Window) -> None:
    explore(window, "4x4x3 b2 a1")
    window.page.get_by_text("As a table").click()
    move_button(window, "c3").focus()
    assert violations(window.page) == []
    turn_to(window, "Positions")
    expect(window.page.get_by_text("up to symmetry that games")).to_be_visible()
    expect(window.page.locator(".images li").first).to_be_visible()
    assert violations(window.page) == []
    turn_to(window, "Games")
    go_to(window, "x")
    expect(window.page.locator("#game-fault")).not_to_be_empty()
    assert violations(window.page) == []
    edit(window, "3x3x3")
    window.cell("b2").click()
    expect_judged(window, "3x3x3:.../.X./...")
    assert violations(window.page) == []
    window.cell("b2").click()
    expect_judged(window, "3x3x3:.../.O./...")
    assert violations(window.page) == []


def test_no_sideways_scrolling_at_360_pixels(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    width = "document.documentElement.scrollWidth"
    explore(window, "5x5x4 c3 b2")
    expect(window.page.locator(".explorer .chart")).to_be_visible()
    window.page.get_by_text("As a table").click()
    assert window.page.evaluate(width) <= 360
    number_games(window, "4x4x3")
    window.button("Last game").click()
    expect(window.page.locator(".listing .said")).to_contain_text("Game")
    assert window.page.evaluate(width) <= 360
    edit(window, "15x15x5")
    window.cell("h8").click()
    expect_judged(
        window, "15x15x5:" + "/".join(["." * 15] * 7 + ["." * 7 + "X" + "." * 7] + ["." * 15] * 7)
    )
    assert window.page.evaluate(width) <= 360
