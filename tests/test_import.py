from __future__ import annotations

import json
import subprocess
import sys

import pytest

import noughts

MODULES = [
    *("noughts", "noughts.exercises", "noughts.rules", "noughts.drawing", "noughts.errors"),
    *(
        "noughts.engine",
        "noughts.limits",
        "noughts.players",
        "noughts.matches.registry",
    ),
    *("noughts.notebook", "noughts.puzzles"),
]


def modules_after(code: str) -> set[str]:
    """Run code in a fresh interpreter and return the top-level names of all modules loaded."""
    program = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stderr == ""
    return {name.partition(".")[0] for name in json.loads(ran.stdout)}


@pytest.fixture(scope="module")
def already_there() -> set[str]:
    """Return what this interpreter loads for nothing, as a .pth file may make it do."""
    return modules_after("pass")


@pytest.mark.parametrize("module", [*MODULES, "noughts, noughts.exercises"])
def test_importing_loads_no_third_party_package(module: str, already_there: set[str]) -> None:
    loaded = modules_after(f"import {module}") - already_there
    assert "noughts" in loaded
    foreign = {name for name in loaded if name not in sys.stdlib_module_names}
    assert foreign == {"noughts"}


def test_exercises_work_without_third_party_packages(already_there: set[str]) -> None:
    code = (
        "from noughts.exercises import *\n"
        "from noughts import *\n"
        "assert TicTacToe(3).move(0, 0, 1) == 0\n"
        "assert state(['XXX', 'OO.', '...']) == 'X_wins'\n"
        "assert simulate(['0,0,X'])[0] == '1'\n"
        "assert simulate_ultimate(['0,0,0,0,X'])[0] == '1'\n"
        "assert count_games(3, 3, 3) == 255168\n"
        "assert next(games()) == (0, 1, 2, 3, 4, 5, 6, 7, 8)\n"
        "assert perft(start('ultimate'), 2) == 720\n"
        "assert '<svg' in start('3x3x3')._repr_svg_()\n"
        "assert str(start('ultimate'))\n"
    )
    loaded = modules_after(code) - already_there
    foreign = {name for name in loaded if name not in sys.stdlib_module_names}
    assert foreign == {"noughts"}


def test_puzzles_are_solved_without_third_party_packages(already_there: set[str]) -> None:
    code = (
        "from noughts import puzzles\n"
        "for each in puzzles.puzzles()[::20]:\n"
        "    own = each.line[::2]\n"
        "    assert each.check(*own).is_solved and '<svg' in each._repr_svg_()\n"
        "    assert each.to_json() and each.hint() and str(each)\n"
        "assert puzzles.daily('2026-01-31')\n"
    )
    loaded = modules_after(code) - already_there
    foreign = {name for name in loaded if name not in sys.stdlib_module_names}
    assert foreign == {"noughts"}


def test_players_that_do_not_search_play_without_third_party_packages(
    already_there: set[str],
) -> None:
    code = (
        "from noughts.limits import Limits\n"
        "from noughts.matches.match import Match, play_match\n"
        "from noughts.matches.registry import player_of\n"
        "for a, b in (('random', 'beginner'), ('casual', 'random')):\n"
        "    match = Match(a, b, games=2, limit=Limits(nodes=1))\n"
        "    assert not any(game.is_forfeit for game in play_match(match, player_of))\n"
    )
    loaded = modules_after(code) - already_there
    foreign = {name for name in loaded if name not in sys.stdlib_module_names}
    assert foreign == {"noughts"}


def test_the_probe_would_notice_a_third_party_package(already_there: set[str]) -> None:
    loaded = modules_after("import pytest") - already_there
    assert "pytest" in {name for name in loaded if name not in sys.stdlib_module_names}


def test_public_names_exist_and_are_sorted() -> None:
    assert noughts.__all__ == sorted(noughts.__all__)
    assert len(set(noughts.__all__)) == len(noughts.__all__)
    for name in noughts.__all__:
        assert hasattr(noughts, name), name
        assert not name.startswith("_")


def test_nothing_public_is_left_out() -> None:
    public = {
        name
        for name, value in vars(noughts).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("noughts")
    }
    assert public == set(noughts.__all__)


def test_public_things_are_documented() -> None:
    for name in noughts.__all__:
        assert getattr(noughts, name).__doc__, name
