"""`count`: validates what is asked, and picks the method that answers it.

==================  ==========================  ============================================
method              counts                      how
==================  ==========================  ============================================
``frontier``        games, positions, endings   a transfer-matrix sweep (`sweep`): the default
``backtrack``       games                       plays every game by backtracking
``positions``       games, positions, endings   lists all positions, breadth first
==================  ==========================  ============================================
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal, TypedDict, Unpack, get_args, overload

from noughts.counting.boards import sweep_endings, sweep_positions
from noughts.counting.burnside import sweep_orbits
from noughts.counting.games import sweep_games
from noughts.counting.results import Counts, EndingCounts, GameCounts, PositionCounts
from noughts.counting.runner import Progress, Runner
from noughts.errors import LimitExceeded, NotationError, brief
from noughts.limits import Limits
from noughts.rules.game import Game
from noughts.rules.grid import Grid
from noughts.rules.parsing import position_of
from noughts.rules.position import GridPosition

__all__ = ["Counted", "Meaning", "Method", "Where", "count", "grid_position_of"]

Counted = Literal["games", "positions", "endings"]
Method = Literal["frontier", "backtrack", "positions"]
Meaning = Literal["orbits", "moves"]
Where = GridPosition | Game[Any] | Grid | str
"""What a count or a listing may start from; a grid stands for its empty board."""


class _Options(TypedDict, total=False):
    up_to_symmetry: bool
    method: Method | None
    meaning: Meaning | None
    limits: Limits | None
    checkpoint: os.PathLike[str] | str | None
    cluster: str | None
    on_progress: Progress | None
    on_notice: Callable[[str], None] | None


@overload
def count(
    where: Where, of: Literal["games"] = "games", **options: Unpack[_Options]
) -> GameCounts: ...
@overload
def count(
    where: Where, of: Literal["positions"], **options: Unpack[_Options]
) -> PositionCounts: ...
@overload
def count(where: Where, of: Literal["endings"], **options: Unpack[_Options]) -> EndingCounts: ...
@overload
def count(where: Where, of: Counted, **options: Unpack[_Options]) -> Counts: ...


def count(
    where: Where,
    of: Counted = "games",
    *,
    up_to_symmetry: bool = False,
    method: Method | None = None,
    meaning: Meaning | None = None,
    limits: Limits | None = None,
    checkpoint: os.PathLike[str] | str | None = None,
    cluster: str | None = None,
    on_progress: Progress | None = None,
    on_notice: Callable[[str], None] | None = None,
) -> Counts:
    """Count games, positions or endings, on a grid or from a position on.

    - ``games``: ordered lists of moves up to a win or a full board. From a finished position
      there is one game, of length 0.
    - ``positions``: distinct boards that games reach, the first one and finished ones included.
    - ``endings``: distinct finished boards.

    `up_to_symmetry` counts rotations and reflections once. For games that has a `meaning`:
    ``orbits`` of whole games (the default), or ``moves`` identified at each step. The other
    options are those of `noughts.counting.runner.Runner`.

    >>> counts = count("3x3x3")
    >>> counts.total, counts.x_wins, counts.o_wins, counts.draws
    (255168, 131184, 77904, 46080)
    >>> count("4x4x3").total
    1281016086768
    >>> count("3x3x3", "positions").total, count("3x3x3", "endings").total
    (5478, 958)
    >>> count("3x3x3", "positions", up_to_symmetry=True).total
    765
    """
    position = grid_position_of(where)
    _require_one_of("of", of, get_args(Counted))
    _require_one_of("method", method, (None, *get_args(Method)))
    _require_one_of("meaning", meaning, (None, *get_args(Meaning)))
    if of == "games" and up_to_symmetry:
        meaning = meaning or "orbits"
    elif meaning:
        raise NotationError("a meaning applies to games up to symmetry only")
    is_whole = not position.x | position.o
    if meaning and not is_whole:
        raise LimitExceeded("games up to symmetry are counted from the empty board only")
    methods = _methods(of, meaning, is_whole)
    if method is not None and method not in methods:
        what = of + (f" up to symmetry ({meaning})" if meaning else "")
        what += "" if is_whole else " from a position on"
        raise NotationError(f"method {method} does not count {what}; {' and '.join(methods)} can")
    method = method or methods[0]
    runner = Runner(
        limits,
        checkpoint=checkpoint,
        cluster=cluster,
        on_progress=on_progress,
        on_notice=on_notice,
    )
    if method == "positions":
        from noughts.counting.breadth_first import list_endings, list_games, list_positions

        if not runner.is_plain:
            raise NotationError(
                "method positions runs in one go: it has no use for a checkpoint or a cluster"
            )
        if of == "positions":
            return list_positions(position, runner.memory, up_to_symmetry=up_to_symmetry)
        listing = list_games if of == "games" else list_endings
        return listing(position, runner.memory, up_to_symmetry=up_to_symmetry)
    if of == "positions":
        return sweep_positions(position.grid, runner, up_to_symmetry=up_to_symmetry)
    if of == "endings":
        return sweep_endings(position.grid, runner, up_to_symmetry=up_to_symmetry)
    if meaning:
        return sweep_orbits(position.grid, runner)
    if method == "backtrack":
        from noughts.counting.backtracking import backtrack_games

        return backtrack_games(position, runner)
    return sweep_games(position, runner)


def _methods(of: Counted, meaning: Meaning | None, is_whole: bool) -> tuple[Method, ...]:
    """Return the methods that can count this, the default first."""
    if meaning:
        return ("frontier",) if meaning == "orbits" else ("positions",)
    if of == "games":
        return get_args(Method)
    return ("frontier", "positions") if is_whole else ("positions",)


def _require_one_of(name: str, value: object, known: tuple[object, ...]) -> None:
    if not isinstance(value, str | None) or value not in known:
        listed = ", ".join(str(each) for each in known if each is not None)
        raise NotationError(f"{name} must be one of {listed}, not {brief(value)}")


def grid_position_of(where: Where) -> GridPosition:
    """Return the position that a count or a listing starts from."""
    position = position_of(where)
    if not isinstance(position, GridPosition):
        raise LimitExceeded(
            f"the games of {position.game} are not counted or listed, only those of grids"
        )
    return position
