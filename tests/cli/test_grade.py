"""`noughts grade`, from the specification (9) and its help."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from noughts.exercises.grading.names import exercise_names
from support.cases import for_each
from support.cli_runner import allow_ctrl_c, clean_environment, python, run, spawn

SOLUTIONS = Path(__file__).parents[1] / "exercises" / "grading" / "solutions"
WRONG = "def state(board):\n    return 'X_turn'\n"


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    """Return the name of a file with a wrong solution."""
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    return str(path)


def test_a_right_solution() -> None:
    result = run("grade", str(SOLUTIONS / "state_masks.py"))
    assert (result.code, result.err) == (0, "")
    assert result.out == "right: boardState for state, 19,683 cases\n"


def test_a_wrong_solution(wrong: str) -> None:
    result = run("grade", wrong)
    assert (result.code, result.err) == (1, "")
    assert result.out.startswith("wrong: state for state, 2 cases\nThe smallest case that fails:\n")
    assert "expected  'O_turn'" in result.out


def test_json(wrong: str) -> None:
    result = run("grade", wrong, "--json", "--exercise", "state")
    assert result.code == 1
    data = result.object
    assert (data["exercise"], data["right"], data["cases"]) == ("state", False, 2)
    assert data["counterexample"]["expected"] == "O_turn"
    right = run("grade", str(SOLUTIONS / "valid_masks.py"), "--json")
    assert (right.code, right.object["right"], right.object["counterexample"]) == (0, True, None)
    assert right.object["remarks"] == []


def test_junit(wrong: str, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    assert run("grade", wrong, "--junit", str(report)).code == 1
    root = ElementTree.parse(report).getroot()
    assert root.get("failures") == "1"
    assert run("grade", str(SOLUTIONS / "valid_masks.py"), "--junit", str(report)).code == 0
    assert ElementTree.parse(report).getroot().get("failures") == "0"


def test_a_report_that_cannot_be_written_is_said_before_grading(wrong: str, tmp_path: Path) -> None:
    result = run("grade", wrong, "--junit", str(tmp_path / "no" / "report.xml"))
    assert (result.code, result.out) == (2, "")
    assert "cannot write" in result.err


def test_not_finished_is_not_right(tmp_path: Path) -> None:
    path = tmp_path / "count.py"
    path.write_text("def count():\n    while True:\n        pass\n")
    result = run("grade", str(path), "--seconds", "1s", "--json")
    assert result.code == 1
    assert (result.object["right"], result.object["verdict"]) == (None, "not finished")
    assert result.object["remarks"][0]["name"] == "not finished"


@for_each(
    ("source", "arguments", "words"),
    [
        (b"def state(board:", (), "line 1"),
        (b"x = '\xff'", (), "line 1: not text: byte 0xff is not UTF-8"),
        (b"", (), "no function or class with the usual name"),
        (b"def state(b): ...\ndef games(): ...", (), "several exercises"),
        (b"def get_state(b): ...\ndef verdict(b): ...", (), "2 candidates"),
        (b"def state(b): ...", ("--exercise", "chess"), "there is no exercise 'chess'"),
        (b"def state(b): ...", ("--function", "other"), "does not define 'other'"),
        (b"state = dict(a=1)", (), "state is not a function, class or method"),
        (b"def count(n): ...", (), "takes (rows, cols, k), or nothing"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(
    source: bytes, arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "solution.py"
    path.write_bytes(source)
    result = run("grade", str(path), *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert words in result.err


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for name, words in ((str(tmp_path), "it is a folder"), ("/no/such.py", "No such file")):
        result = run("grade", name)
        assert result.code == 2
        assert words in result.err


@for_each(
    "option", [("--seconds", "0"), ("--seconds", "x"), ("--memory", "much"), ("--seed", "-1")]
)
def test_bad_options(option: tuple[str, str]) -> None:
    result = run("grade", "solution.py", *option)
    assert result.code == 2
    assert result.out == ""


def test_limits_are_those_that_are_given(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text("x = bytes(200_000_000)\ndef state(board):\n    return 'X_turn'\n")
    small = run("grade", str(path), "--memory", "100MB", "--json").object
    assert small["counterexample"]["rule"] == "memory"
    assert run("grade", str(path), "--memory", "500MB", "--json").object["cases"] == 2


def test_a_seed_makes_other_cases() -> None:
    path = str(SOLUTIONS / "simulate_masks.py")
    counts = {run("grade", path, "--json", "--seed", str(n)).object["cases"] for n in range(4)}
    assert len(counts) > 1


def test_the_help_names_every_exercise_and_says_what_it_is_not() -> None:
    text = " ".join(run("grade", "--help").out.split())
    assert all(name in text for name in exercise_names())
    assert "NOT a sandbox" in text


def test_the_page_about_grading_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "learn" / "grading.md").read_text()
    monkeypatch.chdir(tmp_path)
    (source,) = re.findall(r"```python\n(# mine.py\n.*?)```", page, flags=re.DOTALL)
    Path("mine.py").write_text(source)
    (shown,) = re.findall(r"```console\n\$ noughts grade mine.py\n(.*?)```", page, flags=re.DOTALL)
    assert run("grade", "mine.py").out == shown


def test_a_solution_from_stdin() -> None:
    result = run("grade", "-", stdin="def mine(board):\n    return 1\n")
    assert result.code == 2
    assert "<stdin> has no function or class" in result.err
    result = run("grade", "-", "--exercise", "valid", stdin="def mine(board):\n    return 1\n")
    assert (result.code, result.err) == (1, "")


def test_in_a_process_with_another_encoding(wrong: str) -> None:
    result = spawn("grade", wrong, env={"PYTHONIOENCODING": "ascii"})
    assert result.code == 1
    assert result.out.isascii()
    assert json.loads(spawn("grade", wrong, "--json").out)["right"] is False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_grading_leaves_no_process_behind(
    number: signal.Signals, tmp_path: Path
) -> None:
    path, called = tmp_path / "solution.py", tmp_path / "called"
    path.write_text(
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"os.mkfifo({str(called)!r})\n"
        f"open({str(called)!r}, 'w').write(str(os.getpid()))\n"
        "time.sleep(1000)\n"
        "def state(board): ...\n"
    )
    process = subprocess.Popen(
        python("grade", str(path), "--seconds", "1000"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        preexec_fn=allow_ctrl_c,
    )
    while not called.exists():
        time.sleep(0.01)
    child = int(called.read_text())  # waits until the solution has written it
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, b"", b"")
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
