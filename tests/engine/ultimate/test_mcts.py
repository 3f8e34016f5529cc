"""Growing the tree, alone and with helpers: what is proved is true, and everything adds up."""

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
from noughts.engine.ultimate.mcts import FREE, READY, assist, grow, new_desk
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
    worker_of,
)
from support.strategies import VARIANTS
from support.ultimate_endgames import endgames, midgames


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_playouts_prove_is_true(variant: Variant) -> None:
    roots = 0
    for seed, position in enumerate(islice(endgames(variant, 8, 41), 20)):
        tree, worker = tree_of(position), worker_of(seed, 1500)
        grow_alone(tree, blank_network(), worker, PLAYOUT, 0.7)
        assert check_proofs(tree, position) > 0
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 15


def test_what_a_network_proves_is_true(network: Network) -> None:
    """Whatever the network says: this one knows nothing."""
    roots = 0
    for seed, position in enumerate(islice(endgames(Variant.STANDARD, 8, 42), 30)):
        tree, worker = tree_of(position), worker_of(seed, 1500)
        grow_alone(tree, network, worker, NETWORK, 0.5)
        check_proofs(tree, position)
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 25


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_proved_with_helpers_is_true(variant: Variant) -> None:
    roots = 0
    for seed, position in enumerate(islice(endgames(variant, 8, 43), 10)):
        tree = tree_of(position)
        grow_together(tree, blank_network(), 2000, PLAYOUT, 0.7, seed=seed)
        assert check_proofs(tree, position) > 0
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 5


def test_what_a_network_proves_with_helpers_is_true(network: Network) -> None:
    roots = 0
    for seed, position in enumerate(islice(endgames(Variant.STANDARD, 8, 47), 20)):
        tree = tree_of(position)
        grow_together(tree, network, 1500, NETWORK, 0.5, helpers=1 + seed % 3, seed=seed)
        check_proofs(tree, position)
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 15


def check_sums(tree: Tree, position: UltimatePosition, judge: int, *, waiting: int = 0) -> None:
    """Check that every result is in the node where it was found, and in all above it.

    Of leaves that are waiting to be judged, their first guess is in all above them.
    """
    nodes = tree.nodes
    for node, reached in walk(tree, position):
        visits, total = int(nodes[node]["visits"]), float(nodes[node]["total"])
        assert -1e-6 <= total <= visits + 1e-6
        first, count = int(nodes[node]["first"]), int(nodes[node]["count"])
        if first < 0:
            waiting -= 1
            assert (visits, total, count) == (1, 0.0, 0)
        if not count or int(nodes[node]["proof"]) != OPEN:  # of what is proved its worth counts
            continue
        below = nodes[first : first + count]
        # The first visit gave it its children; of playouts, the second, but for the root.
        own = 1 if judge == NETWORK or node == 0 else 2
        assert visits == int(below["visits"].sum()) + own, reached
        expected = below["guess"][below["first"] < 0].sum()
        brought = total + float(expected - (below["visits"] - below["total"]).sum())
        if judge == NETWORK:
            assert brought == pytest.approx(1 - float(below["guess"].max()), abs=1e-5), reached
        else:
            assert min(abs(brought - half / 2) for half in range(2 * own + 1)) < 1e-5, reached
    assert waiting == 0


@pytest.mark.parametrize("helpers", [0, 1, 3])
@pytest.mark.parametrize("judge", [PLAYOUT, NETWORK])
def test_visits_and_results_add_up(judge: int, helpers: int, network: Network) -> None:
    middle = islice(midgames(Variant.STANDARD, 45), 4)
    late = islice(endgames(Variant.STANDARD, 16, 46), 4)
    for seed, position in enumerate((*middle, *late)):
        tree = tree_of(position, 10 * ROOM)
        workers = grow_together(tree, network, 1500, judge, 0.6, helpers=helpers, seed=seed)
        simulations = int(workers[0].counters[SIMULATIONS])
        assert int(tree.nodes[0]["visits"]) == simulations
        assert simulations == 1500 or int(tree.nodes[0]["proof"]) != OPEN
        check_sums(tree, position, judge)


@pytest.mark.parametrize("judge", [PLAYOUT, NETWORK])
def test_helpers_take_their_part(judge: int, network: Network) -> None:
    """Nodes in a helper's region are those that it made; all that anybody made is reached."""
    helped = 0
    for position in islice(midgames(Variant.STANDARD, 48), 3):
        tree = tree_of(position, 10 * ROOM)
        leader, helper = grow_together(tree, network, 3000, judge, 0.6)
        border = int(leader.counters[END])
        made = (int(leader.counters[USED]) - 1) + (int(helper.counters[USED]) - border)
        reached = {node for node, _ in walk(tree, position)}
        assert len(reached) - 1 == made
        helped += int(helper.counters[USED]) - border
    assert helped > 3 * 81, "more than the roots' children"


def test_the_leader_goes_on_while_leaves_are_judged(network: Network) -> None:
    """It fills the desk of a helper that is slow, and everything adds up then and later.

    Sometimes it wants to go on below a leaf that is there, and waits sooner.
    """
    filled = 0
    for seed, position in enumerate(islice(midgames(Variant.STANDARD, 50), 5)):
        tree, leader, helper = (
            tree_of(position),
            worker_of(seed, 400),
            worker_of(seed, 0, ROOM // 2),
        )
        grow_alone(tree, network, leader, NETWORK, 0.3)
        leader.counters[LIMIT] = 420
        desk = new_desk(1)
        desk.leaves["status"][1:] = FREE
        lead = start_thread(partial(grow, tree, network, leader, desk, NETWORK, 0.3))
        done, waiting = 0, 0
        while done < leader.counters[SIMULATIONS] or not waiting:
            done = int(leader.counters[SIMULATIONS])
            time.sleep(0.2)  # until it waits for the helper
            waiting = int((desk.leaves["status"] == READY).sum())
        if done == 420:  # else it is in the middle of a simulation
            check_sums(tree, position, NETWORK, waiting=waiting)
            filled += waiting == len(desk.leaves) - 1
        assert lead.is_alive()
        while lead.is_alive():  # which ends when no leaf comes for a while
            assist(tree, network, helper, desk, 0, NETWORK)
        assert leader.counters[SIMULATIONS] == 420
        check_sums(tree, position, NETWORK)
    assert filled >= 2


def test_who_is_late_does_not_keep_the_others_from_helping(network: Network) -> None:
    position = next(midgames(Variant.STANDARD, 51))
    tree, leader, helper = tree_of(position), worker_of(1, 2000), worker_of(2, 0, ROOM // 2)
    leader.counters[END] = ROOM // 2
    desk = new_desk(2)
    desk.leaves["status"][2::2] = FREE  # the places of the second helper
    lead = start_thread(partial(grow, tree, network, leader, desk, NETWORK, 0.3))
    while lead.is_alive():
        assist(tree, network, helper, desk, 1, NETWORK)
    assert helper.counters[USED] > ROOM // 2
    check_sums(tree, position, NETWORK)


@pytest.mark.parametrize("helpers", [0, 1])
@pytest.mark.parametrize("judge", [PLAYOUT, NETWORK])
def test_an_end_at_any_time_leaves_nothing_behind(
    judge: int, helpers: int, network: Network
) -> None:
    for seed, position in enumerate(islice(midgames(Variant.STANDARD, 52), 4)):
        tree = tree_of(position, 10 * ROOM)
        workers = grow_together(
            tree, network, 1 << 40, judge, 0.5, helpers=helpers, seed=seed, seconds=0.02
        )
        assert int(tree.nodes[0]["visits"]) == int(workers[0].counters[SIMULATIONS]) > 0


def test_nothing_is_left_for_who_has_not_come(network: Network) -> None:
    """The leader does not wait for a helper that may never start: it is as if it were alone."""
    position = next(midgames(Variant.STANDARD, 49))
    trees = [tree_of(position) for _ in range(2)]
    for tree, helpers in zip(trees, (0, 2), strict=True):
        worker, desk = worker_of(7, 900), new_desk(helpers)
        await_thread(start_thread(partial(grow, tree, network, worker, desk, NETWORK, 0.3)))
    reached = [list(walk(tree, position)) for tree in trees]
    assert reached[0] == reached[1]
    used = 1 + max(node for node, _ in reached[0])
    assert np.array_equal(trees[0].nodes[:used], trees[1].nodes[:used])


def test_a_wish_for_an_end_is_heard() -> None:
    tree, worker = tree_of(UltimatePosition.start()), worker_of(1, 1000)
    worker.counters[STOP] = 1
    grow_alone(tree, blank_network(), worker, PLAYOUT, 0.7)
    assert worker.counters[SIMULATIONS] == 0


@pytest.mark.parametrize("judge", [PLAYOUT, NETWORK])
@pytest.mark.parametrize("room", [1, 50, 82, 83, 1000])
@pytest.mark.parametrize("helpers", [0, 1])
def test_a_full_tree_is_no_accident(judge: int, room: int, helpers: int, network: Network) -> None:
    start = UltimatePosition.start()
    tree = tree_of(start, room)
    workers = grow_together(tree, network, 500, judge, 0.5, helpers=helpers)
    assert workers[0].counters[SIMULATIONS] == 500
    assert int(tree.nodes[0]["visits"]) == 500
    share = (room - 1) // (1 + helpers)
    made = sum(int(each.counters[USED]) - 1 - i * share for i, each in enumerate(workers))
    assert sum(1 for _ in walk(tree, start)) - 1 == made <= room - 1
