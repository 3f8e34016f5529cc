"""The players that come with noughts: the engine, textbook UCT, the levels, random moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from noughts.engine import CONTEMPT, Engine
from noughts.errors import NotationError, brief
from noughts.limits import Limits
from noughts.matches.player import Answer, AnyGame, AnyPosition
from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS, choose_move, level_named
from noughts.values import Analysis, MoveValue

__all__ = ["LEVELS", "EnginePlayer", "LevelPlayer", "RandomPlayer", "in_one_line"]

LEVELS = tuple(dict.fromkeys([*ULTIMATE_LEVELS, *GRID_LEVELS]))
"""The names of all levels; not every game has each of them."""


class RandomPlayer:
    """Plays any legal move."""

    def __init__(self, name: str = "random") -> None:
        self.name = name
        self._rng = Random()

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Start the random choices anew from this seed."""
        self._rng = Random(seed)

    def choose(self, game: AnyGame, limit: Limits, timeout: float) -> Answer:
        """Return any legal move."""
        return Answer(self._rng.choice(game.position.legal_moves))

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class EnginePlayer:
    """The engine as a player; with `plain` it is textbook UCT at Ultimate.

    `on_info`, if set, is called a few times a second with the engine's analysis so far.
    """

    def __init__(self, name: str, threads: int = 1, *, plain: bool = False) -> None:
        self.name = name
        self.on_info: Callable[[str], None] | None = None
        self._threads = Limits(threads=threads).threads  # a bad number is refused here
        self._plain = plain
        self._engine = self._new_engine(0)

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Forget the last game, and compile what the next one needs."""
        self._engine = self._new_engine(seed)
        self._engine.load(start)

    def _new_engine(self, seed: int) -> Engine:
        return Engine(seed, plain=self._plain, contempt=0.0 if self._plain else CONTEMPT)

    def choose(self, game: AnyGame, limit: Limits, timeout: float) -> Answer:
        """Return the engine's move, and its value."""
        on_info = self.on_info

        def progress(found: Analysis) -> None:
            if on_info is not None:
                on_info(in_one_line(found))

        limit = replace(limit, threads=self._threads)
        found = self._engine.analyse(game.position, limit, progress if on_info else None)
        return Answer(found.best.move, in_one_line(found))

    def cancel(self) -> None:
        """Make a running `choose` return soon, with the best move so far."""
        self._engine.cancel()

    def close(self) -> None:
        """Release the search tree."""
        self._engine.forget()


class LevelPlayer(EnginePlayer):
    """One of the levels that people play against."""

    def __init__(self, name: str, level: str, threads: int = 1) -> None:
        super().__init__(name, threads)
        if level not in LEVELS:
            raise NotationError(f"{brief(level)} is not a level: {', '.join(LEVELS)}")
        self._level = level
        self._rng = Random()

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Forget the last game, and load what the next one needs by choosing a first move."""
        level_named(start, self._level)  # refused before the game, not in it
        self._engine = self._new_engine(seed)
        choose_move(start, self._level, Limits(nodes=1), Random(), self._engine)
        self._engine.forget()
        self._rng = Random(seed)

    def choose(self, game: AnyGame, limit: Limits, timeout: float) -> Answer:
        """Return the level's move, and its value if that is known."""
        limit = replace(limit, threads=self._threads)
        choice = choose_move(game.position, self._level, limit, self._rng, self._engine)
        return Answer(choice.move, "" if choice.known is None else _worth(choice.known))


def in_one_line(found: Analysis) -> str:
    """Return an estimate as an ``info`` line has it: ``score 0.61 nodes 900 line ee ea``."""
    line = map(found.position.move_name, found.line)
    return " ".join([_worth(found.best), f"nodes {found.nodes}", "line", *line])


def _worth(known: MoveValue) -> str:
    """Return the value of a move as an ``info`` line has it; nothing if it is unknown."""
    if known.value is not None:
        return f"value {known.value}" + ("" if known.plies is None else f" plies {known.plies}")
    return "" if known.estimate is None else f"score {known.estimate:.3f}"
