"""The grader ends, and says what happened, whatever a solution does to its process."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from functools import partial
from math import comb
from pathlib import Path

import pytest

from noughts import NoughtsError
from noughts.exercises import counters, replay
from noughts.exercises.grading import Grade, grade, process
from noughts.exercises.grading.boards import Valid
from noughts.exercises.grading.exercise import Case, Form
from support.cases import for_each

WRITE = """import os
def write(data):
    for number in range(3, 50):
        try:
            os.write(number, data)
        except OSError:
            pass
write"""
MARKS = 3
"""Boards with more marks show nothing new about the process."""

RIGHT = "def valid(board):\n    return helper.valid_tic_tac_toe(board)\n"
IMPORT = "from noughts import exercises as helper\n"


@pytest.fixture(autouse=True)
def few_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge `valid` on boards with few marks only."""
    cases = Valid.cases

    def few(self: Valid, form: Form, seed: int) -> list[Case]:
        return [case for case in cases(self, form, seed) if case.size[1] <= MARKS]

    monkeypatch.setattr(Valid, "cases", few)


def graded(folder: Path, source: str, seconds: float = 30.0) -> Grade:
    """Grade a solution of `valid`."""
    path = folder / "solution.py"
    path.write_text(textwrap.dedent(source), encoding="utf-8")
    return grade(path, "valid", seconds=seconds)


def rule_of(result: Grade) -> str:
    assert result.right is False, str(result)
    assert result.counterexample is not None
    return result.counterexample.rule


# -- what is fine --------------------------------------------------------------------------


@for_each(
    "prelude",
    [
        "import sys; sys.stdout.close(); sys.stderr.close()",
        "import sys; sys.stdout = None; sys.stderr = None; sys.stdin = None",
        "import os; os.close(1); os.close(2)",
        "import builtins; builtins.print = None; builtins.open = None; builtins.repr = None",
        "import json, os; json.dumps = json.loads = os.read = os.getpid = os._exit = None",
        "import signal\nfor number in (1, 2, 3, 13, 14, 15): signal.signal(number, signal.SIG_IGN)",
        "import sys; sys.setrecursionlimit(10**6)",
        "import atexit, os; atexit.register(os._exit, 3)",
        "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()",
        "import subprocess; subprocess.Popen(['sleep', '600'])",
        "import random; random.seed(0); random.random = lambda: 0",
        "import os\nif os.fork() == 0:\n    import time\n    time.sleep(600)",
        "print('x' * 100_000)",
        "import warnings; warnings.warn('old')",
        "if __name__ == '__main__':\n    raise SystemExit",
    ],
)
def test_what_a_solution_does_besides_is_its_own_affair(prelude: str, tmp_path: Path) -> None:
    result = graded(tmp_path, f"{IMPORT}{prelude}\n{RIGHT}")
    assert result.right is True, f"{prelude}: {result}"
    assert result.cases == sum(comb(9, marks) * 2**marks for marks in range(MARKS + 1))


def test_annotations_need_no_import(tmp_path: Path) -> None:
    source = "def valid(board: List[str]) -> bool:\n    return helper.valid_tic_tac_toe(board)\n"
    assert graded(tmp_path, IMPORT + source).right is True


def test_the_process_of_a_file_has_not_loaded_noughts(tmp_path: Path) -> None:
    source = f"import sys\nassert 'noughts' not in sys.modules\n{IMPORT}{RIGHT}"
    assert graded(tmp_path, source).right is True


def test_printing_is_a_remark(tmp_path: Path) -> None:
    result = graded(tmp_path, f"{IMPORT}print('x' * 100_000)\n{RIGHT}")
    assert [remark.name for remark in result.remarks] == ["output"]


def test_a_copy_that_comes_back_from_a_call_is_not_heard(tmp_path: Path) -> None:
    source = """
    import os
    from noughts import exercises as helper
    calls = []
    def valid(board):
        calls.append(1)
        if len(calls) == 5:
            os.fork()
        return helper.valid_tic_tac_toe(board)
    """
    assert graded(tmp_path, source).right is True


def test_a_helper_beside_the_solution_is_found_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("from noughts.exercises import valid_tic_tac_toe\n")
    assert graded(tmp_path, f"import helper\n{RIGHT}").right is True
    assert {path.name for path in tmp_path.iterdir()} == {"helper.py", "solution.py"}


def test_a_module_named_like_one_of_the_grader_does_not_disturb_it(tmp_path: Path) -> None:
    for name in ("json", "inspect", "noughts", "random"):
        (tmp_path / f"{name}.py").write_text("raise ValueError('not this one')\n")
    masks = (Path(__file__).parent / "solutions" / "valid_masks.py").read_text()
    path = tmp_path / "solution.py"
    path.write_text(masks)
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "noughts", "grade", str(path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


# -- what is wrong ---------------------------------------------------------------------------


@pytest.mark.slow
@for_each(
    ("prelude", "rule"),
    [
        ("while True: pass", "time"),
        ("import time; time.sleep(600)", "time"),
        ("import os; os.kill(os.getpid(), 19)", "time"),  # stopped, not ended
        ("while True: print('flood' * 1000)", "output"),
        ("import os\nwhile True: os.write(2, b'flood' * 1000)", "output"),
        ("import sys; sys.exit(0)", "exit"),
        ("import os; os._exit(0)", "exit"),
        ("import os; os.abort()", "signal"),
        ("import os; os.kill(os.getpid(), 9)", "signal"),
        ("import os; os.kill(os.getpid(), 11)", "signal"),
        ("import os; os.killpg(0, 9)", "signal"),
        ("import os; os.closerange(0, 1000)", "process"),
        (f"{WRITE}(b'[]\\n')", "process"),
        (f"{WRITE}(b'[' * 99999 + b'\\n')", "process"),
        (f"{WRITE}(b'{{' * 10)", "process"),
        (f"{WRITE}(b'{{}}\\n')", "process"),
        ("x = ['x' * 10**6 for _ in range(10**6)]", "memory"),
        ("x = bytes(10**12)", "memory"),
        ("import nothing_of_this_name", "exception"),
        ("raise KeyboardInterrupt", "exception"),
        ("raise GeneratorExit", "exception"),
        ("class E(BaseException):\n    def __str__(self): raise self\nraise E", "exception"),
        ("def f(): f()\nf()", "recursion"),
        ("import builtins; builtins.isinstance = builtins.len = None", "process"),
        ("import os\nif os.fork(): os._exit(0)\nimport time; time.sleep(600)", "exit"),
        ("import os, sys\nos.fork()\nos.fork()\nwhile True: pass", "time"),
    ],
)  # fmt: skip
def test_what_goes_wrong_on_import_is_told(prelude: str, rule: str, tmp_path: Path) -> None:
    seconds = 0.5 if rule == "time" else 30.0
    result = graded(tmp_path, f"{IMPORT}{prelude}\n{RIGHT}", seconds)
    assert rule_of(result) == rule, f"{prelude}: {result}"


@pytest.mark.slow
@for_each(
    ("body", "rule"),
    [
        ("import os; os.setsid() if os.fork() == 0 else None; time.sleep(20)", "time"),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    while True: pass", "time"),
        ("return 'x' * 10**8", "result type"),
        ("return 2 ** 10**6", "result type"),
        ("x = []; x.append(x); return x", "result type"),
        ("return (board for _ in board)", "result type"),
        ("return Odd()", "result type"),
        ("raise Odd()", "exception"),
        ("board.append('   '); return True", "mutation"),
        ("return valid(board)", "recursion"),
        ("return int('x')", "exception"),
        ("os.dup2(1, 0); os.closerange(3, 99); return True", "process"),
        ("return print('flood' * 10**7)", "output"),
    ],
)
def test_what_goes_wrong_in_a_call_is_told(body: str, rule: str, tmp_path: Path) -> None:
    source = (
        "import os, signal, time\n"
        "class Odd(Exception):\n"
        "    def __repr__(self): raise ValueError\n"
        "    __str__ = __repr__\n"
        f"def valid(board):\n    {body}\n"
    )
    result = graded(tmp_path, source, 1.0 if rule == "time" else 30.0)
    assert rule_of(result) == rule, f"{body}: {result}"
    assert result.cases == 1


def test_the_line_of_an_exception_is_named(tmp_path: Path) -> None:
    source = (
        "def valid(board):\n    x = 1\n    return helper(x)\n\n\ndef helper(x):\n    return x[0]\n"
    )
    result = graded(tmp_path, source)
    assert result.counterexample is not None
    assert "TypeError" in result.counterexample.got
    assert "(line 7)" in result.counterexample.got


def test_what_an_exception_says_is_one_line_without_control_characters(tmp_path: Path) -> None:
    source = "def valid(board):\n    raise ValueError('first\\nsecond \\x1b[2J')\n"
    result = graded(tmp_path, source)
    assert result.counterexample is not None
    assert result.counterexample.got == "raised ValueError: first second \\x1b[2J (line 2)"


def test_a_slow_solution_is_not_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "CALLS", 0.2)  # all calls together get 2 s, one call 10 s
    source = f"import time\n{IMPORT}" + RIGHT.replace("return", "time.sleep(0.05)\n    return")
    result = graded(tmp_path, source, 10.0)
    assert result.right is None
    assert "all calls together" in str(result)


def test_no_process_and_no_pipe_is_left(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    source = f"""
    import os, time
    if os.fork() == 0:
        time.sleep(600)
    open({str(path)!r}, "w").write(str(os.getpgid(0)))
    def valid(board):
        while True:
            pass
    """
    folder = Path("/proc/self/fd")
    before = len(list(folder.iterdir())) if folder.exists() else 0
    assert rule_of(graded(tmp_path, source, 0.5)) == "time"
    after = len(list(folder.iterdir())) if folder.exists() else 0
    assert after == before
    group = int(path.read_text())
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        subprocess.run(["sleep", "0.05"], check=True)  # until the system has cleared it away
    pytest.fail("a process of the solution is still there")


# -- objects ---------------------------------------------------------------------------------


def test_functions_and_classes_are_graded_in_a_copy_of_this_process() -> None:
    calls = []

    def simulate(moves: list[str]) -> list[str]:
        calls.append(moves)
        return replay.replay_standard(moves).standard_result()

    assert grade(simulate).right is True
    assert calls == []  # the copy was called
    assert grade(counters.TicTacToe).right is True

    class Solution:
        def validTicTacToe(self, board: list[str]) -> bool:  # noqa: N802 - LeetCode's name
            return False

    result = grade(Solution)
    assert (result.exercise, result.right, result.cases) == ("valid", False, 1)


def test_an_object_can_do_no_harm_here() -> None:
    def state(board: list[str]) -> str:
        sys.stdout = sys.stderr = None
        os.environ.clear()
        print("to a closed stream")  # noqa: T201 - it is what is tested
        os._exit(0)

    before = dict(os.environ)
    assert rule_of(grade(state)) == "exit"
    assert dict(os.environ) == before
    assert sys.stdout is not None

    def loops(board: list[str]) -> str:
        while True:
            pass

    assert rule_of(grade(loops, "state", seconds=1)) == "time"


@for_each("thing", [None, 3, [], object()])
def test_other_objects_are_refused(thing: object) -> None:
    with pytest.raises(NoughtsError, match="a solution is a file, a function or a class"):
        grade(thing)  # type: ignore[arg-type]


def test_a_function_without_a_usual_name_needs_its_exercise() -> None:
    def mine(board: list[str]) -> str:
        return "draw"

    class Solution:
        def state(self, board: list[str]) -> str:
            return "draw"

        def count_games(self) -> int:
            return 0

    with pytest.raises(
        NoughtsError, match=r"which exercise does mine solve.* one of: state, valid"
    ):
        grade(mine)
    with pytest.raises(NoughtsError, match=r"does Solution solve.* one of: state, count$"):
        grade(Solution)
    with pytest.raises(NoughtsError, match="which exercise does partial solve"):
        grade(partial(mine))
    assert grade(partial(mine), "state").solution == "partial"
    with pytest.raises(NoughtsError, match="`function` is a name in a file"):
        grade(mine, "state", function="mine")
    assert grade(mine, "state").right is False
    with pytest.raises(NoughtsError, match="class"):
        grade(mine, "tic-tac-toe")


@for_each(
    "options", [{"seconds": 0}, {"seconds": True}, {"memory": 0}, {"memory": 1.5}, {"seed": -1}]
)
def test_bad_options_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(NoughtsError):
        grade(Path("x.py"), "valid", **options)  # type: ignore[arg-type]
