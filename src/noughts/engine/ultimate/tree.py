"""The search tree, and the loop that grows it: Monte Carlo tree search with proofs.

One simulation walks from the root to a leaf, always to the child that promises most (UCT, Kocsis
and Szepesvári 2006), plays a game from there to its end at random, and takes the result back up
the path. It needs nothing but the rules, so it plays all variants, and is the yardstick for what
knows more.

**Proofs.** A child that wins settles its parent, and so does the last of all children that
lose (MCTS-Solver, Winands and others 2008). What is proved is never visited again, and takes its
value along for good.

A node is seen from the side that moved *into* it, so that its parent looks for the largest
score. Its children lie side by side::

    nodes   [root | children of root ....... | children of some child ... | ...
              first ^        count = 9       ^

**Threads** share the tree without locks (Enzenberger and Müller 2009). Each adds nodes in a
region of its own, and publishes them by writing `count` last; a visit is counted on the way
down, so that the other thread tries something else in the meantime. An update may get lost,
which hurts nobody; a proof is a fact, whoever writes it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.engine.ultimate.board import (
    DRAWN,
    GOES_ON,
    LINE,
    SIDE,
    WON,
    State,
    blank_states,
    copy,
    legal_moves,
    play,
    reach,
    reach_after,
)
from noughts.engine.ultimate.playout import playout, shuffle

__all__ = [
    "DRAW",
    "END",
    "LIMIT",
    "LOSS",
    "NODE",
    "OPEN",
    "SIMULATIONS",
    "STOP",
    "USED",
    "WIN",
    "Tree",
    "Worker",
    "assign",
    "grow",
    "keep_below",
    "mean_score",
    "new_tree",
    "new_worker",
    "plant",
    "worth",
]

OPEN, LOSS, DRAW, WIN = 0, 1, 2, 3
"""What is proved of a node, seen from the side that moved into it."""

STOP, LIMIT, SIMULATIONS, USED, END = 0, 1, 2, 3, 4  # a worker's counters

NODE = np.dtype(
    [
        ("total", np.float64),  # of all results that came through here
        ("visits", np.int32),
        ("first", np.int32),  # where its children are
        ("count", np.uint8),  # of its children; 0 until it has some
        ("move", np.uint8),
        ("proof", np.uint8),
        ("plies", np.uint8),  # to the end of a proved game, at most
    ],
    align=True,
)

_DEEPEST = 82
_CURIOSITY = 0.7  # the larger, the more children are looked into

_ROOTS = 4096
_INVERSE_ROOT = 1.0 / np.sqrt(np.maximum(np.arange(_ROOTS), 1))
"""Looked up, as the choice of a child needs one for each."""


class Tree(NamedTuple):
    """All nodes; the first is the root, whose position is `start`."""

    nodes: Any
    start: State


class Worker(NamedTuple):
    """What one thread needs for itself; nothing is allocated while it works."""

    state: State
    trial: State
    moves: NDArray[np.int32]
    path: NDArray[np.int32]
    seed: NDArray[np.uint64]
    counters: NDArray[np.int64]


def new_tree(nodes: int) -> Tree:
    """Return a tree with room for so many nodes; memory is taken as it fills."""
    return Tree(np.empty(nodes, NODE).view(np.recarray), blank_states())


def plant(tree: Tree, state: State) -> None:
    """Begin a tree of one node, of which nothing is known."""
    tree.nodes[0] = (0.0, 0, 0, 0, 0, OPEN, 0)
    tree.start[:] = state


def assign(worker: Worker, simulations: int, first: int, end: int) -> None:
    """Tell a worker how many simulations to run, and where to put the nodes that it adds."""
    worker.counters[:] = 0
    worker.counters[LIMIT] = simulations
    worker.counters[USED] = first
    worker.counters[END] = end


def mean_score(node: Any) -> float:
    """Return what an open node is worth so far, to the side that moved into it."""
    return (0.5 + float(node["total"])) / (1 + int(node["visits"]))


def new_worker(seed: int) -> Worker:
    """Return what a thread works with."""
    return Worker(
        blank_states(),
        blank_states(),
        np.zeros(81, np.int32),
        np.zeros(_DEEPEST, np.int32),
        np.array([(seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % (1 << 64) or 1], np.uint64),
        np.zeros(5, np.int64),
    )


@bare_kernel
def worth(proof: int) -> float:
    """Return what a proved node is worth to the side that moved into it."""
    return 0.5 if proof == DRAW else 1.0 if proof == WIN else 0.0


@bare_kernel
def grow(tree: Tree, worker: Worker) -> None:
    """Run simulations until the root is proved, the limit is reached or STOP is set."""
    counters = worker.counters
    while (
        counters[STOP] == 0
        and counters[SIMULATIONS] < counters[LIMIT]
        and tree.nodes[0].proof == OPEN
    ):
        _simulate(tree, worker)
        counters[SIMULATIONS] += 1


@bare_kernel
def _simulate(tree: Tree, worker: Worker) -> None:
    nodes, state, path = tree.nodes, worker.state, worker.path
    copy(tree.start, state)
    depth, node = 0, 0
    path[0] = 0
    nodes[0].visits += 1
    while nodes[node].proof == OPEN and nodes[node].count > 0:
        node = _most_promising(nodes, node)
        nodes[node].visits += 1
        play(state, int(nodes[node].move))  # uncompiled, 1 << 8 would not fit a byte
        depth += 1
        path[depth] = node
    if nodes[node].proof != OPEN:
        score = worth(nodes[node].proof)
    elif depth > 0 and nodes[node].visits == 1:  # most are never seen again
        score = 1.0 - playout(state, worker.seed)
    else:
        score = 1.0 - _expand(tree, worker, node)
    # Up again: a new proof may settle the parent, and then its parent, and so on.
    is_new = nodes[node].proof != OPEN
    nodes[node].total += score
    while depth > 0:
        depth -= 1
        node = path[depth]
        score = 1.0 - score
        if is_new:
            is_new = _settle(nodes, node)
            if is_new:
                score = worth(nodes[node].proof)
        nodes[node].total += score


@bare_kernel
def _most_promising(nodes: Any, node: int) -> int:
    """Choose a child by the upper end of what its results so far allow (UCB1)."""
    first = nodes[node].first
    width = _CURIOSITY * np.sqrt(np.log(float(nodes[node].visits)))
    best, best_score = first, -1.0
    for child in range(first, first + nodes[node].count):
        if nodes[child].proof == LOSS:
            continue
        visits = nodes[child].visits
        if nodes[child].proof == DRAW:
            score = 0.5
        elif visits == 0:  # none is compared with others before all were tried
            return child
        else:
            root = _INVERSE_ROOT[visits] if visits < _ROOTS else 1.0 / np.sqrt(float(visits))
            score = (nodes[child].total * root + width) * root
        if score > best_score:
            best, best_score = child, score
    return best


@bare_kernel
def _expand(tree: Tree, worker: Worker, node: int) -> float:
    """Give a leaf its children and return its score for the side to move there."""
    nodes, state, trial, moves = tree.nodes, worker.state, worker.trial, worker.moves
    count = legal_moves(state, moves)
    first = worker.counters[USED]
    if first + count > worker.counters[END]:  # no room
        return playout(state, worker.seed)
    worker.counters[USED] = first + count
    shuffle(moves, count, worker.seed)  # untried children are tried in the order they lie in
    side = state[SIDE]
    mine, theirs = reach(state, side), reach(state, 1 - side)
    is_open = True
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
        child.proof = OPEN
        if result != GOES_ON:
            child.proof = DRAW if result == DRAWN else WIN if result == WON else LOSS
        elif not (
            LINE[reach_after(mine, trial, side, board)]
            or LINE[reach_after(theirs, trial, 1 - side, board)]
        ):
            child.proof = DRAW
        is_open = is_open and child.proof == OPEN
    nodes[node].first = first
    nodes[node].count = count
    if not is_open and _settle(nodes, node):
        return 1.0 - worth(nodes[node].proof)
    return playout(state, worker.seed)


@bare_kernel
def _settle(nodes: Any, node: int) -> bool:
    """Return whether the children prove the node, and write it down if so."""
    first = nodes[node].first
    quickest, slowest = 255, 0
    is_open, is_drawn = False, False
    for child in range(first, first + nodes[node].count):
        proof = nodes[child].proof
        if proof == WIN:
            quickest = min(quickest, nodes[child].plies)
        elif proof == OPEN:
            is_open = True
        elif proof == DRAW:
            is_drawn = True
        else:
            slowest = max(slowest, nodes[child].plies)
    if quickest < 255:
        nodes[node].plies = quickest + 1
        nodes[node].proof = LOSS
        return True
    if is_open:
        return False
    nodes[node].plies = 0 if is_drawn else slowest + 1
    nodes[node].proof = DRAW if is_drawn else WIN
    return True


@bare_kernel
def keep_below(source: Any, root: int, target: Any) -> int:
    """Copy a node and all below it, level by level, to the front of another tree.

    Returns how many nodes there are. The copies hold the places of the originals in `first`
    until their own children are copied.
    """
    target[0] = source[root]
    used, i = 1, 0
    while i < used:
        count = target[i].count
        if count > 0 and used + count <= len(target):
            place = target[i].first
            target[i].first = used
            for child in range(count):
                target[used + child] = source[place + child]
            used += count
        else:
            target[i].count = 0
        i += 1
    return used
