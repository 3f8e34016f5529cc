"""What the tree search calls proved, against plain minimax; and what it keeps between moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from threading import Thread

import pytest

from endgames import endgames, midgames, minimax
from noughts import Player, UltimatePosition, Variant
from noughts.engine.ultimate.board import state_of
from noughts.engine.ultimate.network import (
    Network,
    blank_network,
)
from noughts.engine.ultimate.tree import (
    DRAW,
    LOSS,
    NETWORK,
    OPEN,
    PLAYOUT,
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
    worth,
)
from strategies import VARIANTS

ROOM = 20_000
RANK = {WIN: 1, DRAW: 0, LOSS: -1}


def tree_of(position: UltimatePosition, room: int = ROOM) -> Tree:
    tree = new_tree(room)
    plant(tree, state_of(position))
    return tree


def worker_of(
    seed: int, simulations: int, begin: int = 1, end: int = ROOM, *, alone: bool = True
) -> Worker:
    worker = new_worker(seed)
    assign(worker, simulations, begin, end, alone=alone)
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
        grow(tree, blank_network(), worker, PLAYOUT, 0.7)
        assert check_proofs(tree, position) > 0
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 15


def test_what_a_network_proves_is_true(network: Network) -> None:
    """Whatever the network says: this one knows nothing."""
    roots = 0
    for seed, position in enumerate(islice(endgames(Variant.STANDARD, 8, 42), 30)):
        tree, worker = tree_of(position), worker_of(seed, 1500)
        grow(tree, network, worker, NETWORK, 0.5)
        check_proofs(tree, position)
        roots += int(tree.nodes[0]["proof"]) != OPEN
    assert roots >= 25


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_two_threads_prove_is_true(variant: Variant) -> None:
    for position in islice(endgames(variant, 8, 43), 10):
        tree = tree_of(position)
        workers = [
            worker_of(seed, 1000, begin, begin + ROOM // 2 - 1, alone=False)
            for seed, begin in ((1, 1), (2, ROOM // 2))
        ]
        threads = [
            Thread(target=grow, args=(tree, blank_network(), worker, PLAYOUT, 0.7))
            for worker in workers
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check_proofs(tree, position)


def test_proved_plies_are_the_length_of_the_play_below() -> None:
    """From a proved node the quickest win and the longest defence lead to the end in time."""
    for seed, position in enumerate(islice(endgames(Variant.STANDARD, 8, 44), 20)):
        tree, worker = tree_of(position), worker_of(seed, 1500)
        grow(tree, blank_network(), worker, PLAYOUT, 0.7)
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


@pytest.mark.parametrize(("alone", "planned"), [(True, 400), (False, 2500)])
@pytest.mark.parametrize("judge", [PLAYOUT, NETWORK])
def test_visits_and_results_add_up(judge: int, alone: bool, planned: int, network: Network) -> None:
    """Errands too leave nothing behind that did not happen; these go beyond the root."""
    room = 50 * planned
    for seed, position in enumerate(islice(midgames(Variant.STANDARD, 45), 5)):
        tree = tree_of(position, room)
        worker = worker_of(seed, planned, end=room, alone=alone)
        grow(tree, network, worker, judge, 0.6)
        simulations = int(worker.counters[SIMULATIONS])
        assert int(tree.nodes[0]["visits"]) == simulations
        assert simulations == planned or int(tree.nodes[0]["proof"]) != OPEN
        for node, reached in walk(tree, position):
            visits, total = int(tree.nodes[node]["visits"]), float(tree.nodes[node]["total"])
            assert 0.0 <= total <= visits + 1e-6
            first, count = int(tree.nodes[node]["first"]), int(tree.nodes[node]["count"])
            if count:
                below = int(tree.nodes["visits"][first : first + count].sum())
                # The first visit gave it its children; of playouts, the second, but for the root.
                own = 1 if judge == NETWORK or node == 0 else 2
                assert visits == below + own, reached


def test_an_errand_that_ends_early_takes_back_its_visits(network: Network) -> None:
    """It ends with a proof of its hub, here of the root."""
    proved = 0
    for seed, position in enumerate(islice(endgames(Variant.STANDARD, 16, 46), 20)):
        tree, worker = (
            tree_of(position, 10 * ROOM),
            worker_of(seed, 5000, end=10 * ROOM, alone=False),
        )
        grow(tree, network, worker, NETWORK, 0.3)
        simulations = int(worker.counters[SIMULATIONS])
        assert int(tree.nodes[0]["visits"]) == simulations
        proved += simulations > 50 and int(tree.nodes[0]["proof"]) != OPEN
    assert proved >= 5


@pytest.mark.parametrize("alone", [True, False])
def test_foresight_is_the_minimax_of_first_guesses(alone: bool, network: Network) -> None:
    middle = islice(midgames(Variant.STANDARD, 8), 8)
    late = islice(endgames(Variant.STANDARD, 20, 8), 8)
    for seed, position in enumerate((*middle, *late)):
        tree = tree_of(position)
        tree.draws[:] = 0.6, 0.4
        grow(tree, network, worker_of(seed, 400, alone=alone), NETWORK, 0.2)

        def value(node: int, tree: Tree = tree) -> float:
            record = tree.nodes[node]
            first, count = int(record["first"]), int(record["count"])
            if not count:
                return float(record["guess"])
            return 1 - max(value(child) for child in range(first, first + count))

        for node, _ in walk(tree, position):
            assert tree.nodes[node]["best"] == pytest.approx(value(node), abs=1e-5)


def test_a_wish_for_an_end_is_heard() -> None:
    tree, worker = tree_of(UltimatePosition.start()), worker_of(1, 1000)
    worker.counters[STOP] = 1
    grow(tree, blank_network(), worker, PLAYOUT, 0.7)
    assert worker.counters[SIMULATIONS] == 0


@pytest.mark.parametrize("judge", [PLAYOUT, NETWORK])
@pytest.mark.parametrize("room", [1, 50, 82, 83, 1000])
def test_a_full_tree_is_no_accident(judge: int, room: int, network: Network) -> None:
    start = UltimatePosition.start()
    tree, worker = tree_of(start, room), worker_of(1, 3000, 1, room)
    grow(tree, network, worker, judge, 0.5)
    assert worker.counters[SIMULATIONS] == 3000
    assert worker.counters[USED] <= room
    assert sum(1 for _ in walk(tree, start)) == worker.counters[USED]


def test_what_is_below_a_node_is_kept() -> None:
    for seed, position in enumerate(islice(midgames(Variant.OPEN, 46), 4)):
        tree, worker = tree_of(position), worker_of(seed, 500)
        grow(tree, blank_network(), worker, PLAYOUT, 0.7)
        used = int(worker.counters[USED])
        nodes = [(node, reached) for node, reached in walk(tree, position) if node]
        root, reached = max(nodes, key=lambda found: int(tree.nodes[found[0]]["visits"]))
        target = tree_of(reached)
        count = keep_below(tree.nodes, root, target.nodes)
        original = list(walk(tree, reached, root))
        assert count == len(original) < used
        fields = ["total", "visits", "guess", "prior", "count", "move", "proof", "plies"]
        for (here, position_here), (there, position_there) in zip(
            original, walk(target, reached), strict=True
        ):
            assert position_here == position_there
            assert list(tree.nodes[fields][here]) == list(target.nodes[fields][there])


def test_what_does_not_fit_is_left_out() -> None:
    start = UltimatePosition.start()
    tree, worker = tree_of(start), worker_of(1, 500)
    grow(tree, blank_network(), worker, PLAYOUT, 0.7)
    for room in (1, 81, 82, 500):
        target = tree_of(start, room)
        count = keep_below(tree.nodes, 0, target.nodes)
        assert count <= room
        assert sum(1 for _ in walk(target, start)) == count


def test_scores_of_proofs() -> None:
    tree = new_tree(1)
    assert [worth(tree, proof, 1) for proof in (LOSS, DRAW, WIN)] == [0.0, 0.5, 1.0]
    tree.draws[:] = 0.6, 0.4  # the side to move at the root would rather not draw
    assert [worth(tree, DRAW, depth) for depth in (0, 1, 2, 3)] == [0.6, 0.4, 0.6, 0.4]


LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def lines_left(position: UltimatePosition, player: Player) -> int:
    """Count the lines of boards that a side may still get."""

    def may_get(board: int) -> bool:
        if position.closed >> board & 1:
            return bool(position.captured[player is Player.O] >> board & 1)
        theirs = (position.x if player is Player.O else position.o) >> 9 * board
        return any(not any(theirs >> cell & 1 for cell in line) for line in LINES)

    return sum(all(may_get(board) for board in line) for line in LINES)


def test_who_dislikes_draws_likes_positions_with_many_lines(network: Network) -> None:
    """First guesses by what a draw is worth, and by the lines that are left to both sides."""
    losses: dict[int, list[float]] = {}  # of what an even game is worth, by the product of lines
    late = islice(endgames(Variant.STANDARD, 30, 5), 40)
    for position in (*islice(midgames(Variant.STANDARD, 5), 40), *late):
        trees = [tree_of(position) for _ in range(2)]
        trees[1].draws[:] = 0.7, 0.3
        for tree in trees:
            grow(tree, network, worker_of(1, 1), NETWORK, 0.2)
        for node, reached in list(walk(trees[0], position))[1:]:
            plain, wary = (tree.nodes[node] for tree in trees)
            assert plain["proof"] == wary["proof"]
            if plain["proof"] != OPEN:
                continue
            assert 0.0 < wary["guess"] < plain["guess"] < wary["guess"] + 0.2
            mine, theirs = (lines_left(reached, player) for player in Player)
            assert mine or theirs, "or it is a draw"
            share = 2 * min(plain["guess"], 1 - plain["guess"])
            lost = float(plain["guess"] - wary["guess"]) / (0.2 * share)
            losses.setdefault(mine * theirs, []).append(lost)
    assert len(losses) > 10
    products = sorted(losses)
    for product in products:  # what was lost depends on nothing else
        assert max(losses[product]) - min(losses[product]) < 1e-3
    kept = [round(losses[product][0], 3) for product in products]
    assert kept == sorted(kept, reverse=True)
    assert kept[0] == 1.0
    assert kept[-1] == 0.45
