"""A worker as a process: results, progress, stopping, and its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from noughts import Game
from noughts.solving import analyse
from support.cli_runner import clean_environment

MEMORY = 2 << 30


class Line:
    """A worker, and the line to it."""

    def __init__(self, *command: str, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *(command or ("-m", "noughts.web.pool.worker", str(MEMORY), "warm"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=clean_environment(env),
            start_new_session=True,
        )
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.tasks = 0
        assert self.read() == {"ready": True}

    def say(self, **message: Any) -> None:
        self.stdin.write(json.dumps(message).encode() + b"\n")
        self.stdin.flush()

    def begin(self, name: str, **request: Any) -> int:
        self.tasks += 1
        self.say(task=self.tasks, name=name, request=request)
        return self.tasks

    def read(self) -> Any:
        return json.loads(self.stdout.readline())

    def end(self, task: int) -> Any:
        """Return how a task ends."""
        while "progress" in (message := self.read()):
            assert message["task"] == task
        assert message.pop("task") == task
        return message

    def ask(self, name: str, **request: Any) -> Any:
        return self.end(self.begin(name, **request))

    def close(self) -> None:
        """Hang up, which ends the worker."""
        self.stdin.close()
        assert self.process.wait(20) == 0
        self.stdout.close()


@pytest.fixture(scope="module")
def line() -> Iterator[Line]:
    with closing(Line()) as line:
        yield line


LONG = {"game": "ultimate", "seconds": 60.0, "nodes": None}


def test_answers_and_errors(line: Line) -> None:
    answer = line.ask("analyse", game="3x3x3 b2", seconds=1.0, nodes=None)
    position = Game.parse("3x3x3 b2").position
    exact = analyse(position).moves  # type: ignore[arg-type]
    assert {
        name: (worth["value"], worth["plies"]) for name, worth in answer["result"]["moves"].items()
    } == {position.move_name(known.move): (known.value, known.plies) for known in exact}
    answer = line.ask("count", game="ultimate", of="games", up_to_symmetry=False)
    assert answer["error"]["code"] == "limit"
    assert "grids" in answer["error"]["message"]


def test_a_count_that_takes_compiled_code_is_refused_at_once_without_it() -> None:
    command = ("-m", "noughts.web.pool.worker", str(MEMORY), "uncompiled")
    with closing(Line(*command, env={"NUMBA_DISABLE_JIT": "1"})) as line:
        question = {"of": "games", "up_to_symmetry": False}
        counted = line.ask("count", game="4x4x3", **question)["result"]
        assert counted["total"] == str(1281016086768)
        for name, more in (("count", question), ("games", {"first": "0", "limit": 1})):
            error = line.ask(name, game="6x6x4", outcome=None, **more)["error"]
            assert (error["status"], error["code"]) == (503, "busy"), "it is ready in a minute"
            error = line.ask(name, game="15x15x5", outcome=None, **more)["error"]
            assert (error["status"], error["code"]) == (422, "limit"), "it never is"


@pytest.mark.parametrize(
    ("ask", "question"),
    [
        ("analyse", LONG),
        ("analyse", {**LONG, "game": "7x7x5"}),  # in the solver
        ("analyse", {**LONG, "game": "15x15x5 h8"}),
        ("review", {**LONG, "game": "ultimate ee ea ae"}),
        ("move", {"game": "ultimate", "level": "full", "seconds": 60.0, "seed": None}),
        ("move", {"game": "7x7x5", "level": "perfect", "seconds": 60.0, "seed": None}),
        ("count", {"game": "5x5x4", "of": "endings", "up_to_symmetry": True}),
    ],
    ids=lambda value: value if isinstance(value, str) else value["game"],
)
def test_a_task_stops(line: Line, ask: str, question: dict[str, Any]) -> None:
    task = line.begin(ask, **question)
    line.say(stop=task)
    assert line.end(task) == {"stopped": True}
    # In the middle of it, too, and the next answer is right.
    task = line.begin(ask, **question)
    if ask == "analyse":
        assert "progress" in line.read()
    line.say(stop=task)
    assert line.end(task) == {"stopped": True}
    after = line.ask("analyse", game="3x3x3:XX./OO./...", seconds=1.0, nodes=None)
    assert after["result"]["text"] == "X wins in 1 move, proved"


def test_stopping_what_is_over_does_not_reach_the_next_job(line: Line) -> None:
    for _ in range(10):
        task = line.begin("move", game="3x3x3", level="beginner", seconds=1.0, seed=1)
        line.say(stop=task)
        following = line.begin("move", game="3x3x3", level="beginner", seconds=1.0, seed=1)
        assert line.end(task).keys() <= {"stopped", "result"}
        assert "result" in line.end(following)


def test_ctrl_c_in_the_terminal_is_not_for_a_worker(line: Line) -> None:
    task = line.begin("analyse", game="ultimate", seconds=1.0, nodes=None)
    os.kill(line.process.pid, signal.SIGINT)
    assert "result" in line.end(task)


# Tasks that no server sends: one that needs too much memory, and one that prints.
ODD = f"""
from noughts.web.pool import tasks, worker
tasks.TASKS["greedy"] = lambda request, context: {{"size": len(bytearray({2 * MEMORY}))}}
tasks.TASKS["chatty"] = lambda request, context: print("hello") or {{"said": "hello"}}
worker.main({MEMORY}, "cold")
"""


def test_more_memory_than_allowed_is_an_error_and_talk_is_no_answer() -> None:
    with closing(Line("-c", ODD)) as line:
        answer = line.ask("greedy")
        assert answer["error"] == {
            "status": 422,
            "code": "limit",
            "message": "this needs more memory than allowed",
            "field": "game",
            "offset": None,
        }
        assert line.ask("chatty") == {"result": {"said": "hello"}}


def test_it_ends_when_the_server_has_gone() -> None:
    line = Line()
    line.begin("analyse", **LONG)
    assert "progress" in line.read()
    line.close()
