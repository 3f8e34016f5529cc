"""Positions as the searches see them, and who wins them, by brute force."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from noughts.solving.arena import ATTACKER, DEFENDER
from noughts.solving.searches import Roles

__all__ = ["BruteForce", "brute", "questions"]

GRIDS = [(2, 3, 2), (3, 3, 3), (2, 4, 3), (3, 4, 3), (1, 6, 3), (2, 5, 3), (3, 3, 2), (3, 4, 4)]


def lines_of(rows: int, cols: int, k: int) -> list[int]:
    """Return every line as a mask, by walking from every cell in every direction."""
    found = set()
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, col + i * right) for i in range(k)]
                if all(0 <= r < rows and 0 <= c < cols for r, c in cells):
                    found.add(sum(1 << (r * cols + c) for r, c in cells))
    return sorted(found)


class BruteForce:
    """Whether the attacker completes a line within so many moves, by trying everything."""

    def __init__(self, rows: int, cols: int, k: int) -> None:
        self.cells = rows * cols
        self.lines = lines_of(rows, cols, k)
        self.wins = cache(self._wins)

    def has_line(self, mask: int) -> bool:
        return any(line & mask == line for line in self.lines)

    def _wins(self, attacker: int, defender: int, side: int, moves: int) -> bool:
        if side == ATTACKER and not moves:
            return False
        empty = [c for c in range(self.cells) if not (attacker | defender) >> c & 1]
        if side == ATTACKER:
            return any(
                self.has_line(attacker | 1 << c)
                or self.wins(attacker | 1 << c, defender, DEFENDER, moves - 1)
                for c in empty
            )
        return bool(empty) and all(
            not self.has_line(defender | 1 << c)
            and self.wins(attacker, defender | 1 << c, ATTACKER, moves)
            for c in empty
        )


@cache
def brute(sizes: tuple[int, int, int]) -> BruteForce:
    return BruteForce(*sizes)


@st.composite
def questions(draw: st.DrawFn) -> tuple[tuple[int, int, int], Roles]:
    """Any marks without a line, of any number, either side to move; few enough cells empty."""
    sizes = draw(st.sampled_from(GRIDS))
    cells = sizes[0] * sizes[1]
    marks = draw(st.lists(st.sampled_from("..XO"), min_size=cells, max_size=cells))
    while marks.count(".") > 8:
        marks[marks.index(".")] = draw(st.sampled_from("XO"))
    attacker = sum(1 << c for c, mark in enumerate(marks) if mark == "X")
    defender = sum(1 << c for c, mark in enumerate(marks) if mark == "O")
    for line in lines_of(*sizes):  # break up lines
        for mask in (attacker, defender):
            if line & mask == line:
                bit = line & -line
                attacker, defender = attacker & ~bit, defender & ~bit
    return sizes, Roles(attacker, defender, draw(st.sampled_from([ATTACKER, DEFENDER])))
