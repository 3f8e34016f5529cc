"""The computer at the table, with its level, its time, its luck and a sign that it thinks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from noughts.cli.playing.presenter import Presenter
from noughts.engine import Engine, Limit
from noughts.engine.levels import Choice, Values, choose_move, levels_of, value_moves
from noughts.errors import NotationError, NoughtsError
from noughts.rules.position import GridPosition, Position
from noughts.solving.levels import SOLVER_CELLS
from noughts.solving.limits import Limits

__all__ = ["Computer", "Stuck", "level_named"]

_MEMORY = 1 << 30
_SOLVER_SECONDS, _ENGINE_SECONDS = 5.0, 1.0  # for a move where nothing is said


class Stuck(Exception):
    """The computer cannot answer, for a reason that no other input would change."""

    def __init__(self, error: NoughtsError) -> None:
        super().__init__(str(error))
        self.error = error


def level_named(position: Position, text: str) -> str:
    """Return a level of a game by its name, or its number from 1 on.

    >>> from noughts import start
    >>> level_named(start("ultimate"), "6"), level_named(start("3x3x3"), "Casual")
    ('full', 'casual')
    """
    levels = list(levels_of(position))
    named = {str(number): level for number, level in enumerate(levels, 1)}
    named |= {level: level for level in levels}
    if text.lower() not in named:
        message = f"{text!r} is not 1 to {len(levels)}, nor one of {', '.join(levels)}"
        raise NotationError(message)
    return named[text.lower()]


class Computer:
    """A player of the game that begins with `start`; without a level, of the best one."""

    def __init__(
        self,
        start: Position,
        presenter: Presenter,
        level: str | None = None,
        seconds: float | None = None,
        seed: int | None = None,
    ) -> None:
        self.name = "solver" if isinstance(start, GridPosition) else "engine"
        self.best_level = list(levels_of(start))[-1]
        self.level = level or self.best_level
        self._presenter, self._seconds, self._seed = presenter, seconds, seed
        self._rng = None if seed is None else Random(seed)
        self._engine = Engine(0 if seed is None else Random(seed).getrandbits(32))
        is_solvable = isinstance(start, GridPosition) and start.grid.cells <= SOLVER_CELLS
        seconds = seconds or (_SOLVER_SECONDS if is_solvable else _ENGINE_SECONDS)
        self._limit = Limit(seconds)
        self._solver = Limits(seconds=seconds, memory=_MEMORY, notice=presenter.notice)

    def for_game(self, start: Position, level: str | None) -> Computer:
        """Return the same computer for another game, if possible of the same level."""
        if level is None and self.level in levels_of(start):
            level = self.level
        return Computer(start, self._presenter, level, self._seconds, self._seed)

    def choose(self, position: Position) -> Choice:
        """Return a move."""
        return self._choose(position, self.level, self._rng)

    def hint(self, position: Position) -> Choice:
        """Return the best move that is known, whatever the level."""
        return self._choose(position, self.best_level, None)

    def _choose(self, position: Position, level: str, rng: Random | None) -> Choice:
        with self._thinking():
            return choose_move(position, level, self._limit, rng, self._engine, self._solver)

    def values(self, position: Position) -> Values:
        """Return what is known or thought of every move, from best to worst."""
        with self._thinking():
            return value_moves(position, self._limit, self._engine, self._solver)

    @contextmanager
    def _thinking(self) -> Iterator[None]:
        with self._presenter.thinking():
            try:
                yield
            except NoughtsError as error:
                raise Stuck(error) from error
