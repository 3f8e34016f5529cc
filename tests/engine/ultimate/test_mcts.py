"""Simulations on one thread and on several: proofs are true, and visits and values add up."""

from __future__ import annotations

import time
from functools import partial
from itertools import islice

import numpy as np
import pytest

from noughts import UltimatePosition, Variant
from noughts.engine.ultimate.expansion import (
    END,
    LIMIT,
    NETWORK,
    PLAYOUT,
    SIMULATIONS,
    STOP,
    USED,
)
from noughts.engine.ultimate.mcts import FREE, READY, evaluate_leaves, new_queue, run_simulations
from noughts.engine.ultimate.network import Network, blank_network
from noughts.engine.ultimate.tree import OPEN, Tree
from support.search_trees import (
    ROOM,
    await_thread,
    check_proofs,
    grow_alone,
    grow_together,
    start_thread,
    tree_of,
    walk,
    workspace_of,
)
from support.strategies import VARIANTS
from support.ultimate_endgames import endgames, midgames


@pytest.mark.parametrize("variant", VARIANTS)
def test_proofs_with_playouts_are_true(variant: Variant) -> None:
    roots = 0
    for seed, position in enumerate(islice(endgames(variant, 8, 41), 20)):
        tree, workspace = tree_of(position), workspace_of(seed, 1500)
        grow_alone(tree, blank_network(), workspace, PLAYOUT, 0.7)
        assert check_proofs(tree, position) > 0
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 15


def test_proofs_with_a_network_are_true(network: Network) -> None:
    """Whatever the network says: this one is random."""
    roots = 0
    for seed, position in enumerate(islice(endgames(Variant.STANDARD, 8, 42), 30)):
        tree, workspace = tree_of(position), workspace_of(seed, 1500)
        grow_alone(tree, network, workspace, NETWORK, 0.5)
        check_proofs(tree, position)
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 25


@pytest.mark.parametrize("variant", VARIANTS)
def test_proofs_of_several_threads_are_true(variant: Variant) -> None:
    roots = 0
    for seed, position in enumerate(islice(endgames(variant, 8, 43), 10)):
        tree = tree_of(position)
        grow_together(tree, blank_network(), 2000, PLAYOUT, 0.7, seed=seed)
        assert check_proofs(tree, position) > 0
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 5


def test_proofs_of_several_threads_with_a_network_are_true(network: Network) -> None:
    roots = 0
    for seed, position in enumerate(islice(endgames(Variant.STANDARD, 8, 47), 20)):
        tree = tree_of(position)
        grow_together(tree, network, 1500, NETWORK, 0.5, workers=1 + seed % 3, seed=seed)
        check_proofs(tree, position)
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 15


def check_sums(tree: Tree, position: UltimatePosition, evaluator: int, *, waiting: int = 0) -> None:
    """Check that every value is in its node and in all nodes above.

    Of leaves in the queue, the first evaluation is in the nodes above.
    """
    nodes = tree.nodes
    for node, reached in walk(tree, position):
        visits, total = int(nodes[node]["visits"]), float(nodes[node]["total"])
        assert -1e-6 <= total <= visits + 1e-6
        first, count = int(nodes[node]["first"]), int(nodes[node]["count"])
        if first < 0:
            waiting -= 1
            assert (visits, total, count) == (1, 0.0, 0)
        if not count or int(nodes[node]["proof"]) != OPEN:  # proved nodes count their proved value
            continue
        below = nodes[first : first + count]
        # The first visit gave it its children; of playouts, the second, but for the root.
        own = 1 if evaluator == NETWORK or node == 0 else 2
        assert visits == int(below["visits"].sum()) + own, reached
        expected = below["evaluation"][below["first"] < 0].sum()
        brought = total + float(expected - (below["visits"] - below["total"]).sum())
        if evaluator == NETWORK:
            assert brought == pytest.approx(1 - float(below["evaluation"].max()), abs=1e-5), reached
        else:
            assert min(abs(brought - half / 2) for half in range(2 * own + 1)) < 1e-5, reached
    assert waiting == 0


@pytest.mark.parametrize("workers", [0, 1, 3])
@pytest.mark.parametrize("evaluator", [PLAYOUT, NETWORK])
def test_visits_and_results_add_up(evaluator: int, workers: int, network: Network) -> None:
    middle = islice(midgames(Variant.STANDARD, 45), 4)
    late = islice(endgames(Variant.STANDARD, 16, 46), 4)
    for seed, position in enumerate((*middle, *late)):
        tree = tree_of(position, 10 * ROOM)
        workspaces = grow_together(tree, network, 1500, evaluator, 0.6, workers=workers, seed=seed)
        simulations = int(workspaces[0].counters[SIMULATIONS])
        assert int(tree.nodes[0]["visits"]) == simulations
        assert simulations == 1500 or int(tree.nodes[0]["proof"]) != OPEN
        check_sums(tree, position, evaluator)


@pytest.mark.parametrize("evaluator", [PLAYOUT, NETWORK])
def test_workers_expand_leaves(evaluator: int, network: Network) -> None:
    """A worker's nodes are in its range of the tree; every node that was made is in the tree."""
    helped = 0
    for position in islice(midgames(Variant.STANDARD, 48), 30):  # on a busy machine; else 3
        tree = tree_of(position, 10 * ROOM)
        leader, worker = grow_together(tree, network, 3000, evaluator, 0.6)
        border = int(leader.counters[END])
        made = (int(leader.counters[USED]) - 1) + (int(worker.counters[USED]) - border)
        reached = {node for node, _ in walk(tree, position)}
        assert len(reached) - 1 == made
        helped += int(worker.counters[USED]) - border
        if helped > 3 * 81:  # more than the roots' children
            return
    pytest.fail("the worker expanded too little")


def test_the_leader_goes_on_while_leaves_are_expanded(network: Network) -> None:
    """It fills the queue of a slow worker, and everything adds up then and later.

    Sometimes it selects a leaf in the queue, and waits sooner.
    """
    filled = 0
    for seed, position in enumerate(islice(midgames(Variant.STANDARD, 50), 5)):
        tree, leader, worker = (
            tree_of(position),
            workspace_of(seed, 400),
            workspace_of(seed, 0, ROOM // 2),
        )
        grow_alone(tree, network, leader, NETWORK, 0.3)
        leader.counters[LIMIT] = 420
        queue = new_queue(1)
        queue.leaves["status"][1:] = FREE
        lead = start_thread(partial(run_simulations, tree, network, leader, queue, NETWORK, 0.3))
        done, waiting = 0, 0
        while done < leader.counters[SIMULATIONS] or not waiting:
            done = int(leader.counters[SIMULATIONS])
            time.sleep(0.2)  # until it waits for the worker
            waiting = int((queue.leaves["status"] == READY).sum())
        if done == 420:  # else it is in the middle of a simulation
            check_sums(tree, position, NETWORK, waiting=waiting)
            filled += waiting == len(queue.leaves) - 1
        assert lead.is_alive()
        while lead.is_alive():  # which ends when no leaf comes for a while
            evaluate_leaves(tree, network, worker, queue, 0, NETWORK)
        assert leader.counters[SIMULATIONS] == 420
        check_sums(tree, position, NETWORK)
    assert filled >= 2


def test_a_worker_that_starts_late_does_not_block_the_others(network: Network) -> None:
    position = next(midgames(Variant.STANDARD, 51))
    tree, leader, worker = tree_of(position), workspace_of(1, 2000), workspace_of(2, 0, ROOM // 2)
    leader.counters[END] = ROOM // 2
    queue = new_queue(2)
    queue.leaves["status"][2::2] = FREE  # the slots of the second worker
    lead = start_thread(partial(run_simulations, tree, network, leader, queue, NETWORK, 0.3))
    while lead.is_alive():
        evaluate_leaves(tree, network, worker, queue, 1, NETWORK)
    assert worker.counters[USED] > ROOM // 2
    check_sums(tree, position, NETWORK)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("evaluator", [PLAYOUT, NETWORK])
def test_stopping_at_any_time_leaves_no_leaf_in_the_queue(
    evaluator: int, workers: int, network: Network
) -> None:
    for seed, position in enumerate(islice(midgames(Variant.STANDARD, 52), 4)):
        tree = tree_of(position, 10 * ROOM)
        workspaces = grow_together(
            tree, network, 1 << 40, evaluator, 0.5, workers=workers, seed=seed, seconds=0.02
        )
        assert int(tree.nodes[0]["visits"]) == int(workspaces[0].counters[SIMULATIONS]) > 0


def test_no_leaf_is_left_for_a_worker_that_has_not_started(network: Network) -> None:
    """The leader does not wait for a worker that may never start: it works as if alone."""
    position = next(midgames(Variant.STANDARD, 49))
    trees = [tree_of(position) for _ in range(2)]
    for tree, workers in zip(trees, (0, 2), strict=True):
        workspace, queue = workspace_of(7, 900), new_queue(workers)
        await_thread(
            start_thread(partial(run_simulations, tree, network, workspace, queue, NETWORK, 0.3))
        )
    reached = [list(walk(tree, position)) for tree in trees]
    assert reached[0] == reached[1]
    used = 1 + max(node for node, _ in reached[0])
    assert np.array_equal(trees[0].nodes[:used], trees[1].nodes[:used])


def test_stop_is_obeyed() -> None:
    tree, workspace = tree_of(UltimatePosition.start()), workspace_of(1, 1000)
    workspace.counters[STOP] = 1
    grow_alone(tree, blank_network(), workspace, PLAYOUT, 0.7)
    assert workspace.counters[SIMULATIONS] == 0


@pytest.mark.parametrize("evaluator", [PLAYOUT, NETWORK])
@pytest.mark.parametrize("room", [1, 50, 82, 83, 1000])
@pytest.mark.parametrize("workers", [0, 1])
def test_a_full_tree_is_searched_on(
    evaluator: int, room: int, workers: int, network: Network
) -> None:
    start = UltimatePosition.start()
    tree = tree_of(start, room)
    workspaces = grow_together(tree, network, 500, evaluator, 0.5, workers=workers)
    assert workspaces[0].counters[SIMULATIONS] == 500
    assert int(tree.nodes[0]["visits"]) == 500
    share = (room - 1) // (1 + workers)
    made = sum(int(each.counters[USED]) - 1 - i * share for i, each in enumerate(workspaces))
    assert sum(1 for _ in walk(tree, start)) - 1 == made <= room - 1
