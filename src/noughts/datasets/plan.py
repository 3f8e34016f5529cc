"""What an export will write, known before it starts: how many rows, and the shards.

The number of rows comes from `noughts.counting`, which shares nothing with the code that writes
them. So it says beforehand how much there will be, and afterwards whether all of it is there.
What is too large is refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any

from noughts.counting import Games, count
from noughts.counting.runner import Task, is_stopping
from noughts.datasets.columns import Rows
from noughts.datasets.formats import encoder_of
from noughts.datasets.games import listed_games, numbered_games, played_games
from noughts.datasets.positions import analysed_positions, chosen_positions, listed_positions
from noughts.datasets.request import Request
from noughts.datasets.sampling import drawn_games, drawn_places, drawn_positions
from noughts.datasets.schema import columns_of
from noughts.datasets.solved import solved_grid
from noughts.datasets.splits import SPLITS, split_rows
from noughts.errors import LimitExceeded
from noughts.rules.grid import Grid
from noughts.rules.parsing import parse_position
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition
from noughts.solving.ranking import MAX_CELLS, layer_starts

__all__ = ["MOST_ROWS", "Plan", "Shard", "make_plan", "write_shard"]

MOST_ROWS = 1_000_000_000
"""More rows than this are refused: they would fill hundreds of gigabytes."""

_ROWS = 1 << 18  # in a shard, about: tens of megabytes
_ANALYSED = 250  # positions in a shard that are analysed one by one: half a minute
_DRAWN = 5_000  # games in a shard that are drawn one by one, likewise
_MOST_COUNTED_CELLS = 20  # of boards that are counted just for a message
_MOST_LISTED_CELLS = 62  # of boards whose games are listed, as `counting.backtracking` does

Source = tuple[Callable[..., Iterator[Rows]], *tuple[Any, ...]]
"""Some of the rows: a function, and its arguments behind the request."""

Shard = dict[str, tuple[list[bytes], int]]
"""The content, in parts, and the number of rows of a shard's files by split, if there are rows."""


@dataclass(frozen=True)
class Plan:
    """The shards of an export, and how many rows they have together.

    If the number is not exact, it is the most that there can be.
    """

    request: Request
    sources: Sequence[Source]
    rows: int
    is_exact: bool = True

    def tasks(self) -> list[Task]:
        """Return a task for each shard."""
        return [
            Task(f"{number:05}", write_shard, (self.request, *source))
            for number, source in enumerate(self.sources)
        ]


def make_plan(request: Request) -> Plan:
    """Return the plan of an export, or refuse it with the reason."""
    if request.kind == "games":
        return _sampled_games(request) if request.is_sampled else _all_games(request)
    if request.is_sampled:
        return _sampled_table(request) if request.is_listed else _sampled_positions(request)
    return _whole_table(request)


def write_shard(request: Request, source: Callable[..., Iterator[Rows]], *arguments: Any) -> Shard:
    """Return the files of a shard; it needs nothing but its arguments, wherever it runs."""
    columns = columns_of(request)
    encoders = {split: encoder_of(request.format, columns) for split in SPLITS}
    for rows in source(request, *arguments):
        if is_stopping():
            raise CancelledError  # the shard is not needed any more
        for split, part in split_rows(rows, request.test_share).items():
            encoders[split].write(part)
    return {
        split: (encoder.finish(), encoder.rows)
        for split, encoder in encoders.items()
        if encoder.rows
    }


# -- positions -------------------------------------------------------------------------------


def _whole_table(request: Request) -> Plan:
    """Plan all positions of a small grid: stretches of its table."""
    position = request.position
    if not request.is_listed:
        if isinstance(position, GridPosition) and position.size <= _MOST_COUNTED_CELLS:
            has = f"has {count(position, 'positions').total:,} positions"
        else:
            has = f"has more than {MAX_CELLS} cells"
        raise LimitExceeded(
            f"{request.game} {has}: all positions are exported of boards of up to {MAX_CELLS} "
            "cells; --sample N draws some"
        )
    assert isinstance(position, GridPosition)
    places = layer_starts(position.size)[-1]
    cuts = range(0, places, _ROWS)
    sources = [(listed_positions, first, min(first + _ROWS, places)) for first in cuts]
    return Plan(request, sources, _rows_of_table(request, position.grid))


def _rows_of_table(request: Request, grid: Grid) -> int:
    """Return how many rows the wanted positions have, by counting them."""
    symmetry = request.up_to_symmetry
    reached = count(grid, "positions", up_to_symmetry=symmetry).by_marks
    endings = count(grid, "endings", up_to_symmetry=symmetry)
    running = {marks: n - endings.by_marks.get(marks, 0) for marks, n in reached.items()}
    rows = 0
    for verdict in map(Verdict, request.wanted):
        if verdict in endings.by_outcome:
            rows += sum(endings.by_outcome[verdict].values())
        else:
            parity = 0 if verdict is Verdict.X_TURN else 1
            rows += sum(
                n * (grid.cells - marks if request.kind == "actions" else 1)
                for marks, n in running.items()
                if marks % 2 == parity
            )
    return rows


def _sampled_table(request: Request) -> Plan:
    """Plan some positions of a small grid."""
    solved = solved_grid(request.game)
    places = drawn_places(request, solved)
    parts = [places[first : first + _ROWS] for first in range(0, len(places), _ROWS)]
    rows = len(places)
    if request.kind == "actions":
        rows = int((solved.cells - solved.marks(places)).sum())
    return Plan(request, [(chosen_positions, part) for part in parts], rows)


def _sampled_positions(request: Request) -> Plan:
    """Plan some positions of a game that has no table."""
    texts = drawn_positions(request)
    rows = len(texts)
    if request.kind == "actions":
        rows = sum(parse_position(text).move_count for text in texts)
    parts = [texts[first : first + _ANALYSED] for first in range(0, len(texts), _ANALYSED)]
    return Plan(request, [(analysed_positions, part) for part in parts], rows)


# -- games -----------------------------------------------------------------------------------


def _all_games(request: Request) -> Plan:
    """Plan the games from one number up to another, or all."""
    position = request.position
    if not isinstance(position, GridPosition) or position.size > _MOST_LISTED_CELLS:
        raise LimitExceeded(
            f"the games of {request.game} are not listed, only those of grids of up to "
            f"{_MOST_LISTED_CELLS} cells; --sample N plays some at random"
        )
    is_whole = not request.start and request.limit is None
    if is_whole and position.size > _MOST_COUNTED_CELLS:
        raise LimitExceeded(f"{request.game} has too many games to export all of them: {_SOME}")
    total = Games(request.game).total
    stop = total if request.limit is None else min(request.start + request.limit, total)
    if request.start > total:
        raise LimitExceeded(f"{request.game} has {total:,} games, numbered from 0")
    if stop - request.start > MOST_ROWS:
        raise LimitExceeded(
            f"{request.game} has {total:,} games; at most {MOST_ROWS:,} are exported: {_SOME}"
        )
    rows, is_exact = stop - request.start, is_whole or not request.verdicts
    if is_whole and (request.verdicts or request.up_to_symmetry):
        counts = count(request.game, up_to_symmetry=request.up_to_symmetry)
        by_outcome = {
            Verdict.X_WINS: counts.x_wins,
            Verdict.O_WINS: counts.o_wins,
            Verdict.DRAW: counts.draws,
        }
        rows = sum(by_outcome[Verdict(verdict)] for verdict in request.wanted)
    sources = [
        (listed_games, first, min(first + _ROWS, stop))
        for first in range(request.start, stop, _ROWS)
    ]
    return Plan(request, sources, rows, is_exact)


_SOME = "give --start and --limit, or --sample"


def _sampled_games(request: Request) -> Plan:
    """Plan random games, by their numbers if they have some."""
    assert request.sample is not None
    if request.is_listed:
        numbers = drawn_games(request)
        parts = [numbers[i : i + _DRAWN] for i in range(0, len(numbers), _DRAWN)]
        return Plan(request, [(numbered_games, part) for part in parts], len(numbers))
    cuts = range(0, request.sample, _DRAWN)
    sources = [(played_games, i, min(i + _DRAWN, request.sample)) for i in cuts]
    return Plan(request, sources, request.sample)
