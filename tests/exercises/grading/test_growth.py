"""Constant time and little memory: told by ratios, which are tested with made-up times.

What real solutions take is measured, too, but only where noise cannot decide: a scan of a line
takes 60 times as long on the largest board, and memory is counted in bytes.
"""

from __future__ import annotations

from pathlib import Path

from noughts.exercises.grading import grade, growth
from noughts.exercises.grading.growth import MEMORY_SIZES, SIZES, TIME_MARGIN
from noughts.exercises.grading.measuring import peak_memory, time_moves
from noughts.exercises.textbook.tic_tac_toe import TicTacToe
from support.cases import for_each

SOLUTIONS = Path(__file__).parent / "solutions"


class Stored:
    """A game that stores its board, without looking at it."""

    def __init__(self, n: int) -> None:
        self.board = [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        self.board[row][col] = player
        return 0


def times(*per_size: float) -> list[list[float]]:
    return [[each] * 4 for each in per_size]


@for_each(
    "measured", [times(1, 1, 1, 1, 1), times(1, 1.5, 2, 3, TIME_MARGIN), times(5, 1, 1, 1, 1)]
)
def test_times_within_the_margin_are_constant(measured: list[list[float]]) -> None:
    assert growth._slow_growth(measured) is None


def test_times_beyond_the_margin_are_not() -> None:
    message = growth._slow_growth(times(1, 2, 5, 17, 65))
    assert message is not None
    assert f"on {SIZES[-1]}x{SIZES[-1]} a move takes 65 times" in message
    only_columns = [[1.0, 1.0, 1.0, 1.0], [1.0, 9.0, 1.0, 1.0]]
    message = growth._slow_growth(only_columns)
    assert message is not None
    assert f"on {SIZES[1]}x{SIZES[1]}" in message


@for_each("nonsense", [None, [], [[]], [[1]], 3, [["x"], ["y"]], {"type": "x"}])
def test_measurements_that_are_nonsense_are_said_to_be(nonsense: object) -> None:
    assert growth._slow_growth(nonsense) is not None
    assert growth._large_growth(nonsense) is not None


def test_a_stored_board_takes_more_memory_than_counters() -> None:
    counters = [peak_memory(TicTacToe, n) for n in MEMORY_SIZES]
    stored = [peak_memory(Stored, n) for n in MEMORY_SIZES]
    assert growth._large_growth(counters) is None
    assert growth._large_growth(stored) is not None


def test_measuring_stops_where_larger_boards_show_nothing_new() -> None:
    class Slow:
        def __init__(self, n: int) -> None:
            self.n = n

        def move(self, row: int, col: int, player: int) -> int:
            return sum(range(self.n)) * 0

    measured = time_moves(Slow, SIZES)
    assert len(measured) < len(SIZES)
    assert growth._slow_growth(measured) is not None


def test_a_stored_board_and_a_scan_are_remarks() -> None:
    result = grade(SOLUTIONS / "tic_tac_toe_board.py", seconds=20)
    assert result.right is True
    assert [remark.name for remark in result.remarks] == ["time", "memory"]
    assert "the whole board is stored" in str(result)


def test_with_strict_they_are_wrong() -> None:
    result = grade(SOLUTIONS / "tic_tac_toe_board.py", seconds=20, strict=True)
    assert result.right is False
    assert result.counterexample is not None
    assert result.counterexample.rule == "time"


def test_a_board_too_large_for_the_memory_is_a_remark(tmp_path: Path) -> None:
    source = (SOLUTIONS / "tic_tac_toe_lists.py").read_text()
    path = tmp_path / "solution.py"
    # So small a share of the board that it grows like counters, and yet does not fit.
    old = "        self.n = n\n"
    path.write_text(source.replace(old, f"{old}        self.spare = bytes(3000 * n)\n"))
    result = grade(path, seconds=20)
    assert result.right is True
    assert [remark.name for remark in result.remarks] == ["large board"]
    assert "n = 1,000,000 needed more than 1.0 GiB" in str(result)
