"""Trees to look into: how they are grown, alone or with helpers, and what must hold in them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from threading import Thread

from noughts import UltimatePosition
from noughts.engine.ultimate.board import state_of
from noughts.engine.ultimate.expansion import STOP, Worker, assign, new_worker
from noughts.engine.ultimate.mcts import FREE, assist, grow, new_desk
from noughts.engine.ultimate.network import Network
from noughts.engine.ultimate.tree import DRAW, LOSS, OPEN, WIN, Tree, new_tree, plant
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
    "worker_of",
]

ROOM = 20_000
RANK = {WIN: 1, DRAW: 0, LOSS: -1}


def tree_of(position: UltimatePosition, room: int = ROOM) -> Tree:
    tree = new_tree(room)
    plant(tree, state_of(position))
    return tree


def worker_of(seed: int, simulations: int, begin: int = 1, end: int = ROOM) -> Worker:
    worker = new_worker(seed)
    assign(worker, simulations, begin, end)
    return worker


def grow_alone(tree: Tree, network: Network, worker: Worker, judge: int, curiosity: float) -> None:
    grow(tree, network, worker, new_desk(0), judge, curiosity)


FAR_TOO_LONG = 100.0  # seconds for any of these trees, on any machine


def start_thread(function: Callable[[], None]) -> Thread:
    """Start something that may hang in a kernel, where no timeout of a test would reach it."""
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
    judge: int,
    curiosity: float,
    *,
    helpers: int = 1,
    seed: int = 0,
    seconds: float | None = None,
) -> list[Worker]:
    """Grow a tree with helpers, who have all come before the first simulation.

    Returns the workers, the leader first.
    """
    share = (len(tree.nodes) - 1) // (1 + helpers)
    workers = [
        worker_of(seed + i, simulations, 1 + i * share, 1 + (i + 1) * share)
        for i in range(1 + helpers)
    ]
    desk = new_desk(helpers)

    def help_out(i: int) -> None:
        while not workers[i + 1].counters[STOP]:
            assist(tree, network, workers[i + 1], desk, i, judge)
            time.sleep(0.001)

    threads = [start_thread(partial(help_out, i)) for i in range(helpers)]
    try:
        while not (desk.leaves["status"][1:] == FREE).all():
            assert all(thread.is_alive() for thread in threads)
            time.sleep(0.001)
        lead = partial(grow, tree, network, workers[0], desk, judge, curiosity)
        leading = start_thread(lead)
        if seconds is not None:
            time.sleep(seconds)
            workers[0].counters[STOP] = 1
        await_thread(leading)
    finally:
        for worker in workers[1:]:
            worker.counters[STOP] = 1
    for thread in threads:
        await_thread(thread)
    assert (desk.leaves["status"][1:] == FREE).all(), "something is left on the desk"
    return workers


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
    """Compare whatever is called proved with minimax; return how much that is."""
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
