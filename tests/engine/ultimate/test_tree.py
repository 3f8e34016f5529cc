"""What the tree search calls proved, against plain minimax; and what it keeps between moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from threading import Thread

import pytest

from endgames import endgames, midgames, minimax
from noughts import UltimatePosition, Variant
from noughts.engine.ultimate.board import state_of
from noughts.engine.ultimate.tree import (
    DRAW,
    LOSS,
    OPEN,
    SIMULATIONS,
    STOP,
    USED,
    WIN,
    Tree,
    Worker,
    assign,
    grow,
    keep_below,
    new_tree,
    new_worker,
    plant,
)
from strategies import VARIANTS

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


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_playouts_prove_is_true(variant: Variant) -> None:
    roots = 0
    for seed, position in enumerate(islice(endgames(variant, 8, 41), 20)):
        tree, worker = tree_of(position), worker_of(seed, 1500)
        grow(tree, worker)
        assert check_proofs(tree, position) > 0
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 15


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_two_threads_prove_is_true(variant: Variant) -> None:
    for position in islice(endgames(variant, 8, 43), 10):
        tree = tree_of(position)
        workers = [worker_of(1, 1000, 1, ROOM // 2), worker_of(2, 1000, ROOM // 2, ROOM)]
        threads = [Thread(target=grow, args=(tree, worker)) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check_proofs(tree, position)


def test_proved_plies_are_the_length_of_the_play_below() -> None:
    """From a proved node the quickest win and the longest defence lead to the end in time."""
    for seed, position in enumerate(islice(endgames(Variant.STANDARD, 8, 44), 20)):
        tree, worker = tree_of(position), worker_of(seed, 1500)
        grow(tree, worker)
        for node, _ in walk(tree, position):
            proof, plies = int(tree.nodes[node]["proof"]), int(tree.nodes[node]["plies"])
            first, count = int(tree.nodes[node]["first"]), int(tree.nodes[node]["count"])
            below = tree.nodes[first : first + count]
            if proof == LOSS and count:
                assert plies == 1 + below["plies"][below["proof"] == WIN].min()
            elif proof == WIN and count:
                assert (below["proof"] == LOSS).all()
                assert plies == 1 + below["plies"].max()
            elif proof == DRAW and count:
                assert set(below["proof"]) <= {DRAW, LOSS}


def test_visits_and_results_add_up() -> None:
    for seed, position in enumerate(islice(midgames(Variant.STANDARD, 45), 5)):
        tree, worker = tree_of(position), worker_of(seed, 400)
        grow(tree, worker)
        simulations = int(worker.counters[SIMULATIONS])
        assert int(tree.nodes[0]["visits"]) == simulations
        assert simulations == 400 or int(tree.nodes[0]["proof"]) != OPEN
        for node, reached in walk(tree, position):
            visits, total = int(tree.nodes[node]["visits"]), float(tree.nodes[node]["total"])
            assert 0.0 <= total <= visits + 1e-6
            first, count = int(tree.nodes[node]["first"]), int(tree.nodes[node]["count"])
            if count:
                below = int(tree.nodes["visits"][first : first + count].sum())
                own = 1 if node == 0 else 2  # the second visit gave it its children
                assert visits == below + own, reached


def test_a_wish_for_an_end_is_heard() -> None:
    tree, worker = tree_of(UltimatePosition.start()), worker_of(1, 1000)
    worker.counters[STOP] = 1
    grow(tree, worker)
    assert worker.counters[SIMULATIONS] == 0


@pytest.mark.parametrize("room", [1, 50, 82, 83, 1000])
def test_a_full_tree_is_no_accident(room: int) -> None:
    start = UltimatePosition.start()
    tree, worker = tree_of(start, room), worker_of(1, 3000, 1, room)
    grow(tree, worker)
    assert worker.counters[SIMULATIONS] == 3000
    assert worker.counters[USED] <= room
    assert sum(1 for _ in walk(tree, start)) == worker.counters[USED]


def test_what_is_below_a_node_is_kept() -> None:
    for seed, position in enumerate(islice(midgames(Variant.OPEN, 46), 4)):
        tree, worker = tree_of(position), worker_of(seed, 500)
        grow(tree, worker)
        used = int(worker.counters[USED])
        nodes = [(node, reached) for node, reached in walk(tree, position) if node]
        root, reached = max(nodes, key=lambda found: int(tree.nodes[found[0]]["visits"]))
        target = tree_of(reached)
        count = keep_below(tree.nodes, root, target.nodes)
        original = list(walk(tree, reached, root))
        assert count == len(original) < used
        fields = ["total", "visits", "count", "move", "proof", "plies"]
        for (here, position_here), (there, position_there) in zip(
            original, walk(target, reached), strict=True
        ):
            assert position_here == position_there
            assert list(tree.nodes[fields][here]) == list(target.nodes[fields][there])


def test_what_does_not_fit_is_left_out() -> None:
    start = UltimatePosition.start()
    tree, worker = tree_of(start), worker_of(1, 500)
    grow(tree, worker)
    for room in (1, 81, 82, 500):
        target = tree_of(start, room)
        count = keep_below(tree.nodes, 0, target.nodes)
        assert count <= room
        assert sum(1 for _ in walk(target, start)) == count
