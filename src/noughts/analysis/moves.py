"""What every move of a position is worth: proofs first, the engine's estimates otherwise.

At Ultimate, and on grids too large for the solver, the engine is asked. On other grids the
engine has a short look, so that there is something to say about every move; then the solver
proves what it can with part of the time; and the rest is the engine's, if anything is left open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, Unpack

from noughts import solving
from noughts.engine.engine import Engine
from noughts.errors import IllegalMove, LimitExceeded, MissingExtra
from noughts.limits import Clock, LimitParts, Limits, limits_of
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.rules.parsing import position_of
from noughts.rules.position import GridPosition, Position
from noughts.solving.immediate import solve_immediate
from noughts.values import Analysis, MoveValue, best_first

__all__ = ["analyse"]

_LOOK, _PROOFS = 0.1, 0.5  # shares of the time for a first look, and for proofs
_LEAST_SECONDS = 0.005
_MAX_CELLS = 1024  # of a board whose every move is analysed


def analyse(
    where: Position | Game[Any] | str,
    limits: Limits | None = None,
    on_progress: Callable[[Analysis], None] | None = None,
    *,
    engine: Engine | None = None,
    stop: Event | None = None,
    on_notice: Callable[[str], None] | None = None,
    **parts: Unpack[LimitParts],
) -> Analysis:
    """Say what every legal move is worth: what can be proved within the limits, and the rest.

    `where` is a position or its text. The limits may be given one by one, like ``seconds=5``;
    without any it is a second. `on_progress` gets, a few times a second, what is known so far.
    Setting `stop` ends the analysis, with what is known by then. An engine that is handed in
    keeps what it learnt for the next question.

    >>> found = analyse("X../.O./..X")
    >>> print(found, found.labels)
    a draw, proved {1: 'D', 3: 'D', 5: 'D', 7: 'D', 2: 'L4', 6: 'L4'}
    """
    position = position_of(where)
    limits = limits_of(limits, **parts)
    if isinstance(position, GridPosition) and position.grid.cells > _MAX_CELLS:
        raise LimitExceeded(
            f"boards of more than {_MAX_CELLS} cells are too large to be analysed: "
            f"{position.grid} has {position.grid.cells}"
        )
    if position.outcome is not None:
        raise IllegalMove(f"the game is over: {position.outcome}")
    if limits.seconds is None and limits.nodes is None:
        limits = replace(limits, seconds=1.0)
    engine = engine or Engine()
    if not isinstance(position, GridPosition):
        return engine.analyse(position, limits, on_progress, stop)
    try:
        steps = _GridAnalysis(position, limits, on_progress, on_notice, engine, stop or Event())
        return steps.run()
    except MissingExtra as error:
        return _by_threats(position, str(error))


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
    stop: Event

    def __post_init__(self) -> None:
        self.clock = Clock(self.limits.seconds)
        self.estimates = Analysis(self.position, ())
        self.proofs: dict[int, MoveValue] = {}
        self.proved = Analysis(self.position, ())
        self.nodes = 0

    def run(self) -> Analysis:
        """Look, prove, and think about the rest."""
        grid = self.position.grid
        if not solving.is_instant(grid):
            self._estimate(_LOOK if grid.cells <= solving.MAX_CELLS else 1.0)
        if grid.cells <= solving.MAX_CELLS:
            self.proved = solving.analyse(
                self.position,
                self._share(_PROOFS),
                self._take_proofs,
                on_notice=self.on_notice,
                stop=self.stop,
            )
            self.proofs |= {each.move: each for each in self.proved.moves if each.is_proved}
            self.nodes += self.proved.nodes
            if len(self.proofs) < self.position.move_count:
                self._estimate(1.0)
        return self._found()

    def _estimate(self, share: float) -> None:
        """Let the engine search within a share of the limits."""
        self.estimates = self.engine.analyse(
            self.position, self._share(share), self._take_estimates, self.stop
        )
        self.nodes += self.estimates.nodes

    def _share(self, share: float) -> Limits:
        """Return a share of the limits, as far as they are left; never quite nothing."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        if seconds is not None:
            seconds = max(min(share * seconds, self.clock.left), _LEAST_SECONDS)
        if nodes is not None:
            nodes = max(min(int(share * nodes), nodes - self.nodes), 1)
        return replace(self.limits, seconds=seconds, nodes=nodes)

    def _take_estimates(self, found: Analysis) -> None:
        self.estimates = found
        self._report()

    def _take_proofs(self, known: Iterable[MoveValue]) -> None:
        self.proofs |= {each.move: each for each in known if each.is_proved}
        self._report()

    def _report(self) -> None:
        if self.on_progress is not None:
            self.on_progress(self._found())

    def _found(self) -> Analysis:
        """Put together what the solver and the engine say; a proof counts before an estimate."""
        estimates = {each.move: each for each in self.estimates.moves}
        moves = best_first(
            _joined(estimates.get(move), self.proofs.get(move))
            for move in dict.fromkeys([*estimates, *self.proofs])
        )
        best, plies = moves[0].move, moves[0].plies
        lines = (
            line
            for line in (self.proved.line, self.estimates.line)
            if line[:1] == (best,) and (plies is None or len(line) <= plies)
        )
        return Analysis(
            self.position,
            moves,
            next(lines, (best,)),
            nodes=self.nodes,
            seconds=self.clock.elapsed,
            note="" if all(each.is_proved for each in moves) else _why_open(self.position.grid),
        )


def _why_open(grid: Grid) -> str:
    """Say why not everything on a grid is proved."""
    if grid.cells > solving.MAX_CELLS:
        return f"boards of more than {solving.MAX_CELLS} cells are too large to be solved"
    return "the time was not enough for a proof"


def _joined(estimate: MoveValue | None, proof: MoveValue | None) -> MoveValue:
    """Return what is known of a move: its proof if there is one."""
    if estimate is None or proof is None:
        found = estimate or proof
        assert found is not None
        return found
    plies = proof.plies
    if plies is None and estimate.value is proof.value:
        plies = estimate.plies  # a win may be proved before it is known how long it takes
    return replace(proof, visits=estimate.visits, plies=plies)
