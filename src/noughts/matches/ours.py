"""Our own players: the engine, and textbook UCT as a yardstick."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from noughts.engine import Engine, Estimate, Limit
from noughts.matches.competitor import Answer, AnyGame, AnyPosition

__all__ = ["Ours", "in_one_line"]


class Ours:
    """The engine as a competitor; with `plain` it is textbook UCT at Ultimate.

    `on_info`, if given, hears a few times a second what the engine thinks.
    """

    def __init__(self, name: str, threads: int = 1, *, plain: bool = False) -> None:
        self.name = name
        self.on_info: Callable[[str], None] | None = None
        self._threads = Limit(threads=threads).threads  # refused now, not in the first game
        self._plain = plain
        self._engine = Engine(plain=plain)

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Forget the last game, and compile what the next one needs."""
        self._engine = Engine(seed, plain=self._plain)
        self._engine.load(start)

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


def in_one_line(found: Estimate) -> str:
    """Return an estimate as the protocol says it: ``score 0.61 nodes 900 line ee ea``."""
    best, name = found.best, found.position.move_name
    words = [f"score {best.score:.3f}"]
    if best.value is not None:
        words = [f"value {best.value}"]
        words += [] if best.plies is None else [f"plies {best.plies}"]
    words.append(f"nodes {found.nodes}")
    return " ".join([*words, "line", *map(name, found.line)])
