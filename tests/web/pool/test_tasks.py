"""Which tasks are quick: those that a worker without any compiled code can run."""

from __future__ import annotations

import subprocess
import sys

import pytest

from noughts import Game
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
