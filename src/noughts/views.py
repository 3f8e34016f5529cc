"""A game as plain data, for those who draw it and react to clicks themselves.

The page and the notebook know no rules. They are told what lies where, which cells may be
clicked, what to say, and get the next view for the next move.
"""

from __future__ import annotations

from typing import Any

from noughts.drawing import LETTERS
from noughts.rules.game import Game, game_of
from noughts.rules.player import Outcome
from noughts.rules.position import GridPosition, Position
from noughts.rules.ultimate import BOARD_NAMES, UltimatePosition

__all__ = ["view"]


def view(where: Game[Any] | Position | str) -> dict[str, Any]:
    """Return all there is to see of a game, as plain data for JSON.

    >>> seen = view("3x3x3 b2 a1")
    >>> seen["turn"], seen["last"], seen["cells"][0], seen["status"]
    ('X', 'a1', {'name': 'a1', 'mark': 'O'}, 'X to move')
    """
    game = game_of(where)
    position: Position = game.position
    diagram = position.diagram()
    name, outcome = position.move_name, position.outcome
    is_grid = isinstance(position, GridPosition)
    seen: dict[str, Any] = {
        "game": game.text,
        "kind": "grid" if is_grid else "ultimate",
        "name": position.game,
        "start": Game(game.start).text,
        "moves": [name(move) for move in (*game.moves, *game.undone)],
        "played": len(game.moves),
        "position": position.text,
        "rows": diagram.rows,
        "cols": diagram.cols,
        "k": position.grid.k if isinstance(position, GridPosition) else 3,
        "cells": [{"name": name(cell), "mark": mark} for cell, mark in enumerate(diagram.marks)],
        "turn": position.turn.value,
        "legal": [name(move) for move in position.legal_moves],
        "last": None if game.last_move is None else name(game.last_move),
        "outcome": None if outcome is None else _outcome(position, outcome),
        "status": diagram.caption.removeprefix(f"{position.game}, "),
    }
    if isinstance(position, UltimatePosition):
        seen |= _boards(position, diagram.marks)
    return seen


def _outcome(position: Position, outcome: Outcome) -> dict[str, Any]:
    def at(place: int) -> str:
        return position.move_name(place) if isinstance(position, GridPosition) else LETTERS[place]

    return {
        "winner": outcome.winner.value if outcome.winner else None,
        "verdict": outcome.verdict.value,
        "lines": [[at(place) for place in line] for line in outcome.lines],
        "text": str(outcome),
    }


def _boards(position: UltimatePosition, marks: str) -> dict[str, Any]:
    """Return what only Ultimate has: its small boards, and its cells as they lie on the table.

    Moves number cells board by board, but a picture is drawn row by row.
    """
    cells = []
    for cell, mark in enumerate(marks):
        row, col = divmod(cell, 9)
        board, inner = row // 3 * 3 + col // 3, row % 3 * 3 + col % 3
        cells.append({"name": position.move_name(9 * board + inner), "mark": mark, "board": board})
    forced = position.forced if position.outcome is None else None
    return {
        "cells": cells,
        "forced": None if forced is None else LETTERS[forced],
        "boards": [
            {
                "name": LETTERS[board],
                "place": BOARD_NAMES[board],
                "owner": owner,
                "open": bool(position.playable >> board & 1),
            }
            for board, owner in enumerate(position.owners)
        ],
    }
