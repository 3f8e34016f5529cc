"""Trees to look into: how they are grown, alone or with helpers, and what must hold in them."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread

from endgames import minimax
from noughts import UltimatePosition
from noughts.engine.ultimate.board import state_of
from noughts.engine.ultimate.growth import Desk, assist, grow, new_desk
from noughts.engine.ultimate.leaves import STOP, Worker, assign, new_worker
from noughts.engine.ultimate.network import Network
from noughts.engine.ultimate.tree import DRAW, LOSS, OPEN, WIN, Tree, new_tree, plant

__all__ = ["ROOM", "check_proofs", "grow_alone", "grow_together", "tree_of", "walk", "worker_of"]

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


def grow_together(
    tree: Tree,
    network: Network,
    simulations: int,
    judge: int,
    curiosity: float,
    *,
    helpers: int = 1,
    seed: int = 0,
) -> tuple[Desk, list[Worker]]:
    """Grow a tree with helpers, each of whom has come before the first simulation.

    Returns the desk as they left it, and the workers, the leader first.
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

    threads = [Thread(target=help_out, args=(i,), daemon=True) for i in range(helpers)]
    for thread in threads:
        thread.start()
    while not all(desk.leaves[1:]["status"][:, 0]):
        pass
    grow(tree, network, workers[0], desk, judge, curiosity)
    for worker in workers[1:]:
        worker.counters[STOP] = 1
    for thread in threads:
        thread.join()
    return desk, workers


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
