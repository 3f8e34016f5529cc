"""`Episode`: the one game that an environment is playing, and what its sides see.

An environment for one game plays on boards of any size. Changing a few cells after a move takes a
microsecond; a call of a kernel, or a new position with all of its planes, would take several.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noughts.rl.shapes import shape_of
from noughts.rules.grid import Grid, cells_of
from noughts.rules.parsing import AnyPosition
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import UltimatePosition

__all__ = ["DRAWN", "Episode", "GridEpisode", "UltimateEpisode", "episode_of"]

Plane = NDArray[np.int8]

DRAWN = 2
"""Instead of the side that has won."""

_OWN, _OTHER, _OWN_BOARDS, _OTHER_BOARDS = range(4)
_LEGAL = -1


class Episode:
    """A game from a starting position on, move by move; sides are 0 for X and 1 for O.

    `seen` are the observations of X and of O as `Batch.observe` explains them, and `mask` are the
    legal actions. They change with the game, so hand out copies. `result` is the side that has
    won, `DRAWN`, or None while the game goes on.

    >>> from noughts import start
    >>> episode = episode_of(start("3x3x3"))
    >>> episode.play(4)
    >>> episode.side, episode.seen[1][1, 1].tolist(), episode.mask.tolist()
    (1, [0, 1, 0], [1, 1, 1, 1, 0, 1, 1, 1, 1])
    """

    result: int | None
    side: int

    def __init__(self, start: AnyPosition) -> None:
        self.start = start
        shape = shape_of(start)
        self.seen: tuple[Plane, Plane] = (np.zeros(shape, np.int8), np.zeros(shape, np.int8))
        self.mask: Plane = np.zeros(start.size, np.int8)
        # Cell by cell, as the side to move sees them and as the other side does.
        self._x, self._o = (each.reshape(-1, shape[2]) for each in self.seen)
        self._show(start)
        self._begin = [each.copy() for each in (*self.seen, self.mask)]

    @property
    def position(self) -> AnyPosition:
        """The position that the game has come to."""
        raise NotImplementedError

    def reset(self) -> None:
        """Begin anew."""
        for each, begin in zip((*self.seen, self.mask), self._begin, strict=True):
            each[:] = begin
        self.side = 0 if self.start.turn is Player.X else 1
        self.result = None
        self.last: int | None = None
        self._place(self.start)

    def play(self, move: int) -> None:
        """Make a move that the caller knows to be legal."""
        raise NotImplementedError

    def stop(self) -> None:
        """End the game without a result: nothing is legal any more."""
        self._show_legal([])

    def _place(self, position: AnyPosition) -> None:
        raise NotImplementedError

    def _show(self, position: AnyPosition) -> None:
        for cells, own, other in (
            (self._x, position.x, position.o),
            (self._o, position.o, position.x),
        ):
            cells[cells_of(own), _OWN] = 1
            cells[cells_of(other), _OTHER] = 1
        self._show_legal(position.legal_moves)

    def _show_legal(self, moves: list[int]) -> None:
        mask = self.mask
        mask[:] = 0
        mask[moves] = 1
        self._x[:, _LEGAL] = mask
        self._o[:, _LEGAL] = mask


class GridEpisode(Episode):
    """A game on a grid: two masks, and the pure rules' search for lines."""

    def __init__(self, start: GridPosition) -> None:
        super().__init__(start)
        self._grid: Grid = start.grid
        self.reset()

    @property
    def position(self) -> GridPosition:
        """The position that the game has come to."""
        x, o = self._marks
        return GridPosition.unchecked(self._grid, x, o)

    def _place(self, position: AnyPosition) -> None:
        self._marks = [position.x, position.o]

    def play(self, move: int) -> None:
        """Make a move that the caller knows to be legal."""
        side = self.side
        own, other = (self._o, self._x) if side else (self._x, self._o)
        own[move, _OWN] = other[move, _OTHER] = 1
        own[move, _LEGAL] = other[move, _LEGAL] = self.mask[move] = 0
        marks = self._marks
        marks[side] = mine = marks[side] | 1 << move
        self.last = move
        self.side = 1 - side
        if self._grid.has_line(mine):
            self.result = side
        elif mine | marks[1 - side] == self._grid.full:
            self.result = DRAWN
        else:
            return
        self._show_legal([])


class UltimateEpisode(Episode):
    """A game of Ultimate: the positions of the pure rules."""

    def __init__(self, start: UltimatePosition) -> None:
        super().__init__(start)
        self.reset()

    @property
    def position(self) -> UltimatePosition:
        """The position that the game has come to."""
        return self._position

    def _place(self, position: AnyPosition) -> None:
        assert isinstance(position, UltimatePosition)
        self._position = position

    def play(self, move: int) -> None:
        """Make a move that the caller knows to be legal."""
        side = self.side
        own, other = (self._o, self._x) if side else (self._x, self._o)
        own[move, _OWN] = other[move, _OTHER] = 1
        before = self._position.captured
        self._position = position = self._position.play_unchecked(move)
        self.last = move
        self.side = 1 - side
        if position.captured != before:
            self._show_boards(position)
        self._show_legal(position.legal_moves)
        if position.outcome is not None:
            winner = position.outcome.winner
            self.result = DRAWN if winner is None else 0 if winner is Player.X else 1

    def _show(self, position: AnyPosition) -> None:
        assert isinstance(position, UltimatePosition)
        super()._show(position)
        self._show_boards(position)

    def _show_boards(self, position: UltimatePosition) -> None:
        """Show who captured which boards."""
        x_boards, o_boards = position.captured
        for seen, own, other in (
            (self.seen[0], x_boards, o_boards),
            (self.seen[1], o_boards, x_boards),
        ):
            seen[cells_of(own), :, _OWN_BOARDS] = 1
            seen[cells_of(other), :, _OTHER_BOARDS] = 1


def episode_of(start: AnyPosition) -> Episode:
    """Return a game from a position on."""
    return GridEpisode(start) if isinstance(start, GridPosition) else UltimateEpisode(start)
