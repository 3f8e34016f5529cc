"""Solutions are found by their usual names, and what is in the way is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from noughts import NoughtsError
from noughts.exercises.grading.finding import MOST_SOURCE, find_in_file
from noughts.exercises.grading.judging import EXERCISES
from noughts.exercises.grading.names import NAMES, exercise_names
from support.cases import for_each


def found(folder: Path, source: str, *arguments: str | None) -> tuple[str, str]:
    """Return the exercise and the target that are found in a file."""
    path = folder / "solution.py"
    path.write_text(source, encoding="utf-8")
    solution = find_in_file(path, *arguments)
    return solution.exercise, solution.target


def complaint(folder: Path, source: str, *arguments: str | None) -> str:
    with pytest.raises(NoughtsError) as caught:
        found(folder, source, *arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_every_exercise_has_names() -> None:
    assert exercise_names() == list(EXERCISES)
    bare = [name for names in NAMES for name in names.usual | names.other]
    assert len(bare) == len(set(bare)), "a name stands for two exercises"


@for_each(
    ("source", "exercise", "target"),
    [
        ("def state(board): ...", "state", "state"),
        ("def board_state(board): ...", "state", "board_state"),
        ("def boardState(board): ...", "state", "boardState"),
        ("def validTicTacToe(board): ...", "valid", "validTicTacToe"),
        ("def valid_tic_tac_toe(board): ...", "valid", "valid_tic_tac_toe"),
        ("class Solution:\n  def validTicTacToe(self, b): ...", "valid", "Solution.validTicTacToe"),
        (
            "class Solution:\n  def help(self): ...\n  def simulate(self, m): ...",
            "simulate",
            "Solution.simulate",
        ),
        ("def simulateUltimate(moves): ...", "simulate-ultimate", "simulateUltimate"),
        ("class TicTacToe:\n  def move(self): ...", "tic-tac-toe", "TicTacToe"),
        ("class tic_tac_toe:\n  def move(self): ...", "tic-tac-toe", "tic_tac_toe"),
        ("class Solution:\n  n = 3\n  def move(self): ...", "tic-tac-toe", "Solution"),
        ("class TicTacToe(Base): ...", "tic-tac-toe", "TicTacToe"),
        ("def countGames(): ...", "count", "countGames"),
        ("def count_games(): ...\ndef count(board): ...", "count", "count_games"),
        ("def all_games(): ...", "games", "all_games"),
        ("try:\n  from fast import games\nexcept ImportError:\n  pass", "games", "games"),
        ("if True:\n  def games(): ...", "games", "games"),
        ("state = lambda board: 'draw'", "state", "state"),
        ("def state(board): ...\nboard_state = state", "state", "state"),
        ("state = 'X_turn'\ndef games(): ...", "games", "games"),
        ("def state(board): ...\ndef _simulate(moves): ...", "state", "state"),
        ("def state(board): ...\ndef state(board): ...", "state", "state"),
        ("\ufeffdef state(board): ...", "state", "state"),
    ],
)  # fmt: skip
def test_usual_names(source: str, exercise: str, target: str, tmp_path: Path) -> None:
    assert found(tmp_path, source) == (exercise, target)
    assert found(tmp_path, source, exercise) == (exercise, target)


@for_each(
    ("source", "exercise", "target"),
    [
        ("def solution(board): ...", "state", "solution"),
        ("def solution(board): ...\ndef helper(): ...", "valid", "solution"),
        ("def mine(board): ...", "valid", "mine"),
        ("def mine(board): ...\ndef _help(): ...", "valid", "mine"),
        (
            "class Solution:\n  def mine(self, b): ...\n  def _help(self): ...",
            "state",
            "Solution.mine",
        ),
        ("class Game:\n  def move(self): ...", "tic-tac-toe", "Game"),
        ("def state(b): ...\ndef simulate(m): ...", "simulate", "simulate"),
    ],
)
def test_with_the_exercise_one_candidate_is_enough(
    source: str, exercise: str, target: str, tmp_path: Path
) -> None:
    assert found(tmp_path, source, exercise) == (exercise, target)


def test_the_function_can_be_named(tmp_path: Path) -> None:
    source = "def mine(b): ...\nclass Solution:\n  def state(self, b): ...\n  def other(self): ..."
    assert found(tmp_path, source, "state", "mine") == ("state", "mine")
    assert found(tmp_path, source, None, "Solution.state") == ("state", "Solution.state")
    assert found(tmp_path, source, "valid", "Solution.other") == ("valid", "Solution.other")
    assert "does not define 'yours'" in complaint(tmp_path, source, "state", "yours")
    assert "does not define 'Solution.no'" in complaint(tmp_path, source, "state", "Solution.no")
    assert "which exercise does mine solve" in complaint(tmp_path, source, None, "mine")


def test_two_candidates_are_named(tmp_path: Path) -> None:
    source = "def board_state(b): ...\ndef game_state(b): ..."
    for exercise in (None, "state"):
        message = complaint(tmp_path, source, exercise)
        assert "2 candidates for state: board_state, game_state" in message
        assert "--function" in message


def test_several_exercises_are_named(tmp_path: Path) -> None:
    source = "def count_games(): ...\ndef games(): ...\nclass Solution:\n  def state(self, b): ..."
    message = complaint(tmp_path, source)
    assert "state (Solution.state), count (count_games), games (games)" in message
    assert "--exercise" in message


def test_nothing_found_names_what_is_looked_for(tmp_path: Path) -> None:
    for source in (
        "",
        "x = 1",
        "from helper import *",
        "def one(): ...\ndef two(): ...",
        "def _state(b): ...",
    ):
        message = complaint(tmp_path, source)
        assert all(name in message for name in EXERCISES)
        assert "like valid_tic_tac_toe or validTicTacToe" in complaint(tmp_path, source, "valid")
    assert "there is no exercise 'chess'" in complaint(tmp_path, "def state(): ...", "chess")


@for_each(
    ("source", "where"),
    [
        ("def state(board:\n", "line 1"),
        ("x = 1\n\n\ndef state(board)\n    pass", "line 4"),
        ("def state(b):\n\treturn 1\n        return 2", "line 3"),
        ("return 1", "line 1"),
        ("x = " + "(" * 500 + ")" * 500, ""),
        ("x = " + "-" * 50_000 + "1", ""),
        ("x = 1\0", ""),
    ],
)
def test_a_syntax_error_has_its_line(source: str, where: str, tmp_path: Path) -> None:
    message = complaint(tmp_path, source)
    assert "solution.py" in message
    assert where in message


def test_files_that_are_not_python_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_bytes(b"x = 1\ny = '\xff'\n")
    with pytest.raises(NoughtsError, match="line 2: not text: byte 0xff is not UTF-8"):
        find_in_file(path)
    path.write_bytes(b"#" * (MOST_SOURCE + 1))
    with pytest.raises(NoughtsError, match="more than"):
        find_in_file(path)
    for place, words in (
        (tmp_path, "it is a folder"),
        (tmp_path / "none.py", "No such file"),
        (Path("/dev/null"), "not a regular file"),
    ):
        with pytest.raises(NoughtsError, match=words):
            find_in_file(place)
    with pytest.raises(NoughtsError, match="null"):
        find_in_file("a\0b")


def test_the_style_of_a_solution_is_not_complained_about(tmp_path: Path) -> None:
    found(tmp_path, "def state(board):\n    assert (board, 'x')\n    return '\\d' is 1\n")
