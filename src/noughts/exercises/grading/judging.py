"""Judging a solution: case by case in order of size, up to the first that fails."""

from __future__ import annotations

from typing import Any

from noughts.exercises.grading.boards import State, Valid
from noughts.exercises.grading.enumeration import Count, List
from noughts.exercises.grading.exercise import Case, Difference, Exercise, Form, shown
from noughts.exercises.grading.finding import Solution
from noughts.exercises.grading.growth import growth_of
from noughts.exercises.grading.play import Play
from noughts.exercises.grading.process import Allowance, Fault, SolutionProcess
from noughts.exercises.grading.replays import Simulate
from noughts.exercises.grading.result import Counterexample, Grade, Remark, Stage
from noughts.exercises.grading.ultimate_replays import SimulateUltimate
from noughts.limits import human_size

__all__ = ["EXERCISES", "judge_solution"]

EXERCISES: dict[str, Exercise] = {
    exercise.name: exercise
    for exercise in (State(), Valid(), Simulate(), SimulateUltimate(), Play(), Count(), List())
}

LOADING = "loading"
"""The stage before all others, which has no case."""

MOST_CALL = 2_000  # characters of a call that is shown: a whole game of Ultimate fits
MOST_DATA = 20_000  # characters of an input or a result in JSON


def judge_solution(solution: Solution, allowance: Allowance, seed: int, strict: bool) -> Grade:
    """Run a solution in a process of its own and return what is found out about it."""
    with SolutionProcess(solution, allowance) as process:
        judging = _Judging(solution, allowance, process)
        judging.run(seed, strict)
    return judging.grade()


class _Judging:
    """One run: the cases so far, the remarks, and the counterexample once there is one."""

    def __init__(self, solution: Solution, allowance: Allowance, process: SolutionProcess) -> None:
        self.solution = solution
        self.exercise = EXERCISES[solution.exercise]
        self.allowance = allowance
        self.process = process
        self.right: bool | None = True
        self.counterexample: Counterexample | None = None
        self.remarks: dict[str, Remark] = {}
        self.stages: dict[str, Stage] = {}

    def grade(self) -> Grade:
        """Return the result."""
        cases = sum(stage.judged for stage in self.stages.values() if stage.name != LOADING)
        return Grade(
            self.solution.exercise,
            str(self.solution),
            self.right,
            cases,
            self.counterexample,
            tuple(self.remarks.values()),
            tuple(self.stages.values()),
        )

    def run(self, seed: int, strict: bool) -> None:
        """Load the solution, judge all cases, and look at its growth."""
        loading = self.stage(LOADING)
        loading.cases = loading.judged = 1
        form = self.process.form()
        if isinstance(form, Fault):
            call = f"import {self.solution.path}" if self.solution.path else str(self.solution)
            why = "the solution can be loaded"
            found = Counterexample(call, "a module", form.text, form.name, why)
            return self.fail(loading, found)
        cases = list(self.exercise.cases(Form(form["takes"], form["k"]), seed))
        for case in cases:
            self.stage(case.stage).cases += 1
        answers = self.process.ask(case.question for case in cases)
        for case, answer in zip(cases, answers, strict=False):
            if not self.judge(case, answer, strict):
                return None
        if isinstance(self.exercise, Play):
            self.look_at_growth(strict)
        if self.process.printed:
            self.remark("output", f"it printed {human_size(self.process.printed)}")
        return None

    def stage(self, name: str) -> Stage:
        """Return a stage, made when it is first named."""
        return self.stages.setdefault(name, Stage(name))

    def remark(self, name: str, text: str) -> None:
        """Add a remark, the first one of its name."""
        self.remarks.setdefault(name, Remark(name, text))

    def fail(self, stage: Stage, counterexample: Counterexample) -> None:
        """Note what is wrong; nothing is judged after it."""
        stage.failure = self.counterexample = counterexample
        self.right = False

    def judge(self, case: Case, answer: Any, strict: bool) -> bool:
        """Judge one answer, and return whether to go on."""
        stage = self.stage(case.stage)
        if isinstance(answer, Fault):
            beyond = ("total time",) if case.required else ("total time", "time", "memory")
            if answer.name in beyond:
                self.not_finished(case, answer)
            else:
                stage.judged += 1
                self.fail(stage, self.of_fault(case, answer))
            return False
        stage.judged += 1
        difference = self.exercise.check(case, answer)
        if difference is not None:
            self.fail(stage, self.of_difference(case, self.alone(case, difference)))
            return False
        noticed = self.exercise.notice(case, answer)
        if noticed is not None:
            self.remark(noticed.rule, noticed.why)
            if strict:
                self.fail(stage, self.of_difference(case, noticed))
                return False
        return True

    def not_finished(self, case: Case, fault: Fault) -> None:
        """Say how far a solution came that has not been wrong so far."""
        stages = [stage for stage in self.stages.values() if stage.name != LOADING]
        finished = [stage.name for stage in stages if stage.judged == stage.cases]
        if case.required or not finished:
            self.right = None
            rest = "nothing is known to be wrong, and it is not known to be right"
            self.remark("not finished", f"{case.stage} is not finished: {fault.text}; {rest}")
        else:
            text = f"judged on {len(finished)} grids up to {finished[-1]}"
            self.remark("not finished", f"{text}; {case.stage} is not finished: {fault.text}")

    def alone(self, case: Case, difference: Difference) -> Difference:
        """Return the difference, or that it is not there when the call is the first one."""
        with SolutionProcess(self.solution, self.allowance) as process:
            if isinstance(process.form(), Fault):
                return difference
            (answer,) = process.ask([case.question])
        if isinstance(answer, Fault) or self.exercise.check(case, answer) is not None:
            return difference
        why = "as the first call it is right: the solution keeps something between calls"
        return Difference(difference.expected, difference.got, "state between calls", why)

    def look_at_growth(self, strict: bool) -> None:
        """Find out whether moves take constant time, and the board little memory."""
        for name, fault in growth_of(self.process):
            stage = self.stage(name)
            stage.cases = stage.judged = 1
            if fault is None:
                continue
            self.remark(name, fault)
            if strict:
                expected = "moves in constant time and O(n) memory"
                call = f"{self.solution}(n)"
                why = "a counter for each row, column and diagonal is enough"
                return self.fail(stage, Counterexample(call, expected, fault, name, why))
        return None

    # -- counterexamples -----------------------------------------------------------------

    def of_difference(self, case: Case, difference: Difference) -> Counterexample:
        """Describe a wrong result."""
        diagram = self.exercise.diagram(case, difference.got)
        if diagram is None and isinstance(difference.expected, list):
            diagram = self.exercise.diagram(case, difference.expected)
        expected, got = difference.expected, difference.got
        return Counterexample(
            self.call(case),
            _result(expected),
            _result(got),
            difference.rule,
            difference.why,
            case.size,
            diagram,
            _data(case, expected=expected, got=got),
        )

    def of_fault(self, case: Case, fault: Fault) -> Counterexample:
        """Describe a call that did not return a result."""
        expected = self.exercise.expected(case)
        why = WHY.get(fault.name, "a solution returns its result")
        diagram = self.exercise.diagram(case, None)
        return Counterexample(
            self.call(case),
            _result(expected),
            fault.text,
            fault.name,
            why,
            case.size,
            diagram,
            _data(case, expected=expected),
        )

    def call(self, case: Case) -> str:
        """Return the call, cut where it is long."""
        text = self.exercise.call(case, str(self.solution))
        return text if len(text) <= MOST_CALL else f"{text[: MOST_CALL - 100]} ... {text[-90:]}"


WHY = {
    "mutation": "a solution leaves its arguments as they are",
    "time": "a solution comes to an end",
    "memory": "a solution gets along with the memory that it is given",
    "output": "a solution returns its result and need not print",
    "exit": "a solution returns its result and does not end the process",
    "signal": "a solution returns its result and its process goes on",
    "exception": "a solution returns a result for every input of the exercise",
    "process": "a solution leaves the files and built-in functions of its process alone",
    "recursion": "long input must not exhaust the stack",
}


def _result(value: object) -> str:
    if isinstance(value, str) and value in ("a game", "every game once", "no such game"):
        return value
    return shown(value)


def _data(case: Case, **results: object) -> dict[str, object]:
    """Return the input and results as plain data, without those that are long."""
    data = {"input": case.arguments, **{key: _plain(value) for key, value in results.items()}}
    return {key: value for key, value in data.items() if len(repr(value)) <= MOST_DATA}


def _plain(value: object) -> object:
    """Return a result for JSON: an int that other programs cannot hold exactly is a string."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return shown(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 53:
        return str(value)
    return value
