"""Opponents for people, from a beginner to full strength, at Ultimate and on grids.

At Ultimate each level is described by what it does. The lower ones look at the board as people
do when they start; the upper ones think with the engine, each about ten times as long as the
one below. On grids the levels are those of `noughts.solving.levels`; where the solver has no
proof in time, the best of them asks the engine.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from noughts.engine.engine import CONTEMPT, Engine
from noughts.engine.estimate import MoveEstimate
from noughts.engine.examine import examine
from noughts.engine.limit import Limit
from noughts.errors import IllegalMove, LimitExceeded, MissingExtra, NotationError, brief
from noughts.rules.grid import Grid
from noughts.rules.player import Player
from noughts.rules.position import GridPosition, Position, require_game
from noughts.rules.ultimate import FULL, HAS_LINE, UltimatePosition
from noughts.solving import levels as grid_levels
from noughts.solving.limits import Limits
from noughts.solving.values import MoveValue

__all__ = [
    "GRID_LEVELS",
    "ULTIMATE_LEVELS",
    "Choice",
    "Values",
    "choose_move",
    "in_words",
    "is_looked_into",
    "levels_of",
    "value_moves",
]

_SIMULATIONS = {"skilled": 40, "strong": 400, "expert": 4_000}

ULTIMATE_LEVELS: Mapping[str, str] = MappingProxyType(
    {
        "beginner": "plays anywhere, but sees every other board that can be captured",
        "casual": "captures and blocks boards, and looks where the move sends the opponent",
        "skilled": f"tries {_SIMULATIONS['skilled']} lines of play",
        "strong": f"tries {_SIMULATIONS['strong']} lines of play",
        "expert": f"tries {_SIMULATIONS['expert']:,} lines of play",
        "full": "thinks for all of its time",
    }
)
"""The levels at Ultimate, from the weakest on, each with what it does."""

GRID_LEVELS: Mapping[str, str] = MappingProxyType(
    {
        "beginner": "plays anywhere, but sees every other line that can be completed",
        "casual": "completes lines, overlooks one threat in six, has an eye for open lines",
        "strong": "perfect, but for one move in eight, which is second best",
        "perfect": "the best move, as far as it can be proved in time; else the engine's",
    }
)
"""The levels on grids, from the weakest on, each with what it does."""

_SIGHT = 0.5  # how often a beginner sees a board that can be captured
_FOG = 1.0  # how far a casual player may be off in weighing a move
_PROOF_SHARE = 0.5  # of the time goes to the solver before the engine is asked


@dataclass(frozen=True)
class Choice:
    """A move that was chosen, and what is thought or known about it; nothing where nobody looked.

    `note` says why not everything is known on this board, if that is so.
    """

    move: int
    known: MoveEstimate | MoveValue | None = None
    note: str = ""


@dataclass(frozen=True)
class Values:
    """What is known or thought of every move, from best to worst, and why it is not all proved."""

    moves: tuple[MoveEstimate | MoveValue, ...]
    note: str = ""

    @property
    def labels(self) -> dict[int, str]:
        """A short label for every move that was looked into, for drawings."""
        return {known.move: known.label for known in self.moves if is_looked_into(known)}


def is_looked_into(known: MoveEstimate | MoveValue) -> bool:
    """Return whether more is behind this than how a move looks at first sight."""
    return not isinstance(known, MoveEstimate) or known.is_proved or known.visits > 0


def in_words(known: MoveEstimate | MoveValue | None) -> str:
    """Say what a move leads to: ``wins in 5`` is proved, ``~ 61 %`` is an estimate.

    >>> in_words(MoveEstimate(4, 0.611, 900)), in_words(None)
    ('~ 61 %', '')
    """
    if known is None:
        return ""
    if isinstance(known, MoveEstimate):
        if known.value is None:
            return str(known)
        known = MoveValue(known.move, known.value, known.value, known.plies)
    return grid_levels.in_words(known)


def levels_of(game: Grid | UltimatePosition | Position) -> Mapping[str, str]:
    """Return the levels of a game, from the weakest on, each with what it does."""
    return ULTIMATE_LEVELS if isinstance(game, UltimatePosition) else GRID_LEVELS


def choose_move(
    position: Position,
    level: str,
    limit: Limit | None = None,
    rng: Random | None = None,
    engine: Engine | None = None,
    solver: Limits | None = None,
) -> Choice:
    """Return the move that a player of this level makes.

    An engine that is handed in keeps what it learnt for the next move. `solver` is what solving
    on grids may use and whom it tells, but for its time and nodes, which are part of `limit`.
    """
    require_game(position)
    if level not in levels_of(position):
        known = ", ".join(levels_of(position))
        raise NotationError(f"{brief(level)} is not a level of {position.game}: {known}")
    if position.outcome is not None:
        raise IllegalMove(f"the game is over: {position.outcome}")
    limit = limit or Limit()
    if isinstance(position, UltimatePosition):
        rng = rng or Random()
        if level == "beginner":
            return Choice(_beginner(position, rng))
        if level == "casual":
            return Choice(_casual(position, rng))
        if level in _SIMULATIONS:
            # Made anew for each move, and so never stronger than its level, nor predictable.
            engine = Engine(rng.getrandbits(32), contempt=CONTEMPT)
            limit = Limit(seconds=limit.seconds, nodes=_SIMULATIONS[level])
        engine = engine or Engine(rng.getrandbits(32), contempt=CONTEMPT)
        best = engine.analyse(position, limit).best
        return Choice(best.move, best)
    assert isinstance(position, GridPosition)
    return _on_grid(position, level, limit, rng, engine, solver or Limits())


def _on_grid(
    position: GridPosition,
    level: str,
    limit: Limit,
    rng: Random | None,
    engine: Engine | None,
    solver: Limits,
) -> Choice:
    """Ask the solver, and the engine if it has no proof."""
    begin = time.monotonic()
    share = _PROOF_SHARE if level == "perfect" else 1.0  # the others have no use for the rest
    choice = grid_levels.choose_move(position, level, _for_proofs(solver, limit, share), rng)
    if level != "perfect" or (choice.known and choice.known.value):
        return Choice(choice.move, choice.known, choice.note)
    try:
        best = (engine or Engine()).analyse(position, _left(limit, begin)).best
    except (LimitExceeded, MissingExtra):
        return Choice(choice.move, choice.known, choice.note)
    return Choice(best.move, best, choice.note)


def value_moves(
    position: Position,
    limit: Limit | None = None,
    engine: Engine | None = None,
    solver: Limits | None = None,
) -> Values:
    """Return what is known of every legal move, and what the engine thinks where that is nothing.

    `engine` and `solver` are as in `choose_move`; the limit is for all moves together.

    >>> value_moves(GridPosition.parse("X../.O./..X")).labels
    {1: 'D', 3: 'D', 5: 'D', 7: 'D', 2: 'L4', 6: 'L4'}
    """
    limit, solver = limit or Limit(), solver or Limits()
    try:
        found = examine(position, limit, engine=engine, solver=solver)
    except (LimitExceeded, MissingExtra):
        if not isinstance(position, GridPosition):
            raise
        proofs = grid_levels.value_moves(position, _for_proofs(solver, limit, 1.0))
        return Values(proofs.moves, proofs.note)
    if not isinstance(position, GridPosition) or all(each.is_proved for each in found.moves):
        return Values(found.moves)
    return Values(found.moves, grid_levels.why_open(position.grid))


def _for_proofs(solver: Limits, limit: Limit, share: float) -> Limits:
    """Return what the solver may use: a share of the time, and all of the nodes."""
    seconds = None if limit.seconds is None else limit.seconds * share
    return replace(solver, seconds=seconds, nodes=limit.nodes)


def _left(limit: Limit, begin: float) -> Limit:
    """Return the limit with the time that is left since the beginning."""
    if limit.seconds is None:
        return limit
    return replace(limit, seconds=max(limit.seconds - (time.monotonic() - begin), 0.001))


# -- looking as people do ----------------------------------------------------------------


def _beginner(position: UltimatePosition, rng: Random) -> int:
    """Play anywhere, but see half of the boards that can be captured."""
    moves = position.legal_moves
    if rng.random() < _SIGHT:
        captures = [move for move in moves if _captures(position, move, position.turn)]
        moves = captures or moves
    return rng.choice(moves)


def _casual(position: UltimatePosition, rng: Random) -> int:
    """Weigh every move by what it captures, blocks and allows; not quite precisely."""
    return max(
        position.legal_moves,
        key=lambda move: _weight(position, move) + _FOG * rng.uniform(-1, 1),
    )


def _weight(position: UltimatePosition, move: int) -> float:
    """Return how good a move looks to somebody who looks at the next two moves."""
    turn = position.turn
    after = position.play_unchecked(move)
    if after.outcome:
        return 100.0 * _result(after, turn)
    weight = 0.5 * (move % 9 == 4) + 0.5 * (move // 9 == 4)
    if _captures(position, move, turn):
        weight += 4.0
    if _captures(position, move, turn.other):
        weight += 2.0
    if after.forced is None:
        weight -= 2.0
    replies = [reply for reply in after.legal_moves if _captures(after, reply, turn.other)]
    if any(_result(after.play_unchecked(reply), turn) < 0 for reply in replies):
        return weight - 100.0
    return weight - 3.0 * bool(replies)


def _result(position: UltimatePosition, player: Player) -> int:
    """Return 1 if a player has won, -1 if the other side has, else 0."""
    winner = position.outcome.winner if position.outcome else None
    return 0 if winner is None else 1 if winner is player else -1


def _captures(position: UltimatePosition, move: int, player: Player) -> bool:
    """Return whether a mark of a player would capture the board that it is in."""
    board, cell = divmod(move, 9)
    marks = (position.x if player is Player.X else position.o) >> 9 * board & FULL
    is_taken = any(boards >> board & 1 for boards in position.captured)
    return not is_taken and HAS_LINE[marks | 1 << cell]
