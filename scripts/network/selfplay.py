"""Play games of the engine against itself and keep every position with what became of it.

    python scripts/network/selfplay.py OUT.npz --games 5000 --nodes 6000 --seed 1 [--weights W.npz]

Without weights the search judges by playouts, which is where it all begins. A game starts with
a few random moves, then every move is searched; most are the best one, some are drawn at random,
the better the likelier. A game ends as soon as its result is proved.

The file holds `states` (see `noughts.engine.ultimate.board`), `scores` (the search's, for the
side to move) and `results` (the game's, likewise).
"""

from __future__ import annotations

import argparse
import time
from threading import Event

import numpy as np

from noughts.engine.estimate import Estimate, MoveEstimate
from noughts.engine.limit import Limit
from noughts.engine.memory import new_memory
from noughts.engine.ultimate.board import State, blank_states, state_of
from noughts.engine.ultimate.deepening import Worker
from noughts.engine.ultimate.network import Weights, network_of
from noughts.engine.ultimate.uct import Uct
from noughts.engine.watch import Watch
from noughts.kernels import wrapping
from noughts.rules.player import Player
from noughts.rules.ultimate import UltimatePosition

MOST_RANDOM_PLIES = 12
EXPLORE = 0.2  # of the moves are drawn at random
WARMTH = 0.05  # so much less of a chance makes a move less likely by a factor of e
SLOTS = 1 << 16  # of the memory


class Generator:
    """Plays games."""

    def __init__(self, nodes: int, seed: int, weights: Weights | None) -> None:
        self.nodes = nodes
        self.rng = np.random.default_rng(seed)
        self.uct = Uct(seed, 1 << 26)
        self.worker = Worker(network_of(weights), new_memory(SLOTS), seed) if weights else None

    def game(self) -> tuple[list[State], list[float], list[float]]:
        """Return the positions of a game with the search's scores and the game's results."""
        position = UltimatePosition.start()
        states: list[State] = []
        scores: list[float] = []
        turns: list[Player] = []
        for _ in range(self.rng.integers(MOST_RANDOM_PLIES + 1)):
            position = position.play_unchecked(int(self.rng.choice(position.legal_moves)))
            if position.outcome:
                return [], [], []
        while not position.outcome:
            moves = self._search(position)
            found = Estimate(position, moves, ())
            if found.value is not None:
                winner = found.winner
                break
            states.append(state_of(position))
            scores.append(found.best.score)
            turns.append(position.turn)
            chosen = found.best
            if self.rng.random() < EXPLORE:
                weights = np.exp((np.array([move.score for move in moves]) - 1) / WARMTH)
                chosen = moves[int(self.rng.choice(len(moves), p=weights / weights.sum()))]
            position = position.play_unchecked(chosen.move)
        else:
            winner = position.outcome.winner
        return states, scores, [0.5 if winner is None else float(turn is winner) for turn in turns]

    def _search(self, position: UltimatePosition) -> tuple[MoveEstimate, ...]:
        if self.worker is None:
            return self.uct.think(position, Watch(Limit(nodes=self.nodes), Event())).moves
        self.worker.prepare(state_of(position), self.nodes)
        self.worker.deepen()
        return self.worker.found


def main() -> None:
    """Do what the command line asks for."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so long")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights")
    arguments = parser.parse_args()
    weights = None
    if arguments.weights:
        kept = np.load(arguments.weights)
        weights = Weights(*(kept[name].astype(np.float32) for name in Weights._fields))
    generator = Generator(arguments.nodes, arguments.seed, weights)
    states: list[State] = []
    scores: list[float] = []
    results: list[float] = []
    begin = time.perf_counter()
    with wrapping():
        for number in range(1, arguments.games + 1):
            played = generator.game()
            states += played[0]
            scores += played[1]
            results += played[2]
            late = time.perf_counter() - begin > 60 * arguments.minutes
            if number % 1000 == 0 or number == arguments.games or late:
                np.savez_compressed(
                    arguments.out,
                    states=np.array(states) if states else blank_states(0),
                    scores=np.array(scores, np.float32),
                    results=np.array(results, np.float32),
                )
                seconds = time.perf_counter() - begin
                print(f"{number} games, {len(states)} positions, {seconds:.0f} s", flush=True)
            if late:
                break


if __name__ == "__main__":
    main()
