"""The engine's side of the protocol, with a player whose thinking the test controls."""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Callable
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.errors import NoughtsError
from noughts.limits import Limits
from noughts.matches.player import Answer, AnyGame, AnyPosition
from noughts.matches.protocol import MOST_LINE
from noughts.matches.server import Server

WAIT = 20.0  # seconds after which something has gone wrong


class Dreamer:
    """Plays the first legal move, at once under a node limit, and else when it is cancelled."""

    name = "dreamer"

    def __init__(self) -> None:
        self.on_info: Callable[[str], None] | None = None
        self.cancelled = threading.Event()
        self.is_thinking = threading.Event()
        self.prepared: list[str] = []
        self.closed = 0

    def new_game(self, start: AnyPosition, seed: int) -> None:
        self.prepared.append(start.game)

    def choose(self, game: AnyGame, limit: Limits, timeout: float) -> Answer:
        self.cancelled.clear()
        self.is_thinking.set()
        if limit.nodes is None:
            assert self.cancelled.wait(WAIT)
        return Answer(game.position.legal_moves[0], "dreamt")

    def cancel(self) -> None:
        self.cancelled.set()

    def close(self) -> None:
        self.closed += 1


def talk(*lines: str | bytes, player: Dreamer | None = None) -> list[str]:
    """Return the answers to lines that come one after the other."""
    said: list[str] = []
    player = player or Dreamer()
    data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    Server(player, said.append).run(io.BytesIO(data))
    assert player.closed == 1
    return said


class Conversation:
    """A server behind a pipe, in a thread, so that lines can be sent while it thinks."""

    def __init__(self) -> None:
        self.player = Dreamer()
        self.said: list[str] = []
        reading, self._writing = os.pipe()
        self._stream = os.fdopen(reading, "rb")
        server = Server(self.player, self.said.append)
        self._thread = threading.Thread(target=server.run, args=(self._stream,), daemon=True)
        self._thread.start()

    def send(self, line: str) -> None:
        os.write(self._writing, f"{line}\n".encode())

    def hears(self, line: str) -> bool:
        give_up = time.monotonic() + WAIT
        while line not in self.said and time.monotonic() < give_up:
            time.sleep(0.002)
        return line in self.said

    def ends(self) -> bool:
        self._thread.join(WAIT)
        return not self._thread.is_alive()

    def close(self) -> None:
        os.close(self._writing)
        assert self.ends()
        self._stream.close()


def test_a_greeting() -> None:
    assert talk("noughts 1") == ["name dreamer", "ready"]
    assert talk("noughts 2") == ["error this engine speaks version 1: noughts 1"]
    assert talk("noughts") == ["error this engine speaks version 1: noughts 1"]


def test_a_game() -> None:
    player = Dreamer()
    said = talk(
        "game ultimate",
        "position ultimate moves ee",
        "go nodes 5",
        "position 3x3x3 moves a1",
        "go nodes 5\r",
        "isready",
        player=player,
    )
    assert said[:3] == ["ready", "info dreamt", "best ea"]
    assert said[3:].count("best b1") == 1
    assert "ready" in said[3:]
    assert player.prepared == ["ultimate", "3x3x3"]


def test_what_comes_through_a_pipe_waits_for_its_turn() -> None:
    lines = [f"position 3x3x3 moves a1 b{row}" for row in (1, 2, 3)]
    said = talk(*(part for line in lines for part in (line, "go nodes 1")))
    bests = [line for line in said if line.startswith("best")]
    assert bests == ["best b1" if "b1" not in line else "best c1" for line in lines]


def test_stop_is_answered_while_thinking() -> None:
    with closing(Conversation()) as talking:
        talking.send("position 3x3x3\ngo infinite")
        assert talking.player.is_thinking.wait(WAIT)
        talking.send("isready")
        assert talking.hears("ready")
        talking.send("position 4x4x3")
        assert talking.hears("error position must wait: say stop first")
        assert not any(line.startswith("best") for line in talking.said)
        talking.send("stop")
        assert talking.hears("best a1")


def test_a_stop_that_comes_before_thinking_began_is_not_lost() -> None:
    with closing(Conversation()) as talking:
        talking.send("position 3x3x3\ngo infinite\nstop")
        assert talking.hears("best a1")
        talking.send("stop\nstop\nisready")
        assert talking.hears("ready")


@pytest.mark.parametrize("go", ["go infinite", "go time 1000"])
def test_quit_ends_it_while_thinking(go: str) -> None:
    with closing(Conversation()) as talking:
        talking.send(f"position 3x3x3\n{go}")
        assert talking.player.is_thinking.wait(WAIT)
        talking.send("quit")
        assert talking.ends()
        assert talking.player.closed == 1


def test_the_end_of_the_input_ends_it_while_thinking() -> None:
    talking = Conversation()
    talking.send("position 3x3x3\ngo infinite")
    assert talking.player.is_thinking.wait(WAIT)
    talking.close()
    assert talking.said[-1] == "best a1"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["hello"], "error 'hello' is not one of noughts, game, position, go, isready, stop, quit"),
        (["go nodes 1"], "error there is no position: say position 3x3x3 moves b2 a1"),
        (["position 3x3x3", "go nodes 0"], "error nodes must be at least 1, not 0"),
        (["position 3x3x3", "go time 0"], "error seconds must be a number above 0, not 0.0"),
        (["position XXX/OO./...", "go nodes 1"], "error the game is over: X wins"),
        (["position 3x3x3 moves b2 b2"], "error move 2: b2 (cell 4) is taken by X"),
        (["game chess"], "error a game is named like 4x4x3 or ultimate, not 'chess'"),
        (["position 3x3x3", "position ?", "go nodes 1"], "error there is no position: say"),
    ],
)
def test_what_makes_no_sense_gets_an_error(lines: list[str], says: str) -> None:
    said = talk(*lines, "isready")
    assert said[-2].startswith(says)
    assert said[-1] == "ready"


def test_nothing_is_said_to_empty_lines() -> None:
    assert talk("", "  ", "\t") == []


@pytest.mark.parametrize("size", [MOST_LINE, MOST_LINE + 1, 3 * MOST_LINE])
def test_a_line_without_end_is_left_out(size: int) -> None:
    said = talk(b"x" * size, "isready")
    assert said[0].startswith("error")
    assert len(said[0]) < 200
    assert said[1:] == ["ready"]


def test_a_player_that_fails_does_not_end_the_conversation() -> None:
    class Broken(Dreamer):
        def choose(self, game: AnyGame, limit: Limits, timeout: float) -> Answer:
            raise RuntimeError("alas\nalack")

    said = talk("position 3x3x3", "go nodes 1", "noughts 1", player=Broken())
    assert said == ["error no move was found: alas alack", "name dreamer", "ready"]

    class Unready(Dreamer):
        def new_game(self, start: AnyPosition, seed: int) -> None:
            raise NoughtsError("no memory")

    said = talk("game 3x3x3", "position 3x3x3", "go nodes 1", "isready", player=Unready())
    assert said == ["error cannot get ready for 3x3x3: no memory"] * 2 + ["ready"]


def test_a_reader_that_went_away_ends_it() -> None:
    def write(line: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Server(Dreamer(), write).run(io.BytesIO(b"isready\n"))
    thinking = b"position 3x3x3\ngo nodes 1\nposition 3x3x3\nposition 3x3x3\n"
    with pytest.raises(BrokenPipeError):
        Server(Dreamer(), write).run(io.BytesIO(thinking))


COMMANDS = ["noughts", "game", "position", "go", "stop", "isready"]
WORDS = ["1", "0", "-1", "moves", "nodes", "3x3x3", "ultimate", "b2", "ee", "9x", ":", "|", "\0"]
words = st.sampled_from([*COMMANDS, *WORDS, "é", "X../.../...", "9" * 14])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(words, max_size=6).map(" ".join) | st.text(), max_size=12))
def test_garbage_gets_answers_and_nothing_else(lines: list[str]) -> None:
    lines = [line for line in lines if "quit" not in line]
    lines = [line for line in lines if line.split()[:1] != ["go"] or "nodes 1" in line]
    said = talk(*lines, "isready")
    assert "ready" in said
    for line in said:
        assert line.split()[0] in {"name", "ready", "info", "best", "error"}
        assert "\n" not in line


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_binary_garbage(data: bytes) -> None:
    said = talk(data.replace(b"quit", b""), "isready")
    assert said[-1] == "ready"
