"""Every position of a small grid with its labels, from a table that is solved backwards.

A position is known by its place in the table (`noughts.solving.ranking`), so a stretch of
places is a shard, and a shard is computed without the others. All of it works on arrays.

The games through a position are the paths to it times the games from it. While neither side
has a line, any order of the marks is a game, so x! * o! paths lead to x X's and o O's. A won
board was left by its last move, which stands on all lines of the winner: for each such cell
there are as many paths as to the board without it. The games from a position are added up
backwards, from the full boards on.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import factorial
from threading import Lock

from noughts.kernels import NDArray, np  # isort: skip  - says which extra is missing

from noughts.datasets.columns import Lists, Plain, Rows, Texts, Words
from noughts.rules.grid import Grid, grid_named
from noughts.rules.grid_notation import cell_name
from noughts.rules.player import Verdict
from noughts.solving.numbering import Masks, Numbering
from noughts.solving.ranking import DRAW, NO_GAME, layer_starts, require_small
from noughts.solving.retrograde import solve_backwards
from noughts.values import Value

__all__ = ["CHUNK", "VALUES", "VERDICTS", "SolvedGrid", "board_texts", "solved_grid"]

CHUNK = 1 << 15
"""Boards that are worked on at once: their arrays fit the processor's cache, more or less."""

VERDICTS = tuple(verdict.value for verdict in Verdict)
VALUES = tuple(value.value for value in Value)
_LOSS, _DRAW, _WIN = range(3)
_X_WINS, _O_WINS, _DRAWN, _INVALID = range(2, 6)  # behind the two turns

Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


class SolvedGrid:
    """The positions of a grid of up to 16 cells, by their places in the table."""

    def __init__(self, grid: Grid | str) -> None:
        self.grid = require_small(grid_named(grid))
        self.cells = self.grid.cells
        self.numbering = Numbering(self.cells)
        self.places = layer_starts(self.cells)[-1]
        """The number of places; not every one has a position that games reach."""
        self._bytes: Bytes = np.frombuffer(solve_backwards(self.grid, 1, _ignore), np.uint8)
        self._lock = Lock()
        self._factorials = np.array([factorial(n) for n in range(self.cells + 1)], np.int64)

    # -- which positions -------------------------------------------------------------------

    def verdicts(self, places: Masks) -> NDArray[np.int8]:
        """Return the verdicts of boards, numbered as in `Verdict`."""
        found = self._bytes[places]
        marks = self.marks(places)
        verdicts = np.where(found == 0, np.where(marks & 1, _X_WINS, _O_WINS), marks & 1)
        verdicts[(found == DRAW) & (marks == self.cells)] = _DRAWN
        verdicts[found == NO_GAME] = _INVALID
        return verdicts.astype(np.int8)

    def chosen(
        self, first: int, last: int, verdicts: tuple[str, ...], *, up_to_symmetry: bool
    ) -> Masks:
        """Return the places from `first` up to `last` whose positions have one of the verdicts."""
        places = np.arange(first, last)
        wanted = np.isin(np.arange(6), [VERDICTS.index(verdict) for verdict in verdicts])
        places = places[wanted[self.verdicts(places)]]
        if up_to_symmetry:
            x, o = self.numbering.boards(places)
            places = places[self._orbits(x, o)[0] == self._key(x, o)]
        return places

    def marks(self, places: Masks) -> Masks:
        """Return the number of marks on boards."""
        starts = np.array(layer_starts(self.cells))
        marks: Masks = np.searchsorted(starts, places, side="right") - 1
        return marks

    # -- rows --------------------------------------------------------------------------------

    def states(self, places: Masks) -> Rows:
        """Return a row for each position."""
        x, o = self.numbering.boards(places)
        marks = self.marks(places)
        verdicts = self.verdicts(places)
        found = self._bytes[places]
        after = self._after(x, o, verdicts)
        is_legal = after >= 0
        results = self._bytes[after]
        values, plies = _values_after(results, is_legal)
        paths = self._paths(x, o, verdicts)
        keys, orbit_sizes = self._orbits(x, o)
        codes = self._cells(x, o)
        return {
            "position": self._texts(codes),
            "cells": Lists.equal(Plain(codes.ravel()), self.cells),
            "verdict": Words(verdicts, VERDICTS),
            "marks": Plain(marks.astype(np.int16)),
            "value": Words(_values(found), VALUES),
            "plies": _plies(found),
            "best_moves": Lists.members(is_legal & (results == _best(found)[:, None])),
            "move_values": Lists.equal(Words(values.ravel(), VALUES), self.cells),
            "move_plies": Lists.equal(
                Plain(plies.ravel(), (~is_legal | (results == DRAW)).ravel()), self.cells
            ),
            "legal_mask": Lists.equal(Plain(is_legal.astype(np.int8).ravel()), self.cells),
            "canonical": self._texts(self._cells(*self._masks(keys))),
            "orbit_size": Plain(orbit_sizes),
            "paths": Plain(paths),
            "games_through": Plain(paths * self.games[places]),
        }

    def actions(self, places: Masks) -> Rows:
        """Return a row for each legal move of each position."""
        x, o = self.numbering.boards(places)
        verdicts = self.verdicts(places)
        after = self._after(x, o, verdicts)
        rows, moves = np.nonzero(after >= 0)
        after = after[rows, moves]
        results, found = self._bytes[after], self._bytes[places[rows]]
        values, plies = _values_after(results, np.ones(len(rows), bool))
        keys, orbit_sizes = self._orbits(x, o)
        codes = self._cells(x, o)
        return {
            "position": self._texts(codes).take(rows),
            "cells": Lists.equal(Plain(codes[rows].ravel()), self.cells),
            "verdict": Words(verdicts[rows], VERDICTS),
            "marks": Plain(self.marks(places)[rows].astype(np.int16)),
            "position_value": Words(_values(found), VALUES),
            "position_plies": _plies(found),
            "move": Plain(moves.astype(np.int16)),
            "name": Texts(self._names[moves]),
            "value": Words(values, VALUES),
            "plies": Plain(plies, results == DRAW),
            "preserves_value": Plain(values == _values(found)),
            "is_best": Plain(results == _best(found)),
            "canonical": self._texts(self._cells(*self._masks(keys))).take(rows),
            "orbit_size": Plain(orbit_sizes[rows]),
            "games_through": Plain(self._paths(x, o, verdicts)[rows] * self.games[after]),
        }

    def last_move_values(self, x: Masks, o: Masks) -> NDArray[np.int8]:
        """Return what the last move was worth to the side that made it, for each position."""
        values: NDArray[np.int8] = _LOSS + _WIN - _values(self._bytes[self.numbering.places(x, o)])
        return values

    # -- parts of rows -----------------------------------------------------------------------

    def _after(self, x: Masks, o: Masks, verdicts: NDArray[np.int8]) -> Masks:
        """Return for each position and cell the place after that move, or -1 if it is illegal."""
        after = np.full((len(x), self.cells), -1, np.int64)
        x_moves, o_moves = verdicts == 0, verdicts == 1
        empty = ~(x | o)
        for cell in range(self.cells):
            rows = np.flatnonzero((x_moves | o_moves) & (empty >> cell & 1).astype(bool))
            bit = 1 << cell
            after[rows, cell] = self.numbering.places(
                x[rows] | bit * x_moves[rows], o[rows] | bit * o_moves[rows]
            )
        return after

    @property
    def games(self) -> Masks:
        """The number of games from each position on; a finished one has one."""
        with self._lock:  # or each thread would count them
            return self._games

    @cached_property
    def _games(self) -> Masks:
        games = np.zeros(self.places, np.int64)
        starts = layer_starts(self.cells)
        for marks in range(self.cells, -1, -1):
            for first in range(starts[marks], starts[marks + 1], CHUNK):
                places = np.arange(first, min(first + CHUNK, starts[marks + 1]))
                verdicts = self.verdicts(places)
                after = self._after(*self.numbering.boards(places), verdicts)
                found = np.where(after < 0, 0, games[after]).sum(axis=1)
                games[places] = np.where(verdicts < _X_WINS, found, verdicts != _INVALID)
        return games

    def _paths(self, x: Masks, o: Masks, verdicts: NDArray[np.int8]) -> Masks:
        """Return how many sequences of moves lead to each position."""
        x_count, o_count = self.numbering.sizes[x], self.numbering.sizes[o]
        paths = self._factorials[x_count] * self._factorials[o_count]
        winner = np.where(verdicts == _X_WINS, x, o)
        last_moves = self.numbering.sizes[self._shared_cells[winner]]
        won = last_moves * paths // np.maximum(self.numbering.sizes[winner], 1)
        is_won = (verdicts == _X_WINS) | (verdicts == _O_WINS)
        return np.where(is_won, won, paths)

    @cached_property
    def _shared_cells(self) -> Masks:
        """For every set of cells, those that lie on all of its lines."""
        masks = np.arange(1 << self.cells)
        shared = masks.copy()
        for line in self.grid.line_masks:
            shared[masks & line == line] &= line
        return shared

    def _key(self, x: Masks, o: Masks) -> Masks:
        """Return one number for each board; canonical forms have the least of their orbits."""
        return x << self.cells | o

    def _masks(self, keys: Masks) -> tuple[Masks, Masks]:
        return keys >> self.cells, keys & self.grid.full

    def _orbits(self, x: Masks, o: Masks) -> tuple[Masks, NDArray[np.int8]]:
        """Return the keys of the canonical forms, and how many boards are in each orbit."""
        keys = self._key(x, o)
        least, fixed = keys, np.zeros(len(keys), np.int64)
        for images in self._images:
            image = self._key(images[x], images[o])
            least = np.minimum(least, image)
            fixed += image == keys
        return least, (len(self._images) // fixed).astype(np.int8)

    @cached_property
    def _images(self) -> list[Masks]:
        """For every symmetry the image of every set of cells."""
        rows, cols = self.grid.rows, self.grid.cols
        masks = np.arange(1 << self.cells)
        images = []
        for symmetry in self.grid.symmetries:
            image = np.zeros_like(masks)
            for cell, moved in enumerate(symmetry.permutation(rows, cols)):
                image |= (masks >> cell & 1) << moved
            images.append(image)
        return images

    def _cells(self, x: Masks, o: Masks) -> NDArray[np.int8]:
        """Return a row for each board: 0 for an empty cell, 1 for X, 2 for O."""
        cells = np.arange(self.cells)
        codes = (x[:, None] >> cells & 1) + 2 * (o[:, None] >> cells & 1)
        return codes.astype(np.int8)

    def _texts(self, codes: NDArray[np.int8]) -> Texts:
        return board_texts(self.grid, codes)

    @cached_property
    def _names(self) -> NDArray[np.bytes_]:
        return np.array([cell_name(self.grid, cell).encode() for cell in range(self.cells)])


def board_texts(grid: Grid, codes: NDArray[np.int8]) -> Texts:
    """Return boards as texts that name their grid; the codes are 0 empty, 1 X, 2 O."""
    name = np.frombuffer(f"{grid}:".encode(), np.uint8)
    chars = np.full((len(codes), len(name) + grid.rows * (grid.cols + 1)), ord("/"), np.uint8)
    chars[:, : len(name)] = name
    marks = np.frombuffer(b".XO", np.uint8)[codes].reshape(-1, grid.rows, grid.cols)
    chars[:, len(name) :].reshape(-1, grid.rows, grid.cols + 1)[:, :, :-1] = marks
    text = np.ascontiguousarray(chars[:, :-1])  # without the last slash
    return Texts(text.view(f"S{text.shape[1]}").ravel())


def _ignore(share: float) -> None:
    pass


def _values(found: Bytes) -> NDArray[np.int8]:
    """Return the values that the bytes of a table say."""
    return np.where(found == DRAW, _DRAW, np.where(found & 1, _WIN, _LOSS)).astype(np.int8)


def _plies(found: Bytes) -> Plain:
    return Plain(found.astype(np.int16), found == DRAW)


def _best(found: Bytes) -> Bytes:
    """Return the byte of the positions that the best moves lead to."""
    best: Bytes = np.where(found == DRAW, DRAW, found - 1).astype(np.uint8)
    return best


def _values_after(results: Bytes, is_legal: Flags) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
    """Return what moves are worth to the side that makes them, and in how many plies."""
    values = (_LOSS + _WIN - _values(results)).astype(np.int8)
    return np.where(is_legal, values, -1).astype(np.int8), (results + 1).astype(np.int16)


_lock = Lock()


def solved_grid(grid: str) -> SolvedGrid:
    """Return a solved grid: the one that was used last, as it takes seconds to solve."""
    with _lock:  # or each thread would solve it
        return _solved_grid(grid)


@lru_cache(maxsize=1)
def _solved_grid(grid: str) -> SolvedGrid:
    return SolvedGrid(grid)
