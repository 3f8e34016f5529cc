"""How the lessons are put together: code and numbers in their places."""

from __future__ import annotations

import ast
import re

import pytest
from lessons import VALUES
from lessons.games import LEARN
from lessons.source import Mistake, excerpt, textbook_source
from lessons.writing import columns, duration, fill, number, percent, table

from support.cases import for_each

SOURCES = {name: (LEARN / f"{name}.in.md").read_text(encoding="utf-8") for name in VALUES}
CODE = sorted({place for page in SOURCES.values() for place in re.findall(r"\{(\w+\.\w+)\}", page)})


def test_every_source_is_a_page() -> None:
    assert {path.name for path in LEARN.glob("*.in.md")} == {f"{name}.in.md" for name in VALUES}


@for_each("place", CODE)
def test_code_is_shown_as_it_is_but_for_docstrings(place: str) -> None:
    module, name = place.split(".")
    (whole,) = [
        node
        for node in ast.parse(textbook_source(module)).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
    ]
    for node in ast.walk(whole):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            del node.body[0]
    shown = excerpt(module, name)
    assert ast.dump(ast.parse(shown)) == ast.dump(ast.Module(body=[whole], type_ignores=[]))
    assert shown in textbook_source(module) or '"""' not in shown


def test_unknown_code_is_an_error() -> None:
    with pytest.raises(KeyError, match="nothing"):
        excerpt("verdict", "nothing")
    with pytest.raises(KeyError, match="does not contain 'nothing'"):
        Mistake.of("none", "nothing", "something").made_in("verdict", "state")


def test_a_mistake_changes_a_copy_only() -> None:
    wrong = Mistake.of("all is valid", 'return "invalid"', 'return "fine"')
    assert wrong.made_in("verdict", "state")(["OOO", "...", "..."], 3) == "fine"
    assert Mistake("none", ()).made_in("verdict", "state")(["OOO", "...", "..."], 3) == "invalid"


def test_every_place_is_filled_and_every_value_used() -> None:
    assert fill("a {b} {2, 3} {c}, {b}", {"b": "1", "c": "2"}) == "a 1 {2, 3} 2, 1"
    assert fill("{verdict.valid}", {}).startswith("def valid(")
    with pytest.raises(KeyError, match="b"):
        fill("a {b}", {})
    with pytest.raises(KeyError, match="no place for b, c"):
        fill("a", {"c": "1", "b": "2"})


@for_each(
    ("seconds", "text"),
    [
        (5e-6, "5.0 µs"),
        (0.0051, "5.1 ms"),
        (75.1, "75 seconds"),
        (400, "6.7 minutes"),
        (16_000, "4.4 hours"),
        (2_600_000, "30 days"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_numbers_and_tables() -> None:
    assert number(1234567) == "1,234,567"
    assert (percent(1, 8), percent(1, 700), percent(0, 3)) == ("12.5 %", "0.14 %", "0 %")
    assert table(["a", "b"], [["c", "1"]]) == "| a | b |\n|---|---:|\n| c | 1 |"
    assert columns([["1", "XO"], ["2", "OX", "."]], gap=2) == "1   2\nXO  OX\n    ."
