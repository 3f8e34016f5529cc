"""What is behind every move of a position: what is proved of it, and exactly how many games.

Nothing here is estimated. What the limits leave open is left open: a move may have bounds instead
of a value, and no count. The solver works first, for a part of the time, then games are counted
move by move, and the rest is the solver's again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, Unpack

from noughts import solving
from noughts.analysis.moves import require_moves
from noughts.counting.dispatch import count
from noughts.counting.line_free import NeedsCompiled
from noughts.counting.results import GameCounts
from noughts.errors import CountMismatch, LimitExceeded, MissingExtra
from noughts.limits import Clock, LimitParts, Limits, limits_of
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.rules.parsing import position_of
from noughts.rules.position import GridPosition
from noughts.solving.immediate import solve_immediate
from noughts.values import Analysis, MoveValue, Value, best_first

__all__ = ["Exploration", "ExploredMove", "explore"]

_SECONDS = 10.0  # without limits
_SOLVER_FIRST = 0.3  # the solver's share of the limits before games are counted
_COUNTS_UNTIL = 0.8  # the share of the time when it gets its next turn
_SOLVER_MEMORY = 3  # it takes this part of the memory, counts the rest


@dataclass(frozen=True)
class ExploredMove:
    """A legal move: what is proved of it, and the games that go on from it.

    `alike` are the moves that lead to the same position up to symmetry, this one included.
    `games` is None if they were not counted.
    """

    proof: MoveValue
    alike: tuple[int, ...]
    games: GameCounts | None = None

    @property
    def move(self) -> int:
        """The move's number."""
        return self.proof.move


@dataclass(frozen=True)
class Exploration:
    """All legal moves of a position, best first, and the games that go on from it.

    `games` is None if they were not counted. `notes` say in sentences why something is open.
    """

    analysis: Analysis
    moves: tuple[ExploredMove, ...]
    games: GameCounts | None = None
    notes: tuple[str, ...] = ()

    @property
    def position(self) -> GridPosition:
        """The position that was explored."""
        position = self.analysis.position
        assert isinstance(position, GridPosition)
        return position

    @property
    def is_proved(self) -> bool:
        """Whether every move has a value and, for a win or a loss, its length."""
        return all(each.proof.is_settled for each in self.moves)

    @property
    def is_counted(self) -> bool:
        """Whether the games behind every move are counted."""
        return all(each.games is not None for each in self.moves)

    def __str__(self) -> str:
        """Say what is proved of the position."""
        if self.is_proved:
            return str(self.analysis)
        solution = self.analysis.solution
        is_open = solution.bounds == (Value.LOSS, Value.WIN)
        return "not proved" if is_open else str(solution)

    def to_json(self) -> dict[str, object]:
        """Return the exploration as plain data for JSON; counts are decimal strings."""
        position, solution = self.position, self.analysis.solution
        name = position.move_name
        return {
            "position": position.text,
            "turn": position.turn.value,
            **solution.proved_json(),
            "best": [name(move) for move in solution.best],
            "line": [name(move) for move in solution.line],
            "games": self.games and self.games.to_json(),
            "moves": {
                name(each.move): {
                    **each.proof.proved_json(),
                    "alike": [name(move) for move in each.alike],
                    "games": each.games and each.games.to_json(),
                }
                for each in self.moves
            },
            "notes": list(self.notes),
            "text": str(self),
        }


def explore(
    where: GridPosition | Game[Any] | Grid | str,
    limits: Limits | None = None,
    on_progress: Callable[[Exploration], None] | None = None,
    *,
    stop: Event | None = None,
    on_notice: Callable[[str], None] | None = None,
    **parts: Unpack[LimitParts],
) -> Exploration:
    """Return every legal move with its proved value and the exact number of games behind it.

    The limits may be given one by one, like ``seconds=5``; without any it is ten seconds. What
    they leave open stays open, and `Exploration.notes` say so. `on_progress` gets what is known
    so far after each step. Setting `stop` ends it, with what is known by then.

    >>> found = explore("3x3x3 b2 a2")
    >>> print(found, found.games.total)
    X wins in 5 moves (3 of X, 2 of O), proved 3270
    >>> for line in sorted({f"{m.alike} {m.games.total} {m.proof}" for m in found.moves}):
    ...     print(line)
    (0, 6) 473 win in 5
    (1, 7) 449 win in 5
    (2, 8) 417 win in 5
    (5,) 592 draw
    """
    position = position_of(where)
    if not isinstance(position, GridPosition):
        raise LimitExceeded(f"only grids can be explored: {position.game} has too many games")
    require_moves(position)
    limits = limits_of(limits, **parts)
    if limits.seconds is None and limits.nodes is None:
        limits = replace(limits, seconds=_SECONDS)
    return _Explorer(position, limits, on_progress, on_notice, stop or Event()).run()


class _OutOfTime(Exception):
    """A count was given up."""


class _Explorer:
    """A position under exploration, with all that is known so far."""

    def __init__(
        self,
        position: GridPosition,
        limits: Limits,
        on_progress: Callable[[Exploration], None] | None,
        on_notice: Callable[[str], None] | None,
        stop: Event,
    ) -> None:
        self.position = position
        self.limits = limits
        self.on_progress = on_progress
        self.on_notice = on_notice
        self.stop = stop
        self.after = {move: position.play_unchecked(move) for move in position.legal_moves}
        self.images = {move: child.canonical() for move, child in self.after.items()}
        self.proofs = {move: MoveValue(move) for move in self.after}
        self.line: tuple[int, ...] = ()
        self.nodes = 0
        self.games: GameCounts | None = None
        self.counts: dict[GridPosition, GameCounts] = {}
        self.unproved = self.uncounted = ""
        self.is_too_large = False  # to be counted
        self.is_solvable = position.grid.cells <= solving.MAX_CELLS
        if self.is_solvable:
            self._load()
        self.clock = Clock(limits.seconds)

    def run(self) -> Exploration:
        """Prove, count, and prove and count again what is left."""
        is_instant = solving.is_instant(self.position.grid)
        self._prove_at_sight()
        self._solve(1.0 if is_instant else _SOLVER_FIRST)
        is_open = self.is_solvable and not self._found().is_proved
        self._count(_COUNTS_UNTIL if is_open else 1.0)
        if is_open:
            self._solve(1.0)
            self._count(1.0)
        return self._found()

    # -- values --------------------------------------------------------------------------

    def _load(self) -> None:
        """Load or compile the kernels, before the clock starts."""
        grid = self.position.grid
        if solving.is_instant(grid):
            return
        try:
            solving.solver_for(grid, self._solver_memory).load(self.on_notice)
        except MissingExtra as error:
            self.is_solvable, self.unproved = False, str(error)

    @property
    def _solver_memory(self) -> int:
        return max(self.limits.memory // _SOLVER_MEMORY, 1 << 20)

    def _prove_at_sight(self) -> None:
        """Take what the next plies decide, on a board of any size."""
        solutions = {move: solve_immediate(child) for move, child in self.after.items()}
        self._take(MoveValue.after(move, solution) for move, solution in solutions.items())

    def _solve(self, share: float) -> None:
        """Let the solver work on every move, for a share of what is left of the limits."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        if seconds is not None:
            seconds = share * self.clock.left
        if nodes is not None:
            nodes = int(share * (nodes - self.nodes))
        if not self.is_solvable or self.stop.is_set() or seconds == 0 or nodes == 0:
            return
        limits = replace(self.limits, seconds=seconds, nodes=nodes, memory=self._solver_memory)
        found = solving.analyse(
            self.position, limits, self._take, on_notice=self.on_notice, stop=self.stop
        )
        self.nodes += found.nodes
        self.line = max(self.line, found.line, key=len)
        self._take(found.moves)

    def _take(self, found: Iterable[MoveValue]) -> None:
        for each in found:
            before = self.proofs[each.move]
            if not before.is_proved or (each.is_proved and each.plies is not None):
                self.proofs[each.move] = replace(
                    each,
                    at_least=max(before.at_least, each.at_least, key=lambda value: value.rank),
                    at_most=min(before.at_most, each.at_most, key=lambda value: value.rank),
                )
        self._report()

    # -- counts --------------------------------------------------------------------------

    def _count(self, until: float) -> None:
        """Count the games from here, and then those behind each move, for a part of the time."""
        if self.is_too_large:
            return
        seconds = self.limits.seconds
        clock = self.clock
        if seconds is not None:
            clock = clock.within(max(until * seconds - clock.elapsed, 0))
        self.uncounted = ""
        try:
            if self.games is None:
                self.games = self._counted(self.position, clock)
                self._report()
            best = best_first(self.proofs.values())
            for image in dict.fromkeys(self.images[each.move] for each in best):
                if image not in self.counts:
                    self.counts[image] = self._counted(image, clock)
                    self._report()
            self._check()
        except _OutOfTime:
            self.uncounted = "the time was not enough"
        except NeedsCompiled:
            raise
        except LimitExceeded as error:
            self.is_too_large, self.uncounted = True, str(error)

    def _counted(self, position: GridPosition, clock: Clock) -> GameCounts:
        """Return the number of games from a position on, or give up when the time is over."""

        def look(_: float) -> None:
            if clock.is_over or self.stop.is_set():
                raise _OutOfTime

        look(0)
        memory = max(self.limits.memory - self._solver_memory, 1)
        limits = Limits(memory=memory, threads=self.limits.threads)
        return count(position, limits=limits, on_progress=look, on_notice=self.on_notice)

    def _check(self) -> None:
        """Compare the games from here, counted as a whole, with those behind its moves."""
        sums: Counter[str] = Counter()
        for image in self.images.values():
            sums.update(_by_ending(self.counts[image], moves=1))
        if self.games is None or sums != _by_ending(self.games):
            raise CountMismatch(f"the games behind the moves of {self.position.text} do not add up")

    # -- what is known -------------------------------------------------------------------

    def _report(self) -> None:
        if self.on_progress is not None:
            self.on_progress(self._found())

    def _found(self) -> Exploration:
        proofs = best_first(self.proofs.values())
        best = proofs[0]
        line = self.line if self.line[:1] == (best.move,) else ()
        analysis = Analysis(
            self.position, proofs, line, nodes=self.nodes, seconds=self.clock.elapsed
        )
        alike: dict[GridPosition, list[int]] = {}
        for move, image in self.images.items():
            alike.setdefault(image, []).append(move)
        moves = tuple(
            ExploredMove(
                proof,
                tuple(alike[self.images[proof.move]]),
                self.counts.get(self.images[proof.move]),
            )
            for proof in proofs
        )
        return Exploration(analysis, moves, self.games, tuple(self._notes(moves)))

    def _notes(self, moves: tuple[ExploredMove, ...]) -> Iterable[str]:
        open_moves = sum(not each.proof.is_proved for each in moves)
        if open_moves and self.unproved:
            yield f"Not everything is proved: {self.unproved}."
        elif open_moves and not self.is_solvable:
            most = solving.MAX_CELLS
            yield f"Boards of more than {most} cells are too large to be solved."
        elif open_moves:
            yield f"{open_moves} of {len(moves)} moves are not proved: the time was not enough."
        if self.uncounted:
            what = "Games are not counted" if self.games is None else "Not all games are counted"
            yield f"{what}: {self.uncounted}."


def _by_ending(games: GameCounts, moves: int = 0) -> Counter[str]:
    """Return the games by outcome and by length, seen from a number of moves before."""
    lengths = {f"length {length + moves}": number for length, number in games.by_length.items()}
    outcomes = {"X": games.x_wins, "O": games.o_wins, "draw": games.draws}
    return Counter({**outcomes, **lengths})
