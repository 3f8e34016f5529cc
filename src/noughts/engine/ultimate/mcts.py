"""Monte Carlo tree search: select, expand, evaluate, backpropagate.

A simulation selects a path from the root to a leaf, expands and evaluates the leaf, attaches its
children to the tree, and backpropagates its value along the path.

**Threads.** Only one thread, the leader, selects and changes nodes in the tree. Two such threads
would want the same nodes all the time, wait for each other's writes, and need a virtual loss
large enough to send one of them to worse moves. Worker threads expand and evaluate leaves, which
is more than half of the work. The leader puts a leaf into the leaf queue and goes on::

          leader                     leaf queue                       worker
    select, enqueue      ->  | position | leaf | READY |  ->  expand and evaluate
    attach, backpropagate <- | position | leaf | DONE  |  <-

Until a leaf is evaluated, it counts as a visit that lost (a virtual loss), so that the next
simulation goes elsewhere. The nodes above it count its first evaluation, which is close to what
will come, so that the search otherwise selects as if the leaf were done. If no slot of the queue
is free, the leader evaluates the leaf itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from noughts.kernels import (  # isort: skip  - says which extra is missing
    CACHE_LINE,
    NDArray,
    bare_kernel,
    load_word,
    np,
    room_apart,
    store_word,
)

from noughts.engine.ultimate.board import State, copy, play
from noughts.engine.ultimate.expansion import (
    LEAF,
    LIMIT,
    NETWORK,
    SIMULATIONS,
    STOP,
    Workspace,
    expand,
)
from noughts.engine.ultimate.network import Network
from noughts.engine.ultimate.tree import (
    DEEPEST,
    OPEN,
    Tree,
    add_virtual_value,
    backpropagate,
    backpropagate_minimax,
    proved_value,
    select_puct,
    select_uct,
)

__all__ = [
    "FREE",
    "MAX_WORKERS",
    "READY",
    "LeafQueue",
    "evaluate_leaves",
    "new_queue",
    "run_simulations",
]

MAX_WORKERS = 3
"""More workers would only wait: the leader's own part is two fifths of a simulation's time."""

_SLOTS_PER_WORKER = 4  # enough that a worker rarely waits for the leader
_IDLE_POLLS = 20_000  # of the queue, before a worker without leaves returns

_MAX_VISITS = np.iinfo(np.int32).max

assert LEAF.fields is not None
_STATUS = LEAF.fields["status"][1] // 8
NO_WORKER, FREE, READY, DONE = 0, 1, 2, 3  # a slot is NO_WORKER until its worker has started
_LEADER_SLOT = 0


class LeafQueue(NamedTuple):
    """Leaves on their way between threads: one slot for the leader, then some for each worker."""

    leaves: Any
    words: NDArray[np.int64]  # the same memory as words, to load and store the status
    states: State
    paths: NDArray[np.int32]  # from the root to each leaf; only the leader uses them


def new_queue(workers: int) -> LeafQueue:
    """Return a queue for a leader and a number of workers."""
    slots = 1 + _SLOTS_PER_WORKER * workers
    leaves = room_apart((slots,), LEAF)
    return LeafQueue(
        leaves.view(np.recarray),
        leaves.view(np.int64).reshape(slots, -1),
        room_apart((slots, CACHE_LINE // 2), np.uint16),  # a position fits in a line
        np.zeros((slots, DEEPEST), np.int32),
    )


@bare_kernel
def run_simulations(
    tree: Tree,
    network: Network,
    workspace: Workspace,
    queue: LeafQueue,
    evaluator: int,
    exploration: float,
) -> None:
    """Run simulations until the root is proved, the limit is reached or STOP is set.

    They also end when visits can no longer be counted, long after the memory is full. Workers
    have to run until this returns, as it waits for the leaves in their slots.
    """
    counters = workspace.counters
    while (
        load_word(counters, STOP) == 0
        and counters[SIMULATIONS] < counters[LIMIT]
        and tree.nodes[0].proof == OPEN
        and tree.nodes[0].visits < _MAX_VISITS
    ):
        counters[SIMULATIONS] += 1
        _simulate(tree, network, workspace, queue, evaluator, exploration)
    for slot in range(_LEADER_SLOT + 1, len(queue.leaves)):
        _collect(tree, queue, slot)


@bare_kernel
def evaluate_leaves(
    tree: Tree,
    network: Network,
    workspace: Workspace,
    queue: LeafQueue,
    worker: int,
    evaluator: int,
) -> None:
    """Expand the leaves in a worker's slots until STOP is set or none has come for a while."""
    slots = len(queue.leaves)
    first, step = _LEADER_SLOT + 1 + worker, (slots - 1) // _SLOTS_PER_WORKER
    for slot in range(first, slots, step):
        if load_word(queue.words[slot], _STATUS) == NO_WORKER:
            store_word(queue.words[slot], _STATUS, FREE)
    idle = 0
    while idle < _IDLE_POLLS and load_word(workspace.counters, STOP) == 0:
        idle += 1
        for slot in range(first, slots, step):
            if load_word(queue.words[slot], _STATUS) == READY:
                expand(tree, network, workspace, queue.leaves[slot], queue.states[slot], evaluator)
                store_word(queue.words[slot], _STATUS, DONE)
                idle = 0


@bare_kernel
def _simulate(
    tree: Tree,
    network: Network,
    workspace: Workspace,
    queue: LeafQueue,
    evaluator: int,
    exploration: float,
) -> None:
    """Select a leaf, and expand it or leave it to a worker."""
    slot = _free_slot(tree, queue)
    nodes, state, path = tree.nodes, queue.states[slot], queue.paths[slot]
    copy(tree.start, state)
    depth, node = 0, 0
    path[0] = 0
    nodes[0].visits += 1
    while nodes[node].proof == OPEN:
        if nodes[node].first < 0:  # it is in the queue
            _collect(tree, queue, -nodes[node].first)
            continue
        if nodes[node].count == 0:
            break
        node = _select(tree, node, depth, evaluator, exploration)
        nodes[node].visits += 1
        play(state, int(nodes[node].move))  # uncompiled, 1 << 8 would not fit a byte
        depth += 1
        path[depth] = node
    if nodes[node].proof != OPEN:
        backpropagate(tree, path, depth, proved_value(tree, nodes[node].proof, depth))
        return
    leaf = queue.leaves[slot]
    leaf.depth = depth
    leaf.evaluation = nodes[node].evaluation
    # Most leaves that playouts evaluate are never visited again.
    leaf.has_children = evaluator == NETWORK or depth == 0 or nodes[node].visits > 1
    if slot == _LEADER_SLOT:
        expand(tree, network, workspace, leaf, state, evaluator)
        _attach_children(tree, queue, slot)
    else:
        nodes[node].first = -slot
        add_virtual_value(nodes, path, depth, leaf.evaluation, 1)
        store_word(queue.words[slot], _STATUS, READY)


@bare_kernel
def _free_slot(tree: Tree, queue: LeafQueue) -> int:
    """Collect all finished leaves; return a free slot, or the leader's if there is none.

    All of them at once: without their values a simulation may well go the wrong way.
    """
    free = _LEADER_SLOT
    for slot in range(_LEADER_SLOT + 1, len(queue.leaves)):
        status = load_word(queue.words[slot], _STATUS)
        if status == DONE:
            _collect(tree, queue, slot)
            status = FREE
        if status == FREE and free == _LEADER_SLOT:
            free = slot
    return free


@bare_kernel
def _collect(tree: Tree, queue: LeafQueue, slot: int) -> None:
    """Wait for the leaf in a worker's slot, if there is one, and attach its children."""
    status = load_word(queue.words[slot], _STATUS)
    while status == READY:
        status = load_word(queue.words[slot], _STATUS)
    if status == DONE:
        leaf, path = queue.leaves[slot], queue.paths[slot]
        tree.nodes[path[leaf.depth]].first = 0
        add_virtual_value(tree.nodes, path, leaf.depth, leaf.evaluation, -1)
        _attach_children(tree, queue, slot)
        store_word(queue.words[slot], _STATUS, FREE)


@bare_kernel
def _attach_children(tree: Tree, queue: LeafQueue, slot: int) -> None:
    """Attach the children of an evaluated leaf and backpropagate its value."""
    nodes, leaf, path = tree.nodes, queue.leaves[slot], queue.paths[slot]
    if leaf.count > 0:
        node = path[leaf.depth]
        before = nodes[node].minimax
        nodes[node].first = leaf.first
        nodes[node].count = leaf.count
        nodes[node].minimax = leaf.minimax
        nodes[node].proof = leaf.proof
        nodes[node].plies = leaf.plies
        backpropagate_minimax(nodes, path, leaf.depth, before)
    backpropagate(tree, path, leaf.depth, leaf.score)


@bare_kernel
def _select(tree: Tree, node: int, depth: int, evaluator: int, exploration: float) -> int:
    """Select the child of a node at some depth."""
    draw = tree.draws[depth + 1 & 1]
    if evaluator == NETWORK:
        return select_puct(tree.nodes, node, exploration, draw)
    return select_uct(tree.nodes, node, exploration, draw)
