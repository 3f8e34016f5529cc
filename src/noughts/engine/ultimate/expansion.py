"""What a leaf of the tree is worth, and the children that it gets.

There are two ways of judging:

* `NETWORK`: every child is evaluated by a small neural network as soon as it exists, and these
  first guesses steer the search; the leaf is worth as much as its best child.
* `PLAYOUT`: a game from the leaf is played out at random. This is plain UCT, the yardstick.

Judging reads the position and writes the children to where nobody looks yet, so that any thread
can do it while another one works on the tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from noughts.kernels import NDArray, bare_kernel, np, room_apart  # isort: skip

from noughts.engine.ultimate.board import (
    DRAWN,
    GOES_ON,
    LINES,
    SIDE,
    STATE_SIZE,
    WON,
    State,
    copy,
    legal_moves,
    play,
    reach,
    reach_after,
)
from noughts.engine.ultimate.network import (
    CHANCE,
    Network,
    Scratch,
    evaluate_child,
    new_scratch,
    sum_boards,
)
from noughts.engine.ultimate.playout import playout, shuffle
from noughts.engine.ultimate.tree import DRAW, LOSS, OPEN, WIN, Tree, proof_by, worth

__all__ = [
    "DRAWISH",
    "END",
    "LEAF",
    "LIMIT",
    "NETWORK",
    "PLAYOUT",
    "SIMULATIONS",
    "STOP",
    "USED",
    "Worker",
    "assign",
    "judge_leaf",
    "new_worker",
]

PLAYOUT, NETWORK = 0, 1

STOP, LIMIT, SIMULATIONS, USED, END = 0, 1, 2, 3, 4  # a worker's counters

LEAF = np.dtype(
    [
        ("depth", np.int32),
        ("guess", np.float32),  # what it was judged to be when it was made
        ("is_wide", np.bool_),  # whether it is to have children
        # What judging finds:
        ("proof", np.uint8),
        ("plies", np.uint8),
        ("count", np.uint8),  # of its children; 0 if it has none
        ("first", np.int32),  # where they are
        ("best", np.float32),  # what it is worth if the best of them is played
        ("score", np.float64),
        ("status", np.int64),  # for those who hand it on
        ("unused", np.int64, 3),  # it fills a line of the processor's cache
    ],
    align=True,
)
"""A leaf that is to be judged, and what came of it; seen as its node is."""

_WARMTH = 0.15  # the smaller, the more the first guesses decide which children are looked at

_PRIOR = np.exp((1.0 - CHANCE) / _WARMTH).astype(np.float32)
"""How much a child is looked at for each step of the network's output."""

_LINES_LEFT = np.arange(9.0)
DRAWISH = 0.45 + 0.55 * np.exp(-((np.outer(_LINES_LEFT, _LINES_LEFT) / 8.0) ** 1.5))
"""How likely an even game is drawn, by the lines of boards that either side may still get.

The fewer there are, the likelier: all games without any, 45 % with many. The curve was fitted to
games of the engine against itself; ``scripts/network/draws.py`` shows both side by side.
"""


class Worker(NamedTuple):
    """What one thread needs for itself; nothing is allocated while it works."""

    trial: State
    moves: NDArray[np.int32]
    seed: NDArray[np.uint64]
    counters: NDArray[np.int64]
    scratch: Scratch


def new_worker(seed: int) -> Worker:
    """Return what a thread works with."""
    worker = Worker(
        room_apart((STATE_SIZE,), np.uint16),
        room_apart((81,), np.int32),
        room_apart((1,), np.uint64),
        room_apart((5,), np.int64),
        new_scratch(),
    )
    worker.seed[0] = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % (1 << 64) or 1
    return worker


def assign(worker: Worker, simulations: int, first: int, end: int) -> None:
    """Tell a worker how many simulations to run, and where to put the nodes that it adds."""
    worker.counters[:] = 0
    worker.counters[LIMIT] = simulations
    worker.counters[USED] = first
    worker.counters[END] = end


@bare_kernel
def judge_leaf(
    tree: Tree, network: Network, worker: Worker, leaf: Any, state: State, judge: int
) -> None:
    """Find out what a leaf is worth, and make its children if it is to have some."""
    leaf.count = 0
    if not leaf.is_wide:
        leaf.score = 1.0 - playout(state, worker.seed)
        return
    nodes, trial, moves, depth = tree.nodes, worker.trial, worker.moves, leaf.depth
    count = legal_moves(state, moves)
    first = worker.counters[USED]
    if first + count > worker.counters[END]:  # no room: the first guess has to do
        leaf.score = leaf.guess
        return
    worker.counters[USED] = first + count
    leaf.first = first
    leaf.count = count
    side = state[SIDE]
    mine, theirs = reach(state, side), reach(state, 1 - side)
    if judge == NETWORK:
        sum_boards(network, worker.scratch, state, 1 - side)
    else:  # untried children are tried in the order in which they lie
        shuffle(moves, count, worker.seed)
    is_open = True
    best, priors = 0.0, 0.0
    for i in range(count):
        child = nodes[first + i]
        copy(state, trial)
        board = moves[i] // 9
        result = play(trial, moves[i])
        child.total = 0.0
        child.visits = 0
        child.first = 0
        child.count = 0
        child.move = moves[i]
        child.plies = 0
        child.prior = 0.0
        if result != GOES_ON:
            child.proof = DRAW if result == DRAWN else WIN if result == WON else LOSS
            child.guess = worth(tree, child.proof, depth + 1)
            is_open = False
        else:
            draw = tree.draws[depth + 1 & 1]
            my_lines = LINES[reach_after(mine, trial, side, board)]
            their_lines = LINES[reach_after(theirs, trial, 1 - side, board)]
            if my_lines == 0 and their_lines == 0:
                child.proof = DRAW
                child.guess = draw
                is_open = False
            else:
                child.proof = OPEN
                child.guess = 0.5
                if judge == NETWORK:
                    step = evaluate_child(network, worker.scratch, state, trial, board)
                    child.guess = _value(1.0 - CHANCE[step], draw, DRAWISH[my_lines, their_lines])
                    child.prior = _PRIOR[step]
        child.best = child.guess
        if judge == NETWORK:
            best = max(best, float(child.guess))
            if child.proof != OPEN:
                child.prior = np.exp(child.guess / _WARMTH)
            priors += child.prior
    leaf.best = leaf.guess
    if judge == NETWORK:
        for i in range(count):
            nodes[first + i].prior /= priors
        leaf.best = 1.0 - best
    leaf.proof, leaf.plies = OPEN, 0
    if not is_open:
        leaf.proof, leaf.plies = proof_by(nodes, first, count)
    if leaf.proof != OPEN:
        leaf.score = worth(tree, leaf.proof, depth)
    else:
        leaf.score = 1.0 - (best if judge == NETWORK else playout(state, worker.seed))


@bare_kernel
def _value(chance: float, draw: float, drawish: float) -> float:
    """Return what a chance, which takes a draw for a half, is with draws that are worth `draw`.

    The surer the chance, the fewer of the games behind it are draws.
    """
    return chance + (draw - 0.5) * drawish * 2.0 * min(chance, 1.0 - chance)
