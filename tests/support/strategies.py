"""Shared hypothesis strategies, and the bridges between the package and `oracle.py`.

A drawn board here is a flat string of `X`, `O` and `.` with its `(rows, cols, k)`, the form
the oracle takes; `masks_of`, `rows_of` and `board_of` turn it into what the package takes.
Played positions are made by the oracle's rules, never by the package's own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import Phase, settings
from hypothesis import strategies as st

from noughts import Board, Game, Grid, GridPosition, UltimatePosition, Variant
from noughts.rules.grid import grid_of
from support.oracle import UltimateOracle, has_line

# The first call on a grid fills caches, so a time limit per example would only be noise.
settings.register_profile("noughts", deadline=None)
settings.load_profile("noughts")

# For tests that draw whole Ultimate games. The oracle is slow, so they are fewer, and no
# smaller game is looked for when one fails: that takes minutes and shows little more.
ultimate_settings = settings(
    max_examples=50, phases=[Phase.explicit, Phase.reuse, Phase.generate], deadline=None
)

Shape = tuple[int, int, int]
Drawn = tuple[Shape, str]
# A drawn board together with the moves that led to it.
Played = tuple[Shape, str, list[int]]

VARIANTS: list[Variant] = [
    Variant.STANDARD,
    Variant.OPEN,
    Variant.MOST_BOARDS,
    Variant.OPEN | Variant.MOST_BOARDS,
]

# Where an int is wanted, each of these is nearly always a mistake in the caller's data.
NOT_WHOLE: list[Any] = [1.0, 3.5, float("nan"), float("inf"), True, False, None, "3", b"3", [3], ()]
# Where text is wanted, likewise.
NOT_TEXT: list[Any] = [None, 3, 3.5, True, b"..", b"3x3x3", ..., {}, [["X"]], [None], [3]]

# Characters that no text form uses anywhere: near-misses of marks and digits, and oddities.
FOREIGN = "?*\t\n\r\x00\x7f\xa0_+=é×ΧХΟО○✗٣３²🙂"


def vectors(name: str) -> list[dict[str, Any]]:
    """Load the entries of one file of the project's shared test vectors."""
    path = Path(__file__).parents[1] / "vectors" / name
    loaded: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    assert loaded, f"{name} is empty"
    return loaded


# ----------------------------------------------------------------------------------- bridges


def masks_of(cells: str) -> tuple[int, int]:
    """Turn a flat board into the masks of X and of O."""
    x = sum(1 << cell for cell, mark in enumerate(cells) if mark == "X")
    o = sum(1 << cell for cell, mark in enumerate(cells) if mark == "O")
    return x, o


def rows_of(cells: str, cols: int) -> list[str]:
    """Cut a flat board into its rows."""
    return [cells[start : start + cols] for start in range(0, len(cells), cols)]


def board_of(shape: Shape, cells: str) -> Board:
    """Turn a flat board into a Board."""
    # The shared grid, because one that is made anew has its caches to fill each time.
    return Board(grid_of(*shape), *masks_of(cells))


def oracle_of(variant: Variant) -> UltimateOracle:
    """Return a fresh oracle for a variant of Ultimate."""
    return UltimateOracle(open=Variant.OPEN in variant, most_boards=Variant.MOST_BOARDS in variant)


def boards_of(game: UltimateOracle) -> list[str]:
    """Cut the oracle's 9x9 matrix into the nine small boards, each cell by cell."""
    return [
        "".join(
            game.grid[board // 3 * 3 + row][board % 3 * 3 + col]
            for row in range(3)
            for col in range(3)
        )
        for board in range(9)
    ]


def play_all(variant: Variant, moves: Sequence[int]) -> UltimatePosition:
    """Play moves from the start."""
    position = UltimatePosition.start(variant)
    for move in moves:
        position = position.play(move)
    return position


# ------------------------------------------------------------------------------------- grids


def shapes(max_side: int = 5, max_k: int = 6, max_cells: int = 25) -> st.SearchStrategy[Shape]:
    """Draw small shapes, among them single rows and columns and k beyond both sides."""
    sides = st.integers(1, max_side)
    return st.tuples(sides, sides, st.integers(1, max_k)).filter(
        lambda shape: shape[0] * shape[1] <= max_cells
    )


@st.composite
def masks(draw: st.DrawFn, shape: Shape) -> int:
    """Draw a set of cells, often a dense one so that lines are common."""
    full = (1 << shape[0] * shape[1]) - 1
    mask = draw(st.integers(0, full))
    for _ in range(draw(st.integers(0, 2))):
        mask |= draw(st.integers(0, full))
    return mask


@st.composite
def drawn_boards(draw: st.DrawFn, shape: Shape | None = None) -> Drawn:
    """Draw any marks on a grid; most of these boards are reached by no game."""
    shape = shape or draw(shapes())
    size = shape[0] * shape[1]
    marks = draw(st.sampled_from(["XO.", "XXO.", "XOO.", "XO", "XXO"]))
    return shape, draw(st.text(alphabet=marks, min_size=size, max_size=size))


@st.composite
def played_boards(draw: st.DrawFn, shape: Shape | None = None) -> Played:
    """Draw a position by random play, stopped anywhere up to the end of the game."""
    shape = shape or draw(shapes())
    size = shape[0] * shape[1]
    order = draw(st.permutations(range(size)))
    stop = draw(st.integers(0, size) | st.just(size))
    cells = ["."] * size
    moves: list[int] = []
    for cell in order[:stop]:
        if has_line("".join(cells), *shape, "X") or has_line("".join(cells), *shape, "O"):
            break
        cells[cell] = "XO"[len(moves) % 2]
        moves.append(cell)
    return shape, "".join(cells), moves


@st.composite
def near_misses(draw: st.DrawFn, shape: Shape) -> Drawn:
    """Draw a played position and change one or two of its cells."""
    _, cells, _ = draw(played_boards(shape))
    marks = list(cells)
    for _ in range(draw(st.integers(1, 2))):
        marks[draw(st.integers(0, len(marks) - 1))] = draw(st.sampled_from("XO."))
    return shape, "".join(marks)


# ---------------------------------------------------------------------------------- Ultimate


@st.composite
def ultimate_games(draw: st.DrawFn, variant: Variant | None = None) -> tuple[Variant, list[int]]:
    """Draw the moves of an Ultimate game by random play, often up to its end."""
    if variant is None:
        variant = draw(st.sampled_from(VARIANTS))
    length = draw(st.just(81) | st.integers(0, 81))
    # One byte chooses one move: this shrinks to short games of low-numbered moves.
    choices = draw(st.binary(min_size=length, max_size=length))
    game = oracle_of(variant)
    for choice in choices:
        legal = game.legal()
        if not legal:
            break
        game.play(legal[choice % len(legal)])
    return variant, list(game.moves)


def ultimate_positions(variant: Variant | None = None) -> st.SearchStrategy[UltimatePosition]:
    """Draw the position that a random Ultimate game led to."""
    return ultimate_games(variant).map(lambda game: play_all(*game))


# ------------------------------------------------------------------------------------- texts


@st.composite
def mangled(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """Draw a text and damage it in a few places; at times it is garbage from the start."""
    if draw(st.integers(0, 7)) == 0:
        return draw(st.text(max_size=40))
    text = draw(texts)
    pieces = st.text(max_size=3) | st.sampled_from([*"XO./;@# -|,:0123456789xabei", *FOREIGN])
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 3)))
        text = text[:start] + draw(pieces) + text[end:]
    return text


@st.composite
def records(draw: st.DrawFn) -> Game[Any]:
    """Draw a game of any kind, some of its moves undone."""
    if draw(st.booleans()):
        rows, cols, k = draw(shapes())
        start: Any = GridPosition.start(Grid(rows, cols, k))
    else:
        start = UltimatePosition.start(draw(st.sampled_from(VARIANTS)))
    game: Game[Any] = Game(start)
    for number in draw(st.lists(st.integers(0, 80), max_size=60)):
        if moves := game.position.legal_moves:
            game.play(moves[number % len(moves)])
    for _ in range(draw(st.integers(0, len(game.moves)))):
        game.undo()
    return game
