"""Players at Ultimate.

The lower two look at the board as people do when they start. The others search with the engine,
each about ten times as long as the one below.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from noughts.engine.engine import CONTEMPT, Engine
from noughts.limits import Limits
from noughts.players.levels import Level
from noughts.rules.player import Player
from noughts.rules.ultimate import FULL, HAS_LINE, UltimatePosition
from noughts.values import MoveValue

__all__ = ["choose"]

_CAPTURE_SEEN = 0.5  # how often a beginner sees a board that can be captured
_NOISE = 1.0  # how far a casual player may be off in weighing a move


def choose(
    position: UltimatePosition, level: Level, limits: Limits, rng: Random, engine: Engine | None
) -> MoveValue:
    """Return the move of a level."""
    if level.name == "beginner":
        return MoveValue(_beginner(position, rng))
    if level.name == "casual":
        return MoveValue(_casual(position, rng))
    if level.simulations is not None:
        # Made anew for each move, and so never stronger than its level, nor predictable.
        engine = Engine(rng.getrandbits(32), contempt=CONTEMPT)
        limits = replace(limits, nodes=level.simulations, threads=1)
    engine = engine or Engine(rng.getrandbits(32), contempt=CONTEMPT)
    return engine.analyse(position, limits).best


def _beginner(position: UltimatePosition, rng: Random) -> int:
    """Play anywhere, but see half of the boards that can be captured."""
    moves = position.legal_moves
    if rng.random() < _CAPTURE_SEEN:
        captures = [move for move in moves if _captures(position, move, position.turn)]
        moves = captures or moves
    return rng.choice(moves)


def _casual(position: UltimatePosition, rng: Random) -> int:
    """Weigh every move by what it captures, blocks and allows; not quite precisely."""
    return max(
        position.legal_moves,
        key=lambda move: _weight(position, move) + _NOISE * rng.uniform(-1, 1),
    )


def _weight(position: UltimatePosition, move: int) -> float:
    """Return how good a move looks by looking at the next two moves."""
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
