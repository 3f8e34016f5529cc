"""What the page says about moves is what the library says; estimates do not look like proofs."""

from __future__ import annotations

import json
import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Route, expect

from noughts import Game, GridPosition
from noughts.analysis import review
from noughts.rules.player import Player
from noughts.solving import analyse
from noughts.values import Value
from support.browser_page import VALUED, Window


def proved(text: str) -> dict[str, str]:
    """Return what the solver says about every move, by name."""
    position = Game.parse(text).position
    assert isinstance(position, GridPosition)
    analysis = analyse(position)
    name = analysis.position.move_name
    return {name(each.move): str(each) for each in analysis.moves}


def test_values_on_the_board_are_the_solvers(window: Window) -> None:
    window.open()
    for text in (
        "3x3x3",
        "3x3x3 a1",
        "3x3x3 a1 b1",
        "3x3x3:XX./OO./...",
        "4x4x3 b2 a1",
        "4x4x4 b2 c3 a1 d4 b3 c2",
        "2x5x3 a1",
    ):
        window.show(text, panel="analysis")
        # A busy machine may need more than the usual time.
        window.page.get_by_label("Time to think").select_option("10")
        expected = proved(text)
        expect(window.button("Analyse")).to_be_visible()  # it has come to its end
        window.eventually(window.values, expected)
        listed = dict(
            window.page.locator("#panel-analysis .values li").evaluate_all(
                "rows => rows.map(row => [...row.children].map(part => part.textContent))"
            )
        )
        assert listed == expected


def test_estimates_do_not_look_like_proofs(window: Window) -> None:
    window.open("ultimate ee ea", panel="analysis")
    labels = window.page.locator("#board .noughts-value")
    expect(window.page.locator(VALUED)).to_have_count(9)
    expect(labels).to_have_count(5)  # the best; all are tinted
    assert all(re.fullmatch(r"estimate \d+ %", words) for words in window.values().values())
    expect(labels.first).to_have_css("border-top-style", "dashed")
    expect(labels.first).to_have_css("font-style", "italic")
    window.open("3x3x3 b2 a1", panel="analysis")
    expect(labels).to_have_count(7)
    expect(labels.first).to_have_css("border-top-style", "solid")
    expect(labels.first).to_have_css("font-style", "normal")


def test_it_follows_the_game_and_ends_with_the_panel(window: Window) -> None:
    window.open("3x3x3 b2 a1", panel="analysis")
    expect(window.page.locator("#board .noughts-value")).to_have_count(7)
    window.cell("c3").click()
    window.eventually(window.values, proved("3x3x3 b2 a1 c3"))
    window.page.keyboard.press("ArrowLeft")
    expect(window.page.locator("#board .noughts-value")).to_have_count(7)
    window.page.locator("h1").click()
    window.page.keyboard.press("a")
    expect(window.page.locator("#board .noughts-value")).to_have_count(0)
    window.page.keyboard.press("a")
    expect(window.page.locator("#board .noughts-value")).to_have_count(7)


def test_it_can_be_stopped_and_taken_up_again(window: Window) -> None:
    window.open("ultimate", panel="analysis")
    window.page.get_by_label("Time to think").select_option("10")
    expect(window.page.locator(VALUED)).to_have_count(81)
    window.button("Stop").click()
    expect(window.button("Analyse")).to_be_visible()
    assert len(window.values()) == 81  # what is known stays
    effort = window.page.locator("#panel-analysis .effort")
    before = effort.text_content()
    window.page.wait_for_timeout(600)
    assert effort.text_content() == before
    window.button("Analyse").click()
    expect(window.button("Stop")).to_be_visible()


def test_leaving_the_position_stops_the_work(window: Window) -> None:
    gone: list[str] = []
    window.page.on("requestfailed", lambda request: gone.append(request.url))
    window.open("ultimate", panel="analysis")
    window.page.get_by_label("Time to think").select_option("10")
    expect(window.page.locator(VALUED)).to_have_count(81)
    gone.clear()  # the question with another time to think was given up, too
    window.page.get_by_role("tab", name="Game").click()
    expect(window.page.locator("#board .noughts-value")).to_have_count(0)
    window.eventually(lambda: [url.rpartition("/")[2] for url in gone], ["analyse"])


def test_the_best_line_can_be_walked(window: Window) -> None:
    window.open("4x4x3", panel="analysis")
    line = window.page.locator("#panel-analysis .line .move")
    expect(window.button("Analyse")).to_be_visible()  # it has come to its end
    expect(line).to_have_count(5)
    names = line.all_text_contents()
    line.nth(2).click()
    window.expect_game(f"4x4x3 {' '.join(names[:3])} | {' '.join(names[3:])}")
    window.page.keyboard.press("End")
    expect(window.status).to_have_text("X wins")


def test_a_click_in_the_list_plays_the_move(window: Window) -> None:
    window.open("3x3x3 b2", panel="analysis")
    window.page.locator("#panel-analysis .values .move", has_text="c1").click()
    window.expect_game("3x3x3 b2 c1")


def test_a_failure_is_said(window: Window) -> None:
    window.page.route("**/api/analyse", lambda route: route.abort())
    window.open("3x3x3 b2", panel="analysis")
    expect(window.page.locator("#panel-analysis .verdict")).to_have_text(
        "The server cannot be reached."
    )
    window.page.unroute("**/api/analyse")
    window.button("Analyse").click()
    expect(window.page.locator("#panel-analysis .verdict")).to_have_text("a draw, proved")


@pytest.mark.parametrize("text", ["3x3x3 a1 b1 c3 b2 c1 b3", "4x4x3 b2 a1 a4 d4 b3 b4 b1"])
def test_the_moves_that_changed_the_result(window: Window, text: str) -> None:
    window.open(text)
    window.button("Review").click()
    turning = [(remark.number, str(remark)) for remark in review(Game.parse(text)).turning_points]
    assert turning
    entries = window.page.locator(".turning li")
    expect(entries).to_have_count(len(turning))
    for entry, (number, words) in zip(entries.all(), turning, strict=True):
        expect(entry).to_contain_text(f"{(number + 1) // 2}.")  # as the list of moves has it
        expect(entry).to_contain_text(words)
    expect(window.page.locator("#moves .remark")).to_have_count(len(turning))
    entries.first.get_by_role("button").click()
    number = turning[0][0]
    expect(window.page.locator("#moves .move[data-undone=false]")).to_have_count(number - 1)
    expect(entries).to_have_count(len(turning))  # still there


def test_a_graph_leads_through_a_reviewed_game(window: Window) -> None:
    text = "4x4x3 b2 a1 a4 d4 b3 b4 b1"
    window.open(text)
    window.button("Review").click()
    slider = window.page.get_by_role("slider", name="Moves of the game")
    expect(slider).to_have_attribute("aria-valuetext", "after 7 moves, X wins, proved")
    remarks = review(Game.parse(text)).remarks
    winners = [
        remark.player if remark.after.value is Value.WIN else remark.player.other
        for remark in remarks
    ]
    for played in (3, 0, 5):
        slider.evaluate(
            "(slider, at) => { slider.value = at; slider.dispatchEvent(new Event('input')); }",
            played,
        )
        expect(window.page.locator("#moves .move[data-undone=false]")).to_have_count(played)
        winner = winners[played - 1] if played else Player.X
        words = f"after {played} moves, {winner} wins, proved"
        expect(slider).to_have_attribute("aria-valuetext", words)
    box = window.page.locator(".plot").bounding_box()
    assert box
    slider.click(position={"x": box["width"] - 4, "y": 10})
    window.expect_game(text)


def test_a_review_grows_from_the_end_and_says_what_is_estimated(window: Window) -> None:
    """Six moves of which two are estimated; the second gave a third of the result away."""
    names = ["ee", "ea", "aa", "ae", "eb", "bb"]

    def looked_at(number: int, before: float, after: float) -> dict[str, object]:
        """Return what the server would say of a move that it could only estimate."""

        def chance(score: float) -> dict[str, object]:
            return {"value": "unknown", "plies": None, "proved": False, "score": score}

        return {
            "number": number,
            "player": "XO"[(number - 1) % 2],
            "move": names[number - 1],
            "best": "ei",
            "before": chance(before),
            "after": chance(after),
            "changed": None,
            "cost": before - after,
            "text": "",
        }

    last, worst = looked_at(6, 0.52, 0.5), looked_at(5, 0.81, 0.48)
    answers = {"progress": {"moves": [last]}, "result": {"moves": [worst, last]}}
    sent: list[float] = []

    def answer(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or "")["seconds"])
        events = [f"event: {kind}\ndata: {json.dumps(data)}\n\n" for kind, data in answers.items()]
        route.fulfill(body="".join(events), content_type="text/event-stream")

    window.open(f"ultimate {' '.join(names)}", panel="analysis")
    window.page.route("**/api/review", answer)
    window.button("Review the whole game").click()
    said = window.page.locator(".review .said")
    expect(said).to_have_text(
        "One move was probably a mistake. 0 of 2 moves are proved, the others estimated."
    )
    entry = window.page.locator(".turning li")
    expect(entry).to_have_text("3.eb" + "ei was probably better: 81 % for X before, 48 % after")
    expect(entry).to_have_attribute("data-estimate", "true")
    # The graph has the three positions that are known, and is dashed there.
    expect(window.page.locator(".plot [data-proved=false]")).to_have_count(2)
    slider = window.page.get_by_role("slider", name="Moves of the game")
    expect(slider).to_have_attribute("max", "6")
    assert sent == [2], "a short game takes two seconds"


def test_a_bar_says_who_is_ahead(window: Window) -> None:
    for game, words in (
        ("3x3x3", "a draw, proved"),
        ("4x4x3 b2", "X wins, proved"),
        ("3x3x3 a1 b1 b2", "X wins, proved"),
    ):
        window.open(game, panel="analysis")
        bar = window.page.get_by_role("img", name=f"Who is ahead: {words}")
        expect(bar).to_be_visible()
        share = bar.locator(".share").evaluate(
            "part => part.getBoundingClientRect().width / part.parentElement.clientWidth"
        )
        assert share == pytest.approx(0.5 if "draw" in words else 1, abs=0.01)


def test_a_hint_comes_in_steps(window: Window) -> None:
    window.open("3x3x3 a1 b1")
    hint = window.page.locator("#hint")
    best = [name for name, words in proved("3x3x3 a1 b1").items() if words == "win in 5"]
    window.button("Hint").click()
    expect(hint).to_contain_text("There is a forced win. Look at the")
    assert not any(re.search(rf"\b{name}\b", hint.text_content() or "") for name in best)
    window.button("Hint").click()
    expect(hint).to_have_text(f"{len(best)} of 7 moves win in 5.")
    window.button("Hint").click()
    expect(hint).to_have_text(re.compile(rf"Play ({'|'.join(best)})\."))
    hinted = window.page.locator("#board [data-hint=true]")
    expect(hinted).to_have_count(1)
    hinted.click()
    expect(hint).to_be_hidden()
    expect(window.page.locator("#board [data-hint=true]")).to_have_count(0)


def test_a_hint_that_comes_too_late_is_not_said(window: Window) -> None:
    window.open("3x3x3 a1 b1")
    held = window.hold("**/api/analyse")
    window.button("Hint").click()
    expect(window.page.locator("#hint")).to_have_text("Looking for a hint")
    window.cell("c3").click()
    expect(window.page.locator("#hint")).to_be_hidden()
    window.wait_for(held, 1)
    with suppress(Error):  # it was given up
        held[0].continue_()
    window.expect_game("3x3x3 a1 b1 c3")
    expect(window.page.locator("#hint")).to_be_hidden()


def test_where_all_moves_are_equal_a_hint_says_so(window: Window) -> None:
    window.open("3x3x3")
    window.page.keyboard.press("h")
    expect(window.page.locator("#hint")).to_have_text("Every move is a draw.")
