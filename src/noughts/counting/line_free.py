"""Counts of line-free markings: small problems in pure Python, large ones in compiled tasks."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any

from noughts.counting.chinese_remainder import primes_for, reconstruct
from noughts.counting.problem import MarkCounts, Problem
from noughts.counting.runner import Progress, Runner, Subject, Task, table_of_numbers
from noughts.counting.sweep import TooManyStates, sweep
from noughts.errors import LimitExceeded, MissingExtra
from noughts.limits import human_size

if TYPE_CHECKING:
    from noughts.counting.compiled_sweep import Survey

__all__ = ["NeedsCompiled", "line_free_counts"]

_QUICK = 64 << 20
"""With these bytes of states pure Python takes about a second, as loading compiled code does."""


class NeedsCompiled(LimitExceeded):
    """A count that takes compiled code, which is installed but turned off by NUMBA_DISABLE_JIT."""


def line_free_counts(
    problems: Sequence[Problem], limit: int, subject: Subject, runner: Runner
) -> list[MarkCounts]:
    """Return, for each problem, how many markings complete no line, by x and o up to `limit`."""
    can_compile = _can_compile()
    if not can_compile and not runner.is_plain:
        extra = "engine" if runner.cluster is None else "cluster"
        raise MissingExtra(extra, "a checkpoint or a cluster needs compiled sweeps")
    tables: dict[Problem, MarkCounts] = {}
    large: list[Problem] = []
    for problem in dict.fromkeys(problems):
        if can_compile and not runner.is_plain:
            large.append(problem)  # asked to keep or to distribute the work
            continue
        memory = min(_QUICK, runner.memory) if can_compile else runner.memory
        try:
            most = memory // _bytes_per_state(problem, limit)
            tables[problem] = sweep(problem, limit, most_states=most)
        except TooManyStates:
            if can_compile:
                problem.require_slots()
                if _is_turned_off():
                    raise NeedsCompiled(
                        "this count needs compiled code, which NUMBA_DISABLE_JIT turns off"
                    ) from None
            else:
                size = human_size(memory)
                message = f"this count needs more than {size} of memory without numba"
                raise LimitExceeded(f"{message}: pip install 'noughts[engine]'") from None
            if not large:  # refuse at once what will not fit; the others are about as large
                _survey(problem, limit, runner.task_memory, lambda: runner.on_progress(0.0))
            large.append(problem)
    if large:
        tables |= _in_tasks(large, limit, subject, runner)
    return [tables[problem] for problem in problems]


def _can_compile() -> bool:
    return find_spec("numba") is not None and find_spec("numpy") is not None


def _is_turned_off() -> bool:
    """Return whether the environment says that nothing is to be compiled."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"


def _bytes_per_state(problem: Problem, limit: int) -> int:
    """Return what a state of a pure sweep takes: a packed int and a dict entry, in two layers."""
    heaviest = max(problem.weights, default=0)
    packed = problem.bound.bit_length() * (limit + 1) * (limit + 1 + heaviest) // 8
    return 2 * (packed + 200)


def _in_tasks(
    problems: Sequence[Problem], limit: int, subject: Subject, runner: Runner
) -> dict[Problem, MarkCounts]:
    """Sweep problems modulo primes, one task for each problem and prime."""
    from noughts.counting.compiled_sweep import needs_compiling
    from noughts.kernels import compiling_notice

    if needs_compiling():
        runner.on_notice(compiling_notice("the sweep"))
    primes = {problem: primes_for(problem.bound) for problem in problems}
    tasks = [
        Task(
            _key(problem, limit, prime),
            sweep_task,
            (problem, limit, prime, runner.task_memory),
            table_of_numbers(limit + 1, limit + 1, below=prime),
        )
        for problem in problems
        for prime in primes[problem]
    ]
    try:
        residues = iter(runner.run(subject, tasks, one_at_a_time=True))
    finally:
        _forget_survey()  # it may be gigabytes
    return {
        problem: _join([next(residues) for _ in primes[problem]], primes[problem])
        for problem in problems
    }


def _join(residues: list[MarkCounts], primes: list[int]) -> MarkCounts:
    """Return the table whose residues these are."""
    size = range(len(residues[0]))
    return [[reconstruct([table[x][o] for table in residues], primes) for o in size] for x in size]


def _key(problem: Problem, limit: int, prime: int) -> str:
    """Return a name for a task that is the same in every run."""

    def plain(lines: frozenset[frozenset[int]]) -> list[list[int]]:
        return sorted(sorted(line) for line in lines)

    text = repr((problem.weights, plain(problem.x_lines), plain(problem.o_lines), limit))
    return f"sweep {hashlib.sha256(text.encode()).hexdigest()[:32]} mod {prime}"


_latest: list[tuple[tuple[Problem, int, int], Survey]] = []
_survey_lock = Lock()


def _survey(
    problem: Problem, limit: int, memory: int, poll: Callable[[], object] = lambda: None
) -> Survey:
    """Return a problem's survey; the primes of one problem follow each other and share it."""
    from noughts.counting.compiled_sweep import Survey

    key = problem, limit, memory
    with _survey_lock:  # a cluster's worker may run several tasks at once
        if not _latest or _latest[0][0] != key:
            _latest.clear()  # before the next one is made: both may not fit
            _latest.append((key, Survey.of(problem, limit, memory, poll)))
        return _latest[0][1]


def _forget_survey() -> None:
    with _survey_lock:
        _latest.clear()


def sweep_task(
    problem: Problem,
    limit: int,
    prime: int,
    memory: int,
    threads: int = 1,
    report: Progress = lambda share: None,
) -> Any:
    """Return the counts of a problem modulo a prime."""
    from noughts.counting.compiled_sweep import sweep_modulo

    return sweep_modulo(_survey(problem, limit, memory), prime, threads, report)
