"""``noughts analyse``: in words and as JSON, with proofs and estimates, and what it refuses."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from noughts import Game, UltimatePosition, Variant
from support.cli_runner import interrupted, on_terminal, run, spawn
from support.strategies import VARIANTS
from support.ultimate_endgames import endgames, minimax, random_game

VALUES = {1: "win", 0: "draw", -1: "loss"}
DECIMAL = re.compile("0|[1-9][0-9]*")


def analysed(*words: str) -> dict[str, Any]:
    """Return the answer as JSON."""
    result = run("analyse", *words, "--json")
    assert result.code == 0, result.err
    return result.object


# -- words -------------------------------------------------------------------------------


def test_a_proof_in_words() -> None:
    result = run("analyse", "3x3x3:XX./OO./...")
    assert result.code == 0
    assert result.lines[0] == "X wins in 1 move, proved"
    assert result.lines[7] == "3x3x3, X to move"
    assert result.lines[8].split()[:4] == ["c1", "win", "in", "1"]
    assert result.lines[-1] == "  line  c1"
    assert "W1" in result.lines[2]
    assert re.fullmatch(r"  \d+ positions in \d+\.\d s\n", result.err)


def test_an_estimate_in_words() -> None:
    result = run("analyse", "ultimate", "ee", "ea", "--nodes", "200")
    assert result.code == 0
    assert re.fullmatch(r"(about even, )?\d+ % for [XO] after 200 simulations", result.lines[0])
    assert "ultimate, X to move in board a (top left)" in result.lines
    moves = [line for line in result.lines if re.match("  a[a-i] ", line)]
    assert sorted(line.split()[0] for line in moves) == [f"a{cell}" for cell in "abcdefghi"]
    assert all(re.fullmatch(r"  a[a-i]  ~ \d+ % +\d+", line) for line in moves)
    assert result.lines[-1].startswith(f"  line  {moves[0].split()[0]} ")


def test_of_many_moves_the_best_are_shown() -> None:
    result = run("analyse", "15x15x5", "h8", "i9", "h9", "--nodes", "500")
    assert result.code == 0
    shown = [line.split()[0] for line in result.lines if re.match(r"  [a-o]\d+ +~", line)]
    assert len(shown) == 10
    assert "  and 212 more" in result.lines
    picture = result.lines[1 : result.lines.index("15x15x5, O to move")]
    assert sum(line.count("%") for line in picture) == 10
    assert all(len(line) <= 80 for line in result.lines)


def test_on_a_terminal_the_progress_is_gone_at_the_end() -> None:
    shown = on_terminal("analyse", "ultimate", "--time", "0.6s").out
    assert shown.count("% for") >= 1
    assert "Traceback" not in shown


def test_it_can_be_interrupted() -> None:
    result = interrupted("analyse", "ultimate", "--time", "60s", after=1.0)
    assert result.code == 130
    assert "Traceback" not in result.err


# -- JSON --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["ultimate", "ultimate-open-most-boards", "3x3x3", "15x15x5"])
def test_json(game: str) -> None:
    found = analysed(game, "--nodes", "300")
    position = Game.parse(game).position
    names = {position.move_name(move) for move in position.legal_moves}
    assert set(found["moves"]) == names
    assert found["turn"] == "X"
    assert Game.parse(found["position"]).position == position
    assert found["best"][:1] == found["line"][:1] == list(found["moves"])[:1]
    counts = [found["nodes"], found["visits"], *(m["visits"] for m in found["moves"].values())]
    assert all(isinstance(count, str) and DECIMAL.fullmatch(count) for count in counts)
    assert (game != "3x3x3") <= int(found["nodes"]) <= 300  # which is looked up
    for each in [found, *found["moves"].values()]:
        assert 0 <= each["score"] <= 1
        assert each["proved"] is (each["value"] != "unknown")
        assert (each["plies"] is not None) is (each["value"] in ("win", "loss"))


@pytest.mark.parametrize("variant", VARIANTS)
def test_endgames_are_what_they_are(variant: Variant) -> None:
    positions = endgames(variant, most=9, seed=3)
    for _ in range(8):
        position = next(positions)
        found = analysed(position.text, "--nodes", "1000000")
        value, plies = minimax(position)
        assert found["value"] == VALUES[value]
        assert found["plies"] == (plies if value else None)
        for name, each in found["moves"].items():
            value, plies = minimax(position.play(position.read_move(name)))
            assert each["value"] == VALUES[-value]
            assert each["plies"] == (plies + 1 if value else None)


@pytest.mark.parametrize("words", [["ultimate", "ee"], ["ultimate-open"], ["9x9x5", "e5"]])
def test_with_nodes_the_answer_is_always_the_same(words: list[str]) -> None:
    once, twice = (run("analyse", *words, "--nodes", "400", "--json").out for _ in range(2))
    assert once == twice
    assert spawn("analyse", *words, "--nodes", "400", "--json").out == once


def test_a_seed_is_for_playouts() -> None:
    first, second = (analysed("ultimate-open", "--nodes", "300", "--seed", s) for s in "12")
    assert first["moves"] != second["moves"]


def test_threads() -> None:
    found = analysed("ultimate", "--nodes", "500", "--threads", "2")
    assert int(found["nodes"]) == 500


@pytest.mark.parametrize("form", ["ultimate", "text"])
def test_moves_follow_a_position(form: str) -> None:
    start = UltimatePosition.start().text if form == "text" else "ultimate"
    found = analysed(start, "ee", "ea", "--nodes", "50")
    assert set(found["moves"]) == {f"a{cell}" for cell in "abcdefghi"}


# -- what is refused ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message", "pointer"),
    [
        (["XX?/OO./..."], "row 1, column 3: '?' is not a mark", ["XX?/OO./...", "  ^"]),
        (["3x3x3", "b2", "z9"], "column z is outside", ["3x3x3 b2 z9", " " * 9 + "^"]),
        (["3x3x3", "b2", "b2"], "b2 (cell 4) is taken by X", ["3x3x3 b2 b2", " " * 9 + "^"]),
        (["ultimate", "zz"], "'z' is not a board: a to i", ["ultimate zz", " " * 9 + "^"]),
        (["ultimate", "ee", "aa"], "is not in board e", ["ultimate ee aa", " " * 12 + "^"]),
    ],
)
def test_bad_input_is_pointed_at(words: list[str], message: str, pointer: list[str]) -> None:
    result = run("analyse", *words)
    assert result.failed_politely()
    assert result.out == ""
    assert message in result.err
    assert result.err.splitlines()[-2:] == [f"    {line}" for line in pointer]


@pytest.mark.parametrize(
    "words",
    [
        *([], [""], ["nonsense"], ["3x3"], ["OO./.../..."], ["ultimat"], ["ultimate", "ee", "-"]),
        *(["3x3x3", "--time", time] for time in ("0", "0s", "-1s", "nan", "x", "")),
        *(["3x3x3", "--nodes", nodes] for nodes in ("0", "-1", "x", "1.5", "9" * 30)),
        *(["3x3x3", "--threads", threads] for threads in ("0", "65", "x")),
        *(["3x3x3", "--seed", seed] for seed in ("-1", "x")),
        ["40x40x5"],
    ],
)
def test_nonsense_is_refused(words: list[str]) -> None:
    result = run("analyse", *words)
    assert result.failed_politely()
    assert result.out == ""
    assert len(result.err) < 1000


@pytest.mark.parametrize("text", ["XXX/OO./...", "XOX/XOO/OXX", "ultimate"])
def test_a_finished_game_has_nothing_to_analyse(text: str) -> None:
    if text == "ultimate":
        text = random_game(Variant.STANDARD, random.Random(1))[-1].text
    result = run("analyse", text, "--json")
    assert result.failed_politely()
    assert "the game is over" in result.err


def test_json_is_one_line() -> None:
    result = spawn("analyse", "3x3x3", "--nodes", "50", "--json")
    assert (result.code, result.err) == (0, "")
    assert isinstance(json.loads(result.out), dict)
    assert result.out.count("\n") == 1
