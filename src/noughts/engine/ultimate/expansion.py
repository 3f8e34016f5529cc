"""Expansion and evaluation of a leaf of the tree.

There are two evaluators:

* `NETWORK`: a small neural network evaluates every child as soon as it is made; these
  evaluations guide selection, and the leaf has the value of its best child.
* `PLAYOUT`: the leaf has the result of a random game. This is plain UCT, the yardstick.

An expansion reads the position and writes the children to memory that no other thread reads
yet, so any thread can do it while the leader works on the tree.
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
from noughts.engine.ultimate.tree import DRAW, LOSS, OPEN, WIN, Tree, proof_by, proved_value

__all__ = [
    "DRAW_RATE",
    "END",
    "LEAF",
    "LIMIT",
    "NETWORK",
    "PLAYOUT",
    "SIMULATIONS",
    "STOP",
    "USED",
    "Workspace",
    "expand",
    "new_workspace",
    "prepare",
]

PLAYOUT, NETWORK = 0, 1

STOP, LIMIT, SIMULATIONS, USED, END = 0, 1, 2, 3, 4  # a workspace's counters

LEAF = np.dtype(
    [
        ("depth", np.int32),
        ("evaluation", np.float32),  # its value when it was made
        ("has_children", np.bool_),  # whether it is to get children
        # The result:
        ("proof", np.uint8),
        ("plies", np.uint8),
        ("count", np.uint8),  # of its children; 0 if it has none
        ("first", np.int32),  # where they are
        ("minimax", np.float32),  # its value if the best of them is played
        ("score", np.float64),
        ("status", np.int64),  # in the leaf queue
        ("unused", np.int64, 3),  # so that a leaf fills a cache line
    ],
    align=True,
)
"""A leaf that is to be evaluated, and the result, for the side that moved into it."""

_TEMPERATURE = 0.15  # of the priors: the smaller, the more they favour the best evaluations

_PRIOR = np.exp((1.0 - CHANCE) / _TEMPERATURE).astype(np.float32)
"""The prior of a child, before normalising, for each step of the network's output."""

_LINES_LEFT = np.arange(9.0)
DRAW_RATE = 0.45 + 0.55 * np.exp(-((np.outer(_LINES_LEFT, _LINES_LEFT) / 8.0) ** 1.5))
"""The share of even games that are drawn, by the lines of boards that each side may still get.

It falls from 100 % without any lines to 45 % with many. The curve was fitted to games of the
engine against itself; ``scripts/network/draws.py`` shows it beside their results.
"""


class Workspace(NamedTuple):
    """The memory of one thread, which allocates nothing while it runs."""

    trial: State
    moves: NDArray[np.int32]
    seed: NDArray[np.uint64]
    counters: NDArray[np.int64]
    scratch: Scratch


def new_workspace(seed: int) -> Workspace:
    """Return the memory of one thread."""
    workspace = Workspace(
        room_apart((STATE_SIZE,), np.uint16),
        room_apart((81,), np.int32),
        room_apart((1,), np.uint64),
        room_apart((5,), np.int64),
        new_scratch(),
    )
    workspace.seed[0] = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % (1 << 64) or 1
    return workspace


def prepare(workspace: Workspace, simulations: int, first: int, end: int) -> None:
    """Set the number of simulations, and the range of the tree that new nodes may fill."""
    workspace.counters[:] = 0
    workspace.counters[LIMIT] = simulations
    workspace.counters[USED] = first
    workspace.counters[END] = end


@bare_kernel
def expand(
    tree: Tree, network: Network, workspace: Workspace, leaf: Any, state: State, evaluator: int
) -> None:
    """Evaluate a leaf, and make its children if it is to have any."""
    leaf.count = 0
    if not leaf.has_children:
        leaf.score = 1.0 - playout(state, workspace.seed)
        return
    nodes, trial, moves, depth = tree.nodes, workspace.trial, workspace.moves, leaf.depth
    count = legal_moves(state, moves)
    first = workspace.counters[USED]
    if first + count > workspace.counters[END]:  # the tree is full
        leaf.score = leaf.evaluation
        return
    workspace.counters[USED] = first + count
    leaf.first = first
    leaf.count = count
    side = state[SIDE]
    mine, theirs = reach(state, side), reach(state, 1 - side)
    if evaluator == NETWORK:
        sum_boards(network, workspace.scratch, state, 1 - side)
    else:  # UCT visits new children in the order of their nodes
        shuffle(moves, count, workspace.seed)
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
            child.evaluation = proved_value(tree, child.proof, depth + 1)
            is_open = False
        else:
            draw = tree.draws[depth + 1 & 1]
            my_lines = LINES[reach_after(mine, trial, side, board)]
            their_lines = LINES[reach_after(theirs, trial, 1 - side, board)]
            if my_lines == 0 and their_lines == 0:
                child.proof = DRAW
                child.evaluation = draw
                is_open = False
            else:
                child.proof = OPEN
                child.evaluation = 0.5
                if evaluator == NETWORK:
                    step = evaluate_child(network, workspace.scratch, state, trial, board)
                    child.evaluation = _with_draws(
                        1.0 - CHANCE[step], draw, DRAW_RATE[my_lines, their_lines]
                    )
                    child.prior = _PRIOR[step]
        child.minimax = child.evaluation
        if evaluator == NETWORK:
            best = max(best, float(child.evaluation))
            if child.proof != OPEN:
                child.prior = np.exp(child.evaluation / _TEMPERATURE)
            priors += child.prior
    leaf.minimax = leaf.evaluation
    if evaluator == NETWORK:
        for i in range(count):
            nodes[first + i].prior /= priors
        leaf.minimax = 1.0 - best
    leaf.proof, leaf.plies = OPEN, 0
    if not is_open:
        leaf.proof, leaf.plies = proof_by(nodes, first, count)
    if leaf.proof != OPEN:
        leaf.score = proved_value(tree, leaf.proof, depth)
    else:
        leaf.score = 1.0 - (best if evaluator == NETWORK else playout(state, workspace.seed))


@bare_kernel
def _with_draws(chance: float, draw: float, draw_rate: float) -> float:
    """Return an expected result with the draw score `draw` instead of a half.

    `draw_rate` is the share of draws if both sides have the same chance; it falls to 0 as one
    side becomes sure to win.
    """
    return chance + (draw - 0.5) * draw_rate * 2.0 * min(chance, 1.0 - chance)
