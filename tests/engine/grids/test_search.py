"""The answers of the grid search: its proofs are true, and it misses no threat."""

from __future__ import annotations

import json
import random
import threading
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, Player
from noughts.engine.grids import GridSearch
from noughts.errors import LimitExceeded
from noughts.limits import Limits
from noughts.solving import Value
from noughts.values import Analysis, MoveValue, Solution
from support.solver_cases import sampled, script_result, solver

NEVER = threading.Event()


@cache
def search_of(grid: str) -> GridSearch:
    """Return a search that is used again and again: its transposition table is tested, too."""
    return GridSearch(Grid.parse(grid), seed=1)


def ask(position: GridPosition, nodes: int = 2_000) -> Analysis:
    found = search_of(str(position.grid)).analyse(position, Limits(nodes=nodes), NEVER)
    assert_sensible(position, found)
    return found


def assert_sensible(position: GridPosition, found: Analysis) -> None:
    assert sorted(each.move for each in found.moves) == position.legal_moves
    ranks = [each.value.rank if each.value else 0 for each in found.moves]
    assert ranks == sorted(ranks, reverse=True)
    assert all(0 <= each.score <= 1 and each.visits >= 0 for each in found.moves)
    assert found.best.score == max(e.score for e in found.moves if e.value is found.best.value)
    assert found.line[0] == found.best.move
    after = position
    for move in found.line:
        after = after.play(move)
    json.dumps(found.to_json())
    assert str(found)


def assert_true(position: GridPosition, each: MoveValue, after: Solution) -> None:
    """Compare what is proved of a move with the solution of the position after it."""
    if each.value is None:
        assert each.plies is None
        return
    assert after.value is not None
    assert each.value is after.value.reversed, (position, each)
    if each.value is Value.DRAW:
        assert each.plies is None
    else:
        assert each.plies is not None
        assert after.plies is not None
        assert after.plies + 1 <= each.plies <= position.move_count, (position, each)


# ---------------------------------------------------------------------------------------- proofs

SMALL = [
    ("3x3x3", 0), ("3x4x3", 0), ("4x4x3", 0), ("3x7x3", 2), ("5x5x3", 2), ("4x4x4", 2),
    ("4x5x4", 4), ("5x5x4", 7), ("2x5x2", 0), ("1x8x3", 0), ("2x2x1", 0), ("3x3x4", 0),
]  # fmt: skip


@pytest.mark.parametrize(("grid", "least"), SMALL)
def test_proofs_are_true(grid: str, least: int) -> None:
    rng = random.Random(grid)
    cells = Grid.parse(grid).cells
    proved = 0
    for _ in range(25):
        position = sampled(grid, rng.randint(least, cells - 1), rng)
        found = ask(position, rng.choice([1, 20, 400, 8_000]))
        if found.best.is_proved:
            whole = solver(grid).solve(position, with_line=False)
            assert found.best.value is whole.value, position
        for each in found.moves:
            proved += each.is_proved
            after = solver(grid).solve(position.play(each.move), with_line=False)
            assert_true(position, each, after)
    assert proved > 10


@pytest.mark.parametrize("grid", ["3x3x3", "3x4x3", "4x4x3", "3x5x3", "2x2x1", "2x3x2", "2x2x3"])
def test_small_boards_are_settled(grid: str) -> None:
    rng = random.Random(grid)
    for marks in range(Grid.parse(grid).cells):
        position = sampled(grid, marks, rng)
        found = ask(position, 1_000_000)
        solution = solver(grid).solve(position, with_line=False)
        assert found.best.value is solution.value
        if found.best.value is Value.WIN:
            assert_line_wins(position, found)


def assert_line_wins(position: GridPosition, found: Analysis) -> None:
    assert found.best.plies is not None
    assert len(found.line) <= found.best.plies
    for move in found.line:
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is found.winner


def test_a_proved_draw_is_not_the_value_while_other_moves_are_open() -> None:
    claims = 0
    for grid in ("3x5x4", "3x6x4", "4x4x4", "2x8x4"):
        rng = random.Random(grid)
        for _ in range(100):
            position = sampled(grid, rng.randint(3, 9), rng)
            found = ask(position, rng.choice([10, 30, 100, 250]))
            if found.best.value is Value.DRAW and not all(each.is_proved for each in found.moves):
                assert found.value is None
                assert "at least a draw, proved" in str(found)
                claims += 1
    assert claims > 5


def test_a_proof_on_a_larger_board() -> None:
    found = GridSearch(Grid(7, 7, 4)).analyse(
        GridPosition.start("7x7x4"), Limits(nodes=500_000), NEVER
    )
    assert str(found).startswith("X wins in ")
    assert found.best.value is Value.WIN
    assert found.nodes < 500_000  # it stops when there is nothing more to find out


@given(st.integers(0, 10**9))
@settings(max_examples=15)
def test_symmetric_images_have_the_same_proofs(seed: int) -> None:
    rng = random.Random(seed)
    position = sampled("5x5x4", rng.randint(4, 20), rng)
    values = set()
    for symmetry in position.grid.symmetries[:4]:
        best = ask(position.transformed(symmetry), 3_000).best
        if best.is_proved:
            values.add(best.value)
    assert len(values) <= 1


# --------------------------------------------------------------------------------------- threats

LARGE = ["10x10x5", "15x15x5"]


@st.composite
def planted(draw: st.DrawFn, name: str, pattern: str) -> tuple[GridPosition, list[int]]:
    """Draw a position with a pattern somewhere, and the pattern's cells.

    `m` is a mark of the side to move, `t` of the other. More marks are scattered around, where
    they make no line that matters.
    """
    grid = Grid.parse(name)
    reach = len(pattern) - 1

    def first(step: int, size: int) -> int:
        return draw(st.integers(reach if step < 0 else 0, size - 1 - (reach if step > 0 else 0)))

    down, right = draw(st.sampled_from([(0, 1), (1, 0), (1, 1), (1, -1), (-1, 1)]))
    row, col = first(down, grid.rows), first(right, grid.cols)
    cells = [grid.cell(row + i * down, col + i * right) for i in range(len(pattern))]
    marks = {cell: mark for cell, mark in zip(cells, pattern, strict=True) if mark != "."}
    as_x = draw(st.booleans())
    most = max(pattern.count("m"), pattern.count("t")) + draw(st.integers(1, 3))
    wanted = {"m": most, "t": most if as_x else most + 1}
    for cell in draw(st.permutations(sorted(set(range(grid.cells)) - set(cells)))):
        held = list(marks.values())
        mark = "m" if held.count("m") < wanted["m"] else "t"
        if held.count(mark) == wanted[mark]:
            break
        lines = [[marks.get(each) for each in line] for line in grid.lines_through(cell)]
        if all(line.count(mark) < 2 or len({*line} - {None}) > 1 for line in lines):
            marks[cell] = mark
    mine, theirs = (sum(1 << c for c in marks if marks[c] == mark) for mark in "mt")
    position = GridPosition(grid, *((mine, theirs) if as_x else (theirs, mine)))
    assert position.outcome is None
    assert (position.turn is Player.X) == as_x
    return position, cells


def completing(position: GridPosition) -> list[int]:
    """Return the moves that end the game with a line."""
    return [
        move
        for move in position.legal_moves
        if (outcome := position.play(move).outcome) is not None and outcome.winner is not None
    ]


def forks(position: GridPosition) -> list[int]:
    """Return the moves after which the other side would have to block twice."""
    grid = position.grid
    mine = position.x if position.turn is Player.X else position.o
    found = []
    for move in position.legal_moves:
        marks = mine | 1 << move
        threats = {
            cell
            for line in grid.lines_through(move)
            for cell in line
            if sum(marks >> each & 1 for each in line) == grid.k - 1
            and not marks >> cell & 1
            and cell in position.legal_moves
        }
        if len(threats) > 1:
            found.append(move)
    return found


@pytest.mark.parametrize("grid", LARGE)
@given(st.data())
@settings(max_examples=15)
def test_a_line_is_completed(grid: str, data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from(["mmmm.", "m.mmm", "mm.mm"]))
    position, _ = data.draw(planted(grid, pattern))
    found = ask(position, 1)
    assert found.best.move in completing(position)
    assert (found.best.value, found.best.plies) == (Value.WIN, 1)
    assert str(found) == f"{position.turn} wins in 1 move, proved"


@pytest.mark.parametrize("grid", LARGE)
@given(st.data())
@settings(max_examples=15)
def test_a_line_is_blocked(grid: str, data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from(["mtttt.", "t.ttt", "tt.tt"]))
    position, cells = data.draw(planted(grid, pattern))
    block = next(c for c, mark in zip(cells, pattern, strict=True) if mark == ".")
    found = ask(position)
    assert found.best.move == block
    for each in found.moves[1:]:
        assert (each.value, each.plies) == (Value.LOSS, 2)


@pytest.mark.parametrize("grid", LARGE)
@given(st.data())
@settings(max_examples=15)
def test_two_threats_at_once_are_made(grid: str, data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from([".mmm..", ".mm.m.", "..mmm."]))
    position, _ = data.draw(planted(grid, pattern))
    found = ask(position, 200)
    assert (found.best.value, found.best.plies) == (Value.WIN, 3)
    assert found.best.move in forks(position)
    assert_line_wins(position, found)


@pytest.mark.parametrize("grid", LARGE)
@given(st.data())
@settings(max_examples=15)
def test_two_threats_at_once_are_prevented(grid: str, data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from([".ttt..", ".tt.t.", "..ttt."]))
    position, _ = data.draw(planted(grid, pattern))
    found = ask(position)
    after = position.play(found.best.move)
    assert not forks(after)
    lost = [each for each in found.moves if each.value is Value.LOSS]
    assert len(lost) > position.move_count // 2
    for each in random.Random(0).sample(lost, 5):
        assert each.plies is not None
        if each.plies == 4:
            assert forks(position.play(each.move))


# ------------------------------------------------------------------------------------- odd grids


@pytest.mark.parametrize(
    ("grid", "text"),
    [
        ("1x1x1", "X wins in 1 move, proved"),
        ("20x20x1", "X wins in 1 move, proved"),
        ("20x20x2", "X wins in 3 moves (2 of X, 1 of O), proved"),
        ("1x3x2", "X wins in 3 moves (2 of X, 1 of O), proved"),
        ("1x2x2", "a draw, proved"),
        ("1x1x2", "a draw, proved"),
        ("5x5x6", "a draw, proved"),
        ("3x3x1000000", "a draw, proved"),
        ("32x32x33", "a draw, proved"),
    ],
)
def test_grids_that_are_settled_at_once(grid: str, text: str) -> None:
    found = ask(GridPosition.start(grid))
    assert str(found) == text
    if "draw" in text:
        assert all(each.value is Value.DRAW for each in found.moves)


@pytest.mark.parametrize("grid", ["1x30x4", "20x20x5", "2x40x7", "19x19x6", "9x6x12", "32x32x20"])
def test_any_grid_has_an_answer(grid: str) -> None:
    position = GridPosition.start(grid)
    for _ in range(3):
        found = ask(position, 300)
        position = position.play(found.best.move)


def test_the_first_move_is_not_at_the_edge() -> None:
    row, col = divmod(ask(GridPosition.start("15x15x5"), 3_000).best.move, 15)
    assert 3 < row < 11
    assert 3 < col < 11


def test_too_large_boards_are_refused() -> None:
    with pytest.raises(LimitExceeded, match="at most 1,024 cells"):
        GridSearch(Grid(33, 32, 5))


# ---------------------------------------------------------------------------------------- limits


def middle_game(grid: str = "10x10x5") -> GridPosition:
    return sampled(grid, 14, random.Random(5))


def test_the_same_seed_gives_the_same_answer() -> None:
    position = middle_game()
    limit = Limits(nodes=20_000)
    first, second = (GridSearch(position.grid, 7).analyse(position, limit, NEVER) for _ in "ab")
    assert first == second
    assert first.nodes == second.nodes == 20_000


def test_a_seed_decides_between_equals() -> None:
    start = GridPosition.start("10x10x5")
    limit = Limits(nodes=100)
    moves = {
        GridSearch(start.grid, seed).analyse(start, limit, NEVER).best.move for seed in range(6)
    }
    assert len(moves) > 1


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_time_is_kept(threads: int) -> None:
    search = search_of("10x10x5")
    search.load_kernels()
    begin = time.monotonic()
    found = search.analyse(middle_game(), Limits(seconds=0.2, threads=threads), NEVER)
    assert time.monotonic() - begin < 1  # on a busy machine; it is milliseconds on a quiet one
    assert_sensible(middle_game(), found)


def test_nodes_are_shared_by_threads() -> None:
    found = search_of("10x10x5").analyse(middle_game(), Limits(nodes=9_000, threads=2), NEVER)
    assert 4_500 <= found.nodes <= 9_000


def test_it_can_be_cancelled() -> None:
    stop = threading.Event()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    begin = time.monotonic()
    found = search_of("15x15x5").analyse(middle_game("15x15x5"), Limits(seconds=100), stop)
    assert time.monotonic() - begin < 10
    assert_sensible(middle_game("15x15x5"), found)


def test_progress_is_reported() -> None:
    position = middle_game()
    reported: list[Analysis] = []
    GridSearch(position.grid).analyse(position, Limits(seconds=0.3), NEVER, reported.append)
    assert reported
    nodes = [each.nodes for each in reported]
    assert nodes == sorted(nodes)
    for each in reported:
        assert_sensible(position, each)


def test_an_error_in_on_progress_stops_the_search() -> None:
    def fail(estimate: Analysis) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search_of("10x10x5").analyse(middle_game(), Limits(seconds=100), NEVER, fail)


def test_the_table_is_kept_for_the_next_call() -> None:
    search = GridSearch(Grid(7, 7, 4))
    position = GridPosition.start("7x7x4")
    first = search.analyse(position, Limits(nodes=10**6), NEVER)
    again = search.analyse(position, Limits(nodes=10**6), NEVER)
    assert again.best.value is first.best.value is Value.WIN
    assert again.nodes < first.nodes


# ------------------------------------------------------------------------------------ uncompiled

UNCOMPILED = """
import json, sys, threading
from noughts import GridPosition, Limits
from noughts.engine.grids import GridSearch
from noughts.kernels import COMPILED
assert COMPILED == (sys.argv[1] == "compiled")
found = {}
for text in sys.argv[2:]:
    position = GridPosition.parse(text)
    search = GridSearch(position.grid, 3)
    found[text] = search.analyse(position, Limits(nodes=150), threading.Event()).to_json()
print(json.dumps(found))
"""


def test_the_same_answers_uncompiled() -> None:
    rng = random.Random(2)
    asked = [sampled("3x3x3", 2, rng), sampled("5x5x4", 8, rng), sampled("6x6x4", 9, rng)]
    texts = [position.text for position in asked]
    plain = script_result(UNCOMPILED, "plain", *texts, env={"NUMBA_DISABLE_JIT": "1"})
    assert (plain.code, plain.err) == (0, "")
    expected = {
        each.text: GridSearch(each.grid, 3).analyse(each, Limits(nodes=150), NEVER).to_json()
        for each in asked
    }
    assert plain.object == expected
