"""Games of ``noughts play`` for tests: through a pipe, at a keyboard, and what came of them."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator

from noughts import Game, GridPosition
from support.cli_runner import Result, allow_ctrl_c, clean_environment, on_terminal, python, run

__all__ = ["boards", "piped", "playing", "read_until", "record", "typed"]


def piped(*arguments: str, lines: str = "") -> Result:
    """Play with moves from a pipe, separated by spaces here."""
    result = run("play", *arguments, stdin="".join(f"{line}\n" for line in lines.split()))
    assert "\x1b" not in result.out + result.err
    assert all(len(line) <= 80 for line in result.lines if not line.startswith(("Game: ", "  nou")))
    return result


def record(result: Result) -> Game[GridPosition]:
    """Return the game that was told last: a finished one, or how to go on with it."""
    told = re.findall(r"^(?:Game: |  noughts play )(.*?)(?: --.*)?$", result.out, re.MULTILINE)
    game = Game.parse(" ".join(shlex.split(told[-1])))
    assert isinstance(game.start, GridPosition)
    return game  # type: ignore[return-value]  # it starts on a grid, so it is on one


def boards(result: Result) -> list[str]:
    """Return the captions of all boards that were drawn."""
    return [line for line in result.lines if re.match(r"\d+x\d+x\d+, ", line)]


def typed(*lines: str | bytes, arguments: tuple[str, ...] = ("3x3x3",), **more: int) -> Result:
    result = on_terminal("play", *arguments, typed=lines, env={"NO_COLOR": "1"}, **more)
    out = re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", result.out)  # what line editing needs
    return Result(result.code, out.replace("\r", ""), "")


def playing(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a game that waits for its next line, with pipes all around."""
    process = subprocess.Popen(
        python("play", *arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        preexec_fn=allow_ctrl_c,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_until(process: subprocess.Popen[bytes], beginning: bytes) -> None:
    assert process.stdout is not None
    while not process.stdout.readline().startswith(beginning):
        assert process.poll() is None
