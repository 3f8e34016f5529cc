"""For learners: thousands of boards in arrays, environments for other libraries, and the truth.

>>> from noughts import rl
>>> batch = rl.Batch("4x4x3", 1000, autoreset="same_step")
>>> batch.step(batch.random_actions(seed=1))
>>> batch.observe().shape, batch.legal_mask().sum()
((1000, 4, 4, 3), np.int64(15000))
>>> rl.exploitability(rl.uniform, "3x3x3") > 0.5
True

::

    batch       `Batch`: boards of one game, played side by side
    random_play `playouts`: random games to the end
    judging     `judge_many`: the verdicts on many boards
    exact       `Truth`: every value of a small grid; `evaluate`, `exploitability`
    pettingzoo  gymnasium  openspiel    environments for these libraries
    opponents   who plays against an agent: random moves, levels, policies
    episode     the one game that an environment is playing       rendering  its pictures
    rules       what a batch needs to know of a game; the compiled rules are in `grids`, `ultimate`
    shapes      what environments begin with, and the shapes of observations
    codes       numbers for verdicts and modes    bits     sets of cells as bytes, random words
    threads     shares boards out to cores

The arrays need ``pip install 'noughts[engine]'``, the environments ``'noughts[rl]'``. Importing
this package makes ``noughts/MNK-v0`` and ``noughts/Ultimate-v0`` known to Gymnasium.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noughts.rl.batch import Batch
    from noughts.rl.codes import Autoreset
    from noughts.rl.exact import Evaluation, Truth, evaluate, exploitability, truth_of, uniform
    from noughts.rl.judging import judge_many
    from noughts.rl.opponents import Policy
    from noughts.rl.random_play import Playouts, playouts

__all__ = [
    "Autoreset",
    "Batch",
    "Evaluation",
    "Playouts",
    "Policy",
    "Truth",
    "evaluate",
    "exploitability",
    "judge_many",
    "playouts",
    "truth_of",
    "uniform",
]

_EXACT = ("Evaluation", "Truth", "evaluate", "exploitability", "truth_of", "uniform")
_HOMES = {
    "Autoreset": "codes",
    "Batch": "batch",
    **dict.fromkeys(_EXACT, "exact"),
    "judge_many": "judging",
    "Policy": "opponents",
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


def _register() -> None:
    """Make the environments known to Gymnasium, if it is there; they load when one is made."""
    try:
        register = import_module("gymnasium").register
    except ImportError:
        return
    for name, game in (("noughts/MNK-v0", "3x3x3"), ("noughts/Ultimate-v0", "ultimate")):
        register(
            name,
            entry_point="noughts.rl.gymnasium:GameEnv",
            vector_entry_point="noughts.rl.gymnasium:GameVectorEnv",
            kwargs={"game": game},
        )


_register()
