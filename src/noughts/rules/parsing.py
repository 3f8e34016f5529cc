"""From a name or a text to the right game's position.

A game's name is a grid (``4x4x3``) or ``ultimate``, with a variant where it has one
(``ultimate-open``). A position's text is the name, a colon and the board; the name may be
left out for boards with three in a row and for standard Ultimate. Moves may follow, and
undone moves behind a bar::

    3x3x3 b2 a1 c3
    3x3x3:XX./OO./... c1
    ultimate-open ee ea | aa
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from noughts.errors import IllegalMove, NotationError, brief, require_text
from noughts.rules.grid import Grid
from noughts.rules.pasted import read_again
from noughts.rules.position import GridPosition, Position
from noughts.rules.ultimate import UltimatePosition, Variant
from noughts.rules.ultimate_notation import fen_length

if TYPE_CHECKING:  # a Game is read by this module, so it stands above it
    from noughts.rules.game import Game

__all__ = ["AnyPosition", "MoveList", "parse_position", "position", "position_of", "start"]

AnyPosition: TypeAlias = GridPosition | UltimatePosition


def start(game: str | Grid | Variant) -> AnyPosition:
    """Return the starting position of a game given by name.

    >>> start("4x4x3").move_count, start("ultimate").move_count
    (16, 81)
    """
    if isinstance(game, Grid):
        return GridPosition.start(game)
    if isinstance(game, Variant):
        return UltimatePosition.start(game)
    if not isinstance(game, str):
        raise NotationError(f"a game is named like 4x4x3 or ultimate, not {brief(game)}")
    if game.startswith("ultimate"):
        return UltimatePosition.start(game)
    try:
        return GridPosition.start(game)
    except NotationError as error:
        if "x" in game:
            raise
        message = f"a game is named like 4x4x3 or ultimate, not {brief(game)}"
        raise NotationError(message, game) from error


def parse_position(text: str) -> AnyPosition:
    """Read a position of any game, or a game's name for its starting position.

    >>> parse_position("XX./OO./...").game, parse_position("4x4x3").game
    ('3x3x3', '4x4x3')
    >>> parse_position("9/9/9/9/4X4/9/9/9/9 O e").game
    'ultimate'
    """
    return _start_of(require_text(text, "a position"))


def _start_of(text: str) -> AnyPosition:
    if text.startswith("ultimate"):
        return UltimatePosition.parse(text) if ":" in text else UltimatePosition.start(text)
    if ";" in text or ("/" in text and fen_length(text)):
        return UltimatePosition.parse(text)
    if ":" in text or "/" in text or not text.strip("XO. 0"):
        return GridPosition.parse(text)
    if "x" in text:
        return start(text)
    raise NotationError(
        "a position is a board like XX./OO./..., an Ultimate position, or a game like 4x4x3 or "
        f"ultimate, not {brief(text)}",
        text,
        0,
    )


def position(text: str) -> AnyPosition:
    """Read a position of any game in any form, with the moves that follow it played.

    >>> position("4x4x3 b2 a1").text
    '4x4x3:O.../.X../..../....'
    >>> position("ultimate ee ea").forced
    0
    """
    return MoveList.parse(require_text(text, "a position")).position


def position_of(where: Position | Game[Any] | Grid | Variant | str) -> AnyPosition:
    """Return the position that `where` names: itself, the last one of a game, or its text.

    A grid or a variant stands for its starting position.

    >>> position_of("3x3x3 b2").text, position_of(Grid(2, 2, 2)).text
    ('3x3x3:.../.X./...', '2x2x2:../..')
    """
    if isinstance(where, str):
        return MoveList.parse(where).position
    if isinstance(where, Grid | Variant):
        return start(where)
    found = getattr(where, "position", where)
    if not isinstance(found, GridPosition | UltimatePosition):
        raise NotationError(f"a position, a game or its text is needed, not {brief(where)}")
    return found


class MoveList(NamedTuple):
    """A game as it was read: its moves, the positions before and after each, and the bar."""

    positions: list[AnyPosition]
    moves: list[int]
    played: int  # the moves behind this one are undone

    @classmethod
    def parse(cls, text: str) -> MoveList:
        """Read a start and its moves; undone moves stand behind a bar.

        A text that is not in this form may be one that was pasted from elsewhere.
        """
        try:
            return cls._read(text)
        except NotationError as fault:
            return read_again(text, fault, cls._read)

    @classmethod
    def _read(cls, text: str) -> MoveList:
        first, words = _split(text)
        try:
            positions = [_start_of(first)]
        except NotationError as error:
            offset = None if error.offset is None else text.find(first) + error.offset
            raise NotationError(error.message, text, offset) from None
        moves: list[int] = []
        bar_at: int | None = None
        for offset, word in words:
            if word == "|":
                if bar_at is not None:
                    message = "a second bar; one divides played from undone"
                    raise NotationError(message, text, offset)
                bar_at = len(moves)
                continue
            try:
                moves.append(positions[-1].number_of(word))
                positions.append(positions[-1].play(moves[-1]))
            except NotationError as error:
                raise NotationError(error.message, text, offset + (error.offset or 0)) from None
            except IllegalMove as error:
                message = f"move {len(positions)}: {error}"
                raise NotationError(message, text, offset) from None
        return cls(positions, moves, len(moves) if bar_at is None else bar_at)

    @property
    def position(self) -> AnyPosition:
        """The position after the moves that are played."""
        return self.positions[self.played]


def _split(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the start of a game and the words behind it, each with its index.

    A start is a word; but a FEN has spaces, and so may a board, for empty cells.
    """
    words = [(match.start(), match.group()) for match in re.finditer(r"[^\s,]+", text)]
    if not words:
        raise NotationError("the game is empty", text)
    first = words[0][1]
    if "/" not in text:
        return first, words[1:]
    rows = first.partition(":")[2].split("/") if ":" in first else first.split("/")
    end = fen_length(text)
    if not end and (len(rows) == 1 or {*map(len, rows)} != {len(rows[0])}):
        # If it is a board at all, its first word is only a part of it. What follows is moves,
        # and the last space before them is not a cell. Without a space it belongs to the board,
        # where it is pointed at.
        match = _SPACED_BOARD.match(text)
        end = match.end() if match else 0
        if 0 < end < len(text):
            stuck = re.split(r"[\s,]", text[end:], maxsplit=1)[0]
            end += -1 if text[end - 1] == " " else len(stuck)
    if not end:
        return first, words[1:]
    return text[:end], [word for word in words if word[0] >= end]


_SPACED_BOARD = re.compile(r"(?:\d+x\d+x\d+:)?[XO.0 ]*/[XO.0 /]*")
