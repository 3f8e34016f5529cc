"""The engine's speed at Ultimate, beside OpenSpiel's search and the pure rules, in one run.

Four parts: playouts and simulations per second on a fixed set of positions, one thread each;
how many more simulations two threads run; sequences of moves counted per second; and the time for
solving endgames. Our plain UCT does what OpenSpiel's search does, a random playout per
simulation; the full search asks its network instead. OpenSpiel is left out where it is not
installed. Seconds are of processor time, which leaves out what else the machine is doing, but for
threads, which need two processors to themselves. Run with ``make bench``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from statistics import mean, median
from time import process_time
from typing import Any

from measure import Task, best_seconds
from noughts import Game, UltimatePosition, start
from noughts.engine import Engine
from noughts.engine.ultimate import board
from noughts.engine.ultimate.board import State
from noughts.engine.ultimate.perft import perft
from noughts.engine.ultimate.playout import playout
from noughts.kernels import NDArray, kernel, np
from noughts.limits import Limits
from noughts.matches.openspiel import actions_of, load
from noughts.matches.player import AnyGame

SECONDS = 1.0
PLAYOUTS = 300_000
PLIES = (0, 8, 16, 20, 24, 28)  # of the games that are searched
DEPTH, PLAIN_DEPTH = 7, 5  # of perft; the pure walk would take minutes for seven
COUNTS = {5: 473_256, 7: 33_782_544}
EMPTY, ENDGAMES = 18, 30
TARGET = 8.0
LIMITS, GAMES = (0.02, 0.2), 30  # seconds, and positions, that one and two threads think about
LATER_PLIES = (4, 8, 12, 16, 20, 24)  # of these positions


def random_games(seed: int) -> Iterator[list[UltimatePosition]]:
    """Yield games played at random, as all their unfinished positions."""
    rng = random.Random(seed)
    while True:
        positions = [UltimatePosition.start()]
        while positions[-1].outcome is None:
            moves = positions[-1].legal_moves
            positions.append(positions[-1].play_unchecked(moves[int(rng.random() * len(moves))]))
        yield positions[:-1]


# -- simulations -------------------------------------------------------------------------


def games() -> list[AnyGame]:
    """Return the start of the game, and some on their way."""
    rng = random.Random(1)
    found: list[AnyGame] = []
    for plies in PLIES:
        game: AnyGame = Game(start("ultimate"))
        while len(game.moves) < plies:
            moves = game.position.legal_moves
            game.play(moves[int(rng.random() * len(moves))])
        assert game.outcome is None
        found.append(game)
    return found


def our_rate(game: AnyGame, *, plain: bool) -> float:
    """Return the simulations per second of our search."""
    engine = Engine(1, plain=plain)
    engine.load(game.position)
    begin = process_time()
    found = engine.analyse(game.position, Limits(seconds=SECONDS))
    assert found.unit == "simulations"
    return found.nodes / (process_time() - begin)


@kernel
def many_playouts(start: State, state: State, seed: NDArray[np.uint64], count: int) -> float:
    """Play so many games out from a position, and return the mean result."""
    total = 0.0
    for _ in range(count):
        board.copy(start, state)
        total += playout(state, seed)
    return total / count


def playout_rate(game: AnyGame) -> float:
    """Return the playouts per second of the loop alone, without a tree."""
    assert isinstance(game.position, UltimatePosition)
    state, seed = board.state_of(game.position), np.array([1], np.uint64)
    many_playouts(state, state.copy(), seed, 1)
    begin = process_time()
    many_playouts(state, state.copy(), seed, PLAYOUTS)
    return PLAYOUTS / (process_time() - begin)


def open_spiel_rate(spiel: Any, game: AnyGame) -> float:
    """Return the simulations per second of OpenSpiel's MCTSBot."""
    theirs = load(game.start)
    state, position = theirs.new_initial_state(), game.start
    for move in game.moves:
        for action in actions_of(position, move):
            state.apply_action(action)
        position = position.play_unchecked(move)
    bot = spiel.MCTSBot(
        theirs,
        spiel.RandomRolloutEvaluator(1, 1),
        1.0,  # uct_c
        (1 << 31) - 1,  # simulations
        1000,  # megabytes
        True,  # solve
        1,  # seed
        False,  # verbose
        spiel.ChildSelectionPolicy.UCT,
        SECONDS,
    )
    begin = process_time()
    root = bot.mcts_search(state)
    return float(root.explore_count / (process_time() - begin))


def bench_simulations() -> None:
    """Compare simulations per second on the same positions, one after the other."""
    try:
        spiel = import_module("pyspiel")
    except ImportError:
        spiel = None
        print("OpenSpiel is not installed: pip install 'noughts[openspiel]'")
    print(
        f"{'per second':<16}{'playouts':>12}{'plain UCT':>12}{'full':>12}{'OpenSpiel':>12}"
        f"{'ratios to OpenSpiel':>24}"
    )
    rows = []
    for game in games():
        rates = [playout_rate(game), our_rate(game, plain=True), our_rate(game, plain=False)]
        if spiel:
            rates.append(open_spiel_rate(spiel, game))
        rows.append(rates)
        print_rates(f"after {len(game.moves)} plies", rates)
    means = [mean(column) for column in zip(*rows, strict=True)]
    print_rates("mean", means)
    if spiel:
        ratio = means[1] / means[3]
        verdict = "ok" if ratio >= TARGET else "BELOW TARGET"
        print(f"plain UCT against OpenSpiel: {ratio:.2f}x, target {TARGET:g}x  {verdict}")


def print_rates(what: str, rates: list[float]) -> None:
    """Print simulations per second, and ours as multiples of OpenSpiel's if that is there."""
    line = f"{what:<16}" + "".join(f"{rate:>12,.0f}" for rate in rates)
    if len(rates) == 4:
        line += "".join(f"{rate / rates[3]:>7.1f}x" for rate in rates[:3])
    print(line, flush=True)


# -- threads -----------------------------------------------------------------------------


def gain(position: UltimatePosition, seconds: float, *, plain: bool) -> float:
    """Return how many times the simulations of one thread two of them run in the same time."""
    counts = []
    for threads in (1, 2):
        engine = Engine(1, plain=plain)
        engine.load(position)
        found = engine.analyse(position, Limits(seconds=seconds, threads=threads))
        assert found.unit == "simulations"
        assert found.value is None, "a proof ends the search before its time"
        counts.append(found.nodes)
    return counts[1] / counts[0]


def bench_threads() -> None:
    """Show what a second thread brings, in the median of positions that are not near their end."""
    positions = [
        game[LATER_PLIES[i % len(LATER_PLIES)]]
        for i, game in enumerate(islice(random_games(seed=3), GAMES))
    ]
    print(f"\n{'two threads to one':<24}{'plain UCT':>12}{'full':>12}")
    for seconds in LIMITS:
        gains = [
            median(gain(position, seconds, plain=plain) for position in positions)
            for plain in (True, False)
        ]
        what = f"{seconds:g} s, {GAMES} positions"
        print(f"{what:<24}" + "".join(f"{each:>11.2f}x" for each in gains), flush=True)


# -- perft -------------------------------------------------------------------------------


def plain_perft(position: UltimatePosition, depth: int) -> int:
    """Walk every sequence with the pure rules, as the compiled walk does."""
    if depth == 1:
        return position.move_count
    return sum(
        plain_perft(position.play_unchecked(move), depth - 1) for move in position.legal_moves
    )


def bench_perft() -> None:
    """Compare sequences per second: compiled, and walked by the pure rules."""
    position = UltimatePosition.start()
    assert perft(position, PLAIN_DEPTH) == plain_perft(position, PLAIN_DEPTH)
    assert perft(position, DEPTH) == COUNTS[DEPTH]
    ours, pure = best_seconds(
        Task(lambda _: perft(position, DEPTH)),
        Task(lambda _: plain_perft(position, PLAIN_DEPTH)),
        rounds=3,
        clock=process_time,
    )
    fast, slow = COUNTS[DEPTH] / ours, COUNTS[PLAIN_DEPTH] / pure
    print(f"\n{'sequences per second':<24}{'compiled':>12}{'pure':>12}{'ratio':>11}")
    what = f"depth {DEPTH}, and {PLAIN_DEPTH}"
    print(f"{what:<24}{fast:>12,.0f}{slow:>12,.0f}{fast / slow:>10.0f}x")


# -- endgames ----------------------------------------------------------------------------


def endgames() -> Iterator[UltimatePosition]:
    """Yield positions with exactly so many empty cells where one may still play."""
    for game in random_games(seed=2):
        yield from [p for p in game if board.count_empty(board.state_of(p)) == EMPTY][:1]


def bench_endgames() -> None:
    """Show how long it takes to solve every move of endgames, each with an empty table."""
    seconds, nodes = [], []
    for position in islice(endgames(), ENDGAMES):
        engine = Engine(1)
        engine.load(position)
        begin = process_time()
        found = engine.analyse(position, Limits(seconds=600))
        seconds.append(process_time() - begin)
        assert all(move.is_proved for move in found.moves)
        nodes.append(found.nodes)
    print(f"\n{'every move solved':<24}{'mean s':>12}{'longest s':>12}{'positions':>12}")
    print(
        f"{f'{ENDGAMES} with {EMPTY} cells left':<24}{mean(seconds):>12.4f}{max(seconds):>12.4f}"
        f"{mean(nodes):>12,.0f}"
    )


def main() -> None:
    """Run all of them."""
    bench_simulations()
    bench_threads()
    bench_perft()
    bench_endgames()


if __name__ == "__main__":
    main()
