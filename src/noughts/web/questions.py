"""What may be asked, and the way from text that came in to a game, within the limits."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from noughts.errors import NotationError, SizeError
from noughts.rules.board import Board
from noughts.rules.grid import Grid
from noughts.rules.record import Game
from noughts.web.problems import Problem, field
from noughts.web.settings import Settings

__all__ = ["BoardQuestion", "GameQuestion", "Reader"]


class Question(BaseModel):
    """A body: its fields, and no others, as a misspelt one would be ignored silently."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class GameQuestion(Question):
    """A game: its start, its moves, and undone moves behind a bar."""

    game: str = Field(examples=["4x4x3 b2 a1", "ultimate ee ea | aa"])


class BoardQuestion(Question):
    """A board that may be impossible; its grid may stand in front."""

    board: str = Field(examples=["XXX/OO./...", "4x4x3:XXX./OO../..../...."])


class Reader:
    """Reads texts within a server's limits; what cannot be read is a problem with its place."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def game(self, text: str, name: str = "game") -> Game[Any]:
        """Return the game of a text, the value of the field with this name."""
        self._require_size(text, name)
        with field(name):
            return Game.parse(text)

    def board(self, text: str, name: str = "board") -> Board:
        """Return the board of a text, the value of the field with this name."""
        self._require_size(text, name)
        with field(name):
            return Board.parse(text)

    def _require_size(self, text: str, name: str) -> None:
        """Refuse what would take long before it does."""
        most = self._settings.text_length
        if len(text) > most:
            raise Problem(413, f"{name} may have {most:,} characters", field=name)
        with field(name):
            cells = _cells(text)
            if cells > self._settings.board_cells:
                most_cells = self._settings.board_cells
                raise SizeError(f"a board may have {most_cells:,} cells here, not {cells:,}")


def _cells(text: str) -> int:
    """Return how many cells a text asks for: those of its grid, or those that it draws."""
    first = text.replace(",", " ").split(maxsplit=1)[:1]
    try:
        grid = Grid.parse("".join(first).partition(":")[0])
    except NotationError:
        return sum(map(text.count, "XO.0 "))
    return grid.rows * grid.cols
