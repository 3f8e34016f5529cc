"""``noughts engine`` as a program, and the documentation of its protocol."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from noughts.matches.protocol import read_position
from support.cli_runner import run, spawn

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the first block of a language in the protocol's description."""
    found = re.search(rf"```{language}\n(.*?)```", PROTOCOL, flags=re.DOTALL)
    assert found is not None
    return found[1]


def test_the_conversation_of_the_documentation() -> None:
    lines = block("text").splitlines()
    sent = [line[2:] for line in lines if line.startswith("> ")]
    expected = [line[2:] for line in lines if line.startswith("< ")]
    said = run("engine", stdin="\n".join(sent)).lines
    said = [line for line in said if not line.startswith("info")]
    expected = [line for line in expected if not line.startswith("info")]
    assert [line.split()[0] for line in said] == [line.split()[0] for line in expected]
    exact = ("ready", "error", "name")
    assert [line for line in said if line.startswith(exact)] == [
        line for line in expected if line.startswith(exact)
    ]
    positions = [line.partition(" ")[2] for line in sent if line.startswith("position")]
    bests = [line.split()[1] for line in said if line.startswith("best")]
    for text, best in zip(positions, bests, strict=False):
        game = read_position(text)
        game.play(best)  # a legal move


def test_the_bot_of_the_documentation_plays(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(block("python"))
    assert len(block("python").splitlines()) <= 25
    command = f"cmd:{shlex.join([sys.executable, str(script)])}"
    for game in ("ultimate", "4x4x3"):
        line = ("match", "random", command, "--game", game, "--games", "2", "--nodes", "1")
        result = run(*line, "--json")
        assert (result.code, result.object["forfeits"]) == (0, [])


def test_it_plays_matches_itself() -> None:
    command = f"cmd:{shlex.join([sys.executable, '-m', 'noughts', 'engine'])}"
    result = run(
        "match", command, "random", "--game", "4x4x3", "--games", "2", "--nodes", "50", "--json"
    )
    assert (result.code, result.object["forfeits"]) == (0, [])


def test_a_win_is_found_and_said_to_be_proved() -> None:
    result = run("engine", stdin="position 3x3x3:XX./OO./...\ngo nodes 100\n")
    assert result.code == 0
    assert result.lines[-1] == "best c1"
    assert result.lines[0].startswith("info value win plies 1 ")


@pytest.mark.parametrize("data", [b"", b"\xff\x00\n" + b"x" * 3_000_000 + b"\nquit\nisready\n"])
def test_garbage_on_stdin(data: bytes) -> None:
    result = spawn("engine", stdin=data)
    assert result.code == 0
    assert result.err == ""
    assert len(result.lines) == 2 * bool(data)
    assert all(line.startswith("error ") for line in result.lines)
    assert all(len(line) < 200 for line in result.lines)


@pytest.mark.parametrize(
    "arguments", [["--threads", "0"], ["--threads", "x"], ["--seed", "x"], ["x"]]
)
def test_bad_usage(arguments: list[str]) -> None:
    assert run("engine", *arguments).failed_politely()
