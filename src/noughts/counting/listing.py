"""Every game in lexicographic order, by backtracking; and the i-th without walking the others.

`Games` is to games what `range` is to numbers: nothing is stored, and yet any of them can be
had by its number. The number of a game is the number of games before it; to find it, or the
game with a given number, it takes only the counts of games that begin with each next move,
and those are swept, not walked.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from noughts.counting.games import count_games, start_of
from noughts.errors import (
    IllegalMove,
    NotationError,
    NoughtsError,
    SizeError,
    brief,
    whole_number,
)
from noughts.rules.grid import Grid
from noughts.rules.player import Player, Verdict
from noughts.rules.position import GridPosition

if TYPE_CHECKING:
    from noughts.counting.walk import Block

__all__ = ["Games", "games"]

Moves = tuple[int, ...]

_PRUNE_FROM = 9
"""With so many empty cells, counting the games of an outcome is quicker than walking them."""


_MOST_KNOWN = 100_000
"""Counts kept for the next question; beyond that all are forgotten, to bound the memory."""


def games(where: Grid | GridPosition | str) -> Iterator[Moves]:
    """Yield every game on a grid, or from a position on, in lexicographic order.

    A game is the list of moves up to a win or a full board, as a tuple of cells. The memory
    used does not grow, however many games there are.

    >>> from itertools import islice
    >>> list(islice(games("3x3x3"), 2))
    [(0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 7, 6, 8)]
    >>> sum(1 for _ in games("2x2x2"))
    24
    """
    return iter(Games(where))


class Games:
    """All games on a grid or from a position on, as a sequence that is never stored.

    They may be limited to those that begin with certain moves, and to an outcome (``X_wins``,
    ``O_wins`` or ``draw``). Games include the moves of the prefix.

    >>> everything = Games("4x4x3")
    >>> everything.total
    1281016086768
    >>> everything[10**12]
    (12, 10, 7, 3, 6, 9, 8, 0, 2, 15, 11, 1, 13, 4, 14)
    >>> everything.index(everything[10**12])
    1000000000000
    """

    def __init__(
        self,
        where: Grid | GridPosition | str,
        *,
        prefix: Sequence[int] = (),
        outcome: Verdict | str | None = None,
    ) -> None:
        self.start = start_of(where)
        self.prefix = tuple(prefix)
        self.outcome = _outcome(outcome)
        self._root = self.start
        for number, move in enumerate(self.prefix, 1):
            try:
                self._root = self._root.play(move)
            except IllegalMove as error:
                raise IllegalMove(f"move {number} of the prefix: {error}") from None
        self._known: dict[tuple[int, int], int] = {}

    @property
    def total(self) -> int:
        """The number of games."""
        return self._count(self._root)

    def __getitem__(self, index: int) -> Moves:
        """Return the game with a number; -1 is the last one."""
        number = whole_number(index, "a game's number", least=-self.total)
        if number >= self.total:
            raise SizeError(
                f"there is no game {brief(number)}: they are numbered 0 to {self.total - 1}"
                if self.total
                else "there is no such game at all"
            )
        if number < 0:
            number += self.total
        position, moves = self._root, list(self.prefix)
        while not position.outcome:
            for move in position.legal_moves:
                after = position.play_unchecked(move)
                count = self._count(after)
                if number < count:
                    break
                number -= count
            moves.append(move)
            position = after
        return tuple(moves)

    def index(self, game: Sequence[int]) -> int:
        """Return the number of a game, or raise if it is not one of these."""
        if not isinstance(game, Iterable):
            raise IllegalMove(f"a game is a list of moves, not {brief(game)}")
        moves = tuple(game)
        if moves[: len(self.prefix)] != self.prefix:
            raise IllegalMove(f"the game does not begin with {list(self.prefix)}")
        number, position = 0, self._root
        for move in moves[len(self.prefix) :]:
            after = position.play(move)
            for earlier in position.legal_moves:
                if earlier >= move:
                    break
                number += self._count(position.play_unchecked(earlier))
            position = after
        if not position.outcome:
            raise IllegalMove("the game is not finished")
        if not self._count(position):
            raise IllegalMove(f"the game ends as {position.outcome.verdict}, not {self.outcome}")
        return number

    def __contains__(self, game: object) -> bool:
        try:
            self.index(game)  # type: ignore[arg-type]  # it refuses what is no game
        except NoughtsError:
            return False
        return True

    def __iter__(self) -> Iterator[Moves]:
        return self.walk()

    def walk(self, start: int = 0, stop: int | None = None) -> Iterator[Moves]:
        """Yield the games from one number up to another, in order.

        Numbers make it easy to share the work: of n workers, the i-th takes the games from
        ``total * i // n`` up to ``total * (i + 1) // n``.
        """
        return (moves for moves, _ in self.walk_outcomes(start, stop))

    def walk_outcomes(
        self, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[Moves, Verdict]]:
        """Yield the games from one number up to another, in order, each with its outcome."""
        first = whole_number(start, "a game's number")
        if stop is not None:
            stop = whole_number(stop, "the number to stop at", least=-sys.maxsize)
        if (stop is not None and stop <= first) or (first and first == self.total):
            return iter(())
        resume = self[first][len(self.prefix) :] if first else ()
        worth = None if self.outcome is None else self._may_hold
        found = _backtrack(self._root, self.prefix, resume, worth)
        wanted = (game for game in found if self.outcome in (None, game[1]))
        return wanted if stop is None else islice(wanted, min(stop - first, sys.maxsize))

    def outcome_of(self, game: Moves) -> Verdict:
        """Return how a game ends."""
        if tuple(game[: len(self.prefix)]) != self.prefix:
            raise IllegalMove(f"the game does not begin with {list(self.prefix)}")
        position = self._root
        for move in game[len(self.prefix) :]:
            position = position.play(move)
        if not position.outcome:
            raise IllegalMove("the game is not finished")
        return position.outcome.verdict

    def walk_after(self, game: Sequence[int]) -> Iterator[Moves]:
        """Yield the games that come after one of them, in order; no count is needed for it."""
        moves = tuple(game)
        self.outcome_of(moves)
        found = _backtrack(self._root, self.prefix, moves[len(self.prefix) :], None)
        next(found)
        return (moves for moves, outcome in found if self.outcome in (None, outcome))

    def sample_numbers(self, count: int, seed: int | None = None) -> Iterator[int]:
        """Yield numbers of games drawn uniformly at random, independently of each other."""
        amount = whole_number(count, "a sample")
        if amount and not self.total:
            raise SizeError("there is no such game to draw from")
        rng = random.Random(seed)
        return (rng.randrange(self.total) for _ in range(amount))

    def sample(self, count: int, seed: int | None = None) -> Iterator[Moves]:
        """Yield games drawn uniformly at random, independently of each other."""
        return (self[number] for number in self.sample_numbers(count, seed))

    def blocks(self, size: int = 1 << 16, start: int = 0) -> Iterator[Block]:
        """Yield the games as arrays of up to `size` at a time, from a number on; compiled."""
        from noughts.counting.walk import walk_blocks

        most = whole_number(size, "size", least=1)
        resume = self.prefix
        if whole_number(start, "a game's number") or self.outcome:
            if start == self.total:
                return iter(())
            resume = self[start]
        blocks = walk_blocks(self.start, self.prefix, resume, most)
        if self.outcome is None:
            return blocks
        kept = (block.ending_as(self.outcome) for block in blocks)
        return (block for block in kept if len(block))

    def _count(self, position: GridPosition) -> int:
        """Return the number of games from a position on; symmetric ones are counted once."""
        if position.outcome:
            return int(self.outcome in (None, position.outcome.verdict))
        twin = position.canonical()
        key = twin.x, twin.o
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            counts = count_games(twin)
            self._known[key] = {
                None: counts.total,
                Verdict.X_WINS: counts.x_wins,
                Verdict.O_WINS: counts.o_wins,
                Verdict.DRAW: counts.draws,
            }[self.outcome]
        return self._known[key]

    def _may_hold(self, x: int, o: int) -> bool:
        """Return whether it is worth walking the games below two masks."""
        position = GridPosition.unchecked(self.start.grid, x, o)
        if self.start.grid.cells - (x | o).bit_count() < _PRUNE_FROM:
            return True
        return self._count(position) > 0


def _outcome(outcome: Verdict | str | None) -> Verdict | None:
    if outcome is None:
        return None
    endings = (Verdict.X_WINS, Verdict.O_WINS, Verdict.DRAW)
    if outcome not in endings:
        raise NotationError(f"an outcome is one of {', '.join(endings)}, not {brief(outcome)}")
    return Verdict(outcome)


def _backtrack(
    root: GridPosition,
    prefix: Moves,
    resume: Moves,
    worth: Callable[[int, int], bool] | None,
) -> Iterator[tuple[Moves, Verdict]]:
    """Yield the games from a position on with their outcomes, from the game `resume` on.

    The recursion is spelled out as a loop over its own stack, the moves themselves: it can be
    as deep as the board is large, and a generator pays for every level that it nests. `worth`
    says whether to enter a position, given by its masks.
    """
    if root.outcome:
        yield prefix, root.outcome.verdict
        return
    grid = root.grid
    cells = grid.cells
    lines_through = [grid.masks_through(cell) for cell in range(cells)]
    first = 0 if root.turn is Player.X else 1
    wins = (Verdict.X_WINS, Verdict.O_WINS)
    moves = list(prefix)
    marks = [root.x, root.o]
    # Enter the game to resume from, but for its last move, which is tried again.
    for place, move in enumerate(resume[:-1]):
        marks[(first + place) & 1] |= 1 << move
        moves.append(move)
    cell = resume[-1] if resume else 0  # the next candidate for the move at hand
    while True:
        taken = marks[0] | marks[1]
        while cell < cells and taken >> cell & 1:
            cell += 1
        if cell < cells:
            side = (first + len(moves) - len(prefix)) & 1
            moves.append(cell)
            marks[side] |= 1 << cell
            if any(marks[side] & line == line for line in lines_through[cell]):
                yield tuple(moves), wins[side]
            elif (marks[0] | marks[1]).bit_count() == cells:
                yield tuple(moves), Verdict.DRAW
            elif worth is None or worth(marks[0], marks[1]):
                cell = 0
                continue
        elif len(moves) == len(prefix):
            return
        # Undo the last move exactly and go on with the cell after it.
        cell = moves.pop()
        marks[(first + len(moves) - len(prefix)) & 1] ^= 1 << cell
        cell += 1
