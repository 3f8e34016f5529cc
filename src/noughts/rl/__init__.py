"""For learners: thousands of boards in arrays, and environments for other libraries.

>>> from noughts import rl
>>> batch = rl.Batch("4x4x3", 1000, autoreset="same_step")
>>> batch.step(batch.random_actions(seed=1))
>>> batch.observe().shape, batch.legal_mask().sum()
((1000, 4, 4, 3), np.int64(15000))

::

    batch       `Batch`: boards of one game, played side by side
    random_play `playouts`: random games to the end
    judging     `judge_many`: the verdicts on many boards
    rules       what these need to know of a game; the compiled rules are in `grids`, `ultimate`
    codes       numbers for verdicts and modes    bits     sets of cells as bytes, random words
    threads     shares boards out to cores

The arrays need ``pip install 'noughts[engine]'``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noughts.rl.batch import Batch
    from noughts.rl.codes import Autoreset
    from noughts.rl.judging import judge_many
    from noughts.rl.random_play import Playouts, playouts

__all__ = ["Autoreset", "Batch", "Playouts", "judge_many", "playouts"]

_HOMES = {
    "Autoreset": "codes",
    "Batch": "batch",
    "judge_many": "judging",
    **dict.fromkeys(("Playouts", "playouts"), "random_play"),
}
"""The modules of the names; each is loaded when it is first used."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'noughts.rl' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"noughts.rl.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
