"""Ultimate tic-tac-toe: nine boards in one; a move's cell is the opponent's next board.

A move is board*9 + cell, and so is a mark's bit in the masks `x` and `o`. Boards, and the
cells of a board, are numbered row by row from 0 and lettered a to i::

     0  1  2 |  9 10 11 | 18 19 20         0 1 2    a b c
     3  4  5 | 12 13 14 | 21 22 23         3 4 5    d e f
     6  7  8 | 15 16 17 | 24 25 26         6 7 8    g h i
    ---------+----------+---------
    27 28 29 | 36 ...

The state is the marks and the forced board. Who captured a small board follows from the
marks, with one exception: in the variant `open` both sides may come to have a line in the
same board and only the first one counts, so `x_first` remembers the boards where it was X.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Flag
from functools import cached_property

from noughts.drawing import LETTERS, Diagram
from noughts.drawing.diagram import require_labels
from noughts.errors import (
    IllegalMove,
    InvalidPosition,
    NotationError,
    SizeError,
    brief,
    require_text,
    whole_number,
)
from noughts.rules.board import require_masks
from noughts.rules.grid import Grid, cells_of
from noughts.rules.grid_notation import write_marks
from noughts.rules.player import Outcome, Player, Termination
from noughts.rules.position import Position
from noughts.rules.symmetry import Symmetry, require_symmetry
from noughts.rules.ultimate_notation import (
    UltimateFields,
    picture_cell,
    read_ultimate_fen,
    read_ultimate_line,
    read_ultimate_move,
    ultimate_move_name,
    write_ultimate_fen,
    write_ultimate_line,
)

__all__ = ["UltimatePosition", "Variant"]

BOARDS = range(9)
FULL = 0b111_111_111
SMALL = Grid(3, 3, 3)
"""The grid of every small board, and of the nine boards themselves."""

HAS_LINE = tuple(SMALL.has_line(mask) for mask in range(FULL + 1))
"""Whether a set of cells of one small board, or of captured boards, contains a line."""

BOARD_NAMES = (
    *("top left", "top", "top right"),
    *("left", "centre", "right"),
    *("bottom left", "bottom", "bottom right"),
)


class Variant(Flag):
    """Rules that differ from the standard ones; they may be combined with ``|``."""

    STANDARD = 0
    OPEN = 1
    """A captured board stays playable until it is full; its first captor keeps it."""
    MOST_BOARDS = 2
    """When play ends without a line, more captured boards win; equally many are a draw."""

    @property
    def text(self) -> str:
        """The game's name: ``ultimate``, ``ultimate-open``, ..."""
        return "-".join(["ultimate", *(_VARIANT_NAMES[v] for v in _VARIANT_NAMES if v in self)])

    @classmethod
    def parse(cls, text: str) -> Variant:
        """Read a game's name, or the variant's alone: ``ultimate-open``, ``most-boards``.

        >>> Variant.parse("ultimate-open").text, Variant.parse("standard").text
        ('ultimate-open', 'ultimate')
        """
        if not isinstance(text, str):
            raise NotationError(f"a variant is named by text, not {brief(text)}")
        for variant in _ALL_VARIANTS:
            name = variant.text
            if text in (name, name.removeprefix("ultimate-")):
                return variant
        if text == "standard":
            return cls.STANDARD
        known = ", ".join(variant.text for variant in _ALL_VARIANTS)
        raise NotationError(f"{brief(text)} is not an Ultimate variant: {known}", str(text))


_VARIANT_NAMES = {Variant.OPEN: "open", Variant.MOST_BOARDS: "most-boards"}
_ALL_VARIANTS = tuple(Variant(bits) for bits in range(4))


@dataclass(frozen=True, repr=False)
class UltimatePosition(Position):
    """A position of Ultimate tic-tac-toe.

    >>> position = UltimatePosition.start().play("ee").play("ea")
    >>> position.turn, position.forced, position.move_count
    (<Player.X: 'X'>, 0, 9)
    >>> position.text
    'ultimate:X;@........;........./........./........./........./O...X..../........./........./........./.........'
    """

    x: int = 0
    o: int = 0
    forced: int | None = None
    variant: Variant = Variant.STANDARD
    x_first: int = 0

    def __post_init__(self) -> None:
        require_masks(self.x, self.o, 81, "ultimate")
        if self.forced is not None:
            whole_number(self.forced, "the forced board", most=8)
        if not isinstance(self.variant, Variant):
            raise SizeError(f"a variant is needed, not {brief(self.variant)}")
        whole_number(self.x_first, "x_first", most=FULL)
        is_open = Variant.OPEN in self.variant
        both = _boards_with_two_lines(self.x, self.o) if is_open else 0
        if self.x_first & ~both:
            board = _board_name(cells_of(self.x_first & ~both)[0])
            raise SizeError(f"x_first has {board}, where X and O do not both have a line")
        _require_possible(self, self._fields(None))

    @classmethod
    def unchecked(
        cls,
        x: int,
        o: int,
        forced: int | None,
        variant: Variant = Variant.STANDARD,
        x_first: int = 0,
    ) -> UltimatePosition:
        """Return the position of a state that the caller knows to be valid."""
        position = object.__new__(cls)
        position.__dict__.update(x=x, o=o, forced=forced, variant=variant, x_first=x_first)
        return position

    @classmethod
    def start(cls, variant: Variant | str = Variant.STANDARD) -> UltimatePosition:
        """Return the empty board, X to move anywhere."""
        if not isinstance(variant, Variant):
            variant = Variant.parse(variant)
        return cls.unchecked(0, 0, None, variant)

    @property
    def size(self) -> int:
        """The number of cells: 81."""
        return 81

    @property
    def game(self) -> str:
        """The name of the game and its variant."""
        return self.variant.text

    @property
    def turn(self) -> Player:
        """The side to move (in a finished game, the side that would be)."""
        return Player.X if self.x.bit_count() == self.o.bit_count() else Player.O

    # -- what follows from the marks -----------------------------------------------------

    @cached_property
    def captured(self) -> tuple[int, int]:
        """The boards that X and that O captured, as two masks."""
        x_lines, o_lines = _boards_where(HAS_LINE, self.x), _boards_where(HAS_LINE, self.o)
        both = x_lines & o_lines
        return x_lines ^ both | self.x_first, o_lines ^ both | both & ~self.x_first

    @cached_property
    def filled(self) -> int:
        """The boards without an empty cell, as a mask."""
        return _boards_where(_IS_FULL, self.x | self.o)

    @property
    def closed(self) -> int:
        """The boards in which no move is allowed any more, as a mask."""
        x_boards, o_boards = self.captured
        return self.filled if Variant.OPEN in self.variant else self.filled | x_boards | o_boards

    @property
    def owners(self) -> str:
        """The nine boards' owners: ``X``, ``O``, ``#`` (full, without a line) or ``.``."""
        x_boards, o_boards = self.captured
        return "".join(
            "X" if x_boards >> board & 1
            else "O" if o_boards >> board & 1
            else "#" if self.filled >> board & 1
            else "."
            for board in BOARDS
        )  # fmt: skip

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        x_boards, o_boards = self.captured
        for player, boards in ((Player.X, x_boards), (Player.O, o_boards)):
            if HAS_LINE[boards]:
                return Outcome(player, Termination.LINE, tuple(SMALL.lines_in(boards)))
        if self.closed != FULL:
            return None
        lead = x_boards.bit_count() - o_boards.bit_count()
        if Variant.MOST_BOARDS in self.variant and lead:
            return Outcome(Player.X if lead > 0 else Player.O, Termination.MOST_BOARDS)
        return Outcome(None, Termination.FULL)

    @property
    def playable(self) -> int:
        """The boards in which the side to move may play, as a mask."""
        if self.outcome:
            return 0
        return FULL & ~self.closed if self.forced is None else 1 << self.forced

    @property
    def _legal(self) -> int:
        return _cells_of_boards(self.playable) & ~(self.x | self.o)

    @property
    def legal_moves(self) -> list[int]:
        """The legal moves in ascending order; none once the game is over."""
        return cells_of(self._legal)

    @property
    def move_count(self) -> int:
        """The number of legal moves."""
        return self._legal.bit_count()

    # -- play ----------------------------------------------------------------------------

    def play(self, move: int | str) -> UltimatePosition:
        """Return the position after a legal move, given by its number or its name."""
        number = self.number_of(move)
        if self.outcome:
            raise IllegalMove(f"the game is over: {self.outcome}")
        board = number // 9
        name = f"{ultimate_move_name(number)} ({number})"
        if (self.x | self.o) >> number & 1:
            mark = "X" if self.x >> number & 1 else "O"
            raise IllegalMove(f"{name} is taken by {mark}")
        if not self.playable >> board & 1:
            if self.closed >> board & 1:
                raise IllegalMove(f"{name} is in {_board_name(board)}, which is closed")
            sent = _board_name(self.forced) if self.forced is not None else ""
            raise IllegalMove(f"{name} is not in {sent}, where {self.turn} must play")
        return self.play_unchecked(number)

    def play_unchecked(self, move: int) -> UltimatePosition:
        """Return the position after a move that the caller knows to be legal."""
        x, o, x_first = self.x, self.o, self.x_first
        board, cell = divmod(move, 9)
        if self.turn is Player.X:
            x |= 1 << move
        else:
            o |= 1 << move
            if HAS_LINE[x >> board * 9 & FULL] and HAS_LINE[o >> board * 9 & FULL]:
                # O's line may be the newer one: then the board stays with X.
                x_first |= self.captured[0] & 1 << board
        after = UltimatePosition.unchecked(x, o, cell, self.variant, x_first)
        if after.closed >> cell & 1 or after.outcome:
            return UltimatePosition.unchecked(x, o, None, self.variant, x_first)
        return after

    # -- symmetry ------------------------------------------------------------------------

    def transformed(self, symmetry: Symmetry) -> UltimatePosition:
        """Return the position turned or mirrored: the nine boards and the cells in each."""
        require_symmetry(symmetry)
        return UltimatePosition.unchecked(
            _transform(symmetry, self.x),
            _transform(symmetry, self.o),
            None if self.forced is None else symmetry.image(self.forced, 3, 3),
            self.variant,
            symmetry.apply(self.x_first, 3, 3),
        )

    def canonical(self) -> UltimatePosition:
        """Return the canonical form: the least of the position's symmetric images."""
        images = (self.transformed(symmetry) for symmetry in Symmetry)
        return min(
            images, key=lambda i: (i.x, i.o, -1 if i.forced is None else i.forced, i.x_first)
        )

    # -- text ----------------------------------------------------------------------------

    @property
    def line(self) -> str:
        """The position line ``O;@........;X.OO...../...``: to move; owners; nine boards."""
        return write_ultimate_line(self._fields(self.owners))

    @property
    def fen(self) -> str:
        """The FEN-like form ``9/9/9/9/4X4/9/9/9/9 O e``: the picture's rows, to move, forced."""
        # Only the variant `open` needs the owners; otherwise they follow from the marks.
        return write_ultimate_fen(
            self._fields(self.owners if Variant.OPEN in self.variant else None)
        )

    @property
    def text(self) -> str:
        """The position line behind the game's name."""
        return f"{self.game}:{self.line}"

    def _fields(self, owners: str | None) -> UltimateFields:
        return UltimateFields(self.turn.value, self.forced, self.x, self.o, owners)

    @classmethod
    def parse(cls, text: str, variant: Variant | str | None = None) -> UltimatePosition:
        """Read a position line or a FEN, with or without the game's name in front.

        The player to move and the owners that the text gives must agree with its marks, and
        some last move must lead there; `InvalidPosition` names everything that does not fit.
        Whether a whole game leads there is not decided.

        >>> UltimatePosition.parse("9/9/9/9/4X4/9/9/9/9 O e").legal_moves
        [36, 37, 38, 39, 41, 42, 43, 44]
        """
        require_text(text, "an Ultimate position")
        wanted = variant
        if not (wanted is None or isinstance(wanted, Variant)):
            wanted = Variant.parse(wanted)
        name, colon, body = text.rpartition(":")
        if colon:
            named = Variant.parse(name)
            if wanted not in (None, named):
                assert wanted is not None
                raise NotationError(f"the text says {name}, not {wanted.text}", text, 0)
            wanted = named
        try:
            fields = read_ultimate_line(body) if ";" in body else read_ultimate_fen(body)
        except NotationError as error:
            offset = None if error.offset is None else error.offset + len(name) + len(colon)
            raise NotationError(error.message, text, offset) from None
        return cls._of(fields, wanted or Variant.STANDARD)

    @classmethod
    def _of(cls, fields: UltimateFields, variant: Variant) -> UltimatePosition:
        """Return the position that the fields describe, or raise with every contradiction."""
        x_first = 0
        both = _boards_with_two_lines(fields.x, fields.o)
        if Variant.OPEN in variant and both:
            if fields.owners is None or any(fields.owners[b] not in "XO" for b in cells_of(both)):
                names = " and ".join(map(_board_name, cells_of(both)))
                raise InvalidPosition([f"both have a line in {names}: say who came first"])
            x_first = sum(1 << b for b in cells_of(both) if fields.owners[b] == "X")
        position = cls.unchecked(fields.x, fields.o, fields.forced, variant, x_first)
        _require_possible(position, fields)
        return position

    def move_name(self, move: int) -> str:
        """Return a move's two letters, like ``ae``."""
        return ultimate_move_name(whole_number(move, "an Ultimate move", most=80))

    def read_move(self, text: str) -> int:
        """Read a move's two letters or its number from 0 to 80."""
        return read_ultimate_move(text)

    def to_json(self) -> dict[str, object]:
        """Return the position as plain data for JSON."""
        outcome = self.outcome
        return {
            "game": self.game,
            "position": self.line,
            "boards": write_marks(self.x, self.o, 9, 9),
            "owners": self.owners,
            "forced": self.forced,
            "turn": None if outcome else self.turn.value,
            "outcome": outcome.verdict.value if outcome else None,
        }

    @classmethod
    def from_json(cls, data: object) -> UltimatePosition:
        """Read what `to_json` wrote; everything derived is derived again, not read."""
        if not isinstance(data, Mapping) or not {"game", "position"} <= data.keys():
            message = f"an Ultimate position in JSON has game and position, not {brief(data)}"
            raise NotationError(message)
        return cls.parse(data["position"], Variant.parse(data["game"]))

    # -- drawing -------------------------------------------------------------------------

    @property
    def caption(self) -> str:
        """The state of play in words."""
        if self.outcome:
            return str(self.outcome)
        if self.forced is None:
            return f"{self.turn} to move in any open board"
        return f"{self.turn} to move in {_board_name(self.forced)}"

    def diagram(
        self, *, last: int | None = None, values: Mapping[int, str] | None = None
    ) -> Diagram:
        """Describe the position for drawing, with the last move and labels per move if given."""
        marks = ["."] * 81
        for mask, mark in ((self.x, "X"), (self.o, "O")):
            for move in cells_of(mask):
                marks[picture_cell(move)] = mark
        return Diagram(
            rows=9,
            cols=9,
            marks="".join(marks),
            last=None if last is None else _picture_cell(last),
            values={_picture_cell(move): text for move, text in require_labels(values).items()},
            owners=self.owners,
            playable=tuple(cells_of(self.playable)),
            lines=self.outcome.lines if self.outcome else (),
            caption=f"{self.game}, {self.caption}",
        )


def _picture_cell(move: int) -> int:
    return picture_cell(whole_number(move, "an Ultimate move", most=80))


def _board_name(board: int) -> str:
    return f"board {LETTERS[board]} ({BOARD_NAMES[board]})"


_IS_FULL = tuple(mask == FULL for mask in range(512))


def _boards_where(table: tuple[bool, ...], marks: int) -> int:
    """Return the boards whose nine cells have a true entry in `table`, as a mask."""
    boards = 0
    bit = 1
    while marks:
        if table[marks & FULL]:
            boards |= bit
        marks >>= 9
        bit <<= 1
    return boards


def _boards_with_two_lines(x: int, o: int) -> int:
    """Return the boards in which both sides have a line, as a mask."""
    return _boards_where(HAS_LINE, x) & _boards_where(HAS_LINE, o)


def _cells_of_boards(boards: int) -> int:
    """Return the mask of all cells of the boards in a mask."""
    return sum(FULL << board * 9 for board in BOARDS if boards >> board & 1)


def _transform(symmetry: Symmetry, marks: int) -> int:
    image = symmetry.permutation(3, 3)
    return sum(1 << image[move // 9] * 9 + image[move % 9] for move in cells_of(marks))


def _require_possible(position: UltimatePosition, fields: UltimateFields) -> None:
    """Raise `InvalidPosition` with every contradiction between a position and its text."""
    if faults := list(_contradictions(position, fields)):
        raise InvalidPosition(faults)


def _contradictions(position: UltimatePosition, fields: UltimateFields) -> Iterable[str]:
    """Yield every way in which no game can have led to this position.

    These are necessary conditions on the marks, on what the text claims, and on the last
    move. Whether a whole game leads to the position is not decided.
    """
    x_count, o_count = position.x.bit_count(), position.o.bit_count()
    if x_count - o_count not in (0, 1):
        yield f"X has {x_count} marks and O {o_count}; X must have as many or one more"
        return
    if fields.turn != position.turn:
        yield f"{position.turn} is to move after {x_count} X and {o_count} O, not {fields.turn}"
    if fields.owners is not None:
        for board, (claimed, owner) in enumerate(zip(fields.owners, position.owners, strict=True)):
            if claimed not in (owner, "@"):
                yield f"{_board_name(board)} is marked {claimed!r} but its cells say {owner!r}"
    for board in BOARDS:
        yield from _small_board_faults(position, board)
    for player, boards in zip(Player, position.captured, strict=True):
        if HAS_LINE[boards] and position.turn is player:
            yield f"{player} has a line of boards, but {player.other} moved after it"
    if all(HAS_LINE[boards] for boards in position.captured):
        yield "both sides have a line of boards"
    forced = position.forced
    if forced is not None and position.closed >> forced & 1:
        yield f"{_board_name(forced)} is forced but closed"
    if forced is not None and position.outcome:
        yield f"{_board_name(forced)} is forced but the game is over"
    if x_count + o_count and not _has_last_move(position):
        where = "anywhere" if forced is None else f"to {_board_name(forced)}"
        yield f"no last move of {position.turn.other} sends {position.turn} {where}"
    if not x_count and forced is not None:
        yield "the first move is free, so no board is forced"


def _small_board_faults(position: UltimatePosition, board: int) -> Iterable[str]:
    """Yield every contradiction within one small board."""
    if Variant.OPEN in position.variant:
        return  # any marks may be added to a captured board
    x, o = position.x >> board * 9 & FULL, position.o >> board * 9 & FULL
    if HAS_LINE[x] and HAS_LINE[o]:
        yield f"both sides have a line in {_board_name(board)}, which closes at the first line"
    for player, marks in ((Player.X, x), (Player.O, o)):
        if HAS_LINE[marks] and not SMALL.shared_cells(marks):
            yield f"no single move completes both lines of {player} in {_board_name(board)}"


def _has_last_move(position: UltimatePosition) -> bool:
    """Return whether some mark, taken back and played again, gives exactly this position."""
    x_moved = position.turn is Player.O
    for move in cells_of(position.x if x_moved else position.o):
        bit = 1 << move
        x, o = (position.x ^ bit, position.o) if x_moved else (position.x, position.o ^ bit)
        x_first = position.x_first & _boards_with_two_lines(x, o)
        before = UltimatePosition.unchecked(x, o, None, position.variant, x_first)
        was_open = not (before.outcome or before.closed >> move // 9 & 1)
        if was_open and before.play_unchecked(move) == position:
            return True
    return False
