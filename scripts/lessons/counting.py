"""The numbers of docs/learn/counting.md: how much work each way of counting is."""

from __future__ import annotations

import json
from collections import Counter

from lessons.games import LEARN, TIMINGS, nodes_by_depth, smallest_miscount
from lessons.source import Mistake
from lessons.state import verdicts_of
from lessons.writing import duration, number, table
from noughts import Grid
from noughts.counting import count
from noughts.exercises.textbook import counting as textbook

MISTAKES = (
    Mistake.of(
        "an empty cell leaves lines open",
        "after[x_open & others, o_open & others, x, o]",
        "after[x_open, o_open, x, o]",
    ),
    Mistake.of(
        "a mark of O leaves lines of X open",
        "after[x_open & others, o_open | first",
        "after[x_open, o_open | first",
    ),
    Mistake.of(
        "lines that begin at the cell are not opened",
        "(x_open | first) & last:\n            after[x_open | first",
        "(x_open | first) & last:\n            after[x_open",
    ),
    Mistake.of("the orders of O's marks are forgotten", " * factorial(o)", ""),
    Mistake.of("the draws are forgotten", "return won + running(cells)", "return won"),
    Mistake.of(
        "all n cells are free, after any number of moves",
        "running(moves) * (cells - moves)",
        "running(moves) * cells",
    ),
    Mistake.of(
        "X and O are swapped",
        "x, o = (moves + 1) // 2, moves // 2",
        "o, x = (moves + 1) // 2, moves // 2",
    ),
)

PUBLISHED_GAMES = ("2x2x2", "3x3x3", "4x4x4", "5x5x5")


def sweep_sizes(grid: Grid) -> list[int]:
    """Return how many states the sweep has after each cell."""
    lines = textbook.all_lines(grid.rows, grid.cols, grid.k)
    boards = Counter({(0, 0, 0, 0): 1})
    sizes = []
    for cell in range(grid.cells):
        boards = textbook.mark(boards, cell, lines)
        sizes.append(len({(x_open, o_open) for x_open, o_open, _, _ in boards}))
    return sizes


def level_table(grid: Grid) -> str:
    """Return positions, those that go on, and the orders that lead to each, by marks."""
    positions = count(grid, of="positions").by_marks
    line_free = textbook.line_free(grid.rows, grid.cols, grid.k)
    nodes = nodes_by_depth(grid.cells, count(grid))
    rows = []
    for marks in range(grid.cells + 1):
        going_on = line_free[(marks + 1) // 2, marks // 2]
        per_position = f"{nodes[marks] / positions[marks]:,.0f}"
        cells = [positions[marks], going_on, nodes[marks]]
        rows.append([str(marks), *map(number, cells), per_position])
    rows.append(["all", number(sum(positions.values())), "", number(sum(nodes)), ""])
    head = [
        "marks",
        "positions",
        "of them without a line",
        "nodes of the walk",
        "orders per position",
    ]
    return table(head, rows, right=(0, 1, 2, 3, 4))


def fixed_positions(grid: Grid) -> dict[str, int]:
    """Return how many positions each symmetry leaves alone, by listing all of them."""
    verdicts = verdicts_of(grid.rows, grid.cols, grid.k)
    positions = ["".join(board) for board, verdict in verdicts.items() if verdict != "invalid"]
    fixed = {}
    for symmetry in grid.symmetries:
        images = symmetry.permutation(grid.rows, grid.cols)
        name = symmetry.name.lower().replace("_", " ")
        fixed[name] = sum(
            all(board[cell] == board[image] for cell, image in enumerate(images))
            for board in positions
        )
    return fixed


def mistake_table() -> str:
    """Return what each mistake counts, on the smallest grid where it shows and on 4x4x3."""
    rows = []
    for mistake in MISTAKES:
        found = smallest_miscount(mistake, "counting")
        grid, right, said = map(str, found) if found else ("none", "", "")
        on_4x4x3 = mistake.made_in("counting", "count_games")(4, 4, 3)
        rows.append([mistake.about, grid, right, said, number(on_4x4x3)])
    head = ["mistake", "smallest grid", "games", "counted", "counted on 4x4x3"]
    return table(head, rows, right=(2, 3, 4))


def published_games() -> dict[str, int]:
    """Return the published numbers of games, by grid."""
    games = json.loads((LEARN.parent / "published.json").read_text(encoding="utf-8"))["games"]
    return {grid: int(counts["total"]) for grid, counts in games.items() if grid != "source"}


def published_table() -> str:
    """Return the games of n x n with n in a row: as published, and by the textbook form."""
    published = published_games()
    rows = []
    for grid in PUBLISHED_GAMES:
        counted = textbook.count_games(*map(int, grid.split("x")))
        rows.append([grid, number(published[grid]), number(counted)])
    return table(["grid", "published", "counted here"], rows, right=(1, 2))


def values() -> dict[str, str]:
    """Return what the page leaves open, by name."""
    grid = Grid(4, 4, 3)
    games = count(grid)
    nodes = nodes_by_depth(grid.cells, games)
    line_free = textbook.line_free(grid.rows, grid.cols, grid.k)
    sizes = sweep_sizes(grid)
    positions = count(grid, of="positions")
    fixed = fixed_positions(Grid(3, 3, 3))
    times = json.loads(TIMINGS.read_text(encoding="utf-8"))
    return {
        "nodes": number(sum(nodes)),
        "games": number(games.total),
        "positions": number(positions.total),
        "nodes_per_position": number(sum(nodes) // positions.total),
        "levels": level_table(grid),
        "free_3_2": number(line_free[3, 2]),
        "running_5": number(line_free[3, 2] * 12),
        "running_4": number(nodes[5] // 12),
        "nodes_5": number(nodes[5]),
        "length_5": number(games.by_length[5]),
        "line_free": number(sum(line_free.values())),
        "states": ", ".join(number(states) for states in sizes),
        "most_states": number(max(sizes)),
        "all_states": number(sum(sizes)),
        "fixed": "; ".join(f"{name}, {number(amount)}" for name, amount in fixed.items()),
        "fixed_sum": number(sum(fixed.values())),
        "orbits_3x3": number(sum(fixed.values()) // len(fixed)),
        "positions_3x3": number(fixed["identity"]),
        "positions_orbits": number(count(grid, of="positions", up_to_symmetry=True).total),
        "games_orbits": number(count(grid, up_to_symmetry=True).total),
        "mistakes": mistake_table(),
        "digits_6x6x6": str(len(str(published_games()["6x6x6"]))),
        "published": published_table(),
        "walk_time": duration(sum(nodes) * times["textbook_ns_per_node"] / 1e9),
        "compiled_time": duration(sum(nodes) * times["compiled_ns_per_node"] / 1e9),
        "levels_time": duration(times["levels_seconds"]),
        "sweep_time": duration(times["sweep_seconds"]),
        "packed_time": duration(times["packed_sweep_seconds"]),
    }
