"""Players on grids.

The lower two look at lines only. The upper two ask `noughts.analysis`: the best takes a move that
is proved to be best, or else the engine's, and among equal moves prefers those after which the
opponent has more ways to go wrong; the one below now and then takes the second best.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random

from noughts import solving
from noughts.analysis import analyse
from noughts.engine.engine import Engine
from noughts.errors import LimitExceeded, MissingExtra
from noughts.limits import Clock, Limits
from noughts.players.heuristics import by_weight, weights_of
from noughts.rules.grid import cells_of
from noughts.rules.position import GridPosition
from noughts.solving.immediate import completions, sides, solve_immediate
from noughts.values import Analysis, MoveValue, best_first

__all__ = ["choose"]

_WIN_SEEN = 0.5  # how often a beginner sees a win
_THREAT_MISSED = 1 / 6  # how often a casual player overlooks a threat
_NOISE = 1.0  # how far a casual player may be off in weighing a cell
_MISTAKE = 1 / 8  # how often a strong player takes the second best move

_EQUALS = 4  # moves of equal value whose replies are searched
_REPLY_SECONDS = 0.5  # at most, for choosing among equals
_LEAST_SECONDS = 0.005


def choose(
    position: GridPosition,
    level: str,
    limits: Limits,
    rng: Random | None,
    engine: Engine | None,
    on_notice: Callable[[str], None] | None,
) -> tuple[MoveValue, str]:
    """Return the move of a level, and why it is not proved to be best, if it should be."""
    if level == "beginner":
        return MoveValue(_beginner(position, rng or Random())), ""
    if level == "casual":
        return MoveValue(_casual(position, rng or Random())), ""
    clock = Clock(limits.seconds)
    found = _analysed(position, limits, engine, on_notice)
    if level == "strong":
        rng = rng or Random()
        if rng.random() < _MISTAKE:
            return _second_best(found), ""
    known = _best(position, found, limits, clock, rng)
    return known, "" if known.is_proved or level == "strong" else found.note


# -- looking at lines --------------------------------------------------------------------


def _beginner(position: GridPosition, rng: Random) -> int:
    """Play at random, but see a win half of the time."""
    mine, _, empty = sides(position)
    wins = cells_of(completions(position.grid, mine, empty))
    if wins and rng.random() < _WIN_SEEN:
        return rng.choice(wins)
    return rng.choice(position.legal_moves)


def _casual(position: GridPosition, rng: Random) -> int:
    """Win, mostly block, else take a heavy cell; its weight is not seen precisely."""
    mine, theirs, empty = sides(position)
    if wins := cells_of(completions(position.grid, mine, empty)):
        return rng.choice(wins)
    blocks = cells_of(completions(position.grid, theirs, empty))
    if blocks and rng.random() >= _THREAT_MISSED:
        return rng.choice(blocks)
    weights = weights_of(position)
    return max(weights, key=lambda cell: weights[cell] * (1 + _NOISE * rng.uniform(-1, 1)))


# -- choosing from an analysis -----------------------------------------------------------


def _analysed(
    position: GridPosition,
    limits: Limits,
    engine: Engine | None,
    on_notice: Callable[[str], None] | None,
) -> Analysis:
    """Return the analysis of a position, or what threats say where the engine cannot help."""
    try:
        found = analyse(position, limits, engine=engine, on_notice=on_notice)
    except LimitExceeded as error:
        return _by_threats(position, str(error))
    is_known = found.best.is_proved or found.best.estimate is not None
    return found if is_known else _by_threats(position, found.note)


def _by_threats(position: GridPosition, note: str) -> Analysis:
    """Return what threats say of the heaviest moves; of equals the heaviest comes first."""
    known = (
        MoveValue.after(move, solve_immediate(position.play_unchecked(move)))
        for move in by_weight(position)
    )
    return Analysis(position, best_first(known), note=note)


def _second_best(found: Analysis) -> MoveValue:
    """Return the best of the worse moves; never one that loses at once, nor instead of a win."""
    best = found.best
    if best.plies == 1:
        return best
    for each in found.moves:
        is_worse = each.score < best.score  # not only a win that takes longer
        if is_worse and each.plies != 2:
            return each
    return best


def _best(
    position: GridPosition, found: Analysis, limits: Limits, clock: Clock, rng: Random | None
) -> MoveValue:
    """Return the best move that is known, and among equals the one that asks most."""
    equals = found.best_moves
    if len(equals) > 1:
        equals = tuple(move for move in by_weight(position) if move in equals) or equals
        nodes = None if limits.nodes is None else limits.nodes - found.nodes
        with suppress(LimitExceeded, MissingExtra):  # the solver may not take this grid
            equals = _hardest_to_answer(position, equals, limits, clock, nodes)
    move = rng.choice(equals) if rng else equals[0]
    return next(each for each in found.moves if each.move == move)


def _hardest_to_answer(
    position: GridPosition,
    equals: tuple[int, ...],
    limits: Limits,
    clock: Clock,
    nodes: int | None,
) -> tuple[int, ...]:
    """Keep the moves after which most replies are mistakes; all of them if a limit is reached.

    A reply that gives away a win or a draw is one; if no move has those, a win that takes
    longer or a loss that comes sooner than it must.
    """
    clock = clock.within(_REPLY_SECONDS)
    is_instant = solving.is_instant(position.grid)
    if not is_instant:
        equals = equals[:_EQUALS]
    mistakes = []
    for move in equals:
        if not is_instant and (clock.is_over or (nodes is not None and nodes < 1)):
            return equals
        within = replace(limits, seconds=max(clock.left, _LEAST_SECONDS), nodes=nodes)
        found = solving.analyse(position.play_unchecked(move), within)
        if nodes is not None:
            nodes -= found.nodes
        replies = found.moves  # none where the move ends the game
        worse = sum(each.value is not found.best.value for each in replies)
        clumsy = sum(each.order > found.best.order for each in replies)
        mistakes.append((worse, clumsy))
    if clock.is_over and not is_instant:
        return equals
    return tuple(
        move for move, count in zip(equals, mistakes, strict=True) if count == max(mistakes)
    )
