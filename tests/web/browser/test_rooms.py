"""Games by link in the browser: two people, a watcher, reloads, and a server that comes back."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
from playwright.sync_api import expect

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
        expect(window.status).to_have_text("X wins")


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
    for window in (host, guest):
        expect(window.status).to_have_text("X wins, O resigned")
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
