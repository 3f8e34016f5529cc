"""Programs of others: whatever they do, a match goes on and nothing is left behind."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from noughts.errors import Forfeit, NotationError, NoughtsError
from noughts.limits import Limits
from noughts.matches.external import ExternalPlayer
from noughts.matches.player import Answer, Fault
from noughts.matches.process import MOST_LINE, LineProcess
from noughts.rules.game import Game
from support.bots import bot, is_free

LIMIT = Limits(seconds=0.1)
TIMEOUT = 20.0  # of a test that expects an answer: far more than any bot needs
SHORT = 0.3  # of a test that expects none


@contextmanager
def playing(command: str) -> Iterator[ExternalPlayer]:
    """Start a program and get it ready for a game."""
    player = ExternalPlayer(command, startup=TIMEOUT)
    try:
        player.new_game(Game.parse("3x3x3").start, seed=1)
        yield player
    finally:
        player.close()


def answer(player: ExternalPlayer, game: str = "3x3x3 b2", timeout: float = TIMEOUT) -> Answer:
    return player.choose(Game.parse(game), LIMIT, timeout)


def forfeit(player: ExternalPlayer, game: str = "3x3x3 b2", timeout: float = TIMEOUT) -> Forfeit:
    with pytest.raises(Forfeit) as caught:
        answer(player, game, timeout)
    return caught.value


def test_an_honest_bot_answers(tmp_path: Path) -> None:
    with playing(bot(tmp_path)) as player:
        assert answer(player, "3x3x3").move == 0
        assert answer(player, "3x3x3 a1 b1").move == 2


def test_info_is_kept_with_the_move(tmp_path: Path) -> None:
    script = "say('info one'); say('chatter'); say('info two'); say('best 8')"
    with playing(bot(tmp_path, script)) as player:
        assert answer(player) == Answer(8, "two")


def test_a_program_has_the_name_that_it_says(tmp_path: Path) -> None:
    command = bot(tmp_path)
    player = ExternalPlayer(command, f"cmd:{command}")
    assert player.name == f"cmd:{command}"
    player.new_game(Game.parse("3x3x3").start, seed=1)
    assert player.name == "bot"
    player.close()


def test_a_name_is_short_and_without_control_characters(tmp_path: Path) -> None:
    script = "say('name \\x1b[31m' + 'x' * 1000); say('name '); say('best a1')"
    with playing(bot(tmp_path, script)) as player:
        answer(player, "3x3x3")
        assert player.name.startswith(r"\x1b[31mxxx")
        assert len(player.name) <= 60


def test_a_move_that_cannot_be_read_is_an_illegal_one(tmp_path: Path) -> None:
    with playing(bot(tmp_path, "say('best \\x1b[31m?')")) as player:
        found = forfeit(player)
    assert found.cause == Fault.ILLEGAL
    assert "\x1b" not in str(found)


def test_what_was_said_before_the_question_is_no_answer(tmp_path: Path) -> None:
    twice = "sys.stdout.write(f'best {free[0]}\\nbest a1\\n'); sys.stdout.flush()"
    with playing(bot(tmp_path, twice)) as player:
        assert answer(player, "3x3x3").move == 0
        assert answer(player, "3x3x3 a1 b1").move == 2


def test_last_words_count_even_without_an_end_of_line(tmp_path: Path) -> None:
    with playing(bot(tmp_path, "sys.stdout.write('best a1'); sys.exit()")) as player:
        assert answer(player).move == 0
        assert forfeit(player).cause == Fault.CRASH


def test_an_error_is_a_refusal(tmp_path: Path) -> None:
    with playing(bot(tmp_path, "say('error I am tired')")) as player:
        found = forfeit(player)
    assert found.cause == Fault.REFUSAL
    assert "I am tired" in str(found)


def test_silence_is_a_time_out(tmp_path: Path) -> None:
    with playing(bot(tmp_path, "pass", "held = hold()")) as player:
        found = forfeit(player, timeout=SHORT)
        assert found.cause == Fault.TIME
        assert "0.3 s" in str(found)
        assert is_free(tmp_path)


def test_silence_at_the_start_is_a_time_out(tmp_path: Path) -> None:
    player = ExternalPlayer(bot(tmp_path, first="time.sleep(1000)"), startup=SHORT)
    with pytest.raises(Forfeit, match="did not answer 'noughts 1' within") as caught:
        player.new_game(Game.parse("3x3x3").start, seed=1)
    assert caught.value.cause == Fault.TIME
    player.close()


@pytest.mark.parametrize(
    ("end", "says"),
    [
        ("sys.stderr.write('first\\nalas\\n'); sys.exit(3)", "ended with exit code 3: alas"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "was ended by signal 9"),
        ("os.close(1); time.sleep(1000)", "closed its output"),
        ("raise KeyError('x')", "ended with exit code 1: KeyError: 'x'"),
    ],
    ids=["exit", "signal", "closed", "exception"],
)
def test_death_is_a_crash_that_says_how(tmp_path: Path, end: str, says: str) -> None:
    with playing(bot(tmp_path, end)) as player:
        found = forfeit(player)
    assert (found.cause, str(found)) == (Fault.CRASH, says)


@pytest.mark.parametrize("text", ["x", "x\\n", "info x\\n", "\\0"], ids=repr)
def test_a_flood_is_stopped(tmp_path: Path, text: str) -> None:
    flood = f"while True: sys.stdout.write('{text}' * 10000)"
    with playing(bot(tmp_path, flood)) as player:
        assert forfeit(player).cause == Fault.FLOOD


def test_a_flood_at_the_start_is_stopped() -> None:
    player = ExternalPlayer("yes", startup=TIMEOUT)
    with pytest.raises(Forfeit) as caught:
        player.new_game(Game.parse("3x3x3").start, seed=1)
    assert caught.value.cause == Fault.FLOOD
    player.close()


def test_a_flood_on_stderr_does_no_harm(tmp_path: Path) -> None:
    script = "sys.stderr.write('x' * 1_000_000); say('best ' + free[0])"
    with playing(bot(tmp_path, script)) as player:
        assert answer(player, "3x3x3").move == 0


def test_after_a_failure_it_gets_another_chance(tmp_path: Path) -> None:
    script = "if len(free) < 8: sys.exit(1)\nsay('best ' + free[0])"
    with playing(bot(tmp_path, script)) as player:
        assert forfeit(player, "3x3x3 a1 b1").cause == Fault.CRASH
        player.new_game(Game.parse("3x3x3").start, seed=2)
        assert answer(player, "3x3x3").move == 0


def test_one_that_ignores_every_request_to_leave_is_ended(tmp_path: Path) -> None:
    stubborn = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nheld = hold()"
    with playing(bot(tmp_path, "while True: time.sleep(1000)", stubborn)) as player:
        forfeit(player, timeout=SHORT)
        assert is_free(tmp_path)


@pytest.mark.parametrize("fate", ["close", "crash"])
def test_what_a_program_started_ends_with_it(tmp_path: Path, fate: str) -> None:
    fork = "if not os.fork():\n    held = hold()\n    say('chatter')\n    time.sleep(1000)"
    with playing(bot(tmp_path, "os._exit(1)", fork)) as player:
        if fate == "crash":
            forfeit(player, timeout=SHORT)  # the child holds stdout open, so nobody sees the end
            assert is_free(tmp_path)
    assert is_free(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")
@pytest.mark.parametrize("fate", ["close", "crash", "killed", "we are killed"])
def test_what_left_its_session_ends_with_the_program(tmp_path: Path, fate: str) -> None:
    """A daemon: in a session of its own, and its parent has ended."""
    daemon = """
if not os.fork():
    os.setsid()
    if not os.fork():
        held = hold()
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        say('chatter')
        time.sleep(1000)
    os._exit(0)
os.wait()
"""
    on_go = "os.kill(os.getpid(), signal.SIGKILL)" if fate == "killed" else "os._exit(3)"
    if fate == "we are killed":
        code = (
            "import os, shlex, sys, time\n"
            "from noughts.matches.process import LineProcess\n"
            "process = LineProcess(shlex.split(sys.argv[1]))\n"
            f"assert process.read_line(time.monotonic() + {TIMEOUT}) == 'chatter'\n"
            "os.kill(os.getpid(), 9)\n"
        )
        command = [sys.executable, "-c", code, bot(tmp_path, on_go, daemon)]
        assert subprocess.run(command, check=False, timeout=60).returncode == -9
        assert is_free(tmp_path)
        return
    with playing(bot(tmp_path, on_go, daemon)) as player:
        if fate != "close":
            assert forfeit(player).cause == Fault.CRASH
            assert is_free(tmp_path)
    assert is_free(tmp_path)


def test_no_zombie_is_left(tmp_path: Path) -> None:
    process = LineProcess(shlex.split(bot(tmp_path)))
    process.close(0)
    with pytest.raises(ChildProcessError):
        os.waitpid(process.pid, os.WNOHANG)


def test_a_program_that_does_not_read_cannot_hang_us() -> None:
    process = LineProcess([sys.executable, "-I", "-S", "-c", "import time; time.sleep(1000)"])
    try:
        process.ask("x" * 10_000_000)
        with pytest.raises(TimeoutError):
            process.read_line(time.monotonic() + 0.1)
    finally:
        process.close(0)


def test_a_long_line_is_sent_whole_and_a_line_may_have_its_full_length() -> None:
    echo = "import sys; n = len(input()); print('x' * n); sys.stdout.flush(); input()"
    process = LineProcess([sys.executable, "-I", "-S", "-c", echo])
    try:
        process.ask("x" * MOST_LINE)
        assert len(process.read_line(time.monotonic() + TIMEOUT)) == MOST_LINE
    finally:
        process.close(0)


@pytest.mark.parametrize("command", ["/no/such/program", "/", "./x\0y"])
def test_what_cannot_be_started_is_said_at_once(command: str) -> None:
    with pytest.raises(NoughtsError, match="cannot start"):
        ExternalPlayer(command)


@pytest.mark.parametrize("command", ["", "  ", "'unbalanced"])
def test_what_is_no_command_is_said_at_once(command: str) -> None:
    with pytest.raises(NotationError):
        ExternalPlayer(command)
