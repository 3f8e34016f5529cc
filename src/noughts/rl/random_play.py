"""Random games to the end, millions a second, on grids of any size and at Ultimate.

Every legal move is equally likely. On a grid a game is a random order of the empty cells, up to
the first line. The words that choose the moves of a game follow from the seed and the number of
the game, so they do not depend on the threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import SupportsIndex

from noughts.kernels import NDArray, bare_kernel, kernel, np, signed  # isort: skip  - says which extra is missing

from noughts.engine.ultimate.board import COUNT, SIDE, State, copy, state_of
from noughts.engine.ultimate.playout import playout
from noughts.errors import whole_number
from noughts.rl.batch import memory_for, seed_of
from noughts.rl.bits import Bytes, draw, first_word, next_word
from noughts.rl.codes import DRAW, O_WINS, X_WINS, Codes
from noughts.rl.grids import TABLE_CELLS, Layout, has_line, layout_of
from noughts.rl.shapes import Where, start_of
from noughts.rl.threads import in_parts, threads_of
from noughts.rules.grid import cells_of
from noughts.rules.position import GridPosition
from noughts.rules.ultimate import UltimatePosition
from noughts.solving.bits import ONE

__all__ = ["Playouts", "playouts"]

LEAST_MOVES = 1 << 14  # of games for a thread
_TWO, _FIFTEEN = np.uint64(2), np.uint64(15)
_BORDER = 3  # a mark around the board, where every run ends


@dataclass(frozen=True, eq=False)
class Playouts:
    """The results of random games, in the order of their numbers.

    `verdicts` are places in ``list(noughts.Verdict)``; `plies` counts the moves that were played.
    """

    verdicts: Codes
    plies: NDArray[np.int32]

    @property
    def x_wins(self) -> int:
        """The number of games that X won."""
        return int((self.verdicts == X_WINS).sum())

    @property
    def o_wins(self) -> int:
        """The number of games that O won."""
        return int((self.verdicts == O_WINS).sum())

    @property
    def draws(self) -> int:
        """The number of drawn games."""
        return int((self.verdicts == DRAW).sum())

    def __len__(self) -> int:
        return len(self.verdicts)

    def __repr__(self) -> str:
        return (
            f"<{len(self):,} playouts: {self.x_wins:,} won by X, {self.o_wins:,} by O, "
            f"{self.draws:,} drawn>"
        )


def playouts(
    where: Where = "3x3x3",
    count: SupportsIndex = 1,
    seed: int | None = None,
    *,
    threads: int | None = None,
) -> Playouts:
    """Play random games from a position on, which is given itself, as text or by its game's name.

    The same seed gives the same games; without one they are others each time.

    >>> playouts("3x3x3", 100_000, seed=1)
    <100,000 playouts: 58,544 won by X, 28,902 by O, 12,554 drawn>
    """
    position = start_of(where)
    games = whole_number(count, "the number of playouts")
    with memory_for(5 * games, f"the results of {games:,} playouts"):
        played = Playouts(np.empty(games, np.int8), np.empty(games, np.int32))
    word, side = seed_of(seed), int(position.turn.value == "O")

    if isinstance(position, UltimatePosition):
        state = state_of(position)

        def play(begin: int, end: int) -> None:
            _play_ultimate(state, word, played.verdicts, played.plies, begin, end)

    elif position.grid.cells <= TABLE_CELLS:
        layout = layout_of(position.grid)
        x, o = np.uint64(position.x), np.uint64(position.o)

        def play(begin: int, end: int) -> None:
            _play_small(layout, x, o, side, word, played.verdicts, played.plies, begin, end)

    else:
        cells, order, width = _bordered(position)
        k = min(position.grid.k, len(cells))

        def play(begin: int, end: int) -> None:
            _play(
                *(cells, order, width, k, side, word),
                *(played.verdicts, played.plies, begin, end),
            )

    least = LEAST_MOVES // (position.size - (position.size - position.move_count) // 2)
    in_parts(play, games, threads_of(threads), max(1, least))
    return played


def _bordered(position: GridPosition) -> tuple[Bytes, NDArray[np.int32], int]:
    """Return a board with a border around it, its empty cells there, and its width."""
    grid = position.grid
    width = grid.cols + 2
    cells = np.full((grid.rows + 2, width), _BORDER, np.uint8)
    inside = np.zeros(grid.cells, np.uint8)
    inside[cells_of(position.x)] = 1
    inside[cells_of(position.o)] = 2
    cells[1:-1, 1:-1] = inside.reshape(grid.rows, grid.cols)
    flat = cells.reshape(-1)
    return flat, np.flatnonzero(flat == 0).astype(np.int32), width


@kernel
def _play_small(
    layout: Layout,
    x: np.uint64,
    o: np.uint64,
    side: int,
    seed: np.uint64,
    verdicts: Codes,
    plies: NDArray[np.int32],
    begin: int,
    end: int,
) -> None:
    """Play games on boards of up to 16 cells, for which there is a table of lines.

    The empty cells are four bits each of one word. The one that is drawn is replaced by the last,
    so that there is no branch but the end of the game.
    """
    own_first, other_first = (o, x) if side else (x, o)
    empty_first, count_first = np.uint64(0), np.uint64(0)
    for number in range(layout.cells):
        if not ((x | o) >> np.uint64(number)) & ONE:
            empty_first |= np.uint64(number) << (count_first << _TWO)
            count_first += ONE
    for i in range(begin, end):
        own, other, empty, left = own_first, other_first, empty_first, count_first
        word = first_word(seed, i)
        verdict = DRAW
        while left > 0:
            place = draw(word, left) << _TWO
            word = next_word(word)
            left -= ONE
            cell = (empty >> place) & _FIFTEEN
            last = (empty >> (left << _TWO)) & _FIFTEEN
            empty ^= (cell ^ last) << place
            own |= ONE << cell
            if has_line(own, layout):
                verdict = X_WINS + (side + signed(count_first - left) - 1) % 2
                break
            own, other = other, own
        verdicts[i] = verdict
        plies[i] = count_first - left


@bare_kernel
def _completes_line(board: Bytes, cell: int, mark: np.uint8, width: int, k: int) -> bool:
    """Return whether a mark that was just made completes a line."""
    for step in (1, width - 1, width, width + 1):
        length = 1
        place = cell + step
        while board[place] == mark:
            length += 1
            place += step
        place = cell - step
        while board[place] == mark:
            length += 1
            place -= step
        if length >= k:
            return True
    return False


@kernel
def _play(
    start: Bytes,
    start_order: NDArray[np.int32],
    width: int,
    k: int,
    side: int,
    seed: np.uint64,
    verdicts: Codes,
    plies: NDArray[np.int32],
    begin: int,
    end: int,
) -> None:
    """Play games on a board with a border; a line can only go through the last move."""
    board, order = np.empty_like(start), np.empty_like(start_order)
    for i in range(begin, end):
        board[:] = start
        order[:] = start_order
        word = first_word(seed, i)
        verdict, ply = DRAW, 0
        mark = np.uint8(1 + side)
        while ply < len(order):
            # The first cells of the order were played, and one of the others is next.
            chosen = ply + signed(draw(word, np.uint64(len(order) - ply)))
            word = next_word(word)
            cell = order[chosen]
            order[chosen] = order[ply]
            ply += 1
            board[cell] = mark
            if _completes_line(board, cell, mark, width, k):
                verdict = X_WINS + signed(mark) - 1
                break
            mark = np.uint8(3) - mark
        verdicts[i] = verdict
        plies[i] = ply


@kernel
def _play_ultimate(
    start: State,
    seed: np.uint64,
    verdicts: Codes,
    plies: NDArray[np.int32],
    begin: int,
    end: int,
) -> None:
    """Play games of Ultimate."""
    state = np.empty_like(start)
    words = np.empty(1, np.uint64)
    side = signed(start[SIDE])
    before = 0
    for half in range(18):
        before += signed(COUNT[start[half]])
    for i in range(begin, end):
        copy(start, state)
        words[0] = first_word(seed, i) | ONE  # it must not be 0
        result = playout(state, words)
        verdicts[i] = DRAW if result == 0.5 else X_WINS + (side if result == 1.0 else 1 - side)
        marks = 0
        for half in range(18):
            marks += signed(COUNT[state[half]])
        plies[i] = marks - before
