"""What each move of a game changed: the value before it, the value after it, and a better move.

The review begins at the end of the game: what is proved of a position is known of the move that
led there, so the proofs of the end reach as far back as they can. Where both values are proved it
is certain whether a move changed the result; elsewhere there is an estimate, which says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from noughts.analysis.moves import analyse
from noughts.engine.engine import Engine
from noughts.limits import Clock, LimitParts, Limits, limits_of
from noughts.rules.game import Game, game_of
from noughts.rules.player import Player
from noughts.rules.position import Position
from noughts.values import Analysis, MoveValue, Value, best_first

__all__ = ["Remark", "Review", "review"]

_LEAST_SECONDS = 0.01
_NO_MOVE = -1


@dataclass(frozen=True)
class Remark:
    """What one move changed, seen from the side that made it.

    `before` is the best move there was and what the position was worth with it; `after` is the
    move that was made and what it led to. Each has a value where that is proved.
    """

    number: int
    player: Player
    before: MoveValue
    after: MoveValue

    @property
    def is_proved(self) -> bool:
        """Whether both values are proved."""
        return self.before.is_proved and self.after.is_proved

    @property
    def changed(self) -> bool | None:
        """Whether the move changed the result of the game; None where that is not proved."""
        return self.before.value is not self.after.value if self.is_proved else None

    @property
    def cost(self) -> float:
        """How much of the expected result the move gave away: 0 for the best, 1 for a whole win."""
        return self.before.score - self.after.score

    def __str__(self) -> str:
        """Say it in words: a proof is certain, an estimate has percents."""
        if self.changed is None:
            return f"{self.before} before, {self.after} after"
        before = self.before.value
        return f"threw away the {before}" if self.changed else f"stays a {before}"


@dataclass(frozen=True)
class Review:
    """What the moves of a game changed, in their order; while it is made, only of the last ones."""

    game: Game[Any]
    remarks: tuple[Remark, ...]

    @property
    def turning_points(self) -> tuple[Remark, ...]:
        """The moves that are proved to have changed the result."""
        return tuple(remark for remark in self.remarks if remark.changed)

    def to_json(self) -> dict[str, object]:
        """Return the review as plain data for JSON."""
        name = self.game.start.move_name
        return {
            "game": self.game.text,
            "moves": [
                {
                    "number": remark.number,
                    "player": remark.player.value,
                    "move": name(remark.after.move),
                    "best": name(remark.before.move),
                    "before": remark.before.to_json(),
                    "after": remark.after.to_json(),
                    "changed": remark.changed,
                    "cost": round(remark.cost, 4),
                    "text": str(remark),
                }
                for remark in self.remarks
            ],
        }


def review(
    where: Game[Any] | Position | str,
    limits: Limits | None = None,
    on_progress: Callable[[Review], None] | None = None,
    **parts: Unpack[LimitParts],
) -> Review:
    """Say what each move played in a game changed.

    The limits are for the whole game; without any it is a second. `on_progress` gets after each
    move what is known so far.

    >>> found = review("3x3x3 a1 b1 c3")
    >>> [str(remark) for remark in found.remarks]
    ['stays a draw', 'threw away the draw', 'threw away the win']
    >>> found.game.start.move_name(found.remarks[2].before.move)
    'a2'
    """
    game = game_of(where)
    limits = limits_of(limits, **parts)
    if limits.seconds is None and limits.nodes is None:
        limits = replace(limits, seconds=1.0)
    clock, nodes = Clock(limits.seconds), 0
    engine = Engine()

    def look(position: Position, positions_left: int) -> Analysis:
        nonlocal nodes
        seconds = limits.seconds and max(clock.left / positions_left, _LEAST_SECONDS)
        share = limits.nodes and max((limits.nodes - nodes) // positions_left, 1)
        found = analyse(position, replace(limits, seconds=seconds, nodes=share), engine=engine)
        nodes += found.nodes
        return found

    positions: list[Position] = [game.start]
    for move in game.moves:
        positions.append(positions[-1].play_unchecked(move))
    remarks: list[Remark] = []
    after = positions.pop()
    if game.moves:
        worth = _end(after) if after.outcome else _worth(look(after, len(positions) + 1))
    while positions:
        position, move = positions.pop(), game.moves[len(positions)]
        made = _seen_from_other_side(move, worth)
        remark = _remark(len(positions) + 1, look(position, len(positions) + 1), made)
        worth = remark.before
        remarks.insert(0, remark)
        if on_progress is not None:
            on_progress(Review(game, tuple(remarks)))
    return Review(game, tuple(remarks))


def _remark(number: int, found: Analysis, made: MoveValue) -> Remark:
    """Compare a move, as it is known from the position that it led to, with the others."""
    for each in found.moves:
        if each.move == made.move and each.is_proved and not made.is_proved:
            made = each
    others = [each for each in found.moves if each.move != made.move]
    # Of the others the first is the best; and a position is worth what its best move is.
    best = best_first([made, *others[:1]])[0]
    return Remark(number, found.position.turn, _proved_only(best, [made, *others]), made)


def _worth(found: Analysis) -> MoveValue:
    return _proved_only(found.best, found.moves)


def _proved_only(best: MoveValue, moves: Sequence[MoveValue]) -> MoveValue:
    """Return the best of some moves, without its value while another one may be better."""
    if best.value is Value.WIN or all(each.is_proved for each in moves):
        return best
    return MoveValue.estimated(best.move, best.score, best.visits)


def _end(position: Position) -> MoveValue:
    """Return what a finished game is worth to the side that would be next."""
    assert position.outcome is not None
    if position.outcome.winner is None:
        return MoveValue.proved(_NO_MOVE, Value.DRAW)
    won = position.outcome.winner is position.turn
    return MoveValue.proved(_NO_MOVE, Value.WIN if won else Value.LOSS, 0)


def _seen_from_other_side(move: int, worth: MoveValue) -> MoveValue:
    """Return the value of a move, given the value of the position that it leads to."""
    if worth.value is None:
        return MoveValue.estimated(move, 1 - worth.score, worth.visits)
    plies = None if worth.plies is None else worth.plies + 1
    return MoveValue.proved(move, worth.value.reversed, plies, worth.visits)
