"""The panel Explore: verdicts, counts, symmetric images, games by number; against the library."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Error, Route, expect

from noughts import Board, Game, GridPosition, counting, judge
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
    facts = window.page.locator(".facts section").first
    expect(facts.locator("strong")).to_have_text(separated(counts.total))
    for name, count in (
        ("x_wins", counts.x_wins),
        ("o_wins", counts.o_wins),
        ("draws", counts.draws),
    ):
        row = facts.locator(f'tr[data-outcome="{name}"]')
        expect(row.locator("td").first).to_have_text(separated(count))
        expect(row.locator("td").last).to_have_text(percent(count, counts.total))
    lengths = facts.locator("details table tbody tr")
    facts.get_by_text("As a table").click()
    expected = [
        f"{length}{separated(count)}{percent(count, counts.total)}"
        for length, count in sorted(counts.by_length.items())
    ]
    assert lengths.all_text_contents() == expected
    expect(facts.locator(".column")).to_have_count(len(counts.by_length))
    heights = facts.locator(".column").evaluate_all(
        "all => all.map(one => Number(one.getAttribute('height')))"
    )
    most = max(counts.by_length.values())
    for height, (_, count) in zip(heights, sorted(counts.by_length.items()), strict=True):
        assert height == pytest.approx(max(1.5, 110 * count / most), abs=0.01)


def percent(part: int, whole: int) -> str:
    tenths = (2000 * part + whole) // (2 * whole)
    return "< 0.1 %" if part and not tenths else f"{tenths // 10}.{tenths % 10} %"


def test_positions_are_counted_up_to_symmetry(window: Window) -> None:
    explore(window, "3x3x3", "Positions")
    total = counting.count("3x3x3", "positions", up_to_symmetry=True).total
    assert total == 765
    expect(window.page.locator(".facts section").nth(1)).to_contain_text(separated(total))


def test_what_cannot_be_counted_is_not_offered(window: Window) -> None:
    explore(window, "15x15x5")
    expect(window.page.get_by_text("Not counted: this board is too large to count")).to_be_visible()
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
    explore(window, "6x6x4")
    about = window.page.locator(".listing .about")
    expect(about).to_contain_text("this count needs more than 1.0 GiB of memory")
    expect(window.page.get_by_text("Not counted: this count needs more than")).to_be_visible()
    asked = window.requests()
    for page in ("Positions", "Games", "Positions", "Games"):
        turn_to(window, page)
        expect(window.page.locator(".facts section:visible").first).to_have_attribute(
            "aria-busy", "false"
        )
    assert "POST /api/games" not in asked
    assert "POST /api/count" not in asked
    expect(about).to_contain_text("this count needs more than")


def test_facts_follow_the_position(window: Window) -> None:
    explore(window, "3x3x3 b2 a1")
    number = window.page.locator(".facts section").first.locator("strong")
    expect(number).to_have_text(separated(counting.count(GridPosition.parse("O../.X./...")).total))
    window.page.locator("h1").click()
    window.page.keyboard.press("ArrowLeft")
    expect(number).to_have_text(separated(counting.count(GridPosition.parse(".../.X./...")).total))
    window.page.keyboard.press("ArrowLeft")
    expect(number).to_have_text("255,168")


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
    explore(window, "4x4x3")
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
    explore(window, "3x3x3")
    games = Games("3x3x3")
    for typed in ("100,000", "100000", " 100 000", "100_000", "100.000", "100’000"):
        window.button("First game").click()
        expect_listed(window, games, 0, "3x3x3")
        go_to(window, typed)
        expect_listed(window, games, 100_000, "3x3x3")


def test_games_from_a_position_that_end_in_a_draw(window: Window) -> None:
    explore(window, "3x3x3 b2 a1")
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
    explore(window, "4x4x3")
    window.button("Random").click()
    field = window.page.get_by_label("Number")
    expect(field).to_have_value(re.compile(r"\d"))
    games = Games("4x4x3")
    expect_listed(window, games, int(field.input_value().replace(",", "")), "4x4x3")


def test_a_bad_number(window: Window) -> None:
    explore(window, "3x3x3 b2")
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
    explore(window, "3x3x3")
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
    expect(window.page.locator(".images li")).to_have_count(1)
    expect(window.page.locator(".images button")).to_have_count(0)


# ------------------------------------------------------------------------------------- exploring


LAPTOP = {"viewport": {"width": 1280, "height": 620}}


@pytest.mark.parametrize("options", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_board_stays_in_sight_and_nothing_jumps(
    new_window: Callable[..., Window], options: dict[str, Any]
) -> None:
    window = new_window(**options)
    explore(window, "4x4x3 c3")
    expect(window.page.locator(".facts .chart")).to_be_visible()
    window.button("First game").click()
    expect(window.page.locator(".facts strong")).to_have_text("1")
    window.page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    # As far down as one gets, and then at the buttons.
    for _ in range(2):
        before = window.page.evaluate("window.scrollY")
        assert before > 0
        for name in ("Next game", "Last game", "Random", "Previous game"):
            for act in (
                partial(window.button(name).dispatch_event, "click"),  # without scrolling there
                partial(window.page.keyboard.press, "ArrowLeft"),
            ):
                game = window.game()
                act()
                expect(window.page.locator("#board")).not_to_have_attribute("data-game", game)
                facts = window.page.locator(".facts section").first
                expect(facts).to_have_attribute("aria-busy", "false")
            assert window.page.evaluate("window.scrollY") == before, name
            assert sight(window) == 1, name
        window.button("Next game").scroll_into_view_if_needed()


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
    expect(window.page.locator(".facts .chart")).to_be_visible()
    window.page.get_by_text("As a table").click()
    assert window.page.evaluate(width) <= 360
    explore(window, "4x4x3")
    window.button("Last game").click()
    expect(window.page.locator(".listing .said")).to_contain_text("Game")
    assert window.page.evaluate(width) <= 360
    edit(window, "15x15x5")
    window.cell("h8").click()
    expect_judged(
        window, "15x15x5:" + "/".join(["." * 15] * 7 + ["." * 7 + "X" + "." * 7] + ["." * 15] * 7)
    )
    assert window.page.evaluate(width) <= 360
