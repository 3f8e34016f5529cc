"""Thinking with the network: alpha-beta one ply deeper each time, until the limit is reached.

The search runs in threads of its own, which share a memory and nothing else; the first of them
gives the answer, the others fill the memory. The memory is also what is kept between moves.

Alpha-beta asks of all moves but the best one only whether they are better. So that they have scores
of their own, each is also searched for itself, half as deep, which takes little of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from noughts.kernels import np, wrapping  # isort: skip  - says which extra is missing

from noughts.engine.estimate import Estimate, MoveEstimate
from noughts.engine.memory import ENTRY_BYTES, NO_MOVE, Memory, new_memory, recall
from noughts.engine.ultimate.alphabeta import (
    NODE_LIMIT,
    NODES,
    PLY,
    PROVED,
    STOP,
    STOPPED,
    UNSEEN,
    WON,
    hash_of,
    new_stack,
    search,
    search_others,
)
from noughts.engine.ultimate.board import State, blank_states, state_of
from noughts.engine.ultimate.network import Network, chance_of
from noughts.engine.watch import Watch
from noughts.rules.ultimate import UltimatePosition
from noughts.solving.values import Value

__all__ = ["Deepening", "Worker"]

_NO_LIMIT = 1 << 62
_SLOTS = 1 << 22  # of the memory, at most: 64 MiB
_DEEPEST = 120
_WINDOW = 60  # how far a value may be off the last one before it is searched with open bounds
_FADE = 8  # what the order learnt in one search counts so much less in the next
_LINE_NODES = 200_000  # for finding the next move of a line again


class Deepening:
    """Thinks about positions of the standard game."""

    def __init__(self, network: Network, seed: int, memory: int) -> None:
        slots = 1 << max(1, min(_SLOTS, memory // ENTRY_BYTES).bit_length() - 1)
        self._seed = seed
        self._memory = new_memory(slots)
        self._network = network
        self._workers: list[Worker] = []
        self._desk = Worker(network, self._memory, seed)  # follows lines while others search

    def load_kernels(self) -> None:
        """Load or compile the search."""
        position = UltimatePosition.start().play(0)
        self._desk.prepare(state_of(position), 400)
        self._desk.deepen()
        self._line(position, self._desk.found[0])

    def think(
        self,
        position: UltimatePosition,
        watch: Watch,
        progress: Callable[[Estimate], None] | None = None,
    ) -> Estimate:
        """Think until the limit is reached."""
        limit = watch.limit
        state = state_of(position)
        while len(self._workers) < limit.threads:
            self._workers.append(
                Worker(self._network, self._memory, self._seed + len(self._workers))
            )
        workers = self._workers[: limit.threads]
        nodes = _NO_LIMIT if limit.nodes is None else max(limit.nodes // limit.threads, 1)
        for worker in workers:
            worker.prepare(state, nodes)

        def estimate() -> Estimate:
            moves = workers[0].found
            used = sum(worker.nodes for worker in workers)
            line = self._line(position, moves[0])
            return Estimate(position, moves, line, used, watch.seconds, "positions")

        def tell() -> None:
            if progress is not None and workers[0].found:
                progress(estimate())

        def stop() -> None:
            for worker in workers:
                worker.stop()

        helpers = [partial(worker.help, 2 - i % 2) for i, worker in enumerate(workers[1:])]
        watch.over([workers[0].deepen, *helpers], stop, tell, led=True)
        return estimate()

    def _line(self, position: UltimatePosition, best: MoveEstimate) -> tuple[int, ...]:
        """Return the play expected from a move on: of proofs all, else what memory tells."""
        line = [best.move]
        position = position.play_unchecked(best.move)
        while not position.outcome:
            state = state_of(position)
            if best.value in (Value.WIN, Value.LOSS):
                assert best.plies is not None
                move = self._desk.prove(state, best.plies - len(line))
            else:
                move = self._desk.remembered(state)
            if move == NO_MOVE or move not in position.legal_moves:
                break
            line.append(move)
            position = position.play_unchecked(move)
        return tuple(line)


class Worker:
    """One thread's working space, and what it found so far."""

    def __init__(self, network: Network, memory: Memory, seed: int) -> None:
        self.network, self.memory = network, memory
        self.stack = new_stack()
        # The seed decides between moves that look alike.
        self.stack.learnt[:] = np.random.default_rng(seed).integers(-4096, 4096, (2, 81))
        self.aside = new_stack()._replace(learnt=self.stack.learnt, counters=self.stack.counters)
        self.root = blank_states()
        self.found: tuple[MoveEstimate, ...] = ()

    def prepare(self, root: State, nodes: int) -> None:
        """Get ready for a search that judges at most so many positions, but always the first."""
        stack = self.stack
        self.root = root
        stack.value[:], stack.exact[:], stack.visits[:] = UNSEEN, 0, 0
        stack.learnt[:] //= _FADE
        stack.counters[[STOP, NODE_LIMIT, NODES]] = 0, nodes, 0
        self.found = ()

    def stop(self) -> None:
        """Make a running search give up."""
        self.stack.counters[STOP] = 1

    @property
    def nodes(self) -> int:
        """How many positions were judged."""
        return int(self.stack.counters[NODES])

    def deepen(self) -> None:
        """Search deeper and deeper, until everything is proved or there is no more time."""
        value, best, depth = 0, NO_MOVE, 1
        while depth <= _DEEPEST and value != STOPPED:
            value = self._search(depth, value)
            if self.stack.choice[0] != NO_MOVE:
                best = int(self.stack.choice[0])
            if value < PROVED:
                self._search_others(best, depth // 2)
            self.found = self._moves(best)
            if value >= PROVED or all(move.is_proved for move in self.found):
                break
            depth += 1

    def help(self, depth: int) -> None:
        """Search deeper and deeper, for what it leaves in memory."""
        value = 0
        while depth <= _DEEPEST and value != STOPPED:
            value = self._search(depth, value)
            depth += 1

    def _search(self, depth: int, guess: int) -> int:
        """Search the root to some depth; the nearer the value to the guess, the quicker."""
        low, high = (guess - _WINDOW, guess + _WINDOW) if depth > 4 else (-WON, WON)
        with wrapping():
            while True:
                low, high = max(low, -WON), min(high, WON)
                value = int(
                    search(self.network, self.memory, self.stack, self.root, depth * PLY, low, high)
                )
                if value == STOPPED or low < value < high or value >= PROVED or value <= -PROVED:
                    return value
                if value <= low:
                    low = -WON if low < guess - _WINDOW else low - 3 * _WINDOW
                else:
                    high = WON if high > guess + _WINDOW else high + 3 * _WINDOW

    def _search_others(self, best: int, depth: int) -> None:
        """Give other moves than the best a value of their own."""
        parts = self.network, self.memory, self.stack, self.aside
        if depth > 0:
            with wrapping():
                search_others(*parts, self.root, best, depth * PLY)

    def remembered(self, state: State) -> int:
        """Return the best move that memory knows, or NO_MOVE."""
        key = np.zeros(2, np.int64)
        hash_of(state, key)
        return int(recall(self.memory, key)[3])

    def prove(self, state: State, plies: int) -> int:
        """Return a move that keeps to a proved result within so many plies, or NO_MOVE."""
        self.prepare(state, _LINE_NODES)
        value, depth = 0, 1
        while value != STOPPED and depth <= _DEEPEST:
            value = self._search(depth, 0)
            if value != STOPPED and WON - abs(value) <= plies:
                return int(self.stack.choice[0])
            depth += 1
        return NO_MOVE

    def _moves(self, best: int) -> tuple[MoveEstimate, ...]:
        """Return what is known of every legal move, from best to worst."""
        stack = self.stack
        found = []
        for move in np.flatnonzero(stack.value != UNSEEN).tolist():
            value, visits = int(stack.value[move]), int(stack.visits[move])
            if value >= PROVED:
                each = MoveEstimate(move, 1.0, visits, Value.WIN, WON - value)
            elif value <= -PROVED:
                each = MoveEstimate(move, 0.0, visits, Value.LOSS, WON + value)
            elif value == 0 and stack.exact[move]:
                each = MoveEstimate(move, 0.5, visits, Value.DRAW)
            else:
                each = MoveEstimate(move, chance_of(value), visits)
            found.append(each)

        def order(each: MoveEstimate) -> tuple[int, float]:
            """Quick wins, the search's choice, what looks good, and slow losses before quick."""
            if each.value is Value.WIN:
                return 0, each.plies or 0
            if each.value is Value.LOSS:
                return 3, -(each.plies or 0)
            return (1 if each.move == best else 2), -each.score

        found.sort(key=order)
        top = found[0].score
        # The score of moves that were not found better may be of a search less deep.
        return tuple(
            each if each.is_proved else replace(each, score=min(each.score, top)) for each in found
        )
