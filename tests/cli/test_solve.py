"""``noughts solve``, as its users see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.cli_runner import run


def test_words() -> None:
    result = run("solve", "4x4x3")
    assert result.code == 0
    assert result.lines[0] == "4x4x3: X wins in 5 plies"
    assert result.lines[1] == "  line  b2 a1 c2 b1 a2"


def test_a_position_is_named_in_full() -> None:
    result = run("solve", "XX./OO./...")
    assert result.out.startswith("3x3x3:XX./OO./...: X wins in 1 ply\n")


def test_every_move() -> None:
    result = run("solve", "3x4x3", "--moves")
    assert "  b2  win in 7\n" in result.out
    assert "  a2  loss in 10\n" in result.out
    assert "W7" in result.out


def test_json_of_the_specification() -> None:
    data = json.loads(run("solve", "3x4x3", "--json").out)
    assert data["value"] == "win"
    assert data["plies"] == 7
    assert data["proved"] is True
    assert len(data["line"]) == 7
    assert data["best"] == data["line"][:1]
    moves = json.loads(run("solve", "3x4x3", "--moves", "--json").out)["moves"]
    assert moves["b2"]["value"] == "win"
    assert moves["b2"]["plies"] == 7
    assert moves["a2"]["value"] == "loss"
    assert len(moves) == 12


def test_a_draw_has_no_plies() -> None:
    data = json.loads(run("solve", "4x4x4", "--json").out)
    assert (data["value"], data["plies"], data["proved"]) == ("draw", None, True)


def test_a_limit_gives_what_is_known_and_says_that_it_is_not_proved() -> None:
    result = run("solve", "8x8x5", "--time", "0.2s")
    assert result.code == 1
    assert result.out == "8x8x5: not proved: X has at least a draw; more is not known\n"
    data = json.loads(run("solve", "8x8x5", "--time", "0.2s", "--json").out)
    assert (data["value"], data["plies"], data["proved"]) == ("unknown", None, False)
    assert (data["at_least"], data["at_most"]) == ("draw", "win")


def test_a_proof_is_written_and_holds(tmp_path: Path) -> None:
    file = tmp_path / "5x5x4.proof"
    result = run("solve", "5x5x4", "--proof", str(file))
    assert result.code == 0
    assert result.out.startswith("5x5x4: a draw\n")
    checked = run("verify", str(file))
    assert checked.code == 0
    assert "draw with best play" in checked.out


def test_no_proof_is_written_of_what_is_not_proved(tmp_path: Path) -> None:
    file = tmp_path / "8x8x5.proof"
    result = run("solve", "8x8x5", "--time", "0.2s", "--proof", str(file))
    assert result.code == 1
    assert "value is not proved" in result.err
    assert not file.exists()


def test_a_proof_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    file = tmp_path / "missing" / "8x8x5.proof"
    result = run("solve", "8x8x5", "--proof", str(file))  # which takes for ever
    assert result.failed_politely()
    assert f"cannot write {str(file)!r}: No such file or directory" in result.err


def test_a_checkpoint_is_taken_up(tmp_path: Path) -> None:
    file = tmp_path / "solve.db"
    first = run("solve", "4x8x4", "--time", "0.3s", "--checkpoint", str(file), "--json")
    assert file.exists()
    before = int(json.loads(first.out)["nodes"])
    again = run("solve", "4x8x4", "--time", "3s", "--checkpoint", str(file), "--json")
    assert int(json.loads(again.out)["nodes"]) > before
    other = run("solve", "4x7x4", "--checkpoint", str(file))
    assert other.code == 2
    assert "checkpoint of another" in other.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ultimate"], "only grids can be solved"),
        (["3x3"], "a grid is ROWSxCOLSxK"),
        (["XXX/OOO/..."], "no game leads there"),
        (["9x9x5"], "at most 64 cells"),
        (["3x3x3", "--time", "soon"], "is not a time"),
        (["3x3x3", "--time", "0s"], "is not a time"),
        (["4x4x3", "--memory", "1"], "memory must be at least"),
        (["4x4x3", "--moves", "--proof", "x"], "cannot be combined"),
        (["4x4x3", "--proof", "no/such/folder/x"], "cannot write"),
    ],
)
def test_bad_input(arguments: list[str], message: str) -> None:
    result = run("solve", *arguments)
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_finished_games() -> None:
    assert run("solve", "XXX/OO./...").out == "3x3x3:XXX/OO./...: X has won\n"
    assert run("solve", "XOX/XOO/OXX").out == "3x3x3:XOX/XOO/OXX: a draw\n"
