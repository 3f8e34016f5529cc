"""The search of Ultimate: the tree from move to move, threads, and the answer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Any

from noughts.kernels import COMPILED, np, wrapping  # isort: skip  - says which extra is missing

from noughts.engine.supervisor import NO_NODE_LIMIT, Supervisor
from noughts.engine.ultimate.board import (
    SIDE,
    VARIANT,
    State,
    play,
    state_of,
)
from noughts.engine.ultimate.endgame import EndgameSolver
from noughts.engine.ultimate.expansion import (
    LIMIT,
    NETWORK,
    PLAYOUT,
    SIMULATIONS,
    STOP,
    USED,
    Workspace,
    new_workspace,
    prepare,
)
from noughts.engine.ultimate.mcts import (
    MAX_WORKERS,
    LeafQueue,
    evaluate_leaves,
    new_queue,
    run_simulations,
)
from noughts.engine.ultimate.network import Network, blank_network, load_network
from noughts.engine.ultimate.tree import (
    DRAW,
    LOSS,
    NODE,
    OPEN,
    WIN,
    Tree,
    copy_subtree,
    mean_value,
    new_tree,
    set_root,
)
from noughts.limits import Limits
from noughts.rules.ultimate import UltimatePosition, Variant
from noughts.values import Analysis, MoveValue, Value

__all__ = ["UltimateSearch"]

MEMORY = 1 << 30
C_PUCT, C_UCT = 0.3, 0.7  # exploration constants, with the network and with playouts
_IDLE_SLEEP = 0.0001  # seconds that a worker thread sleeps if it has had nothing to do
_VALUES = {OPEN: None, LOSS: Value.LOSS, DRAW: Value.DRAW, WIN: Value.WIN}


class UltimateSearch:
    """Searches positions of Ultimate and reuses the tree for a position that follows the last.

    The network knows only the standard rules: variants are evaluated by playouts. So are `plain`
    searches, which serve as a yardstick and do not solve endgames either.

    With `contempt` the draw score of the side to move is lower than a half by that much, so that
    it takes risks, which pays against weaker players.
    """

    def __init__(
        self,
        seed: int = 0,
        *,
        plain: bool = False,
        contempt: float = 0.0,
        network: Network | None = None,
        memory: int = MEMORY,
    ) -> None:
        self._seed = seed
        self._plain = plain
        self._contempt = contempt
        self._network = network
        self._capacity = memory // NODE.itemsize // 2
        self._tree = new_tree(self._capacity)
        self._spare = new_tree(self._capacity)
        self._used = 0
        self._has_gaps = False
        self._workspaces: list[Workspace] = []
        self._endgame = EndgameSolver(contempt)
        self._is_loaded = False

    def analyse(
        self,
        position: UltimatePosition,
        limits: Limits,
        cancelled: Event,
        on_progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Analyse an unfinished game until a limit is reached or `cancelled` is set."""
        self.load_kernels()
        supervisor = Supervisor(limits, cancelled)
        if not self._plain:
            solved = self._endgame.analyse(position, supervisor)
            if solved is not None:
                return solved

        def report() -> None:
            if on_progress is not None:
                on_progress(self._analysis(position, supervisor))

        self._move_root(position)
        self._run_simulations(supervisor, report)
        return self._analysis(position, supervisor)

    def load_kernels(self) -> None:
        """Load or compile the search, so that a clock that starts now does not count it."""
        if self._is_loaded:
            return
        self._is_loaded = True
        start = UltimatePosition.start()
        evaluator, network = self._evaluator(start.variant)
        self._endgame.load_kernels()
        self._move_root(start)
        self._run_simulations(Supervisor(Limits(nodes=1), Event()))
        self._workspaces[0].counters[STOP] = 1
        evaluate_leaves(self._tree, network, self._workspaces[0], new_queue(1), 0, evaluator)
        self._find(state_of(start.play(0)))  # what the second move of a game needs
        copy_subtree(self._tree.nodes, 0, self._spare.nodes)
        self.forget()

    def forget(self) -> None:
        """Forget the tree: the next position does not follow from the last one."""
        self._used = 0
        self._workspaces = []

    def _evaluator(self, variant: Variant) -> tuple[int, Network]:
        if self._plain or variant is not Variant.STANDARD:
            return PLAYOUT, blank_network()
        return NETWORK, self._network or load_network()

    # -- the root ------------------------------------------------------------------------

    def _move_root(self, position: UltimatePosition) -> None:
        """Make a position the root of the tree, and keep what is known below it."""
        state = state_of(position)
        if self._contempt and state[SIDE] != self._tree.start[SIDE]:
            self._used = 0  # the tree's draw scores are those of the other side
        node = self._find(state) if self._used else None
        if node is None:
            set_root(self._tree, state)
            self._used = 1
        elif node > 0 or self._has_gaps:
            self._used = copy_subtree(self._tree.nodes, node, self._spare.nodes)
            self._tree, self._spare = self._spare, self._tree
        self._has_gaps = False
        self._tree.start[:] = state
        self._tree.draws[:] = 0.5 + self._contempt, 0.5 - self._contempt
        if not _children(self._tree, 0):  # a dead game counts as proved, but moves are wanted
            self._tree.nodes[0]["proof"] = OPEN

    def _find(self, wanted: State) -> int | None:
        """Return the node of a position that is at most two moves away from the root."""
        frontier = [(0, self._tree.start)]
        for _ in range(3):
            deeper = []
            for node, state in frontier:
                if np.array_equal(state, wanted):
                    return node
                for child in _children(self._tree, node):
                    after = state.copy()
                    play(after, int(self._tree.nodes[child]["move"]))
                    deeper.append((child, after))
            frontier = deeper
        return None

    # -- simulations ---------------------------------------------------------------------

    def _run_simulations(
        self, supervisor: Supervisor, report: Callable[[], None] | None = None
    ) -> None:
        """Run simulations: one thread leads, the others are its workers."""
        evaluator, network = self._evaluator(Variant(int(self._tree.start[VARIANT])))
        exploration = C_PUCT if evaluator == NETWORK else C_UCT
        threads = min(supervisor.threads, 1 + MAX_WORKERS, _processors())
        while len(self._workspaces) < threads:
            self._workspaces.append(new_workspace(self._seed + len(self._workspaces)))
        share = (self._capacity - self._used) // threads
        workspaces = self._workspaces[:threads]
        for i, workspace in enumerate(workspaces):
            first = self._used + i * share
            prepare(workspace, 0, first, first + share)
        leader, *workers = workspaces

        def simulate(count: int, queue: LeafQueue) -> None:
            leader.counters[LIMIT] = count
            with wrapping():  # for this thread
                run_simulations(self._tree, network, leader, queue, evaluator, exploration)

        def lead(queue: LeafQueue) -> None:
            try:
                simulate(supervisor.limits.nodes or NO_NODE_LIMIT, queue)
            finally:  # not before, as the leader waits for the leaves in their slots
                for worker in workers:
                    worker.counters[STOP] = 1

        def work(number: int, queue: LeafQueue) -> None:
            while not workers[number].counters[STOP]:
                evaluate_leaves(self._tree, network, workers[number], queue, number, evaluator)
                time.sleep(_IDLE_SLEEP)

        def stop() -> None:
            leader.counters[STOP] = 1

        if not _children(self._tree, 0):  # every move gets a node, however little time is left
            simulate(1, new_queue(0))
        queue = new_queue(len(workers))
        working = [partial(work, number, queue) for number in range(len(workers))]
        try:
            supervisor.run([partial(lead, queue), *working], stop, report, led=True)
        finally:  # after Ctrl-C, too: the next analysis reuses this tree
            self._used = int(max(workspace.counters[USED] for workspace in workspaces))
            self._has_gaps = threads > 1  # between the ranges of threads

    # -- the answer ----------------------------------------------------------------------

    def _analysis(self, position: UltimatePosition, supervisor: Supervisor) -> Analysis:
        nodes = self._tree.nodes
        children = _children(self._tree, 0)
        if not children:  # the memory is too small for anything
            moves = tuple(MoveValue.estimated(move, 0.5) for move in position.legal_moves)
            return Analysis(position, moves, (moves[0].move,), unit="simulations")
        ordered = _best_first(nodes, children, 0.5 - self._contempt)
        return Analysis(
            position,
            tuple(_move_value(nodes[child]) for child in ordered),
            self._principal_variation(ordered[0]),
            nodes=int(self._workspaces[0].counters[SIMULATIONS]),  # the leader counts them
            seconds=supervisor.seconds,
            unit="simulations",
        )

    def _principal_variation(self, node: int) -> tuple[int, ...]:
        """Return the best play from a node on, as far as the tree was visited."""
        nodes = self._tree.nodes
        line = [int(nodes[node]["move"])]
        while children := _children(self._tree, node):
            node = _best_first(nodes, children, 0.5)[0]
            if nodes[node]["visits"] == 0 and nodes[node]["proof"] == OPEN:
                break
            line.append(int(nodes[node]["move"]))
        return tuple(line)


def _processors() -> int:
    """Return the number of threads on which kernels run at once."""
    if not COMPILED:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _children(tree: Tree, node: int) -> range:
    first, count = int(tree.nodes[node]["first"]), int(tree.nodes[node]["count"])
    return range(first, first + count) if first > 0 else range(0)  # negative: in the leaf queue


def _score(node: Any) -> float:
    if node["proof"] != OPEN:
        return {LOSS: 0.0, DRAW: 0.5, WIN: 1.0}[int(node["proof"])]
    return mean_value(node)


def _best_first(nodes: Any, children: range, draw: float) -> list[int]:
    """Sort from best to worst: quick wins, slow wins, open moves by visits, losses.

    Proved draws come before open moves if the most visited of these scores less than `draw`.
    """
    favourite = max(
        (child for child in children if nodes[child]["proof"] == OPEN),
        key=lambda child: int(nodes[child]["visits"]),
        default=None,
    )
    draw_rank = 1 if favourite is None or _score(nodes[favourite]) < draw else 3

    def order(child: int) -> tuple[int, float, float]:
        node = nodes[child]
        proof, plies = int(node["proof"]), int(node["plies"])
        if proof == OPEN:
            return 2, -int(node["visits"]), -_score(node)
        return {WIN: (0, plies, 0.0), DRAW: (draw_rank, 0, 0.0), LOSS: (4, -plies, 0.0)}[proof]

    return sorted(children, key=order)


def _move_value(node: Any) -> MoveValue:
    move, visits, value = int(node["move"]), int(node["visits"]), _VALUES[int(node["proof"])]
    if value is None:
        return MoveValue.estimated(move, _score(node), visits)
    plies = None if value is Value.DRAW else int(node["plies"]) + 1
    return MoveValue.proved(move, value, plies, visits)
