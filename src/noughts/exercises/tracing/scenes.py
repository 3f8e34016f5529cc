"""What there is to see and to say of each exercise while its textbook form runs.

A `Scene` reads the arguments, names the function to run, follows the reports of the run, and
describes what happens in words. It decides nothing: what happens is what the code does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

from noughts.errors import IllegalMove, NotationError, SizeError, brief
from noughts.exercises.textbook import enumeration, simulate, tic_tac_toe, ultimate, verdict
from noughts.exercises.tracing.step import Event, Picture
from noughts.exercises.tracing.stepping import Remark, Report
from noughts.rules.board import Board
from noughts.rules.grid import Grid
from noughts.rules.grid_notation import cell_name, read_number
from noughts.rules.ultimate_notation import picture_cell

__all__ = ["SCENES", "Scene"]

MOST_CELLS = 100  # of a board that can be followed
MOST_MOVES = 1000  # of a list


class Scene(ABC):
    """One run of one exercise."""

    title: str
    module: ModuleType
    function: str
    unseen: tuple[str, ...] = ()  # functions that run in one step
    lesson: str  # the page that explains the exercise
    example: tuple[str, ...]  # an input to begin with
    keys: frozenset[Event]  # the events that tell the story without the details

    input: tuple[str, ...]  # as text that can be given again
    game: str  # the game whose empty board the pictures fill

    @abstractmethod
    def __init__(self, *given: Any) -> None:
        """Read the input, or raise an error that names what is wrong."""

    @classmethod
    def given(cls, texts: Sequence[str]) -> tuple[Any, ...]:
        """Return the arguments of the constructor for an input of texts."""
        return tuple(texts)

    @property
    @abstractmethod
    def arguments(self) -> tuple[Any, ...]:
        """What the function is called with."""

    @abstractmethod
    def follow(self, report: Report, event: Event) -> None:
        """Take notice of a step, also of one that is skipped."""

    @abstractmethod
    def picture(self, report: Report, event: Event) -> Picture:
        """Return what the board looks like after a step."""

    def say(self, report: Report, event: Event, remark: Remark | None, code: str) -> str:
        """Return what happens in words; `code` is the statement."""
        if event is Event.CALL:
            return f"call {report.function}"
        if event is Event.RETURN:
            return f"{report.function} returns {_short(report.value)}"
        if event is Event.TEST:
            truth = "true" if report.value else "false"
            return f"{code.removeprefix('el').removeprefix('if ').removesuffix(':')}: {truth}"
        if code.startswith("for "):
            names = code.removeprefix("for ").partition(" in ")[0]
            return f"next {names}: {_short(report.value)}"
        if event is Event.REJECT:
            return f"rejected: {remark.why}" if remark else "rejected"
        if event is Event.ACCEPT:
            return "accepted"
        variables = report.variables
        set_here = [name.strip() for name in code.partition(" = ")[0].split(",")]
        if not variables.keys() >= {*set_here}:
            return code
        return ", ".join(f"{name} = {_short(variables[name])}" for name in set_here)

    def holds(self, report: Report, event: Event) -> bool | None:
        """Return whether the rule that is checked is kept, or None where none is."""
        return None

    def is_key(self, report: Report, event: Event, code: str) -> bool:
        """Return whether this step belongs to the story without the details."""
        return event in self.keys


def _short(value: object) -> str:
    if type(value).__module__ != "builtins":
        return type(value).__name__
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


class Games(Scene):
    """Every game on a grid, by recursion and backtracking."""

    title = "Every game, by recursion and backtracking"
    module = enumeration
    function = "games"
    unseen = ("lines_through",)
    lesson = "games"
    example = ("2x2x2",)
    keys = frozenset({Event.PLACE, Event.WIN, Event.DRAW, Event.UNDO})

    def __init__(self, grid: Grid | str = "2x2x2") -> None:
        self.grid = grid if isinstance(grid, Grid) else Grid.parse(grid)
        _require_cells(self.grid)
        self.input = (str(self.grid),)
        self.game = str(self.grid)
        self._marks = ["."] * self.grid.cells
        self._line: tuple[int, ...] = ()  # the one that wins
        self._found = -1  # the number of the last game

    @property
    def arguments(self) -> tuple[Any, ...]:
        return (self.grid.rows, self.grid.cols, self.grid.k)

    def follow(self, report: Report, event: Event) -> None:
        self._marks = report.variables.get("board", self._marks)
        if report.function == "wins" and event is Event.RETURN and report.value:
            self._line = tuple(report.variables["line"])
        elif event is Event.UNDO:
            self._line = ()
        elif report.kind == "yield":
            self._found += 1

    def picture(self, report: Report, event: Event) -> Picture:
        cells = self._line
        if not cells and report.function == "wins":
            cells = tuple(report.variables.get("line", ()))
        if not cells and event in (Event.PLACE, Event.UNDO, Event.DRAW):
            cells = (report.variables["cell"],)
        return Picture(self.grid.rows, self.grid.cols, "".join(self._marks), cells)

    def say(self, report: Report, event: Event, remark: Remark | None, code: str) -> str:
        variables = report.variables
        if event in (Event.PLACE, Event.UNDO):
            verb = "place" if event is Event.PLACE else "undo"
            return f"{verb} {variables['player']} at {self._name(variables['cell'])}"
        if event in (Event.WIN, Event.DRAW):
            result = f"{variables['player']} wins" if event is Event.WIN else "a draw"
            return f"{result}: game {self._found:,} is {self._names(report.value)}"
        if event is Event.CHECK:
            return f"check the line {self._names(variables['line'])}"
        if event is Event.TEST and report.function == "wins":
            is_full = "all" if report.value else "not all"
            return f"the line {self._names(variables['line'])} is {is_full} {variables['player']}"
        if event is Event.CALL and report.function == "play":
            moves = self._names(variables["moves"])
            return f"call play: all games that begin {moves}" if moves else "call play: all games"
        if event is Event.CALL and report.function == "wins":
            return f"call wins: does {self._name(variables['cell'])} complete a line?"
        if event is Event.RETURN and report.function == "wins":
            return "wins returns True: yes" if report.value else "wins returns False: no"
        if event is Event.RETURN:
            return f"{report.function} returns: every cell has been tried"
        if event is Event.LINE and code.startswith("for cell"):
            return f"next cell: {variables['cell']}, which is {self._name(variables['cell'])}"
        return super().say(report, event, remark, code)

    def _name(self, cell: int) -> str:
        return cell_name(self.grid, cell)

    def _names(self, cells: Iterable[int]) -> str:
        return " ".join(map(self._name, cells))


class State(Scene):
    """The verdict on a drawn board."""

    title = "The verdict on a drawn board"
    module = verdict
    function = "state"
    unseen = ("all_lines", "full_lines", "no_common_cell")
    lesson = "state"
    example = ("XXX/OOO/...",)
    keys = frozenset({Event.CALL, Event.CHECK, Event.WIN, Event.DRAW, Event.RETURN})

    def __init__(self, board: Board | str | Sequence[str]) -> None:
        self.board = board if isinstance(board, Board) else Board.parse(board)
        _require_cells(self.board.grid)
        grid = self.board.grid
        rows = "/".join(self.board.rows)
        self.game = str(grid)
        self.input = (rows if grid.k == 3 else f"{grid}:{rows}",)
        self._broken: tuple[int, ...] = ()  # the cells of a rule that is broken

    @property
    def arguments(self) -> tuple[Any, ...]:
        return (self.board.rows, self.board.grid.k)

    def follow(self, report: Report, event: Event) -> None:
        if event is Event.CHECK and report.value:
            self._broken = self._cells(report.variables)

    def picture(self, report: Report, event: Event) -> Picture:
        variables = report.variables
        cells = self._broken
        if not cells and "o_lines" in variables:
            cells = self._cells(variables)
        grid = self.board.grid
        return Picture(grid.rows, grid.cols, "".join(self.board.rows), cells)

    def _cells(self, variables: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the cells of all lines; of the side with too many marks where there is none."""
        lines = variables["x_lines"] + variables["o_lines"]
        surplus = variables["x_count"] - variables["o_count"]
        if lines or surplus in (0, 1):
            return tuple(sorted({cell for line in lines for cell in line}))
        many = "X" if surplus > 0 else "O"
        return tuple(cell for cell, mark in enumerate(variables["cells"]) if mark == many)

    def say(self, report: Report, event: Event, remark: Remark | None, code: str) -> str:
        if event is Event.CHECK and remark:
            broken = " ".join(cell_name(self.board.grid, cell) for cell in self._broken)
            return f"broken: {remark.why} ({broken})" if report.value else f"holds: {remark.why}"
        if event is Event.WIN:
            return f"{report.value[0]} wins"
        if event is Event.DRAW:
            return "a draw"
        return super().say(report, event, remark, code)

    def holds(self, report: Report, event: Event) -> bool | None:
        return not report.value if event is Event.CHECK else None


class Valid(State):
    """Whether some game leads to a board."""

    title = "Can this board be reached?"
    function = "valid"
    example = ("XOX/O.O/XOX",)


class Move(Scene):
    """Constant-time play on n x n."""

    title = "Wins in constant time"
    module = tic_tac_toe
    function = "play"
    lesson = "tic-tac-toe"
    example = ("3", "0,0,1", "2,0,2", "1,1,1", "2,1,2", "0,2,1", "1,0,2", "2,2,1")
    keys = frozenset({Event.CALL, Event.WIN, Event.RETURN})

    @classmethod
    def given(cls, texts: Sequence[str]) -> tuple[Any, ...]:
        return (*texts[:1], texts[1:])

    def __init__(self, n: int | str, moves: Iterable[str | Sequence[int]] = ()) -> None:
        size = read_number(n) if isinstance(n, str) else n
        if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= 10:
            raise SizeError(f"n is a whole number from 1 to 10 for a trace, not {brief(n)}")
        self.n = size
        self.game = f"{size}x{size}x{size}"
        self.moves: list[tuple[int, int, int]] = []
        taken = set()
        for number, move in enumerate(_require_list(moves), 1):
            row, col, player = _three_numbers(move, number)
            if not (0 <= row < size and 0 <= col < size):
                raise IllegalMove(
                    f"move {number}: row and column are 0 to {size - 1}, not {row},{col}"
                )
            if player not in (1, 2):
                raise IllegalMove(f"move {number}: the player is 1 or 2, not {brief(player)}")
            if (row, col) in taken:
                raise IllegalMove(f"move {number}: the cell {row},{col} is taken")
            taken.add((row, col))
            self.moves.append((row, col, player))
        self.input = (str(size), *(",".join(map(str, move)) for move in self.moves))
        self._marks = ["."] * size**2
        self._cell: tuple[int, ...] = ()
        self._note_sums(tic_tac_toe.TicTacToe(size))

    @property
    def arguments(self) -> tuple[Any, ...]:
        return (self.n, self.moves)

    def follow(self, report: Report, event: Event) -> None:
        variables = report.variables
        if event is Event.CALL and report.function == "move":
            cell = self.n * variables["row"] + variables["col"]
            self._marks[cell] = " XO"[variables["player"]]
            self._cell = (cell,)
        game = variables.get("self") or variables.get("game")
        if game is not None:
            self._note_sums(game)

    def _note_sums(self, game: tic_tac_toe.TicTacToe) -> None:
        self._sums = {
            "rows": tuple(game.rows),
            "cols": tuple(game.cols),
            "diagonal": (game.diagonal,),
            "anti_diagonal": (game.anti_diagonal,),
        }

    def picture(self, report: Report, event: Event) -> Picture:
        return Picture(self.n, self.n, "".join(self._marks), self._cell, sums=self._sums)

    def say(self, report: Report, event: Event, remark: Remark | None, code: str) -> str:
        variables = report.variables
        if event is Event.CALL and report.function == "move":
            place = f"row {variables['row']}, column {variables['col']}"
            return f"call move: player {variables['player']} at {place}"
        if event is Event.RETURN and report.function == "move":
            return "move returns 0: no counter has reached its goal"
        if event is Event.WIN:
            return f"player {report.value} wins: a counter has reached {variables['goal']}"
        if event is Event.TEST and report.function == "move" and "goal" in variables:
            reached = "a counter has" if report.value else "no counter has"
            return f"{reached} reached {variables['goal']}"
        if event is Event.LINE and report.function == "move":
            return self._sum_of(code, variables)
        return super().say(report, event, remark, code)

    def is_key(self, report: Report, event: Event, code: str) -> bool:
        is_sum = event is Event.LINE and "+=" in code
        return is_sum or super().is_key(report, event, code)

    def _sum_of(self, code: str, variables: Mapping[str, Any]) -> str:
        """Say what a counter is after a statement that changes it."""
        target = code.partition("=")[0].rstrip("+ ")
        game = variables["self"]
        for name, index in (("rows", "row"), ("cols", "col")):
            if target == f"self.{name}[{index}]":
                return f"{name}[{variables[index]}] is {getattr(game, name)[variables[index]]}"
        if target.startswith("self."):
            return (
                f"{target.removeprefix('self.')} is {getattr(game, target.removeprefix('self.'))}"
            )
        return f"{target} = {variables.get(target)}"


class _Replay(Scene):
    """A replay of a list of moves."""

    keys = frozenset({Event.PLACE, Event.ACCEPT, Event.REJECT, Event.WIN})

    @classmethod
    def given(cls, texts: Sequence[str]) -> tuple[Any, ...]:
        return (texts,)

    def __init__(self, moves: Sequence[str]) -> None:
        self.moves = _require_list(moves)
        for number, move in enumerate(self.moves, 1):
            if not isinstance(move, str):
                raise NotationError(f"move {number} must be text, not {brief(move)}")
        self.input = tuple(self.moves)
        self._cell: tuple[int, ...] = ()

    @property
    def arguments(self) -> tuple[Any, ...]:
        return (self.moves,)

    def follow(self, report: Report, event: Event) -> None:
        if report.kind == "line" and report.value is not None:  # the next move of the list
            self._cell = ()
        if event in (Event.PLACE, Event.REJECT):
            self._cell = self._aimed_at(report.variables["move"].split(",")[:-1])

    @abstractmethod
    def _aimed_at(self, parts: list[str]) -> tuple[int, ...]:
        """Return the cell that a move names, as it lies on the table; none if there is none."""

    def say(self, report: Report, event: Event, remark: Remark | None, code: str) -> str:
        variables = report.variables
        if event is Event.CALL and report.function == self.function:
            count = len(self.moves)
            return f"call {self.function} with {count:,} move{'s' * (count != 1)}"
        if event is Event.PLACE:
            return f"place {variables['player']} at {variables['move'].rpartition(',')[0]}"
        if event is Event.WIN:
            return f"{variables['player']} wins"
        if event is Event.LINE and code.startswith("for move"):
            return f"move {len(variables['bits']) + 1}: {_short(variables['move'])!r}"
        return super().say(report, event, remark, code)

    def is_key(self, report: Report, event: Event, code: str) -> bool:
        return code.startswith("for move") or super().is_key(report, event, code)


class Simulate(_Replay):
    """Replays moves on 3x3."""

    title = "Replay a list of moves"
    module = simulate
    function = "simulate"
    lesson = "simulate"
    game = "3x3x3"
    example = ("0,0,X", "0,0,O", "1,1,O", "3,1,X", "0,1,X", "2,2,O", "0,2,X", "1,2,O")

    def __init__(self, moves: Sequence[str]) -> None:
        super().__init__(moves)
        self._marks = ["."] * 9

    def follow(self, report: Report, event: Event) -> None:
        super().follow(report, event)
        self._marks = report.variables.get("board", self._marks)

    def _aimed_at(self, parts: list[str]) -> tuple[int, ...]:
        numbers = _digits(parts, 2)
        return (3 * numbers[0] + numbers[1],) if numbers else ()

    def picture(self, report: Report, event: Event) -> Picture:
        return Picture(3, 3, "".join(self._marks), self._cell)


class Ultimate(_Replay):
    """Replays moves of Ultimate tic-tac-toe."""

    title = "Replay a list of moves of Ultimate"
    module = ultimate
    function = "simulate_ultimate"
    unseen = ("picture",)
    lesson = "ultimate"
    game = "ultimate"
    example = ("0,0,1,2,X", "1,2,0,0,O", "2,2,0,0,X", "0,0,1,1,X", "1,1,0,0,O", "0,0,1,0,X")

    def __init__(self, moves: Sequence[str]) -> None:
        super().__init__(moves)
        self._variables: Mapping[str, Any] = {}
        self._last: int | None = None  # the cell of the last mark, as it lies on the table

    def follow(self, report: Report, event: Event) -> None:
        super().follow(report, event)
        if report.function == self.function:
            self._variables = report.variables
        if event is Event.PLACE:
            (self._last,) = self._cell

    def _aimed_at(self, parts: list[str]) -> tuple[int, ...]:
        numbers = _digits(parts, 4)
        if not numbers:
            return ()
        big_row, big_col, row, col = numbers
        return (picture_cell(27 * big_row + 9 * big_col + 3 * row + col),)

    def picture(self, report: Report, event: Event) -> Picture:
        boards = self._variables.get("boards", [["."] * 9] * 9)
        owners = self._variables.get("owners", ["."] * 9)
        forced = self._variables.get("forced")
        is_won = self._variables.get("winner", "None") != "None"
        playable = [each for each in range(9) if owners[each] == "." and forced in (None, each)]
        arrow = None
        if self._last is not None and forced == self._variables["cell"] and not is_won:
            arrow = (self._last, forced)
        return Picture(
            9,
            9,
            "".join(ultimate.picture(boards)),
            self._cell,
            owners="".join(owners),
            playable=() if is_won else tuple(playable),
            arrow=arrow,
        )


SCENES: Mapping[str, type[Scene]] = {
    "games": Games,
    "state": State,
    "valid": Valid,
    "move": Move,
    "simulate": Simulate,
    "ultimate": Ultimate,
}
"""The exercises that can be traced, by name."""


def _require_cells(grid: Grid) -> None:
    if grid.cells > MOST_CELLS:
        raise SizeError(f"{grid} is too large to follow: a trace has at most {MOST_CELLS} cells")


def _require_list(moves: object) -> list[Any]:
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise NotationError(f"moves are a list, not {brief(moves)}")
    listed = list(moves)
    if len(listed) > MOST_MOVES:
        raise SizeError(f"{len(listed):,} moves are too many to follow: at most {MOST_MOVES:,}")
    return listed


def _digits(parts: list[str], count: int) -> list[int]:
    """Return the parts as numbers if they are this many digits of 0 to 2, else none."""
    fits = len(parts) == count and all(part in simulate.DIGITS for part in parts)
    return list(map(int, parts)) if fits else []


def _three_numbers(move: object, number: int) -> tuple[int, int, int]:
    """Return row, column and player of a move, given as text or as three numbers."""
    parts = move.split(",") if isinstance(move, str) else move
    if isinstance(parts, Sequence) and len(parts) == 3:
        numbers = [read_number(part) if isinstance(part, str) else part for part in parts]
        if all(isinstance(each, int) and not isinstance(each, bool) for each in numbers):
            row, col, player = numbers
            return row, col, player  # type: ignore[return-value]
    raise NotationError(f"move {number}: a move is row,col,player like 0,0,1, not {brief(move)}")
