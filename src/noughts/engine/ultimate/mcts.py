"""The loop that grows the tree: Monte Carlo tree search.

One simulation walks from the root to a leaf, always to the child that promises most, has the
leaf judged, hangs its children into the tree, and takes the judgement up the path.

**Threads.** Only one, the leader, walks in the tree and writes to what hangs in it. Were there
two, they would want the same nodes all the time, wait for each other's writes, and have to be
sent to worse moves to keep out of each other's way. The others help with judging, which is more
than half of the work. The leader puts a leaf on the desk and goes on; a helper judges it there::

            leader                         desk                        helper
    walk, put a leaf there  ->  | position | leaf | READY |  ->  make and judge its children
    hang them in, take up   <-  | position | leaf | DONE  |  <-

Until a leaf is judged, the nodes above it expect what its first guess says, which is about what
will come, and the leaf itself looks lost, so that the next simulations go where they would
have gone anyway, but not there. While all places are taken, the leader judges a leaf itself.
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
    Worker,
    judge_leaf,
)
from noughts.engine.ultimate.network import Network
from noughts.engine.ultimate.tree import (
    DEEPEST,
    OPEN,
    Tree,
    expect,
    foresee,
    most_promising,
    take_up,
    upper_confidence,
    worth,
)

__all__ = ["FREE", "MOST_HELPERS", "READY", "Desk", "assist", "grow", "new_desk"]

MOST_HELPERS = 3
"""More would only wait: the leader's own part is two fifths of a simulation's time."""

_PLACES = 4  # on the desk for each helper: enough that none waits while the leader walks
_PATIENCE = 20_000  # looks at the desk before a helper that finds nothing takes a nap

_MOST_VISITS = np.iinfo(np.int32).max

assert LEAF.fields is not None
_STATUS = LEAF.fields["status"][1] // 8
AWAY, FREE, READY, DONE = 0, 1, 2, 3  # the leader leaves nothing for who has not come yet
_OWN = 0  # the leader's place


class Desk(NamedTuple):
    """Where leaves are judged: the first place is the leader's, then each helper has some."""

    leaves: Any
    words: NDArray[np.int64]  # the same memory, of which threads load and store the status
    states: State
    paths: NDArray[np.int32]  # from the root to each leaf; the leader's alone


def new_desk(helpers: int) -> Desk:
    """Return a desk for a leader and so many helpers."""
    places = 1 + _PLACES * helpers
    leaves = room_apart((places,), LEAF)
    return Desk(
        leaves.view(np.recarray),
        leaves.view(np.int64).reshape(places, -1),
        room_apart((places, CACHE_LINE // 2), np.uint16),  # a position fits in a line
        np.zeros((places, DEEPEST), np.int32),
    )


@bare_kernel
def grow(
    tree: Tree, network: Network, worker: Worker, desk: Desk, judge: int, curiosity: float
) -> None:
    """Run simulations until the root is proved, the limit is reached or STOP is set.

    Or until visits cannot be counted any more, long after the memory is full. Helpers may only
    end after this has: it waits for what they have on the desk.
    """
    counters = worker.counters
    while (
        load_word(counters, STOP) == 0
        and counters[SIMULATIONS] < counters[LIMIT]
        and tree.nodes[0].proof == OPEN
        and tree.nodes[0].visits < _MOST_VISITS
    ):
        counters[SIMULATIONS] += 1
        _simulate(tree, network, worker, desk, judge, curiosity)
    for place in range(_OWN + 1, len(desk.leaves)):
        _fetch(tree, desk, place)


@bare_kernel
def assist(
    tree: Tree, network: Network, worker: Worker, desk: Desk, helper: int, judge: int
) -> None:
    """Judge the leaves in a helper's places until STOP is set, or none has come for a while."""
    places = len(desk.leaves)
    first, step = _OWN + 1 + helper, (places - 1) // _PLACES
    for place in range(first, places, step):
        if load_word(desk.words[place], _STATUS) == AWAY:
            store_word(desk.words[place], _STATUS, FREE)
    idle = 0
    while idle < _PATIENCE and load_word(worker.counters, STOP) == 0:
        idle += 1
        for place in range(first, places, step):
            if load_word(desk.words[place], _STATUS) == READY:
                judge_leaf(tree, network, worker, desk.leaves[place], desk.states[place], judge)
                store_word(desk.words[place], _STATUS, DONE)
                idle = 0


@bare_kernel
def _simulate(
    tree: Tree, network: Network, worker: Worker, desk: Desk, judge: int, curiosity: float
) -> None:
    """Walk to a leaf, and judge it or leave it to a helper."""
    place = _next_place(tree, desk)
    nodes, state, path = tree.nodes, desk.states[place], desk.paths[place]
    copy(tree.start, state)
    depth, node = 0, 0
    path[0] = 0
    nodes[0].visits += 1
    while nodes[node].proof == OPEN:
        if nodes[node].first < 0:  # it is on the desk
            _fetch(tree, desk, -nodes[node].first)
            continue
        if nodes[node].count == 0:
            break
        node = _choose(tree, node, depth, judge, curiosity)
        nodes[node].visits += 1
        play(state, int(nodes[node].move))  # uncompiled, 1 << 8 would not fit a byte
        depth += 1
        path[depth] = node
    if nodes[node].proof != OPEN:
        take_up(tree, path, depth, worth(tree, nodes[node].proof, depth))
        return
    leaf = desk.leaves[place]
    leaf.depth = depth
    leaf.guess = nodes[node].guess
    # Of leaves that are judged by playouts, most are never seen again.
    leaf.is_wide = judge == NETWORK or depth == 0 or nodes[node].visits > 1
    if place == _OWN:
        judge_leaf(tree, network, worker, leaf, state, judge)
        _hang_in(tree, desk, place)
    else:
        nodes[node].first = -place
        expect(nodes, path, depth, leaf.guess, 1)
        store_word(desk.words[place], _STATUS, READY)


@bare_kernel
def _next_place(tree: Tree, desk: Desk) -> int:
    """Hang in all that helpers have judged; return a free place, or the leader's if there is none.

    All of it and at once: a simulation that does not know of it may well go the wrong way.
    """
    free = _OWN
    for place in range(_OWN + 1, len(desk.leaves)):
        status = load_word(desk.words[place], _STATUS)
        if status == DONE:
            _fetch(tree, desk, place)
            status = FREE
        if status == FREE and free == _OWN:
            free = place
    return free


@bare_kernel
def _fetch(tree: Tree, desk: Desk, place: int) -> None:
    """Wait until the leaf in a helper's place is judged, and hang its children in; if any."""
    status = load_word(desk.words[place], _STATUS)
    while status == READY:
        status = load_word(desk.words[place], _STATUS)
    if status == DONE:
        leaf, path = desk.leaves[place], desk.paths[place]
        tree.nodes[path[leaf.depth]].first = 0
        expect(tree.nodes, path, leaf.depth, leaf.guess, -1)
        _hang_in(tree, desk, place)
        store_word(desk.words[place], _STATUS, FREE)


@bare_kernel
def _hang_in(tree: Tree, desk: Desk, place: int) -> None:
    """Hang the children of a judged leaf into the tree, and take its score up."""
    nodes, leaf, path = tree.nodes, desk.leaves[place], desk.paths[place]
    if leaf.count > 0:
        node = path[leaf.depth]
        before = nodes[node].best
        nodes[node].first = leaf.first
        nodes[node].count = leaf.count
        nodes[node].best = leaf.best
        nodes[node].proof = leaf.proof
        nodes[node].plies = leaf.plies
        foresee(nodes, path, leaf.depth, before)
    take_up(tree, path, leaf.depth, leaf.score)


@bare_kernel
def _choose(tree: Tree, node: int, depth: int, judge: int, curiosity: float) -> int:
    """Return the child of a node at some depth that a simulation goes to."""
    draw = tree.draws[depth + 1 & 1]
    if judge == NETWORK:
        return most_promising(tree.nodes, node, curiosity, draw)
    return upper_confidence(tree.nodes, node, curiosity, draw)
