"""Expansion: the evaluations of children, and where they are written."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from noughts import Player, UltimatePosition, Variant
from noughts.engine.ultimate.board import state_of
from noughts.engine.ultimate.expansion import (
    LEAF,
    NETWORK,
    PLAYOUT,
    USED,
    expand,
)
from noughts.engine.ultimate.network import Network
from noughts.engine.ultimate.tree import OPEN
from noughts.kernels import CACHE_LINE
from support.search_trees import grow_alone, tree_of, walk, workspace_of
from support.ultimate_endgames import endgames, midgames


def test_a_leaf_fills_a_cache_line() -> None:
    """So a thread that hands it on moves one line, and writing the next leaf disturbs no other."""
    assert LEAF.itemsize == CACHE_LINE


@pytest.mark.parametrize("evaluator", [PLAYOUT, NETWORK])
def test_expansion_writes_children_and_nothing_else(evaluator: int, network: Network) -> None:
    for seed, position in enumerate(islice(midgames(Variant.STANDARD, 61), 5)):
        tree, workspace = tree_of(position), workspace_of(seed, 50)
        grow_alone(tree, network, workspace, evaluator, 0.5)
        used = int(workspace.counters[USED])
        before = tree.nodes.copy()
        leaf = np.zeros(1, LEAF).view(np.recarray)[0]
        leaf.depth, leaf.evaluation, leaf.has_children = 1, 0.5, True
        expand(tree, network, workspace, leaf, state_of(position), evaluator)
        count = int(leaf.count)
        assert (leaf.first, count) == (used, len(position.legal_moves))
        assert workspace.counters[USED] == used + count
        children = tree.nodes[used : used + count]
        assert sorted(map(int, children["move"])) == position.legal_moves
        assert 0.0 <= leaf.score <= 1.0
        assert tree.nodes[:used].tobytes() == before[:used].tobytes()
        assert tree.nodes[used + count :].tobytes() == before[used + count :].tobytes()
        assert leaf.proof == OPEN
        if evaluator == NETWORK:
            assert leaf.score == pytest.approx(leaf.minimax)
            assert leaf.minimax == pytest.approx(1 - float(children["evaluation"].max()))


LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def lines_left(position: UltimatePosition, player: Player) -> int:
    """Count the lines of boards that a side may still get."""

    def may_get(board: int) -> bool:
        if position.closed >> board & 1:
            return bool(position.captured[player is Player.O] >> board & 1)
        theirs = (position.x if player is Player.O else position.o) >> 9 * board
        return any(not any(theirs >> cell & 1 for cell in line) for line in LINES)

    return sum(all(may_get(board) for board in line) for line in LINES)


def test_contempt_prefers_positions_with_many_lines(network: Network) -> None:
    """Evaluations by the draw score, and by the lines of boards that both sides may still get."""
    losses: dict[int, list[float]] = {}  # of the value of an even game, by the product of lines
    late = islice(endgames(Variant.STANDARD, 30, 5), 40)
    for position in (*islice(midgames(Variant.STANDARD, 5), 40), *late):
        trees = [tree_of(position) for _ in range(2)]
        trees[1].draws[:] = 0.7, 0.3
        for tree in trees:
            grow_alone(tree, network, workspace_of(1, 1), NETWORK, 0.2)
        for node, reached in list(walk(trees[0], position))[1:]:
            neutral, averse = (tree.nodes[node] for tree in trees)
            assert neutral["proof"] == averse["proof"]
            if neutral["proof"] != OPEN:
                continue
            assert 0.0 < averse["evaluation"] < neutral["evaluation"] < averse["evaluation"] + 0.2
            mine, theirs = (lines_left(reached, player) for player in Player)
            assert mine or theirs, "or it is a draw"
            share = 2 * min(neutral["evaluation"], 1 - neutral["evaluation"])
            lost = float(neutral["evaluation"] - averse["evaluation"]) / (0.2 * share)
            losses.setdefault(mine * theirs, []).append(lost)
    assert len(losses) > 10
    products = sorted(losses)
    for product in products:  # what was lost depends on nothing else
        assert max(losses[product]) - min(losses[product]) < 1e-3
    kept = [round(losses[product][0], 3) for product in products]
    assert kept == sorted(kept, reverse=True)
    assert kept[0] == 1.0
    assert kept[-1] == 0.45
