"""Games by link in the browser: two people, a watcher, reloads, and a server that comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Locator, Route, expect

from noughts import Game
from support.browser_page import PHONE, Window, violations
from support.http_server import process


def create(window: Window, game: str = "3x3x3", side: str = "X") -> str:
    """Create a game by link and return the link."""
    window.open(game, panel="link")
    window.page.get_by_role("radio", name=side, exact=True).check()
    window.button("Create a link").click()
    return link_in(window)


def link_in(window: Window) -> str:
    """Return the link of the game by link that is on the board, once it is."""
    link = window.page.get_by_label("The link")
    expect(link).to_be_visible()
    expect_live(window)
    return link.input_value()


def expect_live(window: Window) -> None:
    expect(window.page.locator(".connection")).to_have_text("Live")


def watch(window: Window, link: str) -> None:
    """Open a link and wait for its game; until then one's own is on the board."""
    window.visit(link)
    expect_live(window)


def join(window: Window, link: str, side: str = "O") -> None:
    """Open a link and take the free seat."""
    watch(window, link)
    window.button(f"Play as {side}").click()
    expect(window.button(f"Play as {side}")).to_be_hidden()
    expect_live(window)


def take_turns(players: dict[str, Window], windows: list[Window], text: str) -> None:
    """Play the moves of a game, each in the window of whoever has to move."""
    wanted = Game.parse(text)
    game = Game(wanted.start)
    for move in wanted.moves:
        players[game.turn.value].cell(game.position.move_name(move)).click()
        game.play(move)
        for window in windows:
            window.expect_game(game.text)


def test_two_people_and_a_watcher(new_window: Callable[..., Window]) -> None:
    host, guest, watcher = new_window(), new_window(), new_window()
    link = create(host)
    expect(host.status).to_have_text("Your move, X")
    expect(host.page.locator("#seat-o")).to_contain_text("Waiting for a friend")
    watch(watcher, link)
    join(guest, link)
    expect(host.problem).to_contain_text("Your opponent is here")
    take_turns({"X": host, "O": guest}, [host, guest, watcher], "3x3x3 a1 a2 b1")
    expect(guest.status).to_have_text("Your move, O")
    expect(host.status).to_have_text("O to move")
    expect(guest.live).to_have_text("X plays b1. Your move, O.")
    expect(watcher.status).to_have_text("O to move")
    expect(watcher.page.get_by_text("You are watching.")).to_be_visible()
    guest.cell("b2").click()
    host.expect_game("3x3x3 a1 a2 b1 b2")
    host.cell("c1").click()
    for window in (host, guest, watcher):
        window.expect_game("3x3x3 a1 a2 b1 b2 c1")
    for window, result in ((host, "You won"), (guest, "You lost"), (watcher, "X wins")):
        expect(window.status).to_have_text(result)


def test_a_side_moves_only_for_itself(new_window: Callable[..., Window]) -> None:
    host, guest, watcher = new_window(), new_window(), new_window()
    link = create(host)
    watch(watcher, link)
    watcher.cell("b2").click()
    expect(watcher.problem).to_contain_text("Take the free seat to play as O")
    join(guest, link)
    guest.cell("b2").click()
    expect(guest.problem).to_contain_text("It is X's turn")
    expect(watcher.problem).to_contain_text("Both seats are taken now.")
    watcher.cell("b2").click()
    expect(watcher.problem).to_have_text(re.compile("You are watching this game"))
    host.cell("b2").click()
    for window in (host, guest, watcher):
        window.expect_game("3x3x3 b2")
    host.cell("a1").click()
    expect(host.problem).to_contain_text("It is O's turn")
    guest.cell("b2").click()
    expect(guest.problem).to_contain_text("You cannot play b2: it is taken by X")
    guest.expect_game("3x3x3 b2")


def test_a_forged_secret_is_of_no_use(new_window: Callable[..., Window]) -> None:
    host, guest, thief = new_window(), new_window(), new_window()
    link = create(host)
    join(guest, link)
    watch(thief, link)
    room = link.rpartition("=")[2]
    seat = '{"secret": "' + "A" * 43 + '", "seat": "host", "name": "3x3x3", "at": 0}'
    thief.page.evaluate(
        "([key, seat]) => localStorage.setItem(key, seat)", [f"noughts.seat.{room}", seat]
    )
    thief.page.reload()
    thief.wait_until_ready()
    expect_live(thief)
    expect(thief.status).to_have_text("Your move, X")  # it believes so, but the server does not
    thief.cell("b2").click()
    expect(thief.problem).to_contain_text("This is not the secret of a seat")
    thief.expect_game("3x3x3")
    expect(thief.page.get_by_text("You are watching.")).to_be_visible()
    host.expect_game("3x3x3")


def test_a_reload_keeps_the_seat(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    join(guest, create(host, "4x4x3", "O"), "X")
    guest.cell("b2").click()
    host.expect_game("4x4x3 b2")
    for window in (host, guest):
        window.page.reload()
        window.wait_until_ready()
        window.expect_game("4x4x3 b2")
    expect(host.status).to_have_text("Your move, O")
    host.cell("a1").click()
    guest.expect_game("4x4x3 b2 a1")
    guest.cell("b3").click()
    host.expect_game("4x4x3 b2 a1 b3")


def test_through_a_restart_of_the_server(new_window: Callable[..., Window], tmp_path: Path) -> None:
    database = str(tmp_path / "games.db")
    host, guest, watcher = new_window(), new_window(), new_window()
    windows = [host, guest, watcher]
    with process("--workers", "1", "--database", database) as server:
        host.address = guest.address = watcher.address = server.url
        link = create(host, "ultimate")
        join(guest, link)
        watch(watcher, link)
        take_turns({"X": host, "O": guest}, windows, "ultimate ee ea ae")
        assert server.end() == (0, "")
        for window in windows:
            expect(window.page.locator(".connection")).to_have_text("Reconnecting…")
        port = server.port
        guest.cell("ei").click()  # while the server is away
        expect(guest.problem).to_contain_text("The server cannot be reached")
        guest.expect_game("ultimate ee ea ae")
    with process("--workers", "1", "--database", database, port=port):
        for window in windows:
            expect_live(window)
        for window in windows:
            window.expect_game("ultimate ee ea ae ei")
        host.cell("ii").click()
        for window in windows:
            window.expect_game("ultimate ee ea ae ei ii")
        watcher.page.reload()
        watcher.wait_until_ready()
        watcher.expect_game("ultimate ee ea ae ei ii")


def test_a_lost_answer_loses_no_seat(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    link = create(host)
    watch(guest, link)
    # The server hears everything, but its answers do not arrive.
    guest.page.route("**/seats", lambda route: (route.fetch(), route.abort()))
    guest.button("Play as O").click()
    expect(guest.problem).to_contain_text("The server cannot be reached")
    expect(host.problem).to_contain_text("Your opponent is here")
    guest.page.unroute("**/seats")
    guest.page.reload()
    guest.wait_until_ready()
    expect(guest.page.locator("#seat-o")).to_contain_text("You")
    host.cell("b2").click()
    expect(guest.status).to_have_text("Your move, O")
    guest.cell("a1").click()
    host.expect_game("3x3x3 b2 a1")


def test_a_move_whose_answer_is_lost_is_made_once(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    join(guest, create(host))
    lost = 0

    def lose(route):  # type: ignore[no-untyped-def]
        nonlocal lost
        route.fetch()
        lost += 1
        if lost == 1:
            route.abort()
        else:
            route.continue_()

    host.page.route("**/moves", lose)
    host.cell("b2").click()
    for window in (host, guest):
        window.expect_game("3x3x3 b2")
    guest.cell("a1").click()
    host.expect_game("3x3x3 b2 a1")


def test_resigning_and_a_rematch_with_sides_swapped(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    join(guest, create(host))
    host.cell("b2").click()
    guest.expect_game("3x3x3 b2")
    guest.button("Resign").click()
    guest.button("Really resign?").click()
    expect(host.status).to_have_text("You won, O resigned")
    expect(guest.status).to_have_text("You resigned")
    expect(host.problem).to_be_hidden()  # nothing is said twice
    host.button("Rematch").click()
    expect(host.button("Rematch")).to_be_hidden()
    guest.button("Yes, another round as X").click()
    for window in (host, guest):
        window.expect_game("3x3x3")
        expect(window.page.get_by_text("Round 2.")).to_be_visible()
    expect(guest.status).to_have_text("Your move, X")
    guest.cell("a1").click()
    host.expect_game("3x3x3 a1")


def test_leaving_keeps_the_game_and_ones_own(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    host.open("4x4x3 b2 a1", panel="link")
    host.button("Create a link").click()
    link = link_in(host)
    host.expect_game("4x4x3")
    join(guest, link)
    host.cell("c3").click()
    guest.expect_game("4x4x3 c3")
    host.button("Back to your own game").click()
    host.expect_game("4x4x3 b2 a1")
    guest.cell("d4").click()
    guest.expect_game("4x4x3 c3 d4")
    host.page.go_back()
    host.expect_game("4x4x3 c3 d4")
    host.button("Back to your own game").click()
    host.expect_game("4x4x3 b2 a1")
    host.page.locator(".known-rooms button").first.click()
    host.expect_game("4x4x3 c3 d4")
    expect(host.status).to_have_text("Your move, X")


def test_going_on_with_the_game_on_the_board(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    host.open("5x5x4 c3 b2 | d4", panel="link")
    host.page.get_by_label("Go on with the game on the board").check()
    host.button("Create a link").click()
    host.expect_game("5x5x4 c3 b2")
    join(guest, link_in(host))
    host.cell("c4").click()
    guest.expect_game("5x5x4 c3 b2 c4")


def test_undo_keys_do_nothing_in_a_room(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    link = create(host, "4x4x3 d4 a1")
    join(guest, link)
    take_turns({"X": host, "O": guest}, [host, guest], "4x4x3 b2 a1")
    for key in ("Control+z", "Control+Shift+Z", "u", "n"):
        host.page.keyboard.press(key)
        host.page.wait_for_timeout(200)  # for what must not come
        expect(host.status).to_have_text("Your move, X")
        host.expect_marks("O....X..........")
    host.button("Back to your own game").click()
    host.expect_game("4x4x3 d4 a1")


def test_looking_back(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    join(guest, create(host))
    take_turns({"X": host, "O": guest}, [host, guest], "3x3x3 b2 a1 c3")
    guest.page.get_by_role("button", name="Move 1: X b2").click()
    expect(guest.status).to_have_text("Looking back: after 1 of 3 moves")
    guest.expect_game("3x3x3 b2 | a1 c3")
    guest.cell("b1").click()  # which is no move, but leads back to the game
    guest.expect_game("3x3x3 b2 a1 c3")
    guest.page.locator("h1").click()
    guest.page.keyboard.press("Home")
    guest.expect_game("3x3x3 | b2 a1 c3")
    guest.page.keyboard.press("End")
    guest.expect_game("3x3x3 b2 a1 c3")
    guest.cell("b1").click()
    host.expect_game("3x3x3 b2 a1 c3 b1")


def test_after_a_sleep_the_connection_is_made_anew(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    host.page.clock.install()
    join(guest, create(host))
    expect(host.problem).to_contain_text("Your opponent is here")
    with host.page.expect_request("**/events") as again:
        host.page.clock.fast_forward(60_000)  # in which the server would have said something
    assert again.value.header_value("Last-Event-ID") == "2"
    expect_live(host)
    take_turns({"X": host, "O": guest}, [host, guest], "3x3x3 b2 a1")


def test_without_a_network_for_a_while(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    join(guest, create(host))
    guest.page.context.set_offline(True)
    host.cell("b2").click()
    host.expect_game("3x3x3 b2")
    guest.page.context.set_offline(False)
    guest.expect_game("3x3x3 b2")
    expect_live(guest)


def test_a_hidden_page_holds_no_connection(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    join(guest, create(host))

    def set_hidden(is_hidden: bool) -> None:
        guest.page.evaluate(
            """(isHidden) => {
              const is = { get: () => isHidden, configurable: true };
              Object.defineProperty(document, "hidden", is);
              document.dispatchEvent(new Event("visibilitychange"));
            }""",
            is_hidden,
        )

    with guest.page.expect_event("requestfailed", lambda request: "events" in request.url):
        set_hidden(True)
    host.cell("b2").click()
    guest.expect_game("3x3x3 b2")  # it looks now and then
    expect(guest.page).to_have_title("Your move, O · 3x3x3 · noughts")
    with guest.page.expect_request("**/events"):
        set_hidden(False)
    expect_live(guest)


def test_the_forced_board_is_marked_in_every_window(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    join(guest, create(host, "ultimate"))
    host.cell("ea").click()
    for window in (host, guest):
        window.expect_game("ultimate ea")
        frame = window.page.locator('#board .noughts-frame[data-kind="forced"]')
        expect(frame).to_have_count(1)
        assert int(frame.get_attribute("x") or 1) == int(frame.get_attribute("y") or 1) == 0
    expect(host.page.locator('#board [data-legal="true"]')).to_have_count(0)
    expect(guest.page.locator('#board [data-legal="true"]')).to_have_count(9)
    host.button("Resign").click()
    host.button("Really resign?").click()
    for window, result in ((host, "You resigned"), (guest, "You won, X resigned")):
        expect(window.status).to_have_text(result)
        expect(window.page.locator('#board .noughts-frame[data-kind="forced"]')).to_have_count(0)


# The texts with a word that are to be seen.
SEEN = """
(word) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (data.includes(word) && parentElement.checkVisibility() && !parentElement.closest(".unseen"))
      found.push(data);
  }
  return found;
}
"""


def test_after_a_resignation_nothing_is_to_be_played_and_it_is_said_once(
    new_window: Callable[..., Window],
) -> None:
    host, guest = new_window(), new_window(**PHONE)
    join(guest, create(host, "ultimate"))
    host.cell("ea").click()
    guest.expect_game("ultimate ea")
    guest.button("Resign").click()
    guest.button("Really resign?").click()
    for window, result in ((host, "You won, O resigned"), (guest, "You resigned")):
        expect(window.status).to_have_text(result)
        expect(window.page.locator("#board .noughts-frame:not([data-kind=closed])")).to_have_count(
            0
        )
        expect(window.page.locator("#board [data-legal=true]")).to_have_count(0)
        assert window.page.evaluate(SEEN, "resigned") == [result]
        expect(window.problem).to_be_hidden()


def test_the_cards_of_the_players_keep_their_size(new_window: Callable[..., Window]) -> None:
    """Whoever is to move, however long a name is, and whether there are clocks."""
    host, guest = new_window(viewport={"width": 768, "height": 1024}), new_window(**PHONE)

    def sizes(window: Window) -> list[list[float]]:
        found: list[list[float]] = window.page.locator(".seat").evaluate_all(
            "seats => seats.map(seat => [seat.offsetLeft, seat.offsetWidth, seat.offsetHeight])"
        )
        return found

    for window in (host, guest):
        window.open("3x3x3 b2 a1", o="casual")
        before = sizes(window)
        assert before[0][1] == before[1][1]
        window.cell("c3").click()
        expect(window.page.locator("#moves .move")).to_have_count(4)
        assert sizes(window) == before
        window.page.get_by_label("O is played by").select_option("perfect")
        assert sizes(window) == before
    join(guest, create(host, "3x3x3"))
    both = [sizes(window) for window in (host, guest)]
    for move in ("b2", "a1", "c3"):
        (host if move != "a1" else guest).cell(move).click()
        for window in (host, guest):
            expect(window.cell(move)).not_to_have_attribute("data-mark", ".")
        assert [sizes(window) for window in (host, guest)] == both
    for each in both:
        assert each[0][1] == each[1][1]


def test_a_game_that_is_not_there(window: Window) -> None:
    window.visit(f"{window.address}/#room=nope")
    expect(window.problem).to_contain_text("There is no such room")
    window.expect_game("3x3x3")


def test_a_hostile_link(window: Window) -> None:
    for room in ("%3Cimg%20src=x%20onerror=alert(1)%3E", "../version", "a/b", "%00"):
        window.visit(f"{window.address}/#room={room}")
        expect(window.problem).to_be_visible()
        window.expect_game("3x3x3")


def test_the_link_is_copied(new_window: Callable[..., Window]) -> None:
    window = new_window(permissions=["clipboard-read", "clipboard-write"])
    link = create(window)
    window.button("Copy").click()
    expect(window.page.get_by_text("Copied.")).to_be_visible()
    assert window.page.evaluate("navigator.clipboard.readText()") == link


def test_opening_a_link_takes_no_seat(new_window: Callable[..., Window]) -> None:
    host, visitor = new_window(), new_window()
    link = create(host)
    watch(visitor, link)
    expect(visitor.button("Play as O")).to_be_visible()
    room = link.rpartition("=")[2]
    state = httpx.get(f"{host.address}/api/rooms/{room}", trust_env=False).json()
    assert state["seats"] == {"X": "host", "O": None}


def test_by_keyboard_alone(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    host.open("3x3x3", panel="link")
    host.page.get_by_role("tab", name="Friends").focus()
    keys = host.page.keyboard
    keys.press("Tab")  # the panel
    keys.press("Tab")  # the sides
    keys.press("ArrowRight")
    expect(host.page.get_by_role("radio", name="O", exact=True)).to_be_checked()
    keys.press("Enter")
    watch(guest, link_in(host))
    guest.button("Play as X").focus()
    guest.page.keyboard.press("Enter")
    expect(guest.status).to_have_text("Your move, X")
    guest.page.locator("h1").click()
    guest.page.keyboard.press("b")
    guest.page.keyboard.press("Enter")
    host.expect_game("3x3x3 b2")
    host.page.locator("h1").click()
    keys.press("b")
    keys.press("ArrowUp")
    keys.press("Enter")
    guest.expect_game("3x3x3 b2 b1")


def test_axe_finds_nothing(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window()
    host.open("4x4x3 b2", panel="link")
    assert violations(host.page) == []
    link = create(host)
    assert violations(host.page) == []
    watch(guest, link)
    expect(guest.button("Play as O")).to_be_visible()
    assert violations(guest.page) == []
    guest.button("Play as O").click()
    expect(host.problem).to_be_visible()
    assert violations(host.page) == []
    guest.button("Resign").click()
    guest.button("Really resign?").click()
    host.button("Rematch").click()
    expect(guest.button("Yes, another round as X")).to_be_visible()
    assert violations(guest.page) == []


def test_no_sideways_scrolling_at_360_pixels(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    window.open("ultimate", panel="link")
    width = "document.documentElement.scrollWidth"
    assert window.page.evaluate(width) <= 360
    create(window, "15x15x5")
    assert window.page.evaluate(width) <= 360


# -- clocks, names and greetings --------------------------------------------------------------


def with_clock(window: Window, seconds: int) -> str:
    """Create a game by link with a clock that is shorter than the page offers; return the link."""

    def shorten(route: Route) -> None:
        body: dict[str, Any] = route.request.post_data_json or {}
        assert body["clock"] == {"initial": 90, "increment": 0}
        route.continue_(post_data=json.dumps({**body, "clock": {"initial": seconds}}))

    window.open("3x3x3", panel="link")
    window.page.get_by_label("Custom").check()
    window.page.get_by_label("Minutes a side").fill("1.5")
    window.page.get_by_label("Seconds a move").fill("0")
    window.page.route("**/api/rooms", shorten)
    window.button("Create a link").click()
    return link_in(window)


def clock(window: Window, side: str) -> Locator:
    return window.page.locator(f"#seat-{side.lower()} .clock")


def test_a_game_with_a_clock(new_window: Callable[..., Window]) -> None:
    host, guest, watcher = new_window(), new_window(), new_window()
    link = with_clock(host, 2)
    expect(clock(host, "O")).to_be_hidden()  # there is nobody whose time it is
    watch(watcher, link)
    join(guest, link)
    windows = [host, guest, watcher]
    take_turns({"X": host, "O": guest}, [host], "3x3x3 b2")
    for window in windows:
        for side in "XO":
            expect(clock(window, side)).to_have_text("Time left: 0:02.0")
            expect(clock(window, side)).to_have_attribute("data-running", "false")
    guest.cell("a1").click()
    # X does not move any more. The server lets the flag fall; no page asks for it.
    for window, result in (
        (host, "You lost on time"),
        (guest, "You won on time"),
        (watcher, "O wins on time"),
    ):
        expect(window.status).to_have_text(result)
        expect(clock(window, "X")).to_have_text("Time left: 0:00.0")
        expect(clock(window, "O")).to_have_text("Time left: 0:02.0")
        expect(window.page.locator("#mode-actions [role=status]")).to_have_text(f"{result}.")
        expect(window.problem).to_be_hidden()
    host.button("Rematch").click()
    guest.button("Yes, another round as X").click()
    for window in windows:
        expect(clock(window, "X")).to_have_text("Time left: 0:02.0")
    take_turns({"X": guest, "O": host}, windows, "3x3x3 b2 a1")
    expect(clock(watcher, "X")).to_have_attribute("data-running", "true")


def test_what_a_clock_shows_and_says(window: Window) -> None:
    window.page.clock.install()
    window.open("3x3x3", panel="link")
    window.page.clock.pause_at(window.page.evaluate("Date.now() + 1000"))
    module = window.page.evaluate(
        "new URL('board/clock.js', document.querySelector('script[type=module]').src).href"
    )
    window.page.evaluate(
        """async (module) => {
          const { makeClocks } = await import(module);
          globalThis.said = [];
          const clocks = makeClocks((side, seconds) => said.push(`${side} ${seconds}`));
          globalThis.show = (clock) => clocks.show(clock, performance.now());
          globalThis.shown = () => [clocks.elements.X.lastChild.textContent,
            clocks.elements.O.lastChild.textContent, said.splice(0).join()];
          show({ initial: 90, increment: 2, X: 31.25, O: 3725, running: "X" });
        }""",
        module,
    )
    for passed, expected in [
        (0, ["0:31", "1:02:05", ""]),
        (1_200, ["0:30", "1:02:05", ""]),
        (100, ["0:29", "1:02:05", "X 30"]),
        (19_900, ["0:10", "1:02:05", ""]),
        (100, ["0:09.9", "1:02:05", "X 10"]),
        (9_900, ["0:00.0", "1:02:05", ""]),
        (5_000, ["0:00.0", "1:02:05", ""]),
    ]:
        window.page.clock.run_for(passed)
        assert window.page.evaluate("shown()") == expected
    # An increment that leads above ten seconds and below them again is not said anew ...
    window.page.evaluate(
        "show({ initial: 90, increment: 2, X: 10.5, O: 61, running: 'X' }), said.splice(0)"
    )
    window.page.clock.run_for(1_000)
    assert window.page.evaluate("shown()") == ["0:09.5", "1:01", ""]
    # ... but a new game is.
    window.page.evaluate("show({ initial: 90, increment: 2, X: 90, O: 90, running: null })")
    window.page.evaluate("show({ initial: 90, increment: 2, X: 30.1, O: 90, running: 'X' })")
    window.page.clock.run_for(200)
    assert window.page.evaluate("shown()") == ["0:29", "1:30", "X 30"]


def test_names_and_greetings(new_window: Callable[..., Window]) -> None:
    host, guest, watcher = new_window(), new_window(), new_window()
    host.open("3x3x3", panel="link")
    host.page.locator("#lobby-name").fill("Anna <b>")
    host.button("Create a link").click()
    link = link_in(host)
    watch(guest, link)
    expect(guest.page.locator("#seat-x strong")).to_have_text("Anna <b>")
    guest.page.locator("#room-name").fill("Ben")
    guest.button("Play as O").click()
    expect(host.problem).to_contain_text("Ben is here.")
    watch(watcher, link)
    expect(watcher.page.locator("#seat-o strong")).to_have_text("Ben")
    expect(watcher.page.get_by_text("Greet", exact=True)).to_be_hidden()

    # One says hello; the others see and hear it.
    host.page.get_by_text("Greet", exact=True).click()
    host.button("Good luck!").click()
    for window in (host, guest, watcher):
        expect(window.page.locator("#seat-x .bubble")).to_have_text("Good luck!")
        expect(window.page.locator("#seat-x .bubble")).to_be_visible()
    expect(guest.page.locator("#mode-actions [role=status]")).to_have_text("Anna <b>: Good luck!")
    host.page.get_by_text("Greet", exact=True).click()
    expect(host.button("Thanks!")).to_be_disabled()

    # Those who want to hear nothing see nothing.
    watcher.page.evaluate("localStorage.setItem('noughts.muted', 'yes')")
    guest.page.get_by_text("Greet", exact=True).click()
    guest.button("Thanks!").click()
    expect(host.page.locator("#seat-o .bubble")).to_be_visible()
    guest.page.locator("#room-name").fill("Bea")
    guest.page.locator("#room-name").press("Enter")
    expect(watcher.page.locator("#seat-o strong")).to_have_text("Bea")
    expect(watcher.page.locator("#seat-o .bubble")).to_be_hidden()

    guest.page.reload()
    guest.wait_until_ready()
    expect(guest.page.locator("#room-name")).to_have_value("Bea")


def test_axe_finds_nothing_with_clock_and_greetings(new_window: Callable[..., Window]) -> None:
    host, guest = new_window(), new_window(**PHONE)
    join(guest, with_clock(host, 600))
    take_turns({"X": host, "O": guest}, [host, guest], "3x3x3 b2 a1")
    guest.page.get_by_text("Greet", exact=True).click()
    assert violations(guest.page) == []
    guest.button("Nice move!").click()
    expect(host.page.locator("#seat-o .bubble")).to_be_visible()
    assert violations(host.page) == []
    for window in (host, guest):
        assert window.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
