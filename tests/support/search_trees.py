"""Search trees of one thread or several, and what must hold in them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from threading import Thread

from noughts import UltimatePosition
from noughts.engine.ultimate.board import state_of
from noughts.engine.ultimate.expansion import STOP, Workspace, new_workspace, prepare
from noughts.engine.ultimate.mcts import FREE, evaluate_leaves, new_queue, run_simulations
from noughts.engine.ultimate.network import Network
from noughts.engine.ultimate.tree import DRAW, LOSS, OPEN, WIN, Tree, new_tree, set_root
from support.ultimate_endgames import minimax

__all__ = [
    "ROOM",
    "await_thread",
    "check_proofs",
    "grow_alone",
    "grow_together",
    "start_thread",
    "tree_of",
    "walk",
    "workspace_of",
]

ROOM = 20_000
RANK = {WIN: 1, DRAW: 0, LOSS: -1}


def tree_of(position: UltimatePosition, room: int = ROOM) -> Tree:
    tree = new_tree(room)
    set_root(tree, state_of(position))
    return tree


def workspace_of(seed: int, simulations: int, begin: int = 1, end: int = ROOM) -> Workspace:
    workspace = new_workspace(seed)
    prepare(workspace, simulations, begin, end)
    return workspace


def grow_alone(
    tree: Tree, network: Network, workspace: Workspace, evaluator: int, exploration: float
) -> None:
    run_simulations(tree, network, workspace, new_queue(0), evaluator, exploration)


FAR_TOO_LONG = 100.0  # seconds for any of these trees, on any machine


def start_thread(function: Callable[[], None]) -> Thread:
    """Start a function that may hang in a kernel, where no timeout of a test would reach it."""
    thread = Thread(target=function, daemon=True)
    thread.start()
    return thread


def await_thread(thread: Thread) -> None:
    """Wait for the end of a thread; one that hangs is a failure."""
    thread.join(FAR_TOO_LONG)
    assert not thread.is_alive()


def grow_together(
    tree: Tree,
    network: Network,
    simulations: int,
    evaluator: int,
    exploration: float,
    *,
    workers: int = 1,
    seed: int = 0,
    seconds: float | None = None,
) -> list[Workspace]:
    """Run simulations with workers, which have all started before the first simulation.

    Returns the workspaces, the leader first.
    """
    share = (len(tree.nodes) - 1) // (1 + workers)
    workspaces = [
        workspace_of(seed + i, simulations, 1 + i * share, 1 + (i + 1) * share)
        for i in range(1 + workers)
    ]
    queue = new_queue(workers)

    def work(i: int) -> None:
        while not workspaces[i + 1].counters[STOP]:
            evaluate_leaves(tree, network, workspaces[i + 1], queue, i, evaluator)
            time.sleep(0.001)

    threads = [start_thread(partial(work, i)) for i in range(workers)]
    try:
        while not (queue.leaves["status"][1:] == FREE).all():
            assert all(thread.is_alive() for thread in threads)
            time.sleep(0.001)
        lead = partial(run_simulations, tree, network, workspaces[0], queue, evaluator, exploration)
        leading = start_thread(lead)
        if seconds is not None:
            time.sleep(seconds)
            workspaces[0].counters[STOP] = 1
        await_thread(leading)
    finally:
        for workspace in workspaces[1:]:
            workspace.counters[STOP] = 1
    for thread in threads:
        await_thread(thread)
    assert (queue.leaves["status"][1:] == FREE).all(), "a leaf is left in the queue"
    return workspaces


def walk(
    tree: Tree, position: UltimatePosition, node: int = 0
) -> Iterator[tuple[int, UltimatePosition]]:
    """Yield every node of the tree with the position it stands for."""
    yield node, position
    first, count = int(tree.nodes[node]["first"]), int(tree.nodes[node]["count"])
    if count:
        moves = [int(tree.nodes[child]["move"]) for child in range(first, first + count)]
        assert sorted(moves) == position.legal_moves
    for child in range(first, first + count):
        yield from walk(tree, position.play(int(tree.nodes[child]["move"])), child)


def check_proofs(tree: Tree, position: UltimatePosition) -> int:
    """Compare proofs with minimax; return their number."""
    proved = 0
    for node, reached in walk(tree, position):
        proof, plies = int(tree.nodes[node]["proof"]), int(tree.nodes[node]["plies"])
        if proof == OPEN:
            assert not reached.outcome
            continue
        proved += 1
        value, distance = minimax(reached)
        assert RANK[proof] == -value, (position, reached)  # seen from the side that moved there
        assert plies >= distance, (position, reached)
        assert plies == 0 or proof != DRAW
    return proved
