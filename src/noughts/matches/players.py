"""Our own players: the engine, textbook UCT as a yardstick, and the levels made for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from noughts.engine import CONTEMPT, Engine, Estimate, Limit, MoveEstimate
from noughts.engine.levels import GRID_LEVELS, ULTIMATE_LEVELS, choose_move, levels_of
from noughts.errors import NotationError
from noughts.matches.player import Answer, AnyGame, AnyPosition
from noughts.solving.values import MoveValue

__all__ = ["LEVELS", "EnginePlayer", "LevelPlayer", "RandomPlayer", "in_one_line"]

LEVELS = tuple(dict.fromkeys([*ULTIMATE_LEVELS, *GRID_LEVELS]))
"""The names of all levels; not every game has each of them."""


class RandomPlayer:
    """Plays any legal move: the least that a player can be."""

    def __init__(self, name: str = "random") -> None:
        self.name = name
        self._rng = Random()

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Start over with the luck of this seed."""
        self._rng = Random(seed)

    def choose(self, game: AnyGame, limit: Limit, patience: float) -> Answer:
        """Return any legal move."""
        return Answer(self._rng.choice(game.position.legal_moves))

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


class EnginePlayer:
    """The engine as a player; with `plain` it is textbook UCT at Ultimate.

    `on_info`, if given, hears a few times a second what the engine thinks.
    """

    def __init__(self, name: str, threads: int = 1, *, plain: bool = False) -> None:
        self.name = name
        self.on_info: Callable[[str], None] | None = None
        self._threads = Limit(threads=threads).threads  # refused now, not in the first game
        self._plain = plain
        self._engine = self._new_engine(0)

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Forget the last game, and compile what the next one needs."""
        self._engine = self._new_engine(seed)
        self._engine.load(start)

    def _new_engine(self, seed: int) -> Engine:
        return Engine(seed, plain=self._plain, contempt=0.0 if self._plain else CONTEMPT)

    def choose(self, game: AnyGame, limit: Limit, patience: float) -> Answer:
        """Return the engine's move, and what it thinks of it."""
        hear = self.on_info

        def progress(found: Estimate) -> None:
            if hear is not None:
                hear(in_one_line(found))

        limit = replace(limit, threads=self._threads)
        found = self._engine.analyse(game.position, limit, progress if hear else None)
        return Answer(found.best.move, in_one_line(found))

    def cancel(self) -> None:
        """Make a running `choose` return soon, with what it has."""
        self._engine.cancel()

    def close(self) -> None:
        """Let go of the tree."""
        self._engine.forget()


class LevelPlayer(EnginePlayer):
    """One of the levels that people play against; `noughts.engine.levels` describes them."""

    def __init__(self, name: str, level: str, threads: int = 1) -> None:
        super().__init__(name, threads)
        self._level = level
        self._rng = Random()

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Forget the last game, and load what the next one needs by a first short thought."""
        if self._level not in levels_of(start):
            known = ", ".join(levels_of(start))
            raise NotationError(f"{start.game} has no level {self._level!r}: {known}")
        self._engine = self._new_engine(seed)
        choose_move(start, self._level, Limit(nodes=1), Random(), self._engine)
        self._engine.forget()
        self._rng = Random(seed)

    def choose(self, game: AnyGame, limit: Limit, patience: float) -> Answer:
        """Return the level's move, and what is known about it."""
        limit = replace(limit, threads=self._threads)
        choice = choose_move(game.position, self._level, limit, self._rng, self._engine)
        return Answer(choice.move, "" if choice.known is None else _worth(choice.known))


def in_one_line(found: Estimate) -> str:
    """Return an estimate as the protocol says it: ``score 0.61 nodes 900 line ee ea``."""
    line = map(found.position.move_name, found.line)
    return " ".join([_worth(found.best), f"nodes {found.nodes}", "line", *line])


def _worth(known: MoveEstimate | MoveValue) -> str:
    """Return what a move is worth as the protocol says it; nothing if that is not known."""
    if known.value is not None:
        return f"value {known.value}" + ("" if known.plies is None else f" plies {known.plies}")
    return f"score {known.score:.3f}" if isinstance(known, MoveEstimate) else ""
