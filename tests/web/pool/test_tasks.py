"""Which tasks are quick: those that a worker without any compiled code can run."""

from __future__ import annotations

import subprocess
import sys

import pytest

from noughts import Game
from noughts.kernels import COMPILED
from noughts.web.pool.tasks import is_quick

GAMES = ["3x3x3", "3x3x3 b2 a1", "3x3x3:XX./OO./...", "3x3x2", "1x3x2", "2x4x3 a1", "1x9x5"]

SCRIPT = """
import sys
from contextlib import suppress
from noughts.players import GRID_LEVELS
from noughts.errors import LimitExceeded, SizeError
from noughts.web.pool.tasks import TASKS, Context

context = Context(2 << 30, lambda data: None)
effort = {"seconds": 1.0, "nodes": None}
for game in sys.argv[1:]:
    TASKS["analyse"]({"game": game, **effort}, context)
    TASKS["explore"]({"game": game, **effort}, context)
    TASKS["review"]({"game": game, **effort}, context)
    for level in GRID_LEVELS:
        TASKS["move"]({"game": game, "level": level, "seed": 1, **effort}, context)
    for up_to_symmetry in (False, True):
        with suppress(LimitExceeded):  # some are counted from the empty board only
            TASKS["count"]({"game": game, "of": "games", "up_to_symmetry": up_to_symmetry}, context)
    for outcome in (None, "X_wins", "O_wins", "draw"):
        TASKS["games"]({"game": game, "first": "0", "limit": 3, "outcome": outcome}, context)
        with suppress(SizeError):  # there may be no such game
            TASKS["random"]({"game": game, "number": 3, "seed": 1, "outcome": outcome}, context)
print(sorted({"numba", "numpy"} & set(sys.modules)))
"""


def test_quick_tasks_load_no_compiled_code() -> None:
    assert all(is_quick(Game.parse(game).position, {"game": game}) for game in GAMES)
    command = [sys.executable, "-c", SCRIPT, *GAMES]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("game", ["4x4x3", "2x5x3", "ultimate"])
def test_other_tasks_are_not_quick(game: str) -> None:
    assert not is_quick(Game.parse(game).position, {"game": game})


def test_counts_of_positions_are_not_quick() -> None:
    assert is_quick(Game.parse("3x3x3").position, {"of": "games"})
    assert not is_quick(Game.parse("3x3x3").position, {"of": "positions"})


LATE = (  # 24 empty cells: the endgame search solves it
    "ultimate ge ef fe ea ab bd de ee ed dd dc ce ei ih he eb ba ae eh ha aa ac cc ch hb bc cb bi"
    " ii ib bf fg gh hh hd di ie ec ca ag gb bh hi"
)

WARM = """
import sys
from numba.core.dispatcher import Dispatcher
from noughts.web.pool.tasks import TASKS, Context, warm_up

def loaded():
    modules = [module for name, module in sys.modules.items() if name.startswith("noughts")]
    return {
        str(each.py_func.__qualname__)
        for module in modules
        for each in vars(module).values()
        if isinstance(each, Dispatcher) and each.signatures
    }

warm_up(lambda: None)
before = loaded()
context = Context(2 << 30, lambda data: None)
for game in sys.argv[1:]:
    TASKS["analyse"]({"game": game, "seconds": None, "nodes": 20_000}, context)
TASKS["count"]({"game": "6x5x4 c3", "of": "games", "up_to_symmetry": False}, context)
print(len(before) > 0, sorted(loaded() - before))
"""


@pytest.mark.skipif(not COMPILED, reason="there is nothing to compile")
def test_a_warm_worker_has_loaded_what_tasks_need() -> None:
    """Else a task would spend its time on compiling, and the page would show nothing for long."""
    games = ["4x4x3 b2", "5x5x4 c3 b2", "7x7x5 d4", "15x15x5 h8", "ultimate", "ultimate-open", LATE]
    command = [sys.executable, "-c", WARM, *games]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "True []\n"
