"""A game as it was played: its start, its moves, and which of them are undone.

As text a game is its start and its moves in one line, undone moves behind a bar::

    3x3x3 b2 a1 c3
    3x3x3:XX./OO./... c1
    ultimate-open ee ea | aa
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Generic, TypeVar

from noughts.drawing import draw_svg, draw_text
from noughts.errors import IllegalMove, NotationError, SizeError, brief, require_text
from noughts.rules.parsing import AnyPosition, MoveList, parse_position, start
from noughts.rules.player import Outcome, Player
from noughts.rules.position import Position, require_game

__all__ = ["Game", "game_of"]

P = TypeVar("P", bound=Position)


class Game(Generic[P]):
    """A game being played, of any kind; moves may be numbers or names.

    >>> game = Game.parse("3x3x3 b2 a1")
    >>> game.play("c3")
    >>> game.undo()
    8
    >>> game.text
    '3x3x3 b2 a1 | c3'
    >>> game.redo(), game.position.text
    (8, '3x3x3:O../.X./..X')
    """

    def __init__(self, start: P, moves: Iterable[int | str] = ()) -> None:
        require_game(start)
        self._positions: list[P] = [start]
        self._moves: list[int] = []
        self._now = 0  # how many of the moves are played; the others are undone
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            raise IllegalMove(f"moves are a list, not {brief(moves)}")
        for number, move in enumerate(moves, 1):
            try:
                self.play(move)
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from None

    @property
    def start(self) -> P:
        """The position the game began with."""
        return self._positions[0]

    @property
    def position(self) -> P:
        """The position now."""
        return self._positions[self._now]

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves played so far."""
        return tuple(self._moves[: self._now])

    @property
    def undone(self) -> tuple[int, ...]:
        """The undone moves that `redo` would play again, in this order."""
        return tuple(self._moves[self._now :])

    @property
    def last_move(self) -> int | None:
        """The last move played."""
        return self._moves[self._now - 1] if self._now else None

    @property
    def turn(self) -> Player:
        """The side to move."""
        return self.position.turn

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.position.outcome

    def play(self, move: int | str) -> None:
        """Play a move and forget undone moves; an illegal move raises and changes nothing."""
        number = self.position.number_of(move)
        after = self.position.play(number)
        self._moves[self._now :] = [number]
        self._positions[self._now + 1 :] = [after]
        self._now += 1

    def undo(self) -> int:
        """Take the last move back and return it."""
        if not self._now:
            raise IllegalMove("there is no move to undo")
        self._now -= 1
        return self._moves[self._now]

    def redo(self) -> int:
        """Play the move that was undone last again and return it."""
        if self._now == len(self._moves):
            raise IllegalMove("there is no move to redo")
        self._now += 1
        return self._moves[self._now - 1]

    def undo_to(self, sides: Collection[Player]) -> tuple[int, ...]:
        """Take back the last move of these sides and all moves after it; return them in order.

        So a person who takes a move back takes back the computer's answer as well.

        >>> game = Game.parse("3x3x3 b2 a1")
        >>> game.undo_to({Player.X}), game.text
        ((4, 0), '3x3x3 | b2 a1')
        """
        wanted = _sides(sides)
        for now in reversed(range(self._now)):
            if self._positions[now].turn in wanted:
                undone = tuple(self._moves[now : self._now])
                self._now = now
                return undone
        raise IllegalMove("there is no move of yours to undo")

    def redo_to(self, sides: Collection[Player]) -> tuple[int, ...]:
        """Play undone moves again until one of these sides is to move; return them in order."""
        wanted = _sides(sides)
        redone = [self.redo()]
        while self.undone and self.turn not in wanted:
            redone.append(self.redo())
        return tuple(redone)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.start, self._moves, self._now) == (other.start, other._moves, other._now)

    __hash__ = None  # type: ignore[assignment]  # a game changes, so it cannot be a key

    # -- text ----------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The game in one line: its start, its moves, and undone moves behind a bar."""
        begin = self.start
        is_plain_start = begin.move_count and begin == start(begin.game)
        names = [begin.move_name(move) for move in self._moves]
        if self.undone:
            names.insert(self._now, "|")
        return " ".join([begin.game if is_plain_start else begin.text, *names])

    @staticmethod
    def parse(text: str) -> Game[AnyPosition]:
        """Read a game in the form of `text`; moves may also be numbers, separated by commas.

        >>> Game.parse("ultimate 40,36 0").position.forced
        0
        """
        read = MoveList.parse(require_text(text, "a game"))
        game = Game(read.positions[0])
        game._positions, game._moves, game._now = read
        return game

    def __repr__(self) -> str:
        return f"Game.parse({self.text!r})"

    def to_json(self) -> dict[str, object]:
        """Return the game as plain data for JSON."""
        return {
            "start": self.start.text,
            "moves": list(self._moves),
            "played": self._now,
            "outcome": self.outcome.verdict.value if self.outcome else None,
        }

    @staticmethod
    def from_json(data: object) -> Game[AnyPosition]:
        """Read what `to_json` wrote; the moves are played again and checked."""
        if not isinstance(data, Mapping) or not {"start", "moves"} <= data.keys():
            raise NotationError(f"a game in JSON has start and moves, not {brief(data)}")
        moves = data["moves"]
        if not isinstance(moves, list):
            raise NotationError(f"the moves of a game are a list, not {brief(moves)}")
        game = Game(parse_position(data["start"]), moves)
        played = data.get("played", len(moves))
        if type(played) is not int or not 0 <= played <= len(moves):
            raise NotationError(f"played must be 0 to {len(moves)}, not {brief(played)}")
        game._now = played
        return game

    def __str__(self) -> str:
        return draw_text(self.position.diagram(last=self.last_move))

    def _repr_svg_(self) -> str:
        return draw_svg(self.position.diagram(last=self.last_move))


def game_of(where: Game[Any] | Position | str) -> Game[Any]:
    """Return the game that `where` names: itself, one that begins with a position, or its text.

    >>> game_of("3x3x3 b2"), game_of(start("2x2x2"))
    (Game.parse('3x3x3 b2'), Game.parse('2x2x2'))
    """
    if isinstance(where, Game):
        return where
    if isinstance(where, str):
        return Game.parse(where)
    if isinstance(where, Position):
        return Game(where)
    raise NotationError(f"a game, a position or its text is needed, not {brief(where)}")


def _sides(sides: Collection[Player]) -> Collection[Player]:
    if not isinstance(sides, Collection) or not all(side in ("X", "O") for side in sides):
        raise SizeError(f"sides are players, X and O, not {brief(sides)}")
    return sides
