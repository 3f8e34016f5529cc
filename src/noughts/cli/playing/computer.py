"""The computer's moves, hints and values, within its time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from noughts import solving
from noughts.analysis import analyse
from noughts.cli.playing.presenter import Presenter
from noughts.engine import Engine
from noughts.errors import LimitExceeded, NoughtsError
from noughts.limits import Limits
from noughts.players import Choice, choose_move, levels_of
from noughts.rules.position import GridPosition, Position
from noughts.values import Analysis

__all__ = ["Computer", "Stuck"]

_MEMORY = 1 << 30
_SOLVER_SECONDS, _ENGINE_SECONDS = 5.0, 1.0  # for a move where no time is given


class Stuck(Exception):
    """The computer cannot answer, for a reason that no other input would change."""

    def __init__(self, error: NoughtsError) -> None:
        super().__init__(str(error))
        self.error = error


class Computer:
    """The player of a game that begins with `start`; without a level, of the best one."""

    def __init__(
        self,
        start: Position,
        presenter: Presenter,
        level: str | None = None,
        seconds: float | None = None,
        seed: int | None = None,
    ) -> None:
        is_grid = isinstance(start, GridPosition)
        self.name = "solver" if is_grid else "engine"
        self.level = level or list(levels_of(start))[-1]
        self._presenter, self._seconds, self._seed = presenter, seconds, seed
        self._rng = None if seed is None else Random(seed)
        self._engine = Engine(0 if seed is None else Random(seed).getrandbits(32))
        is_solvable = isinstance(start, GridPosition) and start.grid.cells <= solving.MAX_CELLS
        seconds = seconds or (_SOLVER_SECONDS if is_solvable else _ENGINE_SECONDS)
        self._limits = Limits(seconds=seconds, memory=_MEMORY)

    def for_game(self, start: Position, level: str | None) -> Computer:
        """Return the same computer for another game, if possible of the same level."""
        if level is None and self.level in levels_of(start):
            level = self.level
        return Computer(start, self._presenter, level, self._seconds, self._seed)

    def choose(self, position: Position) -> Choice:
        """Return a move."""
        with self._thinking():
            return choose_move(
                position, self.level, self._limits, self._rng, self._engine, self._presenter.notice
            )

    def analyse(self, position: Position) -> Analysis:
        """Return what every move is worth, whatever the level."""
        with self._thinking():
            return analyse(
                position, self._limits, engine=self._engine, on_notice=self._presenter.notice
            )

    @contextmanager
    def _thinking(self) -> Iterator[None]:
        with self._presenter.thinking():
            try:
                yield
            except LimitExceeded:
                raise  # this board is too large for the question; the game goes on
            except NoughtsError as error:
                raise Stuck(error) from error
