"""What tests of solving share: who is asked, what is promised, and positions to ask about.

`solve` and `analyse` look small boards through in pure Python, so most tests ask a `Solver`,
which always uses the kernels. Brute force is `oracle.minimax`; positions are made by the
oracle's rules.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from hypothesis import strategies as st

from noughts import Grid, GridPosition
from noughts.solving import MoveValue, Solution, Value
from noughts.solving.solver import Solver
from support.cli_runner import Result, clean_environment
from support.oracle import has_line, minimax, reachable_verdicts
from support.strategies import masks_of

Known = tuple[Value, int | None]
Ask = Callable[[GridPosition], Solution]

MIB = 1 << 20


@cache
def solver(grid: str) -> Solver:
    """Return a solver that is asked again and again, so that what it remembers is tested, too."""
    return Solver(Grid.parse(grid), 16 * MIB)


def by_kernels(position: GridPosition) -> Solution:
    return solver(str(position.grid)).solve(position)


def by_brute_force(position: GridPosition) -> Known:
    grid = position.grid
    value, plies = minimax("".join(position.board.rows), grid.rows, grid.cols, grid.k)
    return Value(value), plies


def known(found: Solution | MoveValue) -> Known:
    """Return what was found as brute force says it; what is not proved is a failure."""
    assert found.value is not None, found
    return found.value, found.plies


def seen_before(after: Known) -> Known:
    """Return the value of a move whose position after it has this value."""
    value, plies = after
    return value.reversed, None if plies is None else plies + 1


def holds_what_it_says(solution: Solution) -> None:
    """Play the line: it is legal, ends as promised, and begins with one of the best moves."""
    position = solution.position
    assert solution.is_proved
    if position.outcome:
        assert (solution.best, solution.line) == ((), ())
        return
    assert solution.line[0] in solution.best
    assert len(set(solution.best)) == len(solution.best)
    assert set(solution.best) <= set(position.legal_moves)
    for move in solution.line:
        position = position.play(move)
    assert position.outcome, f"the line stops early: {solution.line}"
    assert position.outcome.winner is solution.winner
    if solution.value is Value.DRAW:
        assert solution.plies is None
        assert len(solution.line) == solution.position.move_count
    else:
        assert solution.plies == len(solution.line)


# By Berlekamp, Conway and Guy, Winning Ways for Your Mathematical Plays, volume 3 (three in a
# row); J. W. H. M. Uiterwijk and H. J. van den Herik, The advantage of the initiative, Information
# Sciences 122 (2000), and Wikipedia, m,n,k-game (the others). Plies on boards of up to 16 cells:
# http://dfriedman.org/ramblings/2020/12/31/optimal-mnk.html, which counts the winner's moves only.
PUBLISHED = {
    grid: words
    for words, grids in {
        "X wins in 1 ply": "1x1x1 8x8x1",
        "X wins in 3 plies": "2x2x2 2x3x2 3x3x2 4x4x2 8x8x2",
        "X wins in 5 plies": "4x4x3",
        "X wins in 7 plies": "3x4x3 4x3x3",
        "X wins in 11 plies": "5x6x4 6x5x4 6x6x4 7x7x4 8x8x4",
        "a draw": "2x5x3 3x3x3 3x4x4 4x4x4 4x5x4 5x4x4 4x6x4 4x7x4 5x5x4 5x5x5 6x6x5 6x6x6 7x7x6",
    }.items()
    for grid in grids.split()
}


# -------------------------------------------------------------------------------------- positions


def running_positions(grid: str) -> list[GridPosition]:
    """Return every position of a grid in which the game goes on, by the oracle's rules."""
    found = Grid.parse(grid)
    verdicts = reachable_verdicts(found.rows, found.cols, found.k)
    return [
        GridPosition(found, *masks_of(cells))
        for cells, verdict in verdicts.items()
        if verdict.endswith("_turn")
    ]


def canonical_only(every: Iterable[GridPosition]) -> list[GridPosition]:
    """Return the canonical form of each orbit of symmetric images."""
    return list(dict.fromkeys(position.canonical() for position in every))


def arranged(grid: Grid, order: Sequence[int], marks: int) -> GridPosition:
    """Return a running position with `marks` marks, placed in this order as far as possible.

    A move that would end the game is put off. There are fewer marks only where any move ends it.
    """
    cells = "." * grid.cells
    left = list(order)
    while grid.cells - cells.count(".") < min(marks, grid.cells - 1):
        mover = "XO"[(grid.cells - len(left)) % 2]
        for cell in left:
            after = cells[:cell] + mover + cells[cell + 1 :]
            if not has_line(after, grid.rows, grid.cols, grid.k, mover):
                cells = after
                left.remove(cell)
                break
        else:
            break
    return GridPosition(grid, *masks_of(cells))


def sampled(grid: str, marks: int, rng: random.Random) -> GridPosition:
    """Return a running position with `marks` marks, at random."""
    found = Grid.parse(grid)
    return arranged(found, rng.sample(range(found.cells), found.cells), marks)


@st.composite
def positions(
    draw: st.DrawFn, grids: Sequence[str], empty: int = 64, least: int = 1
) -> GridPosition:
    """Draw a running position of one of the grids with at most `empty` empty cells."""
    grid = Grid.parse(draw(st.sampled_from(grids)))
    order = draw(st.permutations(range(grid.cells)))
    left = draw(st.integers(least, max(least, min(empty, grid.cells))))
    return arranged(grid, order, grid.cells - left)


def all_grids(cells: int) -> list[str]:
    """Return every shape of up to `cells` cells with every k up to one that fits no line."""
    return [
        f"{rows}x{cols}x{k}"
        for rows in range(1, cells + 1)
        for cols in range(1, cells // rows + 1)
        for k in range(1, min(5, max(rows, cols) + 1) + 1)
    ]


def script_result(script: str, *arguments: str, env: dict[str, str] | None = None) -> Result:
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=clean_environment(env),
        timeout=250,
        check=False,
    )
    return Result(process.returncode, process.stdout, process.stderr)
