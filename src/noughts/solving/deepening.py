"""The two drivers that answer a question: each asks its search again with growing effort.

- `WinDriver` asks whether a side wins within 1, 2, 3, ... plies. The first yes is the shortest
  win; the number of empty cells is the last question. In turn with it, a search for wins of
  any length goes on.
- `DrawDriver` asks of each side whether it can be held for good. Two times yes is a draw.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from noughts.rules.player import Player
from noughts.solving.arena import HOLDS, WINS
from noughts.solving.question import NodeBudget, Question
from noughts.solving.searches import Finding, Roles, Searches

__all__ = ["DrawDriver", "Driver", "WinDriver", "deepen"]

_FIRST_EFFORT, _GROWTH, _MOST_EFFORT = 20_000, 4, 1 << 60
_SPARE = 4  # nodes reserved for each node of effort, which a search may exceed


@dataclass
class Driver(ABC):
    """Asks the searches about a question, within a budget of nodes."""

    searches: Searches
    question: Question
    budget: NodeBudget

    @abstractmethod
    def step(self, effort: int) -> bool:
        """Search on with about this effort; return whether nothing is left to do."""

    @property
    def is_over(self) -> bool:
        """Whether to end: the question is answered, or a limit is reached."""
        is_answered = self.question.is_answered
        return is_answered or self.searches.is_stopping or not self.budget.left

    def settle_any_length(self, effort: int, aim: int) -> None:
        """Try to settle whether either side wins, however long it takes."""
        position = self.question.position
        for attacker in (position.turn, position.turn.other):
            if self.question.can_win[attacker] is None and not self.is_over:
                granted = self.budget.reserve(_SPARE * effort)
                roles = Roles.of(position, attacker)
                finding = self.searches.defend(roles, attacker, effort, aim=aim, limit=granted)
                self.budget.take_back(granted, finding.nodes)
                if finding.attacker_wins is not None:
                    self.question.settle(attacker, finding)


class DrawDriver(Driver):
    """Asks of each side whether it can be held for good."""

    def step(self, effort: int) -> bool:
        """Ask about both sides; return whether both are settled."""
        self.settle_any_length(effort, HOLDS)
        return None not in self.question.can_win.values()


class WinDriver(Driver):
    """Asks for wins within 1, 2, 3, ... plies, and for wins of any length.

    The search that can answer the question gets the effort; the other one gets that of the step
    before.
    """

    def step(self, effort: int) -> bool:
        """Ask for wins within some plies, then of any length."""
        less = effort // _GROWTH
        within, any_length = (effort, less) if self.question.distance else (less, effort)
        if self._settle_within(within):
            return True
        self.settle_any_length(any_length, WINS)
        return self.question.is_answered

    def _settle_within(self, effort: int) -> bool:
        """Ask for wins within one ply more each time; return whether nothing is left to ask."""
        question = self.question
        position = question.position
        used = 0
        while used < effort and not self.is_over:
            plies = question.not_within + 1
            if plies > position.move_count:
                question.settle_full_board()
                return True
            attacker = position.turn if plies % 2 else position.turn.other
            if question.can_win[attacker] is not False:
                finding = self._attack(attacker, (plies + 1) // 2, effort - used)
                used += finding.nodes
                if finding.attacker_wins is None:
                    return False
                if finding.attacker_wins:
                    question.settle(attacker, finding, plies)
                    return True
            question.not_within = plies
        return False

    def _attack(self, attacker: Player, moves: int, effort: int) -> Finding:
        granted = self.budget.reserve(effort)
        roles = Roles.of(self.question.position, attacker)
        finding = self.searches.attack(roles, attacker, moves, effort, limit=granted)
        self.budget.take_back(granted, finding.nodes)
        return finding


def deepen(drivers: Sequence[Driver]) -> None:
    """Let drivers take turns, in steps of growing effort, until all are done or must end."""
    effort = _FIRST_EFFORT
    while drivers:
        drivers = [each for each in drivers if not (each.is_over or each.step(effort))]
        effort = min(effort * _GROWTH, _MOST_EFFORT)
