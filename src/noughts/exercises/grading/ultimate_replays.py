"""The exercise `simulate-ultimate`: lists of moves on nine boards."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import product

from noughts.drawing import Diagram
from noughts.exercises.grading.exercise import Case
from noughts.exercises.grading.replays import LINES, NINE, Moves, ReplayExercise, moves_of
from noughts.exercises.replay import Replay, replay_ultimate
from noughts.rules.ultimate import FULL, HAS_LINE

__all__ = ["SimulateUltimate"]

WON = (
    *("XXX......", "...OOO...", "......XXX", "X..X..X..", ".O..O..O."),
    *("..X..X..X", "O...O...O", "..X.X.X..", "XXXOO....", "XX#XOOX#."),
    *("xxx######", "o##o##o##"),
)
DRAWN = (
    *("XOXXOOOXX", "#########", "XO#OX#X#O", "XXOOOXXOX"),
    *("##X#O##X#", "OXOOXXXOO", "#OX######", "XOXOXOOXO"),
)
"""Who is to capture which board in a game: X, O, or neither (#); x and o with the ninth mark."""

_FULL = {"#": "XOXXOOOXX", "x": "XOXOXOOXX", "o": "OXOXOXXOO"}
"""Nine marks that have no line, or have one that the mark on the last cell completes."""


class SimulateUltimate(ReplayExercise):
    """Replay moves of Ultimate."""

    name = "simulate-ultimate"
    fields = 5
    head = ("bits", "winner", "next")

    def replay(self, moves: Moves) -> Replay:
        """Replay moves by our exact code."""
        return replay_ultimate(moves)

    def good_moves(self) -> Moves:
        """Return all 162 well-formed moves."""
        return [f"{board},{cell},{player}" for player in "XO" for board in NINE for cell in NINE]

    def lists(self, chance: random.Random) -> Iterator[Moves]:
        """Yield singles, pairs, and games played towards many kinds of ends."""
        good, bad = self.good_moves(), list(self.malformed())
        yield from ((move,) for move in (*good, *bad))
        yield from product((good[5], good[121], good[0]), (*good, *bad))
        yield from product(bad, (good[0], good[130]))
        for owners in (*WON, *DRAWN):
            for noise in (0.0, 0.0, 0.15):
                yield _towards(owners, chance, noise, (*good, *bad))

        for board in range(9):
            for marks in _FULL.values():
                yield _on_one_board(board, range(9), marks, chance) + chance.choices(good, k=2)
            for line in LINES:
                if board in line:
                    cells = sorted(line, key=lambda cell: cell == board)  # it names itself at last
                    yield _on_one_board(board, cells, chance.choice("XO") * 9, chance)

    def _result(self, replay: Replay) -> list[str]:
        return replay.ultimate_result()

    def about(self, rule: str, replay: Replay) -> str:
        """Return why the winner, or the next board, is what it is."""
        if rule == "winner":
            return super().about(rule, replay).replace("a line", "three captured boards in line")
        if replay.winner is not None:
            return f"{replay.winner} has won"
        if replay.next is None:
            return "all small boards are closed and the game is over"
        if "1" not in replay.bits:
            return "the first move may go anywhere"
        if replay.next == "*":
            return "the board that the last accepted move names is closed"
        return "the cell of the last accepted move names it"

    def reason_on_board(self, replay: Replay, numbers: list[int]) -> tuple[str, str]:
        """Return whether the board is the forced one, is open, and has the cell free."""
        big_row, big_col, row, col = numbers
        if replay.next is None:
            return "game over", "rejected, as all small boards are closed"
        if replay.next not in ("*", f"{big_row},{big_col}"):
            return "forced board", f"rejected, as board {replay.next} must be played in"
        if _owners("".join(replay.rows))[3 * big_row + big_col] != ".":
            return "closed board", "rejected, as the small board is won or full"
        if replay.rows[3 * big_row + row][3 * big_col + col] != ".":
            return "cell taken", "rejected, as the cell is taken"
        return "accepted", "accepted, as the board may be played in and the cell is free"

    def diagram(self, case: Case, got: object) -> Diagram | None:
        """Draw the right board after all moves."""
        replay = self.replay(case.arguments[0])
        marks = "".join(replay.rows)
        owners = _owners(marks)
        open_boards = tuple(board for board in range(9) if owners[board] == ".")
        if replay.next is None:
            open_boards = ()
        elif replay.next != "*":
            open_boards = (NINE.index(replay.next),)
        return Diagram(
            9, 9, marks, f"the board after {moves_of(case)}", owners=owners, playable=open_boards
        )


def _owners(marks: str) -> str:
    """Return the owner of each small board in a picture of nine rows."""
    owners = ""
    for board in range(9):
        top, left = board // 3 * 27, board % 3 * 3
        cells = "".join(marks[top + row * 9 + left : top + row * 9 + left + 3] for row in range(3))
        masks = {mark: sum(1 << i for i in range(9) if cells[i] == mark) for mark in "XO"}
        line = next((mark for mark in "XO" if HAS_LINE[masks[mark]]), None)
        owners += line or ("#" if masks["X"] | masks["O"] == FULL else ".")
    return owners


def _on_one_board(board: int, cells: Iterable[int], marks: str, chance: random.Random) -> list[str]:
    """Play on these cells of one board: the move after each of them sends play back there."""
    played = []
    for cell in cells:
        played.append(f"{NINE[board]},{NINE[cell]},{marks[cell]}")
        if cell != board:
            played.append(f"{NINE[cell]},{NINE[board]},{chance.choice('XO')}")
    return played


def _towards(wanted: str, chance: random.Random, noise: float, others: Moves) -> list[str]:
    """Play at random until the game ends, so that each board goes to the one it is wanted for.

    As turns are not enforced, each board gets the marks of its owner only, or those of a full
    board without a line. Boards that are wanted for neither get random marks.
    """
    marks = [
        "" if owner == "." else _FULL.get(owner, owner * 9) for owner in wanted
    ]  # by board and cell
    played: list[str] = []
    taken: set[tuple[int, int]] = set()
    while True:
        replay = replay_ultimate(played)
        if replay.next is None:
            return played + chance.choices(others, k=3)
        owners = _owners("".join(replay.rows))
        boards = [b for b in range(9) if owners[b] == "."]
        if replay.next != "*":
            boards = [NINE.index(replay.next)]
        board = chance.choice(boards)
        free = [c for c in range(9) if (board, c) not in taken]
        cell = chance.choice(free[:-1] if wanted[board] in "xo" and free[1:] else free)
        if noise and chance.random() < noise:
            played.append(chance.choice(others))  # it may even be accepted
            taken = _taken(replay_ultimate(played))
            continue
        player = marks[board][cell] if marks[board] else chance.choice("XO")
        played.append(f"{NINE[board]},{NINE[cell]},{player}")
        taken.add((board, cell))


def _taken(replay: Replay) -> set[tuple[int, int]]:
    return {
        (row // 3 * 3 + col // 3, row % 3 * 3 + col % 3)
        for row in range(9)
        for col in range(9)
        if replay.rows[row][col] != "."
    }
