"""The engine's side of the protocol of docs/protocol.md: reads lines, searches, answers.

One thread reads and another one searches, so that ``stop``, ``isready`` and ``quit`` are answered
at any time. Other lines wait for the search to end, so that all lines can come through a pipe at
once. Only ``quit`` and the end of the input end the engine; a line that it cannot use gets an
``error`` line.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from threading import Lock, Thread
from typing import BinaryIO, Protocol

from noughts.errors import IllegalMove, NotationError, NoughtsError, brief
from noughts.limits import Limits
from noughts.matches.player import AnyGame, MatchPlayer
from noughts.matches.protocol import MOST_LINE, VERSION, read_go, read_position
from noughts.rules.game import Game
from noughts.rules.parsing import start

__all__ = ["ServedPlayer", "Server"]

_FOREVER = 1e9  # seconds
_STOPPED = 5.0  # seconds; a search that takes longer to stop is abandoned


class ServedPlayer(MatchPlayer, Protocol):
    """A player that reports while it searches, and that another thread can stop."""

    on_info: Callable[[str], None] | None

    def cancel(self) -> None:
        """Make a running `choose` return soon, with the best move so far."""


class Server:
    """Answers the lines of one client."""

    def __init__(self, player: ServedPlayer, write: Callable[[str], None], seed: int = 1) -> None:
        self._player = player
        player.on_info = self._inform
        self._write_line = write
        self._lock = Lock()
        self._seed = seed
        self._game: AnyGame | None = None
        self._prepared = ""  # the game that the player is ready for
        self._search: Thread | None = None
        self._is_endless = False
        self._informed = ""  # the last info line of this search
        self._broken: OSError | None = None

    def run(self, stream: BinaryIO) -> None:
        """Answer every line, until ``quit`` or the end of the input."""
        try:
            for line in _lines(stream):
                if self._broken is not None:
                    raise self._broken
                if line is None:
                    self._write(f"error a line of more than {MOST_LINE:,} bytes was ignored")
                elif line.split()[:1] == ["quit"]:
                    self._stop()
                    break
                else:
                    self._answer(line)
            if not self._is_endless:
                self._wait()
        finally:
            self._stop()
            self._player.close()

    # -- the commands --------------------------------------------------------------------

    def _answer(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        answers = {
            "noughts": self._greet,
            "game": self._start_game,
            "position": self._set_position,
            "go": self._go,
        }
        try:
            if word == "isready":
                self._write("ready")
            elif word == "stop":
                self._stop()
            elif word in answers:
                if self._is_endless and self._is_thinking:
                    raise NotationError(f"{word} must wait: say stop first")
                self._wait()
                answers[word](rest.strip())
            elif word:
                known = ", ".join([*answers, "isready", "stop", "quit"])
                raise NotationError(f"{brief(word)} is not one of {known}")
        except NoughtsError as error:
            self._write(f"error {error}")

    def _greet(self, version: str) -> None:
        if version != str(VERSION):
            raise NotationError(f"this engine speaks version {VERSION}: noughts {VERSION}")
        self._write(f"name {self._player.name}")
        self._write("ready")

    def _start_game(self, name: str) -> None:
        self._game = Game(start(name))
        self._prepare(self._game)
        self._write("ready")

    def _set_position(self, text: str) -> None:
        self._game = None  # after an error there is none
        self._game = read_position(text)

    def _go(self, text: str) -> None:
        limit = read_go(text)
        game = self._game
        if game is None:
            raise NotationError("there is no position: say position 3x3x3 moves b2 a1")
        if game.outcome is not None:
            raise IllegalMove(f"the game is over: {game.outcome}")
        if self._prepared != game.start.game:
            self._prepare(game)
        self._is_endless = limit is None
        self._informed = ""
        search = Thread(target=self._think, args=(game, limit or Limits(seconds=_FOREVER)))
        search.daemon = True
        self._search = search
        search.start()

    # -- searching -----------------------------------------------------------------------

    @property
    def _is_thinking(self) -> bool:
        return self._search is not None and self._search.is_alive()

    def _prepare(self, game: AnyGame) -> None:
        self._prepared = ""
        try:
            self._player.new_game(game.start, self._seed)
        except Exception as error:  # any error: the server goes on
            raise NoughtsError(f"cannot get ready for {game.start.game}: {error}") from error
        self._prepared = game.start.game

    def _think(self, game: AnyGame, limit: Limits) -> None:
        try:
            answer = self._player.choose(game, limit, math.inf)
            if answer.info:
                self._inform(answer.info)
            self._write(f"best {game.position.move_name(answer.move)}")
        except OSError as error:  # the output is closed; `run` raises it
            self._broken = error
        except Exception as error:  # any error: the server goes on
            self._write(f"error no move was found: {error}")

    def _inform(self, info: str) -> None:
        if info != self._informed:
            self._informed = info
            self._write(f"info {info}")

    def _wait(self) -> None:
        if self._search is not None:
            self._search.join()

    def _stop(self) -> None:
        """End the search; one that is just beginning may miss the first `cancel`."""
        give_up = time.monotonic() + _STOPPED
        while self._search is not None and self._is_thinking and time.monotonic() < give_up:
            self._player.cancel()
            self._search.join(0.01)

    def _write(self, line: str) -> None:
        with self._lock:
            self._write_line(" ".join(line.split()))


def _lines(stream: BinaryIO) -> Iterator[str | None]:
    """Yield lines as text, and None for a line that is too long."""
    while line := stream.readline(MOST_LINE + 1):
        if len(line) <= MOST_LINE or line.endswith(b"\n"):
            yield line.decode(errors="replace")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MOST_LINE)
        yield None
