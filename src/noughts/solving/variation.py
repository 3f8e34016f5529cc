"""The principal variation: a line of best play from a position whose value is known."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.solving.arena import HOLDS, WINS
from noughts.solving.question import NodeBudget, Question
from noughts.solving.searches import Finding, Roles, Searches

__all__ = ["PrincipalVariation"]


@dataclass
class PrincipalVariation:
    """Finds the principal variation of a question, move by move.

    A win in n plies takes exactly n moves, and a draw fills the board. If the length of a win is
    not known, the line is one move of the winner. Where the search is stopped or out of
    nodes, the line ends early; `line` has the moves that were found before.
    """

    searches: Searches
    question: Question
    budget: NodeBudget

    def __post_init__(self) -> None:
        first = self.question.best_move
        self.line: list[int] = [] if first is None else [first]

    def find(self) -> None:
        """Extend the line to the end of the game, as far as the limits allow it."""
        question = self.question
        if not question.is_proved:
            return
        position, plies, winner = question.position, question.plies, question.winner
        for first in self.line:
            position = position.play_unchecked(first)
        if winner is not None and plies is None:
            if not self.line:
                self._add(self._settling_move(position, winner, WINS))
            return
        move: int | None
        while position.outcome is None:
            if winner is None:
                move = self._holding_move(position)
            else:
                assert plies is not None
                move = self._deciding_move(position, winner, plies - len(self.line))
            if move is None:
                return
            self._add(move)
            position = position.play_unchecked(move)

    def _add(self, move: int | None) -> None:
        if move is not None:
            self.line.append(move)

    def _deciding_move(self, position: GridPosition, winner: Player, plies: int) -> int | None:
        """Return the winner's move that wins within `plies`, or the loser's that lasts as long."""
        roles = Roles.of(position, winner)
        if position.turn is winner:
            return self._attack(roles, winner, (plies + 1) // 2).move
        fewer = plies // 2 - 1  # the winner needs more moves than this after the best defence
        for move in position.legal_moves:
            if not fewer or self._attack(roles.play(move), winner, fewer).attacker_wins is False:
                return move
        return None

    def _holding_move(self, position: GridPosition) -> int | None:
        """Return a move after which the other side still cannot win."""
        attacker = position.turn.other
        roles = Roles.of(position, attacker)
        if self.searches.pairs(roles) is None:
            return self._settling_move(position, attacker, HOLDS)
        for move in position.legal_moves:
            if self.searches.pairs(roles.play(move)) is not None:
                return move
        return None

    def _attack(self, roles: Roles, attacker: Player, moves: int) -> Finding:
        left = self.budget.left
        finding = self.searches.attack(roles, attacker, moves, limit=left)
        self.budget.take_back(0, finding.nodes)
        return finding

    def _settling_move(self, position: GridPosition, attacker: Player, aim: int) -> int | None:
        roles = Roles.of(position, attacker)
        finding = self.searches.settle(roles, attacker, aim=aim, limit=self.budget.left)
        self.budget.take_back(0, finding.nodes)
        return finding.move
