"""The way from the text of a request to a game, within the limits of the server."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from noughts.drawing import Diagram
from noughts.errors import IllegalMove, InvalidPosition, NotationError, SizeError
from noughts.rules.board import Board
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.rules.pasted import pasted
from noughts.web.errors import ApiError, field
from noughts.web.settings import Settings

__all__ = ["Reader"]

_DEFAULT_SECONDS = 2.0
_ULTIMATE_CELLS = 81


class Reader:
    """Reads texts within a server's limits; a text that it refuses is an error with its place."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def game(self, text: str, name: str = "game") -> Game[Any]:
        """Return the game that a field of the request describes."""
        self._require_size(text, name)
        with field(name):
            return Game.parse(text)

    def position(self, text: str) -> Any:
        """Return the current position of a game."""
        return self.game(text).position

    def unfinished(self, text: str) -> Game[Any]:
        """Return a game that is not over."""
        game = self.game(text)
        with field("game"):
            if game.outcome is not None:
                raise IllegalMove(f"the game is over: {game.outcome}")
        return game

    def board(self, text: str, name: str = "board") -> Board:
        """Return the board that a field of the request describes."""
        self._require_size(text, name)
        with field(name):
            return Board.parse(text)

    def diagram(self, text: str, name: str = "game") -> Diagram:
        """Return the diagram of a game, or of a board that no game reaches."""
        self._require_size(text, name)
        with field(name):
            try:
                game = Game.parse(text)
            except InvalidPosition as error:
                try:
                    board = Board.parse(text)
                except NotationError:
                    raise error from None
                return replace(board.diagram(), caption=f"{board.grid}, invalid")
            return game.position.diagram(last=game.last_move)

    def limits(self, seconds: float | None, nodes: int | None = None) -> dict[str, Any]:
        """Return the limits of an analysis, or refuse them.

        Without either, it takes two seconds; with nodes alone, the most that the server allows.
        """
        most = self._settings.max_seconds
        if seconds is None:
            seconds = most if nodes else min(_DEFAULT_SECONDS, most)
        self._require_at_most("seconds", seconds, most)
        self._require_at_most("nodes", nodes or 0, self._settings.max_nodes)
        return {"seconds": seconds, "nodes": nodes}

    def require_page(self, wanted: int, name: str) -> None:
        """Refuse a list of more games than one response may have."""
        self._require_at_most(name, wanted, self._settings.page_size)

    def _require_at_most(self, name: str, wanted: float, most: float) -> None:
        if wanted > most:
            raise ApiError(422, f"{name} may be {most:,.12g} at most", code="limit", field=name)

    def _require_size(self, text: str, name: str) -> None:
        """Refuse a large text or board before it takes long to read."""
        most = self._settings.text_length
        if len(text) > most:
            message = f"the text of a {name} may have {most:,} characters, not {len(text):,}"
            raise ApiError(413, message, field=name)
        with field(name):
            cells = max(_cells(text), _cells(pasted(text).text))
            if cells > self._settings.board_cells:
                most_cells = self._settings.board_cells
                raise SizeError(f"a board may have {most_cells:,} cells here, not {cells:,}")


def _cells(text: str) -> int:
    """Return the number of cells that a text names by its grid or draws."""
    first = "".join(text.replace(",", " ").split(maxsplit=1)[:1])
    if first.startswith("ultimate"):
        return _ULTIMATE_CELLS
    try:
        grid = Grid.parse(first.partition(":")[0])
    except NotationError:
        return sum(map(text.count, "XO.0 "))
    return grid.rows * grid.cols
