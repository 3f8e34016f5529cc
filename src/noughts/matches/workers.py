"""Several games of a match at the same time, each in a process of its own.

Threads would wait for each other's Python code while a player's clock runs. Each worker process
makes its own pair of players and has a connection to the parent. It ends when the connection is
closed, also by the parent's death, or on SIGTERM; in both cases it closes its players first. Only
the parent handles Ctrl-C, and the end of the terminal.

`process` is for programs of others, which need lines, deadlines and limits on output; these
workers run code of this package, so they exchange Python objects and need none of that.
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

_CLOSE_SECONDS = 5.0  # for a worker to close its players


def play_at_once(
    match: Match,
    make_player: Callable[[str], MatchPlayer],
    numbers: Sequence[int],
    workers: int,
) -> Generator[GameRecord]:
    """Play games of a match like `play_match`, several at a time; yield them as they end.

    `make_player` must be picklable.
    """
    context = get_context("spawn")
    waiting = iter(numbers)
    with ExitStack() as stack:
        busy: list[Connection] = []
        for number in islice(waiting, workers):
            parent, child = context.Pipe()
            worker = context.Process(target=_work, args=(match, make_player, child), daemon=True)
            _start(worker)
            child.close()
            stack.callback(_end, worker, parent)
            parent.send(number)
            busy.append(parent)
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
    """Start a worker that inherits blocked signals, which are for the parent to handle."""
    resource_tracker.ensure_running()  # its start, with the first worker, would unblock SIGINT
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        worker.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _answer(line: Connection) -> GameRecord:
    """Return the game that a worker played, or raise the error that ended it."""
    try:
        answer = line.recv()
    except EOFError:
        raise NoughtsError("a worker process of the match has died") from None
    if isinstance(answer, NoughtsError):
        raise answer
    assert isinstance(answer, GameRecord)
    return answer


def _end(worker: BaseProcess, line: Connection) -> None:
    """End a worker, which closes its players; kill it if that takes too long."""
    line.close()
    worker.terminate()
    worker.join(_CLOSE_SECONDS)
    if worker.is_alive():
        worker.kill()
        worker.join()
    worker.close()


# -- in the worker -----------------------------------------------------------------------


def _work(match: Match, make_player: Callable[[str], MatchPlayer], line: Connection) -> None:
    """Play the games whose numbers come over the connection."""
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt, EOFError, OSError):
        try:
            with closing(play_match(match, make_player, iter(line.recv, None))) as played:
                for record in played:
                    line.send(record)
        except NoughtsError as error:
            line.send(error)
        finally:  # it is about to end: a late signal must not interrupt that
            signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
