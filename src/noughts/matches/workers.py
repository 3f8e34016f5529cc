"""Several games of a match at once, each in a process of its own.

Threads would not do: they would wait for each other's Python, and a clock would run meanwhile.
Each worker makes its own pair of players and has its own line to us. It ends when the line is
closed, also by our death, or when we tell it to; either way it closes its players first. Ctrl-C
is for us alone.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import islice
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import NoReturn

from noughts.errors import NoughtsError
from noughts.matches.match import GameRecord, Match, play_match
from noughts.matches.player import MatchPlayer

__all__ = ["play_at_once"]

_PATIENCE = 5.0  # seconds for a worker to close its players


def play_at_once(
    match: Match,
    make_player: Callable[[str], MatchPlayer],
    numbers: Sequence[int],
    workers: int,
) -> Generator[GameRecord]:
    """Play games of a match like `play_match`, several at a time; yield them as they end.

    `make_player` has to be something that can be pickled.
    """
    context = get_context("spawn")
    waiting = iter(numbers)
    with ExitStack() as stack:
        busy: list[Connection] = []
        for number in islice(waiting, workers):
            ours, theirs = context.Pipe()
            worker = context.Process(target=_work, args=(match, make_player, theirs), daemon=True)
            _start(worker)
            theirs.close()
            stack.callback(_end, worker, ours)
            ours.send(number)
            busy.append(ours)
        while busy:
            for line in wait(busy):
                assert isinstance(line, Connection)
                record = _answer(line)
                following = next(waiting, None)
                if following is None:
                    busy.remove(line)
                else:
                    line.send(following)
                yield record


def _start(worker: BaseProcess) -> None:
    """Start a worker that does not hear Ctrl-C: what is blocked here stays blocked there."""
    resource_tracker.ensure_running()  # with the first worker, it would unblock the signal again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        worker.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _answer(line: Connection) -> GameRecord:
    """Return what a worker played, or raise what it could not go on for."""
    try:
        answer = line.recv()
    except EOFError:
        raise NoughtsError("a process that played games has died") from None
    if isinstance(answer, NoughtsError):
        raise answer
    assert isinstance(answer, GameRecord)
    return answer


def _end(worker: BaseProcess, line: Connection) -> None:
    """End a worker, which closes its players; one that does not is killed."""
    line.close()
    worker.terminate()
    worker.join(_PATIENCE)
    if worker.is_alive():
        worker.kill()
        worker.join()
    worker.close()


# -- in the worker -----------------------------------------------------------------------


def _work(match: Match, make_player: Callable[[str], MatchPlayer], line: Connection) -> None:
    """Play the games whose numbers come over the line."""
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt, EOFError, OSError):
        try:
            with closing(play_match(match, make_player, iter(line.recv, None))) as played:
                for record in played:
                    line.send(record)
        except NoughtsError as error:
            line.send(error)
        finally:  # it ends now anyway: a late word to end must not hit the way out
            signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
