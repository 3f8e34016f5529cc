"""All games in lexicographic order, by backtracking; and the i-th without listing the others.

`Games` is to games what `range` is to numbers: nothing is stored, and yet each game can be
found by its number. The number of a game is the number of games before it. To find it, or the
game with a given number, the counts of the games that begin with each next move are enough,
and a sweep counts them without playing any.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, overload

from noughts.counting.dispatch import Where, grid_position_of
from noughts.counting.games import sweep_games
from noughts.counting.runner import Runner
from noughts.errors import (
    IllegalMove,
    NotationError,
    NoughtsError,
    OutOfRange,
    SizeError,
    brief,
    whole_number,
)
from noughts.limits import MOST_SEED, Limits
from noughts.rules.player import Player, Verdict
from noughts.rules.position import GridPosition

if TYPE_CHECKING:
    from noughts.counting.backtracking import Block

__all__ = ["GameSlice", "Games", "Moves", "games"]

Moves = tuple[int, ...]

_PRUNE_FROM = 9
"""With this many empty cells, counting the games of an outcome is quicker than listing them."""


_MOST_IN_BLOCK = 1 << 24
_MOST_KNOWN = 100_000
"""Counts kept for the next call; beyond that all are forgotten, to bound the memory."""


def games(where: Where) -> Iterator[Moves]:
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

    They may be limited to those that begin with certain moves (numbers, names, or one text),
    and to an outcome (``X_wins``, ``O_wins`` or ``draw``). Games include the moves of the prefix.
    `limits` hold for each count that finding a game takes, as in `noughts.count`.
    The sequence has indices, slices, `reversed`, `in` and `index`, but `total` for ``len()``,
    which Python limits to 2**63.

    >>> everything = Games("4x4x3")
    >>> everything.total
    1281016086768
    >>> everything[10**12]
    (12, 10, 7, 3, 6, 9, 8, 0, 2, 15, 11, 1, 13, 4, 14)
    >>> everything.index(everything[10**12])
    1000000000000
    >>> list(Games("2x2x2")[5:8])
    [(0, 3, 2), (1, 0, 2), (1, 0, 3)]
    """

    def __init__(
        self,
        where: Where,
        *,
        prefix: Sequence[int | str] | str = (),
        outcome: Verdict | str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.start = grid_position_of(where)
        self.outcome = _outcome(outcome)
        self._runner = Runner(limits)
        self._root = self.start
        moves = []
        words = prefix.split() if isinstance(prefix, str) else _moves(prefix, "a prefix")
        for number, move in enumerate(words, 1):
            try:
                moves.append(self._root.number_of(move))
                self._root = self._root.play(moves[-1])
            except IllegalMove as error:
                raise IllegalMove(f"move {number} of the prefix: {error}") from None
        self.prefix = tuple(moves)
        self._known: dict[tuple[int, int], int] = {}

    def __repr__(self) -> str:
        prefix = f", prefix={self.prefix}" if self.prefix else ""
        outcome = f", outcome={self.outcome.value!r}" if self.outcome else ""
        return f"Games({self.start.text!r}{prefix}{outcome})"

    @property
    def total(self) -> int:
        """The number of games."""
        return self._count(self._root)

    @overload
    def __getitem__(self, index: int) -> Moves: ...
    @overload
    def __getitem__(self, index: slice) -> GameSlice: ...

    def __getitem__(self, index: int | slice) -> Moves | GameSlice:
        """Return the game with a number, or a slice of the games; -1 is the last one."""
        if isinstance(index, slice):
            return GameSlice(self, _sliced(range(self.total), index))
        number = _number_in(range(self.total), index)
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

    def index(self, game: Sequence[int | str]) -> int:
        """Return the number of a game, or raise `IllegalMove` if it is not one of these."""
        number, position = 0, self._root
        for move in self._behind_prefix(game):
            move = position.number_of(move)
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
            self.index(game)  # type: ignore[arg-type]  # it refuses other types
        except NoughtsError:
            return False
        return True

    def __iter__(self) -> Iterator[Moves]:
        return self.walk()

    def __reversed__(self) -> Iterator[Moves]:
        return iter(self[::-1])

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
            stop = whole_number(stop, "the number to stop at", least=None)
        if (stop is not None and stop <= first) or (first and first == self.total):
            return iter(())
        resume = self[first][len(self.prefix) :] if first else ()
        may_hold = None if self.outcome is None else self._may_hold
        found = _backtrack(self._root, self.prefix, resume, may_hold)
        wanted = (game for game in found if self.outcome in (None, game[1]))
        return wanted if stop is None else islice(wanted, min(stop - first, sys.maxsize))

    def outcome_of(self, game: Sequence[int | str]) -> Verdict:
        """Return how a game ends."""
        position = self._root
        for move in self._behind_prefix(game):
            position = position.play(move)
        if not position.outcome:
            raise IllegalMove("the game is not finished")
        return position.outcome.verdict

    def walk_after(self, game: Sequence[int | str]) -> Iterator[Moves]:
        """Yield the games that come after one of them, in order; no count is needed for it."""
        self.outcome_of(game)  # refuses what is not one of the games
        moves = tuple(map(self._root.number_of, self._behind_prefix(game)))
        found = _backtrack(self._root, self.prefix, moves, None)
        next(found)
        return (moves for moves, outcome in found if self.outcome in (None, outcome))

    def sample_numbers(self, count: int, seed: int | None = None) -> Iterator[int]:
        """Yield numbers of games drawn uniformly at random, independently of each other."""
        amount = whole_number(count, "a sample")
        if amount and not self.total:
            raise SizeError("there is no such game to draw from")
        if seed is not None:
            seed = whole_number(seed, "seed", most=MOST_SEED)
        rng = random.Random(seed)
        return (rng.randrange(self.total) for _ in range(amount))

    def sample(self, count: int, seed: int | None = None) -> Iterator[Moves]:
        """Yield games drawn uniformly at random, independently of each other."""
        return (self[number] for number in self.sample_numbers(count, seed))

    def blocks(self, size: int = 1 << 16, start: int = 0) -> Iterator[Block]:
        """Yield the games as arrays of up to `size` at a time, from a number on; compiled."""
        from noughts.counting.backtracking import game_blocks

        most = whole_number(size, "size", least=1, most=_MOST_IN_BLOCK)
        resume = self.prefix
        if whole_number(start, "a game's number") or self.outcome:
            if start == self.total:
                return iter(())
            resume = self[start]
        blocks = game_blocks(self.start, self.prefix, resume, most)
        if self.outcome is None:
            return blocks
        kept = (block.ending_as(self.outcome) for block in blocks)
        return (block for block in kept if len(block))

    def _behind_prefix(self, game: Sequence[int | str]) -> tuple[int | str, ...]:
        """Return the moves of a game that follow the prefix."""
        moves = _moves(game, "a game")
        size = len(self.prefix)
        if tuple(map(self._root.number_of, moves[:size])) != self.prefix:
            raise IllegalMove(f"the game does not begin with {list(self.prefix)}")
        return moves[size:]

    def _count(self, position: GridPosition) -> int:
        """Return the number of games from a position on; symmetric ones are counted once."""
        if position.outcome:
            return int(self.outcome in (None, position.outcome.verdict))
        image = position.canonical()
        key = image.x, image.o
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            counts = sweep_games(image, self._runner)
            self._known[key] = {
                None: counts.total,
                Verdict.X_WINS: counts.x_wins,
                Verdict.O_WINS: counts.o_wins,
                Verdict.DRAW: counts.draws,
            }[self.outcome]
        return self._known[key]

    def _may_hold(self, x: int, o: int) -> bool:
        """Return whether there may be games of the outcome below a position, given by its masks."""
        position = GridPosition.unchecked(self.start.grid, x, o)
        if self.start.grid.cells - (x | o).bit_count() < _PRUNE_FROM:
            return True
        return self._count(position) > 0


@dataclass(frozen=True)
class GameSlice:
    """Some of the games, as a `range` of their numbers selects them; nothing is stored."""

    games: Games
    numbers: range

    @property
    def total(self) -> int:
        """The number of games in the slice."""
        return self.numbers.index(self.numbers[-1]) + 1 if self.numbers else 0

    @overload
    def __getitem__(self, index: int) -> Moves: ...
    @overload
    def __getitem__(self, index: slice) -> GameSlice: ...

    def __getitem__(self, index: int | slice) -> Moves | GameSlice:
        """Return the game at a place in the slice, or a slice of it."""
        if isinstance(index, slice):
            return GameSlice(self.games, _sliced(self.numbers, index))
        return self.games[self.numbers[_number_in(range(self.total), index)]]

    def index(self, game: Sequence[int | str]) -> int:
        """Return the place of a game in the slice, or raise `IllegalMove` if it is not there."""
        number = self.games.index(game)
        if number not in self.numbers:
            raise IllegalMove(f"game {number} is not in this slice of the games")
        return self.numbers.index(number)

    def __contains__(self, game: object) -> bool:
        try:
            self.index(game)  # type: ignore[arg-type]  # it refuses other types
        except NoughtsError:
            return False
        return True

    def __iter__(self) -> Iterator[Moves]:
        numbers = self.numbers
        if numbers.step == 1:
            return self.games.walk(numbers.start, numbers.stop)
        if numbers.step == -1:
            return self._backwards()
        return (self.games[number] for number in numbers)

    def _backwards(self) -> Iterator[Moves]:
        """Yield games from the last to the first: short runs, each listed forwards."""
        stop, size = self.numbers.start + 1, 16
        end = self.numbers.stop + 1
        while stop > end:
            first = max(end, stop - size)
            yield from reversed(list(self.games.walk(first, stop)))
            stop, size = first, min(2 * size, 4096)

    def __reversed__(self) -> Iterator[Moves]:
        return iter(self[::-1])


def _sliced(numbers: range, part: slice) -> range:
    """Return a slice of a range; its bounds may be any whole numbers."""
    try:
        return numbers[part]
    except (TypeError, ValueError) as error:
        raise SizeError(f"a slice of games needs whole numbers: {error}") from None


def _number_in(numbers: range, index: int) -> int:
    """Return the number at a place from the beginning, or before the end if negative."""
    number = whole_number(index, "a game's number", least=None)
    try:
        return numbers[number]
    except IndexError:
        raise OutOfRange(
            f"there is no game {brief(number)}: they are numbered 0 to {brief(numbers[-1])}, "
            f"or from {brief(~numbers[-1])} to -1"
            if numbers
            else "this list of games is empty"
        ) from None


def _moves(moves: Iterable[int | str], name: str) -> tuple[int | str, ...]:
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise IllegalMove(f"{name} is a list of moves, not {brief(moves)}")
    return tuple(moves)


def _outcome(outcome: Verdict | str | None) -> Verdict | None:
    if outcome is None:
        return None
    endings = (Verdict.X_WINS, Verdict.O_WINS, Verdict.DRAW)
    if not isinstance(outcome, str) or outcome not in endings:
        raise NotationError(f"an outcome is one of {', '.join(endings)}, not {brief(outcome)}")
    return Verdict(outcome)


def _backtrack(
    root: GridPosition,
    prefix: Moves,
    resume: Moves,
    may_hold: Callable[[int, int], bool] | None,
) -> Iterator[tuple[Moves, Verdict]]:
    """Yield the games from a position on with their outcomes, from the game `resume` on.

    The recursion is spelled out as a loop over its own stack, the moves themselves: it can be
    as deep as the board is large, and a generator pays for every level that it nests. `may_hold`
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
            elif may_hold is None or may_hold(marks[0], marks[1]):
                cell = 0
                continue
        elif len(moves) == len(prefix):
            return
        # Undo the last move exactly and go on with the cell after it.
        cell = moves.pop()
        marks[(first + len(moves) - len(prefix)) & 1] ^= 1 << cell
        cell += 1
