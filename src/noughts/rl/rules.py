"""What a batch needs to know of a game: sizes, kernels, and rows of arrays for positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any

from noughts.kernels import NDArray, np  # isort: skip  - says which extra is missing

from noughts.engine.ultimate import board as ultimate_board
from noughts.rl import grids, ultimate
from noughts.rules.grid import Grid
from noughts.rules.parsing import AnyPosition
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition

__all__ = ["Rules", "code_of", "rules_of"]

_CODES = {verdict: code for code, verdict in enumerate(Verdict)}


@dataclass(frozen=True)
class Rules:
    """A game in arrays; `kernels` is the module that plays it, `head` what they take first."""

    actions: int
    width: int  # of a row
    dtype: np.dtype[Any]
    kernels: ModuleType
    head: tuple[Any, ...]
    state_of: Callable[[Any], NDArray[Any]]
    position_of: Callable[[NDArray[Any]], AnyPosition]

    def rows(self, state: NDArray[Any]) -> NDArray[Any]:
        """Return the rows of boards as the kernels take them."""
        return state.reshape(-1) if self.kernels is grids else state


def rules_of(position: AnyPosition) -> Rules:
    """Return the rules of a position's game."""
    return _grid(position.grid) if isinstance(position, GridPosition) else _ULTIMATE


@lru_cache(maxsize=64)
def _grid(grid: Grid) -> Rules:
    layout = grids.layout_of(grid)
    return Rules(
        actions=grid.cells,
        width=2,
        dtype=np.dtype(np.uint64),
        kernels=grids,
        head=(layout,),
        state_of=grids.state_of,
        position_of=lambda row: grids.position_of(grid, row),
    )


_ULTIMATE = Rules(
    actions=ultimate.CELLS,
    width=ultimate_board.STATE_SIZE,
    dtype=np.dtype(np.uint16),
    kernels=ultimate,
    head=(),
    state_of=ultimate_board.state_of,
    position_of=ultimate_board.position_of,
)


def code_of(position: AnyPosition) -> int:
    """Return what a position is, as its verdict's place in ``list(Verdict)``."""
    outcome = position.outcome
    return _CODES[outcome.verdict if outcome else Verdict.turn_of(position.turn)]
