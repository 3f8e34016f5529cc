"""The numbers of docs/learn/games.md: the walk through every game, computed without walking."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import factorial, perm
from pathlib import Path

from lessons.source import Mistake
from lessons.writing import duration, number, percent, table
from noughts import Grid, GridPosition, exercises
from noughts.counting import GameCounts, count
from noughts.exercises.textbook.enumeration import lines_through

LEARN = Path(__file__).resolve().parents[2] / "docs" / "learn"
TIMINGS = LEARN / "timings.json"
MISCOUNTS = LEARN / "miscounts.json"

UNDO = '        board[cell] = "."  # undo\n'
ENDS = "if wins(board, cell, lines) or depth + 1 == len(board):\n            total += 1"
FOUND = "        if all(board[other] == player for other in line):\n            return True\n"

MISTAKES = (
    Mistake.of("play goes on after a win", "if wins(board, cell, lines) or depth", "if depth"),
    Mistake.of("no move is taken back", UNDO, ""),
    Mistake.of(
        "the move that ends a game is not taken back", ENDS, f"{ENDS}\n            continue"
    ),
    Mistake.of("windows stop one row early", "last_row < rows", "last_row < rows - 1"),
    Mistake.of("the diagonal to the left is forgotten", ", (1, -1))", ",)"),
    Mistake.of("a window leaves the board at the left", "0 <= last_col < cols", "last_col < cols"),
    Mistake.of(
        "only lines that begin at the cell are checked",
        "                    for cell in line:\n                        through[cell]",
        "                    through[line[0]]",
    ),
    Mistake.of(
        "a move that completes two lines counts twice",
        FOUND + "    return False",
        "            pass\n"
        "    return sum(all(board[other] == player for other in line) for line in lines[cell])",
        ENDS,
        ENDS.replace("+= 1", "+= max(1, wins(board, cell, lines))"),
    ),
    Mistake.of("O moves first", '"XO"', '"OX"'),
)


def nodes_by_depth(cells: int, games: GameCounts) -> list[int]:
    """Return how many nodes the walk has at each depth: boards placed, with their order.

    After d moves, A(d) games are still running. Each has cells - d children, of which those
    that end there are games of length d + 1 and the others are A(d + 1).
    """
    nodes, running = [1], 1
    for depth in range(1, cells + 1):
        nodes.append(running * (cells - depth + 1))
        running = nodes[-1] - games.by_length.get(depth, 0)
    return nodes


def nodes_without_stopping(cells: int) -> list[int]:
    """Return how many nodes there are at each depth if play goes on until the board is full."""
    return [perm(cells, depth) for depth in range(cells + 1)]


def orders_by_length(cells: int, games: GameCounts) -> dict[int, int]:
    """Return how many orders of all cells begin with a game of each length."""
    return {
        length: amount * factorial(cells - length) for length, amount in games.by_length.items()
    }


def random_play(cells: int, games: GameCounts) -> tuple[Fraction, Fraction, Fraction]:
    """Return how often X wins, O wins and neither does if both sides move at random.

    A random game is a random order of all cells, broken off where the game ends.
    """
    orders = orders_by_length(cells, games)
    drawn = Fraction(games.draws, factorial(cells))
    odd, even = (
        Fraction(sum(n for length, n in orders.items() if length % 2 == rest), factorial(cells))
        for rest in (1, 0)
    )
    if cells % 2:
        return odd - drawn, even, drawn
    return odd, even - drawn, drawn


def first_moves(grid: Grid) -> list[tuple[int, int, GameCounts]]:
    """Return for each class of first moves its first cell, its size and the games below one."""
    permutations = [symmetry.permutation(grid.rows, grid.cols) for symmetry in grid.symmetries]
    orbits = {frozenset(image[cell] for image in permutations) for cell in range(grid.cells)}
    start = GridPosition.start(grid)
    return [
        (min(orbit), len(orbit), count(start.play(min(orbit)))) for orbit in sorted(orbits, key=min)
    ]


def subtrees_after_two_moves(grid: Grid) -> list[int]:
    """Return the numbers of games below two moves, with one first move of each class."""
    start = GridPosition.start(grid)
    return [
        count(start.play(first).play(second)).total
        for first, _, _ in first_moves(grid)
        for second in range(grid.cells)
        if second != first
    ]


def small_grids(most_cells: int) -> list[tuple[int, int, int]]:
    """Return the grids with up to this many cells and at least two in a row, the smallest first."""
    sides = range(1, most_cells + 1)
    sizes = [(rows, cols) for rows, cols in product(sides, sides) if rows * cols <= most_cells]
    sizes.sort(key=lambda size: (size[0] * size[1], size))
    return [(rows, cols, k) for rows, cols in sizes for k in range(2, max(rows, cols) + 1)]


def smallest_miscount(mistake: Mistake, module: str = "enumeration") -> tuple[str, int, int] | None:
    """Return the smallest grid that is miscounted, the right number and the wrong one."""
    wrong = mistake.made_in(module, "count_games")
    for grid in small_grids(6):
        right, said = exercises.count_games(*grid), wrong(*grid)
        if said != right:
            return "x".join(map(str, grid)), right, said
    return None


def depth_table(grid: Grid) -> str:
    """Return the nodes of a walk by depth, and the games that end there."""
    games = count(grid)
    rows = []
    for depth, nodes in enumerate(nodes_by_depth(grid.cells, games)):
        ended = games.by_length.get(depth, 0)
        won = ended - (games.draws if depth == grid.cells else 0)
        winner = "XO"[(depth + 1) % 2] if won else ""
        if depth == grid.cells:
            winner += ", or draw"
        share = percent(won, nodes) if won else ""
        rows.append([str(depth), number(nodes), number(ended), winner, share])
    total = [number(sum(nodes_by_depth(grid.cells, games))), number(games.total)]
    rows.append(["all", *total, "", ""])
    head = ["depth", "nodes", "games that end here", "won by", "nodes that win"]
    return table(head, rows, right=(0, 1, 2, 4))


def outcome_table(grid: Grid) -> str:
    """Return the games by outcome, and how often random play ends so."""
    games = count(grid)
    chances = random_play(grid.cells, games)
    amounts = (games.x_wins, games.o_wins, games.draws)
    outcomes = zip(("X wins", "O wins", "draw"), amounts, chances, strict=True)
    rows = [
        [name, number(amount), percent(amount, games.total), percent(float(chance), 1)]
        for name, amount, chance in outcomes
    ]
    return table(["outcome", "games", "share", "by random moves"], rows, right=(1, 2, 3))


def first_move_table(grid: Grid) -> str:
    """Return the games by class of the first move."""
    names = {0: "corner", 1: "edge", 5: "centre"}
    rows, total = [], 0
    for cell, cells, games in first_moves(grid):
        below = cells * games.total
        moves = sum((1 + length) * amount for length, amount in games.by_length.items())
        average = f"{moves / games.total:.2f}"
        shares = [percent(n, games.total) for n in (games.x_wins, games.o_wins)]
        rows.append([names[cell], str(cells), number(games.total), number(below), average, *shares])
        total += below
    rows.append(["all", str(grid.cells), "", number(total), "", "", ""])
    head = [
        "first move",
        "cells",
        "games after one",
        "together",
        "average length",
        "X wins",
        "O wins",
    ]
    return table(head, rows, right=(1, 2, 3, 4, 5, 6))


def mistake_table() -> str:
    """Return what each mistake counts, on the smallest grid where it shows and on 3x3."""
    on_3x3 = json.loads(MISCOUNTS.read_text(encoding="utf-8"))["3x3x3"]
    rows = []
    for mistake in MISTAKES:
        found = smallest_miscount(mistake)
        grid, right, said = map(str, found) if found else ("none", "", "")
        rows.append([mistake.about, grid, right, said, number(int(on_3x3[mistake.about]))])
    head = ["mistake", "smallest grid", "games", "counted", "counted on 3x3"]
    return table(head, rows, right=(2, 3, 4))


def values() -> dict[str, str]:
    """Return what the page leaves open, by name."""
    grid, small = Grid(4, 4, 3), Grid(3, 3, 3)
    games, games_3x3 = count(grid), count(small)
    nodes, nodes_3x3 = (
        sum(nodes_by_depth(g.cells, counts)) for g, counts in ((grid, games), (small, games_3x3))
    )
    unstopped = sum(nodes_without_stopping(grid.cells))
    endings = count(grid, of="endings")
    subtrees = subtrees_after_two_moves(grid)
    times = json.loads(TIMINGS.read_text(encoding="utf-8"))
    textbook, compiled = times["textbook_ns_per_node"] / 1e9, times["compiled_ns_per_node"] / 1e9
    nodes_to_8 = nodes_by_depth(grid.cells, games)[:9]
    through = lines_through(grid.rows, grid.cols, grid.k)
    return {
        "cells": str(grid.cells),
        "lines": str(len(grid.lines)),
        "fewest_lines": str(min(map(len, through))),
        "most_lines": str(max(map(len, through))),
        "orbits": number(count(grid, up_to_symmetry=True).total),
        "orbits_3x3": number(count(small, up_to_symmetry=True).total),
        "moves_3x3": number(count(small, up_to_symmetry=True, meaning="moves").total),
        "cut_5": number(sum(nodes_without_stopping(grid.cells - 5)) - 1),
        "cut_14": number(sum(nodes_without_stopping(grid.cells - 14)) - 1),
        "first_factor": f"{games.total / sum(g.total for _, _, g in first_moves(grid)):.1f}",
        "orders": number(factorial(grid.cells)),
        "games": number(games.total),
        "orders_per_game": f"{factorial(grid.cells) / games.total:.1f}",
        "nodes": number(nodes),
        "nodes_per_game": f"{nodes / games.total:.2f}",
        "depths": depth_table(grid),
        "games_3x3": number(games_3x3.total),
        "nodes_3x3": number(nodes_3x3),
        "orders_3x3": number(factorial(small.cells)),
        "unstopped": number(unstopped),
        "unstopped_3x3": number(sum(nodes_without_stopping(small.cells))),
        "saved": percent(unstopped - nodes, unstopped),
        "saved_factor": f"{unstopped / nodes:.0f}",
        "saved_factor_3x3": f"{sum(nodes_without_stopping(small.cells)) / nodes_3x3:.1f}",
        "saved_to_8": percent(1 - sum(nodes_to_8) / sum(nodes_without_stopping(16)[:9]), 1),
        "last_four": percent(sum(nodes_by_depth(grid.cells, games)[13:]), nodes),
        "outcomes": outcome_table(grid),
        "outcomes_3x3": outcome_table(small),
        "first_moves": first_move_table(grid),
        "subtrees": str(len(subtrees)),
        "largest_subtree": number(max(subtrees)),
        "subtree_ratio": f"{max(subtrees) / min(subtrees):.1f}",
        "endings": number(endings.total),
        "endings_x": number(endings.x_wins),
        "endings_o": number(endings.o_wins),
        "endings_draws": number(endings.draws),
        "endings_orbits": number(count(grid, of="endings", up_to_symmetry=True).total),
        "games_per_ending": number(games.total // endings.total),
        "mistakes": mistake_table(),
        "sample_nodes": number(times["sample_nodes"]),
        "textbook_ns": number(round(times["textbook_ns_per_node"])),
        "compiled_ns": f"{times['compiled_ns_per_node']:.1f}",
        "ratio": f"{textbook / compiled:.0f}",
        "textbook_time": duration(nodes * textbook),
        "compiled_time": duration(nodes * compiled),
    }
