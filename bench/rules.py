"""The rules against plain textbook versions, in one run.

Every figure is the best of several rounds in which both sides take turns; microseconds per
operation, and how many times faster noughts is. They are of processor time, which leaves out
what else the machine is doing: all of this runs on one core. Run with ``make bench``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import measure
import yardsticks
from measure import Task, print_ratio
from noughts import exercises
from noughts.exercises.textbook import simulate, tic_tac_toe, ultimate, verdict

MOVES = 100_000
best_seconds = partial(measure.best_seconds, clock=process_time)


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
    function = getattr(exercises, simulate)
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
    """Compare the replays on long mixed lists, with and without a winner.

    Lists with a winner have no target: after the win there is nothing to do but to write zeros.
    """
    for name, parts, theirs in (
        ("simulate", 2, simulate.simulate),
        ("simulate_ultimate", 4, ultimate.simulate_ultimate),
    ):
        ours = getattr(exercises, name)
        lists = {"": mixed_moves(MOVES, parts, seed=1)}
        lists[", no winner"] = without_a_winner(lists[""], name)
        for suffix, moves in lists.items():
            assert ours(moves) == theirs(moves), name
            fast, plain = best_seconds(on(moves, ours), on(moves, theirs))
            target = 5 if suffix else None
            print_ratio(f"{name}, {len(moves):,} moves{suffix}", fast, plain, len(moves), target)


def bench_state() -> None:
    """Compare the verdicts on every 3x3 board, with versions for n x n, for any board, and for 3x3.

    The last has no target: it takes no other board and checks nothing of what it is given.
    """
    boards = []
    for code in range(3**9):
        cells = "".join(".XO"[code // 3**place % 3] for place in range(9))
        boards.append([cells[:3], cells[3:6], cells[6:]])
    versions = (exercises.state, yardsticks.state, verdict.state, yardsticks.state_3x3)
    assert all(len({state(board) for state in versions}) == 1 for board in boards)
    valid = [board for board in boards if verdict.valid(board)]

    def task(state: Callable[[list[str]], str], boards: list[list[str]]) -> Task:
        return on(boards, lambda boards: [state(board) for board in boards])

    for what, some in ((f"all {len(boards):,}", boards), (f"the {len(valid):,} valid", valid)):
        tasks = (task(state, some) for state in versions)
        fast, plain, general, small = best_seconds(*tasks, rounds=30)
        print_ratio(f"state, {what} boards", fast, plain, len(some), 2)
        print_ratio("  and the version for any board and k", fast, general, len(some), 2)
        print_ratio("  and a version for 3x3 only, unchecked", fast, small, len(some), None)


def bench_counters() -> None:
    """Compare play on n x n with the bare counter class, from small to huge boards."""
    times: dict[str, list[float]] = {}
    for n, span in ((3, 3), (30, 30), (1000, 1000), (10**6, 30), (10**6, 10**6)):
        # Random moves on part of the board, so that nobody wins and play goes on; on the largest
        # one the very moves of n = 30, and then anywhere.
        rng = random.Random(span)
        count = min(6000, span * span // 2)
        cells = rng.sample(range(span * span), count)
        moves = [(cell // span, cell % span, 1 + index % 2) for index, cell in enumerate(cells)]
        copies = max(1, 2000 // count) if span == n else 1

        def play(games: list[Any], moves: list[tuple[int, int, int]] = moves) -> None:
            for game in games:
                move = game.move
                for row, col, player in moves:
                    move(row, col, player)

        def task(make: Callable[[int], Any], n: int = n, copies: int = copies) -> Task:
            return Task(play, lambda: [make(n) for _ in range(copies)])

        bare, trusted, checked = best_seconds(
            task(tic_tac_toe.TicTacToe),
            task(lambda n: exercises.TicTacToe(n, trusted=True)),
            task(exercises.TicTacToe),
            rounds=300 if n < 10**6 else 100,
        )
        per = copies * count
        where = "" if span == n else ", near"
        print_ratio(f"TicTacToe({n:,}, trusted=True).move{where}", trusted, bare, per, 1)
        print_ratio(f"TicTacToe({n:,}).move{where}", checked, bare, per, 0.5)
        times[f"n = {n:,}{where}"] = [seconds / per for seconds in (trusted, checked, bare)]
    print_growth(times)


def print_growth(times: dict[str, list[float]]) -> None:
    """Print how time per move grows with n: hardly, but for waiting for memory.

    All three versions take the same steps whatever n is, and moves near each other show it.
    Moves anywhere on the largest board look for two counters among two million, which no
    longer fit the caches.
    """
    print(f"\n{'time per move, relative to n = 3':<46}{'trusted':>9}{'checked':>11}{'bare':>9}")
    base = next(iter(times.values()))
    for what, row in times.items():
        trusted, checked, bare = (time / first for time, first in zip(row, base, strict=True))
        print(f"{what:<46}{trusted:>8.2f}x{checked:>10.2f}x{bare:>8.2f}x")
    print("near: the moves of n = 30, whose counters stay in the caches")


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
