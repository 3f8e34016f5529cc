"""The course of a puzzle in the terminal: reads attempts until it is solved or given up."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import click

from noughts.cli.output import EXIT_NO, EXIT_UNUSABLE
from noughts.cli.playing.commands import CommandHelp, example_of, help_on, parse_line
from noughts.cli.playing.presenter import Presenter
from noughts.cli.playing.prompt import Prompt
from noughts.cli.playing.words import part_in_words
from noughts.errors import NoughtsError
from noughts.puzzles import Puzzle
from noughts.rules.game import Game

__all__ = ["PuzzleSession", "solution_of", "title_of"]

COMMANDS: Mapping[str, CommandHelp] = MappingProxyType(
    {
        "hint": CommandHelp("", "say where the move is; once more, which one it is"),
        "solution": CommandHelp("", "give up, and show the solution"),
        "board": CommandHelp("[PART]", "show the board, or describe a part: row, column, board"),
        "help": CommandHelp("", "show this list"),
        "quit": CommandHelp("", "leave the puzzle"),
    }
)
"""What can be typed instead of a move."""


class PuzzleSession:
    """A puzzle at the prompt, with the right moves so far."""

    def __init__(self, puzzle: Puzzle, presenter: Presenter) -> None:
        self.puzzle = puzzle
        self.presenter = presenter
        self.prompt = Prompt(COMMANDS)
        self.game: Game[Any] = puzzle.game
        self.moves: tuple[int, ...] = ()  # the right ones so far
        self.has_hint = False  # about the next move
        self.is_over = False
        self.is_solved = False

    def run(self) -> int:
        """Read attempts until the puzzle is over or the input ends; return the exit code."""
        invitation = f" Type a move like {example_of(self.game.position)}, or help."
        self.presenter.greet(
            f"{title_of(self.puzzle)}.{invitation if self.prompt.is_shown else ''}", self.game
        )
        code = 0
        for item in self.prompt.lines(lambda: self.puzzle.side.value):
            try:
                if text := item.text().strip():
                    self._run_line(text)
            except NoughtsError as error:
                self.presenter.complain(error, None if self.prompt.is_typed else item.place)
                code = code if self.prompt.is_typed else EXIT_UNUSABLE
            if self.is_over:
                break
        if not self.is_over:
            self.leave()
        return code or (0 if self.is_solved else EXIT_NO)

    def leave(self) -> None:
        """Say how to come back to the puzzle."""
        options = "".join(f" {option}" for option in self.presenter.options)
        click.echo(f"Not solved. To try again:\n  noughts puzzle {self.puzzle.id}{options}")

    def _run_line(self, text: str) -> None:
        typed = parse_line(text, self.game.position, COMMANDS)
        if isinstance(typed, int):
            self._try(typed)
        elif typed.name == "board":
            self._board(typed.about or "")
        else:
            getattr(self, f"_{typed.name}")()

    def _try(self, move: int) -> None:
        attempt = self.puzzle.check(*self.moves, move)
        if not attempt.is_right:
            self.presenter.say(f"{attempt.text} Try again.")
            return
        before = self.game.position
        self.game = attempt.game
        self.moves = attempt.moves
        self.has_hint = False
        if attempt.is_solved:
            self.presenter.played(before, self.game, is_seen=self.prompt.is_shown, is_answered=True)
            self.presenter.ended(attempt.text)
            self.is_over = self.is_solved = True
        else:
            self.presenter.changed(attempt.text.removesuffix("."), self.game)

    # -- commands ------------------------------------------------------------------------

    def _hint(self) -> None:
        if self.has_hint:
            name = self.game.position.move_name(self.puzzle.right_moves(*self.moves)[0])
            self.presenter.say(f"The move is {name}.")
        else:
            self.presenter.say(self.puzzle.hint(*self.moves))
            self.has_hint = True

    def _solution(self) -> None:
        self.presenter.say(solution_of(self.puzzle))
        self.is_over = True

    def _board(self, part: str) -> None:
        if part:
            self.presenter.say(part_in_words(self.game.position, part))
        else:
            self.presenter.board(self.game)

    def _help(self) -> None:
        moves, commands, brevity = help_on(self.game.position, COMMANDS)
        self.presenter.say(moves)
        self.presenter.listing(commands)
        self.presenter.say(brevity)

    def _quit(self) -> None:
        self.leave()
        self.is_over = True


def title_of(puzzle: Puzzle) -> str:
    """Return which puzzle it is, how hard, and what to find: the line above its board."""
    stars = "1 star" if puzzle.stars == 1 else f"{puzzle.stars} stars"
    return f"Puzzle {puzzle.id}, {puzzle.name}, {stars} of 5. {puzzle.title}"


def solution_of(puzzle: Puzzle) -> str:
    """Return the solution with the best replies, in a sentence."""
    position, named = puzzle.position, []
    for move in puzzle.line:
        named.append(f"{position.turn} {position.move_name(move)}")
        position = position.play_unchecked(move)
    return f"Solution: {', '.join(named)}."
