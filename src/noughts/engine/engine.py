"""One engine for both games: it runs the search of the position's game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from noughts.errors import IllegalMove, NoughtsError, SizeError, brief, whole_number
from noughts.limits import MOST_SEED, Limits, limits_of
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.rules.parsing import position_of
from noughts.rules.position import GridPosition, Position
from noughts.rules.ultimate import UltimatePosition
from noughts.values import Analysis

if TYPE_CHECKING:
    from noughts.engine.grids import GridSearch
    from noughts.engine.ultimate import UltimateSearch

__all__ = ["CONTEMPT", "Engine"]

CONTEMPT = 0.15
"""The contempt with which games are played; analyses have none."""


class Engine:
    """Searches one position at a time, and keeps what it learnt from move to move.

    With `plain` it is textbook UCT with random playouts at Ultimate: a yardstick, not a player.
    `contempt` is by how much a draw is worth less than a half to it at Ultimate, as in a game
    against a weaker opponent; its estimates are lower by about as much.

    >>> Engine().analyse("3x3x3 a1", Limits(nodes=2000)).best.move
    4
    """

    def __init__(self, seed: int = 0, *, plain: bool = False, contempt: float = 0.0) -> None:
        self._seed = whole_number(seed, "seed", most=MOST_SEED)
        self._plain = plain
        if isinstance(contempt, bool) or not isinstance(contempt, int | float):
            raise SizeError(f"contempt must be a number, not {brief(contempt)}")
        if not -0.5 <= contempt <= 0.5:
            raise SizeError(f"contempt must be from -0.5 to 0.5, not {brief(contempt)}")
        self._contempt = float(contempt)
        self._grids: dict[Grid, GridSearch] = {}
        self._ultimate: UltimateSearch | None = None
        self._stop = Event()
        self._lock = Lock()

    def analyse(
        self,
        where: Position | Game[Any] | str,
        limits: Limits | None = None,
        on_progress: Callable[[Analysis], None] | None = None,
        stop: Event | None = None,
    ) -> Analysis:
        """Say what every legal move is worth, as far as it can be found within the limits.

        Without a limit on time or nodes it thinks for a second. `on_progress` gets, a few times
        a second, what is known so far. Setting `stop` ends the search, as `cancel` does.
        """
        position = position_of(where)
        if position.outcome:
            raise IllegalMove(f"the game is over: {position.outcome}")
        if not self._lock.acquire(blocking=False):
            raise NoughtsError(
                "this engine is searching already; cancel that, or use another engine"
            )
        try:
            self._stop = stop or Event()
            limits = limits_of(limits)
            if limits.seconds is None and limits.nodes is None:
                limits = replace(limits, seconds=1.0)
            search: Any = self._search_for(position)
            estimate: Analysis = search.analyse(position, limits, self._stop, on_progress)
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

    def load(self, where: Position | Game[Any] | str) -> None:
        """Load or compile what a game needs, so that its first clock does not pay for it."""
        self._search_for(position_of(where)).load_kernels()

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
