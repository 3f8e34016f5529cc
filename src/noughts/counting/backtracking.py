"""Backtracking through every game, compiled: one mutable board, every move undone exactly.

It serves two purposes. It **counts** games one by one, as a check on the counts that play none;
and it **lists** them in blocks, arrays of many games at once. The state of a search is its moves
so far and the next candidate at each depth, so it can stop after any game and go on later.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from time import perf_counter

from noughts.kernels import NDArray, kernel, np  # isort: skip  - says which extra is missing

from noughts import kernels
from noughts.counting.results import GameCounts
from noughts.counting.runner import Runner, Task, is_stopping, table_of_numbers
from noughts.errors import LimitExceeded
from noughts.rules.grid import Grid
from noughts.rules.player import Player, Verdict
from noughts.rules.position import GridPosition

__all__ = [
    "DRAW",
    "O_WINS",
    "X_WINS",
    "Backtracking",
    "Block",
    "backtrack_games",
    "game_blocks",
    "games_per_second",
    "needs_compiling",
]

MAX_CELLS = 62  # a side's marks are one machine word
X_WINS, O_WINS, DRAW = 0, 1, 2
_ENDINGS = (Verdict.X_WINS, Verdict.O_WINS, Verdict.DRAW)
_POLL_EVERY = 5_000_000  # games between two checks whether to stop: a fraction of a second
_SPLIT = 3  # a count is split into the games below each list of this many moves

Words = NDArray[np.int64]


def backtrack_games(position: GridPosition, runner: Runner) -> GameCounts:
    """Count the games from a position on by playing all of them, on all cores.

    First moves that are symmetric to each other lead to equally many games of each kind, so
    only one of each orbit is played.
    """
    _require_small(position.grid)
    images = _stabiliser(position)
    tasks: dict[tuple[int, ...], int] = {(): 1} if position.outcome else {}
    for move in position.legal_moves:
        orbit = {image[move] for image in images}
        if move == min(orbit):
            after = position.play(move)
            for rest in _prefixes(after, min(_SPLIT - 1, after.move_count)):
                tasks[move, *rest] = len(orbit)
    text = position.text
    accepts = table_of_numbers(3, position.move_count + 1)
    results = runner.run(
        lambda: f"games of {text} by backtracking",
        [
            Task(f"walk {text} {moves}", backtrack_task, (position, moves), accepts)
            for moves in tasks
        ],
    )
    counts = np.zeros((3, position.move_count + 1), dtype=object)
    for times, result in zip(tasks.values(), results, strict=True):
        counts += times * np.array(result, dtype=object)
    by_length = counts.sum(axis=0)
    return GameCounts(
        x_wins=int(counts[X_WINS].sum()),
        o_wins=int(counts[O_WINS].sum()),
        draws=int(counts[DRAW].sum()),
        by_length={n: int(count) for n, count in enumerate(by_length) if count},
    )


def games_per_second(position: GridPosition) -> float:
    """Measure how many games one core plays in a second."""
    search = Backtracking(position)
    search.next_block(1)  # compiles it, or loads the machine code
    begin = perf_counter()
    games = 1 + len(search.next_block(200_000))
    return games / (perf_counter() - begin)


def needs_compiling() -> bool:
    """Return whether the first search will compile its kernels."""
    return kernels.needs_compiling(_count)


def _require_small(grid: Grid) -> None:
    if grid.cells > MAX_CELLS:
        raise LimitExceeded(
            f"backtracking takes boards of up to {MAX_CELLS} cells, not {grid.cells}"
        )


def _prefixes(position: GridPosition, length: int) -> Iterator[tuple[int, ...]]:
    """Yield all lists of moves of a length, and the shorter games that end before."""
    if not length or position.outcome:
        yield ()
        return
    for move in position.legal_moves:
        for rest in _prefixes(position.play_unchecked(move), length - 1):
            yield (move, *rest)


def _stabiliser(position: GridPosition) -> list[tuple[int, ...]]:
    """Return the symmetries, as permutations of cells, that leave the position alone."""
    grid = position.grid
    return [
        symmetry.permutation(grid.rows, grid.cols)
        for symmetry in grid.symmetries
        if position.transformed(symmetry) == position
    ]


def backtrack_task(position: GridPosition, moves: tuple[int, ...]) -> list[list[int]]:
    """Return the games that begin with these moves, by outcome and length."""
    counts: list[list[int]] = Backtracking(position, moves).count().tolist()
    return counts


@dataclass(frozen=True)
class Block:
    """Many games as arrays: a row of moves per game, its length and its outcome.

    Moves behind the end of a game are -1; outcomes are numbers: `X_WINS`, `O_WINS`, `DRAW`.
    """

    moves: NDArray[np.int8]
    lengths: NDArray[np.int8]
    outcomes: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.lengths)

    def ending_as(self, verdict: Verdict) -> Block:
        """Return the games of the block with this outcome."""
        chosen = self.outcomes == _ENDINGS.index(verdict)
        return Block(self.moves[chosen], self.lengths[chosen], self.outcomes[chosen])


class Backtracking:
    """A search through the games below a position, stopped between two games.

    The games begin with certain moves, which are never taken back.
    """

    def __init__(self, position: GridPosition, moves: tuple[int, ...] = ()) -> None:
        grid = position.grid
        _require_small(grid)
        through = [grid.masks_through(cell) for cell in range(grid.cells)]
        # A negative mask ends a cell's list of lines.
        self._lines = np.full((grid.cells, max(map(len, through)) + 1), -1, np.int64)
        for cell, masks in enumerate(through):
            self._lines[cell, : len(masks)] = masks
        last = position
        for move in moves:
            last = last.play(move)
        self.longest = position.move_count
        self._stack = np.full(self.longest + 1, -1, np.int64)
        self._stack[: len(moves)] = moves
        self._fixed = np.array([len(moves), self.longest, position.turn is Player.X], np.int64)
        self._root = last.x, last.o
        self._state = np.array([len(moves), *self._root, 0], np.int64)
        self._whole = last.outcome  # the moves may be a whole game by themselves

    def count(self) -> Words:
        """Return how many games are left, by outcome and length."""
        counts = np.zeros((3, self.longest + 1), np.int64)
        if self._whole:
            counts[_ENDINGS.index(self._whole.verdict), self._fixed[0]] = 1
        else:
            while _count(self._lines, self._fixed, self._stack, self._state, counts, _POLL_EVERY):
                if is_stopping():
                    raise CancelledError  # the result is not needed any more
        return counts

    def resume(self, game: tuple[int, ...]) -> None:
        """Make this game the next one."""
        x, o = self._root
        for place in range(int(self._fixed[0]), len(game) - 1):
            if place % 2 == 1 - self._fixed[2]:
                x |= 1 << game[place]
            else:
                o |= 1 << game[place]
        self._stack[: len(game)] = game
        self._state[:] = len(game) - 1, x, o, game[-1]

    def next_block(self, most: int) -> Block:
        """Return the next games, up to `most` of them; fewer only where no more are left."""
        moves = np.full((most, self.longest), -1, np.int8)
        lengths, outcomes = np.empty(most, np.int8), np.empty(most, np.int8)
        if self._whole:
            length = int(self._fixed[0])
            moves[0, :length] = self._stack[:length]
            lengths[0], outcomes[0] = length, _ENDINGS.index(self._whole.verdict)
            self._state[3] = len(self._lines)  # nothing is left to try
            self._whole = None
            return Block(moves[:1], lengths[:1], outcomes[:1])
        count = _fill(self._lines, self._fixed, self._stack, self._state, moves, lengths, outcomes)
        return Block(moves[:count], lengths[:count], outcomes[:count])


def game_blocks(
    position: GridPosition, prefix: tuple[int, ...], resume: tuple[int, ...], size: int
) -> Iterator[Block]:
    """Yield the games that begin with `prefix` in blocks, from the game `resume` on."""
    search = Backtracking(position, prefix)
    if len(resume) > len(prefix):
        search.resume(resume)
    while True:
        block = search.next_block(size)
        if len(block):
            yield block
        if len(block) < size:
            return


@kernel
def _next_game(lines: Words, fixed: Words, stack: Words, state: Words) -> int:
    """Go on to the next game and return its outcome, or -1 when none is left.

    The state is the depth, the marks of X and of O, and the cell to try next at that depth.
    The move that ends a game is not entered in it, so there is nothing to undo afterwards.
    """
    root, longest, x_parity = fixed[0], fixed[1], 1 - fixed[2]
    depth, x, o, cell = state[0], state[1], state[2], state[3]
    cells = len(lines)
    while True:
        taken = x | o
        while cell < cells and taken >> cell & 1:
            cell += 1
        if cell < cells:
            is_x = (depth & 1) == x_parity
            own = (x if is_x else o) | 1 << cell
            stack[depth] = cell
            outcome = -1
            place = 0
            while lines[cell, place] >= 0:
                if own & lines[cell, place] == lines[cell, place]:
                    outcome = 0 if is_x else 1
                    break
                place += 1
            if outcome < 0 and depth + 1 == longest:
                outcome = 2
            if outcome >= 0:
                state[0], state[1], state[2], state[3] = depth, x, o, cell + 1
                return outcome
            if is_x:
                x = own
            else:
                o = own
            depth += 1
            cell = 0
        elif depth == root:
            state[0], state[1], state[2], state[3] = depth, x, o, cell
            return -1
        else:
            depth -= 1
            cell = stack[depth]
            if (depth & 1) == x_parity:
                x ^= 1 << cell
            else:
                o ^= 1 << cell
            cell += 1


@kernel
def _count(
    lines: Words, fixed: Words, stack: Words, state: Words, counts: Words, most: int
) -> bool:
    """Count up to `most` games by outcome and length; return whether some may be left."""
    for _ in range(most):
        outcome = _next_game(lines, fixed, stack, state)
        if outcome < 0:
            return False
        counts[outcome, state[0] + 1] += 1
    return True


@kernel
def _fill(
    lines: Words,
    fixed: Words,
    stack: Words,
    state: Words,
    moves: NDArray[np.int8],
    lengths: NDArray[np.int8],
    outcomes: NDArray[np.int8],
) -> int:
    """Write the next games into arrays and return their number."""
    for game in range(len(lengths)):
        outcome = _next_game(lines, fixed, stack, state)
        if outcome < 0:
            return game
        length = state[0] + 1
        for place in range(length):
            moves[game, place] = stack[place]
        lengths[game] = length
        outcomes[game] = outcome
    return len(lengths)
