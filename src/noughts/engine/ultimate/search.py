"""The search for one position after another: exact at the end of the game, estimates before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event

from noughts.engine.estimate import Estimate, MoveEstimate
from noughts.engine.limit import Limit
from noughts.engine.ultimate.board import DRAWN, GOES_ON, LOST, WON, count_empty, play, state_of
from noughts.engine.ultimate.deepening import Deepening
from noughts.engine.ultimate.endgame import Endgame
from noughts.engine.ultimate.network import Network, load_network
from noughts.engine.ultimate.uct import Uct
from noughts.engine.watch import Watch
from noughts.rules.ultimate import UltimatePosition, Variant
from noughts.solving.values import Value

__all__ = ["UltimateSearch"]

MEMORY = 1 << 30
_NO_LIMIT = 1 << 62
_ENDGAME, _ENDGAME_SHARE = 24, 0.5  # empty cells that may be solved; of the time that may take


class UltimateSearch:
    """Thinks about positions of Ultimate; a position that follows from the last one goes on
    with what is known of it.

    The network knows the standard rules only; variants, and `plain` searches, which serve as a
    yardstick, judge by playouts.
    """  # noqa: D205

    def __init__(
        self,
        seed: int = 0,
        *,
        plain: bool = False,
        network: Network | None = None,
        memory: int = MEMORY,
    ) -> None:
        self._seed = seed
        self._plain = plain
        self._network = network
        self._room = memory
        self._endgame = Endgame()
        self._deepening: Deepening | None = None
        self._uct: Uct | None = None
        self._is_loaded = False

    def analyse(
        self,
        position: UltimatePosition,
        limit: Limit,
        stop: Event,
        progress: Callable[[Estimate], None] | None = None,
    ) -> Estimate:
        """Think about an unfinished game until the limit is reached or `stop` is set."""
        self.load_kernels(position)
        watch = Watch(limit, stop)
        if not self._plain:
            solved = self._solve(position, watch)
            if solved is not None:
                return solved
        return self._thinker(position).think(position, watch, progress)

    def load_kernels(self, position: UltimatePosition) -> None:
        """Load or compile the search, so that a clock that starts now does not count it."""
        self._thinker(position)
        if self._is_loaded:
            return
        self._is_loaded = True
        count_empty(state_of(position))
        self._endgame.allow(1)
        list(self._solved_moves(UltimatePosition.start()))

    def forget(self) -> None:
        """Start anew: the next position has nothing to do with the last one."""
        self._deepening = self._uct = None

    def _thinker(self, position: UltimatePosition) -> Deepening | Uct:
        if self._plain or position.variant is not Variant.STANDARD:
            if self._uct is None:
                self._uct = Uct(self._seed, self._room)
                self._uct.load_kernels()
            return self._uct
        if self._deepening is None:
            network = self._network or load_network()
            self._deepening = Deepening(network, self._seed, self._room)
            self._deepening.load_kernels()
        return self._deepening

    # -- the end of the game -------------------------------------------------------------

    def _solve(self, position: UltimatePosition, watch: Watch) -> Estimate | None:
        """Solve every move if few cells are left and the time is enough."""
        state = state_of(position)
        if count_empty(state) > _ENDGAME:
            return None
        endgame = self._endgame
        endgame.allow(_NO_LIMIT if watch.limit.nodes is None else watch.limit.nodes)
        found: list[MoveEstimate] = []

        def solve() -> None:
            found.extend(self._solved_moves(position))

        endgame.stop(False)
        watch.over([solve], endgame.stop, share=_ENDGAME_SHARE)
        if len(found) < position.move_count:
            return None
        found.sort(key=_solved_order)
        nodes = endgame.nodes
        endgame.stop(False)
        endgame.allow(_NO_LIMIT)
        line = self._solved_line(position, found[0].move)
        return Estimate(position, tuple(found), line, nodes, watch.seconds, "positions")

    def _solved_moves(self, position: UltimatePosition) -> Iterator[MoveEstimate]:
        """Yield the value of every move, until the endgame has to give up."""
        for move in position.legal_moves:
            before = self._endgame.nodes
            after = state_of(position)
            result = int(play(after, move))
            if result != GOES_ON:
                value, plies = {WON: (1, 1), LOST: (-1, 1), DRAWN: (0, 0)}[result]
            else:
                solved = self._endgame.solve(after)
                if solved is None:
                    return
                value, plies = -solved[0], solved[1] + 1
            yield MoveEstimate(
                move,
                (value + 1) / 2,
                self._endgame.nodes - before,
                Value.of(value),
                plies if value else None,
            )

    def _solved_line(self, position: UltimatePosition, move: int) -> tuple[int, ...]:
        """Return a line of best play; most of what it asks for is remembered."""
        line = [move]
        position = position.play_unchecked(move)
        while not position.outcome:
            best = self._endgame.best_move(state_of(position))
            line.append(position.legal_moves[0] if best is None else best)
            position = position.play_unchecked(line[-1])
        return tuple(line)


def _solved_order(found: MoveEstimate) -> tuple[int, int]:
    """Sort from best to worst: quick wins, slow wins, draws, slow losses, quick losses."""
    assert found.value is not None
    plies = found.plies or 0
    return -found.value.rank, plies if found.value is Value.WIN else -plies
