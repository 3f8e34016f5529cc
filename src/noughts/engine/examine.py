"""What every move of a position is worth: proofs first, the engine's estimates otherwise.

At Ultimate, and on grids too large for the solver, the engine is asked. On other grids the
engine has a short look, so that there is something to say about every move; then the solver
proves what it can with part of the time; and the rest is the engine's, if anything is left open.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from noughts import solving
from noughts.engine.engine import Engine
from noughts.engine.estimate import Estimate, MoveEstimate
from noughts.engine.limit import Limit
from noughts.errors import IllegalMove
from noughts.rules.position import GridPosition, Position, require_game
from noughts.solving import minimax
from noughts.solving.levels import SOLVER_CELLS
from noughts.solving.limits import Limits
from noughts.solving.values import MoveValue, Value

__all__ = ["examine", "proved_move"]

_LOOK, _PROOFS = 0.1, 0.5  # of the time, for a first look and for proofs
_LEAST_SECONDS = 0.005


def examine(
    position: Position,
    limit: Limit | None = None,
    progress: Callable[[Estimate], None] | None = None,
    *,
    engine: Engine | None = None,
    solver: Limits | None = None,
) -> Estimate:
    """Say what every legal move is worth: what can be proved within the limit, and the rest.

    `progress` hears, a few times a second, what is known so far. `solver` is what solving may
    use, but for its time and nodes, which are part of `limit`.

    >>> found = examine(GridPosition.parse("X../.O./..X"))
    >>> print(found, found.labels)
    a draw, proved {1: 'D', 3: 'D', 5: 'D', 7: 'D', 2: 'L4', 6: 'L4'}
    """
    require_game(position)
    if position.outcome is not None:
        raise IllegalMove(f"the game is over: {position.outcome}")
    limit = limit or Limit()
    engine = engine or Engine()
    if not isinstance(position, GridPosition) or position.grid.cells > SOLVER_CELLS:
        return engine.analyse(position, limit, progress)
    return _Examination(position, limit, progress, engine, solver or Limits()).run()


def proved_move(known: MoveValue) -> MoveEstimate:
    """Return a move's proved value as the engine would say it."""
    assert known.value is not None
    return MoveEstimate(known.move, (known.value.rank + 1) / 2, 0, known.value, known.plies)


def best_first(moves: Iterable[MoveEstimate]) -> tuple[MoveEstimate, ...]:
    """Sort moves: quick wins first, then by score, slow losses before quick ones.

    Of equals, what came first stays first; but a proof goes before an estimate.
    """

    def order(each: MoveEstimate) -> tuple[float, ...]:
        if each.value is Value.WIN:
            return (0, each.plies or math.inf)
        if each.value is Value.LOSS:
            return (2, -(each.plies or 0))
        return (1, -each.score, not each.is_proved)

    return tuple(sorted(moves, key=order))


@dataclass
class _Examination:
    """One position of a grid being examined, with all that is known of it so far."""

    position: GridPosition
    limit: Limit
    progress: Callable[[Estimate], None] | None
    engine: Engine
    solver: Limits

    def __post_init__(self) -> None:
        self.begin = time.monotonic()
        self.estimate = Estimate(self.position, (), ())
        self.proofs: dict[int, MoveEstimate] = {}
        self.line: tuple[int, ...] = ()
        self.solver_nodes = 0

    def run(self) -> Estimate:
        """Look, prove, and think about the rest."""
        if self.position.grid.cells > minimax.MAX_CELLS:  # smaller ones are known at once
            self._think(_LOOK)
        limits = replace(
            self.solver, seconds=self._seconds(_PROOFS), nodes=self.limit.nodes, checkpoint=None
        )
        analysis = solving.analyse(self.position, limits, self._hear_proofs)
        self._take_down(analysis.moves)
        self.line = analysis.solution.line
        self.solver_nodes = analysis.solution.nodes
        if len(self.proofs) < self.position.move_count:
            self._think(1.0)
        return self._found()

    def _think(self, share: float) -> None:
        """Let the engine think for a share of the whole time, as far as it is left."""
        nodes = self.limit.nodes and max(int(self.limit.nodes * share), 1)
        limit = Limit(self._seconds(share), nodes, self.limit.threads)
        self.estimate = self.engine.analyse(self.position, limit, self._hear_engine)

    def _seconds(self, share: float) -> float | None:
        if self.limit.seconds is None:
            return None
        left = self.limit.seconds - (time.monotonic() - self.begin)
        return max(min(share * self.limit.seconds, left), _LEAST_SECONDS)

    def _hear_engine(self, estimate: Estimate) -> None:
        self.estimate = estimate
        self._tell()

    def _hear_proofs(self, known: Iterable[MoveValue]) -> None:
        self._take_down(known)
        self._tell()

    def _take_down(self, known: Iterable[MoveValue]) -> None:
        self.proofs |= {each.move: proved_move(each) for each in known if each.value}

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self._found())

    def _found(self) -> Estimate:
        """Put together what the solver and the engine say; the solver's word counts."""
        thought = {each.move: each for each in self.estimate.moves}
        moves = best_first(
            _joined(thought.get(move), self.proofs.get(move))
            for move in dict.fromkeys([*thought, *self.proofs])
        )
        lines = (self.line, self.estimate.line)
        best = moves[0].move
        line = next((line for line in lines if line[:1] == (best,)), (best,))
        nodes = self.estimate.nodes + self.solver_nodes
        seconds = time.monotonic() - self.begin
        return Estimate(self.position, moves, line, nodes, seconds, "positions")


def _joined(thought: MoveEstimate | None, proof: MoveEstimate | None) -> MoveEstimate:
    """Return what is known of a move: its proof if there is one."""
    if thought is None or proof is None:
        found = thought or proof
        assert found is not None
        return found
    plies = proof.plies
    if plies is None and thought.value is proof.value:
        plies = thought.plies  # a win may be proved before it is known how long it takes
    return replace(proof, visits=thought.visits, plies=plies)
