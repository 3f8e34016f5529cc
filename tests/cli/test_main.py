"""The command line as a whole: help, usage errors, exit codes, pipes, signals and terminals."""

from __future__ import annotations

import io
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.cli.main import main
from support.cli_runner import (
    TIME_LIMIT,
    Result,
    allow_ctrl_c,
    clean_environment,
    interrupted,
    on_terminal,
    python,
    run,
    spawn,
    without_colour,
)

COMMANDS = ["check", "replay", "show", "perft"]
BOARDS = "XX./OO./...\nXXX/OO./...\n"
MOVES = "0,0,X\n1,1,O\n0,0,O\n"


# -- help --------------------------------------------------------------------------------


def listed_commands() -> list[str]:
    """Return the commands that ``noughts --help`` lists."""
    listing = run("--help").out.partition("Commands:\n")[2].partition("\n\n")[0]
    return [line.split()[0] for line in listing.splitlines()]


def examples(command: str) -> list[str]:
    """Return the lines under ``Examples:`` in a command's help."""
    text = run(command, "--help").out
    assert "\n  Examples:\n" in text, f"no list of examples in:\n{text}"
    listing = text.partition("\n  Examples:\n")[2].partition("\n\n")[0]
    return [line.strip() for line in listing.splitlines()]


def test_help_lists_the_commands() -> None:
    assert set(COMMANDS) <= set(listed_commands())


@pytest.mark.parametrize("arguments", [[], *([command] for command in COMMANDS)])
def test_help_reads_well(arguments: list[str]) -> None:
    for option in ("--help", "-h"):
        result = run(*arguments, option)
        assert (result.code, result.err) == (0, "")
        assert result.out.startswith(" ".join(["Usage: noughts", *arguments]))
        assert all(len(line) <= 80 for line in result.lines)
        assert "\\b" not in result.out
        assert "\b" not in result.out


def test_help_says_of_every_command_what_it_does() -> None:
    for command in listed_commands():
        (line,) = [line for line in run("--help").lines if line.startswith(f"  {command} ")]
        assert line.split(maxsplit=1)[1].endswith(".")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_explains_every_option(command: str) -> None:
    options = run(command, "--help").out.partition("Options:\n")[2]
    for line in options.splitlines():
        if match := re.match(r"  (-\S.*?)(?:  +(\S.*))?$", line):
            described = match[2] or options.partition(line)[2].splitlines()[1].strip()
            assert described, f"{match[1]} is not explained"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command: str) -> None:
    found = examples(command)
    assert len(found) >= 2
    assert all(example.startswith(f"noughts {command} ") for example in found)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_work(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for example in examples(command):
        line, _, source = example.partition(" < ")
        stdin = {"boards.txt": BOARDS, "moves.txt": MOVES}[source.strip()] if source else ""
        result = run(*shlex.split(line)[1:], stdin=stdin)
        assert (result.code, result.err) == (0, ""), example
        assert result.out or list(tmp_path.iterdir()), example


def test_examples_with_json_print_json() -> None:
    for command in ("check", "replay", "perft"):
        lines = [example for example in examples(command) if "--json" in example]
        assert lines, f"{command} has --json but no example of it"


def test_version() -> None:
    for result in (run("--version"), spawn("--version")):
        assert (result.code, result.err) == (0, "")
        assert result.out == f"noughts {noughts.__version__}\n"


def test_the_installed_script_is_the_same() -> None:
    script = Path(sys.executable).with_name("noughts")
    if not script.exists():
        pytest.skip("the package is not installed with its script")
    output = subprocess.run([script, "check", "XX./OO./..."], capture_output=True, check=False)
    assert output.stdout.startswith(b"X_turn: ")
    assert output.returncode == 0


# -- wrong usage -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["chek"],
        ["Check"],
        ["CHECK", "XX./OO./..."],
        [""],
        ["-x"],
        ["--json", "check"],
        ["--verison"],
        ["check", "--jsno", "..."],
        ["check", "-x", "..."],
        ["check", "--grid"],
        ["check", "-k"],
        ["check", "--file"],
        ["show", "--svgg", "3x3x3"],
        ["show", "3x3x3", "--theme"],
        ["show", "3x3x3", "-o"],
        ["show", "3x3x3", "--json"],
        ["perft"],
        ["perft", "3x3x3", "3", "--spilt"],
        ["perft", "--position"],
        ["replay", "--file"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert "Traceback" not in result.err
    assert "Usage: noughts" in result.err or "Error: " in result.err


@pytest.mark.parametrize(
    ("typo", "meant"),
    [("chek", "check"), ("repaly", "replay"), ("shwo", "show"), ("pertf", "perft")],
)
def test_mistyped_command_is_guessed(typo: str, meant: str) -> None:
    result = run(typo)
    assert result.code == 2
    assert meant in result.err, "which command was meant is easy to guess"


@pytest.mark.parametrize(
    ("command", "typo", "meant"),
    [("check", "--jsno", "--json"), ("perft", "--spilt", "--split"), ("show", "--asci", "--ascii")],
)
def test_mistyped_option_is_guessed(command: str, typo: str, meant: str) -> None:
    assert meant in run(command, typo).err


# -- pipes -------------------------------------------------------------------------------

PRINTING = [
    ["check", "XX./OO./..."],
    ["check", "XX./OO./...", "--json"],
    ["check", "OO./.../..."],
    ["replay", "0,0,X"],
    ["replay", "0,0,X", "--json"],
    ["show", "3x3x3"],
    ["show", "ultimate", "--svg"],
    ["perft", "3x3x3", "2"],
    ["perft", "3x3x3", "2", "--split"],
    ["--help"],
    ["--version"],
    ["check", "--help"],
]


def to_file(file: int, *arguments: str) -> Result:
    """Run a command line in this process with stdout open to a file, which is closed then."""
    before, sys.stdout = sys.stdout, os.fdopen(file, "w", encoding="utf-8")
    errors = io.StringIO()
    try:
        with redirect_stderr(errors):
            code = main(list(arguments))
    finally:
        with suppress(OSError):  # what is still buffered cannot be written
            sys.stdout.close()
        sys.stdout = before
    return Result(code, "", errors.getvalue())


def in_process_of_its_own(stdout: int, *arguments: str) -> Result:
    """Run a command line with stdout open to a file."""
    ran = subprocess.run(
        python(*arguments),
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(),
        timeout=TIME_LIMIT,
        check=False,
    )
    os.close(stdout)
    return Result(ran.returncode, "", ran.stderr)


def broken_pipe() -> int:
    """Return the end to write to of a pipe without a reader."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def test_reader_that_is_gone() -> None:
    for arguments in PRINTING:
        assert to_file(broken_pipe(), *arguments) == Result(0, "", ""), arguments
    for arguments in (PRINTING[0], ["--help"]):
        assert in_process_of_its_own(broken_pipe(), *arguments) == Result(0, "", ""), arguments


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["check"], "XX./OO./...\n"),
        (["check", "--json"], "OO./.../...\n"),
        (["show"], "3x3x3 b2\n"),
    ],
)
def test_reader_that_has_seen_enough(arguments: list[str], line: str, tmp_path: Path) -> None:
    """``noughts ... < many | head -1`` prints one line and nothing else."""
    (tmp_path / "many").write_text(line * 20_000)
    with (tmp_path / "many").open("rb") as many:
        process = subprocess.Popen(
            python(*arguments),
            stdin=many,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean_environment(),
        )
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.wait(TIME_LIMIT) == 0


def test_results_come_as_they_are_found() -> None:
    """A filter in a pipe answers each line before it reads the next."""
    process = subprocess.Popen(
        python("check"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdin, process.stdout, process.stderr:
        for board, answer in ((b"...\n", b"X_turn"), (b"X..\n", b"O_turn"), (b"O..\n", b"invalid")):
            process.stdin.write(board)
            process.stdin.flush()
            assert process.stdout.readline().startswith(answer)
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.stderr.read() == b""
    assert process.wait(TIME_LIMIT) == 1


CLOSED = {
    "check XX./OO./...": 0,
    "replay 0,0,X": 0,
    "perft 3x3x3 2": 0,
    "show 3x3x3": 0,
    "check bad": 2,
    "chek": 2,
    "check -f -": 2,
    "--help": 0,
}


def test_closed_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cron jobs and daemons start programs without standard streams, which are None then."""
    for streams in (["stdout"], ["stdin"], ["stderr"], ["stdout", "stderr"]):
        for arguments, code in CLOSED.items():
            with monkeypatch.context() as patch:
                patch.setattr(sys, "stdin", None)
                for stream in streams:
                    patch.setattr(sys, stream, None)
                assert main(shlex.split(arguments)) == code, (arguments, streams)


@pytest.mark.parametrize("redirection", [">&-", "<&-", "2>&-", ">&- 2>&-"])
def test_streams_that_are_closed_for_a_process(redirection: str) -> None:
    """Files that it opens may then have the numbers of the standard streams."""
    for arguments in ("check XX./OO./...", "check -f -"):
        process = subprocess.run(
            ["sh", "-c", f"{shlex.join(python())} {arguments} {redirection}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=clean_environment(),
            timeout=TIME_LIMIT,
            check=False,
        )
        assert b"Traceback" not in process.stderr
        assert process.returncode == CLOSED[arguments]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk() -> None:
    """Results that could not be written must not look like success."""
    results = [to_file(os.open("/dev/full", os.O_WRONLY), *each) for each in PRINTING]
    for result in [
        *results,
        in_process_of_its_own(os.open("/dev/full", os.O_WRONLY), *PRINTING[0]),
    ]:
        assert "Traceback" not in result.err
        assert "space" in result.err
        assert result.code not in (0, 1), "0 is success, 1 an invalid board"


# -- interruption ------------------------------------------------------------------------


def test_interrupted_count() -> None:
    result = interrupted("perft", "ultimate", "30", after=0.1)
    assert result.code == 130
    assert result.out == ""
    assert "Traceback" not in result.err
    assert "Error" not in result.err


@pytest.mark.parametrize("command", ["check", "replay", "show"])
def test_interrupted_reading(command: str) -> None:
    """Ctrl-C while the command waits for more input."""
    process = subprocess.Popen(
        python(command, *(["XX./OO./..."] if command == "check" else []), "-f", "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**clean_environment(), "PYTHONFAULTHANDLER": ""},
        preexec_fn=allow_ctrl_c,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdin, process.stdout, process.stderr:
        if command == "check":
            assert process.stdout.readline().startswith(b"X_turn")
        else:
            wait_until_it_sleeps(process.pid)
        process.send_signal(signal.SIGINT)
        code = process.wait(TIME_LIMIT)
        error = process.stderr.read()
    assert code == 130
    assert b"Traceback" not in error


def wait_until_it_sleeps(pid: int) -> None:
    """Wait until a process blocks on reading its stdin, which it does only when it is ready."""
    syscall = Path(f"/proc/{pid}/wchan")
    if not syscall.exists():
        pytest.skip("needs /proc")
    for _ in range(2000):
        if "pipe" in syscall.read_text():
            return
        time.sleep(0.01)
    pytest.skip("cannot see what the process waits for")


# -- terminals ---------------------------------------------------------------------------


def test_colours_on_a_terminal() -> None:
    for arguments in (["check", "XXX/OO./..."], ["check", "OO./.../..."], ["show", "3x3x3", "b2"]):
        result = on_terminal(*arguments)
        assert "\x1b[" in result.out
        assert without_colour(result.out) == run(*arguments).out


def test_colours_do_not_change_the_columns() -> None:
    result = on_terminal("show", "ultimate", "ee", "ea", "ae", "--value", "eb=O+X")
    plain = run("show", "ultimate", "ee", "ea", "ae", "--value", "eb=O+X")
    assert without_colour(result.out) == plain.out


EVERYTHING = [
    ["check", "XXX/OO./...", "OO./.../...", "bad"],
    ["check", "--grid", "3x3", "..."],
    ["check", "--file", "missing"],
    ["replay", "0,0,X"],
    ["show", "3x3x3", "b2"],
    ["show", "nonsense"],
    ["perft", "3x3x3", "2", "--split"],
    ["perft", "3x3", "2"],
    ["chek"],
]


def test_no_color() -> None:
    assert "\x1b" not in on_terminal(*EVERYTHING[0], env={"NO_COLOR": "1"}).out
    coloured = 0
    for arguments in EVERYTHING:
        result = run(*arguments, is_terminal=True)
        coloured += "\x1b" in result.out + result.err
        result = run(*arguments, is_terminal=True, env={"NO_COLOR": "1"})
        assert "\x1b" not in result.out + result.err
    assert coloured >= 5, "or this test shows nothing"


def test_no_colours_in_a_pipe() -> None:
    result = spawn(*EVERYTHING[0])
    assert "\x1b" not in result.out + result.err
    for arguments in EVERYTHING:
        result = run(*arguments)
        assert "\x1b" not in result.out + result.err


def test_empty_no_color_means_colours() -> None:
    """https://no-color.org: only when present and not an empty string."""
    assert "\x1b[" in on_terminal("check", "XXX/OO./...", env={"NO_COLOR": ""}).out


@pytest.mark.parametrize("command", ["check", "replay", "show"])
def test_nothing_given_on_a_terminal(command: str) -> None:
    """Somebody who just types the command is told what to give; it does not sit and wait."""
    result = on_terminal(command)
    assert result.code == 2
    assert "stdin" in result.out
    assert "Traceback" not in result.out


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_show_uses_the_terminal_as_it_is(columns: int) -> None:
    result = on_terminal("show", "12x12x5", columns=columns, env={"NO_COLOR": "1"})
    assert max(map(len, result.out.splitlines())) <= columns
    assert ("┼" in result.out) == (columns >= 80)


def test_narrow_help() -> None:
    result = on_terminal("check", "--help", columns=60)
    assert result.code == 0
    assert "noughts check 4x4x3:XXX./OO../..../...." in [
        line.strip() for line in result.out.splitlines()
    ], "an example must stay on a line of its own"


# -- bytes of all kinds -------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "replay", "show"])
def test_any_input(command: str) -> None:
    every_byte = bytes(range(256))
    datas = [b"", b"\n", b"\xff\xfe\x00", b"\x00" * 4096, b"\xef\xbb\xbf", b"X" * 100_000]
    results = [run(command, stdin=data) for data in [*datas, every_byte]]
    for result in [*results, spawn(command, stdin=every_byte)]:
        assert result.code in (0, 1, 2)
        assert "Traceback" not in result.err
        assert len(result.err) < 10_000


# -- fuzzing -----------------------------------------------------------------------------


@contextmanager
def scratch(directory: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)


def is_harmless(argument: str) -> bool:
    """Return whether an argument cannot name a file outside the scratch directory."""
    return ".." not in argument and not argument.startswith(("/", "-o", "--o"))


# Some surrogates included: that is how Python hands on arguments that are not UTF-8.
not_utf_8 = st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF, categories=["Cs"])
awkward = st.text(not_utf_8 | st.characters(categories=["Cc", "Nd"]), max_size=6)
anything = st.text(max_size=20).filter(is_harmless) | awkward
board_like = st.text("XO. 0/:x3", max_size=15).filter(is_harmless)
moves_like = st.text("0123,XOabcei -|", max_size=9)
ultimate_like = st.text("XO;@#./123456789 -ae", max_size=40).filter(is_harmless)
small_grid = st.tuples(*[st.integers(0, 4)] * 3).map(lambda sizes: "x".join(map(str, sizes)))
game = small_grid | st.sampled_from(["ultimate", "ultimate-open", "ultimate:", "3x3x3:"])
words = anything | board_like | moves_like | ultimate_like | game

FLAGS = {
    "check": ["--json", "--", "--help", "--nonsense"],
    "replay": ["--json", "-u", "--ultimate", "--"],
    "show": ["--ascii", "--svg", "--"],
    "perft": ["--split", "--json", "--", "0", "1", "2", "3", "-1"],
}
OPTIONS = {
    "check": ["--grid", "-g", "-k", "-f", "--file"],
    "replay": ["-f", "--file"],
    "show": ["--theme", "--value", "-o", "--output", "-f"],
    "perft": ["-p", "--position"],
}
labels = st.tuples(st.sampled_from(["a1", "b2", "0", "aa", ""]), anything).map("=".join)


def arguments_for(command: str) -> st.SearchStrategy[list[str]]:
    """Build command lines that get far: flags, options with something behind them, and words."""
    one = (words | st.sampled_from(FLAGS[command])).map(lambda word: [word])
    two = st.tuples(st.sampled_from(OPTIONS[command]), words | labels).map(list)
    return st.lists(one | two, max_size=5).map(
        lambda parts: [word for part in parts for word in part]
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("is_ignored", [False, True], ids=["as usual", "ignored"])
def test_signals_end_a_command_like_ctrl_c(number: signal.Signals, is_ignored: bool) -> None:
    """Unless the caller ignores them, as ``nohup`` does."""
    process = subprocess.Popen(
        python("engine"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        text=True,
        preexec_fn=lambda: signal.signal(number, signal.SIG_IGN if is_ignored else signal.SIG_DFL),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("noughts 1\n")
    process.stdin.flush()
    assert process.stdout.readline()  # it has begun
    process.send_signal(number)
    _, err = process.communicate("quit\n" if is_ignored else None, timeout=60)
    assert (process.returncode, err.strip()) == (0 if is_ignored else 130, "")


SEEDED = ["analyse 3x3x3", "engine", "games 3x3x3", "match random random", "play 3x3x3", "puzzle"]


@pytest.mark.parametrize("command", [*SEEDED, f"grade {__file__}"])
def test_a_seed_that_no_generator_takes_is_refused_at_once(command: str) -> None:
    for seed in ("-1", str(1 << 63), "1" * 4000, "x", ""):
        result = run(*command.split(), "--seed", seed, stdin=b"noughts 1\n")
        assert result.failed_politely()
        assert result.out == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_fuzz(command: str, tmp_path: Path) -> None:
    @settings(max_examples=100)
    @given(arguments_for(command), st.binary(max_size=40) | words.map(encoded))
    def attempt(arguments: list[str], stdin: bytes) -> None:
        with scratch(tmp_path):
            result = run(command, *arguments, stdin=stdin)
        assert result.code in (0, 1, 2)
        assert "Traceback" not in result.err
        assert result.code != 2 or "Error" in result.err

    attempt()


def encoded(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


@given(st.lists(words, max_size=4))
def test_fuzz_the_command_itself(parts: list[str]) -> None:
    result = run(*parts)
    assert result.code in (0, 2)
    assert "Traceback" not in result.err
