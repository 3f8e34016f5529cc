"""The solver: who wins from a position, in how many plies, and by which line.

Two questions settle a position: can the side to move force a line, and can the other side?
Two drivers (`deepening`) work on them at the same time, each on a core of its own: one looks
for wins, the other shows that a side can be held for good. The first to finish stops the
other. Meanwhile the calling thread checks the limits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event, Lock
from typing import Any

from noughts.errors import SizeError, whole_number
from noughts.kernels import compiling_notice
from noughts.limits import GIB, Clock, Limits, limits_of
from noughts.rules.game import Game
from noughts.rules.grid import Grid, grid_named
from noughts.rules.parsing import position_of
from noughts.rules.position import GridPosition
from noughts.solving.checkpoints import SolverCheckpoint, open_checkpoint
from noughts.solving.deepening import DrawDriver, Driver, WinDriver, deepen
from noughts.solving.question import NodeBudget, Question
from noughts.solving.searches import Searches, needs_compiling
from noughts.solving.variation import PrincipalVariation
from noughts.values import Analysis, MoveValue, Solution, best_first

__all__ = ["SearchProgress", "Solver"]

OnMoves = Callable[[list[MoveValue]], None]
OnNotice = Callable[[str], None]

LEAST_MEMORY = 1 << 20
_POLL_SECONDS = 0.02  # between two looks at the clock
_KEEP_SECONDS, _KEEP_MOST = 60.0, 100_000  # between two checkpoints; positions in each


@dataclass(frozen=True)
class SearchProgress:
    """How far a search is: neither side wins within `not_within` plies."""

    not_within: int
    nodes: int
    seconds: float


OnProgress = Callable[[SearchProgress], None]


@dataclass
class _Run:
    """The limits of one call as they run down, and its callbacks."""

    clock: Clock
    budget: NodeBudget
    threads: int
    stop: Event
    on_progress: OnProgress | None = None
    has_turn: bool = False  # whether the searches are this call's to use

    @property
    def is_over(self) -> bool:
        """Whether a limit is reached, or the caller wants an end."""
        return self.clock.is_over or self.budget.is_used_up or self.stop.is_set()

    def part(self, parts: int) -> _Run:
        """Return the limits of one of `parts` equal parts of what is left."""
        return _Run(
            self.clock.within(self.clock.left / parts),
            self.budget.part(parts),
            self.threads,
            self.stop,
        )


class Solver:
    """Solves positions of one grid, and keeps what it found for the next question.

    It takes at most `memory` bytes. Threads may share it: they wait for each other, and each
    call keeps to its own limits, the waiting included.
    """

    def __init__(self, grid: Grid | str, memory: int = 4 * GIB) -> None:
        self.grid = grid_named(grid)
        self.memory = whole_number(memory, "memory", least=LEAST_MEMORY)
        self.searches = Searches(self.grid, self.memory)
        self._lock = Lock()  # the searches share their workspaces between questions
        self._is_loaded = False

    def load(self, on_notice: OnNotice | None = None) -> None:
        """Load the kernels, or compile them; the clock of a question that comes first waits."""
        with self._lock:
            self._load(on_notice)

    def _load(self, on_notice: OnNotice | None) -> bool:
        """Load the kernels; return whether that was still to be done."""
        if self._is_loaded:
            return False
        if on_notice is not None and needs_compiling():
            on_notice(compiling_notice())
        self.searches.load_kernels()  # in this thread, where Ctrl-C ends a compiler
        self._is_loaded = True
        return True

    def solve(
        self,
        where: GridPosition | Game[Any] | str,
        limits: Limits | None = None,
        *,
        distance: bool = True,
        checkpoint: Path | str | None = None,
        with_line: bool = True,
        on_progress: OnProgress | None = None,
        on_notice: OnNotice | None = None,
        stop: Event | None = None,
    ) -> Solution:
        """Return what can be found out about a position within the limits.

        Without `distance`, a proved win is enough, however long it takes. `checkpoint` is a file
        from which an interrupted call goes on. Setting `stop` in another thread ends the call at
        once, with what is known by then; so does an exception of `on_progress`, which it passes
        on. The solver's own memory counts, not that of the limits; ``threads=1`` lets its two
        searches take turns.
        """
        position = self._position_of(where)
        question = Question(position, distance=distance)
        begin = time.monotonic()
        with self._turn(limits_of(limits), on_notice, stop or Event()) as run:
            if position.outcome is None and run.has_turn:
                run.on_progress = on_progress
                return self._solve(question, run, begin, checkpoint, with_line=with_line)
        solution = (
            Solution.finished(position)
            if position.outcome
            else Solution(position, *question.bounds)
        )
        if checkpoint is not None:
            open_checkpoint(checkpoint, position)
        return solution

    def analyse(
        self,
        where: GridPosition | Game[Any] | str,
        limits: Limits | None = None,
        on_moves: OnMoves | None = None,
        *,
        on_notice: OnNotice | None = None,
        stop: Event | None = None,
    ) -> Analysis:
        """Return what can be found out about every legal move; the limits are for all of them.

        `on_moves` is called after each move with what is known so far.
        """
        position = self._position_of(where)
        if position.outcome is not None:
            return Analysis.finished(position)
        begin = time.monotonic()
        with self._turn(limits_of(limits), on_notice, stop or Event()) as run:
            return self._analyse(position, run, begin, on_moves)

    def _position_of(self, where: GridPosition | Game[Any] | str) -> GridPosition:
        position = position_of(where)
        if not isinstance(position, GridPosition) or position.grid != self.grid:
            raise SizeError(f"this solver is for {self.grid}, not {position.game}")
        return position

    @contextmanager
    def _turn(self, limits: Limits, on_notice: OnNotice | None, stop: Event) -> Iterator[_Run]:
        """Wait until no other thread uses the searches, and start the clock."""
        clock = Clock(limits.seconds)
        budget = NodeBudget(limits.nodes)
        run = _Run(clock, budget, limits.threads or 2, stop)
        while not self._lock.acquire(timeout=min(_POLL_SECONDS, clock.left)):
            if run.is_over:
                yield run
                return
        try:
            if self._load(on_notice):
                run.clock = Clock(limits.seconds)
            run.has_turn = True
            yield run
        finally:
            self._lock.release()

    # -- one position --------------------------------------------------------------------

    def _solve(
        self,
        question: Question,
        run: _Run,
        begin: float,
        checkpoint: Path | str | None = None,
        *,
        with_line: bool,
    ) -> Solution:
        if question.position.outcome is not None:
            return Solution.finished(question.position)
        file = None
        if checkpoint is not None:
            file = SolverCheckpoint(checkpoint, question.position, self.searches)
        try:
            self._search(question, run, file)
        finally:
            if file is not None:
                file.save(run.budget.visited, _KEEP_MOST)
        best = question.best_move
        line = self._line(question, run) if with_line else ()
        return Solution(
            question.position,
            *question.bounds,
            question.plies,
            line[:1] or (() if best is None else (best,)),
            line,
            run.budget.visited + (file.earlier_nodes if file else 0),
            time.monotonic() - begin,
        )

    def _search(self, question: Question, run: _Run, file: SolverCheckpoint | None) -> None:
        """Let both drivers work until the question is answered or the limits are reached."""
        begin = saved = time.monotonic()

        def look() -> bool:
            nonlocal saved
            now = time.monotonic()
            if run.on_progress is not None:
                nodes = run.budget.visited + (file.earlier_nodes if file else 0)
                run.on_progress(SearchProgress(question.not_within, nodes, now - begin))
            if file is not None and now - saved > _KEEP_SECONDS:
                file.save(run.budget.visited, _KEEP_MOST)
                saved = now
            return question.is_answered or run.is_over

        if question.is_answered or run.is_over:
            return
        of_wins: Driver = WinDriver(self.searches, question, run.budget)
        of_draws: Driver = DrawDriver(self.searches, question, run.budget)
        groups = [[of_wins, of_draws]] if run.threads == 1 else [[of_wins], [of_draws]]
        self._watch([partial(deepen, group) for group in groups], look, run.clock)

    def _line(self, question: Question, run: _Run) -> tuple[int, ...]:
        """Return the principal variation, as far as it is found within the limits."""
        variation = PrincipalVariation(self.searches, question, run.budget)
        if question.is_proved and not run.is_over:
            self._watch([variation.find], lambda: run.is_over, run.clock)
        return tuple(variation.line)

    def _watch(
        self,
        jobs: list[Callable[[], None]],
        is_over: Callable[[], bool],
        clock: Clock | None = None,
    ) -> None:
        """Run jobs in threads until all are done, or `is_over` or Ctrl-C ends them."""
        clock = clock or Clock(None)
        try:
            with ThreadPoolExecutor(len(jobs)) as pool:
                try:
                    running = {pool.submit(job) for job in jobs}
                    while running:
                        timeout = min(_POLL_SECONDS, clock.left)
                        done, running = wait(running, timeout, "FIRST_COMPLETED")
                        for job in done:
                            job.result()
                        if is_over():
                            break
                finally:
                    self.searches.stop()
        finally:
            self.searches.stop(False)

    # -- every move ----------------------------------------------------------------------

    def _analyse(
        self, position: GridPosition, run: _Run, begin: float, on_moves: OnMoves | None
    ) -> Analysis:
        # Moves that are symmetric images of each other lead to the same position.
        after = {move: position.play_unchecked(move).canonical() for move in position.legal_moves}
        known: dict[GridPosition, Solution] = {}
        todo = dict.fromkeys(after.values())
        for number, child in enumerate(todo):
            part = run.part(len(todo) - number)
            known[child] = self._solve(Question(child), part, begin, with_line=False)
            run.budget.add(part.budget)
            if on_moves is not None:
                on_moves(_values(after, known))
        at_least, at_most = Question(position).bounds
        moves = best_first(_values(after, known))
        found = Analysis(position, moves, at_least=at_least, at_most=at_most)
        line: tuple[int, ...] = ()
        if found.is_proved and found.best.is_proved:
            best = found.best.move
            next_position = position.play_unchecked(best)
            rest = Question.answered(replace(known[after[best]], position=next_position))
            line = (best, *self._line(rest, run))
        seconds = time.monotonic() - begin
        return replace(found, line=line, nodes=run.budget.visited, seconds=seconds)


def _values(after: dict[int, GridPosition], known: dict[GridPosition, Solution]) -> list[MoveValue]:
    """Return the values of the moves that lead to known positions."""
    return [MoveValue.after(move, known[child]) for move, child in after.items() if child in known]
