"""The addresses of traces on the page."""

from __future__ import annotations

from lessons.traces import PAGE, trace_address, watch


def test_an_address_has_the_exercise_and_its_texts() -> None:
    state = trace_address("state", "XXX/OO./...")
    assert state == "#panel=learn&trace=state&input=XXX%2FOO.%2F..."
    move = trace_address("move", "3", "0,0,1", "1,1,2")
    assert move == "#panel=learn&trace=move&input=3%0A0%2C0%2C1%0A1%2C1%2C2"


def test_commands_become_links() -> None:
    assert watch("`noughts trace` runs.\n\n```text\nnoughts count 4x4x3\n```\n") == {}
    lesson = '```text\nnoughts trace games 2x2x2\nnoughts trace simulate "0, 0,X" é\n```\n'
    assert watch(lesson)["watch"].splitlines()[1:] == [
        f"[Watch it run: `games 2x2x2`]({PAGE}#panel=learn&trace=games&input=2x2x2),",
        f'[Watch it run: `simulate "0, 0,X" é`]'
        f"({PAGE}#panel=learn&trace=simulate&input=0%2C%200%2CX%0A%C3%A9)",
    ]
