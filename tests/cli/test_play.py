"""``noughts play``: its options, its help, and how it ends."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS
from support.cli_runner import (
    TIME_LIMIT,
    clean_environment,
    python,
    run,
)
from support.play_sessions import playing, read_until, record

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.mark.parametrize(("number", "level"), list(enumerate(GRID_LEVELS, 1)))
def test_levels_by_name_and_number(number: int, level: str) -> None:
    games = {
        run("play", "3x3x3", "--as", "none", "--level", name, "--seed", "7").out
        for name in (str(number), level, level.upper())
    }
    assert len(games) == 1
    assert f"({level})" in games.pop()


def test_seeds() -> None:
    def game(*arguments: str) -> str:
        return run("play", "3x3x3", "--as", "none", "--level", "1", *arguments).lines[-1]

    assert game("--seed", "3") == game("--seed", "3")
    assert len({game("--seed", str(seed)) for seed in range(5)}) > 1
    assert len({game() for _ in range(5)}) > 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["3x3"],
        ["nonsense"],
        ["XXX/OO./..."],
        ["XXX/OOO/..."],
        ["3x3x3", "b2", "b2"],
        ["3x3x3", "d4"],
        ["3x3x3", "--as", "Y"],
        ["3x3x3", "--level", "5"],
        ["3x3x3", "--level", "0"],
        ["3x3x3", "--level", "grandmaster"],
        ["3x3x3", "--time", "0"],
        ["3x3x3", "--time", "soon"],
        ["3x3x3", "--time", "-5s"],
        ["3x3x3", "--seed", "x"],
        ["3x3x3", "--against", "nobody"],
        ["3x3x3", "--against", "person", "--as", "X"],
        ["3x3x3", "--against", "person", "--level", "2"],
        ["3x3x3", "--against", "person", "--seed", "2"],
        ["ultimate", "--level", "perfect"],
        ["ultimate", "--level", "7"],
        ["3x3x3", "--level", "full"],
        ["--load", "missing"],
        ["3x3x3", "--load", "missing"],
        ["--load", ""],
        ["--load"],
    ],
    ids=" ".join,
)
def test_unusable_arguments(arguments: list[str]) -> None:
    result = run("play", *arguments, stdin="b2\n")
    assert result.failed_politely()
    assert result.out == ""


@pytest.mark.parametrize(
    ("options", "who"),
    [
        ([], "you are O, the solver (casual) is X."),
        (["--level", "1"], "you are O, the solver (beginner) is X."),
        (["--as", "X"], "you are X, the solver (casual) is O."),
        (["--against", "solver"], "you are X, the solver (casual) is O."),
        (["--against", "person"], "X and O take turns."),
    ],
)
def test_options_go_before_what_a_file_says(options: list[str], who: str) -> None:
    Path("game").write_text("# X: casual, O: person\n3x3x3 b2\n")
    result = run("play", "--load", "game", *options)
    assert (result.code, result.err) == (0, "")
    assert result.lines[0] == f"3x3x3: {who}"


@pytest.mark.parametrize("seconds", ["1s", "1", "0.5s", "1min", "1h", "2 s"])
def test_times(seconds: str) -> None:
    result = run("play", "3x3x3", "--time", seconds)
    assert (result.code, result.err) == (0, "")


def test_nobody_has_to_read_numpy_for_a_small_game() -> None:
    program = (
        "import sys\n"
        "from noughts.cli.main import main\n"
        "for level in ('1', '2', '3', '4'):\n"
        "    main(['play', '3x3x3', '--as', 'none', '--level', level])\n"
        "main(['play', 'ultimate', 'ee', '--level', 'casual'])\n"
        "print('numpy' in sys.modules, 'numba' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=clean_environment(),
        timeout=60,
        check=True,
    )
    assert ran.stdout.splitlines()[-1] == "False False"


def test_help_reads_well_and_its_examples_work() -> None:
    result = run("play", "--help")
    assert (result.code, result.err) == (0, "")
    assert all(len(line) <= 80 for line in result.lines)
    for level in GRID_LEVELS:
        assert re.search(rf"^    \d {level} ", result.out, re.MULTILINE)
    listing = result.out.partition("\n  Examples:\n")[2].partition("\n\n")[0]
    examples = [line.strip() for line in listing.splitlines()]
    assert len(examples) >= 3
    Path("game.txt").write_text("3x3x3 b2\n")
    for example in examples:
        line, _, source = example.partition(" < ")
        ran = run(*shlex.split(line)[1:], stdin="c3\nquit\n" if source else "")
        assert (ran.code, ran.err) == (0, ""), example


def test_a_damaged_table_stops_the_solver_but_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "3x3x3.noughts").write_bytes(b"nonsense")
    result = run("play", "3x3x3", stdin="b2\na1\n", env={"NOUGHTS_TABLES": str(tmp_path)})
    assert result.failed_politely()
    assert record(result).text == "3x3x3 b2"
    assert "3x3x3.noughts" in result.err


def test_interrupted_while_waiting() -> None:
    for process in playing("3x3x3"):
        assert process.stdin is not None
        process.stdin.write(b"b2\n")
        process.stdin.flush()
        read_until(process, b"O plays")
        read_until(process, b"3x3x3, X to move")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIME_LIMIT)
        assert process.returncode == 130
        assert err == b""
        assert out.decode().splitlines()[-2] == "Interrupted with X to move. To go on:"
        assert out.decode().splitlines()[-1].startswith("  noughts play 3x3x3 b2 ")


def test_the_help_has_the_levels_of_the_table() -> None:
    words = " ".join(run("play", "--help").out.split())
    for levels in (GRID_LEVELS, ULTIMATE_LEVELS):
        for number, level in enumerate(levels.values(), 1):
            assert f"{number} {level.name} {level.about}" in words


@pytest.mark.flaky(reruns=2)  # a signal that comes while a kernel is compiled may end Python itself
def test_interrupted_while_the_solver_thinks() -> None:
    for process in playing("8x8x5", "--as", "O", "--time", "1h"):
        read_until(process, b"8x8x5, X to move")
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIME_LIMIT)
        assert process.returncode == 130
        assert b"Traceback" not in err
        assert out.decode().splitlines()[-1] == "  noughts play 8x8x5 --as O"


def test_a_reader_that_is_gone() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(
        python("play", "3x3x3", "--as", "none"),
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        timeout=TIME_LIMIT,
        check=False,
    )
    os.close(writer)
    assert (process.returncode, process.stderr) == (0, b"")


def test_a_closed_stdin() -> None:
    process = subprocess.run(
        ["sh", "-c", f"{shlex.join(python('play', '3x3x3'))} <&-"],
        capture_output=True,
        env=clean_environment(),
        timeout=TIME_LIMIT,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.decode().splitlines()[-1] == "  noughts play 3x3x3"
