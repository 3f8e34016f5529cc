"""The computer at the table: what it plays at each level, and what it says about it."""

from __future__ import annotations

import re

import pytest

from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS
from support.cli_runner import (
    run,
)
from support.play_sessions import piped


def test_the_solver_says_what_its_moves_lead_to() -> None:
    assert "O plays b2 (a draw)" in piped("3x3x3", lines="a1").lines
    assert "O plays c3 (wins in 1)" in piped("3x3x3", "c1", "a1", "a2", "b2", lines="b1").lines
    assert "X plays b2 (wins in 5)" in piped("4x4x3", "--as", "O", "--time", "60s").lines


def test_weak_levels_do_not_say_what_they_do_not_know() -> None:
    result = run("play", "3x3x3", "--as", "none", "--level", "casual")
    assert all("(" not in line for line in result.lines if re.match("[XO] plays ", line))


def test_a_hint_is_good_at_every_level() -> None:
    for level in GRID_LEVELS:
        lines = piped("3x3x3:XX./OO./...", "--level", level, lines="hint").lines
        assert "Hint: c1 (wins in 1)" in lines


def test_threats_on_a_large_board() -> None:
    moves = ["h8", "a1", "i8", "a2", "j8", "a3", "k8"]
    result = piped("15x15x5", *moves, "--as", "O", lines="moves hint a4")
    assert "  loses in 2  " in result.out
    assert "loses in 2; no move is better" in result.out
    assert "X wins with " in result.lines[-2]


ULTIMATE = list(ULTIMATE_LEVELS)


@pytest.mark.parametrize(("number", "level"), list(enumerate(ULTIMATE, 1)))
@pytest.mark.parametrize("variant", ["ultimate", "ultimate-open"])
def test_the_engine_answers_at_ultimate(number: int, level: str, variant: str) -> None:
    for name in (str(number), level.upper()):
        result = run("play", variant, "--level", name, "--time", "0.05", stdin="ee\n")
        assert (result.code, result.err) == (0, "")
        assert result.lines[0] == f"{variant}: you are X, the engine ({level}) is O."
        (answer,) = [line for line in result.lines if line.startswith("O plays ")]
        silent = level in ("beginner", "casual")
        assert re.fullmatch("O plays e[a-i]" + ("" if silent else r" \(~ \d+ %\)"), answer)
        again = "" if level == "full" else f" --level {level}"
        assert re.fullmatch(rf"  noughts play {variant} ee e[a-i]{again}", result.lines[-1])


def test_what_is_proved_at_ultimate_is_said() -> None:
    endgame = (
        "ultimate:O;O..OXO.X@;XO.XO..OX/..O..X..X/X...OX.OO/OOXOOX.O./...XXX.OX/....OXOOO/"
        "..OX...../.X.XXO.XX/O.XO.XX.O"
    )
    result = run("play", endgame, "--as", "O", "--time", "60s", stdin="moves\nhint\nih\n")
    assert (result.code, result.err) == (0, "")
    for line in ("  wins in 11   ie", "  a draw       ib", "  loses in 10  ih"):
        assert line in result.lines
    assert "Hint: ie (wins in 11)" in result.lines
    assert any(re.fullmatch(r"X plays \w\w \(wins in 9\)", line) for line in result.lines)


def test_the_engine_plays_large_boards() -> None:
    """X threatens at two places at once in five plies, which the solver's threats do not see."""
    moves = ["c8", "b8", "e8", "a1", "f8", "a3", "d10", "o1", "d11", "o3"]
    result = piped("15x15x5", *moves, "--time", "60s", lines="hint")
    assert "Hint: d8 (wins in 5)" in result.lines


def test_a_large_board() -> None:
    result = piped("15x15x5", "--time", "0.3s", lines="h8 hint moves g8")
    assert (result.code, result.err) == (0, "")
    assert "Not everything is proved: boards of more than 64 cells" in result.out
    assert result.out.count("Not everything") == 1, "it is said once"
    assert any(re.fullmatch(r"O plays \w+ \(not proved\)", line) for line in result.lines)
    listed = [line for line in result.lines if re.match(r"  (~ \d+ %|not looked into)  ", line)]
    assert listed[-1].startswith("  not looked into  the other 2")
    assert max(map(len, result.lines)) <= 80
