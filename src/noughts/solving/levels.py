"""Opponents of four strengths, and what is known about each move within a given time.

Who is asked about a position depends on its board:

==============================  ==========================================================
up to 9 cells, or with a table  every value is looked up at once
up to 64 cells                  the solver, which may not come to an end within the time
larger, or without numpy        only what threats decide: a line now, or two threats at once
==============================  ==========================================================

Where nothing is proved, lines decide: one that still lacks n marks weighs 2**-n, whoever it
belongs to. (Erdős and Selfridge: whoever always takes the heaviest cell holds the other side if
all lines together weigh less than 1.) Such moves never claim to be more than that.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from noughts.errors import IllegalMove, LimitExceeded, MissingExtra
from noughts.rules.grid import Direction, Grid, cells_of
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.solving import minimax
from noughts.solving.limits import Limits
from noughts.solving.tables import Table, find_table, tables_folder
from noughts.solving.values import MoveValue, Solution, Value, finished, value_of_move

if TYPE_CHECKING:
    from noughts.solving.solver import Solver

__all__ = ["Choice", "Level", "Values", "choose_move", "in_words", "value_moves", "why_open"]

SOLVER_CELLS = 64
"""What the solver takes at most; it knows itself, but to ask it would load numpy."""

_NEARBY = 2  # on larger boards, cells further from all marks than this are not worth a look
_VALUED_CELLS = 1024  # on still larger boards not every move is valued, but only nearby ones

_SIGHT = 0.5  # how often a beginner sees a win
_OVERSIGHT = 1 / 6  # how often a casual player overlooks a threat
_FOG = 1.0  # how far a casual player may be off in weighing a cell
_SLIP = 1 / 8  # how often a strong player makes a mistake

_CANDIDATES, _EQUALS = 8, 4  # moves that are searched if nothing is proved; if the value is
_TRICK_SECONDS = 0.5  # at most, for choosing among equals
_WIN_SECONDS = 0.3  # at most, for finding several winning moves, or one where that is too hard


class Level(StrEnum):
    """How well the solver plays, from the weakest on."""

    BEGINNER = "beginner"  # at random; of wins at once, sees every other
    CASUAL = "casual"  # wins at once, overlooks one threat in six, has an eye for lines
    STRONG = "strong"  # perfect, but for one move in eight, which is second best
    PERFECT = "perfect"  # the best move, as far as it can be proved in time


@dataclass(frozen=True)
class Choice:
    """A move that was chosen, and what is known about it: nothing where nobody looked.

    `note` says why not everything is known on this board, if that is so.
    """

    move: int
    known: MoveValue | None = None
    note: str = ""

    @property
    def why(self) -> str:
        """What the move leads to, in words; nothing where nobody looked."""
        return "" if self.known is None else in_words(self.known)


@dataclass(frozen=True)
class Values:
    """What is known about every move, from best to worst, and why it is not all."""

    moves: tuple[MoveValue, ...]
    note: str = ""


def in_words(known: MoveValue) -> str:
    """Say what a move leads to; what is not proved says so.

    >>> in_words(MoveValue(4, Value.WIN, Value.WIN, 5)), in_words(MoveValue(4, Value.DRAW))
    ('wins in 5', 'not proved: at least a draw')
    """
    if known.value is Value.DRAW:
        return "a draw"
    if known.value is not None:
        verb = "wins" if known.value is Value.WIN else "loses"
        return verb if known.plies is None else f"{verb} in {known.plies}"
    if known.at_least is Value.DRAW:
        return "not proved: at least a draw"
    return "not proved: at most a draw" if known.at_most is Value.DRAW else "not proved"


def choose_move(
    position: GridPosition,
    level: Level | str = Level.PERFECT,
    limits: Limits | None = None,
    rng: Random | None = None,
) -> Choice:
    """Return the move that a player of this level makes.

    `limits` are for the whole choice. A perfect player wins as quickly and loses as slowly as
    possible, and among equal moves prefers those after which the opponent has more ways to go
    wrong; it is deterministic without `rng`, as far as the time suffices. Weaker levels need
    luck, and without `rng` each call has its own.

    >>> choice = choose_move(GridPosition.parse("XX./OO./..."))
    >>> choice.move, choice.why
    (2, 'wins in 1')
    """
    level = Level(level)
    if position.outcome is not None:
        raise IllegalMove(f"the game is over: {position.outcome}")
    if level is Level.BEGINNER:
        return Choice(_beginner(position, rng or Random()))
    if level is Level.CASUAL:
        return Choice(_casual(position, rng or Random()))
    limits = limits or Limits()
    judge = _judge(position.grid, limits)
    if level is Level.STRONG:
        return Choice(_strong(position, judge, limits, rng or Random()))
    known = _perfect(position, judge, limits, rng)
    return Choice(known.move, known, "" if known.value else judge.note)


def value_moves(position: GridPosition, limits: Limits | None = None) -> Values:
    """Return what can be found out about every legal move, the time being for all together.

    >>> [in_words(known) for known in value_moves(GridPosition.parse("X../.O./..X")).moves]
    ['a draw', 'a draw', 'a draw', 'a draw', 'loses in 4', 'loses in 4']
    """
    limits = limits or Limits()
    judge = _judge(position.grid, limits)
    moves = position.legal_moves
    looked_at = moves if position.grid.cells <= _VALUED_CELLS else _by_weight(position)
    found = {known.move: known for known in judge.values(position, looked_at, _Clock(limits))}
    known = [found.get(move) or MoveValue(move) for move in moves]
    note = "" if all(each.value for each in known) else judge.note
    return Values(tuple(sorted(known, key=lambda each: (each.order, each.move))), note)


def why_open(grid: Grid) -> str:
    """Say why not everything on a grid was proved, if that is so."""
    if grid.cells > SOLVER_CELLS:
        return f"boards of more than {SOLVER_CELLS} cells are too large to be solved"
    return "the time was not enough for a proof"


# -- the levels --------------------------------------------------------------------------


def _beginner(position: GridPosition, rng: Random) -> int:
    """Play at random, but see a win half of the time."""
    mine, _, empty = _sides(position)
    wins = cells_of(_completions(position.grid, mine, empty))
    if wins and rng.random() < _SIGHT:
        return rng.choice(wins)
    return rng.choice(position.legal_moves)


def _casual(position: GridPosition, rng: Random) -> int:
    """Win, mostly block, else take a heavy cell; how heavy, is not seen precisely."""
    mine, theirs, empty = _sides(position)
    if wins := cells_of(_completions(position.grid, mine, empty)):
        return rng.choice(wins)
    blocks = cells_of(_completions(position.grid, theirs, empty))
    if blocks and rng.random() >= _OVERSIGHT:
        return rng.choice(blocks)
    weights = _weights(position)
    return max(weights, key=lambda cell: weights[cell] * (1 + _FOG * rng.uniform(-1, 1)))


def _strong(position: GridPosition, judge: _Judge, limits: Limits, rng: Random) -> int:
    """Play perfectly, but now and then the second best move; never one that loses at once."""
    if rng.random() >= _SLIP:
        return _perfect(position, judge, limits, rng).move
    moves = _by_weight(position)
    if not judge.is_quick:
        moves = moves[:_CANDIDATES]
    known = sorted(judge.values(position, moves, _Clock(limits)), key=lambda each: each.order)
    best = known[0]
    for each in known:
        gives_away = each.order[:2] > best.order[:2]  # not only a win that takes longer
        if gives_away and best.plies != 1 and each.plies != 2:
            return each.move
    return best.move


def _perfect(
    position: GridPosition, judge: _Judge, limits: Limits, rng: Random | None
) -> MoveValue:
    """Choose the best move that is known, and among equals the one that asks most."""
    clock = _Clock(limits)
    moves = _by_weight(position)
    known = judge.candidates(position, moves, clock)
    best_order = min(map(_order, known))
    best = [each for each in known if _order(each) == best_order]
    if best[0].value is None:
        # Nothing is proved, so weight decides; the heaviest come first.
        weights = _weights(position)
        heaviest = max(weights[each.move] for each in best)
        best = [each for each in best if weights[each.move] == heaviest]
    elif len(best) > 1 and judge.knows_replies:
        best = _trickiest(position, best, judge, clock)
    return rng.choice(best) if rng else best[0]


def _order(known: MoveValue) -> tuple[int, int, int]:
    """Sort from best to worst, a win of unknown length behind those that are known."""
    at_least, at_most, plies = known.order
    is_vague = known.value is Value.WIN and known.plies is None
    return at_least, at_most, 1 << 30 if is_vague else plies


def _trickiest(
    position: GridPosition, equals: list[MoveValue], judge: _Judge, clock: _Clock
) -> list[MoveValue]:
    """Keep the moves after which most replies are mistakes; all of them if time runs out.

    A reply that gives away a win or a draw is one; if no move has those, a win that takes
    longer or a loss that comes sooner than it must.
    """
    clock = clock.within(_TRICK_SECONDS)
    mistakes = []
    for each in equals:
        after = position.play_unchecked(each.move)
        replies = judge.values(after, after.legal_moves, clock)
        if clock.is_over and not judge.is_quick:
            return equals
        best = min(replies, key=lambda reply: reply.order, default=None)
        worse = sum(best is not None and reply.value is not best.value for reply in replies)
        clumsy = sum(best is not None and reply.order > best.order for reply in replies)
        mistakes.append((worse, clumsy))
    return [each for each, count in zip(equals, mistakes, strict=True) if count == max(mistakes)]


# -- who is asked ------------------------------------------------------------------------


class _Clock:
    """The time that is left for a choice; None if there is no limit."""

    def __init__(self, limits: Limits) -> None:
        self.end = None if limits.seconds is None else time.monotonic() + limits.seconds

    @property
    def left(self) -> float | None:
        """Seconds, at least some thousandths: none at all cannot be asked for."""
        return None if self.end is None else max(self.end - time.monotonic(), 0.005)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.end is not None and time.monotonic() >= self.end

    def share(self, parts: int) -> float | None:
        """Return a part of the time that is left."""
        return None if self.left is None else self.left / max(parts, 1)

    def within(self, seconds: float) -> _Clock:
        """Return a clock that stops after so many seconds, or when this one does."""
        clock = _Clock(Limits(seconds=seconds))
        if self.end is not None and clock.end is not None:
            clock.end = min(self.end, clock.end)
        return clock


class _Judge(ABC):
    """Tells what is known about a position."""

    is_quick = True  # answers at once
    knows_replies = True  # it makes sense to ask about every reply to every move
    note = ""  # why not everything is proved

    @abstractmethod
    def solution(self, position: GridPosition, seconds: float | None) -> Solution:
        """Return what can be found out about a position in this time."""

    def values(
        self, position: GridPosition, moves: list[int], clock: _Clock, whole: Solution | None = None
    ) -> list[MoveValue]:
        """Return what can be found out about moves; with `whole`, until some are as good as it."""
        known: list[MoveValue] = []
        solved: dict[GridPosition, Solution] = {}  # mirror images are searched once
        best = 0
        for number, move in enumerate(moves):
            after = position.play_unchecked(move)
            key = after if self.is_quick else after.canonical()
            if key not in solved and (self.is_quick or not clock.is_over):
                solved[key] = self.solution(key, clock.share(len(moves) - number))
            found = value_of_move(move, solved.get(key) or Solution(key))
            known.append(found)
            if whole is not None:
                best += (found.value, found.plies) == (whole.value, whole.plies)
                if best == _EQUALS:
                    break
        return known

    def candidates(
        self, position: GridPosition, moves: list[int], clock: _Clock
    ) -> list[MoveValue]:
        """Return the moves to choose from, among them a best one if that is known."""
        return self.values(position, moves, clock)


class _Lookup(_Judge):
    """Knows everything: from a table, or a board so small that it is looked through."""

    def __init__(self, lookup: Callable[[GridPosition], tuple[Value, int | None]]) -> None:
        self.lookup = lookup

    def solution(self, position: GridPosition, seconds: float | None) -> Solution:
        value, plies = self.lookup(position)
        return Solution(position, value, value, plies)


class _Threats(_Judge):
    """Knows what threats decide, and when somebody can make no line any more; at once."""

    knows_replies = False

    def __init__(self, note: str) -> None:
        self.note = note

    def solution(self, position: GridPosition, seconds: float | None) -> Solution:
        if position.outcome is not None:
            return finished(position)
        grid = position.grid
        mine, theirs, empty = _sides(position)
        if _completions(grid, mine, empty):
            return Solution(position, Value.WIN, Value.WIN, 1)
        blocks = _completions(grid, theirs, empty)
        if blocks & (blocks - 1):
            return Solution(position, Value.LOSS, Value.LOSS, 2)  # one of two can be blocked
        forks = _forks(grid, mine, empty)
        if forks & blocks if blocks else forks:
            return Solution(position, Value.WIN, Value.WIN, 3)
        at_least = Value.LOSS if grid.has_line(theirs | empty) else Value.DRAW
        at_most = Value.WIN if grid.has_line(mine | empty) else Value.DRAW
        return Solution(position, at_least, at_most)


class _Search(_Judge):
    """Asks the solver, which remembers what it found for the next question."""

    is_quick = False

    def __init__(self, grid: Grid, limits: Limits) -> None:
        self.note = why_open(grid)
        self.limits = limits
        self.solver = _solver(grid, limits.memory, limits.notice)

    def solution(self, position: GridPosition, seconds: float | None) -> Solution:
        return self._solve(position, seconds)

    def _solve(
        self, position: GridPosition, seconds: float | None, with_line: bool = False
    ) -> Solution:
        self.solver.limits = replace(self.limits, seconds=seconds, checkpoint=None)
        return self.solver.solve(position, with_line=with_line)

    def candidates(
        self, position: GridPosition, moves: list[int], clock: _Clock
    ) -> list[MoveValue]:
        whole = self.solution(position, clock.share(2))
        if whole.value is Value.WIN:
            quick = self.values(position, moves, clock.within(_WIN_SECONDS), whole)
            best = [each for each in quick if each.value is Value.WIN and each.plies == whole.plies]
            return best or self._proved(position, clock) or quick
        if whole.value is None:
            moves = moves[:_CANDIDATES]  # at least none of them is chosen that loses soon
        known = self.values(position, moves, clock, whole if whole.value is Value.DRAW else None)
        if whole.value and all(each.value is not whole.value for each in known):
            known = self._proved(position, clock) or known
        # No move is better than the position, even where the time was too short to see it.
        return [
            replace(each, at_most=min(each.at_most, whole.at_most, key=lambda value: value.rank))
            for each in known
        ]

    def _proved(self, position: GridPosition, clock: _Clock) -> list[MoveValue]:
        """Return a best move of a position that was solved just now, from the solver's line."""
        seconds = clock.within(_WIN_SECONDS).left  # the rest of the line would take its time, too
        whole = self._solve(position, seconds, with_line=True)
        return [MoveValue(move, whole.at_least, whole.at_most, whole.plies) for move in whole.best]


def _judge(grid: Grid, limits: Limits) -> _Judge:
    table = _table(grid, tables_folder())
    if table is not None:
        return _Lookup(table.lookup)
    if grid.cells <= minimax.MAX_CELLS:
        return _Lookup(minimax.evaluate)
    if grid.cells > SOLVER_CELLS:
        return _Threats(why_open(grid))
    try:
        return _Search(grid, limits)
    except (LimitExceeded, MissingExtra) as error:
        return _Threats(str(error))


@lru_cache(maxsize=8)
def _table(grid: Grid, folder: Path) -> Table | None:
    """Return the table of a grid that is installed in the folder, checked once."""
    return find_table(grid)


@lru_cache(maxsize=1)
def _solver(grid: Grid, memory: int, notice: Callable[[str], None]) -> Solver:
    """Return the solver of a grid, ready: compiling and loading are not taken off a move's time."""
    from noughts.solving.solver import Solver

    solver = Solver(grid, Limits(nodes=1, memory=memory, notice=notice))
    solver.solve(GridPosition.start(grid), with_line=False)
    return solver


# -- threats -----------------------------------------------------------------------------
#
# As in `rules/grid.py`, the marks are shifted onto each other, for all lines at once. With
# m[i] = marks >> i*step, bit s of m[0] & m[1] & m[3] says: of the line of four that starts in
# cell s, all but the cell s + 2*step are marked.


def _sides(position: GridPosition) -> tuple[int, int, int]:
    """Return the cells of the side to move, of the other side, and the empty ones."""
    mine, theirs = position.x, position.o
    if position.turn is Player.O:
        mine, theirs = theirs, mine
    return mine, theirs, position.grid.full & ~(mine | theirs)


def _completions(grid: Grid, marks: int, empty: int) -> int:
    """Return the empty cells in which one more mark completes a line."""
    if marks.bit_count() < grid.k - 1:
        return 0
    found = 0
    for direction in grid.directions:
        shifted, behind = _shifted(direction, marks, grid.k)
        before = direction.starts
        for i in range(grid.k):
            found |= (before & behind[i]) << i * direction.step
            before &= shifted[i]
    return found & empty


def _forks(grid: Grid, marks: int, empty: int) -> int:
    """Return the empty cells in which one more mark makes two completions at once."""
    if marks.bit_count() < grid.k - 2:
        return 0
    once = twice = 0
    for direction in grid.directions:
        step = direction.step
        shifted, behind = _shifted(direction, marks, grid.k)
        free, _ = _shifted(direction, empty, grid.k)
        makes: dict[int, int] = {}  # from a distance to the cells that threaten that far away
        before = direction.starts
        for i in range(grid.k - 1):
            between = before & free[i]
            for j in range(i + 1, grid.k):
                if not between:
                    break
                both = between & behind[j] & free[j]
                makes[j - i] = makes.get(j - i, 0) | both << i * step
                makes[i - j] = makes.get(i - j, 0) | both << j * step
                between &= shifted[j]
            before &= shifted[i]
        for cells in makes.values():
            twice |= once & cells
            once |= cells
    return twice


def _shifted(direction: Direction, mask: int, k: int) -> tuple[list[int], list[int]]:
    """Return the mask shifted by 0 to k - 1 steps, and for each what all later ones share."""
    shifted = [mask >> i * direction.step for i in range(k)]
    behind = [direction.starts] * k
    for i in range(k - 2, -1, -1):
        behind[i] = behind[i + 1] & shifted[i + 1]
    return shifted, behind


# -- weights -----------------------------------------------------------------------------


def _weights(position: GridPosition) -> dict[int, float]:
    """Return the weight of every cell that is worth a look: of its lines open to one side."""
    mine, theirs, _ = _sides(position)
    weights = {}
    for cell in _worth_a_look(position):
        weight = 0.0
        for line in position.grid.lines_through(cell):
            own = sum(mine >> each & 1 for each in line)
            other = sum(theirs >> each & 1 for each in line)
            if not own or not other:
                weight += 2.0 ** (own + other - len(line))
                if not own and not other:
                    weight += 2.0 ** -len(line)  # it may become anybody's
        weights[cell] = weight
    return weights


def _worth_a_look(position: GridPosition) -> list[int]:
    """Return the legal moves; on large boards only those near a mark, or near the centre."""
    grid = position.grid
    if grid.cells <= SOLVER_CELLS:
        return position.legal_moves
    taken = position.x | position.o
    near = set()
    for cell in cells_of(taken) or [grid.rows // 2 * grid.cols + grid.cols // 2]:
        row, col = divmod(cell, grid.cols)
        for near_row in range(max(row - _NEARBY, 0), min(row + _NEARBY + 1, grid.rows)):
            for near_col in range(max(col - _NEARBY, 0), min(col + _NEARBY + 1, grid.cols)):
                near.add(near_row * grid.cols + near_col)
    return sorted(cell for cell in near if not taken >> cell & 1) or position.legal_moves


def _by_weight(position: GridPosition) -> list[int]:
    """Return the moves that are worth a look, the heaviest first; of equals the most central."""
    grid = position.grid
    weights = _weights(position)

    def key(cell: int) -> tuple[float, int, int]:
        row, col = divmod(cell, grid.cols)
        off_centre = abs(2 * row - grid.rows + 1) + abs(2 * col - grid.cols + 1)
        return -weights[cell], off_centre, cell

    return sorted(weights, key=key)
