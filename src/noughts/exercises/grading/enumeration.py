"""The exercises `count` and `games`: every game on a grid.

A solution that takes ``(rows, cols, k)`` is judged on small grids, which a walk finishes, and
then on larger ones as far as its time reaches. One that takes nothing is about 4x4x3; a count
that walks its 1,281,016,086,768 games does not finish, and is then neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import Any

from noughts.counting.listing import Games
from noughts.drawing import Diagram
from noughts.errors import IllegalMove, NoughtsError
from noughts.exercises.grading.exercise import Case, Difference, Exercise, Form
from noughts.rules.board import grid_diagram
from noughts.rules.grid import grid_of
from noughts.rules.position import GridPosition

__all__ = ["Count", "List"]

GRIDS = (
    *((1, 1, 1), (1, 2, 1), (1, 2, 2), (2, 1, 2), (1, 3, 2), (1, 3, 3), (3, 1, 3)),
    *((2, 2, 2), (2, 2, 3), (1, 4, 2), (4, 1, 3), (1, 5, 3), (2, 3, 2), (2, 3, 3)),
    *((3, 2, 3), (3, 2, 2), (2, 4, 2), (3, 3, 1), (3, 3, 2)),
)
"""Grids with at most some thousand games."""

LARGER = ((2, 4, 3), (4, 2, 3), (3, 3, 3), (3, 3, 4))
"""Grids with at most 362,880 games, which a walk finishes in seconds."""

HUGE = ((3, 4, 3), (4, 3, 3), (4, 4, 3), (4, 5, 4))
"""Grids that cannot be walked in the time that there is; 4x4x3 has 1,281,016,086,768 games."""

FIRST = 1000
"""Games of a huge grid that are listed."""


class Count(Exercise):
    """The number of games."""

    name = "count"

    def cases(self, form: Form, seed: int) -> Iterator[Case]:
        """Yield small grids, then larger ones, or 4x4x3 alone."""
        if 3 not in form.takes:
            _require(0 in form.takes, self.name)
            yield Case({"call": []}, (16,), "4x4x3", required=False)
            return
        for grids, required in ((GRIDS, True), (LARGER, False), (HUGE, False)):
            for grid in _by_games(grids):
                size = (required is False, _total(grid))
                yield Case({"call": list(grid)}, size, _name(grid), required)

    def expected(self, case: Case) -> object:
        """Return the number of games."""
        return _total(_grid(case))

    def explain(self, case: Case, expected: object, got: object) -> tuple[str, str]:
        """Return what a game is."""
        if type(got) is not int:
            return "result type", "the result is an int"
        more = "too many" if got > _total(_grid(case)) else "too few"
        return "games", (
            f"{more} games on {_name(_grid(case))}; a game is a list of moves up to the first "
            "line or the full board, and other orders are other games"
        )


class List(Exercise):
    """Every game as a list of cells."""

    name = "games"

    def cases(self, form: Form, seed: int) -> Iterator[Case]:
        """Yield all games of small grids, and the first ones of huge grids."""
        if 3 not in form.takes:
            _require(0 in form.takes, self.name)
            yield Case({"list": [], "most": FIRST}, (16,), "4x4x3", required=False)
            return
        for grids, required in ((GRIDS, True), (LARGER, False)):
            for grid in _by_games(grids):
                total = _total(grid)
                question = {"list": list(grid), "most": 2 * total + 10}
                yield Case(question, (required is False, total), _name(grid), required)
        for grid in HUGE:
            question = {"list": list(grid), "most": FIRST}
            yield Case(question, (True, _total(grid)), f"first games of {_name(grid)}", False)

    def expected(self, case: Case) -> object:
        """Return the games that are asked for."""
        return [list(game) for game in _games(_grid(case), case.question["most"])]

    def check(self, case: Case, got: object) -> Difference | None:
        """Compare as sets, without duplicates; of huge grids each game by itself."""
        if not isinstance(got, list):
            return Difference([], got, "result type", "the result is a list of games")
        grid, most = _grid(case), case.question["most"]
        is_whole = _total(grid) <= most
        games = _games(grid, most)
        if [tuple(game) if isinstance(game, list) else None for game in got] == games:
            return None
        known = set(games) if is_whole else None
        seen: set[tuple[int, ...]] = set()
        for game in got:
            fault = _fault_of(game, grid, known)
            if fault:
                return Difference("a game", game, *fault)
            if tuple(game) in seen:
                return Difference("every game once", game, "duplicate", "this game is listed twice")
            seen.add(tuple(game))
        if is_whole or len(got) < most or _is_ordered(got):
            missing = next((game for game in games if game not in seen), None)
            if missing is not None:
                why = f"this game of {_name(grid)} is missing"
                return Difference(list(missing), "no such game", "missing", why)
        return None

    def notice(self, case: Case, got: object) -> Difference | None:
        """Return that the order is not lexicographic."""
        assert isinstance(got, list)
        if _is_ordered(got):
            return None
        index = next(i for i in range(1, len(got)) if got[i - 1] >= got[i])
        why = f"the games of {_name(_grid(case))} are not in lexicographic order"
        return Difference(f"after {got[index - 1]} a later game", got[index], "order", why)

    def explain(self, case: Case, expected: object, got: object) -> tuple[str, str]:
        """Explain nothing: `check` does that."""
        raise NotImplementedError

    def diagram(self, case: Case, got: object) -> Diagram | None:
        """Draw the game in question: `got` is one game."""
        rows, cols, k = _grid(case)
        if not isinstance(got, list) or not _is_game_of_cells(got, rows * cols):
            return None
        x, o = (sum(1 << cell for cell in got[side::2]) for side in (0, 1))
        numbers = {cell: str(cell) for cell in range(rows * cols) if cell not in got}
        grid = grid_of(rows, cols, k)
        last = got[-1] if got else None
        caption = f"{grid} after {' '.join(map(str, got))}"
        return grid_diagram(grid, x, o, last=last, values=numbers, caption=caption)


def _require(condition: bool, exercise: str) -> None:
    if not condition:
        raise NoughtsError(f"a solution of {exercise} takes (rows, cols, k), or nothing for 4x4x3")


def _grid(case: Case) -> tuple[int, int, int]:
    rows, cols, k = case.arguments or (4, 4, 3)
    return rows, cols, k


def _name(grid: tuple[int, int, int]) -> str:
    return "x".join(map(str, grid))


def _by_games(grids: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    return sorted(grids, key=_total)


@cache
def _total(grid: tuple[int, int, int]) -> int:
    return Games(grid_of(*grid)).total


@lru_cache(maxsize=4)
def _games(grid: tuple[int, int, int], most: int) -> list[tuple[int, ...]]:
    return list(islice(Games(grid_of(*grid)), most))


def _is_ordered(games: list[Any]) -> bool:
    return all(earlier < later for earlier, later in pairwise(games))


def _is_game_of_cells(game: object, cells: int) -> bool:
    return (
        isinstance(game, list)
        and all(type(cell) is int and 0 <= cell < cells for cell in game)
        and len(set(game)) == len(game)
    )


def _fault_of(
    game: object, grid: tuple[int, int, int], known: set[tuple[int, ...]] | None
) -> tuple[str, str] | None:
    """Return the rule that a game breaks, with a sentence, or None if it is a game."""
    rows, cols, k = grid
    if not isinstance(game, list) or not all(type(cell) is int for cell in game):
        return "result type", "a game is a list or tuple of cells, numbered row by row from 0"
    if known is not None and tuple(game) in known:
        return None
    position = GridPosition.start(grid_of(rows, cols, k))
    for number, cell in enumerate(game, 1):
        if not 0 <= cell < rows * cols:
            return "out of bounds", f"there is no cell {cell} on {_name(grid)}"
        if position.outcome:
            return "game over", f"the game is over before move {number}"
        try:
            position = position.play(cell)
        except IllegalMove as error:
            return "cell taken", f"move {number}: {error}"
    if not position.outcome:
        return "unfinished", "neither side has a line, and the board is not full"
    return None
