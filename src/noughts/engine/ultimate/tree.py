"""The search tree: nodes, selection, backpropagation and proofs.

A node's values are those of the side that moved *into* it, so a parent selects the largest.
Children lie side by side::

    nodes   [root | children of root ....... | children of some child ... | ...
              first ^        count = 9       ^

**Proofs.** A winning child proves its parent lost; children that all lose prove it won
(MCTS-Solver, Winands and others 2008). A proved node is not expanded any more.

**Implicit minimax values.** A mean over many simulations is slow to notice one reply that
refutes a move. With the network a node therefore also has a minimax value: that of the tree
below it with the evaluations at its leaves. Selection uses it for half of a child's value
(implicit minimax backups, Lanctot and others 2014).
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
    "add_virtual_value",
    "backpropagate",
    "backpropagate_minimax",
    "copy_subtree",
    "mean_value",
    "new_tree",
    "proof_by",
    "proved_value",
    "select_puct",
    "select_uct",
    "set_root",
]

OPEN, LOSS, DRAW, WIN = 0, 1, 2, 3
"""What is proved of a node, for the side that moved into it."""

DEEPEST = 82
"""The most nodes on a path: a game has at most 81 moves."""

NODE = np.dtype(
    [
        ("total", np.float64),  # the sum of the values backpropagated through it
        ("visits", np.int32),
        ("first", np.int32),  # its first child; -slot while it is in the leaf queue
        ("evaluation", np.float32),  # its value when it was made
        ("prior", np.float32),  # its share of the exploration, for PUCT
        ("minimax", np.float32),  # its implicit minimax value
        ("count", np.uint8),  # of its children; 0 until it has some
        ("move", np.uint8),
        ("proof", np.uint8),
        ("plies", np.uint8),  # the most plies to the end, if it is proved
    ],
    align=True,
)

_MINIMAX_WEIGHT = 0.5  # the share of the implicit minimax value in a child's value
_ROUNDING = 1e-6  # more than the rounding error of 1 - (1 - x)

_ROOTS = 4096
_INVERSE_ROOT = 1.0 / np.sqrt(np.maximum(np.arange(_ROOTS), 1))
"""A table, as selection needs one for each child."""


class Tree(NamedTuple):
    """All nodes; the first is the root, whose position is `start`.

    The draw score is ``draws[1]`` for the side to move at the root and ``draws[0]`` for the
    other: a half each, or less and more if the root's side has contempt.
    """

    nodes: Any
    start: State
    draws: NDArray[np.float64]


def new_tree(nodes: int) -> Tree:
    """Return a tree with room for a number of nodes; the system allocates them as it fills."""
    return Tree(np.empty(nodes, NODE).view(np.recarray), blank_states(), np.full(2, 0.5))


def set_root(tree: Tree, state: State) -> None:
    """Replace the tree by one unvisited node."""
    tree.nodes[0] = (0.0, 0, 0, 0.5, 1.0, 0.5, 0, 0, OPEN, 0)
    tree.start[:] = state


def mean_value(node: Any) -> float:
    """Return the mean value of an open node for the side that moved into it."""
    return float(node["evaluation"] + node["total"]) / (1 + int(node["visits"]))


@bare_kernel
def proved_value(tree: Tree, proof: int, depth: int) -> float:
    """Return the value of a proved node at some depth for the side that moved into it."""
    return tree.draws[depth & 1] if proof == DRAW else 1.0 if proof == WIN else 0.0


# -- selection --------------------------------------------------------------------------


@bare_kernel
def select_puct(nodes: Any, node: int, c_puct: float, draw: float) -> int:
    """Select the child with the largest value plus exploration bonus by its prior (PUCT)."""
    first = nodes[node].first
    bonus = c_puct * np.sqrt(float(nodes[node].visits))
    best, best_score = first, -1.0
    for child in range(first, first + nodes[node].count):
        if nodes[child].proof == LOSS:
            continue
        visits = nodes[child].visits
        if nodes[child].proof == DRAW:
            score = draw
        else:
            mean = (nodes[child].evaluation + nodes[child].total) / (1.0 + visits)
            score = mean + _MINIMAX_WEIGHT * (nodes[child].minimax - mean)
            score += bonus * nodes[child].prior / (1.0 + visits)
        if score > best_score:
            best, best_score = child, score
    return best


@bare_kernel
def select_uct(nodes: Any, node: int, c_uct: float, draw: float) -> int:
    """Select the child with the largest upper confidence bound (UCB1)."""
    first = nodes[node].first
    width = c_uct * np.sqrt(np.log(float(nodes[node].visits)))
    best, best_score = first, -1.0
    for child in range(first, first + nodes[node].count):
        if nodes[child].proof == LOSS:
            continue
        visits = nodes[child].visits
        if nodes[child].proof == DRAW:
            score = draw
        elif visits == 0:  # every child is visited once before any is compared
            return child
        else:
            root = _INVERSE_ROOT[visits] if visits < _ROOTS else 1.0 / np.sqrt(float(visits))
            score = (nodes[child].total * root + width) * root
        if score > best_score:
            best, best_score = child, score
    return best


# -- backpropagation --------------------------------------------------------------------


@bare_kernel
def backpropagate(tree: Tree, path: NDArray[np.int32], depth: int, score: float) -> None:
    """Add the score of the leaf at some depth of a path to it and to all nodes above.

    A new proof may prove the parent, and then its parent, and so on.
    """
    nodes = tree.nodes
    nodes[path[depth]].total += score
    is_new = nodes[path[depth]].proof != OPEN
    while depth > 0:
        depth -= 1
        node = path[depth]
        score = 1.0 - score
        if is_new:
            is_new = _prove(nodes, node)
            if is_new:
                score = proved_value(tree, nodes[node].proof, depth)
        nodes[node].total += score


@bare_kernel
def add_virtual_value(
    nodes: Any, path: NDArray[np.int32], depth: int, score: float, sign: int
) -> None:
    """Add a leaf's expected score to the nodes above it, or remove it with a sign of -1."""
    while depth > 0:
        depth -= 1
        score = 1.0 - score
        nodes[path[depth]].total += sign * score


@bare_kernel
def backpropagate_minimax(nodes: Any, path: NDArray[np.int32], depth: int, before: float) -> None:
    """Update the minimax values above the node at some depth, whose own was `before`.

    This ends at the first node that stays the same, as another of its children is better.
    """
    now = nodes[path[depth]].minimax
    while depth > 0 and now != before:
        depth -= 1
        node = path[depth]
        best = np.float32(1.0) - nodes[node].minimax
        if now < best and before > best - _ROUNDING:  # it was the best child, and may not be now
            best = now
            first = nodes[node].first
            for child in range(first, first + nodes[node].count):
                best = max(best, nodes[child].minimax)
        best = max(best, now)
        before = nodes[node].minimax
        now = np.float32(1.0) - best
        nodes[node].minimax = now


@bare_kernel
def _prove(nodes: Any, node: int) -> bool:
    """Note a proof of the node by its children; return whether there is one."""
    proof, plies = proof_by(nodes, nodes[node].first, nodes[node].count)
    if proof == OPEN:
        return False
    nodes[node].plies = plies
    nodes[node].proof = proof
    return True


@bare_kernel
def proof_by(nodes: Any, first: int, count: int) -> tuple[int, int]:
    """Return what children prove of their parent, and its plies to the end."""
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


# -- reuse of the tree -------------------------------------------------------------------


@bare_kernel
def copy_subtree(source: Any, root: int, target: Any) -> int:
    """Copy a node and all below it, level by level, to the front of another tree.

    Returns the number of nodes. A copy's `first` is that of the original until its own children
    are copied.
    """
    target[0] = source[root]
    used, i = 1, 0
    while i < used:
        count = target[i].count
        if count > 0 and used + count <= len(target):
            slot = target[i].first
            target[i].first = used
            for child in range(count):
                target[used + child] = source[slot + child]
            used += count
        else:
            target[i].first = 0
            target[i].count = 0
        i += 1
    return used
