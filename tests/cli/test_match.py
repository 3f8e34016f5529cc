"""``noughts match``, as its users see it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from noughts import Game
from support.bots import bot, is_free
from support.cli_runner import allow_ctrl_c, clean_environment, python, run

QUICK = ("--games", "4", "--nodes", "1")


def test_words() -> None:
    result = run("match", "random", "random", "--game", "4x4x3", *QUICK)
    assert result.code == 0
    assert result.lines[0] == "4x4x3, 1 node per move, openings random:2"
    assert result.lines[2].split()[:5] == ["games", "wins", "draws", "losses", "score"]
    a, b = (line.split() for line in result.lines[3:5])
    assert (a[:3], b[:3]) == (["A", "random", "4"], ["B", "random", "4"])
    assert (a[3:6]) == b[5:2:-1]  # A's wins are B's losses
    assert result.lines[6].startswith("A scores ")
    assert "95 %" in result.lines[6]
    assert "Elo" in result.lines[6]
    assert all(len(line) <= 80 for line in result.lines)


def test_json() -> None:
    data = run("match", "random", "random", "--variant", "open", *QUICK, "--json").object
    assert data["game"] == "ultimate-open"
    assert data["games"] == data["wins"] + data["draws"] + data["losses"] == 4
    low, high = data["score_interval"]
    assert low <= data["score"] <= high
    assert data["forfeits"] == []
    assert data["sides"]["X"]["games"] == data["sides"]["O"]["games"] == 2


def test_the_seed_decides() -> None:
    line = ("match", "random", "random", "--games", "6", "--nodes", "1", "--json")
    assert run(*line).object == run(*line).object
    assert run(*line, "--seed", "2").object != run(*line).object


def test_games_are_saved_replayable_and_taken_up_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    line = ("match", "random", "random", "--game", "ultimate", "--nodes", "1", "--save", str(file))
    first = run(*line, "--games", "2", "--json").object
    terms, *records = map(json.loads, file.read_text().splitlines())
    assert terms["match"]["a"] == "random"
    assert len(records) == 2
    for record in records:
        outcome = Game.parse(record["game"]).outcome
        assert outcome is not None
        assert outcome.verdict == record["result"]
        assert run("show", *record["game"].split()).code == 0
    second = run(*line, "--games", "4", "--json").object
    assert (first["games"], second["games"]) == (2, 4)
    whole = run("match", "random", "random", "--nodes", "1", "--games", "4", "--json").object
    assert second == whole
    assert run(*line, "--games", "4", "--seed", "2").failed_politely()


def test_forfeits_are_reported(tmp_path: Path) -> None:
    command = f"cmd:{bot(tmp_path, 'sys.exit(7)')}"
    line = ("match", "random", command, "--game", "3x3x3", "--games", "12", "--nodes", "1")
    result = run(*line)
    assert result.code == 1
    assert "game 1, crash: O (bot) ended" in result.out
    assert "ended with exit code 7" in result.out
    assert result.lines[-1] == "and 2 more forfeits"
    assert result.lines[4].startswith("B  bot ")
    data = run(*line, "--json").object
    assert (data["wins"], len(data["forfeits"])) == (12, 12)


def test_a_bot_that_joins(tmp_path: Path) -> None:
    result = run("match", "random", f"cmd:{bot(tmp_path)}", "--game", "3x3x3", *QUICK, "--json")
    assert result.code == 0
    assert result.object["games"] == 4
    assert result.object["b"].startswith("cmd:")
    assert (result.object["a_name"], result.object["b_name"]) == ("random", "bot")


def test_two_programs_of_one_name_are_told_apart_by_their_commands(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    players = f"cmd:{bot(tmp_path)}", f"cmd:{bot(tmp_path / 'other')}"
    result = run("match", *players, "--game", "3x3x3", *QUICK)
    assert [line[:7] for line in result.lines[3:5]] == ["A  cmd:", "B  cmd:"]
    assert all(len(line) <= 80 for line in result.lines[2:5])


def test_repeated_openings_are_counted() -> None:
    line = ("match", "random", "random", "--game", "3x3x3", "--games", "40", "--nodes", "1")
    assert run(*line, "--openings", "random:1").lines[0].endswith("random:1 (9 different)")
    assert run(*line, "--openings", "random:1", "--json").object["different_openings"] == 9
    assert run(*line, "--openings", "random:2").lines[0].endswith("random:2")


def test_a_wrong_player_leaves_the_match_file_to_the_next_run(tmp_path: Path) -> None:
    save = ("--game", "3x3x3", *QUICK, "--save", str(tmp_path / "games.jsonl"))
    assert run("match", "random", "rendom", *save).failed_politely()
    assert run("match", "random", "casual", *save, "--openings", "sicilian").failed_politely()
    assert run("match", "random", "random", *save).code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["random"],
        ["random", "nobody"],
        ["random", "random:x=1"],
        ["random", "openspiel:c=-1"],
        ["random", "openspiel:c=1,c=2"],
        ["random", "engine:threads=two"],
        ["random", "cmd:"],
        ["random", "cmd:/no/such/program"],
        ["random", "random", "--games", "0"],
        ["random", "random", "--time", "0"],
        ["random", "random", "--nodes", "0"],
        ["random", "random", "--game", "chess"],
        ["random", "random", "--game", "3x3x3", "--openings", "random:9"],
        ["random", "random", "--openings", "sicilian"],
        ["random", "random", "--openings", "file:/no/such/file"],
        ["random", "random", "--save", "/no/such/folder/games.jsonl"],
        ["openspiel", "random", "--game", "ultimate-open", "--nodes", "1"],
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_bad_usage(arguments: list[str]) -> None:
    assert run("match", *arguments).failed_politely()


@pytest.mark.parametrize(
    ("number", "concurrency"),
    [(signal.SIGINT, "1"), (signal.SIGTERM, "1"), (signal.SIGHUP, "2")],
)
def test_an_interrupted_match_leaves_no_process_behind(
    tmp_path: Path, number: signal.Signals, concurrency: str
) -> None:
    first = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nheld = hold()\nos.fork()"
    on_go = "open(__file__ + '.asked', 'w')\ntime.sleep(1000)"
    command = bot(tmp_path, on_go, first)
    games = tmp_path / "games.jsonl"
    arguments = ("match", "random", f"cmd:{command}", "--time", "1000s", "--game", "3x3x3")
    process = subprocess.Popen(
        python(*arguments, "--save", str(games), "--concurrency", concurrency),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        text=True,
        start_new_session=True,
        preexec_fn=allow_ctrl_c,
    )
    give_up = time.monotonic() + 60
    while not (tmp_path / "bot.py.asked").exists() and time.monotonic() < give_up:
        time.sleep(0.01)
    if number is signal.SIGTERM:
        os.kill(process.pid, number)
    else:
        os.killpg(process.pid, number)  # as a terminal does
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupted after 0 of 100 games" in err
    assert "Traceback" not in err
    assert err.count("\n") <= 2
    assert out.startswith("3x3x3")
    assert is_free(tmp_path)
