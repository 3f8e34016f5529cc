"""Exact endgames: every move of a position solved, by several threads within the limits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from noughts.kernels import wrapping  # isort: skip  - says which extra is missing

from noughts.engine.supervisor import NO_NODE_LIMIT, Supervisor
from noughts.engine.ultimate.alphabeta import LIMIT, NODES, STOP, STOPPED, alpha_beta, new_stack
from noughts.engine.ultimate.board import (
    DRAWN,
    GOES_ON,
    LOST,
    WON,
    State,
    count_empty,
    play,
    state_of,
)
from noughts.engine.ultimate.transposition import MAX_SCORE, NO_ENTRY, Table, new_table, probe
from noughts.rules.ultimate import UltimatePosition
from noughts.values import Analysis, MoveValue, Value

__all__ = ["Endgame", "EndgameSolver"]

_MAX_EMPTY = 24  # cells in open boards: positions with more are not solved
_TIME_SHARE = 0.5  # of the time that is left
_LOOK_UP_NODES = 2_000  # for a line that is in the table; less than a millisecond


class Endgame:
    """Solves positions on one thread; `for_another_thread` shares the transposition table."""

    def __init__(self, table: Table | None = None) -> None:
        self._table = new_table() if table is None else table
        self._stack = new_stack()
        self.allow(NO_NODE_LIMIT)

    def for_another_thread(self) -> Endgame:
        """Return an endgame with the same table."""
        return Endgame(self._table)

    @property
    def nodes(self) -> int:
        """The number of positions visited since `allow`."""
        return int(self._stack.counters[NODES])

    def stop(self, stopping: bool = True) -> None:
        """Stop a running `solve` and all later ones, or with False allow them again."""
        self._stack.counters[STOP] = stopping

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called, or no nodes are left."""
        counters = self._stack.counters
        return bool(counters[STOP] or counters[NODES] > counters[LIMIT])

    def allow(self, nodes: int) -> None:
        """Count nodes from 0 again, and visit at most this many."""
        self._stack.counters[NODES] = 0
        self._stack.counters[LIMIT] = nodes

    def solve(self, position: State) -> tuple[int, int] | None:
        """Return the value of an unfinished game for the side to move, and the plies to its end.

        The value is 1, 0 or -1, and the plies of a draw are 0. None if it was stopped.
        """
        self._stack.states[0] = position
        with wrapping():
            score = int(alpha_beta(self._stack, self._table, -MAX_SCORE, MAX_SCORE))
        if score == STOPPED:
            return None
        value = (score > 0) - (score < 0)
        return value, (MAX_SCORE - abs(score)) * abs(value)

    def best_move(self, position: State) -> int | None:
        """Return a best move, or None if it was stopped or the game is a draw without a search."""
        key = self._stack.key[0]
        key[:] = 0  # the key of no position, for games that are drawn without a probe
        solved = self.solve(position)
        with wrapping():
            _, bound, move = probe(self._table, key)
        return None if solved is None or bound == NO_ENTRY else int(move)


class EndgameSolver:
    """Solves every move of positions with few empty cells; threads share the table.

    With contempt, the best of several drawing moves is the one after which the largest part of
    the replies loses.
    """

    def __init__(self, contempt: float = 0.0) -> None:
        self._contempt = contempt
        self._endgames = [Endgame()]

    def load_kernels(self) -> None:
        """Load or compile the search."""
        state = state_of(UltimatePosition.start())
        count_empty(state)
        self._endgames[0].allow(1)
        self._endgames[0].best_move(state)

    def analyse(self, position: UltimatePosition, supervisor: Supervisor) -> Analysis | None:
        """Return the value of every move, or None if the limits do not allow it.

        Each thread solves one move after another.
        """
        if count_empty(state_of(position)) > _MAX_EMPTY:
            return None
        threads = min(supervisor.threads, position.move_count)
        while len(self._endgames) < threads:
            self._endgames.append(self._endgames[0].for_another_thread())
        endgames = self._endgames[:threads]
        for endgame, nodes in zip(endgames, supervisor.node_limits(threads), strict=True):
            endgame.allow(nodes)
        unsolved = iter(position.legal_moves)  # one iterator for all threads
        moves: list[MoveValue] = []
        traps: dict[int, float] = {}

        def solve(endgame: Endgame) -> None:
            for move in unsolved:
                solved = _solved_move(position, move, endgame)
                if solved is None:
                    return
                moves.append(solved)

        def find_traps(endgame: Endgame) -> None:
            for move in moves:
                if move.value is Value.DRAW:
                    traps[move.move] = _trap(position.play_unchecked(move.move), endgame)

        self._run(supervisor, [partial(solve, endgame) for endgame in endgames], _TIME_SHARE)
        if len(moves) < position.move_count:
            return None
        if self._contempt:
            self._run(supervisor, [partial(find_traps, endgames[0])], _TIME_SHARE)
        moves.sort(key=lambda move: (*move.order, -traps.get(move.move, 0.0), move.move))
        nodes = sum(endgame.nodes for endgame in endgames)
        limit = supervisor.limits.nodes
        left = NO_NODE_LIMIT if limit is None else limit - nodes
        line, line_nodes = self._line(position, moves[0].move, supervisor, left)
        nodes += line_nodes
        return Analysis(
            position, tuple(moves), tuple(line), nodes=nodes, seconds=supervisor.seconds
        )

    def _line(
        self, position: UltimatePosition, move: int, supervisor: Supervisor, limit: int
    ) -> tuple[list[int], int]:
        """Return best play from a move on, and the nodes it took to find.

        Nearly always it is in the table; only a search for more of it needs a thread to be stopped.
        """
        if limit < 1:
            return [move], 0
        endgame = self._endgames[0]
        endgame.stop(False)
        endgame.allow(min(limit, _LOOK_UP_NODES) - 1)
        line = _best_line(position, move, endgame)
        nodes = endgame.nodes
        if endgame.is_stopped and nodes < limit:
            endgame.allow(limit - nodes - 1)

            def search() -> None:
                line[:] = _best_line(position, move, endgame)

            self._run(supervisor, [search])
            nodes += endgame.nodes
        return line, nodes

    def _run(
        self, supervisor: Supervisor, searches: list[Callable[[], None]], share: float = 1.0
    ) -> None:
        for endgame in self._endgames:
            endgame.stop(False)

        def stop() -> None:
            for endgame in self._endgames:
                endgame.stop()

        supervisor.run(searches, stop, share=share)


def _solved_move(position: UltimatePosition, move: int, endgame: Endgame) -> MoveValue | None:
    """Return the value of a move, or None if the endgame was stopped."""
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
    """Return the part of the moves of a drawn game that loses it, as far as it can be solved."""
    if position.outcome:
        return 0.0
    solved = [_solved_move(position, move, endgame) for move in position.legal_moves]
    lost = sum(move is not None and move.value is Value.LOSS for move in solved)
    return lost / position.move_count


def _best_line(position: UltimatePosition, move: int, endgame: Endgame) -> list[int]:
    """Return best play from a move to the end of the game, or to where the search was stopped."""
    line = [move]
    position = position.play_unchecked(move)
    while not position.outcome:
        state = state_of(position)
        best = endgame.best_move(state)
        if best is None and endgame.is_stopped:
            break
        line.append(position.legal_moves[0] if best is None else best)
        position = position.play_unchecked(line[-1])
    return line
