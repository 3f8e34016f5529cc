"""The numbers of docs/learn/tic-tac-toe.md: the smallest games that show a mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from lessons.source import Mistake
from lessons.writing import number, table
from noughts import exercises
from noughts.counting import count

Moves = list[tuple[int, int, int]]

GOAL = "goal = mark * self.n"
MARK = "mark = 1 if player == 1 else -1"

MISTAKES = (
    Mistake.of("player 2 has no goal of its own", GOAL, "goal = self.n"),
    Mistake.of("both players add to the same counters", MARK, "mark = 1"),
    Mistake.of("the player's number is what is added", MARK, "mark = player"),
    Mistake.of("the other diagonal is one off", "row + col == self.n - 1", "row + col == self.n"),
    Mistake.of(
        "a cell lies on one diagonal at most",
        "        if row + col ==",
        "        elif row + col ==",
    ),
    Mistake.of("every cell lies on the diagonal", "        if row == col:", "        if True:"),
    Mistake.of(
        "counters are looked at before they change",
        "        self.rows[row] += mark\n        self.cols[col] += mark\n",
        "",
        "            return player  # win\n        return 0",
        "            return player  # win\n"
        "        self.rows[row] += mark\n        self.cols[col] += mark\n        return 0",
    ),
)


def games_on(n: int, length: int) -> Iterator[Moves]:
    """Yield games of a length: different cells, players in any order, no win before the end."""

    def go_on(moves: Moves) -> Iterator[Moves]:
        if len(moves) == length:
            yield moves
        elif not winner_after(moves, n):
            taken = {(row, col) for row, col, _ in moves}
            for row, col in product(range(n), repeat=2):
                if (row, col) not in taken:
                    for player in (1, 2):
                        yield from go_on([*moves, (row, col, player)])

    yield from go_on([])


def winner_after(moves: Moves, n: int) -> int:
    """Return the winner by the exact code, 0 where there is none."""
    game = exercises.TicTacToe(n)
    return max((game.move(*move) for move in moves), default=0)


def smallest_game(mistake: Mistake, most: int = 3) -> tuple[int, Moves, int, object]:
    """Return the first game with a wrong answer: n, the moves, what is right and what was said.

    Boards come in order of size, and the games on each in order of length.
    """
    wrong = mistake.made_in("tic_tac_toe", "TicTacToe")
    for n in range(1, most + 1):
        for length in range(1, n * n + 1):
            for moves in games_on(n, length):
                right, said = winner_after(moves, n), last_answer(wrong, n, moves)
                if said != right:
                    return n, moves, right, said
    raise LookupError(f"up to n = {most}, no answer is wrong where {mistake.about}")


def last_answer(game_class: Callable[..., Any], n: int, moves: Moves) -> object:
    """Return what the last move returned."""
    game = game_class(n)
    return [game.move(*move) for move in moves][-1]


def values() -> dict[str, str]:
    """Return what the page leaves open, by name."""
    rows = []
    for mistake in MISTAKES:
        n, moves, right, said = smallest_game(mistake)
        shown = " ".join(f"`{row},{col},{player}`" for row, col, player in moves)
        rows.append([mistake.about, str(n), shown, str(right), str(said)])
    million = 1_000_000
    games = count("3x3x3")
    return {
        "mistakes": table(["mistake", "n", "moves", "right", "said"], rows, right=(1, 3, 4)),
        "cells_million": number(million**2),
        "counters_million": number(2 * million + 2),
        "lines_3": number(2 * 3 + 2),
        "games_3x3": number(games.total),
        "x_wins_3x3": number(games.x_wins),
        "o_wins_3x3": number(games.o_wins),
        "draws_3x3": number(games.draws),
    }
