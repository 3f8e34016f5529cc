"""Numbers that stand for verdicts and modes in arrays."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from noughts.kernels import NDArray, np  # isort: skip  - says which extra is missing

from noughts.errors import NotationError, brief
from noughts.rules.player import Verdict

__all__ = [
    "DISABLED",
    "DRAW",
    "INVALID",
    "NEXT_STEP",
    "O_TURN",
    "O_WINS",
    "SAME_STEP",
    "X_TURN",
    "X_WINS",
    "Autoreset",
    "Codes",
    "Flags",
    "Moves",
    "Rewards",
]

X_TURN, O_TURN, X_WINS, O_WINS, DRAW, INVALID = range(len(Verdict))
"""A verdict's place in ``list(Verdict)``; a side is the code of its turn."""

assert [*Verdict][O_TURN] is Verdict.O_TURN
assert [*Verdict][O_WINS] is Verdict.O_WINS


class Autoreset(StrEnum):
    """When a game that is over begins anew; the names are those of Gymnasium's modes."""

    DISABLED = "disabled"
    """Never by itself: it stays until `reset`, and steps do not change it."""
    NEXT_STEP = "next_step"
    """With the next step, whose action is ignored."""
    SAME_STEP = "same_step"
    """At once; its last position is kept."""

    @classmethod
    def named(cls, mode: Any) -> Autoreset:
        """Return a mode by its name; Gymnasium's own modes are known, too."""
        name = getattr(mode, "name", mode)
        for each in cls:
            if isinstance(name, str) and name.lower() == each.value:
                return each
        raise NotationError(f"an autoreset mode is {', '.join(cls)}, not {brief(mode)}")


DISABLED, NEXT_STEP, SAME_STEP = range(len(Autoreset))

Codes = NDArray[np.int8]
Moves = NDArray[np.int64]
Rewards = NDArray[np.float32]
Flags = NDArray[np.bool_]
