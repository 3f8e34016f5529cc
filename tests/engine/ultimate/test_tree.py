"""The tree: proofs and their plies, implicit minimax values, and reuse between moves."""

from __future__ import annotations

from itertools import islice

import pytest

from noughts import UltimatePosition, Variant
from noughts.engine.ultimate.expansion import NETWORK, PLAYOUT
from noughts.engine.ultimate.network import Network, blank_network
from noughts.engine.ultimate.tree import DRAW, LOSS, WIN, Tree, copy_subtree, new_tree, proved_value
from support.search_trees import grow_alone, grow_together, tree_of, walk, workspace_of
from support.ultimate_endgames import endgames, midgames


def test_proved_plies_are_the_length_of_the_play_below() -> None:
    """From a proved node the quickest win and the longest defence lead to the end in time."""
    for seed, position in enumerate(islice(endgames(Variant.STANDARD, 8, 44), 20)):
        tree, workspace = tree_of(position), workspace_of(seed, 1500)
        grow_alone(tree, blank_network(), workspace, PLAYOUT, 0.7)
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


@pytest.mark.parametrize("workers", [0, 1])
def test_implicit_minimax_values(workers: int, network: Network) -> None:
    middle = islice(midgames(Variant.STANDARD, 8), 8)
    late = islice(endgames(Variant.STANDARD, 20, 8), 8)
    for seed, position in enumerate((*middle, *late)):
        tree = tree_of(position)
        tree.draws[:] = 0.6, 0.4
        grow_together(tree, network, 400, NETWORK, 0.2, workers=workers, seed=seed)

        def value(node: int, tree: Tree = tree) -> float:
            record = tree.nodes[node]
            first, count = int(record["first"]), int(record["count"])
            if not count:
                return float(record["evaluation"])
            return 1 - max(value(child) for child in range(first, first + count))

        for node, _ in walk(tree, position):
            assert tree.nodes[node]["minimax"] == pytest.approx(value(node), abs=1e-5)


@pytest.mark.parametrize("workers", [0, 1])
def test_copying_a_subtree(workers: int, network: Network) -> None:
    """Also where threads left gaps between what they added."""
    for seed, position in enumerate(islice(midgames(Variant.STANDARD, 46), 4)):
        tree = tree_of(position)
        grow_together(tree, network, 500, NETWORK, 0.3, workers=workers, seed=seed)
        used = sum(1 for _ in walk(tree, position))
        nodes = [(node, reached) for node, reached in walk(tree, position) if node]
        root, reached = max(nodes, key=lambda found: int(tree.nodes[found[0]]["visits"]))
        target = tree_of(reached)
        count = copy_subtree(tree.nodes, root, target.nodes)
        original = list(walk(tree, reached, root))
        assert count == len(original) < used
        fields = [
            "total",
            "visits",
            "evaluation",
            "prior",
            "minimax",
            "count",
            "move",
            "proof",
            "plies",
        ]
        for (here, position_here), (there, position_there) in zip(
            original, walk(target, reached), strict=True
        ):
            assert position_here == position_there
            assert list(tree.nodes[fields][here]) == list(target.nodes[fields][there])


def test_nodes_that_do_not_fit_are_not_copied() -> None:
    start = UltimatePosition.start()
    tree, workspace = tree_of(start), workspace_of(1, 500)
    grow_alone(tree, blank_network(), workspace, PLAYOUT, 0.7)
    for room in (1, 81, 82, 500):
        target = tree_of(start, room)
        count = copy_subtree(tree.nodes, 0, target.nodes)
        assert count <= room
        assert sum(1 for _ in walk(target, start)) == count


def test_scores_of_proofs() -> None:
    tree = new_tree(1)
    assert [proved_value(tree, proof, 1) for proof in (LOSS, DRAW, WIN)] == [0.0, 0.5, 1.0]
    tree.draws[:] = 0.6, 0.4  # the side to move at the root has contempt
    assert [proved_value(tree, DRAW, depth) for depth in (0, 1, 2, 3)] == [0.6, 0.4, 0.6, 0.4]
