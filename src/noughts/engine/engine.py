"""One engine for both games: it asks the search that knows the position's game."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from noughts.engine.estimate import Estimate
from noughts.engine.limit import Limit
from noughts.errors import IllegalMove, NoughtsError
from noughts.rules.grid import Grid
from noughts.rules.position import GridPosition, Position, require_game
from noughts.rules.ultimate import UltimatePosition

if TYPE_CHECKING:
    from noughts.engine.grids import GridSearch
    from noughts.engine.ultimate import UltimateSearch

__all__ = ["CONTEMPT", "Engine", "analyse"]

CONTEMPT = 0.15
"""The contempt with which games are played; analyses have none."""


class Engine:
    """Thinks about positions, one at a time, and keeps what it learnt from move to move.

    With `plain` it is textbook UCT with random playouts at Ultimate: a yardstick, not a player.
    With `contempt` a draw is worth so much less than a half to it at Ultimate, as in a game
    against somebody weaker; estimates are then a little lower than it really thinks.

    >>> from noughts import start
    >>> Engine().analyse(start("3x3x3").play(0), Limit(nodes=2000)).best.move
    4
    """

    def __init__(self, seed: int = 0, *, plain: bool = False, contempt: float = 0.0) -> None:
        self._seed = seed
        self._plain = plain
        self._contempt = contempt
        self._grids: dict[Grid, GridSearch] = {}
        self._ultimate: UltimateSearch | None = None
        self._stop = Event()
        self._lock = Lock()

    def analyse(
        self,
        position: Position,
        limit: Limit | None = None,
        progress: Callable[[Estimate], None] | None = None,
    ) -> Estimate:
        """Say what every legal move is worth, as far as it can be found within the limit.

        `progress` hears, a few times a second, what is known so far.
        """
        require_game(position)
        if position.outcome:
            raise IllegalMove(f"the game is over: {position.outcome}")
        if not self._lock.acquire(blocking=False):
            raise NoughtsError("this engine is thinking already; cancel that, or use another one")
        try:
            self._stop.clear()
            search: Any = self._search_for(position)
            estimate: Estimate = search.analyse(position, limit or Limit(), self._stop, progress)
            return estimate
        finally:
            self._lock.release()

    def cancel(self) -> None:
        """Make a running `analyse` return at once with what it has."""
        self._stop.set()

    def forget(self) -> None:
        """Forget everything, as before a new game."""
        self._grids.clear()
        self._ultimate = None

    def load(self, position: Position) -> None:
        """Get ready to think about a game, so that its first clock does not pay for it."""
        self._search_for(require_game(position)).load_kernels()

    def _search_for(self, position: Position) -> GridSearch | UltimateSearch:
        # Both need numpy; players that never think should not.
        if isinstance(position, UltimatePosition):
            if self._ultimate is None:
                from noughts.engine.ultimate import UltimateSearch

                self._ultimate = UltimateSearch(
                    self._seed, plain=self._plain, contempt=self._contempt
                )
            return self._ultimate
        assert isinstance(position, GridPosition)
        if position.grid not in self._grids:
            from noughts.engine.grids import GridSearch

            self._grids = {position.grid: GridSearch(position.grid, self._seed)}
        return self._grids[position.grid]


def analyse(position: Position, limit: Limit | None = None) -> Estimate:
    """Say what every legal move is worth, with an engine made for this question.

    >>> from noughts import Game
    >>> print(analyse(Game.parse("3x3x3 a1 b1 a2").position, Limit(nodes=2000)))
    X wins in 4 plies, proved
    """
    return Engine().analyse(position, limit)
