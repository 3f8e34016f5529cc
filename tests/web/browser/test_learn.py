"""The panel Learn: the steps of the library, by mouse, by keyboard, on a phone, in the dark."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from noughts.exercises.tracing import Event, Step, Trace, trace
from noughts.exercises.tracing.scenes import SCENES
from support.browser_page import PHONE, Window, violations

DEEP = {"games": 60, "state": 8, "valid": 9, "move": 62, "simulate": 31, "ultimate": 79}
"""A step of each example at which there is much to see."""


def learn(window: Window, exercise: str = "", *texts: str, step: int = 0) -> None:
    """Open the panel, with an exercise at one of its steps."""
    fields = {"trace": exercise, "step": str(step)} if exercise else {}
    if texts:
        fields["input"] = "\n".join(texts)
    window.open("3x3x3", panel="learn", **fields)
    if exercise:
        run = Trace.of_texts(exercise, texts or SCENES[exercise].example)
        expect_step(window, run, next(run.steps(step)))


def expect_step(window: Window, run: Trace, step: Step) -> None:
    """Wait until the page shows a step as the library describes it."""
    expect(window.page.locator(".place")).to_contain_text(f"step {step.number + 1:,} of")
    window.eventually(lambda: shown(window), expected(run, step))


def shown(window: Window) -> dict[str, Any]:
    """Return what the page shows of a step."""
    found: dict[str, Any] = window.page.evaluate(
        """() => {
            const texts = (query) => [...document.querySelectorAll(query)]
                .map(one => one.textContent);
            const names = (query) => [...document.querySelectorAll(`#board ${query}`)]
                .map(one => one.dataset.name);
            return {
                text: document.querySelector("#status").textContent,
                marks: [...document.querySelectorAll("#board [role=gridcell]")]
                    .map(one => one.dataset.mark).join(""),
                code: texts(".code li[aria-current] code"),
                calls: texts(".stack code"),
                variables: texts(".stack li:last-child .variable"),
                guilty: names("[data-guilty=true]").length,
                sums: texts(".noughts-sum"),
                arrows: document.querySelectorAll("#board .noughts-arrow").length,
            };
        }"""
    )
    return found


def expected(run: Trace, step: Step) -> dict[str, Any]:
    """Return the same from the library."""
    picture = step.picture
    is_bad = step.holds is False or step.event is Event.REJECT
    sums = [number for numbers in (picture.sums or {}).values() for number in numbers]
    return {
        "text": step.text,
        "marks": picture.marks,
        "code": list(run.source.lines[step.line - 1 : step.end]),
        "calls": [frame.function for frame in step.stack],
        "variables": [f"{name} = {value}" for name, value in step.stack[-1].variables.items()],
        "guilty": len(picture.cells) if is_bad else 0,
        "sums": [f"{'+' * (each > 0)}{'−' * (each < 0)}{abs(each)}" for each in sums],
        "arrows": int(picture.arrow is not None and not _is_inside(*picture.arrow)),
    }


def _is_inside(cell: int, board: int) -> bool:
    row, col = divmod(cell, 9)
    return row // 3 * 3 + col // 3 == board


def ledger(window: Window) -> list[str]:
    """Return the list of what has come of a run: the sign, the text and the note of each entry."""
    entries = window.page.locator(".ledger li")
    texts: list[str] = entries.evaluate_all(
        "all => all.map(one => [...one.children].map(part => part.textContent).join(' '))"
    )
    return texts


def watch(window: Window, title: str) -> Locator:
    return window.page.get_by_role("button", name=f"Watch it run: {title}", exact=True)


def slide(window: Window, step: int) -> None:
    """Move the slider to a step."""
    window.page.get_by_role("slider", name="Step").evaluate(
        "(slider, step) => { slider.value = step; slider.dispatchEvent(new Event('input')); }", step
    )


# ------------------------------------------------------------------------------------- every step


@pytest.mark.parametrize("exercise", SCENES)
def test_steps_are_those_of_the_library(window: Window, exercise: str) -> None:
    """Forward one by one, then some by the slider, then back."""
    learn(window, exercise)
    run = Trace.of_texts(exercise, SCENES[exercise].example)
    steps = list(run)
    for step in steps[1:13]:
        window.page.keyboard.press("ArrowRight")
        expect_step(window, run, step)
    for step in steps[13 :: max(1, len(steps) // 8)]:
        slide(window, step.number)
        expect_step(window, run, step)
    window.page.locator(".place").click()  # the focus leaves the slider
    window.page.keyboard.press("End")
    expect_step(window, run, steps[-1])
    for step in steps[-2:-6:-1]:
        window.page.keyboard.press("ArrowLeft")
        expect_step(window, run, step)
    window.page.keyboard.press("Home")
    expect_step(window, run, steps[0])


def test_a_whole_lesson_by_mouse(window: Window) -> None:
    """Every game of 2x2x2 is found, and the board is empty at the end."""
    window.open()
    window.page.get_by_role("tab", name="Learn").click()
    watch(window, "List every game").click()
    run = trace("games", "2x2x2")
    expect_step(window, run, next(iter(run)))
    found = [step for step in run if step.event in (Event.WIN, Event.DRAW)]
    assert len(found) == 24
    for number, step in enumerate(found):
        window.button("Next game").click()
        expect_step(window, run, step)
        moves = step.text.partition(" is ")[2]
        assert ledger(window)[0].startswith(f"{number} {moves} ")
    window.button("One step back (←)").click()
    expect_step(window, run, list(run)[found[-1].number - 1])
    window.button("Next game").click()
    window.button("Next game").click()  # there is none: to the end
    expect_step(window, run, list(run)[-1])
    assert window.marks() == "...."
    expect(window.page.locator(".counters")).to_have_text(re.compile("marks40undos40games24"))
    window.button("All exercises").click()
    expect(window.page.locator(".catalogue")).to_be_visible()
    window.expect_game("3x3x3")


def test_a_whole_lesson_by_keyboard(window: Window) -> None:
    window.open()
    press = window.page.keyboard.press
    window.page.get_by_role("tab", name="Game").focus()
    for _ in range(3):
        press("ArrowRight")
    expect(window.page.get_by_role("tab", name="Learn")).to_be_focused()
    expect(watch(window, "Judge a drawn board")).to_be_visible()
    press("Tab")  # the panel
    press("Tab")
    expect(watch(window, "Judge a drawn board")).to_be_focused()
    press("Enter")
    run = trace("state", "XXX/OOO/...")
    expect(window.button("One step forward (→)")).to_be_focused()
    steps = list(run)
    expect_step(window, run, steps[0])
    press("Enter")
    expect_step(window, run, steps[1])
    press("g")
    expect_step(window, run, next(step for step in steps if step.event is Event.CHECK))
    expect(window.live).to_have_text("holds: X begins and turns alternate")
    press("p")
    expect_step(window, run, steps[-1])
    expect(window.live).to_have_text("state returns invalid")
    # Another input, typed.
    window.page.get_by_role("textbox", name="Board").focus()
    press("Control+A")
    window.page.keyboard.type("OO./.X./...")
    press("Enter")
    run = trace("state", "OO./.X./...")
    expect_step(window, run, next(iter(run)))
    press("p")
    expect_step(window, run, list(run)[-1])
    # Tab leads into the panel, through it, and out again.
    is_inside = []
    for _ in range(24):
        press("Tab")
        is_inside.append(window.page.evaluate("document.activeElement.matches('.learn *')"))
    assert True in is_inside
    assert is_inside[-1] is False


def test_playing_ends_by_itself_and_can_be_paused(window: Window) -> None:
    learn(window, "games", "1x2x2")
    window.page.get_by_label("Speed").select_option("very fast")
    window.button("Play (p)").click()
    expect(window.button("Play (p)")).to_be_visible()
    run = trace("games", "1x2x2")
    expect_step(window, run, list(run)[-1])
    window.button("Play (p)").click()  # from the beginning again
    window.button("Pause (p)").click()
    place = window.page.locator(".place").text_content()
    window.page.wait_for_timeout(150)
    assert window.page.locator(".place").text_content() == place


def test_only_what_happens(window: Window) -> None:
    learn(window, "games")
    window.page.get_by_label("Show").select_option("only what happens")
    run = trace("games", "2x2x2")
    for step in itertools.islice((step for step in run if step.is_key), 8):
        window.button("One step forward (→)").click()
        expect_step(window, run, step)


# ------------------------------------------------------------------- what comes of each exercise


def test_checks_tick_off_one_after_the_other(window: Window) -> None:
    learn(window, "state", "XXX/OO./O..")
    rules = [
        "X begins and turns alternate",
        "Only one side has a line",
        "O does not move after X has won",
        "X does not move after O has won",
        "One last move completes all lines",
    ]
    assert ledger(window) == [f"· {rule}" for rule in rules]
    for done, last in enumerate(["✓ {} holds", "✓ {} holds", "✗ {} broken"], 1):
        window.button("Next check").click()
        wanted = [f"✓ {rule} holds" for rule in rules[: done - 1]]
        wanted += [last.format(rules[done - 1]), *(f"· {rule}" for rule in rules[done:])]
        window.eventually(lambda: ledger(window), wanted)
    assert shown(window)["guilty"] == 3


def test_a_click_changes_the_board_that_is_judged(window: Window) -> None:
    learn(window, "state", "XXX/OO./...")
    window.page.get_by_label("Speed").select_option("very fast")
    for clicks, text in ((1, "XXX/OOX/..."), (2, "XXX/OO./..."), (2, "XXX/OOO/...")):
        for _ in range(clicks):  # also when the second comes before the first is answered
            window.cell("c2").click()
        expect(window.page.get_by_role("textbox", name="Board")).to_have_value(text)
        run = trace("state", text)
        expect_step(window, run, list(run)[-1])


def test_counters_stand_around_the_board_and_change_with_each_click(window: Window) -> None:
    learn(window, "move", "3")
    window.page.get_by_label("Speed").select_option("very fast")
    moves = ["0,0,1", "2,0,2", "1,1,1", "2,1,2", "2,2,1"]
    for number in range(1, len(moves) + 1):
        window.cell(moves[number - 1][:3]).click()
        run = trace("move", 3, moves[:number])
        expect_step(window, run, list(run)[-1])
    expect(window.page.locator('.noughts-sum[data-reached="true"]')).to_have_text(["+3"])
    assert ledger(window)[-1] == "1 2,2,1 player 1 wins"
    window.cell("0,2").click()
    expect(window.problem).to_contain_text("The game is won.")
    learn(window, "move", "3", "0,0,1")
    window.cell("0,0").click()
    expect(window.problem).to_contain_text("This cell is taken")


def test_moves_are_accepted_or_rejected_with_the_reason(window: Window) -> None:
    moves = ["0,0,X", "0,0,O", " 1,1,O", "1,1,O"]
    learn(window, "simulate", *moves)
    for _ in moves:
        window.button("Next move").click()
    entries = [
        "1 0,0,X accepted",
        "0 0,0,O the cell is taken",
        "0  1,1,O row and column must be 0, 1 or 2",
        "1 1,1,O accepted",
    ]
    window.eventually(lambda: ledger(window), entries)
    window.page.get_by_label("Speed").select_option("very fast")
    window.cell("1,1").click()
    window.eventually(lambda: ledger(window), [*entries, "0 1,1,X the cell is taken"])
    expect(window.page.get_by_role("textbox", name="Moves")).to_have_value(
        "\n".join([*moves, "1,1,X"])
    )


def test_a_click_at_ultimate_adds_a_move(window: Window) -> None:
    learn(window, "ultimate", "0,0,1,2,X")
    window.page.get_by_label("Speed").select_option("very fast")
    window.cell("fa").click()  # in the board that is forced
    window.eventually(lambda: ledger(window)[1:], ["1 1,2,0,0,O accepted"])
    expect(window.page.locator("#board .noughts-arrow")).to_have_count(1)
    window.cell("ii").click()
    reason = "the last move forces another board"
    window.eventually(lambda: ledger(window)[2:], [f"0 2,2,2,2,X {reason}"])


def test_moves_fly_in_or_bounce_for_those_who_want_motion(
    new_window: Callable[..., Window],
) -> None:
    window = new_window(reduced_motion="no-preference")
    learn(window, "simulate", "0,0,X", "0,0,O")
    window.page.evaluate(
        """() => {
            window.seen = [];
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...given) {
                window.seen.push(this.getAttribute("class"));
                return animate.apply(this, given);
            };
        }"""
    )
    window.page.get_by_label("Speed").select_option("fast")
    window.button("Play (p)").click()
    window.eventually(lambda: window.page.evaluate("seen"), ["noughts-mark", "bouncing"])
    expect(window.page.locator(".bouncing")).to_have_count(0)


def test_a_click_on_the_board_of_all_games_is_answered(window: Window) -> None:
    learn(window, "games")
    window.cell("a1").click()
    expect(window.problem).to_contain_text("The program plays all moves here.")


# -------------------------------------------------------------------------------- long and lazy


def test_4x4x3_can_be_looked_into_and_left_at_any_time(window: Window) -> None:
    learn(window, "games", "4x4x3")
    run = trace("games", "4x4x3")
    expect(window.page.locator(".place")).to_have_text("step 1 of 200,000+")
    for step in (123_456, 199_999, 1_000):
        slide(window, step)
        expect_step(window, run, next(run.steps(step)))
    window.button("Next game").click()
    later = run.steps(1_001)
    expect_step(window, run, next(step for step in later if step.event in (Event.WIN, Event.DRAW)))
    window.page.get_by_label("Speed").select_option("very fast")
    window.button("Play (p)").click()
    window.page.get_by_role("tab", name="Game").click()
    window.expect_game("3x3x3")
    assert "trace" not in window.link
    sent = window.requests()
    window.page.wait_for_timeout(300)
    assert [each for each in sent if "trace" in each] == []


def test_steps_that_were_looked_at_need_no_request(window: Window) -> None:
    learn(window, "games")
    sent = window.requests()
    run = trace("games", "2x2x2")
    for key, number in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowLeft", 0)):
        window.page.keyboard.press(key)
        expect_step(window, run, next(run.steps(number)))
    assert sent == []


def test_the_last_of_many_jumps_is_shown(window: Window) -> None:
    """However late the answers to the earlier ones come."""
    learn(window, "games", "3x3x3")
    held = window.hold("**/api/trace")
    for step in (5_000, 10_000, 15_000):
        slide(window, step)
        window.page.wait_for_timeout(20)
    window.wait_for(held, 3)
    for route in reversed(held):
        route.continue_()
    run = trace("games", "3x3x3")
    expect_step(window, run, next(run.steps(15_000)))
    window.page.wait_for_timeout(200)
    expect_step(window, run, next(run.steps(15_000)))


# --------------------------------------------------------------------------------- the address


def test_an_exercise_is_in_the_address(window: Window) -> None:
    learn(window, "simulate", "0,0,X", "0,0,O", step=9)
    run = trace("simulate", ["0,0,X", "0,0,O"])
    window.page.keyboard.press("ArrowRight")
    expect_step(window, run, next(run.steps(10)))
    window.eventually(lambda: "step=10" in window.link, True)
    window.page.reload()
    window.wait_until_ready()
    expect_step(window, run, next(run.steps(10)))
    window.button("Next move").click()
    expect_step(window, run, next(step for step in run if step.event is Event.ACCEPT))


def test_back_and_forward(window: Window) -> None:
    learn(window)
    watch(window, "Wins in constant time").click()
    run = Trace.of_texts("move", SCENES["move"].example)
    expect_step(window, run, next(iter(run)))
    window.page.go_back()
    expect(window.page.locator(".catalogue")).to_be_visible()
    window.expect_game("3x3x3")
    window.page.go_forward()
    expect_step(window, run, next(iter(run)))


def test_every_exercise_leads_to_its_lesson(window: Window) -> None:
    learn(window)
    links = window.page.locator(".catalogue a")
    for address in links.evaluate_all("all => all.map(one => one.href)"):
        assert window.page.request.get(address).ok, address
    for exercise, scene in SCENES.items():
        learn(window, exercise)
        link = window.page.get_by_role("link", name="Read the lesson", exact=True)
        expect(link).to_have_attribute("href", f"learn/{scene.lesson}.html")
        assert window.page.request.get(f"{window.address}/learn/{scene.lesson}.html").ok


# -------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("exercise", "text", "message"),
    [
        ("games", "2x2", "like 4x4x3"),
        ("games", "11x11x3", "at most 100 cells"),
        ("state", "XX?/.../...", "row 1, column 3"),
        ("move", "eleven", "n is a whole number from 1 to 10"),
    ],
)
def test_a_bad_input_is_said_and_the_run_stays(
    window: Window, exercise: str, text: str, message: str
) -> None:
    learn(window, exercise)
    run = Trace.of_texts(exercise, SCENES[exercise].example)
    window.page.locator(".input-form input").fill(text)
    window.button("Run").click()
    expect(window.page.locator("#input-fault")).to_contain_text(
        re.compile(re.escape(message), re.IGNORECASE)
    )
    window.button("One step forward (→)").click()
    expect_step(window, run, next(run.steps(1)))


def test_a_bad_input_in_the_address_is_asked_for_once(window: Window) -> None:
    learn(window, "games")
    sent = window.requests()
    window.page.evaluate("location.hash = location.hash.replace('2x2x2', 'zz')")
    expect(window.page.locator("#input-fault")).not_to_be_empty()
    run = trace("games", "2x2x2")
    for number in (1, 2, 3):
        window.page.keyboard.press("ArrowRight")
        expect_step(window, run, next(run.steps(number)))
    assert sent.count("POST /api/trace") == 1
    assert "input=2x2x2" in window.link


def test_an_address_that_cannot_be_followed(window: Window) -> None:
    for fields in ({"trace": "chess"}, {"trace": "toString"}, {"trace": "games", "input": "0x0x0"}):
        window.open("3x3x3", panel="learn", **fields)
        expect(window.problem).to_be_visible()
        expect(window.page.locator(".catalogue")).to_be_visible()
        window.expect_game("3x3x3")
    learn(window, "games")
    window.open("3x3x3", panel="learn", trace="games", input="2x2x2", step="nonsense")
    run = trace("games", "2x2x2")
    expect_step(window, run, next(iter(run)))


def test_the_server_being_away_is_said_and_the_run_goes_on(window: Window) -> None:
    learn(window, "games", "3x3x3")
    window.page.route("**/api/trace", lambda route: route.abort())
    slide(window, 9_000)
    expect(window.problem).to_contain_text("The server cannot be reached.")
    window.page.unroute("**/api/trace")
    window.button("Try again").click()
    run = trace("games", "3x3x3")
    expect_step(window, run, next(run.steps(9_000)))


def test_a_busy_server_is_asked_again(window: Window) -> None:
    learn(window)
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(json.dumps(route.request.post_data_json))
        error = {"code": "busy", "message": "later", "place": None}
        route.fulfill(status=503, headers={"Retry-After": "0"}, json={"error": error})

    window.page.route("**/api/trace", refuse_once)
    watch(window, "List every game").click()
    run = trace("games", "2x2x2")
    expect_step(window, run, next(iter(run)))
    assert refused


def test_a_game_by_link_keeps_its_board(window: Window) -> None:
    window.open("3x3x3", panel="rooms")
    window.page.get_by_role("tab", name="Friends").click()
    window.button("Create a link").click()
    expect(window.page.get_by_label("The link")).to_be_visible()
    window.page.get_by_role("tab", name="Learn").click()
    expect(window.page.locator(".learn .about").first).to_contain_text("a game with a friend")
    expect(window.page.locator(".catalogue")).to_be_hidden()


# ------------------------------------------------------------------------------ how it looks


def test_axe_finds_nothing(new_window: Callable[..., Window]) -> None:
    large, phone = new_window(), new_window(**PHONE)
    learn(large)
    assert violations(large.page) == []
    for window, exercise in (
        (large, "games"),
        (large, "move"),
        (phone, "ultimate"),
        (phone, "state"),
    ):
        learn(window, exercise, step=DEEP[exercise])
        assert violations(window.page) == []


def test_nothing_is_wider_than_a_phone(new_window: Callable[..., Window]) -> None:
    window = new_window(**PHONE)
    for exercise, step in DEEP.items():
        learn(window, exercise, step=step)
        width, tabs = window.page.evaluate(
            "[document.documentElement.scrollWidth, document.querySelector('#tabs').scrollWidth]"
        )
        assert width == 360
        assert tabs <= 340
        # The board, the words and the current line are in sight at once, above the buttons.
        bottom = window.page.locator(".player").bounding_box()
        line = window.page.locator(".code li[aria-current]").first.bounding_box()
        assert bottom
        assert line
        assert line["y"] + line["height"] <= bottom["y"], exercise


def test_nothing_moves_from_step_to_step(window: Window) -> None:
    """What is pressed again and again stays where it is."""
    for exercise in SCENES:
        learn(window, exercise)
        steps = list(Trace.of_texts(exercise, SCENES[exercise].example))
        places = set()
        for step in steps[:: max(1, len(steps) // 12)]:
            slide(window, step.number)
            expect(window.page.locator(".place")).to_contain_text(f"step {step.number + 1:,} of")
            boxes = [
                window.page.locator(query).bounding_box()
                for query in ("#board", ".player .buttons", ".code-stage")
            ]
            places.add(str(boxes))
        assert len(places) == 1, exercise
