"""The search tree: its nodes, what is known of them, and how that is taken up.

A node is seen from the side that moved *into* it, so that its parent looks for the largest
score. Its children lie side by side::

    nodes   [root | children of root ....... | children of some child ... | ...
              first ^        count = 9       ^

**Proofs.** A child that wins settles its parent, and so does the last of all children that
lose. What is proved is never visited again, and takes its value along for good.

**Foresight.** A mean over many simulations is slow to see that one reply spoils everything. With
the network a node therefore also knows its minimax value: what it is worth if both sides play what
looks best so far. It is half of what a child promises (implicit minimax backups, Lanctot and
others 2014).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.engine.ultimate.board import State, blank_states

__all__ = [
    "DEEPEST",
    "DRAW",
    "LOSS",
    "NODE",
    "OPEN",
    "WIN",
    "Tree",
    "expect",
    "foresee",
    "keep_below",
    "mean_score",
    "most_promising",
    "new_tree",
    "plant",
    "proof_by",
    "take_up",
    "upper_confidence",
    "worth",
]

OPEN, LOSS, DRAW, WIN = 0, 1, 2, 3
"""What is proved of a node, seen from the side that moved into it."""

DEEPEST = 82
"""The most nodes on a path: a game has 81 moves at most."""

NODE = np.dtype(
    [
        ("total", np.float64),  # of all results that came through here
        ("visits", np.int32),
        ("first", np.int32),  # where its children are; while it is judged, -place on the desk
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

_FORESIGHT = 0.5  # the part of a child's promise that is its minimax value
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


def new_tree(nodes: int) -> Tree:
    """Return a tree with room for so many nodes; memory is taken as it fills."""
    return Tree(np.empty(nodes, NODE).view(np.recarray), blank_states(), np.full(2, 0.5))


def plant(tree: Tree, state: State) -> None:
    """Begin a tree of one node, of which nothing is known."""
    tree.nodes[0] = (0.0, 0, 0, 0.5, 1.0, 0.5, 0, 0, OPEN, 0)
    tree.start[:] = state


def mean_score(node: Any) -> float:
    """Return what an open node is worth so far, to the side that moved into it."""
    return float(node["guess"] + node["total"]) / (1 + int(node["visits"]))


@bare_kernel
def worth(tree: Tree, proof: int, depth: int) -> float:
    """Return what a proved node at some depth is worth to the side that moved into it."""
    return tree.draws[depth & 1] if proof == DRAW else 1.0 if proof == WIN else 0.0


# -- which child ------------------------------------------------------------------------


@bare_kernel
def most_promising(nodes: Any, node: int, curiosity: float, draw: float) -> int:
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
def upper_confidence(nodes: Any, node: int, curiosity: float, draw: float) -> int:
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


# -- what a leaf brings -----------------------------------------------------------------


@bare_kernel
def take_up(tree: Tree, path: NDArray[np.int32], depth: int, score: float) -> None:
    """Add the score of the leaf at some depth of a path to it and to all nodes above.

    A new proof may settle the parent, and then its parent, and so on.
    """
    nodes = tree.nodes
    nodes[path[depth]].total += score
    is_new = nodes[path[depth]].proof != OPEN
    while depth > 0:
        depth -= 1
        node = path[depth]
        score = 1.0 - score
        if is_new:
            is_new = _settle(nodes, node)
            if is_new:
                score = worth(tree, nodes[node].proof, depth)
        nodes[node].total += score


@bare_kernel
def expect(nodes: Any, path: NDArray[np.int32], depth: int, score: float, sign: int) -> None:
    """Let the nodes above a leaf expect a score of it, or, with a sign of -1, no longer."""
    while depth > 0:
        depth -= 1
        score = 1.0 - score
        nodes[path[depth]].total += sign * score


@bare_kernel
def foresee(nodes: Any, path: NDArray[np.int32], depth: int, before: float) -> None:
    """Take the minimax value of the node at some depth, which was `before`, up to the root.

    Most of them change nothing: the way up ends where another child is better, before and after.
    """
    now = nodes[path[depth]].best
    while depth > 0 and now != before:
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
def _settle(nodes: Any, node: int) -> bool:
    """Return whether the children prove the node, and write it down if so."""
    proof, plies = proof_by(nodes, nodes[node].first, nodes[node].count)
    if proof == OPEN:
        return False
    nodes[node].plies = plies
    nodes[node].proof = proof
    return True


@bare_kernel
def proof_by(nodes: Any, first: int, count: int) -> tuple[int, int]:
    """Return what children prove of their parent, and the plies to the end from there."""
    quickest, slowest = 255, 0
    is_open, is_drawn = False, False
    for child in range(first, first + count):
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
        return LOSS, quickest + 1
    if is_open:
        return OPEN, 0
    return (DRAW, 0) if is_drawn else (WIN, slowest + 1)


# -- from move to move -------------------------------------------------------------------


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
            target[i].first = 0
            target[i].count = 0
        i += 1
    return used
