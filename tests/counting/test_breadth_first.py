"""Counting breadth first: from any position, up to symmetry, and within its limits."""

from __future__ import annotations

import re
import tracemalloc
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, Verdict
from noughts.counting import count
from noughts.counting.breadth_first import list_endings, list_games, list_positions
from noughts.errors import LimitExceeded
from noughts.limits import GIB
from support.oracle import has_line
from support.strategies import Played, Shape, masks_of, played_boards, shapes

OUTCOMES = ("X_wins", "O_wins", "draw")
MEMORY = 4 * GIB


@st.composite
def played(draw: st.DrawFn) -> Played:
    shape, cells, moves = draw(played_boards(draw(shapes(max_side=9, max_k=6, max_cells=9))))
    assume(cells.count(".") <= 6)
    return shape, cells, moves


def position_of(shape: Shape, cells: str) -> GridPosition:
    return GridPosition(Grid(*shape), *masks_of(cells))


def judged(shape: Shape, board: str) -> str:
    won = [f"{mark}_wins" for mark in "XO" if has_line(board, *shape, mark)]
    return won[0] if won else "" if "." in board else "draw"


def descendants(shape: Shape, cells: str) -> dict[str, str]:
    """Find every board that play from one reaches, itself included, with its outcome or ''."""
    found: dict[str, str] = {}
    todo = [cells]
    while todo:
        board = todo.pop()
        if board in found:
            continue
        found[board] = judged(shape, board)
        if not found[board]:
            mark = "XO"[board.count("X") > board.count("O")]
            todo += [
                board[:cell] + mark + board[cell + 1 :]
                for cell in range(len(board))
                if board[cell] == "."
            ]
    return found


def images(shape: Shape, board: str) -> set[str]:
    rows, cols, _ = shape
    grid = [board[start : start + cols] for start in range(0, rows * cols, cols)]
    found = set()
    for _ in range(4):
        grid = ["".join(column) for column in zip(*grid[::-1], strict=True)]
        if len(grid) == rows:
            found |= {"".join(grid), "".join(row[::-1] for row in grid)}
    return found


def by_marks(boards: Iterable[str]) -> dict[int, int]:
    return dict(sorted(Counter(len(board) - board.count(".") for board in boards).items()))


# --------------------------------------------------------------------------- from any position


@settings(max_examples=80)
@given(played())
def test_positions_and_endings_from_any_position(played: Played) -> None:
    shape, cells, _ = played
    position = position_of(shape, cells)
    found = descendants(shape, cells)
    classes = {min(images(shape, board)): outcome for board, outcome in found.items()}
    for symmetric, boards in ((False, found), (True, classes)):
        positions = list_positions(position, MEMORY, up_to_symmetry=symmetric)
        endings = list_endings(position, MEMORY, up_to_symmetry=symmetric)
        assert positions.by_marks == by_marks(boards)
        for outcome in OUTCOMES:
            expected = by_marks(board for board, how in boards.items() if how == outcome)
            assert endings.by_outcome[Verdict(outcome)] == expected, (symmetric, outcome)


@settings(max_examples=60)
@given(played())
def test_moves_identified_from_any_position(played: Played) -> None:
    """From a position on, moves that its symmetries map to each other count once."""
    shape, cells, _ = played
    rows, cols, _ = shape
    numbered = "".join(map(chr, range(rows * cols)))  # each cell its own letter
    ways = [[ord(letter) for letter in image] for image in images(shape, numbered)]

    def count(board: str, length: int) -> Counter[tuple[int, str]]:
        outcome = judged(shape, board)
        if outcome:
            return Counter({(length, outcome): 1})
        same = [way for way in ways if all(board[way[c]] == board[c] for c in range(len(board)))]
        mark = "XO"[board.count("X") > board.count("O")]
        total: Counter[tuple[int, str]] = Counter()
        for cell in range(len(board)):
            if board[cell] == "." and all(way[cell] >= cell for way in same):
                total += count(board[:cell] + mark + board[cell + 1 :], length + 1)
        return total

    games = count(cells, 0)
    counts = list_games(position_of(shape, cells), MEMORY, up_to_symmetry=True)
    for outcome, number in zip(OUTCOMES, (counts.x_wins, counts.o_wins, counts.draws), strict=True):
        assert number == sum(n for (_, how), n in games.items() if how == outcome)
    lengths: Counter[int] = Counter()
    for (length, _), n in games.items():
        lengths[length] += n
    assert counts.by_length == lengths


@settings(max_examples=40)
@given(played())
def test_symmetric_images_have_the_same_counts(played: Played) -> None:
    shape, cells, _ = played
    position = position_of(shape, cells)
    for symmetric in (False, True):
        positions = list_positions(position, MEMORY, up_to_symmetry=symmetric)
        games = list_games(position, MEMORY, up_to_symmetry=symmetric)
        for symmetry in position.grid.symmetries:
            image = position.transformed(symmetry)
            assert list_positions(image, MEMORY, up_to_symmetry=symmetric) == positions
            assert list_games(image, MEMORY, up_to_symmetry=symmetric) == games


@pytest.mark.parametrize("text", ["XXX/OO./...", "XOX/XOO/OXX", "OOO/XX./X.."])
def test_a_finished_position_is_all_there_is(text: str) -> None:
    position = GridPosition.parse(text)
    marks = (position.x | position.o).bit_count()
    assert position.outcome is not None
    assert list_positions(position, MEMORY).by_marks == {marks: 1}
    endings = list_endings(position, MEMORY)
    assert endings.by_outcome[position.outcome.verdict] == {marks: 1}
    assert endings.total == 1
    assert list_games(position, MEMORY).by_length == {0: 1}


# ---------------------------------------------------------------------------------------- limits


def test_twenty_cells_fit() -> None:
    """The last cells of the largest board: both masks of a position share one word."""
    position = GridPosition.start(Grid(4, 5, 4))
    for move in (0, 19, 1, 18, 3, 17, 4, 15, 5, 6, 7, 8, 12, 13):
        position = position.play(move)
    assert not position.outcome
    assert list_games(position, MEMORY) == count(position)
    assert list_games(position, MEMORY) == count(position, method="backtrack")
    assert list_positions(GridPosition.start("4x5x1"), MEMORY).by_marks == {0: 1, 1: 20}
    assert list_positions(GridPosition.start("4x5x1"), MEMORY, up_to_symmetry=True).by_marks[1] == 6


def test_more_cells_are_refused_with_both_numbers() -> None:
    for listing in (list_positions, list_endings, list_games):
        with pytest.raises(LimitExceeded, match=r"20 empty.* 21"):
            listing(GridPosition.start("3x7x3"), MEMORY)


@pytest.mark.parametrize("memory", [1, 100, 10_000])
def test_too_little_memory_is_refused_with_an_estimate(memory: int) -> None:
    with pytest.raises(LimitExceeded, match=r"[\d,]+ positions.*\d") as caught:
        list_positions(GridPosition.start("4x4x3"), memory)
    need = re.search(r"needs ([\d.]+) (\w+)", str(caught.value))
    assert need is not None
    assert float(need[1]) > 0  # "0.0 GiB" would tell nobody anything


def test_what_is_accepted_stays_within_the_memory() -> None:
    position = GridPosition.start("2x7x3")

    def is_accepted(memory: int) -> bool:
        try:
            list_positions(position, memory)
        except LimitExceeded:
            return False
        return True

    refused, accepted = 1 << 20, 1 << 28
    assert not is_accepted(refused)
    while accepted - refused > accepted // 10:
        middle = (accepted + refused) // 2
        refused, accepted = (refused, middle) if is_accepted(middle) else (middle, accepted)
    tracemalloc.start()  # numpy tells it about its arrays
    try:
        list_positions(position, accepted)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= accepted * 1.05
