"""Solving a position: which search is asked what, and what follows from the answers.

Two questions settle a position: can the side to move force a line, and can the other side?
Two searches work on them at the same time, each on a core of its own:

- `attack` asks whether somebody wins within 1, 2, 3, ... plies. The first yes is the
  shortest win; the number of empty cells is the last question. In turn with it, a search for wins
  of any length goes on.
- `defence` asks of each side whether it can be held for good. Two times yes is a draw.

Whichever comes to an end first stops the other.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from noughts.errors import CheckpointError, SizeError, brief
from noughts.rules.grid import Grid
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.solving.arena import WINS
from noughts.solving.limits import Limits, Report
from noughts.solving.searches import Roles, Searches, needs_compiling
from noughts.storage import Checkpoint
from noughts.values import (
    Analysis,
    MoveValue,
    Solution,
    Value,
    best_first,
)

__all__ = ["Solver"]

Tell = Callable[[list[MoveValue]], None]

_FIRST_EFFORT, _GROWTH = 20_000, 4
_GLANCE = 0.02  # seconds between two looks at the clock
_KEEP_EVERY, _KEEP_MOST = 60.0, 100_000  # seconds between two checkpoints; positions in each


class Solver:
    """Solves positions of one grid, and remembers what it found for the next question."""

    def __init__(self, grid: Grid, limits: Limits | None = None) -> None:
        self.grid = grid
        self.limits = limits or Limits()
        self.searches = Searches(grid, self.limits.memory)
        self._one_at_a_time = Lock()  # the searches share their workspaces between questions

    def solve(self, position: GridPosition, *, with_line: bool = True) -> Solution:
        """Return what can be found out about a position within the limits."""
        self._require_grid(position)
        limits = self.limits
        with self._one_at_a_time:
            return self._solve(position, limits.seconds, limits.checkpoint, with_line=with_line)

    def _solve(
        self,
        position: GridPosition,
        seconds: float | None,
        checkpoint: Path | str | None,
        *,
        with_line: bool,
    ) -> Solution:
        if position.outcome is not None:
            return Solution.finished(position)
        if needs_compiling():
            self.limits.notice("compiling, once on this machine")
        self._in_thread(self.searches.load_kernels)
        begin = time.monotonic()
        question = _Question(position, self.limits.distance)
        keeper = None if checkpoint is None else self._keeper(checkpoint, question)
        end = math.inf if seconds is None else begin + seconds
        try:
            self._search(question, begin, end, keeper)
        finally:
            if keeper is not None:
                self._keep(keeper, question)
        at_least, at_most = question.bounds
        line = self._in_thread(self._line, question, end) if with_line else ()
        return Solution(
            position,
            at_least,
            at_most,
            question.plies,
            line[:1],
            line,
            question.nodes,
            time.monotonic() - begin,
        )

    def _search(
        self, question: _Question, begin: float, end: float, keeper: Checkpoint | None
    ) -> None:
        """Let both searches work until the question is answered or the limits are reached."""
        searches, limits = self.searches, self.limits
        searches.stop(False)
        kept = begin
        with ThreadPoolExecutor(2) as pool:
            try:
                steps = (_Attack(searches, question), _Defence(searches, question))
                jobs = {pool.submit(_run, step, question) for step in steps}
                while jobs and not question.is_answered:
                    done, jobs = wait(jobs, _GLANCE, "FIRST_COMPLETED")
                    for job in done:
                        job.result()
                    now = time.monotonic()
                    if now > end:
                        break
                    if limits.nodes is not None and question.nodes > limits.nodes:
                        break
                    limits.progress(Report(question.not_within, question.nodes, now - begin))
                    if keeper is not None and now - kept > _KEEP_EVERY:
                        self._keep(keeper, question)
                        kept = now
            finally:
                question.is_over = True
                searches.stop()
        searches.stop(False)

    # -- best play -----------------------------------------------------------------------

    def _in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call something that searches while this thread waits, which Ctrl-C can interrupt."""
        with ThreadPoolExecutor(1) as pool:
            job = pool.submit(function, *arguments)
            try:
                return job.result()
            finally:
                self.searches.stop(not job.done())

    def _line(self, question: _Question, end: float) -> tuple[int, ...]:
        """Return a line of best play as far as it is known until the time is over."""
        position, plies = question.position, question.plies
        winner = question.winner
        if winner is None and None in question.can_win.values():
            return ()
        line: list[int] = []
        while position.outcome is None and time.monotonic() < end:
            if winner is None:
                move = self._holding_move(position)
            elif plies is None:
                # The win is known, but not its length: only the first move of it is shown.
                roles = Roles.of(position, winner)
                move = None if line else self.searches.settling_move(roles, winner, aim=WINS)
            else:
                move = self._deciding_move(position, winner, plies)
                plies -= 1
            if move is None:
                break
            line.append(move)
            position = position.play_unchecked(move)
        return tuple(line)

    def _deciding_move(self, position: GridPosition, winner: Player, plies: int) -> int | None:
        """Return the winner's move that keeps to `plies`, or the loser's that takes so many."""
        if position.turn is winner:
            return self.searches.attack(Roles.of(position, winner), winner, (plies + 1) // 2).move
        fewer = plies // 2 - 1  # a move resists best if the winner needs more than this
        for move in position.legal_moves:
            after = Roles.of(position, winner).play(move)
            if not fewer or not self.searches.attack(after, winner, fewer).attacker_wins:
                return move
        return None

    def _holding_move(self, position: GridPosition) -> int | None:
        """Return a move after which the other side still cannot win."""
        attacker = position.turn.other
        roles = Roles.of(position, attacker)
        if self.searches.pairs(roles) is None:
            return self.searches.settling_move(roles, attacker)
        for move in position.legal_moves:
            if self.searches.pairs(roles.play(move)) is not None:
                return move
        return None

    # -- every move ----------------------------------------------------------------------

    def analyse(self, position: GridPosition, tell: Tell | None = None) -> Analysis:
        """Return what can be found out about every legal move; the time is for all of them.

        `tell` hears after each move what is known so far.
        """
        self._require_grid(position)
        with self._one_at_a_time:
            return self._analyse(position, tell)

    def _analyse(self, position: GridPosition, tell: Tell | None) -> Analysis:
        if position.outcome is not None:
            return Analysis.finished(position)
        begin = time.monotonic()
        end = math.inf if self.limits.seconds is None else begin + self.limits.seconds
        # Moves that are each other's mirror images lead to the same position.
        after = {move: position.play_unchecked(move).canonical() for move in position.legal_moves}
        known: dict[GridPosition, Solution] = {}
        todo = dict.fromkeys(after.values())
        for done, child in enumerate(todo):
            share = (end - time.monotonic()) / (len(todo) - done)
            allowed = None if math.isinf(share) else max(share, _GLANCE)
            known[child] = self._solve(child, allowed, None, with_line=False)
            if tell is not None:
                tell(_values(after, known))
        moves = _values(after, known)
        nodes = sum(solution.nodes for solution in known.values())

        question = _Question(position, self.limits.distance)
        at_least, _ = question.bounds
        seconds = time.monotonic() - begin
        found = Analysis(
            position, best_first(moves), at_least=at_least, nodes=nodes, seconds=seconds
        )
        if found.is_proved:
            question.can_win = {player: player is found.winner for player in Player}
            question.plies = found.plies
            found = replace(found, line=self._in_thread(self._line, question, end))
        return found

    def _require_grid(self, position: GridPosition) -> None:
        if not isinstance(position, GridPosition) or position.grid != self.grid:
            raise SizeError(f"a position of {self.grid} is needed, not {brief(position)}")

    # -- checkpoints ---------------------------------------------------------------------

    def _keeper(self, path: Path | str, question: _Question) -> Checkpoint:
        """Open a checkpoint, and take up what it holds."""
        keeper = Checkpoint(path, f"solve {question.position.text}")
        kept = keeper.load()
        if "question" in kept:
            try:
                question.restore(kept["question"])
                self.searches.load(kept["memory"])
            except (KeyError, ValueError, TypeError, IndexError) as error:
                raise CheckpointError(f"{keeper.path} is damaged: {error}") from None
        return keeper

    def _keep(self, keeper: Checkpoint, question: _Question) -> None:
        keeper.save("memory", self.searches.dump(_KEEP_MOST))
        keeper.save("question", question.to_json())


def _values(after: dict[int, GridPosition], known: dict[GridPosition, Solution]) -> list[MoveValue]:
    """Return the values of the moves that lead to known positions."""
    return [MoveValue.after(move, known[child]) for move, child in after.items() if child in known]


class _Question:
    """A position being solved, and what is known of it so far; both searches write here."""

    def __init__(self, position: GridPosition, distance: bool) -> None:
        self.position = position
        self.distance = distance
        self.can_win: dict[Player, bool | None] = {Player.X: None, Player.O: None}
        self.not_within = 0  # plies within which nobody wins
        self.plies: int | None = None
        self.nodes = 0
        self.is_over = False
        if not position.x:
            # If the second player had a winning strategy on the empty board, the first could
            # use it as well, with any mark for a start: an extra mark never hurts.
            self.can_win[Player.O] = False

    @property
    def winner(self) -> Player | None:
        """The side that is known to win."""
        return next((player for player, wins in self.can_win.items() if wins), None)

    @property
    def is_answered(self) -> bool:
        """Whether all that was asked is known."""
        if self.winner is not None:
            return self.plies is not None or not self.distance
        return None not in self.can_win.values()

    @property
    def bounds(self) -> tuple[Value, Value]:
        """The least and the most that the side to move gets."""
        mine, theirs = self.can_win[self.position.turn], self.can_win[self.position.turn.other]
        if mine:
            return Value.WIN, Value.WIN
        if theirs:
            return Value.LOSS, Value.LOSS
        at_least = Value.DRAW if theirs is False else Value.LOSS
        return at_least, Value.DRAW if mine is False else Value.WIN

    def wins(self, player: Player, plies: int | None = None) -> None:
        """Take down that a side wins, so the other does not."""
        self.can_win[player.other] = False
        self.can_win[player] = True
        if plies is not None:
            self.plies = plies

    def settle(self, player: Player, wins: bool) -> None:
        """Take down whether a side wins, however long it takes."""
        if wins:
            self.wins(player)
        else:
            self.can_win[player] = False

    def to_json(self) -> dict[str, Any]:
        """Return what is known as plain data."""
        return {
            "can_win": {player.value: known for player, known in self.can_win.items()},
            "not_within": self.not_within,
            "plies": self.plies,
            "nodes": self.nodes,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Take up what `to_json` returned."""
        self.can_win = {player: data["can_win"][player.value] for player in Player}
        self.not_within, self.plies = int(data["not_within"]), data["plies"]
        self.nodes = int(data["nodes"])


class _Step(Protocol):
    """A search that goes on in steps of growing effort."""

    def step(self, effort: int) -> bool:
        """Go on with about so much effort; return whether there is nothing left to do."""


@dataclass
class _Attack:
    """Asks for wins within 1, 2, 3, ... plies, and for wins of any length.

    What was asked for gets the effort, the other one as much as a step before.
    """

    searches: Searches
    question: _Question

    def step(self, effort: int) -> bool:
        less = effort // _GROWTH
        within, any_length = (effort, less) if self.question.distance else (less, effort)
        return self._within_plies(within) or self._of_any_length(any_length)

    def _of_any_length(self, effort: int) -> bool:
        question = self.question
        for attacker in (question.position.turn, question.position.turn.other):
            if question.can_win[attacker] is None and not question.is_over:
                roles = Roles.of(question.position, attacker)
                finding = self.searches.defend(roles, attacker, effort, aim=WINS)
                question.nodes += finding.nodes
                if finding.attacker_wins is not None:
                    question.settle(attacker, finding.attacker_wins)
        return question.is_answered

    def _within_plies(self, effort: int) -> bool:
        question = self.question
        position = question.position
        used = 0
        while used < effort and not question.is_over:
            plies = question.not_within + 1
            if plies > position.move_count:  # the board is full before
                for player, known in question.can_win.items():
                    if known is None:
                        question.can_win[player] = False
                return True
            attacker = position.turn if plies % 2 else position.turn.other
            if question.can_win[attacker] is not False:
                moves = (plies + 1) // 2
                finding = self.searches.attack(
                    Roles.of(position, attacker), attacker, moves, limit=effort - used
                )
                used += finding.nodes
                question.nodes += finding.nodes
                if finding.attacker_wins is None:
                    return False
                if finding.attacker_wins:
                    question.wins(attacker, plies)
                    return True
            question.not_within = plies
        return False


@dataclass
class _Defence:
    """Asks of each side whether it can be held for good."""

    searches: Searches
    question: _Question

    def step(self, effort: int) -> bool:
        question = self.question
        for attacker in (question.position.turn, question.position.turn.other):
            if question.can_win[attacker] is None and not question.is_over:
                roles = Roles.of(question.position, attacker)
                finding = self.searches.defend(roles, attacker, effort)
                question.nodes += finding.nodes
                if finding.attacker_wins is not None:
                    question.settle(attacker, finding.attacker_wins)
        return None not in question.can_win.values()


def _run(step: _Step, question: _Question) -> None:
    """Work in steps of growing effort until there is nothing left or the question is over."""
    effort = _FIRST_EFFORT
    while not question.is_over and not step.step(effort):
        effort = min(effort * _GROWTH, 1 << 60)
