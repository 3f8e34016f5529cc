"""The search of one grid: iterative deepening, threads, and the answer.

Alpha-beta goes one ply deeper each time, until there is a proof or a limit is reached. It runs on
worker threads that share the transposition table and nothing else: the first one gives the
answer, the others fill the table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from noughts.kernels import np  # isort: skip  - says which extra is missing

from noughts.engine.grids.alphabeta import (
    MAX_DEPTH,
    MAX_ESTIMATE,
    STOPPED,
    UNSEEN,
    WON,
    Stack,
    alpha_beta,
    is_proved,
    new_stack,
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
from noughts.engine.grids.threats import (
    NODE_LIMIT,
    NODES,
    STOP,
    ThreatWorkspace,
    new_threat_workspace,
)
from noughts.engine.grids.transposition import TranspositionTable, new_table
from noughts.engine.supervisor import Supervisor
from noughts.limits import Limits
from noughts.rules.grid import Grid, cells_of
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.values import Analysis, MoveValue, Value

__all__ = ["GridSearch"]

_SCALE = 160  # the estimate of a side that scores three games in four
_MAX_LINE, _LINE_NODES = 30, 2_000  # moves of a principal variation, and nodes to extend it


class GridSearch:
    """Searches positions of one grid and keeps its transposition table from call to call.

    Two searches with the same seed give the same answers to the same calls, if these have node
    limits and one thread.
    """

    def __init__(self, grid: Grid, seed: int = 0) -> None:
        self.grid = grid
        self._layout = layout_of(grid, seed)
        self._table = new_table()
        self._is_loaded = False
        self._workers: list[_Worker] = []
        self._line_worker = _Worker(self._layout, self._table)  # follows principal variations

    def load_kernels(self) -> None:
        """Load or compile the search, so that a clock that starts now does not count it."""
        if not self._is_loaded:
            self._line_worker.prepare(GridPosition.start(self.grid), 1)
            self._line_worker.deepen()
            self._line_worker.known_move()
            self._line_worker.play(0)
            self._is_loaded = True

    def analyse(
        self,
        position: GridPosition,
        limits: Limits,
        cancelled: threading.Event,
        on_progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Analyse an unfinished game until a limit is reached or `cancelled` is set."""
        self.load_kernels()
        supervisor = Supervisor(limits, cancelled)
        while len(self._workers) < supervisor.threads:
            self._workers.append(_Worker(self._layout, self._table))
        workers = self._workers[: supervisor.threads]
        for worker, nodes in zip(workers, supervisor.node_limits(len(workers)), strict=True):
            worker.prepare(position, nodes)

        def analysis() -> Analysis:
            used = sum(worker.nodes for worker in workers)
            moves = workers[0].moves
            line = self._principal_variation(position, moves[0].move)
            return Analysis(position, moves, line, nodes=used, seconds=supervisor.seconds)

        def report() -> None:
            if on_progress is not None and workers[0].moves:
                on_progress(analysis())

        def stop() -> None:
            for worker in workers:
                worker.stop()

        deepen = [partial(worker.deepen, 1 + i % 2) for i, worker in enumerate(workers)]
        supervisor.run(deepen, stop, report, led=True)
        return analysis()

    def _principal_variation(self, position: GridPosition, move: int) -> tuple[int, ...]:
        """Return the expected play from a move on, as far as the table and forced wins know it."""
        line: list[int] = []
        self._line_worker.prepare(position, _LINE_NODES)
        while move != NOWHERE and len(line) < _MAX_LINE:
            line.append(move)
            position = position.play(move)
            if position.outcome is not None:
                break
            self._line_worker.play(move)
            move = self._line_worker.known_move()
        return tuple(line)


class _Worker:
    """One thread's board and working space, and the moves as it values them so far."""

    def __init__(self, layout: Layout, table: TranspositionTable) -> None:
        self.layout, self.table = layout, table
        self.board = new_board(layout)
        self.threats = new_threat_workspace()
        self.stack = new_stack(layout)
        self.side = 0
        self.best = NOWHERE
        self.moves: tuple[MoveValue, ...] = ()

    def prepare(self, position: GridPosition, nodes: int) -> None:
        """Put a position on the board, for a search that visits at most this many nodes."""
        marks = np.full(self.layout.cells, EMPTY, np.int8)
        for side, mask in enumerate((position.x, position.o)):
            marks[cells_of(mask)] = side
        set_up(self.layout, self.board, marks)
        self.side = 0 if position.turn is Player.X else 1
        self.stack.value[:], self.stack.exact[:], self.stack.visits[:] = UNSEEN, 0, 0
        self.threats.counters[[NODES, NODE_LIMIT, STOP]] = 0, nodes, 0
        self.best = self.stack.move[0] = NOWHERE
        self.moves = ()

    def play(self, cell: int) -> None:
        """Make a move."""
        place(self.layout, self.board, self.side, cell)
        self.side = 1 - self.side

    def stop(self) -> None:
        """Make a running search give up."""
        self.threats.counters[STOP] = 1

    @property
    def nodes(self) -> int:
        """The number of nodes visited."""
        return int(min(*self.threats.counters[[NODES, NODE_LIMIT]]))

    def deepen(self, depth: int = 1) -> None:
        """Search deeper and deeper, beginning with a depth, until there is a proof or a stop.

        A search as deep as the board has empty cells looks at every game.
        """
        empty = int(np.count_nonzero(self.board.mark == EMPTY))
        value = 0
        while depth <= min(max(empty, 1), MAX_DEPTH) and value != STOPPED:
            value = alpha_beta(*self._arrays, self.side, depth)
            if self.stack.move[0] != NOWHERE:
                self.best = int(self.stack.move[0])
            self.moves = self._moves()
            if is_proved(value):
                break
            depth += 1

    def known_move(self) -> int:
        """Return the best move that is known without searching deeper, or NOWHERE."""
        if alpha_beta(*self._arrays, self.side, 0) == STOPPED:
            return NOWHERE
        move, first_move = self.stack.move[0], self.stack.first_move[0]
        return int(first_move if move == NOWHERE else move)

    @property
    def _arrays(self) -> tuple[Layout, Board, TranspositionTable, ThreatWorkspace, Stack]:
        return self.layout, self.board, self.table, self.threats, self.stack

    def _moves(self) -> tuple[MoveValue, ...]:
        """Return what is known of every legal move, from best to worst."""
        weight, stack = self.board.cell_weight.tolist(), self.stack
        values, exact, visits = stack.value.tolist(), stack.exact.tolist(), stack.visits.tolist()
        ranks = [
            5 * m + 4 * t for m, t in zip(weight[self.side], weight[1 - self.side], strict=True)
        ]
        cells = np.flatnonzero(self.board.mark == EMPTY).tolist()
        seen = [cell for cell in cells if values[cell] != UNSEEN]
        # No open line passes through cells of rank 0: what is known of one holds for all.
        lineless = next((cell for cell in seen if ranks[cell] == 0), None)
        scores = [_score(values[cell]) for cell in seen if abs(values[cell]) <= MAX_ESTIMATE]
        low, high = min(scores, default=0.5), max(max(ranks), 1)
        moves = []
        for cell in cells:
            like = cell if ranks[cell] or lineless is None else lineless
            value = values[like]
            if value == UNSEEN:
                move = MoveValue.estimated(cell, low * ranks[cell] / high)
            elif value > MAX_ESTIMATE:
                move = MoveValue.proved(cell, Value.WIN, WON - value, visits[cell])
            elif value < -MAX_ESTIMATE:
                move = MoveValue.proved(cell, Value.LOSS, WON + value, visits[cell])
            elif value == 0 and exact[like]:
                move = MoveValue.proved(cell, Value.DRAW, visits=visits[cell])
            else:
                move = MoveValue.estimated(cell, _score(value), visits[cell])
            moves.append(move)

        def order(move: MoveValue) -> tuple[int, float, int]:
            """Sort quick wins first, then the search's choice, by score, and quick losses last."""
            rank = -ranks[move.move]
            if move.value is Value.WIN:
                return 0, move.plies or 0, rank
            if move.value is Value.LOSS:
                return 3, -(move.plies or 0), rank
            return (1 if move.move == self.best else 2), -move.score, rank

        moves.sort(key=order)
        best = moves[0]
        # The score of a move that is not better is often only an upper bound.
        return tuple(
            move if move.is_proved else replace(move, estimate=min(move.score, best.score))
            for move in moves
        )


def _score(value: int) -> float:
    """Return an estimate as an expected result between 0 and 1."""
    return 1 / (1 + 3 ** (-value / _SCALE))
