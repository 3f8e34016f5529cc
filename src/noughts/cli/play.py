"""``noughts play``: a game in the terminal, against the computer or another person."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib import import_module
from random import Random
from typing import Any

import click

from noughts.cli.output import (
    EXIT_INTERRUPTED,
    EXIT_UNUSABLE,
    complain,
    picture_for_terminal,
)
from noughts.cli.progress import ProgressLine
from noughts.cli.reading import Item, items
from noughts.cli.units import TIME
from noughts.engine import Engine, Limit, MoveEstimate
from noughts.engine.levels import Choice, choose_move, in_words, levels_of
from noughts.errors import IllegalMove, NotationError, NoughtsError, brief
from noughts.rules.player import Outcome, Player
from noughts.rules.position import GamePosition, Position
from noughts.rules.record import Game
from noughts.solving.levels import SOLVER_CELLS, value_moves
from noughts.solving.limits import Limits
from noughts.solving.values import MoveValue, Value

__all__ = ["command"]

_MEMORY = 1 << 30
_SOLVER_SECONDS, _ENGINE_SECONDS = 5.0, 1.0  # for a move where nothing is said
_MOST_NAMES = 60  # that are listed of moves about which nothing is known

HELP = {
    "undo": "take your last move back",
    "redo": "play it again",
    "hint": "show the best move",
    "moves": "say what every move leads to, counting the moves of both sides",
    "resign": "give the game up",
    "new": "start again",
    "help": "show this",
    "quit": "leave; the game so far is printed",
}
"""What can be typed instead of a move."""


@click.command("play")
@click.argument("words", nargs=-1, required=True, metavar="GAME [MOVE]...")
@click.option(
    "--as",
    "side",
    type=click.Choice(["X", "O", "none"], case_sensitive=False),
    metavar="[X|O|none]",
    help="Your side, X by default; 'none' lets the computer play both.",
)
@click.option(
    "--against",
    type=click.Choice(["solver", "person"]),
    default="solver",
    show_default=True,
    help="Who plays the other side; a person does so at the same keyboard.",
)
@click.option("--level", metavar="LEVEL", help="The computer's strength, by name or number.")
@click.option(
    "--time",
    "seconds",
    type=TIME,
    help="Time for each of its moves, like 2s.  [default: 5s, on boards it cannot solve 1s]",
)
@click.option("--seed", type=int, help="Make its luck repeatable.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
    side: str | None,
    against: str,
    level: str | None,
    seconds: float | None,
    seed: int | None,
    ascii_only: bool,
) -> None:
    """Play against the solver, the engine or another person.

    GAME is a grid like 4x4x3, 'ultimate', a variant of it, or a position. Type a move like
    b2 or its number, or a command: undo, redo, hint, moves, resign, new, help, quit. Moves
    may also come from a pipe, one per line.

    \b
    Levels on grids, played by the solver:
      1 beginner  plays at random, and sees one win in two
      2 casual    wins at once, blocks mostly, has an eye for lines
      3 strong    plays perfectly, but for one move in eight
      4 perfect   plays the best move, as far as it can be proved in the
                  time; says so where it cannot, and then asks the engine

    Every board of up to 64 cells can be solved, if the time is enough.

    \b
    Levels at Ultimate, played by the engine:
      1 beginner  plays at random, and sees one board in two
      2 casual    captures and blocks boards, looks where it sends you
      3 skilled   tries 40 lines of play
      4 strong    tries 400
      5 expert    tries 4,000
      6 full      thinks for all of its time

    \b
    Examples:
      noughts play 3x3x3
      noughts play 4x4x3 --as O --level casual
      noughts play 6x6x4 b2 c3 --against person
      noughts play 4x4x3:X.../..../..../.... --time 2s < moves.txt
      noughts play 3x3x3 --as none
      noughts play ultimate --level skilled

    Exit code: 0 if the game ended or was left, 2 if a line of a pipe was no legal move.
    """
    game = Game.parse(" ".join(words))
    if against == "person":
        for option, value in (("--as", side), ("--level", level), ("--seed", seed)):
            if value is not None:
                raise click.UsageError(f"{option} is for games against the computer.")
        people = frozenset(Player)
    else:
        people = frozenset() if side == "none" else frozenset({Player(side or "X")})
    thinker = _Thinker(game.start, _level_of(game.start, level), seconds, seed)
    if game.start.outcome is not None:
        raise IllegalMove(f"the game is over: {game.start.outcome}")
    session = _Session(game, people, thinker, ascii_only)
    try:
        ctx.exit(session.run())
    except KeyboardInterrupt:
        if session.is_typed:
            click.echo()  # the cursor stands behind a prompt
        session.leave("Interrupted")
        ctx.exit(EXIT_INTERRUPTED)
    except _Stuck as trouble:
        session.leave(f"The {thinker.name} cannot go on")
        complain(trouble.error)
        ctx.exit(EXIT_UNUSABLE)


def _level_of(start: GamePosition, text: str | None) -> str:
    """Return a level of a game by its name, or its number from 1 on; the best if none is given."""
    levels = list(levels_of(start))
    if text is None:
        return levels[-1]
    named = {str(number): level for number, level in enumerate(levels, 1)}
    named |= {level: level for level in levels}
    if text.lower() not in named:
        message = f"{text!r} is not 1 to {len(levels)}, nor one of {', '.join(levels)}"
        raise click.BadParameter(message, param_hint="'--level'")
    return named[text.lower()]


class _Stuck(Exception):
    """The computer cannot answer, for a reason that no other input would change."""

    def __init__(self, error: NoughtsError) -> None:
        super().__init__(str(error))
        self.error = error


class _Thinker:
    """The computer at the table, with its time, its luck and a sign that it thinks."""

    def __init__(
        self, start: GamePosition, level: str, seconds: float | None, seed: int | None
    ) -> None:
        self.level = level
        self.best_level = list(levels_of(start))[-1]
        self.name = "solver" if isinstance(start, Position) else "engine"
        self.rng = None if seed is None else Random(seed)
        self._engine = Engine(0 if seed is None else Random(seed).getrandbits(32))
        self._line = ProgressLine()
        is_solvable = isinstance(start, Position) and start.grid.cells <= SOLVER_CELLS
        seconds = seconds or (_SOLVER_SECONDS if is_solvable else _ENGINE_SECONDS)
        self._limit = Limit(seconds)
        self._limits = Limits(seconds=seconds, memory=_MEMORY, notice=self._line.notice)

    def choose(self, position: GamePosition) -> Choice:
        """Return a move."""
        return self._choose(position, self.level, self.rng)

    def hint(self, position: GamePosition) -> Choice:
        """Return the best move that is known, whatever the level."""
        return self._choose(position, self.best_level, None)

    def _choose(self, position: GamePosition, level: str, rng: Random | None) -> Choice:
        with self._thinking():
            return choose_move(position, level, self._limit, rng, self._engine, self._limits)

    def values(self, position: GamePosition) -> tuple[Sequence[MoveEstimate | MoveValue], str]:
        """Return what is known or thought of every move, from best to worst, and why no more."""
        with self._thinking():
            if isinstance(position, Position):
                values = value_moves(position, self._limits)
                return values.moves, values.note
            return self._engine.analyse(position, self._limit).moves, ""

    @contextmanager
    def _thinking(self) -> Iterator[None]:
        self._line.notice("thinking")
        try:
            yield
        except NoughtsError as error:
            raise _Stuck(error) from error
        finally:
            self._line.clear()


class _Session:
    """One sitting: a game, who plays it, and what was said already."""

    def __init__(
        self,
        game: Game[Any],
        people: frozenset[Player],
        thinker: _Thinker,
        ascii_only: bool,
    ) -> None:
        self.game = game
        self.people = people
        self.thinker = thinker
        self.ascii_only = ascii_only
        self.resigned: Player | None = None
        self.is_left = False
        self.is_typed = sys.stdin is not None and sys.stdin.isatty()
        self.has_prompt = self.is_typed and sys.stdout is not None and sys.stdout.isatty()
        self.told: set[str] = set()

    @property
    def position(self) -> Any:
        """The position now: a `GamePosition`."""
        return self.game.position

    @property
    def is_over(self) -> bool:
        """Whether nobody can move any more."""
        return self.game.outcome is not None or self.resigned is not None

    # -- the course of a sitting ---------------------------------------------------------

    def run(self) -> int:
        """Play until the input ends or the player leaves; return the exit code."""
        code = 0
        click.echo(self._greeting())
        self._draw()
        self._answer()
        if not self.people:
            return code
        for item in self._typed() if self.is_typed else items([], ["-"], "moves"):
            try:
                if text := item.text().strip():
                    self._obey(text)
            except NoughtsError as error:
                if self.is_typed:
                    click.echo("\n".join(_wrapped("", str(error))), err=True)
                else:
                    complain(error, item.place)
                    code = EXIT_UNUSABLE
            if self.is_left:
                break
        if not self.is_over:
            self.leave("Left")
        return code

    def leave(self, why: str) -> None:
        """Say how to go on with the game, unless it is over."""
        if self.is_over:
            return
        options = []
        if self.people == frozenset(Player):
            options += ["--against", "person"]
        else:
            side = "".join(self.people) or "none"
            options += ["--as", side] if side != "X" else []
            level = self.thinker.level
            options += ["--level", level] if level != self.thinker.best_level else []
        words = ["noughts", "play", *self.game.text.split(" "), *options]
        click.echo(f"{why} with {self.position.turn} to move. To go on:")
        click.echo(f"  {shlex.join(words)}")

    def _greeting(self) -> str:
        game, level, name = self.position.game, self.thinker.level, self.thinker.name
        if self.people == frozenset(Player):
            who = f"{game}: X and O take turns."
        elif not self.people:
            who = f"{game}: the {name} ({level}) plays both sides."
        else:
            (person,) = self.people
            who = f"{game}: you are {person}, the {name} ({level}) is {person.other}."
        if self.has_prompt and self.people:
            who += f" Type a move like {_example(self.position)}, or help."
        return "\n".join([*_wrapped("", who), ""])

    def _typed(self) -> Iterator[Item]:
        """Yield what is typed, until Ctrl-D."""
        if self.has_prompt:
            _edit_lines()
        while True:
            prompt = "new, undo or quit> " if self.is_over else f"{self.position.turn}> "
            try:
                yield Item(input(prompt if self.has_prompt else ""), "")
            except EOFError:
                click.echo()
                return
            except UnicodeDecodeError:
                yield Item(NotationError("that is no text; help says what can be typed"), "")

    # -- what can be typed ---------------------------------------------------------------

    def _obey(self, text: str) -> None:
        """Do what a line says; what cannot be done changes nothing."""
        understood = _understand(text.lower(), self.position)
        if isinstance(understood, str):
            getattr(self, f"_{understood}")()
            return
        self._require_running()
        player = self.position.turn
        name = self.position.move_name(understood)
        self.game.play(understood)
        self._draw("" if self.has_prompt else f"{player} plays {name}")
        self._answer()

    def _undo(self) -> None:
        if self.resigned is not None:
            self.resigned = None
            self._draw("No longer resigned")
            return
        # The computer's answer goes as well, so that it is the same person's turn again.
        undone = 0
        while self.game.moves:
            self.game.undo()
            undone += 1
            if self.position.turn in self.people:
                self._draw(self._named("Undone", self.game.undone[:undone]))
                return
        for _ in range(undone):
            self.game.redo()
        raise IllegalMove("there is no move of yours to undo")

    def _redo(self) -> None:
        redone = [self.game.redo()]
        self.resigned = None
        while self.game.undone and self.position.turn not in self.people:
            redone.append(self.game.redo())
        self._draw(self._named("Redone", redone))
        self._answer()

    def _hint(self) -> None:
        self._require_running()
        position = self.position
        choice = self.thinker.hint(position)
        assert choice.known is not None
        name, why = position.move_name(choice.move), self._why(choice)
        if choice.known.value is Value.LOSS:
            why += "; no move is better"
        elif choice.known.value is None:
            self._tell(choice.note)
        click.echo(f"Hint: {name} ({why})")

    def _moves(self) -> None:
        self._require_running()
        position = self.position
        moves, note = self.thinker.values(position)
        self._tell(note)
        groups: dict[str, list[str]] = {}
        for known in moves:
            groups.setdefault(in_words(known), []).append(position.move_name(known.move))
        width = max(map(len, groups))
        for words, names in groups.items():
            if words.startswith("not proved") and len(names) > _MOST_NAMES:
                which = "all" if len(groups) == 1 else "the other"
                names = [f"{which} {len(names):,} moves"]
            click.echo("\n".join(_wrapped(f"  {words:<{width}}  ", " ".join(names))))

    def _resign(self) -> None:
        self._require_running()
        self.resigned = self.position.turn
        self._result()

    def _new(self) -> None:
        if self.game.moves and not self.is_over:
            click.echo(f"Game: {self.game.text}")
        self.game = Game(self.game.start)
        self.resigned = None
        self._draw("A new game")
        self._answer()

    def _help(self) -> None:
        position: GamePosition = self.position
        example = _example(position)
        number = position.read_move(example)
        click.echo(f"A move is a name like {example}, or its number like {number}.")
        if isinstance(position, Position):
            click.echo("Cells are numbered row by row, from 0. Instead of a move:")
        else:
            click.echo("The first letter is the board, the second the cell. Instead of a move:")
        for name, what in HELP.items():
            click.echo(f"  {name:<6}  {what}")
        click.echo("The first letters are enough where they fit one of these only: u, red, hi.")

    def _quit(self) -> None:
        self.is_left = True

    def _require_running(self) -> None:
        if self.is_over:
            how = self.game.outcome or f"{self.resigned} resigned"
            raise IllegalMove(f"the game is over: {how}; type new, undo or quit")

    def _why(self, choice: Choice) -> str:
        """Say what a move leads to; on grids, where much can be proved, what is not says so."""
        known = choice.known
        if isinstance(self.position, Position) and isinstance(known, MoveEstimate):
            return "not proved" if known.value is None else in_words(known)
        return in_words(known)

    # -- what is shown -------------------------------------------------------------------

    def _answer(self) -> None:
        """Let the computer play as long as it is its turn; say how it ends."""
        while not self.is_over and self.position.turn not in self.people:
            player = self.position.turn
            choice = self.thinker.choose(self.position)
            why = self._why(choice)
            headline = f"{player} plays {self.position.move_name(choice.move)}"
            headline += f" ({why})" if why else ""
            self._tell(choice.note)
            self.game.play(choice.move)
            self._draw(headline)
        if self.is_over:
            self._result()

    def _draw(self, headline: str = "") -> None:
        if headline:
            click.echo(headline)
        diagram = self.position.diagram(last=self.game.last_move)
        # Beside the board, its headline, the empty line and the prompt should be seen.
        click.echo(picture_for_terminal(diagram, ascii_only=self.ascii_only, beside=3))
        click.echo()

    def _result(self) -> None:
        moves = len(self.game.moves)
        after = f"after {moves} {'move' if moves == 1 else 'moves'}"
        outcome = self.game.outcome
        if self.resigned is not None:
            result = f"{self.resigned} resigns {after}: {self.resigned.other} wins"
        elif outcome is not None and outcome.winner is not None:
            result = f"{outcome}{self._lines(outcome)} {after}"
        else:
            result = f"A draw {after}"
        click.secho(f"{result}.", bold=True)
        click.echo(f"Game: {self.game.text}")

    def _lines(self, outcome: Outcome) -> str:
        """Say where the winner's lines are: cells on a grid, boards in Ultimate."""
        position: GamePosition = self.position
        is_grid = isinstance(position, Position)
        lines = [
            " ".join(position.move_name(at) if is_grid else "abcdefghi"[at] for at in line)
            for line in outcome.lines
        ]
        what = "" if is_grid else "boards "
        return f" with {what}{' and '.join(lines)}" if lines else ""

    def _named(self, what: str, moves: Any) -> str:
        names = [self.position.move_name(move) for move in moves]
        return f"{what}: {' '.join(names)}"

    def _tell(self, note: str) -> None:
        """Say once why not everything is proved."""
        if note and note not in self.told:
            self.told.add(note)
            click.echo("\n".join(_wrapped("", f"Not everything is proved: {note}.")))


def _understand(word: str, position: GamePosition) -> int | str:
    """Return the move that is meant, or the command; in Ultimate a move goes before."""
    try:
        return position.read_move(word)
    except NotationError:
        if re.fullmatch("[a-z]*[0-9]+", word):
            raise  # a move, if only the board were larger
        if word in ("?", "exit"):
            return {"?": "help", "exit": "quit"}[word]
        meant = [name for name in HELP if word.isalpha() and name.startswith(word)]
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise NotationError(f"{word!r} may be {' or '.join(meant)}") from None
        if word.isalpha() and (close := get_close_matches(word, HELP, 1)):
            raise NotationError(f"{word!r} is no command; did you mean {close[0]}?") from None
        example = _example(position)
        move = f"a move, like {example} or {position.read_move(example)},"
        commands = ", ".join(HELP)
        message = f"{brief(word)} is neither {move} nor a command: {commands}"
        raise NotationError(message) from None


def _example(position: GamePosition) -> str:
    """Return the name of a move, a legal one if there is any."""
    moves = position.legal_moves
    return position.move_name(moves[len(moves) // 2] if moves else 0)


def _wrapped(begin: str, text: str) -> list[str]:
    """Return rows as wide as the terminal, indented as far as the beginning of the first."""
    return textwrap.wrap(
        text,
        max(shutil.get_terminal_size((80, 24)).columns, len(begin) + 20),
        initial_indent=begin,
        subsequent_indent=" " * len(begin),
        break_on_hyphens=False,
    )


def _edit_lines() -> None:
    """Let the arrow keys work while typing, and the tab key complete commands."""
    with suppress(ImportError):
        readline: Any = import_module("readline")

        def complete(text: str, state: int) -> str | None:
            return next(iter([name for name in HELP if name.startswith(text)][state:]), None)

        readline.set_completer(complete)
        readline.parse_and_bind("tab: complete")
