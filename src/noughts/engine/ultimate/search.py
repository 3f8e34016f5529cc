"""The search for one position after another: threads, time, and what is kept between moves."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Any

from noughts.kernels import COMPILED, np, wrapping  # isort: skip  - says which extra is missing

from noughts.engine.runner import NO_NODE_LIMIT, Runner
from noughts.engine.ultimate.board import (
    DRAWN,
    GOES_ON,
    LOST,
    SIDE,
    VARIANT,
    WON,
    State,
    count_empty,
    play,
    state_of,
)
from noughts.engine.ultimate.endgame import Endgame
from noughts.engine.ultimate.expansion import (
    LIMIT,
    NETWORK,
    PLAYOUT,
    SIMULATIONS,
    STOP,
    USED,
    Worker,
    assign,
    new_worker,
)
from noughts.engine.ultimate.mcts import MOST_HELPERS, Desk, assist, grow, new_desk
from noughts.engine.ultimate.network import Network, blank_network, load_network
from noughts.engine.ultimate.tree import (
    DRAW,
    LOSS,
    NODE,
    OPEN,
    WIN,
    Tree,
    keep_below,
    mean_score,
    new_tree,
    plant,
)
from noughts.limits import Limits
from noughts.rules.ultimate import UltimatePosition, Variant
from noughts.values import Analysis, MoveValue, Value

__all__ = ["UltimateSearch"]

MEMORY = 1 << 30
_ENDGAME, _ENDGAME_SHARE = 24, 0.5  # empty cells that may be solved; of the time that may take
CURIOSITY = {NETWORK: 0.3, PLAYOUT: 0.7}
_NAP = 0.0001  # seconds that a helper sleeps if it has had nothing to do
_VALUES = {OPEN: None, LOSS: Value.LOSS, DRAW: Value.DRAW, WIN: Value.WIN}


class UltimateSearch:
    """Thinks about positions of Ultimate; a position that follows from the last one goes on
    with what is known of it.

    The network knows the standard rules only; variants, and `plain` searches, which serve as a
    yardstick, judge by playouts.

    With `contempt` a draw is worth so much less than a half to the side that thinks: it rather
    takes a risk, which pays against weaker players.
    """  # noqa: D205

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
        self._room = memory // NODE.itemsize // 2
        self._tree = new_tree(self._room)
        self._spare = new_tree(self._room)
        self._used = 0
        self._has_gaps = False
        self._workers: list[Worker] = []
        self._endgames = [Endgame()]
        self._is_loaded = False

    def analyse(
        self,
        position: UltimatePosition,
        limit: Limits,
        stop: Event,
        progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Think about an unfinished game until the limit is reached or `stop` is set."""
        self.load_kernels()
        runner = Runner(limit, stop)
        if not self._plain:
            solved = self._solve(position, runner)
            if solved is not None:
                return solved
        self._move_root(position)
        report = None if progress is None else lambda: progress(self._estimate(position, runner))
        self._grow(runner, report)
        return self._estimate(position, runner)

    def load_kernels(self) -> None:
        """Load or compile the search, so that a clock that starts now does not count it."""
        if self._is_loaded:
            return
        self._is_loaded = True
        start = UltimatePosition.start()
        judge, network = self._judge(start.variant)
        count_empty(state_of(start))
        self._endgames[0].allow(1)
        self._endgames[0].best_move(state_of(start))
        self._move_root(start)
        self._grow(Runner(Limits(nodes=1), Event()), None)
        self._workers[0].counters[STOP] = 1
        assist(self._tree, network, self._workers[0], new_desk(1), 0, judge)
        self._find(state_of(start.play(0)))  # what the second move of a game needs
        keep_below(self._tree.nodes, 0, self._spare.nodes)
        self.forget()

    def forget(self) -> None:
        """Start anew: the next position has nothing to do with the last one."""
        self._used = 0
        self._workers = []

    def _judge(self, variant: Variant) -> tuple[int, Network]:
        if self._plain or variant is not Variant.STANDARD:
            return PLAYOUT, blank_network()
        return NETWORK, self._network or load_network()

    # -- the root ------------------------------------------------------------------------

    def _move_root(self, position: UltimatePosition) -> None:
        """Make a position the root of the tree, with all that is known of it."""
        state = state_of(position)
        if self._contempt and state[SIDE] != self._tree.start[SIDE]:
            self._used = 0  # what was found was meant for the other side
        node = self._find(state) if self._used else None
        if node is None:
            plant(self._tree, state)
            self._used = 1
        elif node > 0 or self._has_gaps:
            self._used = keep_below(self._tree.nodes, node, self._spare.nodes)
            self._tree, self._spare = self._spare, self._tree
        self._has_gaps = False
        self._tree.start[:] = state
        self._tree.draws[:] = 0.5 + self._contempt, 0.5 - self._contempt
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

    def _grow(self, runner: Runner, report: Callable[[], None] | None) -> None:
        """Run the simulations on as many threads as wanted: one leads, the others help."""
        judge, network = self._judge(Variant(int(self._tree.start[VARIANT])))
        threads = min(runner.threads, 1 + MOST_HELPERS, _processors())
        while len(self._workers) < threads:
            self._workers.append(new_worker(self._seed + len(self._workers)))
        share = (self._room - self._used) // threads
        crew = self._workers[:threads]
        for i, worker in enumerate(crew):
            first = self._used + i * share
            assign(worker, 0, first, first + share)
        leader, *helpers = crew

        def simulate(count: int, desk: Desk) -> None:
            leader.counters[LIMIT] = count
            with wrapping():  # which holds for one thread only
                grow(self._tree, network, leader, desk, judge, CURIOSITY[judge])

        def lead(desk: Desk) -> None:
            try:
                simulate(runner.limit.nodes or NO_NODE_LIMIT, desk)
            finally:  # only now, as the leader waits for what they have on the desk
                for helper in helpers:
                    helper.counters[STOP] = 1

        def help_out(number: int, desk: Desk) -> None:
            while not helpers[number].counters[STOP]:
                assist(self._tree, network, helpers[number], desk, number, judge)
                time.sleep(_NAP)

        def stop() -> None:
            leader.counters[STOP] = 1

        if not _children(self._tree, 0):  # however little time there is, all moves are looked at
            simulate(1, new_desk(0))
        desk = new_desk(len(helpers))
        helping = [partial(help_out, number, desk) for number in range(len(helpers))]
        try:
            runner.run([partial(lead, desk), *helping], stop, report, led=True)
        finally:  # also when Ctrl-C ends it: the next question goes on with this tree
            self._used = int(max(worker.counters[USED] for worker in crew))
            self._has_gaps = threads > 1  # between the regions of threads

    # -- the end of the game -------------------------------------------------------------

    def _solve(self, position: UltimatePosition, runner: Runner) -> Analysis | None:
        """Solve every move if few cells are left and the time is enough.

        Each thread takes one move after another; all remember the same.
        """
        if count_empty(state_of(position)) > _ENDGAME:
            return None
        threads = min(runner.threads, position.move_count)
        while len(self._endgames) < threads:
            self._endgames.append(self._endgames[0].helper())
        endgames = self._endgames[:threads]
        for endgame, nodes in zip(endgames, runner.node_limits(threads), strict=True):
            endgame.allow(nodes)
        waiting = iter(position.legal_moves)  # one for all threads
        found: list[MoveValue] = []
        traps: dict[int, float] = {}

        def solve(endgame: Endgame) -> None:
            for move in waiting:
                solved = _solved_move(position, move, endgame)
                if solved is None:
                    return
                found.append(solved)

        def set_traps(endgame: Endgame) -> None:
            for move in found:
                if move.value is Value.DRAW:
                    traps[move.move] = _trap(position.play_unchecked(move.move), endgame)

        def run(searches: list[Callable[[], None]]) -> None:
            for endgame in endgames:
                endgame.stop(False)
            runner.run(searches, stop, share=_ENDGAME_SHARE)

        def stop() -> None:
            for endgame in endgames:
                endgame.stop()

        run([partial(solve, endgame) for endgame in endgames])
        if len(found) < position.move_count:
            return None
        if self._contempt:
            run([partial(set_traps, endgames[0])])
        found.sort(key=lambda move: (*_solved_order(move), -traps.get(move.move, 0.0), move.move))
        used = sum(endgame.nodes for endgame in endgames)
        line = self._solved_line(position, found[0].move)
        return Analysis(position, tuple(found), line, nodes=used, seconds=runner.seconds)

    def _solved_line(self, position: UltimatePosition, move: int) -> tuple[int, ...]:
        """Return a line of best play; most of what it asks for is remembered."""
        endgame = self._endgames[0]
        endgame.stop(False)
        endgame.allow(NO_NODE_LIMIT)
        line = [move]
        position = position.play_unchecked(move)
        while not position.outcome:
            best = endgame.best_move(state_of(position))
            line.append(position.legal_moves[0] if best is None else best)
            position = position.play_unchecked(line[-1])
        return tuple(line)

    # -- the answer ----------------------------------------------------------------------

    def _estimate(self, position: UltimatePosition, runner: Runner) -> Analysis:
        nodes = self._tree.nodes
        children = _children(self._tree, 0)
        if not children:  # the memory is too small for anything
            moves = tuple(MoveValue.estimated(move, 0.5) for move in position.legal_moves)
            return Analysis(position, moves, (moves[0].move,), unit="simulations")
        ordered = _best_first(nodes, children, 0.5 - self._contempt)
        return Analysis(
            position,
            tuple(_move_estimate(nodes[child]) for child in ordered),
            self._line(ordered[0]),
            nodes=int(self._workers[0].counters[SIMULATIONS]),  # the leader counts them
            seconds=runner.seconds,
            unit="simulations",
        )

    def _line(self, node: int) -> tuple[int, ...]:
        """Return the play that the search expects from a node on, as far as it was looked into."""
        nodes = self._tree.nodes
        line = [int(nodes[node]["move"])]
        while children := _children(self._tree, node):
            node = _best_first(nodes, children, 0.5)[0]
            if nodes[node]["visits"] == 0 and nodes[node]["proof"] == OPEN:
                break
            line.append(int(nodes[node]["move"]))
        return tuple(line)


def _processors() -> int:
    """Return on how many threads kernels run at once: more would wait for each other."""
    if not COMPILED:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _solved_move(position: UltimatePosition, move: int, endgame: Endgame) -> MoveValue | None:
    """Return what a move is worth, or None if the endgame had to give up."""
    before = endgame.nodes
    after = state_of(position)
    result = int(play(after, move))
    if result != GOES_ON:
        value, plies = {WON: (1, 1), LOST: (-1, 1), DRAWN: (0, 0)}[result]
    else:
        solved = endgame.solve(after)
        if solved is None:
            return None
        value, plies = -solved[0], solved[1] + 1
    nodes = endgame.nodes - before
    return MoveValue.proved(move, Value.of(value), plies if value else None, nodes)


def _trap(position: UltimatePosition, endgame: Endgame) -> float:
    """Return which part of the moves of a drawn game loses it, as far as it can be solved."""
    if position.outcome:
        return 0.0
    solved = [_solved_move(position, move, endgame) for move in position.legal_moves]
    lost = sum(move is not None and move.value is Value.LOSS for move in solved)
    return lost / position.move_count


def _solved_order(found: MoveValue) -> tuple[int, int]:
    """Sort from best to worst: quick wins, slow wins, draws, slow losses, quick losses."""
    assert found.value is not None
    plies = found.plies or 0
    return -found.value.rank, plies if found.value is Value.WIN else -plies


def _children(tree: Tree, node: int) -> range:
    first, count = int(tree.nodes[node]["first"]), int(tree.nodes[node]["count"])
    return range(first, first + count) if first > 0 else range(0)  # it may be on the desk


def _score(node: Any) -> float:
    if node["proof"] != OPEN:
        return {LOSS: 0.0, DRAW: 0.5, WIN: 1.0}[int(node["proof"])]
    return mean_score(node)


def _best_first(nodes: Any, children: range, draw: float) -> list[int]:
    """Sort from best to worst: wins, quick ones first; what is open, by visits; losses.

    Proved draws come before what is open if the most visited of that promises less than `draw`.
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


def _move_estimate(node: Any) -> MoveValue:
    move, visits, value = int(node["move"]), int(node["visits"]), _VALUES[int(node["proof"])]
    if value is None:
        return MoveValue.estimated(move, _score(node), visits)
    plies = None if value is Value.DRAW else int(node["plies"]) + 1
    return MoveValue.proved(move, value, plies, visits)
