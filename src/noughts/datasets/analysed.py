"""Positions that no table has: of larger grids and of Ultimate, analysed one by one.

Each position gets an engine and a solver of its own, one thread and a limit of nodes, so that
the labels of a row do not depend on the rows before it, nor on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from noughts.kernels import np  # isort: skip  - says which extra is missing

from noughts.analysis import analyse
from noughts.datasets.columns import Lists, Plain, Rows, Words, texts_of
from noughts.datasets.request import Request
from noughts.datasets.solved import VALUES, VERDICTS, solved_grid
from noughts.engine.engine import Engine
from noughts.limits import Limits
from noughts.rules.grid import cells_of
from noughts.rules.parsing import AnyPosition
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from noughts.solving import MAX_CELLS, retrograde
from noughts.solving.solver import Solver
from noughts.values import MoveValue, Value

__all__ = ["analysed_actions", "analysed_states", "prepare", "verdict_of"]

_SOLVER_MEMORY = 16 << 20
_WORDS = (*VALUES, "unknown")
_UNKNOWN = len(VALUES)


@dataclass(frozen=True)
class _Labels:
    """What is known of a position."""

    position: AnyPosition
    moves: dict[int, MoveValue]
    value: Value | None
    within: int | None
    estimate: float | None


def prepare(request: Request, on_notice: Callable[[str], None]) -> None:
    """Solve, load or compile what labels need, in this thread, where Ctrl-C ends it."""
    position = request.position
    if request.is_listed:
        compiling = ", and compiling the solver first" if retrograde.needs_compiling() else ""
        on_notice(f"solving {request.game}{compiling}")
        solved = solved_grid(request.game)
        if request.kind != "games":
            assert len(solved.games)
    elif request.kind != "games":
        on_notice("loading the solver and the engine, or compiling them, once on this machine")
        if isinstance(position, GridPosition) and position.size <= MAX_CELLS:
            Solver(position.grid, _SOLVER_MEMORY).load(on_notice)
        Engine().load(position)


def verdict_of(position: AnyPosition) -> Verdict:
    """Return whose turn it is, or how the game ended."""
    outcome = position.outcome
    return Verdict.turn_of(position.turn) if outcome is None else outcome.verdict


def analysed_states(positions: list[AnyPosition], nodes: int) -> Rows:
    """Return a row for each position."""
    labels = [_labels(position, nodes) for position in positions]
    size = positions[0].size
    by_cell = [each.moves.get(cell) for each in labels for cell in range(size)]
    return {
        **_about_positions(positions),
        "value": _values([each.value for each in labels]),
        "within": _integers([each.within for each in labels]),
        "estimate": _numbers([each.estimate for each in labels]),
        "move_values": Lists.equal(
            Words(
                np.array([-1 if move is None else _code(move.value) for move in by_cell], np.int8),
                _WORDS,
            ),
            size,
        ),
        "move_estimates": Lists.equal(_numbers([_estimate(move) for move in by_cell]), size),
        "legal_mask": Lists.equal(
            Plain(np.array([move is not None for move in by_cell], np.int8)), size
        ),
        **_about_symmetry(positions),
    }


def analysed_actions(positions: list[AnyPosition], nodes: int) -> Rows:
    """Return a row for each legal move of each position."""
    labels = [_labels(position, nodes) for position in positions]
    pairs = [(row, each.moves[move]) for row, each in enumerate(labels) for move in each.moves]
    rows = np.array([row for row, _ in pairs], np.int64)
    moves = [move for _, move in pairs]
    return {
        **{name: column.take(rows) for name, column in _about_positions(positions).items()},
        "position_value": _values([each.value for each in labels]).take(rows),
        "move": Plain(np.array([move.move for move in moves], np.int16)),
        "name": texts_of([positions[row].move_name(move.move) for row, move in pairs]),
        "value": _values([move.value for move in moves]),
        "within": _integers([move.plies for move in moves]),
        "estimate": _numbers([_estimate(move) for move in moves]),
        "preserves_value": _flags([_preserves(labels[row].value, move) for row, move in pairs]),
        **{name: column.take(rows) for name, column in _about_symmetry(positions).items()},
    }


def _labels(position: AnyPosition, nodes: int) -> _Labels:
    if position.outcome is not None:
        winner = position.outcome.winner
        if winner is None:
            return _Labels(position, {}, Value.DRAW, None, None)
        return _Labels(position, {}, Value.WIN if winner is position.turn else Value.LOSS, 0, None)
    is_solvable = isinstance(position, GridPosition) and position.size <= MAX_CELLS
    solver = Solver(position.grid, _SOLVER_MEMORY) if is_solvable else None  # type: ignore[union-attr]
    limits = Limits(nodes=nodes, threads=1)
    found = analyse(position, limits, engine=Engine(), solver=solver)
    return _Labels(
        position,
        {each.move: each for each in sorted(found.moves, key=lambda each: each.move)},
        found.value,
        found.plies,
        None if found.is_proved else round(found.score, 4),
    )


def _preserves(value: Value | None, move: MoveValue) -> bool | None:
    """Return whether a move keeps the value of the position; None if that is not proved."""
    if value is Value.LOSS:
        return True
    if value is None or move.at_least.rank < value.rank <= move.at_most.rank:
        return None
    return move.at_least.rank >= value.rank


def _estimate(move: MoveValue | None) -> float | None:
    return None if move is None or move.is_proved else round(move.score, 4)


def _code(value: Value | None) -> int:
    return _UNKNOWN if value is None else VALUES.index(value)


def _values(values: list[Value | None]) -> Words:
    return Words(np.array([_code(value) for value in values], np.int8), _WORDS)


def _integers(numbers: list[int | None]) -> Plain:
    missing = np.array([number is None for number in numbers], bool)
    return Plain(np.array([number or 0 for number in numbers], np.int16), missing)


def _numbers(numbers: list[float | None]) -> Plain:
    missing = np.array([number is None for number in numbers], bool)
    return Plain(np.array([number or 0.0 for number in numbers], np.float64), missing)


def _flags(flags: list[bool | None]) -> Plain:
    missing = np.array([flag is None for flag in flags], bool)
    return Plain(np.array([bool(flag) for flag in flags], bool), missing)


def _about_positions(positions: list[AnyPosition]) -> Rows:
    size = positions[0].size
    cells = np.zeros((len(positions), size), np.int8)
    for row, position in enumerate(positions):
        cells[row, cells_of(position.x)] = 1
        cells[row, cells_of(position.o)] = 2
    verdicts = [VERDICTS.index(verdict_of(position)) for position in positions]
    return {
        "position": texts_of([position.text for position in positions]),
        "cells": Lists.equal(Plain(cells.ravel()), size),
        "verdict": Words(np.array(verdicts, np.int8), VERDICTS),
        "marks": Plain((cells > 0).sum(axis=1).astype(np.int16)),
    }


def _about_symmetry(positions: list[AnyPosition]) -> Rows:
    orbits = [len(set(_images(position))) for position in positions]
    return {
        "canonical": texts_of([position.canonical().text for position in positions]),
        "orbit_size": Plain(np.array(orbits, np.int8)),
    }


def _images(position: AnyPosition) -> Iterator[AnyPosition]:
    return (position.transformed(symmetry) for symmetry in _symmetries(position))


def _symmetries(position: AnyPosition) -> tuple[Symmetry, ...]:
    return position.grid.symmetries if isinstance(position, GridPosition) else tuple(Symmetry)
