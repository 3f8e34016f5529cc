"""Right solutions are accepted, wrong ones refused, with the smallest counterexample there is."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from exercises.grading.wrong import PROCESS, RESULTS, SOLUTIONS, Wrong
from noughts.exercises import textbook
from noughts.exercises.grading import Grade, grade
from noughts.exercises.grading.calling import Target, answer_of, form_of
from noughts.exercises.grading.exercise import Case, Form
from noughts.exercises.grading.finding import find_in_file
from noughts.exercises.grading.judging import EXERCISES

TEXTBOOK = Path(textbook.__file__).parent

RIGHT: dict[str, list[Path]] = {
    "state": [
        *(SOLUTIONS / f"state_{style}.py" for style in ("lists", "masks", "any_size")),
        TEXTBOOK / "verdict.py",
    ],
    "valid": [
        *(SOLUTIONS / f"valid_{style}.py" for style in ("lists", "masks", "search")),
        TEXTBOOK / "verdict.py",
    ],
    "simulate": [
        *(SOLUTIONS / f"simulate_{style}.py" for style in ("lists", "masks", "class")),
        TEXTBOOK / "simulate.py",
    ],
    "simulate-ultimate": [
        *(SOLUTIONS / f"ultimate_{style}.py" for style in ("lists", "masks", "objects")),
        TEXTBOOK / "ultimate.py",
    ],
    "tic-tac-toe": [
        *(SOLUTIONS / f"tic_tac_toe_{style}.py" for style in ("lists", "dict", "board")),
        TEXTBOOK / "tic_tac_toe.py",
    ],
    "count": [SOLUTIONS / f"count_{style}.py" for style in ("walk", "positions", "known")],
    "games": [SOLUTIONS / f"games_{style}.py" for style in ("generator", "lists", "fixed")],
}


MAKE_CASES = {name: exercise.cases for name, exercise in EXERCISES.items()}


@cache
def all_cases(exercise: str, form: Form) -> list[Case]:
    """Return the cases of an exercise, which all solutions share."""
    return list(MAKE_CASES[exercise](form, 0))


@pytest.fixture(autouse=True)
def cases_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the grader take the cases that are already made."""
    for name, exercise in EXERCISES.items():
        monkeypatch.setattr(exercise, "cases", lambda form, _, name=name: all_cases(name, form))


def grade_wrong(wrong: Wrong, folder: Path, seconds: float = 20.0) -> Grade:
    """Grade a wrong solution from a file."""
    path = folder / "solution.py"
    path.write_text(wrong.source, encoding="utf-8")
    return grade(path, wrong.exercise, seconds=seconds)


# -- right ones ----------------------------------------------------------------------------


def test_there_are_three_right_solutions_of_each_exercise() -> None:
    assert set(RIGHT) == set(EXERCISES)
    assert all(len(paths) >= 3 for paths in RIGHT.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("exercise", "path"),
    [(exercise, path) for exercise, paths in RIGHT.items() for path in paths],
    ids=lambda value: getattr(value, "stem", value),
)
def test_a_right_solution_is_right(exercise: str, path: Path) -> None:
    # What is not finished in this time is a remark: boards that are too large to walk.
    result = grade(path, exercise, seconds=1 if exercise in ("count", "games") else 20)
    assert result.right is True, str(result)
    assert result.counterexample is None
    assert result.cases > 0


def test_all_boards_of_3x3_are_judged() -> None:
    assert grade(SOLUTIONS / "state_masks.py", "state").cases == 3**9
    assert grade(SOLUTIONS / "valid_masks.py").cases == 3**9


# -- wrong ones ----------------------------------------------------------------------------


def test_there_are_ten_kinds_of_faults_for_each_exercise() -> None:
    kinds = Counter(
        wrong.exercise for wrong in {(str(w)): w for w in (*RESULTS, *PROCESS)}.values()
    )
    assert set(kinds) == set(EXERCISES)
    assert min(kinds.values()) >= 10
    assert sum(kinds.values()) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("wrong", RESULTS, ids=str)
def test_a_wrong_result_is_found_at_the_smallest_case(wrong: Wrong, tmp_path: Path) -> None:
    result = grade_wrong(wrong, tmp_path)
    assert result.right is False, str(result)
    found = result.counterexample
    assert found is not None
    assert found.rule == wrong.rule, str(found)
    if wrong.rule == "state between calls":
        return  # what is smallest depends on the calls before
    for case, passes in passing(wrong, found.size):
        assert passes, f"{case} is smaller than {found.size} and fails, too"


def passing(wrong: Wrong, size: tuple[int, ...]) -> list[tuple[Any, bool]]:
    """Return for every case below a size whether the solution passes it, called right here."""
    path = "solution.py"
    namespace: dict[str, object] = {"__name__": __name__}  # dataclasses look there
    exec(compile(wrong.source, path, "exec"), namespace)
    found_target = find_target(wrong)
    function = Target(found_target, path).of(namespace)
    form = form_of(function)
    exercise = EXERCISES[wrong.exercise]
    cases = all_cases(wrong.exercise, Form(tuple(form["takes"]), form["k"]))
    smaller = [case for case in cases if case.size < size]
    answers = [answer_of(function, case.question, path) for case in smaller]
    return [
        (case.question, "value" in answer and exercise.check(case, answer["value"]) is None)
        for case, answer in zip(smaller, answers, strict=True)
    ]


def find_target(wrong: Wrong) -> str:
    return find_in_file(SOLUTIONS / f"{wrong.base}.py", wrong.exercise).target


@pytest.mark.slow
@pytest.mark.parametrize("wrong", PROCESS, ids=str)
def test_a_fault_of_the_process_is_found_and_survived(wrong: Wrong, tmp_path: Path) -> None:
    result = grade_wrong(wrong, tmp_path, seconds=0.5 if wrong.rule == "time" else 20.0)
    assert result.right is False, str(result)
    assert result.counterexample is not None
    assert result.counterexample.rule == wrong.rule, str(result)


def test_a_drawn_out_game_is_among_the_cases(tmp_path: Path) -> None:
    wrong = next(wrong for wrong in RESULTS if wrong.fault == "a_drawn_out_game_goes_on")
    found = grade_wrong(wrong, tmp_path).counterexample
    assert found is not None
    expected = found.data["expected"]
    assert isinstance(expected, list)
    assert expected[1:3] == ["None", "None"]
    assert "all small boards are closed" in found.why


def test_lines_that_lie_apart_are_among_the_cases(tmp_path: Path) -> None:
    wrong = next(wrong for wrong in RESULTS if wrong.fault == "lines_need_not_share_a_cell")
    found = grade_wrong(wrong, tmp_path).counterexample
    assert found is not None
    assert found.data["expected"] == "invalid"
    assert found.size[0] > 4


def test_a_count_that_does_not_finish_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    walk = (SOLUTIONS / "count_walk.py").read_text().replace("rows=4, cols=4, k=3", "")
    path.write_text(walk.replace("    board =", "    rows, cols, k = 4, 4, 3\n    board =", 1))
    result = grade(path, seconds=1)
    assert result.right is None
    assert result.verdict == "not finished"
    assert result.counterexample is None
    assert [remark.name for remark in result.remarks] == ["not finished"]


def test_arguments_of_a_recursion_are_not_sizes(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text("def count_games(board=None, player='X', depth=0):\n    return 1281016086768\n")
    assert grade(path).right is True


@pytest.mark.slow
def test_another_order_is_a_remark_and_wrong_if_strict() -> None:
    path = SOLUTIONS / "games_lists.py"
    result = grade(path, seconds=1)
    assert "order" in [remark.name for remark in result.remarks]
    strict = grade(path, seconds=1, strict=True)
    assert strict.right is False
    assert strict.counterexample is not None
    assert strict.counterexample.rule == "order"
