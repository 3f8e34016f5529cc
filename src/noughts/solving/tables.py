"""Tables: the value of every position of a small board, in a memory-mapped file.

A table is built once, in seconds. Then a lookup is instant: arithmetic gives the place of a
position's byte (`ranking` draws it), and the byte is read through a memory map, so that nothing
is loaded, not even numpy. The file::

    0   8   89 6E 6F 75 67 68 74 73       the kind of file: "noughts" behind a byte that is not
    8   4   version, 2                    text; all numbers are little-endian
    12  4   length of the header
    16  4   CRC-32 of the header
    20      header                        JSON: grid, layout, SHA-256 of the grid's name,
                                      a line end, and the data
            data                          a byte for each position

A file is written whole or not at all. Its header and size are checked whenever it is opened;
the checksum of its data on request, and always by `find_table`, so that an installed table
never answers with damaged values. With the checksum goes a look at some games, whose values must
follow from the rules of the grid.
"""

from __future__ import annotations

import json
import mmap
import os
import random
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from noughts.errors import InvalidPosition, TableError, whole_number
from noughts.folders import user_folder
from noughts.rules.game import Game
from noughts.rules.grid import Grid, grid_named, grid_of
from noughts.rules.parsing import position_of
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from noughts.rules.verdict import judge
from noughts.solving.ranking import (
    DRAW,
    MAX_CELLS,
    NO_GAME,
    layer_starts,
    place_of,
    require_small,
)
from noughts.storage import require_writable, write_whole
from noughts.values import MoveValue, Solution, Value, best_first

__all__ = [
    "Table",
    "ValueCounts",
    "build_table",
    "find_table",
    "table_of",
    "table_path",
    "tables_folder",
]

Known = tuple[Value, int | None]
"""A value for the side to move, and the plies to the end; None for draws."""

_MAGIC = b"\x89noughts"
_VERSION = 2
_PREFIX = struct.Struct("<8sIII")
_MAX_HEADER = 1 << 16
_LAYOUT = "marks, marked cells, cells of O"
_CHECKED_GAMES = 10


class Table:
    """The values of all positions of a grid, read from a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with build_table("3x3x3", f"{folder}/3x3x3.noughts") as table:
    ...         print(*table.lookup("XX./OO./..."), table.best("XX./OO./..."))
    win 1 (2,)
    """

    def __init__(self, grid: Grid, path: Path, digest: str, content: mmap.mmap, start: int) -> None:
        self.grid = grid
        self.path = path
        self.digest = digest
        self._content = content
        self._start = start
        self._is_transposed = False

    @classmethod
    def open(cls, path: os.PathLike[str] | str, *, check: bool = False) -> Table:
        """Open a table; with `check` also compare the data with their checksum.

        A file that is not a table, or is damaged, raises `TableError`.
        """
        try:
            path = Path(path)
            if path.exists() and not path.is_file():  # a pipe would block
                raise TableError(f"{path} is not a file")
            with path.open("rb") as file:
                grid, digest, start = _read_header(file.read(_PREFIX.size + _MAX_HEADER), path)
                content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except TableError:
            raise
        except (OSError, TypeError, ValueError) as error:
            raise _trouble("read", path, error) from None
        table = cls(grid, path, digest, content, start)
        try:
            if len(content) != start + table.positions:
                sizes = f"{len(content):,} bytes where {start + table.positions:,} should be"
                raise TableError(f"{path} is damaged: {sizes}")
            if check:
                table.check()
        except BaseException:
            table.close()
            raise
        return table

    @property
    def positions(self) -> int:
        """The number of positions that have a byte, whether a game reaches them or not."""
        return layer_starts(self.grid.cells)[-1]

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return len(self._content)

    def check(self) -> None:
        """Raise `TableError` if the data are not what was written, or not of this grid."""
        with memoryview(self._content) as whole, whole[self._start :] as data:
            digest = _digest(self._transposed_grid() if self._is_transposed else self.grid, data)
        if digest != self.digest:
            raise TableError(f"{self.path} is damaged: the checksum of its data is wrong")
        self._check_games()

    def _check_games(self) -> None:
        """Raise `TableError` unless the values in some games follow from the rules of the grid."""
        rng = random.Random(0)
        positions: set[GridPosition] = set()
        for _ in range(_CHECKED_GAMES):
            position = GridPosition.start(self.grid)
            positions.add(position)
            while position.outcome is None:
                position = position.play_unchecked(rng.choice(position.legal_moves))
                positions.add(position)
        for position in positions:
            try:
                is_sound = self._look_up(position) == self._value_by_moves(position)
            except InvalidPosition:  # in the data, no game leads there
                is_sound = False
            if not is_sound:
                message = f"the value of {position.text} does not follow from its moves"
                raise TableError(f"{self.path} is not a table of {self.grid}: {message}")

    def _value_by_moves(self, position: GridPosition) -> Known:
        """Return the value that the rules or the values after all moves give a position."""
        if position.outcome is not None:
            return (Value.LOSS, 0) if position.outcome.winner else (Value.DRAW, None)
        moves = [
            MoveValue.proved(move, *self._known_after(position, move))
            for move in position.legal_moves
        ]
        best = best_first(moves)[0]
        assert best.value is not None
        return best.value, best.plies

    def transposed(self) -> Table:
        """Return the table of the grid with rows and columns swapped.

        Both read through one map, so closing one closes the other.
        """
        table = Table(self._transposed_grid(), self.path, self.digest, self._content, self._start)
        table._is_transposed = not self._is_transposed
        return table

    def _transposed_grid(self) -> Grid:
        return grid_of(self.grid.cols, self.grid.rows, self.grid.k)

    def close(self) -> None:
        """Close the file; the table cannot be used any more."""
        self._content.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Table of {self.grid} in {str(self.path)!r}>"

    # -- lookups -------------------------------------------------------------------------

    def lookup(self, where: GridPosition | Game[Any] | str) -> Known:
        """Return the value for the side to move and the plies to the end, None for a draw.

        The winner is as quick as possible, the loser holds out as long as possible. When the
        game is over it is a draw, or a loss in 0 plies: the other side has made its line.
        """
        return self._look_up(self._position_of(where))

    def _position_of(self, where: GridPosition | Game[Any] | str) -> GridPosition:
        """Return the position that is asked about, if it is one of this grid."""
        position = position_of(where)
        if not isinstance(position, GridPosition) or position.grid != self.grid:
            raise TableError(f"this table is for {self.grid}, not {position.game}")
        return position

    def _look_up(self, position: GridPosition) -> Known:
        grid, x, o = position.grid, position.x, position.o
        if x.bit_count() - o.bit_count() not in (0, 1) or x & o or not 0 <= x | o <= grid.full:
            raise InvalidPosition(judge(position.board).reasons)
        if self._is_transposed:
            x, o = (Symmetry.TRANSPOSE.apply(mask, grid.rows, grid.cols) for mask in (x, o))
        byte = self._content[self._start + place_of(grid.cells, x, o)]
        if byte == DRAW:
            return Value.DRAW, None
        if byte > grid.cells - (x | o).bit_count():
            judgement = judge(position.board)
            if byte == NO_GAME and judgement.verdict is Verdict.INVALID:
                raise InvalidPosition(judgement.reasons)
            raise TableError(f"{self.path} is damaged: {position.text} has a byte {byte}")
        return (Value.WIN if byte % 2 else Value.LOSS), byte

    def moves(self, where: GridPosition | Game[Any] | str) -> dict[int, Known]:
        """Return every legal move with its value for the side that makes it.

        The plies count the move itself, so that a move which wins at once wins in 1.
        """
        position = self._position_of(where)
        self._look_up(position)  # refuses invalid positions
        return {move: self._known_after(position, move) for move in position.legal_moves}

    def _known_after(self, position: GridPosition, move: int) -> Known:
        value, plies = self._look_up(position.play_unchecked(move))
        return value.reversed, None if plies is None else plies + 1

    def best(self, where: GridPosition | Game[Any] | str) -> tuple[int, ...]:
        """Return all moves that are best: the quickest wins, else draws, else longest defences."""
        return tuple(self._best(self._position_of(where)))

    def _best(self, position: GridPosition) -> Iterator[int]:
        """Yield the moves that keep a position's value."""
        known, has_best = self._look_up(position), False
        for move in position.legal_moves:
            if self._known_after(position, move) == known:
                has_best = True
                yield move
        if not has_best and position.outcome is None:
            raise TableError(f"{self.path} is damaged: no move gives {position.text} its value")

    def solution(self, where: GridPosition | Game[Any] | str) -> Solution:
        """Return the solution of a position, with the principal variation to the end of the game.

        Of several best moves the line takes the first.
        """
        position = self._position_of(where)
        value, plies = self._look_up(position)
        best = tuple(self._best(position))
        line = []
        last = position
        while last.outcome is None:
            line.append(next(self._best(last)))
            last = last.play_unchecked(line[-1])
        return Solution(position, value, value, plies, best, tuple(line))

    def counts(self) -> ValueCounts:
        """Count the positions that games reach by value, by reading all of them."""
        cells = self.grid.cells
        starts = layer_starts(cells)
        by_marks = {}
        for marks in range(cells + 1):
            layer = self._content[self._start + starts[marks] : self._start + starts[marks + 1]]
            by_plies = [layer.count(plies) for plies in range(cells - marks + 1)]
            counts = {
                Value.LOSS: sum(by_plies[::2]),
                Value.DRAW: layer.count(DRAW),
                Value.WIN: sum(by_plies[1::2]),
            }
            if sum(counts.values()) + layer.count(NO_GAME) != len(layer):
                raise TableError(f"{self.path} is damaged: it has bytes that mean nothing")
            if any(counts.values()):
                by_marks[marks] = counts
        return ValueCounts(by_marks)


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """The numbers of distinct positions that games reach, finished ones included, by value.

    `by_marks` has the values for the side to move; that is X after an even number of marks.
    """

    by_marks: dict[int, dict[Value, int]]

    @property
    def total(self) -> int:
        """All positions."""
        return sum(sum(counts.values()) for counts in self.by_marks.values())

    @property
    def x_wins(self) -> int:
        """Positions that X wins, or has won."""
        return sum(x_wins for x_wins, _, _ in self.by_winner.values())

    @property
    def draws(self) -> int:
        """Positions in which neither side can force a win, and finished draws."""
        return sum(draws for _, draws, _ in self.by_winner.values())

    @property
    def o_wins(self) -> int:
        """Positions that O wins, or has won."""
        return sum(o_wins for _, _, o_wins in self.by_winner.values())

    @property
    def by_winner(self) -> dict[int, tuple[int, int, int]]:
        """By number of marks: positions that X wins, draws, positions that O wins."""
        turned = {}
        for marks, counts in self.by_marks.items():
            wins, losses = counts[Value.WIN], counts[Value.LOSS]
            x_wins, o_wins = (losses, wins) if marks % 2 else (wins, losses)
            turned[marks] = x_wins, counts[Value.DRAW], o_wins
        return turned

    def to_json(self) -> dict[str, object]:
        """Return the counts as plain data for JSON; they are decimal strings."""
        return {
            "total": str(self.total),
            "x_wins": str(self.x_wins),
            "o_wins": str(self.o_wins),
            "draws": str(self.draws),
            "by_marks": {
                str(marks): {"x_wins": str(x_wins), "o_wins": str(o_wins), "draws": str(draws)}
                for marks, (x_wins, draws, o_wins) in self.by_winner.items()
            },
        }


# -- building ----------------------------------------------------------------------------


def build_table(
    grid: Grid | str,
    path: os.PathLike[str] | str | None = None,
    *,
    threads: int | None = None,
    on_progress: Callable[[float], None] = lambda share: None,
    on_notice: Callable[[str], None] = lambda message: None,
) -> Table:
    """Solve every position of a grid of up to 16 cells, write the table, and open it.

    Without a `path` it goes where `find_table` finds it. An older table is replaced when the
    new one is complete, and not touched before.
    """
    grid = require_small(grid_named(grid))
    threads = whole_number(os.cpu_count() or 1 if threads is None else threads, "threads", least=1)
    from noughts import kernels  # numpy and numba, for building only
    from noughts.solving.retrograde import needs_compiling, solve_backwards

    is_installed = path is None
    path = table_path(grid) if path is None else path
    name = f"the table {path}"
    require_writable(path, create_folder=is_installed, name=name, error=TableError)
    if not kernels.COMPILED:
        on_notice("solving without numba, which takes a hundred times longer")
    elif needs_compiling():
        on_notice(kernels.compiling_notice("the solver of tables"))
    data = solve_backwards(grid, threads, on_progress)
    header = json.dumps(
        {"grid": str(grid), "layout": _LAYOUT, "sha256": _digest(grid, data)}
    ).encode()
    prefix = _PREFIX.pack(_MAGIC, _VERSION, len(header), zlib.crc32(header))
    write_whole(path, prefix, header, data, name=name, error=TableError)
    return Table.open(path, check=True)


def _digest(grid: Grid, data: bytes | memoryview) -> str:
    """Return the checksum of data, which those of another grid do not have."""
    digest = sha256(f"{grid}\n".encode())
    digest.update(data)
    return digest.hexdigest()


def _trouble(doing: str, path: object, error: Exception) -> TableError:
    reason = getattr(error, "strerror", None) or error
    return TableError(f"cannot {doing} the table {path}: {reason}")


def _read_header(begin: bytes, path: Path) -> tuple[Grid, str, int]:
    """Return a file's grid, the checksum of its data and where they start, or raise."""
    if len(begin) < _PREFIX.size or not begin.startswith(_MAGIC):
        raise TableError(f"{path} is not a table of noughts")
    _, version, length, checksum = _PREFIX.unpack_from(begin)
    if version != _VERSION:
        raise TableError(f"{path} is a table of version {version}; this noughts reads {_VERSION}")
    start = _PREFIX.size + length
    header = begin[_PREFIX.size : start]
    if len(header) != length or zlib.crc32(header) != checksum:
        raise TableError(f"{path} is damaged: its header is not what was written")
    try:
        fields: Any = json.loads(header)
        grid, layout, digest = Grid.parse(fields["grid"]), fields["layout"], fields["sha256"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise TableError(f"{path} is damaged: its header cannot be read") from None
    if layout != _LAYOUT or grid.cells > MAX_CELLS or not isinstance(digest, str):
        raise TableError(f"{path} is a table that this noughts cannot read")
    return grid, digest, start


# -- installed tables --------------------------------------------------------------------


def tables_folder() -> Path:
    """Return the folder of installed tables: ``$NOUGHTS_TABLES``, or the user's usual place."""
    if chosen := os.environ.get("NOUGHTS_TABLES"):
        return Path(chosen)
    folder = user_folder("data")
    if folder is None:
        raise TableError("there is no home folder for tables: set NOUGHTS_TABLES")
    return folder / "tables"


def table_path(grid: Grid | str) -> Path:
    """Return where the installed table of a grid is, or would be."""
    return tables_folder() / f"{grid_named(grid)}.noughts"


def find_table(grid: Grid | str) -> Table | None:
    """Return the installed table of a grid, its data checked; None if none is installed.

    The table of 3x4x3 serves 4x3x3 as well. One that is damaged raises `TableError`.
    """
    found = _installed(grid_named(grid))
    return None if found is None else _open_installed(*found[:2])


def table_of(grid: Grid | str) -> Table | None:
    """Return what `find_table` does, from a cache for as long as the file is unchanged.

    Each call looks at the folder, so a table that was installed, replaced or removed is noticed.
    The table is shared: do not close it.
    """
    grid = grid_named(grid)
    found = _installed(grid)
    if found is None:
        return None
    kept = _shared.get(grid)
    if kept is None or kept[0] != found:
        if len(_shared) >= _MOST_SHARED:
            _shared.clear()
        kept = _shared[grid] = found, _open_installed(*found[:2])
    return kept[1]


_Installed = tuple[Grid, Path, tuple[int, ...]]

_MOST_SHARED = 16
_shared: dict[Grid, tuple[_Installed, Table]] = {}


def _installed(grid: Grid) -> _Installed | None:
    """Return the grid, the path of its installed table, and a stamp that changes with the file."""
    if grid.cells > MAX_CELLS:
        return None
    try:
        folder = tables_folder()
    except TableError:
        return None  # without a folder, no table is installed
    for shape in dict.fromkeys((grid, grid_of(grid.cols, grid.rows, grid.k))):
        path = folder / f"{shape}.noughts"
        with suppress(OSError, ValueError):
            status = path.stat()
            return grid, path, (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return None


def _open_installed(grid: Grid, path: Path) -> Table:
    """Open the table of a grid, or of the grid with rows and columns swapped."""
    table = Table.open(path, check=True)
    if path.stem != str(table.grid):
        table.close()
        raise TableError(f"{path} is the table of {table.grid}, not of {path.stem}")
    return table if table.grid == grid else table.transposed()
