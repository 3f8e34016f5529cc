"""Rows about positions, and about moves in positions: of a table, or analysed one by one."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.datasets.analysed import analysed_actions, analysed_states
from noughts.datasets.columns import Rows
from noughts.datasets.request import Request
from noughts.datasets.solved import CHUNK, solved_grid
from noughts.rules.parsing import parse_position
from noughts.solving.numbering import Masks

__all__ = ["analysed_positions", "chosen_positions", "listed_positions"]

_PART = 20
"""Positions that are analysed before their rows are built."""


def listed_positions(request: Request, first: int, last: int) -> Iterator[Rows]:
    """Yield rows for the wanted positions from one place of the table up to another."""
    solved = solved_grid(request.game)
    for begin in range(first, last, CHUNK):
        end = min(begin + CHUNK, last)
        symmetry = request.up_to_symmetry
        places = solved.chosen(begin, end, request.wanted, up_to_symmetry=symmetry)
        yield from chosen_positions(request, places)


def chosen_positions(request: Request, places: Masks) -> Iterator[Rows]:
    """Yield rows for the positions at some places of the table."""
    solved = solved_grid(request.game)
    rows_of = solved.states if request.kind == "states" else solved.actions
    for begin in range(0, len(places), CHUNK):
        yield rows_of(places[begin : begin + CHUNK])


def analysed_positions(request: Request, texts: list[str]) -> Iterator[Rows]:
    """Yield rows for positions that no table has."""
    rows_of = analysed_states if request.kind == "states" else analysed_actions
    assert request.nodes is not None
    for begin in range(0, len(texts), _PART):
        positions = [parse_position(text) for text in texts[begin : begin + _PART]]
        yield rows_of(positions, request.nodes)
