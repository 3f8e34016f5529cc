"""The values in tables: against brute force, counts and each other. Files: `test_table_files`."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, Grid, GridPosition, InvalidPosition, NoughtsError, Verdict
from noughts.counting import count
from noughts.errors import TableError
from noughts.rules.verdict import verdict_of
from noughts.solving.ranking import DRAW, NO_GAME, layer_starts, place_of
from noughts.solving.tables import Table
from noughts.values import Solution, Value
from support.oracle import minimax, reachable_verdicts
from support.strategies import masks_of

Known = tuple[Value, int | None]
Builder = Callable[[str], Table]


def flat(position: GridPosition) -> str:
    """Turn a position into the oracle's form."""
    return "".join(position.board.rows)


def shape(grid: Grid) -> tuple[int, int, int]:
    return grid.rows, grid.cols, grid.k


def by_brute_force(position: GridPosition) -> Known:
    value, plies = minimax(flat(position), *shape(position.grid))
    return Value(value), plies


def data_of(table: Table) -> bytes:
    """Return the bytes of all boards."""
    return table.path.read_bytes()[-table.positions :]


def played(grid: str, marks: int, rng: random.Random) -> GridPosition:
    """Return a running position with `marks` marks, by random play."""
    while True:
        position = GridPosition.start(grid)
        while not position.outcome:
            if (position.x | position.o).bit_count() == marks:
                return position
            position = position.play(rng.choice(position.legal_moves))


# ------------------------------------------------------------------------------------- the values


@pytest.mark.parametrize(
    "grid",
    [
        *("1x1x1", "1x1x2", "1x2x2", "2x2x1", "2x2x2", "2x2x3", "1x6x3", "6x1x2", "2x3x2"),
        *("2x4x3", "3x3x1", "3x3x2", "3x3x3", "3x3x4", "2x5x2", "2x5x3", "4x3x2", "3x4x3"),
    ],
)
def test_every_position_has_its_value(built: Builder, grid: str) -> None:
    """And every board that no game reaches is marked as such; by rules that are not ours."""
    table = built(grid)
    rows, cols, k = shape(table.grid)
    expected = bytearray([NO_GAME]) * table.positions
    for cells in reachable_verdicts(rows, cols, k):
        value, plies = minimax(cells, rows, cols, k)
        assert plies is None or plies % 2 == (value == "win")
        expected[place_of(rows * cols, *masks_of(cells))] = DRAW if plies is None else plies
    assert data_of(table) == expected


@pytest.mark.parametrize("grid", ["1x1x1", "3x3x3", "2x5x2"])
def test_every_position_is_looked_up(built: Builder, grid: str) -> None:
    table = built(grid)
    rows, cols, k = shape(table.grid)
    for cells in reachable_verdicts(rows, cols, k):
        position = GridPosition(table.grid, *masks_of(cells))
        assert table.lookup(position) == by_brute_force(position)


KNOWN_GAMES = {
    "3x3x3": "a draw",
    "3x4x3": "X wins in 7 plies",
    "3x5x3": "X wins in 7 plies",
    "4x4x2": "X wins in 3 plies",
    "4x4x3": "X wins in 5 plies",
    "4x4x4": "a draw",
    "4x4x5": "a draw",
    "1x16x1": "X wins in 1 ply",
    "2x8x3": "a draw",
}


def test_known_games(built: Builder) -> None:
    starts = {grid: built(grid).solution(GridPosition.start(grid)) for grid in KNOWN_GAMES}
    assert {grid: str(solution) for grid, solution in starts.items()} == KNOWN_GAMES


@pytest.mark.parametrize("grid", ["4x4x3", "4x4x4"])
def test_positions_of_large_boards(built: Builder, grid: str) -> None:
    table = built(grid)
    rng = random.Random(grid)
    for marks in [8] * 3 + [9] * 10 + [*range(10, 16)] * 30:
        position = played(grid, marks, rng)
        assert table.lookup(position) == by_brute_force(position)
        for move, known in table.moves(position).items():
            value, plies = by_brute_force(position.play(move))
            assert known == (value.reversed, None if plies is None else plies + 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["XO../..X./.O../....", "X.../.O../..X./...O", "O..X/..../.X../..O."]
)
def test_positions_with_few_marks(built: Builder, text: str) -> None:
    """These take the brute force a while; 4x4x3 is a win from nearly everywhere, 4x4x4 a draw."""
    for grid in ("4x4x3", "4x4x4"):
        position = GridPosition.parse(f"{grid}:{text}")
        for _ in range(3):
            position = position.play(position.legal_moves[-2])
        assert built(grid).lookup(position) == by_brute_force(position)


def best_of(known: list[Known]) -> Known:
    """Return the best of some values for the side to move."""

    def worth(value: Known) -> tuple[int, int]:
        name, plies = value
        return name.rank, 0 if plies is None else -name.rank * plies

    return max(known, key=worth)


@pytest.mark.parametrize(
    "grid", ["4x4x2", "4x4x3", "4x4x4", "3x5x3", "5x3x4", "2x8x3", "1x16x4", "2x7x2"]
)
def test_every_value_follows_from_the_moves(built: Builder, grid: str) -> None:
    """From the empty board on down; moves and endings are those of the rules."""
    table = built(grid)
    rng = random.Random(grid)
    for _ in range(60):
        position = GridPosition.start(grid)
        while not position.outcome:
            after = [table.lookup(position.play(move)) for move in position.legal_moves]
            turned = [(v.reversed, None if p is None else p + 1) for v, p in after]
            assert table.lookup(position) == best_of(turned), position
            assert list(table.moves(position).values()) == turned
            position = position.play(rng.choice(position.legal_moves))
        ended: Known = (Value.DRAW, None)
        if position.outcome.winner:
            ended = (Value.LOSS, 0)
        assert table.lookup(position) == ended


@pytest.mark.parametrize("grid", ["4x4x3", "4x4x4", "3x5x3", "2x8x3"])
def test_boards_that_no_game_reaches(built: Builder, grid: str) -> None:
    """Any boards with the right number of marks, judged by the rules."""
    table = built(grid)
    data = data_of(table)
    rng = random.Random(grid)
    judged = dict.fromkeys(Verdict, 0)
    for _ in range(8_000):
        marks = rng.randint(table.grid.cells // 2, table.grid.cells)
        cells = rng.sample(range(table.grid.cells), marks)
        o = sum(1 << cell for cell in cells[: marks // 2])
        x = sum(1 << cell for cell in cells[marks // 2 :])
        verdict = verdict_of(table.grid, x, o)
        judged[verdict] += 1
        byte = data[place_of(table.grid.cells, x, o)]
        assert (byte == NO_GAME) == (verdict is Verdict.INVALID)
        assert (byte == 0) == (verdict in (Verdict.X_WINS, Verdict.O_WINS))
        if verdict is Verdict.DRAW:
            assert byte == DRAW
    assert judged[Verdict.INVALID] > 100
    assert judged[Verdict.X_WINS] > 100


@pytest.mark.parametrize("grid", ["3x3x3", "4x4x3", "4x4x4", "3x5x3", "2x8x3", "1x16x4"])
def test_symmetry_changes_no_value(built: Builder, grid: str) -> None:
    table = built(grid)
    rng = random.Random(grid)
    for _ in range(100):
        position = played(grid, rng.randint(0, table.grid.cells * 2 // 3), rng)
        for symmetry in table.grid.symmetries:
            assert table.lookup(position.transformed(symmetry)) == table.lookup(position)


# ------------------------------------------------------------------------------------- the counts


def test_as_many_positions_as_there_are(built: Builder) -> None:
    grids = [f"{rows}x{cols}x{k}" for rows in (1, 2, 3) for cols in (1, 3, 4) for k in (1, 2, 3, 4)]
    grids += ["4x4x1", "4x4x2", "4x4x3", "4x4x4", "4x4x5", "3x5x3", "5x3x4", "2x8x3", "16x1x3"]
    for grid in grids:
        counts = built(grid).counts()
        expected = count(grid, "positions")
        by_marks = {marks: sum(values.values()) for marks, values in counts.by_marks.items()}
        assert by_marks == expected.by_marks, grid
        assert counts.total == expected.total
        assert counts.x_wins + counts.draws + counts.o_wins == counts.total


@pytest.mark.parametrize("grid", ["2x2x2", "3x3x3", "3x4x3", "4x4x3", "4x4x4", "1x5x2"])
def test_as_many_endings_as_there_are(built: Builder, grid: str) -> None:
    table = built(grid)
    data = data_of(table)
    starts = layer_starts(table.grid.cells)
    endings = count(grid, "endings")
    assert data.count(0) == endings.x_wins + endings.o_wins
    assert data[starts[-2] :].count(DRAW) == endings.draws


def test_counts_by_value(built: Builder) -> None:
    """Compared with brute force, by who wins."""
    counts = built("3x3x3").counts()
    expected: dict[int, list[int]] = {}
    for cells in reachable_verdicts(3, 3, 3):
        value, _ = minimax(cells, 3, 3, 3)
        x_moves = cells.count("X") == cells.count("O")
        place = {"draw": 1, "win": 0 if x_moves else 2, "loss": 2 if x_moves else 0}[value]
        expected.setdefault(9 - cells.count("."), [0, 0, 0])[place] += 1
    assert {marks: list(parts) for marks, parts in counts.by_winner.items()} == expected
    totals = [sum(parts) for parts in zip(*expected.values(), strict=True)]
    assert [counts.x_wins, counts.draws, counts.o_wins] == totals
    plain = json.loads(json.dumps(counts.to_json()))
    assert plain["total"] == "5478"
    assert plain["by_marks"]["0"] == {"x_wins": "0", "o_wins": "0", "draws": "1"}


def test_a_game_that_is_over_after_a_few_marks(built: Builder) -> None:
    assert built("4x4x1").counts().by_marks == {
        0: {Value.LOSS: 0, Value.DRAW: 0, Value.WIN: 1},
        1: {Value.LOSS: 16, Value.DRAW: 0, Value.WIN: 0},
    }


# ------------------------------------------------------------------------------------ asking for it


def test_moves_and_best_moves(built: Builder) -> None:
    table = built("3x3x3")
    position = GridPosition.parse("X.X/O../.O.")
    assert table.lookup(position) == (Value.WIN, 1)
    assert table.best(position) == (1,)
    assert table.moves(position)[1] == (Value.WIN, 1)
    assert table.best(GridPosition.parse("XOX/.../..O")) == (6,)  # which makes two threats
    lost = GridPosition.parse("X.X/.O./O.X")
    assert table.lookup(lost) == (Value.LOSS, 2)
    assert set(table.moves(lost).values()) == {(Value.LOSS, 2)}
    assert table.best(lost) == (1, 3, 5, 7)
    assert table.best(GridPosition.start("3x3x3")) == tuple(range(9))


def test_a_loser_holds_out(built: Builder) -> None:
    """Of the replies to a double threat only those are best that block one of its lines."""
    position = GridPosition.parse("XX./O../...")
    moves = built("3x3x3").moves(position)
    assert built("3x3x3").lookup(position) == (Value.LOSS, 4)
    assert built("3x3x3").best(position) == (2,)
    assert [plies for move, (_, plies) in moves.items() if move != 2] == [2] * 5


@pytest.mark.parametrize("text", ["XXX/OO./...", "XX./OOO/X..", "XOX/XOO/OXX"])
def test_a_game_that_is_over(built: Builder, text: str) -> None:
    table = built("3x3x3")
    position = GridPosition.parse(text)
    assert table.moves(position) == {}
    assert table.best(position) == ()
    solution = table.solution(position)
    assert (solution.best, solution.line) == ((), ())
    assert str(solution) == {"XXX": "X has won", "XX.": "O has won"}.get(text[:3], "a draw")


@pytest.mark.parametrize("grid", ["3x4x3", "4x4x3", "4x4x4"])
def test_a_line_of_best_play(built: Builder, grid: str) -> None:
    table = built(grid)
    rng = random.Random(7)
    for marks in range(9):
        position = played(grid, marks, rng)
        solution = table.solution(position)
        assert isinstance(solution, Solution)
        assert (solution.value, solution.plies) == table.lookup(position)
        assert solution.line[0] == solution.best[0]
        last = position
        for move in solution.line:
            assert move in table.best(last)
            last = last.play(move)
        assert last.outcome
        assert last.outcome.winner == solution.winner
        assert solution.plies in (None, len(solution.line))


@pytest.mark.parametrize("masks", [(0b111000111, 0b000111000), (7, 0), (0, 1), (0b111, 0b111000)])
def test_a_position_that_is_none(built: Builder, masks: tuple[int, int]) -> None:
    table = built("3x3x3")
    for ask in (table.lookup, table.moves, table.best, table.solution):
        with pytest.raises(InvalidPosition):
            ask(GridPosition(table.grid, *masks))


@pytest.mark.parametrize("masks", [(1, 1), (3, 3), (1 << 9, 0), (-1, 0), (-1, -1)])
def test_masks_that_are_none(built: Builder, masks: tuple[int, int]) -> None:
    with pytest.raises(NoughtsError):
        built("3x3x3").lookup(GridPosition.unchecked(Grid(3, 3, 3), *masks))


@pytest.mark.parametrize(
    "where", [GridPosition.start("3x3x2"), GridPosition.start("3x4x3"), "3x3x4 b2", "ultimate"]
)
def test_a_position_of_another_game(built: Builder, where: Any) -> None:
    table = built("3x3x3")
    for ask in (table.lookup, table.moves, table.best, table.solution):
        with pytest.raises(TableError, match="3x3x3"):
            ask(where)


def test_a_position_may_be_given_by_its_text_or_its_game(built: Builder) -> None:
    table, position = built("3x3x3"), GridPosition.parse("O../.X./...")
    game = Game(position)
    for ask in (table.lookup, table.moves, table.best, table.solution):
        assert ask("3x3x3 b2 a1") == ask(game) == ask(position)


@given(st.integers(0, 12), st.randoms(use_true_random=False))
def test_transposed_tables(built: Builder, marks: int, rng: random.Random) -> None:
    upright, across = built("4x3x3"), built("3x4x3").transposed()
    assert (across.grid, across.transposed().grid) == (upright.grid, Grid(3, 4, 3))
    position = GridPosition.start("4x3x3")
    for _ in range(marks):
        if not position.outcome:
            position = position.play(rng.choice(position.legal_moves))
    assert across.lookup(position) == upright.lookup(position)
    assert across.moves(position) == upright.moves(position)
    assert across.best(position) == upright.best(position)
    back = across.transposed()
    assert back.lookup(GridPosition.start("3x4x3")) == upright.lookup(GridPosition.start("4x3x3"))


def test_a_transposed_table_counts_the_same(built: Builder) -> None:
    assert built("4x3x3").counts() == built("3x4x3").transposed().counts()
