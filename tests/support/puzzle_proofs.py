"""Proofs of puzzles that share nothing with how they were made.

`GridProver` and `UltimateProver` try every move, on sets of cells, with their own copy of the
rules, and leave out only moves that do not stop a threat to complete a line. Draws on large boards
are beyond them; there the proof that noughts writes is checked by `solving.verify`, which knows no
search.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from noughts import GridPosition, Player, Position, UltimatePosition
from noughts.limits import Limits
from noughts.puzzles import Puzzle
from noughts.puzzles.answers import Answer
from noughts.solving import solver_for
from noughts.solving.proofs import proof_of
from noughts.solving.verify import verify
from noughts.values import MoveValue, Value
from support.brute_force import lines_of

__all__ = ["check", "prover_of"]

MOST_EMPTY = 12  # of a grid on which every game is tried
MEMORY = 1 << 28


def cells(mask: int) -> list[int]:
    """Return the cells of a mask, each as a mask."""
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found


class GridProver:
    """Whether a side completes a line within some plies, on one grid."""

    def __init__(self, rows: int, cols: int, k: int) -> None:
        self.lines = lines_of(rows, cols, k)
        self.full = (1 << rows * cols) - 1
        self.k = k
        self.known: dict[tuple[int, int, bool, int], bool] = {}

    def missing(self, marks: int, against: int) -> tuple[int, int]:
        """Return the cells that complete a line at once, and the least number that lacks."""
        completing, least = 0, self.k + 1
        for line in self.lines:
            if not line & against:
                rest = line & ~marks
                lacks = rest.bit_count()
                if lacks == 1:
                    completing |= rest
                least = min(least, lacks)
        return completing, least

    def wins(self, attacker: int, defender: int, mine: bool, plies: int) -> bool:
        """Return whether the attacker, to move if `mine`, wins within these plies."""
        key = attacker, defender, mine, plies
        if key not in self.known:
            self.known[key] = self._wins(*key)
        return self.known[key]

    def _wins(self, attacker: int, defender: int, mine: bool, plies: int) -> bool:
        threats, least = self.missing(attacker, defender)
        dangers, least_of_theirs = self.missing(defender, attacker)
        if not least or not least_of_theirs:
            return not least  # the game is over
        if least > min((plies + mine) // 2, self.k):
            return False  # too far away, or no line is open any more
        empty = self.full & ~(attacker | defender)
        if mine:
            return bool(threats) or any(
                self.wins(attacker | cell, defender, False, plies - 1)
                for cell in cells(dangers) or self.promising(attacker, defender, empty)
            )
        return (
            not dangers
            and bool(empty)
            and all(
                self.wins(attacker, defender | cell, True, plies - 1)
                for cell in cells(threats) or self.promising(attacker, defender, empty)
            )
        )

    def promising(self, attacker: int, defender: int, empty: int) -> list[int]:
        """Return all empty cells; those on the attacker's best lines first, which saves time."""
        weights = dict.fromkeys(cells(empty), 0)
        for line in self.lines:
            if not line & defender:
                weight = 8 ** (line & attacker).bit_count()
                for cell in cells(line & empty):
                    weights[cell] += weight
        return sorted(weights, key=lambda cell: -weights[cell])

    def position_wins(self, position: Position, side: Player, plies: int) -> bool:
        assert isinstance(position, GridPosition)
        x, o = position.x, position.o
        attacker, defender = (x, o) if side is Player.X else (o, x)
        return plies >= 0 and self.wins(attacker, defender, position.turn is side, plies)


BOARD_LINES = lines_of(3, 3, 3)
LINE = [any(mask & line == line for line in BOARD_LINES) for mask in range(512)]
HOPE = [any(not mask & line for line in BOARD_LINES) for mask in range(512)]


class UltimateProver:
    """Whether a side wins Ultimate within some plies."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int, int, bool, int], bool] = {}

    def wins(self, attacker: int, defender: int, forced: int, mine: bool, plies: int) -> bool:
        """Return whether the attacker wins; `forced` is a board, or 9 for any."""
        key = attacker, defender, forced, mine, plies
        if key not in self.known:
            self.known[key] = self._wins(*key)
        return self.known[key]

    def _wins(self, attacker: int, defender: int, forced: int, mine: bool, plies: int) -> bool:
        ours = theirs = closed = 0
        for board in range(9):
            us, them = attacker >> 9 * board & 511, defender >> 9 * board & 511
            ours |= LINE[us] << board
            theirs |= LINE[them] << board
            closed |= (LINE[us] or LINE[them] or us | them == 511) << board
        if LINE[ours] or LINE[theirs] or closed == 511 or not plies:
            return LINE[ours]
        if not HOPE[closed & ~ours]:
            return False  # every line of boards has one that is lost or full
        boards = range(9) if forced == 9 or closed >> forced & 1 else (forced,)
        moves = (
            9 * board + cell
            for board in boards
            if not closed >> board & 1
            for cell in range(9)
            if not (attacker | defender) >> 9 * board + cell & 1
        )
        if mine:
            return any(
                self.wins(attacker | 1 << move, defender, move % 9, False, plies - 1)
                for move in moves
            )
        return all(
            self.wins(attacker, defender | 1 << move, move % 9, True, plies - 1) for move in moves
        )

    def position_wins(self, position: Position, side: Player, plies: int) -> bool:
        assert isinstance(position, UltimatePosition)
        x, o = position.x, position.o
        forced = 9 if position.forced is None else position.forced
        attacker, defender = (x, o) if side is Player.X else (o, x)
        mine = position.turn is side
        return plies >= 0 and self.wins(attacker, defender, forced, mine, plies)


@cache
def prover_of(game: str) -> GridProver | UltimateProver:
    if game == "ultimate":
        return UltimateProver()
    rows, cols, k = map(int, game.split("x"))
    return GridProver(rows, cols, k)


def check(puzzle: Puzzle, answers: Mapping[int, Answer] | None = None) -> int:
    """Prove everything that a puzzle says, and that its solution is the only one.

    The answers may be others than its own. Return how many values were proved.
    """
    answers = puzzle.answers if answers is None else answers
    best = min(answer.known.order for answer in answers.values())
    assert [answer.known.order for answer in answers.values()].count(best) == 1
    prover_of(puzzle.name).known.clear()
    return _check(puzzle.position, answers)


def _check(position: Position, answers: Mapping[int, Answer]) -> int:
    """Prove the value of every move of a position, and of those after the right ones."""
    assert sorted(answers) == position.legal_moves
    proved = 0
    for move, answer in answers.items():
        after = position.play(move)
        _prove(after, answer.known)
        proved += 1
        if answer.reply is not None:
            replied = after.play(answer.reply)
            _prove_reply(replied, answer.known)
            if answer.following:
                assert answer.known.value is Value.WIN
                proved += _check(replied, answer.following)
    return proved


def _prove(after: Position, known: MoveValue) -> None:
    """Prove the value of the move that led to a position."""
    wins = prover_of(after.game).position_wins
    mover, other = after.turn.other, after.turn
    if known.value is Value.DRAW:
        _prove_draw(after)
        return
    assert known.plies is not None
    winner = mover if known.value is Value.WIN else other
    assert wins(after, winner, known.plies - 1)
    assert not wins(after, winner, known.plies - 3)


def _prove_reply(replied: Position, known: MoveValue) -> None:
    """Prove that a reply keeps what the move before it was worth."""
    if known.value is Value.DRAW:
        _prove_draw(replied)
        return
    assert known.plies is not None
    wins = prover_of(replied.game).position_wins
    winner = replied.turn if known.value is Value.WIN else replied.turn.other
    assert wins(replied, winner, known.plies - 2)
    assert not wins(replied, winner, known.plies - 4)


def _prove_draw(position: Position) -> None:
    if not isinstance(position, GridPosition) or position.move_count <= MOST_EMPTY:
        wins = prover_of(position.game).position_wins
        assert not any(wins(position, side, position.size) for side in Player)
        return
    solver = solver_for(position.grid, MEMORY)
    solution = solver.solve(position, Limits(threads=1))
    proved = verify(proof_of(solution, solver.searches).splitlines(keepends=True))
    assert (proved.position, proved.claim) == (position, "draw")
