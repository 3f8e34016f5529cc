"""The exercise `simulate`, and what it shares with `simulate-ultimate`: lists of moves.

Short lists come first: all singles and many pairs over an alphabet of good and malformed
moves. Games that were played out at random follow, with all of their beginnings, and with
bad moves in between. At the end come long lists.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product

from noughts.drawing import Diagram
from noughts.exercises.grading.exercise import Case, Exercise, Form, in_order
from noughts.exercises.replay import Replay, replay_standard

__all__ = ["NINE", "Moves", "ReplayExercise", "Simulate", "moves_of"]

Moves = Sequence[str]

NUMBERS = (
    *("3", "10", "-1", "-0", "+0", "00", "01", " 0", "0 ", "\n0", "", "a", "0.0", "0x0", "1e0"),
    *("0_0", "\u0660", "\uff10", "\u00b2", "9" * 20),
)
"""What is not the number of a row or column, though Python's `int` takes some of it."""

PLAYERS = ("x", "o", "Z", "", " X", "X ", "XO", "X\n", "0", "\u0425", "None", ".")
"""What is not a player."""

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

NINE = tuple(f"{place // 3},{place % 3}" for place in range(9))

LONG = (3_000, 100_000)
"""Lengths of the long lists."""


class ReplayExercise(Exercise):
    """What both replays share."""

    fields: int
    head: tuple[str, ...]

    @abstractmethod
    def lists(self, chance: random.Random) -> Iterable[Moves]:
        """Return the lists of moves; all of their beginnings will be cases, too."""

    @abstractmethod
    def replay(self, moves: Moves) -> Replay:
        """Replay moves by our exact code."""

    @abstractmethod
    def good_moves(self) -> Moves:
        """Return all well-formed moves."""

    def cases(self, form: Form, seed: int) -> Iterator[Case]:
        """Yield short lists, games, and long lists."""
        chance = random.Random(f"{seed} {self.name}")
        for moves in in_order(self.lists(chance)):
            stage = "short lists" if len(moves) <= 2 else "games"
            yield Case({"call": [list(moves)]}, (len(moves),), stage)
        for length in LONG:
            moves = tuple(chance.choices((*self.good_moves()[-4:], "", "0,0"), k=length))
            yield Case({"call": [list(moves)]}, (length,), "long lists")

    def malformed(self) -> Iterator[str]:
        """Yield moves that must be rejected by their form alone."""
        good = ["0"] * (self.fields - 1) + ["X"]
        for place, player in product(range(self.fields - 1), NUMBERS):
            yield ",".join([*good[:place], player, *good[place + 1 :]])
        for player in PLAYERS:
            yield ",".join([*good[:-1], player])
        text = ",".join(good)
        yield from ("", ",", "X", text[2:], f"0,{text}", f"{text},X", f"{text},", f",{text}")
        yield from (f"{text} ", f" {text}", f"{text}\n", f"({text})", text.replace(",", ""))
        for comma in (", ", ";", "\uff0c"):
            yield text.replace(",", comma)
        yield text.replace(",", ",,", 1)
        for place in range(1, len(text), 2):
            yield f"{text[:place]};{text[place + 1 :]}"

    def expected(self, case: Case) -> object:
        """Return the result of the replay."""
        return self._result(self.replay(case.arguments[0]))

    @abstractmethod
    def _result(self, replay: Replay) -> list[str]: ...

    def explain(self, case: Case, expected: list[str], got: object) -> tuple[str, str]:
        """Return what the first difference is about."""
        if not isinstance(got, list) or not all(isinstance(part, str) for part in got):
            return "result type", f"the result is a list of {len(expected)} strings"
        if len(got) != len(expected):
            return "result type", f"the result has {len(expected)} strings, not {len(got)}"
        (moves,) = case.arguments
        index = next(i for i in range(len(expected)) if expected[i] != got[i])
        if index == 0:
            if len(got[0]) != len(moves):
                return "bits", f"there is one bit for each of the {len(moves)} moves"
            place = next(i for i in range(len(moves)) if expected[0][i] != got[0][i])
            rule, why = self.reason(moves[:place], moves[place])
            return rule, f"move {place}, {moves[place]!r:.80}: {why}"
        values = f"is {expected[index]!r}, not {got[index]!r:.40}"
        if index < len(self.head):
            rule = self.head[index]
            return rule, f"{rule} {values}, as {self.about(rule, self.replay(moves))}"
        return "board", f"row {index - len(self.head)} {values}"

    def about(self, rule: str, replay: Replay) -> str:
        """Return why the winner, or what comes next, is what it is."""
        return "neither side has a line" if replay.winner is None else f"{replay.winner} has a line"

    def reason(self, before: Moves, move: str) -> tuple[str, str]:
        """Return why a move is rejected or accepted after others."""
        *numbers, player = move.split(",")
        if len(numbers) != self.fields - 1:
            return "form", f"rejected, as a move has {self.fields} parts"
        for number in numbers:
            if not (number.isascii() and number.isdigit()) or str(int(number)) != number:
                return "form", f"rejected, as {number!r:.40} is not a number in plain digits"
        if any(int(number) > 2 for number in numbers):
            return "out of bounds", "rejected, as rows and columns are 0 to 2"
        if player not in ("X", "O"):
            return "player", f"rejected, as {player!r:.40} is not X or O"
        replay = self.replay(before)
        if replay.winner is not None:
            return "game over", f"rejected, as {replay.winner} has won"
        return self.reason_on_board(replay, [int(number) for number in numbers])

    @abstractmethod
    def reason_on_board(self, replay: Replay, numbers: list[int]) -> tuple[str, str]:
        """Return why a well-formed move is rejected or accepted on a board."""


class Simulate(ReplayExercise):
    """Replay moves on 3x3."""

    name = "simulate"
    fields = 3
    head = ("bits", "winner")

    def replay(self, moves: Moves) -> Replay:
        """Replay moves by our exact code."""
        return replay_standard(moves)

    def good_moves(self) -> Moves:
        """Return all 18 well-formed moves."""
        return [f"{cell},{player}" for player in "XO" for cell in NINE]

    def lists(self, chance: random.Random) -> Iterator[Moves]:
        """Yield singles, pairs, every line with a move behind it, and random games."""
        good, bad = self.good_moves(), list(self.malformed())
        yield from ((move,) for move in (*good, *bad))
        yield from product((*good[:3], good[9]), (*good, *bad))
        yield from product(bad, (good[0], good[13]))
        for line, player in product(LINES, "XO"):
            moves = [f"{NINE[cell]},{player}" for cell in line]
            for order in permutations(moves):
                yield (*order, chance.choice(good), chance.choice(bad), chance.choice(good))
            yield [*moves[:2], f"{NINE[line[2]]},{'O' if player == 'X' else 'X'}"]
        for number in range(150):
            cells = chance.sample(NINE, 9)
            players = "XO" * 5 if number % 3 else chance.choices("XO", k=9)
            moves = [f"{cell},{player}" for cell, player in zip(cells, players, strict=False)]
            for _ in range(chance.randint(0, 4)):
                moves.insert(chance.randint(0, len(moves)), chance.choice((*good, *bad)))
            yield moves

    def _result(self, replay: Replay) -> list[str]:
        return replay.standard_result()

    def reason_on_board(self, replay: Replay, numbers: list[int]) -> tuple[str, str]:
        """Return whether the cell is taken."""
        row, col = numbers
        if replay.rows[row][col] != ".":
            return "cell taken", "rejected, as the cell is taken"
        return "accepted", "accepted, as turns are not enforced and the cell is free"

    def diagram(self, case: Case, got: object) -> Diagram | None:
        """Draw the right board after all moves."""
        rows = self.replay(case.arguments[0]).rows
        marks = "".join(rows)
        lines = tuple(
            line for line, mark in product(LINES, "XO") if all(marks[cell] == mark for cell in line)
        )
        names = tuple("012")
        return Diagram(3, 3, marks, f"the board after {moves_of(case)}", names, names, lines)


def moves_of(case: Case) -> str:
    """Return how many moves a case has, in words."""
    count = len(case.arguments[0])
    return f"{count:,} move{'' if count == 1 else 's'}"
