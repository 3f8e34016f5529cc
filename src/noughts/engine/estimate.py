"""What the engine thinks of a position: proofs where it has them, estimates elsewhere.

The two never look alike. A proof has a value (win, draw or loss) and, for wins and losses, how
many plies it takes at most; an estimate has a score between 0 and 1, from games that were tried
out or from an evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from noughts.rules.player import Player
from noughts.rules.position import Position
from noughts.solving.values import Value

__all__ = ["Estimate", "MoveEstimate"]

_EVEN = 0.05  # how far from one half a score may be to be called about even


@dataclass(frozen=True)
class MoveEstimate:
    """What the engine thinks of a move, seen from the side that makes it.

    `score` is the expected result: 1 for a win, one half for a draw, 0 for a loss. `visits` says
    how often the move was looked into. `value` is the proved value, or None; `plies` is within
    how many moves of both sides, this one included, a proved win or loss ends.
    """

    move: int
    score: float
    visits: int
    value: Value | None = None
    plies: int | None = None

    @property
    def is_proved(self) -> bool:
        """Whether the value of the move is proved."""
        return self.value is not None

    @property
    def label(self) -> str:
        """What it is worth for drawings: ``W3``, ``D`` or ``L4`` if proved, else ``61%``."""
        if self.value is None:
            return f"{self.score:.0%}"
        return f"{self.value.value[0].upper()}{self.plies or ''}"

    def __str__(self) -> str:
        """Say it shortly: ``win in 9`` is proved, ``~ 61 %`` is an estimate.

        >>> print(MoveEstimate(4, 0.611, 900), MoveEstimate(3, 1.0, 20, Value.WIN, 9), sep=", ")
        ~ 61 %, win in 9
        """
        if self.value is None:
            return f"~ {self.score:.0%}".replace("%", " %")
        return self.value.value if self.plies is None else f"{self.value.value} in {self.plies}"

    def to_json(self) -> dict[str, object]:
        """Return the move's estimate as plain data for JSON."""
        return {
            "value": self.value.value if self.value else "unknown",
            "plies": self.plies,
            "proved": self.is_proved,
            "score": round(self.score, 4),
            "visits": str(self.visits),
        }


@dataclass(frozen=True)
class Estimate:
    """What the engine thinks of a position and each of its legal moves, from best to worst.

    `line` is the play it expects, beginning with the best move; it is empty when the game is
    over. `nodes` and `seconds` say what the answer took; `unit` names what a node is.
    """

    position: Position
    moves: tuple[MoveEstimate, ...]
    line: tuple[int, ...]
    nodes: int = field(default=0, compare=False)
    seconds: float = field(default=0.0, compare=False)
    unit: str = "playouts"

    @property
    def best(self) -> MoveEstimate:
        """The move to play."""
        return self.moves[0]

    @property
    def value(self) -> Value | None:
        """The proved value, or None. One winning move proves a win, all else takes all moves."""
        if self.best.value is Value.WIN or all(found.is_proved for found in self.moves):
            return self.best.value
        return None

    @property
    def plies(self) -> int | None:
        """Within how many moves of both sides a proved win or loss ends."""
        return self.best.plies if self.value else None

    @property
    def winner(self) -> Player | None:
        """The side that is proved to win, or None."""
        turn = self.position.turn
        return {Value.WIN: turn, Value.LOSS: turn.other}.get(self.value) if self.value else None

    def __str__(self) -> str:
        """Say it in words; a proof says that it is one."""
        if self.winner is not None:
            plies = "" if self.plies is None else f" in {self.plies} {_plies(self.plies)}"
            return f"{self.winner} wins{plies}, proved"
        if self.value is Value.DRAW:
            return "a draw, proved"
        effort = f"after {_rounded(self.nodes)} {self.unit}"
        turn, score = self.position.turn, self.best.score
        if self.best.value is Value.DRAW:
            return f"{turn} has at least a draw, proved; more is not known {effort}"
        leader = turn if score >= 0.5 else turn.other
        share = max(score, 1 - score)
        even = "about even, " if share < 0.5 + _EVEN else ""
        chance = f"{share:.0%}".replace("%", " %")
        return f"{even}{chance} for {leader} {effort}"

    @property
    def labels(self) -> dict[int, str]:
        """A short label for every move, for drawings: ``W3``, ``D``, ``L4``, or ``61%``."""
        return {found.move: found.label for found in self.moves}

    def to_json(self) -> dict[str, object]:
        """Return the estimate as plain data for JSON, seen from the side to move."""
        name = self.position.move_name
        return {
            "position": self.position.text,
            "turn": self.position.turn.value,
            "value": self.value.value if self.value else "unknown",
            "plies": self.plies,
            "proved": self.value is not None,
            "score": round(self.best.score, 4),
            "visits": str(self.best.visits),
            "best": [name(self.best.move)],
            "line": [name(move) for move in self.line],
            "moves": {name(found.move): found.to_json() for found in self.moves},
            "nodes": str(self.nodes),
            "unit": self.unit,
            "text": str(self),
        }


def _plies(count: int) -> str:
    return "ply" if count == 1 else "plies"


def _rounded(count: int) -> str:
    """Return a count as people say it, with three digits at most: 950, 12 k, 1.2 M.

    >>> _rounded(950), _rounded(12_000), _rounded(99_960), _rounded(1_234_567)
    ('950', '12 k', '100 k', '1.2 M')
    """
    if count < 1000:
        return str(count)
    size, letter = (1000, "k") if count < 999_500 else (1_000_000, "M")
    number = count / size
    return (
        f"{number:.1f}".removesuffix(".0") + f" {letter}"
        if number < 99.95
        else f"{number:.0f} {letter}"
    )
