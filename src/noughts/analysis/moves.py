"""What every move of a position is worth: proofs first, the engine's estimates otherwise.

At Ultimate, and on grids too large for the solver, the engine searches. On other grids the solver
solves the position, which bounds all moves and gives a best one, and then its moves one by one;
the engine estimates those that are still open. Both have a short first round, so that little is
soon known of every move, and a long second one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING, Any, Unpack

from noughts import solving
from noughts.engine.engine import Engine
from noughts.errors import IllegalMove, LimitExceeded, MissingExtra
from noughts.limits import Clock, LimitParts, Limits, limits_of
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.rules.parsing import position_of
from noughts.rules.position import GridPosition, Position
from noughts.solving.immediate import solve_immediate
from noughts.values import Analysis, MoveValue, Solution, best_first

if TYPE_CHECKING:
    from noughts.solving.solver import Solver

__all__ = ["analyse", "require_moves"]

_ROUNDS = ((0.05, 0.05, 0.1), (0.2, 0.4, 1.0))
"""Shares of the limits: for the solver on the position and on its moves, and for the engine."""
_LEAST_SECONDS = 0.005
_MAX_CELLS = 1024  # of a board whose every move is looked at


def analyse(
    where: Position | Game[Any] | str,
    limits: Limits | None = None,
    on_progress: Callable[[Analysis], None] | None = None,
    *,
    engine: Engine | None = None,
    solver: Solver | None = None,
    stop: Event | None = None,
    on_notice: Callable[[str], None] | None = None,
    **parts: Unpack[LimitParts],
) -> Analysis:
    """Say what every legal move is worth: what can be proved within the limits, and the rest.

    `where` is a position or its text. The limits may be given one by one, like ``seconds=5``;
    without any it is a second. `on_progress` gets, a few times a second, what is known so far.
    Setting `stop` ends the analysis, with what is known by then. An engine and a solver keep what
    they learnt for the next question; without a `solver` it is the one that was used last.

    >>> found = analyse("X../.O./..X")
    >>> print(found, found.labels)
    a draw, proved {1: 'D', 3: 'D', 5: 'D', 7: 'D', 2: 'L4', 6: 'L4'}
    """
    position = position_of(where)
    limits = limits_of(limits, **parts)
    require_moves(position)
    if limits.seconds is None and limits.nodes is None:
        limits = replace(limits, seconds=1.0)
    engine = engine or Engine()
    if not isinstance(position, GridPosition):
        return engine.analyse(position, limits, on_progress, stop)
    try:
        steps = _GridAnalysis(
            position, limits, on_progress, on_notice, engine, solver, stop or Event()
        )
        return steps.run()
    except MissingExtra as error:
        return _by_threats(position, str(error))


def require_moves(position: Position) -> None:
    """Raise if there is no move to look at, or far too many."""
    if isinstance(position, GridPosition) and position.grid.cells > _MAX_CELLS:
        raise LimitExceeded(
            f"boards of more than {_MAX_CELLS:,} cells are too large to be analysed: "
            f"{position.grid} has {position.grid.cells:,}"
        )
    if position.outcome is not None:
        raise IllegalMove(f"the game is over: {position.outcome}")


def _by_threats(position: GridPosition, note: str) -> Analysis:
    """Return what threats decide, which needs neither solver nor engine."""
    moves = (
        MoveValue.after(move, solve_immediate(position.play_unchecked(move)))
        for move in position.legal_moves
    )
    return Analysis(position, best_first(moves), note=note)


@dataclass
class _GridAnalysis:
    """The analysis of a position that the solver can work on, with all that is known so far."""

    position: GridPosition
    limits: Limits
    on_progress: Callable[[Analysis], None] | None
    on_notice: Callable[[str], None] | None
    engine: Engine
    solver: Solver | None
    stop: Event

    def __post_init__(self) -> None:
        self._load()
        self.clock = Clock(self.limits.seconds)
        self.estimates = Analysis(self.position, ())
        self.whole = Solution(self.position)
        self.proofs: dict[int, MoveValue] = {}
        self.lines: list[tuple[int, ...]] = []
        self.nodes = 0

    def run(self) -> Analysis:
        """Run the rounds until every move is settled."""
        grid = self.position.grid
        if grid.cells > solving.MAX_CELLS:
            self._estimate(1.0)
            return self._found()
        if solving.is_instant(grid):
            self._solve_moves(self.limits)
            return self._found()
        for whole_share, moves_share, engine_share in _ROUNDS:
            if not self.whole.is_proved and (limits := self._share(whole_share)):
                self._solve(limits)
            if limits := self._share(moves_share):
                self._solve_moves(limits)
            if all(each.is_settled for each in self._found().moves):
                break
            self._estimate(engine_share)
        return self._found()

    def _solve(self, limits: Limits) -> None:
        """Let the solver solve the position itself."""
        self.whole = solving.solve(
            self.position, limits, on_notice=self.on_notice, stop=self.stop, solver=self.solver
        )
        self.nodes += self.whole.nodes
        self.lines.append(self.whole.line)
        if self.whole.value is not None:
            value, plies = self.whole.value, self.whole.plies
            self._take_proofs(MoveValue.proved(move, value, plies) for move in self.whole.best)

    def _solve_moves(self, limits: Limits) -> None:
        """Let the solver solve the positions that the moves lead to."""
        found = solving.analyse(
            self.position,
            limits,
            self._take_proofs,
            on_notice=self.on_notice,
            stop=self.stop,
            solver=self.solver,
        )
        self.nodes += found.nodes
        self.lines.append(found.line)
        self._take_proofs(found.moves)

    def _load(self) -> None:
        """Load or compile the kernels, before the clock starts."""
        grid = self.position.grid
        if solving.is_instant(grid):
            return
        self.engine.load(self.position)
        if grid.cells <= solving.MAX_CELLS:
            solver = self.solver or solving.solver_for(grid, self.limits.memory)
            solver.load(self.on_notice)

    def _estimate(self, share: float) -> None:
        """Let the engine search within a share of the limits, if there is anything left of them."""
        limits = self._share(share, kept=0)
        if limits is None:
            return
        self.estimates = self.engine.analyse(self.position, limits, self._take_estimates, self.stop)
        self.nodes += self.estimates.nodes

    def _share(self, share: float, kept: int = 1) -> Limits | None:
        """Return a share of the limits, as far as they are left; None if nothing is.

        Before the first estimates something is always left: every move needs one, so `kept` nodes
        are kept for them.
        """
        is_first = not self.estimates.moves
        seconds, nodes = self.limits.seconds, self.limits.nodes
        if seconds is not None:
            if self.clock.is_over and not is_first:
                return None
            seconds = max(min(share * seconds, self.clock.left), _LEAST_SECONDS)
        if nodes is not None:
            nodes = min(max(int(share * nodes), 1), nodes - self.nodes - kept * is_first)
            if nodes < 1:
                return None
        return replace(self.limits, seconds=seconds, nodes=nodes)

    def _take_estimates(self, found: Analysis) -> None:
        self.estimates = found
        self._report()

    def _take_proofs(self, known: Iterable[MoveValue]) -> None:
        for each in known:
            before = self.proofs.get(each.move)
            if before is None or not before.is_proved or each.plies is not None:
                self.proofs[each.move] = each
        self._report()

    def _report(self) -> None:
        if self.on_progress is not None:
            self.on_progress(self._found())

    def _found(self) -> Analysis:
        """Put together what the solver and the engine say; a proof counts before an estimate."""
        estimates = {each.move: each for each in self.estimates.moves}
        # Of equals the first is played, so the move that the solver's line begins with goes first.
        moves = best_first(
            self._joined(move, estimates.get(move))
            for move in dict.fromkeys(
                [*self.whole.best, *estimates, *self.proofs, *self.position.legal_moves]
            )
        )
        best, plies = moves[0].move, moves[0].plies
        lines = (
            line
            for line in (*self.lines, self.estimates.line)
            if line[:1] == (best,) and (plies is None or len(line) <= plies)
        )
        return Analysis(
            self.position,
            moves,
            max(lines, key=len, default=(best,)),
            self.whole.at_least,
            self.whole.at_most,
            nodes=self.nodes,
            seconds=self.clock.elapsed,
            note="" if all(each.is_proved for each in moves) else _why_open(self.position.grid),
        )

    def _joined(self, move: int, estimate: MoveValue | None) -> MoveValue:
        """Return what is known of a move: its proof, or its bounds with the estimate."""
        proof = self.proofs.get(move, MoveValue(move))
        if estimate is not None and estimate.is_proved and not proof.is_proved:
            return estimate
        if proof.at_most.rank > self.whole.at_most.rank:
            proof = replace(proof, at_most=self.whole.at_most)  # no move is better than all moves
        if estimate is None:
            return proof
        plies = proof.plies
        if plies is None and proof.is_proved and estimate.value is proof.value:
            plies = estimate.plies  # a win may be proved before it is known how long it takes
        return replace(proof, visits=estimate.visits, plies=plies, estimate=estimate.estimate)


def _why_open(grid: Grid) -> str:
    """Say why not everything on a grid is proved."""
    if grid.cells > solving.MAX_CELLS:
        return f"boards of more than {solving.MAX_CELLS} cells are too large to be solved"
    return "the time was not enough for a proof"
