"""The rules against plain textbook versions, in one run.

Every figure is the best of several rounds in which both sides take turns; microseconds per
operation, and how many times faster noughts is. Run with ``make bench``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import textbook
from measure import Task, best_seconds, print_ratio
from noughts import puzzles

MOVES = 100_000


def mixed_moves(count: int, parts: int, seed: int) -> list[str]:
    """Return moves of which some are malformed, and some outside the board."""
    rng = random.Random(seed)
    moves = []
    for _ in range(count):
        kind = rng.random()
        numbers = [str(rng.randrange(3)) for _ in range(parts)]
        player = rng.choice("XO")
        if kind < 0.05:
            numbers[rng.randrange(parts)] = rng.choice(["3", "-1", "07", "", "x", " 1"])
        elif kind < 0.08:
            player = rng.choice(["Z", "x", "", "XO"])
        moves.append(",".join([*numbers, player]))
    return moves


def without_a_winner(moves: list[str], simulate: str) -> list[str]:
    """Return the moves without those that would win, so that the replay works to the end."""
    function = getattr(puzzles, simulate)
    kept: list[str] = []
    banned: set[str] = set()
    for move in moves[:4000]:
        if move not in banned:
            if function([*kept, move])[1] == "None":
                kept.append(move)
            else:
                banned.add(move)
    rest = [move for move in moves[4000:] if move not in banned]
    result = kept + rest
    assert function(result)[1] == "None"
    return result


def on(data: object, run: Callable[[Any], object]) -> Task:
    """Return the task of running a function on data that is there already."""
    return Task(run, lambda: data)


def bench_replays() -> None:
    """Compare the replays on long mixed lists, with and without a winner."""
    for name, parts in (("simulate", 2), ("simulate_ultimate", 4)):
        ours, theirs = getattr(puzzles, name), getattr(textbook, name)
        lists = {"": mixed_moves(MOVES, parts, seed=1)}
        lists[", nobody wins"] = without_a_winner(lists[""], name)
        for suffix, moves in lists.items():
            assert ours(moves) == theirs(moves), name
            fast, plain = best_seconds(on(moves, ours), on(moves, theirs))
            print_ratio(f"{name}, {len(moves):,} moves{suffix}", fast, plain, len(moves), 5)


def bench_state() -> None:
    """Compare the verdicts on every 3x3 board."""
    boards = []
    for code in range(3**9):
        cells = "".join(".XO"[code // 3**place % 3] for place in range(9))
        boards.append([cells[:3], cells[3:6], cells[6:]])
    assert all(puzzles.state(board) == textbook.state(board) for board in boards)
    valid = [board for board in boards if textbook.state(board) != "invalid"]
    for what, some in (("all 19,683 boards", boards), ("the 5,478 valid boards", valid)):
        fast, plain = best_seconds(
            on(some, lambda boards: [puzzles.state(board) for board in boards]),
            on(some, lambda boards: [textbook.state(board) for board in boards]),
        )
        print_ratio(f"state, {what}", fast, plain, len(some), 2)


def bench_counters() -> None:
    """Compare play on n x n with the bare counter class, from small to huge boards."""
    for n in (3, 30, 1000, 1_000_000):
        # Random moves up to a fraction of the board, so that nobody wins and play goes on.
        rng = random.Random(n)
        count = min(6000, n * n // 2)
        cells = rng.sample(range(n * n), count)
        moves = [(cell // n, cell % n, 1 + index % 2) for index, cell in enumerate(cells)]
        copies = max(1, min(2000, 6000 // count))

        def play(games: list[Any], moves: list[tuple[int, int, int]] = moves) -> None:
            for game in games:
                move = game.move
                for row, col, player in moves:
                    move(row, col, player)

        def task(make: Callable[[int], Any], n: int = n, copies: int = copies) -> Task:
            return Task(play, lambda: [make(n) for _ in range(copies)])

        bare, trusted, checked = best_seconds(
            task(textbook.Counters),
            task(lambda n: puzzles.TicTacToe(n, trusted=True)),
            task(puzzles.TicTacToe),
        )
        print_ratio(f"TicTacToe({n:,}, trusted=True).move", trusted, bare, copies * count, 1)
        print_ratio(f"TicTacToe({n:,}).move", checked, bare, copies * count, 0.5)


def main() -> None:
    """Run all of them."""
    print(
        f"{'best time in microseconds per operation':<46}"
        f"{'noughts':>9}{'textbook':>11}{'ratio':>9}{'target':>8}"
    )
    bench_replays()
    bench_state()
    bench_counters()


if __name__ == "__main__":
    main()
