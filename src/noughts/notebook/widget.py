"""The board that notebooks show: Python holds the game, the browser draws it and sends clicks.

::

    browser                                      kernel
    draws `shown`  <──────────── synced ─────────  shown: view, values, who plays, a message
    a click        ── {"move": "b2", "on": ...} ─>  plays it, or says why not
    a button       ── {"order": "undo"} ─────────>  the same

A click says on which game it was made, so that one that comes late is not taken for another.

After every change there may be work: the computer's move, then the values of the person's. What
a click leads to is computed in a thread beside the kernel's event loop, which stays free for
other cells and clicks; what Python asks for is there when the call returns. Either way the
results are taken one by one in the same order, and one that is of another game by then is dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from threading import Event
from typing import Any, NamedTuple

import anywidget
import traitlets

from noughts.analysis import analyse
from noughts.drawing import draw_svg
from noughts.engine import Engine
from noughts.errors import IllegalMove, NotationError, NoughtsError, brief
from noughts.limits import Limits, require_seconds
from noughts.players import Choice, choose_move, levels_of
from noughts.rules.game import Game, game_of
from noughts.rules.player import Player
from noughts.rules.position import Position
from noughts.values import Analysis
from noughts.views import view

__all__ = ["PERSON", "BoardWidget"]

PERSON = "person"


def _source(*names: str) -> str:
    """Return files of the package, one behind the other."""
    return "\n".join(
        files("noughts").joinpath(*name.split("/")).read_text("utf-8") for name in names
    )


class _AnyGame(traitlets.TraitType[Game[Any], Any]):
    """Holds a game of its own, in whatever form it is set."""

    def validate(self, obj: object, value: Any) -> Game[Any]:
        """Return the game as a `Game` of its own."""
        game = game_of(value)
        return Game.parse(game.text) if game is value else game


class _Player(traitlets.TraitType[str, str | None]):
    """Names who plays a side: a person, or a level."""

    default_value = PERSON

    def validate(self, obj: object, value: object) -> str:
        """Return the name; without one it is a person."""
        if value is None or isinstance(value, str):
            return value or PERSON
        raise NotationError(f"a side is played by {PERSON} or a level, not {brief(value)}")


class _Flag(traitlets.TraitType[bool, bool]):
    """Holds True or False."""

    def validate(self, obj: object, value: object) -> bool:
        """Return the flag."""
        if not isinstance(value, bool):
            raise NotationError(f"values must be True or False, not {brief(value)}")
        return value


class _Seconds(traitlets.TraitType[float, float]):
    """Holds the seconds that a computer's move may take."""

    def validate(self, obj: object, value: object) -> float:
        """Return the seconds as a float."""
        require_seconds(value)
        assert isinstance(value, int | float)
        return float(value)


class BoardWidget(anywidget.AnyWidget):
    """A board that can be played on; made by `noughts.notebook.board`.

    `game`, `x`, `o`, `values` and `seconds` can be set at any time, and observed. A game that is
    taken from `game` is for reading; to change what is on the board, set it, or use `play`.
    """

    _esm = _source("web/static/js/board/board.js", "notebook/widget.js")
    _css = _source("web/static/css/tokens.css", "web/static/css/board.css", "notebook/widget.css")

    game = _AnyGame()
    x = _Player()
    o = _Player()
    values = _Flag(False)
    seconds = _Seconds(1.0)
    shown = traitlets.Dict().tag(sync=True)
    """What the browser draws."""

    def __init__(
        self,
        game: str | Game[Any] | Position = "3x3x3",
        *,
        x: str | None = None,
        o: str | None = None,
        values: bool = False,
        seconds: float = 1.0,
    ) -> None:
        self._message = ""
        self._changes = 0
        self._is_held = False
        self._known: Analysis | None = None
        self._engine = Engine()
        self._stop = Event()
        self._task: asyncio.Task[None] | None = None
        super().__init__(game=game, x=x, o=o, values=values, seconds=seconds)
        self.on_msg(self._on_message)

    # -- for Python ----------------------------------------------------------------------

    @property
    def position(self) -> Any:
        """The position on the board: a `Position`. Setting it starts a game from there."""
        return self.game.position

    @position.setter
    def position(self, position: Position) -> None:
        self.game = position

    def play(self, move: int | str) -> None:
        """Play a move, and let the computer answer it; an illegal one raises, changing nothing."""
        self._change(lambda game: game.play(move))

    def undo(self) -> None:
        """Take a person's last move back, and what the computer answered."""
        self._change(lambda game: game.undo_to(self._people))

    def redo(self) -> None:
        """Play the undone moves again, up to a person's turn."""
        self._change(lambda game: game.redo_to(self._people))

    def new(self) -> None:
        """Start the game again."""
        self.game = self.game.start

    def __repr__(self) -> str:
        sides = self._players.items()
        computers = [f"{side.lower()}={who!r}" for side, who in sides if who != PERSON]
        return f"board({', '.join([repr(self.game.text), *computers])})"

    def _repr_svg_(self) -> str:
        """Return a picture, for where widgets do not run."""
        labels = self._estimate.labels if self._estimate else None
        return draw_svg(self.position.diagram(last=self.game.last_move, values=labels))

    # -- what may be set -----------------------------------------------------------------

    @traitlets.validate("game")
    def _check_game(self, proposal: Any) -> Game[Any]:
        game: Game[Any] = proposal["value"]
        for who in self._players.values():
            _require_player(who, game)
        return game

    @traitlets.validate("x", "o")
    def _check_player(self, proposal: Any) -> str:
        return _require_player(proposal["value"], self.game)

    # -- what follows from a change ------------------------------------------------------

    def notify_change(self, change: Any) -> None:
        """Notify observers of a change before the next move, so that they get moves in order."""
        super().notify_change(change)
        if change["name"] in ("game", "x", "o", "values", "seconds"):
            self._changes += 1
            self._message = ""
            self._stop.set()  # what is being analysed is past
            if not self._is_held:
                self._settle()

    def _change(self, change: Callable[[Game[Any]], object]) -> None:
        """Make a change to a copy of the game, and put that on the board."""
        game = Game.parse(self.game.text)
        change(game)
        self.game = game

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep changes made here from being followed up at once."""
        before, self._is_held = self._is_held, True
        try:
            yield
        finally:
            self._is_held = before

    def _settle(self) -> None:
        """Do all pending work in this thread."""
        try:
            while work := self._work():
                self._show()
                self._take(work, work.do())
        finally:
            self._show()

    async def _settle_beside(self) -> None:
        """Do all pending work in a thread beside the event loop; errors are shown."""
        loop = asyncio.get_running_loop()
        try:
            while work := self._work():
                self._take(work, await loop.run_in_executor(None, work.do))
                self._show()
        except NoughtsError as error:
            self._say(str(error))

    def _work(self) -> _Work | None:
        """Return the pending work: the computer's move, or the values of a person's moves."""
        game, limits = self.game, Limits(self.seconds)
        if game.outcome is not None:
            return None
        if game.turn not in self._people:
            level = self._players[game.turn]
            return _Work(self._changes, partial(choose_move, game.position, level, limits))
        if self.values and self._estimate is None:
            self._stop = Event()
            find = partial(analyse, game.position, limits, engine=self._engine, stop=self._stop)
            return _Work(self._changes, find)
        return None

    def _take(self, work: _Work, found: Choice | Analysis) -> None:
        """Use the result of work, unless something has changed since the work began."""
        if work.changes != self._changes:
            return
        if isinstance(found, Analysis):
            self._known = found
            return
        with self._held():
            self.play(found.move)

    # -- the browser ---------------------------------------------------------------------

    def _on_message(self, _: object, content: object, __: object) -> None:
        """Handle a message of the browser; a wrong one is shown as an error."""
        self._message = ""
        try:
            with self._held():
                self._run_message(content if isinstance(content, dict) else {})
        except NoughtsError as error:
            self._say(str(error))
            return
        self._show()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # not in a kernel
            asyncio.run(self._settle_beside())
            return
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._settle_beside())

    def _run_message(self, content: dict[str, object]) -> None:
        """Run the order in a message, or raise an error that says why not."""
        move, order = content.get("move"), content.get("order")
        if isinstance(move, str):
            if content.get("on") != self.game.text:
                raise IllegalMove("the board has changed meanwhile")
            if self.game.outcome is None and self.game.turn not in self._people:
                raise IllegalMove(f"it is the turn of {self.game.turn}, which the computer plays")
            self.play(move)
        elif order == "undo":
            self.undo()
        elif order == "redo":
            self.redo()
        elif order == "new":
            self.new()
        else:
            raise NotationError(f"neither a move nor an order: {brief(content)}")

    def _say(self, message: str) -> None:
        self._message = message
        self._show()

    def _show(self) -> None:
        """Send the browser what it draws."""
        game, found = self.game, self._estimate
        is_waiting = game.outcome is None and game.turn not in self._people
        self.shown = {
            "view": view(game),
            "players": {side.value: who for side, who in self._players.items()},
            "values": found.to_json()["moves"] if found else {},
            "best": [game.position.move_name(move) for move in found.best_moves] if found else [],
            "thinking": is_waiting and not self._message,
            "message": self._message,
        }

    # -- what is known -------------------------------------------------------------------

    @property
    def _players(self) -> dict[Player, str]:
        """Who plays which side."""
        return {Player.X: self.x, Player.O: self.o}

    @property
    def _people(self) -> set[Player]:
        """The sides that people play."""
        return {side for side, who in self._players.items() if who == PERSON}

    @property
    def _estimate(self) -> Analysis | None:
        """What the moves on the board are worth, if that is wanted and known."""
        known = self._known
        return known if self.values and known and known.position == self.position else None


class _Work(NamedTuple):
    """Pending work, and the number of changes before it began."""

    changes: int
    do: Callable[[], Choice | Analysis]


def _require_player(who: str, game: Game[Any]) -> str:
    """Return who plays a side, if it is a person or a level of the game."""
    levels = levels_of(game.start)
    if who != PERSON and who not in levels:
        known = ", ".join([PERSON, *levels])
        raise NotationError(f"{brief(who)} does not play {game.start.game}, but: {known}")
    return who
