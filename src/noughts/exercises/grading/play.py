"""The exercise `tic-tac-toe`: play on n x n with n in a row (LeetCode 348).

Only legal moves are made, and none after a win, as the exercise promises. Turns are not
enforced, so one player may move several times.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations, product

from noughts.drawing import Diagram
from noughts.exercises.counters import TicTacToe
from noughts.exercises.grading.exercise import Case, Exercise, Form, in_order, shown

__all__ = ["Play", "millionth"]

Move = tuple[int, int, int]

SIZES = (3, 4, 5, 8)
"""Sizes that are played at random; 1 and 2 are played in every way."""

GAMES = 60  # of each kind and size


class Play(Exercise):
    """Games on n x n, from n = 1 on."""

    name = "tic-tac-toe"

    def cases(self, form: Form, seed: int) -> Iterator[Case]:
        """Yield games with all of their beginnings, size by size."""
        for n in (1, 2, *SIZES):
            chance = random.Random(f"{seed} {n}")
            lists = _all_games(n) if n <= 2 else _some_games(n, chance)
            for moves in in_order(_until_won(n, moves) for moves in lists):
                question = {"play": [n, [list(move) for move in moves]]}
                yield Case(question, (n, len(moves)), f"games of {n}x{n}")

    def expected(self, case: Case) -> object:
        """Return what each move returns."""
        n, moves = case.arguments
        game = TicTacToe(n)
        return [game.move(*move) for move in moves]

    def explain(self, case: Case, expected: object, got: object) -> tuple[str, str]:
        """Return which line the last move completes, or that there is none."""
        n, moves = case.arguments
        value = got[-1] if isinstance(got, list) and got else got
        if type(value) is not int:
            return "result type", f"move returns 0, 1 or 2, not {shown(value)}"
        row, col, player = moves[-1]
        own = {(r, c) for r, c, each in moves if each == player}
        lines = {
            "row": {(row, i) for i in range(n)},
            "column": {(i, col) for i in range(n)},
            "diagonal": {(i, i) for i in range(n)},
            "other diagonal": {(i, n - 1 - i) for i in range(n)},
        }
        complete = [name for name in lines if lines[name] <= own]
        if complete:
            return complete[0], f"the last move completes the {complete[0]} for player {player}"
        return "no line", "no row, column or diagonal belongs to one player"

    def diagram(self, case: Case, got: object) -> Diagram | None:
        """Draw the board after the moves: X for player 1, O for player 2."""
        n, moves = case.arguments
        if n > 20:
            return None
        marks = ["."] * (n * n)
        for row, col, player in moves:
            marks[row * n + col] = " XO"[player]
        names = tuple(map(str, range(n)))
        last = moves[-1][0] * n + moves[-1][1] if moves else None
        count = f"{len(moves)} move{'' if len(moves) == 1 else 's'}"
        caption = f"{n}x{n} after {count}; X is player 1, O is player 2"
        return Diagram(n, n, "".join(marks), caption, names, names, last=last)

    def call(self, case: Case, name: str) -> str:
        """Return the calls as Python would write them."""
        n, moves = case.arguments
        calls = [f"game = {name}({n})", *(f"game.move{tuple(move)}" for move in moves)]
        return "; ".join(calls)


def millionth() -> Case:
    """Return the case of a board far too large to be stored."""
    n = 1_000_000
    moves = [[0, 0, 1], [n - 1, n - 1, 2], [0, n - 1, 1]]
    return Case({"play": [n, moves]}, (n, len(moves)), "1,000,000 x 1,000,000")


def _all_games(n: int) -> Iterator[list[Move]]:
    """Yield every order of the cells with every choice of players."""
    cells = list(product(range(n), repeat=2))
    for order in permutations(cells):
        for players in product((1, 2), repeat=n * n):
            yield [(row, col, each) for (row, col), each in zip(order, players, strict=True)]


def _some_games(n: int, chance: random.Random) -> Iterator[list[Move]]:
    """Yield every line of either player, and random games with and without turns."""
    every = range(n)
    cells = list(product(every, repeat=2))
    lines = [
        *([(r, c) for c in every] for r in every),
        *([(r, c) for r in every] for c in every),
        [(i, i) for i in every],
        [(i, n - 1 - i) for i in every],
    ]
    for line, player in product(lines, (1, 2)):
        yield [(row, col, player) for row, col in chance.sample(line, n)]
        # The same line with one cell of the other player, and one beside it.
        odd = chance.randrange(n)
        players = [player if i != odd else 3 - player for i in every]
        yield [(row, col, each) for (row, col), each in zip(line, players, strict=True)]
        outside = chance.choice([cell for cell in cells if cell not in line])
        cells_then = [*line[1:], outside, line[0]]
        yield [(row, col, player) for row, col in cells_then]
    for number in range(GAMES):
        order = chance.sample(cells, len(cells))
        turns = [1 + i % 2 for i in range(len(cells))]
        players = turns if number % 2 else chance.choices((1, 1, 2), k=len(cells))
        yield [(row, col, each) for (row, col), each in zip(order, players, strict=True)]


def _until_won(n: int, moves: list[Move]) -> list[Move]:
    game = TicTacToe(n)
    for index, move in enumerate(moves):
        if game.move(*move):
            return moves[: index + 1]
    return moves
