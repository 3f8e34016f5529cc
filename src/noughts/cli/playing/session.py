"""The course of a game: reads what is typed, lets the computer answer, and shows the result."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Any

import click

from noughts.cli.output import EXIT_UNUSABLE
from noughts.cli.playing.commands import COMMANDS, example_of, help_on, parse_line
from noughts.cli.playing.computer import Computer
from noughts.cli.playing.presenter import Presenter
from noughts.cli.playing.prompt import Prompt
from noughts.cli.playing.save_file import SavedGame, read_game, write_game
from noughts.cli.playing.words import part_in_words
from noughts.drawing import LETTERS
from noughts.errors import IllegalMove, NotationError, NoughtsError
from noughts.players import level_named, levels_of
from noughts.rules.game import Game
from noughts.rules.player import Outcome, Player
from noughts.rules.position import GridPosition, Position
from noughts.values import MoveValue, Value

__all__ = ["Session"]


class Session:
    """A game between people and the computer, which plays the sides that `people` leave."""

    def __init__(
        self,
        game: Game[Any],
        people: frozenset[Player],
        computer: Computer,
        presenter: Presenter,
        resigned: Player | None = None,
        file: str | None = None,
    ) -> None:
        self.game = game
        self.people = people
        self.computer = computer
        self.presenter = presenter
        self.resigned = resigned
        self.file = file  # where the game is saved
        self.is_left = False
        self.prompt = Prompt(COMMANDS)
        self.is_typed, self.has_prompt = self.prompt.is_typed, self.prompt.is_shown
        self.notes: set[str] = set()  # shown already

    @property
    def position(self) -> Any:
        """The position now: a `Position`."""
        return self.game.position

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by resigning."""
        return self.game.outcome is not None or self.resigned is not None

    # -- the course of a game ------------------------------------------------------------

    def run(self) -> int:
        """Play until the input ends or the player leaves; return the exit code."""
        code = 0
        self._greet()
        self._answer()
        if not self.people:
            return code
        for item in self.prompt.lines(self._words):
            try:
                if text := item.text().strip():
                    self._run_line(text)
            except NoughtsError as error:
                self.presenter.complain(error, None if self.is_typed else item.place)
                code = code if self.is_typed else EXIT_UNUSABLE
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
            level = self.computer.level
            options += ["--level", level] if level != list(levels_of(self.position))[-1] else []
        words = ["noughts", "play", *self.game.text.split(" "), *options, *self.presenter.options]
        click.echo(f"{why} with {self.position.turn} to move. To go on:")
        click.echo(f"  {shlex.join(words)}")

    def _greet(self) -> None:
        hint = f" Type a move like {example_of(self.position)}, or help."
        is_invited = self.has_prompt and self.people and not self.is_over
        self.presenter.greet(f"{self._who()}{hint if is_invited else ''}", self.game)

    def _who(self) -> str:
        game, level, name = self.position.game, self.computer.level, self.computer.name
        if self.people == frozenset(Player):
            return f"{game}: X and O take turns."
        if not self.people:
            return f"{game}: the {name} ({level}) plays both sides."
        (person,) = self.people
        return f"{game}: you are {person}, the {name} ({level}) is {person.other}."

    def _words(self) -> str:
        return "new, undo or quit" if self.is_over else self.position.turn.value

    def _run_line(self, text: str) -> None:
        """Play the move or run the command in a line; an error changes nothing."""
        typed = parse_line(text, self.position)
        if isinstance(typed, int):
            self._require_running()
            before = self.position
            self.game.play(typed)
            is_answered = self.position.turn not in self.people
            self.presenter.played(
                before, self.game, is_seen=self.has_prompt, is_answered=is_answered
            )
            self._answer()
            return
        command = getattr(self, f"_{typed.name.replace('!', '_over')}")
        if typed.about is None:
            command()
        else:
            command(typed.about)

    def _answer(self) -> None:
        """Let the computer play while it is its turn; show the result at the end."""
        while not self.is_over and self.position.turn not in self.people:
            before = self.position
            choice = self.computer.choose(before)
            self._explain(choice.note)
            self.game.play(choice.move)
            self.presenter.played(before, self.game, self._why(choice.known))
        if self.is_over:
            self._result()

    # -- commands ------------------------------------------------------------------------

    def _undo(self) -> None:
        if self.resigned is not None:
            self.resigned = None
            self.presenter.changed("No longer resigned", self.game)
            self._answer()
            return
        undone = self.game.undo_to(self.people)
        self.presenter.changed(self._named("Undone", undone), self.game)

    def _redo(self) -> None:
        redone = self.game.redo_to(self.people)
        self.resigned = None
        self.presenter.changed(self._named("Redone", redone), self.game)
        self._answer()

    def _hint(self) -> None:
        self._require_running()
        found = self.computer.analyse(self.position)
        name, why = self.position.move_name(found.best.move), self._why(found.best)
        if found.best.value is Value.LOSS:
            why += "; no move is better"
        elif not found.best.is_proved:
            self._explain(found.note)
        self.presenter.say(f"Hint: {name} ({why})")

    def _moves(self) -> None:
        self._require_running()
        found = self.computer.analyse(self.position)
        self._explain(found.note)
        self.presenter.moves(found)

    def _values(self) -> None:
        self._require_running()
        found = self.computer.analyse(self.position)
        self._explain(found.note)
        self.presenter.values(self.game, found)

    def _board(self, part: str) -> None:
        if part:
            self.presenter.say(part_in_words(self.position, part))
        else:
            self.presenter.board(self.game)

    def _level(self, level: str) -> None:
        self._require_computer()
        levels = levels_of(self.position)
        if level:
            self.computer.level = level_named(self.position, level).name
            self.presenter.say(f"The {self.computer.name} is {self.computer.level} now.")
            return
        self.presenter.say(f"The {self.computer.name} is {self.computer.level}. Levels:")
        names = (f"{number} {name}" for number, name in enumerate(levels, 1))
        self.presenter.listing(zip(names, (each.about for each in levels.values()), strict=True))

    def _swap(self) -> None:
        self._require_computer()
        self.people = frozenset(Player) - self.people
        self.presenter.say(self._who())
        self._answer()

    def _save(self, name: str) -> None:
        self._keep(name, over=name in ("", self.file))

    def _save_over(self, name: str) -> None:
        self._keep(name, over=True)

    def _keep(self, name: str, *, over: bool) -> None:
        file = name or self.file
        if file is None:
            raise NotationError("save needs a file: type save FILE")
        saved = SavedGame(self.game, self.people, self.computer.level, self.resigned)
        write_game(file, saved, over=over)
        self.file = file
        self.presenter.say(f"Saved in {click.format_filename(file)}.")

    def _load(self, name: str) -> None:
        saved = read_game(name)
        computer = self.computer.for_game(saved.game.start, saved.level)
        self._print_record()
        self.game, self.resigned = saved.game, saved.resigned
        self.people = self.people if saved.people is None else saved.people
        self.computer = computer
        self.file = name
        self._greet()
        self._answer()

    def _resign(self) -> None:
        self._require_running()
        self.resigned = self.position.turn
        self._result()

    def _new(self) -> None:
        self._print_record()
        self.game, self.resigned, self.file = Game(self.game.start), None, None
        self.presenter.changed("A new game", self.game)
        self._answer()

    def _help(self) -> None:
        moves, commands, brevity = help_on(self.position)
        self.presenter.say(moves)
        self.presenter.listing(commands)
        self.presenter.say(brevity)

    def _quit(self) -> None:
        self.is_left = True

    # -- output --------------------------------------------------------------------------

    def _require_running(self) -> None:
        if self.is_over:
            how = self.game.outcome or f"{self.resigned} resigned"
            raise IllegalMove(f"the game is over: {how}; type new, undo or quit")

    def _require_computer(self) -> None:
        if len(self.people) == 2:
            raise IllegalMove("both sides are played by people")

    def _print_record(self) -> None:
        """Print a game that is about to be replaced, so that it is not lost."""
        if self.game.moves and not self.is_over:
            click.echo(f"Game: {self.game.text}")

    def _why(self, known: MoveValue | None) -> str:
        """Return what a move leads to; on grids, where much can be proved, no estimates."""
        if known is None:
            return ""
        is_grid = isinstance(self.game.start, GridPosition)
        if is_grid and not known.is_proved and known.estimate is not None:
            return "not proved"
        return known.phrase

    def _explain(self, note: str) -> None:
        """Show why not everything is proved, each reason once."""
        if note and note not in self.notes:
            self.notes.add(note)
            self.presenter.say(f"Not everything is proved: {note}.")

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
        self.presenter.ended(f"{result}.")
        click.echo(f"Game: {self.game.text}")

    def _lines(self, outcome: Outcome) -> str:
        """Say where the winner's lines are: cells on a grid, boards in Ultimate."""
        position: Position = self.position
        is_grid = isinstance(position, GridPosition)
        lines = [
            " ".join(position.move_name(at) if is_grid else LETTERS[at] for at in line)
            for line in outcome.lines
        ]
        what = "" if is_grid else "boards "
        return f" with {what}{' and '.join(lines)}" if lines else ""

    def _named(self, what: str, moves: Iterable[int]) -> str:
        return f"{what}: {' '.join(self.position.move_name(move) for move in moves)}"
