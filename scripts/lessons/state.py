"""The numbers of docs/learn/state.md: verdicts of all boards, and what mistakes do to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

from lessons.source import Mistake
from lessons.writing import columns, number, table
from noughts import Grid, exercises
from noughts.counting import count
from noughts.counting.line_free import line_free_counts
from noughts.counting.problem import Problem
from noughts.counting.runner import Runner

Rows = tuple[str, ...]

VERDICTS = ("X_turn", "O_turn", "X_wins", "O_wins", "draw", "invalid")

ONE_SIDE = "    if x_lines and o_lines:  # check: only one side has a line\n"
X_LAST = "if x_lines and x_count == o_count:"
O_LAST = "if o_lines and x_count > o_count:"
COMMON = "if no_common_cell(x_lines or o_lines):"
X_WINS = '    if x_lines:\n        return "X_wins"'
FULL = '    if x_count + o_count == len(cells):\n        return "draw"  # draw\n'

MISTAKES = (
    Mistake.of(
        "the marks are not counted",
        "if x_count - o_count not in (0, 1):",
        "if False:",
    ),
    Mistake.of(
        "either side may be one mark ahead",
        "x_count - o_count not in (0, 1)",
        "abs(x_count - o_count) > 1",
    ),
    Mistake.of("the winner need not have moved last", X_LAST, "if False:", O_LAST, "if False:"),
    Mistake.of("... checked for O only", X_LAST, "if False:"),
    Mistake.of("... checked for X only", O_LAST, "if False:"),
    Mistake.of(
        "a line wins, before anything is checked",
        "    if x_count - o_count",
        f'{X_WINS}\n    if o_lines:\n        return "O_wins"\n    if x_count - o_count',
    ),
    Mistake.of("a full board is a draw, before lines are looked at", X_WINS, FULL + X_WINS),
    Mistake.of("the diagonal to the left is forgotten", ", (1, -1))", ",)"),
    Mistake.of("windows stop one row early", "last_row < rows", "last_row < rows - 1"),
    Mistake.of("a window leaves the board at the left", "0 <= last_col < cols", "last_col < cols"),
    Mistake.of("both sides may have a line", ONE_SIDE, "    if False:\n"),
    Mistake.of("the winner's lines need not share a cell", COMMON, "if False:"),
)


def all_boards(rows: int, cols: int) -> Iterator[Rows]:
    """Yield every board, those with few marks first."""
    every = ("".join(marks) for marks in product("XO.", repeat=rows * cols))
    for cells in sorted(every, key=lambda cells: -cells.count(".")):
        yield tuple(cells[start : start + cols] for start in range(0, rows * cols, cols))


def wrong_boards(
    judge: Callable[..., str], truth: dict[Rows, str], k: int = 3
) -> list[tuple[Rows, str]]:
    """Return the boards that are judged wrong, with the wrong verdict."""
    verdicts = ((board, judge(board, k)) for board in truth)
    return [(board, verdict) for board, verdict in verdicts if verdict != truth[board]]


def verdicts_of(rows: int, cols: int, k: int) -> dict[Rows, str]:
    """Return the verdict on every board, by the exact code."""
    return {board: exercises.state(board, k) for board in all_boards(rows, cols)}


def smallest_grid_for(mistake: Mistake, most_cells: int) -> tuple[str, Rows, str]:
    """Return the smallest grid on which a mistake shows: grid, board, wrong verdict."""
    wrong_state = mistake.made_in("verdict", "state")
    for cells in range(1, most_cells + 1):
        for rows in range(1, cells + 1):
            cols, rest = divmod(cells, rows)
            for k in range(1, max(rows, cols) + 1) if not rest else ():
                wrong = wrong_boards(wrong_state, verdicts_of(rows, cols, k), k)
                if wrong:
                    return f"{rows}x{cols}x{k}", *wrong[0]
    raise LookupError(f"up to {most_cells} cells, no board is wrong where {mistake.about}")


def boards_without_a_last_move(grid: Grid) -> int:
    """Return how many boards are invalid only because no cell lies on all of the winner's lines.

    These are the boards on which one side alone has lines and has moved last, less the won ones.
    """
    lines = frozenset(frozenset(line) for line in grid.lines)
    weights = (1,) * grid.cells
    problems = [Problem(weights, lines, lines), Problem(weights, frozenset(), lines)]
    half = (grid.cells + 1) // 2
    no_lines, lines_of_one = line_free_counts(problems, half, lambda: "", Runner())
    one_sided = 0
    for marks in range(grid.cells + 1):
        own, other = (marks + 1) // 2, marks // 2  # of the side that moved last
        one_sided += lines_of_one[own][other] - no_lines[own][other]
    won = count(grid, of="endings")
    return one_sided - won.x_wins - won.o_wins


def values() -> dict[str, str]:
    """Return what the page leaves open, by name."""
    truth = verdicts_of(3, 3, 3)
    split = Counter(truth.values())
    rows, drawn = [], []
    for place, mistake in enumerate(MISTAKES, 1):
        wrong = wrong_boards(mistake.made_in("verdict", "state"), truth)
        validity = sum((verdict == "invalid") != (truth[b] == "invalid") for b, verdict in wrong)
        if not wrong:
            rows.append([str(place), mistake.about, "0", "0", "", ""])
            continue
        board, verdict = wrong[0]
        rows.append(
            [
                str(place),
                mistake.about,
                number(len(wrong)),
                number(validity),
                f"`{truth[board]}`",
                f"`{verdict}`",
            ]
        )
        drawn.append([str(place), *(" ".join(row) for row in board)])
    grid, board, verdict = smallest_grid_for(MISTAKES[-1], 7)
    half = (len(drawn) + 1) // 2
    return {
        "boards": number(len(truth)),
        "valid_boards": number(len(truth) - split["invalid"]),
        "verdicts": table(
            ["verdict", "boards"],
            [[f"`{verdict}`", number(split[verdict])] for verdict in VERDICTS],
        ),
        "mistakes": table(
            ["", "mistake", "`state` wrong", "`valid` wrong", "right", "said"], rows, right=(2, 3)
        ),
        "drawn_mistakes": columns(drawn[:half]) + "\n\n" + columns(drawn[half:]),
        "moved_last_wrong": rows[2][2],
        "common_grid": grid,
        "common_board": "/".join(board),
        "common_verdict": verdict,
        "common_4x4x3": number(boards_without_a_last_move(Grid(4, 4, 3))),
        "boards_4x4": number(3**16),
        "lines_4x4x3": str(len(Grid(4, 4, 3).lines)),
        "lines_15x15x5": str(len(Grid(15, 15, 5).lines)),
    }
