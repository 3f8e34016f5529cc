"""A player that is a program of its own, asked over the protocol of docs/protocol.md."""

from __future__ import annotations

import shlex
import time

from noughts.errors import Forfeit, NotationError, NoughtsError, brief, require_text
from noughts.limits import Limits
from noughts.matches.player import Answer, AnyGame, AnyPosition, Fault
from noughts.matches.process import LineProcess
from noughts.matches.protocol import VERSION, go_line, position_line

__all__ = ["STARTUP", "ExternalPlayer"]

STARTUP = 60.0
"""Seconds that a program has to say ``ready``; it may have to compile something first."""

_MOST_INFO = 200  # characters that are kept of an ``info`` line


class ExternalPlayer:
    """A program that plays; started at once, and again after a game in which it failed.

    Its name is the one that it says, or until then `name`.
    """

    def __init__(self, command: str, name: str = "", startup: float = STARTUP) -> None:
        try:
            self._arguments = shlex.split(require_text(command, "a command"))
        except NoughtsError:
            raise
        except ValueError as error:
            raise NotationError(f"{brief(command)} is not a command line: {error}") from None
        if not self._arguments:
            raise NotationError("cmd: needs a command, like cmd:./mybot")
        self.name = name or f"cmd:{command}"
        self._startup = startup
        self._process: LineProcess | None = None
        self._is_greeted = False
        self._start()

    def new_game(self, start: AnyPosition, seed: int) -> None:
        """Send the name of the next game, and wait until the program is ready."""
        process = self._process or self._start()
        if not self._is_greeted:
            self._ask(process, self._startup, "ready", f"noughts {VERSION}")
            self._is_greeted = True
        self._ask(process, self._startup, "ready", f"game {start.game}")

    def choose(self, game: AnyGame, limit: Limits, timeout: float) -> Answer:
        """Ask the program for a move."""
        process = self._process
        assert process is not None, "new_game comes first"
        word, info = self._ask(process, timeout, "best", position_line(game), go_line(limit))
        try:
            return Answer(game.position.read_move(word), info)
        except NotationError as error:
            raise Forfeit(Fault.ILLEGAL, f"answered 'best {brief(word)[1:-1]}': {error}") from None

    def close(self) -> None:
        """End the program; it has half a second to end by itself."""
        self._end(grace=0.5)

    def _end(self, grace: float) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.close(grace)

    def _start(self) -> LineProcess:
        self._is_greeted = False
        self._process = LineProcess(self._arguments)
        return self._process

    def _ask(
        self, process: LineProcess, seconds: float, awaited: str, *lines: str
    ) -> tuple[str, str]:
        """Return the text after the awaited word, and after the last ``info`` before it."""
        deadline = time.monotonic() + seconds
        info = ""
        try:
            process.ask(*lines)
            while True:
                word, _, rest = process.read_line(deadline).strip().partition(" ")
                rest = rest.strip()
                if word == awaited:
                    return rest, info
                if word == "info":
                    info = rest[:_MOST_INFO]
                elif word == "name" and rest:
                    self.name = brief(rest)[1:-1]  # without control characters, and short
                elif word == "error":
                    said = brief(rest)[1:-1]
                    raise Forfeit(Fault.REFUSAL, f"answered 'error {said}' to '{lines[-1]}'")
        except TimeoutError:
            self._end(grace=0.0)
            message = f"did not answer '{lines[-1]}' within {seconds:g} s"
            raise Forfeit(Fault.TIME, message) from None
        except Forfeit:
            self._end(grace=0.0)
            raise
