"""A grade as text, for notebooks, as JSON and as JUnit XML."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.exercises.grading import Counterexample, Grade, Remark, grade
from noughts.exercises.grading.junit import junit_xml
from noughts.exercises.grading.result import Stage

SOLUTIONS = Path(__file__).parent / "solutions"


def state(board: list[str]) -> str:
    """Forget that anybody can win."""
    marks = "".join(board)
    ahead = marks.count("X") - marks.count("O")
    if ahead not in (0, 1):
        return "invalid"
    return "O_turn" if ahead else "X_turn"


@pytest.fixture(scope="module")
def wrong() -> Grade:
    """Return the grade of a solution without wins."""
    return grade(state)


def test_text_shows_the_board_and_both_results(wrong: Grade) -> None:
    text = str(wrong)
    assert text.startswith("wrong: state for state, ")
    assert "  expected  'X_wins'\n  came      'O_turn'\n  rule      line: X on " in text
    assert "[X]│[X]│[X]" in text
    assert wrong.text(ascii_only=True).isascii()


def test_long_lines_are_broken_where_python_can_still_read_them() -> None:
    moves = [f"{place % 3}, {place}  ,X" for place in range(40)]
    call = f"simulate({moves!r})"
    found = Counterexample(call, repr(moves), "raised E: " + "word " * 30, "form", "why " * 40)
    text = found.text(width=60)
    assert all(len(line) <= 60 for line in text.splitlines())
    called, _, rest = text.partition("  expected  ")
    assert eval(called.strip(), {"simulate": list}) == moves
    assert eval(rest.partition("\n  came")[0]) == moves
    plays = "game = TicTacToe(8); " + "; ".join(f"game.move({n}, 0, 1)" for n in range(8))
    lines = Counterexample(plays, "0", "1", "row", "why").text().splitlines()
    assert [line.endswith(";") for line in lines[:-3]] == [True] * (len(lines) - 4) + [False]


def test_a_solution_that_cannot_be_loaded_fails_no_case(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text("def state(board): ...\n1 / 0\n")
    lines = str(grade(path)).splitlines()
    assert lines[:2] == ["wrong: state for state, 0 cases", "It cannot be loaded:"]


def test_notebooks_get_a_picture(wrong: Grade) -> None:
    html = wrong._repr_html_()
    assert "<svg" in html
    assert "expected  &#x27;X_wins&#x27;" in html
    right = Grade("state", "state", True, 1, remarks=(Remark("output", "<b>"),))
    assert right._repr_html_() == "<pre>right: state for state, 1 case\nRemark: &lt;b&gt;</pre>"


def test_json_has_the_promised_fields(wrong: Grade) -> None:
    data = json.loads(json.dumps(wrong.to_json()))
    assert (data["exercise"], data["right"], data["cases"]) == ("state", False, wrong.cases)
    assert data["remarks"] == []
    found = data["counterexample"]
    assert (found["expected"], found["got"]) == ("X_wins", "O_turn")
    assert len(found["input"][0]) == 3
    assert {"call", "rule", "why", "picture"} <= found.keys()


def test_counts_that_javascript_cannot_hold_are_strings() -> None:
    def count_games(rows: int, cols: int, k: int) -> int:
        return 2**60 if rows * cols == 1 else 0

    def count() -> int:
        return 1_281_016_086_768 + 2**60

    small = grade(count_games).to_json()["counterexample"]
    assert isinstance(small, dict)
    assert (small["expected"], small["got"]) == (1, str(2**60))
    large = grade(count).to_json()["counterexample"]
    assert isinstance(large, dict)
    assert (large["expected"], large["got"]) == (1_281_016_086_768, str(2**60 + 1_281_016_086_768))


def test_long_input_is_cut_in_text_and_left_out_of_json() -> None:
    def simulate(moves: list[str]) -> list[str]:
        from noughts.exercises import simulate as right

        return right(moves) if len(moves) < 1000 else []

    found = grade(simulate).counterexample
    assert found is not None
    assert len(str(found)) < 3000
    assert "input" not in found.to_json()


def test_junit_has_a_test_case_for_each_stage(wrong: Grade) -> None:
    root = ElementTree.fromstring(junit_xml(wrong).encode())
    (suite,) = root.iter("testsuite")
    cases = list(suite.iter("testcase"))
    assert (suite.get("tests"), suite.get("failures")) == (str(len(cases)), "1")
    failing = [case for case in cases if case.find("failure") is not None]
    assert [case.get("name") for case in failing] == ["boards of 3x3"]
    failure = failing[0].find("failure")
    assert failure is not None
    assert failure.get("message") == "line: expected 'X_wins', came 'O_turn'"


def test_junit_skips_what_was_not_judged() -> None:
    stages = (Stage("one", 3, 3), Stage("two", 5, 2), Stage("three", 4))
    root = ElementTree.fromstring(junit_xml(Grade("count", "f", None, 5, stages=stages)))
    skipped = [
        case.get("name") for case in root.iter("testcase") if case.find("skipped") is not None
    ]
    assert skipped == ["two", "three"]


def test_junit_of_a_right_solution_has_no_failure() -> None:
    result = grade(SOLUTIONS / "tic_tac_toe_lists.py", seconds=20)
    root = ElementTree.fromstring(junit_xml(result))
    names = [case.get("name") for case in root.iter("testcase")]
    assert names[0] == "loading"
    assert {"games of 3x3", "time", "memory"} <= set(names)
    assert not list(root.iter("failure"))
    assert not list(root.iter("skipped"))


@given(st.text())
def test_junit_is_xml_whatever_a_solution_returns(text: str) -> None:
    found = Counterexample(text, text, text, text, text)
    stages = (Stage("one", 1, 1, found),)
    xml = junit_xml(Grade("state", "f", False, 1, found, (Remark(text, text),), stages))
    root = ElementTree.fromstring(xml.encode())
    assert len(list(root.iter("failure"))) == 1


def test_importing_the_exercises_does_not_load_the_grader() -> None:
    code = (
        "import sys, noughts.exercises as e; "
        "assert 'noughts.exercises.grading' not in sys.modules; e.grade; "
        "assert 'noughts.exercises.grading' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
