"""A puzzle, and what an attempt at it is worth.

"In N" counts the moves of the side that wins, as people count: a win in 3 takes 5 plies, three
moves of the winner and two of the other side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from noughts.drawing import LETTERS
from noughts.errors import IllegalMove
from noughts.puzzles.answers import Answer, read_answers
from noughts.puzzles.rating import stars_of
from noughts.rules.game import Game
from noughts.rules.grid_notation import column_name
from noughts.rules.player import Player
from noughts.rules.position import GridPosition, Position
from noughts.rules.ultimate import BOARD_NAMES
from noughts.values import Value

__all__ = ["Attempt", "Kind", "Puzzle"]


class Kind(StrEnum):
    """What a puzzle asks for."""

    WIN = "win"
    """The quickest win: no other move wins as soon."""
    DRAW = "draw"
    """The only move that draws: all others lose."""
    BLOCK = "block"
    """The only move that stops the other side, which threatens to win with its next two moves."""


@dataclass(frozen=True)
class Attempt:
    """What the last move of an attempt is worth.

    `moves` are the right moves so far, and `game` is the game after them and the replies. `text`
    says in a sentence what the last move is worth. `reply` is how the other side answers, also a
    wrong move; it is None where the game is over or the puzzle is solved. `plies` and `value`
    are proved.
    """

    puzzle: Puzzle
    game: Game[Any]
    moves: tuple[int, ...]
    move: int
    value: Value
    plies: int | None
    reply: int | None
    is_right: bool
    is_solved: bool
    text: str

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, object]:
        """Return the attempt as plain data for JSON."""
        name = self.game.start.move_name
        return {
            "id": self.puzzle.id,
            "move": name(self.move),
            "right": self.is_right,
            "solved": self.is_solved,
            "value": self.value.value,
            "plies": self.plies,
            "reply": None if self.reply is None else name(self.reply),
            "game": self.game.text,
            "text": self.text,
            "hint": None if self.is_solved else self.puzzle.hint(*self.moves),
        }


@dataclass(frozen=True)
class Puzzle:
    """A position with exactly one solution.

    `text` is the game that leads to the position; its last move is the one to answer. `rating`
    says how hard the puzzle is (`noughts.puzzles.rating`), `stars` the same from 1 to 5.
    """

    id: str
    kind: Kind
    text: str
    rating: int
    answers_json: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """The name of the game: ``5x5x4``, ``ultimate``."""
        return self.text.split()[0].partition(":")[0]

    @property
    def stars(self) -> int:
        """How hard the puzzle is, from 1 to 5."""
        return stars_of(self.rating)

    @cached_property
    def position(self) -> Position:
        """The position to solve."""
        position: Position = self.game.position
        return position

    @property
    def game(self) -> Game[Any]:
        """The game that leads to the position; a new one each time, to play on."""
        return Game.parse(self.text)

    @property
    def side(self) -> Player:
        """The side to move."""
        return self.position.turn

    @cached_property
    def answers(self) -> Mapping[int, Answer]:
        """What is proved of every legal move."""
        return read_answers(self.answers_json, self.position)

    @property
    def solution(self) -> int:
        """The first move of the solution."""
        return self._right(self.answers)[0]

    @cached_property
    def line(self) -> tuple[int, ...]:
        """The solution with the best replies, to the end of the game; of a draw one move only."""
        line: list[int] = []
        answers = self.answers
        while answers:
            move = self._right(answers)[0]
            line.append(move)
            if answers[move].following:
                line.append(answers[move].reply or 0)
            answers = answers[move].following
        return tuple(line)

    @property
    def plies(self) -> int | None:
        """The moves of both sides until the win; None where a draw is to be found."""
        return self.answers[self.solution].known.plies

    @cached_property
    def title(self) -> str:
        """What is to be found, in words."""
        if self.kind is Kind.WIN:
            return f"{self.side} to move and win{_in_moves(self.plies)}"
        if self.kind is Kind.DRAW:
            return f"{self.side} to move: the only move that draws"
        return f"{self.side} to move: the only move that stops {self.side.other}"

    def check(self, *moves: int | str) -> Attempt:
        """Say what the last of the solver's moves is worth; the replies come by themselves.

        A move is right if it keeps the proved value and, of a win, its length. So more than one
        may be right once the first is found.

        >>> from noughts.puzzles import puzzles
        >>> puzzle = puzzles("3x3x3", kind="win")[0]
        >>> attempt = puzzle.check(puzzle.solution)
        >>> attempt.is_right, attempt.is_solved
        (True, False)
        """
        if not moves:
            raise IllegalMove("an attempt has at least one move")
        game, answers = self.game, self.answers
        right: list[int] = []
        for number, move in enumerate(moves, 1):
            position = game.position
            cell = position.number_of(move)
            position.play(cell)  # refuses an illegal move
            if not answers:
                raise IllegalMove(f"move {number}: the puzzle is solved already")
            answer = answers[cell]
            is_right = cell in self._right(answers)
            if is_right:
                right.append(cell)
                game.play(cell)
                if answer.following and answer.reply is not None:
                    game.play(answer.reply)
            elif number < len(moves):
                name = position.move_name(cell)
                raise IllegalMove(f"move {number} was wrong already: {name}")
            best = answers[self._right(answers)[0]].known.plies
            answers = answer.following
        known = answer.known
        assert known.value is not None
        return Attempt(
            self,
            game,
            tuple(right),
            cell,
            known.value,
            known.plies,
            answer.reply,
            is_right,
            is_right and not answers,
            self._verdict(position, cell, answer, best, is_right=is_right),
        )

    def hint(self, *moves: int | str) -> str:
        """Say where to look for the next move, after the right ones that were made."""
        right = self.right_moves(*moves)
        if not right:
            raise IllegalMove("the puzzle is solved already")
        position, move = (self.check(*moves).game if moves else self.game).position, right[0]
        if isinstance(position, GridPosition):
            return f"The move is in column {column_name(move % position.grid.cols)}."
        board, cell = divmod(move, 9)
        if position.move_count > 9:
            return f"The move is in board {LETTERS[board]} ({BOARD_NAMES[board]})."
        if cell < 3 or cell > 5:
            return f"The move is in the {'top' if cell < 3 else 'bottom'} row of its board."
        return "The move is in the middle row of its board."

    def right_moves(self, *moves: int | str) -> list[int]:
        """Return the moves that are right after the right ones that were made.

        There are none once the puzzle is solved.
        """
        answers = self.answers
        for move in self.check(*moves).moves if moves else ():
            answers = answers[move].following
        return self._right(answers) if answers else []

    def _right(self, answers: Mapping[int, Answer]) -> list[int]:
        """Return the moves that keep the value and, of a win, its length."""
        best = min(answer.known.order for answer in answers.values())
        return [move for move, answer in answers.items() if answer.known.order == best]

    def _verdict(
        self, position: Position, move: int, answer: Answer, best: int | None, *, is_right: bool
    ) -> str:
        name, side, other = position.move_name(move), position.turn, position.turn.other
        known = answer.known
        reply = None if answer.reply is None else position.move_name(answer.reply)
        if is_right:
            if answer.following:
                left = (known.plies or 0) - 2
                return f"{name} is right. {other} answers {reply}; {side} wins{_in_moves(left)}."
            if self.kind is Kind.WIN:
                return f"Solved: {name} wins."
            if self.kind is Kind.DRAW:
                return f"Solved: {name} is the only move that draws."
            return f"Solved: {name} is the only move that stops {other}."
        if known.value is Value.WIN:
            return f"{name} wins{_in_moves(known.plies)}; there is a win{_in_moves(best)}."
        if known.value is Value.DRAW:
            why = "" if reply is None else f": {other} answers {reply}"
            return f"{name} only draws{why}."
        assert known.plies is not None
        how_soon = "" if known.plies == 2 else _in_moves(known.plies - 1)
        return f"{name} loses: {other} answers {reply} and wins{how_soon}."

    # -- for people and programs -----------------------------------------------------------

    def to_json(self, *, solution: bool = False) -> dict[str, object]:
        """Return the puzzle as plain data for JSON, on request with its solution."""
        data: dict[str, object] = {
            "id": self.id,
            "name": self.name,
            "kind": self.kind.value,
            "title": self.title,
            "game": self.text,
            "position": self.position.text,
            "side": self.side.value,
            "plies": self.plies,
            "rating": self.rating,
            "stars": self.stars,
        }
        if solution:
            name = self.position.move_name
            data["solution"] = name(self.solution)
            data["line"] = [name(move) for move in self.line]
            data["hint"] = self.hint()
        return data

    def __str__(self) -> str:
        return f"{self.game}\n{self.title}"

    def _repr_svg_(self) -> str:
        return self.game._repr_svg_()


def _in_moves(plies: int | None) -> str:
    """Return how long a win takes, in moves of the winner, who moves first."""
    assert plies is not None
    return " at once" if plies == 1 else f" in {(plies + 1) // 2}"
