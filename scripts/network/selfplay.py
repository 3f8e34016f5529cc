"""Play games of the engine against itself and keep every position with what became of it.

    python scripts/network/selfplay.py OUT.npz --games 5000 --nodes 1000 --seed 1 [--weights W.npz]

Without weights the search evaluates by playouts, as in generation 0. A game starts with
a few random moves, then every move is searched; most are the best one, some are drawn at random
by their visits. A game ends as soon as its result is proved.

The file holds `states` (see `noughts.engine.ultimate.board`), `scores` (the search's, for the
side to move) and `results` (the game's, likewise).
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from noughts.engine.ultimate.board import (
    GOES_ON,
    SIDE,
    State,
    blank_states,
    legal_moves,
    play,
    state_of,
)
from noughts.engine.ultimate.expansion import NETWORK, PLAYOUT, new_workspace, prepare
from noughts.engine.ultimate.mcts import new_queue, run_simulations
from noughts.engine.ultimate.network import Weights, blank_network, network_of
from noughts.engine.ultimate.search import C_PUCT, C_UCT
from noughts.engine.ultimate.tree import DRAW, LOSS, OPEN, WIN, mean_value, new_tree, set_root
from noughts.kernels import wrapping
from noughts.rules.ultimate import UltimatePosition

MOST_RANDOM_PLIES = 12
EXPLORE = 0.2  # of the moves are drawn by visits


class Generator:
    """Plays games."""

    def __init__(self, nodes: int, seed: int, weights: Weights | None) -> None:
        self.nodes = nodes
        self.evaluator = PLAYOUT if weights is None else NETWORK
        self.network = blank_network() if weights is None else network_of(weights)
        self.rng = np.random.default_rng(seed)
        self.workspace = new_workspace(seed)
        self.queue = new_queue(workers=0)
        self.tree = new_tree(nodes * 81 + 100)

    def game(self) -> tuple[list[State], list[float], list[float]]:
        """Return the positions of a game with the search's scores and the game's results."""
        state = state_of(UltimatePosition.start())
        states: list[State] = []
        scores: list[float] = []
        outcome = GOES_ON
        for _ in range(self.rng.integers(MOST_RANDOM_PLIES + 1)):
            count = legal_moves(state, self.workspace.moves)
            outcome = play(state, int(self.rng.choice(self.workspace.moves[:count])))
            if outcome != GOES_ON:
                return [], [], []
        while True:
            children = self._search(state)
            proof = int(self.tree.nodes[0]["proof"])
            if proof != OPEN:
                result = {LOSS: 1.0, DRAW: 0.5, WIN: 0.0}[proof]  # of the side that moved there
                break
            visits = children["visits"].astype(float)
            best = int(visits.argmax())
            states.append(state.copy())
            chosen = children[best]
            scores.append(mean_value(chosen))
            if self.rng.random() < EXPLORE:
                best = int(self.rng.choice(len(visits), p=visits / visits.sum()))
            outcome = play(state, int(children[best]["move"]))
            if outcome != GOES_ON:  # a move that ends the game without a proof is a draw
                result = 0.5
                break
        side = int(state[SIDE])
        results = [result if int(s[SIDE]) == side else 1.0 - result for s in states]
        return states, scores, results

    def _search(self, state: State) -> Any:
        set_root(self.tree, state)
        prepare(self.workspace, self.nodes, 1, len(self.tree.nodes))
        exploration = C_UCT if self.evaluator == PLAYOUT else C_PUCT
        run_simulations(
            self.tree, self.network, self.workspace, self.queue, self.evaluator, exploration
        )
        root = self.tree.nodes[0]
        return self.tree.nodes[root["first"] : root["first"] + root["count"]]


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
