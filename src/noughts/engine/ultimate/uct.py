"""Thinking with playouts: the tree from one question to the next, on as many threads as wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Any

from noughts.kernels import np, wrapping  # isort: skip  - says which extra is missing

from noughts.engine.estimate import Estimate, MoveEstimate
from noughts.engine.limit import Limit
from noughts.engine.ultimate.board import State, play, state_of
from noughts.engine.ultimate.tree import (
    DRAW,
    LIMIT,
    LOSS,
    NODE,
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
    mean_score,
    new_tree,
    new_worker,
    plant,
)
from noughts.engine.watch import Watch
from noughts.rules.ultimate import UltimatePosition
from noughts.solving.values import Value

__all__ = ["Uct"]

_NO_LIMIT = 1 << 62
_VALUES = {OPEN: None, LOSS: Value.LOSS, DRAW: Value.DRAW, WIN: Value.WIN}


class Uct:
    """Thinks about positions of all variants; one that follows from the last goes on with what
    is known of it.
    """  # noqa: D205

    def __init__(self, seed: int, memory: int) -> None:
        self._seed = seed
        self._room = memory // NODE.itemsize // 2
        self._tree = new_tree(self._room)
        self._spare = new_tree(self._room)
        self._used = 0
        self._workers: list[Worker] = []

    def load_kernels(self) -> None:
        """Load or compile the search."""
        start = UltimatePosition.start()
        self._move_root(start)
        self._grow(Watch(Limit(nodes=1), Event()), None)
        self._find(state_of(start.play(0)))  # what the second move of a game needs
        keep_below(self._tree.nodes, 0, self._spare.nodes)
        self._used = 0
        self._workers = []

    def think(
        self,
        position: UltimatePosition,
        watch: Watch,
        progress: Callable[[Estimate], None] | None = None,
    ) -> Estimate:
        """Think until the limit is reached."""
        self._move_root(position)
        report = None if progress is None else lambda: progress(self._estimate(position, watch))
        self._grow(watch, report)
        return self._estimate(position, watch)

    # -- the root ------------------------------------------------------------------------

    def _move_root(self, position: UltimatePosition) -> None:
        """Make a position the root of the tree, with all that is known of it."""
        state = state_of(position)
        node = self._find(state) if self._used else None
        if node is None:
            plant(self._tree, state)
            self._used = 1
        elif node > 0:
            self._used = keep_below(self._tree.nodes, node, self._spare.nodes)
            self._tree, self._spare = self._spare, self._tree
        self._tree.start[:] = state
        if not _children(self._tree, 0):  # a drawn game is not looked into; now it is
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

    # -- thinking ------------------------------------------------------------------------

    def _grow(self, watch: Watch, report: Callable[[], None] | None) -> None:
        """Run the simulations on as many threads as wanted."""
        threads = watch.limit.threads
        while len(self._workers) < threads:
            self._workers.append(new_worker(self._seed + len(self._workers)))
        workers = self._workers[:threads]
        for worker in self._workers[threads:]:
            assign(worker, 0, 0, 0)
        share = (self._room - self._used) // threads
        nodes = _NO_LIMIT if watch.limit.nodes is None else watch.limit.nodes
        for i, worker in enumerate(workers):
            first = self._used + i * share
            assign(worker, nodes // threads + (i < nodes % threads), first, first + share)

        def stop() -> None:
            for worker in workers:
                worker.counters[STOP] = 1

        def simulate(worker: Worker) -> None:
            with wrapping():  # which holds for one thread only
                grow(self._tree, worker)

        if not _children(self._tree, 0):  # however little time there is, all moves are looked at
            limit = int(workers[0].counters[LIMIT])
            workers[0].counters[LIMIT] = 1
            simulate(workers[0])
            workers[0].counters[LIMIT] = limit
        watch.over([partial(simulate, worker) for worker in workers], stop, report)
        # Threads leave gaps between their regions; the tree is made dense again when it moves.
        self._used = int(max(worker.counters[USED] for worker in workers))

    # -- the answer ----------------------------------------------------------------------

    def _estimate(self, position: UltimatePosition, watch: Watch) -> Estimate:
        nodes = self._tree.nodes
        children = _children(self._tree, 0)
        if not children:  # the memory is too small for anything
            moves = tuple(MoveEstimate(move, 0.5, 0) for move in position.legal_moves)
            return Estimate(position, moves, (moves[0].move,), 0, watch.seconds, "simulations")
        ordered = _best_first(nodes, children)
        return Estimate(
            position,
            tuple(_move_estimate(nodes[child]) for child in ordered),
            self._line(ordered[0]),
            int(sum(worker.counters[SIMULATIONS] for worker in self._workers)),
            watch.seconds,
            "simulations",
        )

    def _line(self, node: int) -> tuple[int, ...]:
        """Return the play that the search expects from a node on, as far as it was looked into."""
        nodes = self._tree.nodes
        line = [int(nodes[node]["move"])]
        while children := _children(self._tree, node):
            node = _best_first(nodes, children)[0]
            if nodes[node]["visits"] == 0 and nodes[node]["proof"] == OPEN:
                break
            line.append(int(nodes[node]["move"]))
        return tuple(line)


def _children(tree: Tree, node: int) -> range:
    first, count = int(tree.nodes[node]["first"]), int(tree.nodes[node]["count"])
    return range(first, first + count)


def _score(node: Any) -> float:
    if node["proof"] != OPEN:
        return {LOSS: 0.0, DRAW: 0.5, WIN: 1.0}[int(node["proof"])]
    return mean_score(node)


def _best_first(nodes: Any, children: range) -> list[int]:
    """Sort from best to worst: wins, quick ones first; what is open, by visits; losses.

    Proved draws come before what is open if the most visited of that promises less.
    """
    favourite = max(
        (child for child in children if nodes[child]["proof"] == OPEN),
        key=lambda child: int(nodes[child]["visits"]),
        default=None,
    )
    draw_rank = 1 if favourite is None or _score(nodes[favourite]) < 0.5 else 3

    def order(child: int) -> tuple[int, float, float]:
        node = nodes[child]
        proof, plies = int(node["proof"]), int(node["plies"])
        if proof == OPEN:
            return 2, -int(node["visits"]), -_score(node)
        return {WIN: (0, plies, 0.0), DRAW: (draw_rank, 0, 0.0), LOSS: (4, -plies, 0.0)}[proof]

    return sorted(children, key=order)


def _move_estimate(node: Any) -> MoveEstimate:
    value = _VALUES[int(node["proof"])]
    plies = int(node["plies"]) + 1 if value in (Value.WIN, Value.LOSS) else None
    return MoveEstimate(int(node["move"]), _score(node), int(node["visits"]), value, plies)
