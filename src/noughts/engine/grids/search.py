"""Thinking about a position of a large grid: the search, its clock, and what it says.

The search looks one ply deeper each time, until it has a proof or its limit is reached. It runs
in threads of its own, which share a memory and nothing else; the first of them gives the answer,
the others fill the memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from noughts.kernels import np  # isort: skip  - says which extra is missing

from noughts.engine.estimate import Estimate, MoveEstimate
from noughts.engine.grids.alphabeta import (
    MAX_DEPTH,
    MOST,
    STOPPED,
    UNSEEN,
    WON,
    Stack,
    is_proved,
    new_stack,
    search,
)
from noughts.engine.grids.board import (
    EMPTY,
    NOWHERE,
    Board,
    Layout,
    layout_of,
    new_board,
    place,
    set_up,
)
from noughts.engine.grids.threats import NODE_LIMIT, NODES, STOP, Chain, new_chain
from noughts.engine.grids.transposition import Memory, new_memory
from noughts.engine.limit import Limit
from noughts.engine.runner import Watch
from noughts.rules.grid import Grid, cells_of
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.solving.values import Value

__all__ = ["GridSearch"]

_NO_LIMIT = 1 << 62
_SURE = 160  # the estimate at which a side is given three chances in four
_LINE, _LINE_NODES = 30, 2_000  # the most moves of a line that are shown, and nodes to find it


class GridSearch:
    """Thinks about positions of one grid, and remembers what it found for the next question.

    Two of them with the same seed, asked the same questions with node limits and one thread,
    give the same answers.
    """

    def __init__(self, grid: Grid, seed: int = 0) -> None:
        self.grid = grid
        self._layout = layout_of(grid, seed)
        self._memory = new_memory()
        self._one_at_a_time = threading.Lock()  # questions share the workers
        self._is_loaded = False
        self._workers: list[_Worker] = []
        self._desk = _Worker(self._layout, self._memory)  # follows lines while others search

    def load_kernels(self) -> None:
        """Load or compile the search, so that a clock that starts now does not count it."""
        if not self._is_loaded:
            self._desk.prepare(GridPosition.start(self.grid), 1)
            self._desk.deepen()
            self._desk.glance()
            self._desk.play(0)
            self._is_loaded = True

    def analyse(
        self,
        position: GridPosition,
        limit: Limit,
        stop: threading.Event,
        progress: Callable[[Estimate], None] | None = None,
    ) -> Estimate:
        """Return what can be found out about a position until the limit is reached or `stop` set.

        `progress` is told now and then what is known.
        """
        with self._one_at_a_time:
            self.load_kernels()
            return self._analyse(position, Watch(limit, stop), progress)

    def _analyse(
        self, position: GridPosition, watch: Watch, progress: Callable[[Estimate], None] | None
    ) -> Estimate:
        limit = watch.limit
        while len(self._workers) < limit.threads:
            self._workers.append(_Worker(self._layout, self._memory))
        workers = self._workers[: limit.threads]
        nodes = _NO_LIMIT if limit.nodes is None else max(limit.nodes // limit.threads, 1)
        for worker in workers:
            worker.prepare(position, nodes)

        def estimate() -> Estimate:
            used = sum(worker.nodes for worker in workers)
            moves = workers[0].found
            line = self._line(position, moves[0].move)
            return Estimate(position, moves, line, used, watch.seconds, "positions")

        def tell() -> None:
            if progress is not None and workers[0].found:
                progress(estimate())

        def stop() -> None:
            for worker in workers:
                worker.stop()

        deepen = [partial(worker.deepen, 1 + i % 2) for i, worker in enumerate(workers)]
        watch.over(deepen, stop, tell, led=True)
        return estimate()

    def _line(self, position: GridPosition, move: int) -> tuple[int, ...]:
        """Return the play expected from a move on, as far as threats and memory tell."""
        line: list[int] = []
        self._desk.prepare(position, _LINE_NODES)
        while move != NOWHERE and len(line) < _LINE:
            line.append(move)
            position = position.play(move)
            if position.outcome is not None:
                break
            self._desk.play(move)
            move = self._desk.glance()
        return tuple(line)


class _Worker:
    """One thread's board and working space, and what it found so far."""

    def __init__(self, layout: Layout, memory: Memory) -> None:
        self.layout, self.memory = layout, memory
        self.board = new_board(layout)
        self.chain = new_chain()
        self.stack = new_stack(layout)
        self.side = 0
        self.best = NOWHERE
        self.found: tuple[MoveEstimate, ...] = ()

    def prepare(self, position: GridPosition, nodes: int) -> None:
        """Put a position on the board, for a search that visits at most so many nodes."""
        marks = np.full(self.layout.cells, EMPTY, np.int8)
        for side, mask in enumerate((position.x, position.o)):
            marks[cells_of(mask)] = side
        set_up(self.layout, self.board, marks)
        self.side = 0 if position.turn is Player.X else 1
        self.stack.value[:], self.stack.exact[:], self.stack.visits[:] = UNSEEN, 0, 0
        self.chain.counters[[NODES, NODE_LIMIT, STOP]] = 0, nodes, 0
        self.best = self.stack.move[0] = NOWHERE
        self.found = ()

    def play(self, cell: int) -> None:
        """Make a move."""
        place(self.layout, self.board, self.side, cell)
        self.side = 1 - self.side

    def stop(self) -> None:
        """Make a running search give up."""
        self.chain.counters[STOP] = 1

    @property
    def nodes(self) -> int:
        """How many nodes were visited."""
        return int(min(*self.chain.counters[[NODES, NODE_LIMIT]]))

    def deepen(self, depth: int = 1) -> None:
        """Search deeper and deeper from a depth on, until there is a proof or no more time.

        A search as deep as the board has empty cells looks at every game.
        """
        empty = int(np.count_nonzero(self.board.mark == EMPTY))
        value = 0
        while depth <= min(max(empty, 1), MAX_DEPTH) and value != STOPPED:
            value = search(*self._parts, self.side, depth)
            if self.stack.move[0] != NOWHERE:
                self.best = int(self.stack.move[0])
            self.found = self._moves()
            if is_proved(value):
                break
            depth += 1

    def glance(self) -> int:
        """Return the best move of the prepared position that is known already, or NOWHERE."""
        if search(*self._parts, self.side, 0) == STOPPED:
            return NOWHERE
        move, known = self.stack.move[0], self.stack.known[0]
        return int(known if move == NOWHERE else move)

    @property
    def _parts(self) -> tuple[Layout, Board, Memory, Chain, Stack]:
        return self.layout, self.board, self.memory, self.chain, self.stack

    def _moves(self) -> tuple[MoveEstimate, ...]:
        """Return what is known of every legal move, from best to worst."""
        pull, stack = self.board.pull.tolist(), self.stack
        values, exact, visits = stack.value.tolist(), stack.exact.tolist(), stack.visits.tolist()
        looks = [5 * m + 4 * t for m, t in zip(pull[self.side], pull[1 - self.side], strict=True)]
        cells = np.flatnonzero(self.board.mark == EMPTY).tolist()
        seen = [cell for cell in cells if values[cell] != UNSEEN]
        # No line is open through cells without any pull: what is known of one holds for all.
        dull = next((cell for cell in seen if looks[cell] == 0), None)
        scores = [_score(values[cell]) for cell in seen if abs(values[cell]) <= MOST]
        low, high = min(scores, default=0.5), max(max(looks), 1)
        found = []
        for cell in cells:
            like = cell if looks[cell] or dull is None else dull
            value = values[like]
            if value == UNSEEN:
                each = MoveEstimate(cell, low * looks[cell] / high, 0)
            elif value > MOST:
                each = MoveEstimate(cell, 1.0, visits[cell], Value.WIN, WON - value)
            elif value < -MOST:
                each = MoveEstimate(cell, 0.0, visits[cell], Value.LOSS, WON + value)
            elif value == 0 and exact[like]:
                each = MoveEstimate(cell, 0.5, visits[cell], Value.DRAW)
            else:
                each = MoveEstimate(cell, _score(value), visits[cell])
            found.append(each)

        def order(each: MoveEstimate) -> tuple[int, float, int]:
            """Quick wins, the search's choice, what looks good, and slow losses before quick."""
            look = -looks[each.move]
            if each.value is Value.WIN:
                return 0, each.plies or 0, look
            if each.value is Value.LOSS:
                return 3, -(each.plies or 0), look
            return (1 if each.move == self.best else 2), -each.score, look

        found.sort(key=order)
        first = found[0]
        # The score of moves that were not found better is often only an upper bound.
        return tuple(
            each if each.is_proved else replace(each, score=min(each.score, first.score))
            for each in found
        )


def _score(value: int) -> float:
    """Return an estimate as an expected result between 0 and 1."""
    return 1 / (1 + 3 ** (-value / _SURE))
