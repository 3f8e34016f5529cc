"""`noughts verify`: exit codes, words and JSON. What is proved is tested beside the checker."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from support.cli_runner import on_terminal, run, spawn, without_colour
from support.proof_writer import Truth, proof_file, true_proof

LOST = "3x3x3:X.X/.O./O.X"
NODES = [["play", 5, None], ["play", 1, None], ["answer", {"1": 0}, 1]]
GOOD = proof_file(LOST, "loss", {"X": 2}, NODES, 2)
BAD = proof_file(LOST, "loss", {"X": 2}, NODES, 1)
SAID = f"X wins from {LOST} within 2 plies, whatever O does"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Return the paths of a proof that holds and of one that does not."""
    for name, data in (("good.proof", GOOD), ("bad.proof", BAD), ("none.proof", b"")):
        (tmp_path / name).write_bytes(data)
    return {path.stem: str(path) for path in tmp_path.iterdir()}


def test_a_proof_in_words(files: dict[str, str]) -> None:
    result = run("verify", files["good"])
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{files['good']}: proved: {SAID} (3 nodes, 5 positions)\n"


def test_what_is_not_proved(files: dict[str, str]) -> None:
    result = run("verify", files["bad"])
    assert (result.code, result.err) == (1, "")
    said = "line 2: the win is claimed within 1 plies, but may take 2"
    assert result.out == f"{files['bad']}: not proved: {said}\n"
    result = run("verify", files["none"])
    assert result.code == 1
    assert "not proved: line 1: " in result.out


def test_json(files: dict[str, str]) -> None:
    result = run("verify", "--json", files["good"], files["bad"])
    assert result.code == 1
    assert result.objects == [
        {
            "file": files["good"],
            "proved": True,
            "claim": "loss",
            "position": LOST,
            "plies": 2,
            "nodes": 3,
            "positions": 5,
            "text": SAID,
        },
        {
            "file": files["bad"],
            "proved": False,
            "claim": None,
            "position": None,
            "plies": None,
            "nodes": None,
            "positions": None,
            "error": "line 2: the win is claimed within 1 plies, but may take 2",
        },
    ]


def test_stdin() -> None:
    assert run("verify", "-", stdin=GOOD).out.startswith("stdin: proved: X wins from 3x3x3:")
    assert run("verify", "-", "--json", stdin=GOOD).object["file"] == "-"
    assert run("verify", "-", stdin=BAD).code == 1
    assert run("verify", "-", stdin=b"").code == 1


def test_files_that_cannot_be_read(files: dict[str, str], tmp_path: Path) -> None:
    for name in (str(tmp_path / "missing"), str(tmp_path), "a\0b"):
        result = run("verify", name)
        assert result.failed_politely()
        assert "cannot read" in result.err
        assert result.out == ""
    # The others are checked all the same, and the worst decides.
    result = run("verify", files["bad"], str(tmp_path / "missing"), files["good"])
    assert result.code == 2
    assert len(result.lines) == 2


def test_what_is_not_checked_within_the_limits(files: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "large.proof").write_bytes(b"noughts proof 1\n" * 5000)
    large = str(tmp_path / "large.proof")
    result = run("verify", large, files["good"], files["bad"], "--memory", "1MiB")
    assert (result.code, result.err) == (2, "")
    said = "the proof has more than 64.0 KiB, which is the limit with 1.0 MiB of memory"
    assert result.lines[0] == f"{large}: not checked: {said}"
    assert "proved: X wins" in result.lines[1]  # the others are checked all the same
    result = run("verify", large, "--memory", "1MiB", "--json")
    assert result.code == 2
    assert (result.object["proved"], result.object["error"]) == (False, said)


def test_a_file_without_an_end() -> None:
    result = spawn("verify", "/dev/full", "-", stdin=b"\0" * (1 << 20))
    assert (result.code, result.err) == (1, "")
    assert len(result.lines) == 2
    assert all("not proved: line 1: a proof begins with" in line for line in result.lines)


def test_wrong_usage() -> None:
    assert run("verify").failed_politely()
    assert run("verify", "--no-such-option", "-").failed_politely()


def test_a_draw_in_a_process(tmp_path: Path) -> None:
    data, _, _ = true_proof("3x3x3:.../.../...", Truth(3, 3, 3))
    (tmp_path / "draw.proof").write_bytes(data)
    result = spawn("verify", "draw.proof", cwd=tmp_path)
    assert (result.code, result.err) == (0, "")
    said = "neither side can be made to lose from 3x3x3: a draw with best play"
    assert result.out.startswith(f"draw.proof: proved: {said} (")
    assert spawn("verify", "-", stdin=data[:-1]).code == 1


@pytest.mark.flaky(reruns=2)
def test_colours_on_a_terminal(files: dict[str, str]) -> None:
    plain = run("verify", files["good"], files["bad"]).out
    coloured = on_terminal("verify", files["good"], files["bad"], columns=200)
    assert coloured.code == 1
    assert coloured.out != plain
    assert without_colour(coloured.out) == plain


def test_help_and_its_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = run("verify", "--help").out
    assert all(len(line) <= 80 for line in text.splitlines())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "8x8x4.proof").write_bytes(GOOD)
    lines = text.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert len(lines) == 3
    for line in lines:
        words, _, source = line.partition(" < ")
        arguments = [
            word.replace("*", "8x8x4") for word in shlex.split(words)[1:]
        ]  # as a shell would
        result = run(*arguments, stdin=GOOD if source else b"")
        assert (result.code, result.err) == (0, ""), line
