"""What may be asked, and the way from text that came in to a game, within the limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.drawing import Diagram
from noughts.errors import IllegalMove, InvalidPosition, NotationError, SizeError
from noughts.rules.board import Board
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.web.problems import Problem, field
from noughts.web.settings import Settings

__all__ = [
    "AnalysisQuestion",
    "BoardQuestion",
    "CountQuestion",
    "GameQuestion",
    "GamesQuestion",
    "LevelQuestion",
    "RandomQuestion",
    "Reader",
    "ReplayQuestion",
]

_USUAL_SECONDS = 2.0
_ULTIMATE_CELLS = 81


class Question(BaseModel):
    """A body: its fields, and no others, as a misspelt one would be ignored silently."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class GameQuestion(Question):
    """A game: its start, its moves, and undone moves behind a bar."""

    game: str = Field(examples=["4x4x3 b2 a1", "ultimate ee ea | aa"])


class BoardQuestion(Question):
    """A board that may be impossible; its grid may stand in front."""

    board: str = Field(examples=["XXX/OO./...", "4x4x3:XXX./OO../..../...."])


class ReplayQuestion(Question):
    """A list of moves, each a list of numbers and the player, or such a list as text."""

    game: Literal["3x3x3", "ultimate"]
    moves: list[str | list[int | str]] = Field(examples=[[[0, 0, "X"], "1,1,O"]])


class TimedQuestion(GameQuestion):
    """A game, and how long to think about it."""

    seconds: float | None = Field(None, gt=0, examples=[1.0])


class AnalysisQuestion(TimedQuestion):
    """A game, and how long to think about it; the first limit reached ends it."""

    nodes: int | None = Field(None, ge=1, examples=[10_000])


class LevelQuestion(TimedQuestion):
    """A game, and who is to make the next move."""

    level: str = Field(examples=["casual"])
    seed: int | None = Field(None, ge=0, lt=1 << 63, description="makes its luck repeatable")


class CountQuestion(GameQuestion):
    """A position to count from, and what to count."""

    of: Literal["games", "positions", "endings"] = "games"
    up_to_symmetry: bool = False


class SomeGames(GameQuestion):
    """Games from a position on, all or only those that end so."""

    outcome: Literal["X_wins", "O_wins", "draw"] | None = None


class GamesQuestion(SomeGames):
    """Games from a number on, in lexicographic order."""

    first: str = Field("0", pattern=r"^[0-9]{1,1000}$", examples=["1000000"])
    limit: int = Field(20, ge=1, examples=[3])


class RandomQuestion(SomeGames):
    """Games drawn at random."""

    number: int = Field(1, ge=1, examples=[3])
    seed: int | None = Field(None, ge=0, lt=1 << 63, description="draws the same games each time")


class Reader:
    """Reads texts within a server's limits; what cannot be read is a problem with its place."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def game(self, text: str, name: str = "game") -> Game[Any]:
        """Return the game of a text, the value of the field with this name."""
        self._require_size(text, name)
        with field(name):
            return Game.parse(text)

    def position(self, text: str) -> Any:
        """Return the position that a game has come to."""
        return self.game(text).position

    def running(self, text: str) -> Any:
        """Return the position of a game that is not over."""
        position = self.position(text)
        with field("game"):
            if position.outcome is not None:
                raise IllegalMove(f"the game is over: {position.outcome}")
        return position

    def board(self, text: str, name: str = "board") -> Board:
        """Return the board of a text, the value of the field with this name."""
        self._require_size(text, name)
        with field(name):
            return Board.parse(text)

    def diagram(self, text: str, name: str = "game") -> Diagram:
        """Return the picture of a game, or of a board that no game reaches."""
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

    def effort(self, seconds: float | None, nodes: int | None = None) -> dict[str, Any]:
        """Return how long to think and how many nodes to visit, if that is allowed.

        Without either it is a short while; nodes alone may take all the time there is.
        """
        most = self._settings.max_seconds
        if seconds is None:
            seconds = most if nodes else min(_USUAL_SECONDS, most)
        self._require_at_most("seconds", seconds, most)
        self._require_at_most("nodes", nodes or 0, self._settings.max_nodes)
        return {"seconds": seconds, "nodes": nodes}

    def require_page(self, wanted: int, name: str) -> None:
        """Refuse a list of more games than one answer may have."""
        self._require_at_most(name, wanted, self._settings.page_size)

    def _require_at_most(self, name: str, wanted: float, most: float) -> None:
        if wanted > most:
            raise Problem(422, f"{name} may be {most:,.12g} at most", code="limit", field=name)

    def _require_size(self, text: str, name: str) -> None:
        """Refuse what would take long before it does."""
        most = self._settings.text_length
        if len(text) > most:
            message = f"the text of a {name} may have {most:,} characters, not {len(text):,}"
            raise Problem(413, message, field=name)
        with field(name):
            cells = _cells(text)
            if cells > self._settings.board_cells:
                most_cells = self._settings.board_cells
                raise SizeError(f"a board may have {most_cells:,} cells here, not {cells:,}")


def _cells(text: str) -> int:
    """Return how many cells a text asks for: those of its grid, or those that it draws."""
    first = "".join(text.replace(",", " ").split(maxsplit=1)[:1])
    if first.startswith("ultimate"):
        return _ULTIMATE_CELLS
    try:
        grid = Grid.parse(first.partition(":")[0])
    except NotationError:
        return sum(map(text.count, "XO.0 "))
    return grid.rows * grid.cols
