"""A position that is being solved: its known bounds, and the budget of nodes."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from noughts.limits import MOST_NODES
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.values import Solution, Value

if TYPE_CHECKING:
    from noughts.solving.searches import Finding

__all__ = ["NodeBudget", "Question"]


class NodeBudget:
    """The nodes that may be visited, shared by the searches that run at the same time."""

    def __init__(self, limit: int | None = None) -> None:
        self.visited = 0
        self._limit = limit
        self._left = MOST_NODES if limit is None else limit
        self._lock = Lock()

    @property
    def left(self) -> int:
        """The nodes that are neither visited nor reserved."""
        return self._left

    @property
    def is_used_up(self) -> bool:
        """Whether all nodes were visited."""
        return self._limit is not None and self.visited >= self._limit

    def reserve(self, wanted: int) -> int:
        """Take nodes for a search: at most half of what is left, so that another one gets some.

        Without a limit, a search may take as many as it likes.
        """
        if self._limit is None:
            return MOST_NODES
        with self._lock:
            granted = min(wanted, (self._left + 1) // 2)
            self._left -= granted
        return granted

    def take_back(self, granted: int, visited: int) -> None:
        """Count the visited nodes, and return the rest of a reservation to the budget."""
        with self._lock:
            if self._limit is not None:
                self._left += granted - visited
            self.visited += visited

    def part(self, parts: int) -> NodeBudget:
        """Return a budget with an equal part of the nodes that are left; `add` counts its use."""
        return NodeBudget(None if self._limit is None else -(-self._left // parts))

    def add(self, part: NodeBudget) -> None:
        """Count the nodes that a part visited."""
        self.take_back(0, part.visited)


class Question:
    """A position being solved, and what is proved about it so far; both drivers write here."""

    def __init__(self, position: GridPosition, *, distance: bool = True) -> None:
        self.position = position
        self.distance = distance
        self.can_win: dict[Player, bool | None] = {Player.X: None, Player.O: None}
        self.not_within = 0  # neither side wins within this many plies
        self.plies: int | None = None
        self._winning_move: int | None = None  # of the side to move, however long it takes
        self._quickest_move: int | None = None  # which wins within `plies`
        self._holding_move: int | None = None
        if not position.x:
            # If the second player had a winning strategy on the empty board, the first could
            # use it as well, with any mark for a start: an extra mark never hurts.
            self.can_win[Player.O] = False

    @classmethod
    def answered(cls, solution: Solution) -> Question:
        """Return a question whose answer is known."""
        question = cls(solution.position)
        if solution.is_proved:
            question.can_win = {player: player is solution.winner for player in Player}
            question.plies = solution.plies
        return question

    @property
    def winner(self) -> Player | None:
        """The side that is known to win."""
        return next((player for player, wins in self.can_win.items() if wins), None)

    @property
    def is_proved(self) -> bool:
        """Whether the value is known; the length of a win may not be."""
        return self.winner is not None or None not in self.can_win.values()

    @property
    def is_answered(self) -> bool:
        """Whether the value is known, and the length of a win if it was asked for."""
        if self.winner is not None:
            return self.plies is not None or not self.distance
        return self.is_proved

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

    @property
    def best_move(self) -> int | None:
        """The move of the side to move that proved the value, if the proof came with one."""
        if not self.is_proved:
            return None
        if self.winner is self.position.turn:
            return self._winning_move if self.plies is None else self._quickest_move
        return self._holding_move if self.winner is None else None

    def settle(self, attacker: Player, finding: Finding, plies: int | None = None) -> None:
        """Record whether an attacker wins, within `plies` or however long it takes."""
        is_to_move = attacker is self.position.turn
        if not finding.attacker_wins:
            if not is_to_move:
                self._holding_move = finding.move
            self.can_win[attacker] = False
            return
        if plies is None:
            if is_to_move:
                self._winning_move = finding.move
        else:  # the other driver may prove the win at the same time, by a slower move
            if is_to_move:
                self._quickest_move = finding.move
            self.plies = plies
        self.can_win[attacker.other] = False
        self.can_win[attacker] = True

    def settle_full_board(self) -> None:
        """Record that neither side wins before the board is full."""
        for player, known in self.can_win.items():
            if known is None:
                self.can_win[player] = False
