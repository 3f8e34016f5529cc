r"""The search tree, and the loop that grows it: Monte Carlo tree search with proofs.

One simulation walks from the root to a leaf, always to the child that promises most, gives the
leaf children, judges it, and takes the judgement back up the path. Two ways of judging:

* `NETWORK`: every new child is evaluated by a small neural network as soon as it exists, and
  these first guesses steer the search; the leaf is worth as much as its best child.
* `PLAYOUT`: a game from the leaf is played out at random. This is plain UCT, the yardstick.

**Foresight.** A mean over many simulations is slow to see that one reply spoils everything. With
the network a node therefore also knows its minimax value: what it is worth if both sides play what
looks best so far. It is half of what a child promises (implicit minimax backups, Lanctot and
others 2014).

**Proofs.** A child that wins settles its parent, and so does the last of all children that
lose. What is proved is never visited again, and takes its value along for good.

A node is seen from the side that moved *into* it, so that its parent looks for the largest
score. Its children lie side by side::

    nodes   [root | children of root ....... | children of some child ... | ...
              first ^        count = 9       ^

**Threads** share the tree without locks (Enzenberger and Müller 2009). Each adds nodes in a
region of its own, and publishes them by writing `count` last. An update may get lost, which hurts
nobody; a proof is a fact, whoever writes it. But what one core writes, another has to fetch, and
two that walk the same way all the time wait for each other more than they search. So each thread
runs *errands*: it walks down to a hub, a node with few enough visits, runs some dozens of
simulations below it, and only then tells the nodes above::

    root  o                 visits are counted on the way down, results come with the way back;
          | \               until then they look lost, so that the other thread goes elsewhere
    hub   o  o  hub of another thread
         /|\ |\
        simulations         nobody else is here

A thread that is alone has the root for its hub, and errands of one simulation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.engine.ultimate.board import (
    DRAWN,
    GOES_ON,
    LINES,
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
from noughts.engine.ultimate.network import (
    CHANCE,
    Network,
    Scratch,
    evaluate_child,
    new_scratch,
    sum_boards,
)
from noughts.engine.ultimate.playout import playout, shuffle

__all__ = [
    "DRAW",
    "DRAWISH",
    "END",
    "LIMIT",
    "LOSS",
    "NETWORK",
    "NODE",
    "OPEN",
    "PLAYOUT",
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

PLAYOUT, NETWORK = 0, 1

STOP, LIMIT, SIMULATIONS, USED, END, ERRAND = 0, 1, 2, 3, 4, 5  # a worker's counters

NODE = np.dtype(
    [
        ("total", np.float64),  # of all results that came through here
        ("visits", np.int32),
        ("first", np.int32),  # where its children are
        ("guess", np.float32),  # what it was judged to be when it was made
        ("prior", np.float32),  # how much that speaks for looking at it first
        ("best", np.float32),  # what it is worth if both sides play what looks best so far
        ("count", np.uint8),  # of its children; 0 until it has some
        ("move", np.uint8),
        ("proof", np.uint8),
        ("plies", np.uint8),  # to the end of a proved game, at most
    ],
    align=True,
)

_DEEPEST = 82
_FORESIGHT = 0.5  # the part of a child's promise that is its minimax value
_HUB = 1000  # visits that a hub has at most
_ERRAND, _ERRAND_SHARE = 64, 8  # simulations of an errand at most; its part of the hub's visits
_WARMTH = 0.15  # the smaller, the more the first guesses decide which children are looked at


_PRIOR = np.exp((1.0 - CHANCE) / _WARMTH).astype(np.float32)
"""How much a child is looked at for each step of the network's output."""


_LINES_LEFT = np.arange(9.0)
DRAWISH = 0.45 + 0.55 * np.exp(-((np.outer(_LINES_LEFT, _LINES_LEFT) / 8.0) ** 1.5))
"""How likely an even game is drawn, by the lines of boards that either side may still get.

The fewer there are, the likelier: all games without any, 45 % with many. The curve was fitted to
games of the engine against itself; ``scripts/network/draws.py`` shows both side by side.
"""

_ROUNDING = 1e-6  # more than what is lost in 1 - (1 - x)

_ROOTS = 4096
_INVERSE_ROOT = 1.0 / np.sqrt(np.maximum(np.arange(_ROOTS), 1))
"""Looked up, as the choice of a child needs one for each."""


class Tree(NamedTuple):
    """All nodes; the first is the root, whose position is `start`.

    A draw is worth ``draws[1]`` to the side to move at the root, ``draws[0]`` to the other: a half
    each, or less and more if the root's side would rather take a risk than a draw.
    """

    nodes: Any
    start: State
    draws: NDArray[np.float64]


class Worker(NamedTuple):
    """What one thread needs for itself; nothing is allocated while it works."""

    hub: State  # where its errand is
    state: State
    trial: State
    moves: NDArray[np.int32]
    path: NDArray[np.int32]
    seed: NDArray[np.uint64]
    counters: NDArray[np.int64]
    scratch: Scratch


def new_tree(nodes: int) -> Tree:
    """Return a tree with room for so many nodes; memory is taken as it fills."""
    return Tree(np.empty(nodes, NODE).view(np.recarray), blank_states(), np.full(2, 0.5))


def plant(tree: Tree, state: State) -> None:
    """Begin a tree of one node, of which nothing is known."""
    tree.nodes[0] = (0.0, 0, 0, 0.5, 1.0, 0.5, 0, 0, OPEN, 0)
    tree.start[:] = state


def assign(worker: Worker, simulations: int, first: int, end: int, *, alone: bool = True) -> None:
    """Tell a worker how many simulations to run, where to put the nodes that it adds, and
    whether the tree is all its own.
    """  # noqa: D205
    worker.counters[:] = 0
    worker.counters[LIMIT] = simulations
    worker.counters[USED] = first
    worker.counters[END] = end
    worker.counters[ERRAND] = 1 if alone else _ERRAND


def mean_score(node: Any) -> float:
    """Return what an open node is worth so far, to the side that moved into it."""
    return float(node["guess"] + node["total"]) / (1 + int(node["visits"]))


def new_worker(seed: int) -> Worker:
    """Return what a thread works with."""
    return Worker(
        blank_states(),
        blank_states(),
        blank_states(),
        np.zeros(81, np.int32),
        np.zeros(_DEEPEST, np.int32),
        np.array([(seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % (1 << 64) or 1], np.uint64),
        np.zeros(6, np.int64),
        new_scratch(),
    )


@bare_kernel
def worth(tree: Tree, proof: int, depth: int) -> float:
    """Return what a proved node at some depth is worth to the side that moved into it."""
    return tree.draws[depth & 1] if proof == DRAW else 1.0 if proof == WIN else 0.0


@bare_kernel
def grow(tree: Tree, network: Network, worker: Worker, judge: int, curiosity: float) -> None:
    """Run simulations until the root is proved, the limit is reached or STOP is set."""
    counters = worker.counters
    while (
        counters[STOP] == 0
        and counters[SIMULATIONS] < counters[LIMIT]
        and tree.nodes[0].proof == OPEN
    ):
        _run_errand(tree, network, worker, judge, curiosity)


@bare_kernel
def _run_errand(tree: Tree, network: Network, worker: Worker, judge: int, curiosity: float) -> None:
    """Walk to a hub, run simulations below it, and take up all that they brought at once."""
    nodes, path, counters = tree.nodes, worker.path, worker.counters
    copy(tree.start, worker.hub)
    depth, node = 0, 0
    path[0] = 0
    while (
        counters[ERRAND] > 1
        and nodes[node].visits > _HUB
        and nodes[node].proof == OPEN
        and nodes[node].count > 0
    ):
        node = _choose(tree, node, depth, judge, curiosity)
        play(worker.hub, int(nodes[node].move))  # uncompiled, 1 << 8 would not fit a byte
        depth += 1
        path[depth] = node
    planned = max(1, min(counters[ERRAND], nodes[node].visits // _ERRAND_SHARE))
    planned = min(planned, counters[LIMIT] - counters[SIMULATIONS])
    _count_visits(nodes, path, depth, planned)
    before = nodes[node].best
    total, done = 0.0, 0
    while done < planned and counters[STOP] == 0:
        total += _simulate(tree, network, worker, depth, judge, curiosity)
        done += 1
        if nodes[node].proof != OPEN:
            break
    counters[SIMULATIONS] += done
    if done < planned:
        _count_visits(nodes, path, depth, done - planned)
    _foresee(nodes, path, depth, 0, before)
    _take_up(tree, path, depth, 0, total, done)


@bare_kernel
def _count_visits(nodes: Any, path: NDArray[np.int32], depth: int, visits: int) -> None:
    for i in range(depth + 1):
        nodes[path[i]].visits += visits


@bare_kernel
def _simulate(
    tree: Tree, network: Network, worker: Worker, hub: int, judge: int, curiosity: float
) -> float:
    """Run a simulation below the hub, which is at some depth, and return its score there."""
    nodes, state, path = tree.nodes, worker.state, worker.path
    copy(worker.hub, state)
    depth, node = hub, path[hub]
    while nodes[node].proof == OPEN and nodes[node].count > 0:
        node = _choose(tree, node, depth, judge, curiosity)
        nodes[node].visits += 1
        play(state, int(nodes[node].move))
        depth += 1
        path[depth] = node
    if nodes[node].proof != OPEN:
        score = worth(tree, nodes[node].proof, depth)
    elif judge == PLAYOUT and depth > 0 and nodes[node].visits == 1:  # most are never seen again
        score = 1.0 - playout(state, worker.seed)
    else:
        before = nodes[node].best
        score = 1.0 - _expand(tree, network, worker, node, depth, judge)
        _foresee(nodes, path, depth, hub, before)
    nodes[node].total += score
    return _take_up(tree, path, depth, hub, score, 1)


@bare_kernel
def _choose(tree: Tree, node: int, depth: int, judge: int, curiosity: float) -> int:
    """Return the child of a node at some depth that a simulation goes to."""
    draw = tree.draws[depth + 1 & 1]
    if judge == NETWORK:
        return _most_promising(tree.nodes, node, curiosity, draw)
    return _upper_confidence(tree.nodes, node, curiosity, draw)


@bare_kernel
def _take_up(
    tree: Tree, path: NDArray[np.int32], depth: int, top: int, total: float, count: int
) -> float:
    """Add what so many simulations brought at some depth to all nodes above it, up to `top`.

    Returns what they are worth there. A new proof may settle the parent, and then its parent,
    and so on.
    """
    nodes = tree.nodes
    is_new = nodes[path[depth]].proof != OPEN
    while depth > top:
        depth -= 1
        node = path[depth]
        total = count - total
        if is_new:
            is_new = _settle(nodes, node)
            if is_new:
                total = count * worth(tree, nodes[node].proof, depth)
        nodes[node].total += total
    return total


@bare_kernel
def _foresee(nodes: Any, path: NDArray[np.int32], depth: int, top: int, before: float) -> None:
    """Take the minimax value of the node at some depth, which was `before`, up to `top`.

    Most of them change nothing: the way up ends where another child is better, before and after.
    """
    now = nodes[path[depth]].best
    while depth > top and now != before:
        depth -= 1
        node = path[depth]
        best = np.float32(1.0) - nodes[node].best
        if now < best and before > best - _ROUNDING:  # it was the best one, and may no longer be
            best = now
            first = nodes[node].first
            for child in range(first, first + nodes[node].count):
                best = max(best, nodes[child].best)
        best = max(best, now)
        before = nodes[node].best
        now = np.float32(1.0) - best
        nodes[node].best = now


@bare_kernel
def _most_promising(nodes: Any, node: int, curiosity: float, draw: float) -> int:
    """Choose a child by its score so far and a bonus where the first guess was good (PUCT)."""
    first = nodes[node].first
    bonus = curiosity * np.sqrt(float(nodes[node].visits))
    best, best_score = first, -1.0
    for child in range(first, first + nodes[node].count):
        if nodes[child].proof == LOSS:
            continue
        visits = nodes[child].visits
        if nodes[child].proof == DRAW:
            score = draw
        else:
            mean = (nodes[child].guess + nodes[child].total) / (1.0 + visits)
            score = mean + _FORESIGHT * (nodes[child].best - mean)
            score += bonus * nodes[child].prior / (1.0 + visits)
        if score > best_score:
            best, best_score = child, score
    return best


@bare_kernel
def _upper_confidence(nodes: Any, node: int, curiosity: float, draw: float) -> int:
    """Choose a child by the upper end of what its results so far allow (UCB1)."""
    first = nodes[node].first
    width = curiosity * np.sqrt(np.log(float(nodes[node].visits)))
    best, best_score = first, -1.0
    for child in range(first, first + nodes[node].count):
        if nodes[child].proof == LOSS:
            continue
        visits = nodes[child].visits
        if nodes[child].proof == DRAW:
            score = draw
        elif visits == 0:  # none is compared with others before all were tried
            return child
        else:
            root = _INVERSE_ROOT[visits] if visits < _ROOTS else 1.0 / np.sqrt(float(visits))
            score = (nodes[child].total * root + width) * root
        if score > best_score:
            best, best_score = child, score
    return best


@bare_kernel
def _expand(
    tree: Tree, network: Network, worker: Worker, node: int, depth: int, judge: int
) -> float:
    """Give a leaf its children and return its score for the side to move there."""
    nodes, state, trial, moves = tree.nodes, worker.state, worker.trial, worker.moves
    count = legal_moves(state, moves)
    first = worker.counters[USED]
    if first + count > worker.counters[END]:  # no room: the first guess has to do
        return 1.0 - nodes[node].guess
    worker.counters[USED] = first + count
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
    if judge == NETWORK:
        for i in range(count):
            nodes[first + i].prior /= priors
        nodes[node].best = 1.0 - best
    nodes[node].first = first
    nodes[node].count = count
    if not is_open and _settle(nodes, node):
        return 1.0 - worth(tree, nodes[node].proof, depth)
    return best if judge == NETWORK else playout(state, worker.seed)


@bare_kernel
def _value(chance: float, draw: float, drawish: float) -> float:
    """Return what a chance, which takes a draw for a half, is with draws that are worth `draw`.

    The surer the chance, the fewer of the games behind it are draws.
    """
    return chance + (draw - 0.5) * drawish * 2.0 * min(chance, 1.0 - chance)


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
