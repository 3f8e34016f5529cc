"""Calls of a solution, and their results as plain data; this runs in the solution's process.

An answer is a JSON object with one of

==============  ================================================================
``value``       what was returned, as `plain` writes it
``raised``      the type of an exception, with its ``text`` and ``line``
``changed``     an argument that the call changed, as it is now
==============  ================================================================
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

from .measuring import peak_memory, time_moves

__all__ = ["Answer", "NotDefined", "Target", "answer_of", "describe", "form_of", "plain"]

Answer = dict[str, Any]

MOST_BITS = 10_000  # of a number that is sent
MOST_STRING = 1 << 20  # characters of a string that is sent
MOST_TEXT = 1_000  # characters of a representation or message
MOST_DEPTH = 4  # of lists in lists

_reserve: list[bytes] = [bytes(1 << 20)]
"""Memory that is released when there is none left, so that this can be said."""


class NotDefined(Exception):
    """The name that was to be called is not that of a function, class or method."""


class Target:
    """What is called: a function, a class, or a method of a class, by its name in a file."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path

    def of(self, namespace: dict[str, object]) -> object:
        """Return what the name stands for in a module, or raise `NotDefined`."""
        first, _, method = self.name.partition(".")
        if not callable(namespace.get(first)):
            raise NotDefined(self.name)
        return _method(namespace[first], method) if method else namespace[first]

    def within(self, thing: object) -> object:
        """Return the method of an object that the name gives, or the object itself."""
        method = self.name.partition(".")[2]
        return _method(thing, method) if method else thing


def _method(owner: Any, name: str) -> Callable[..., object]:
    """Return a function that calls a method of a fresh instance."""
    if not callable(getattr(owner, name, None)):
        raise NotDefined(f"{owner.__name__}.{name}")

    def call(*arguments: object) -> object:
        return getattr(owner(), name)(*arguments)

    with suppress(TypeError, ValueError):
        call.__signature__ = inspect.signature(getattr(owner(), name))  # type: ignore[attr-defined]
    return call


def form_of(found: object) -> Answer:
    """Say which numbers of arguments a function takes, and whether the second one is `k`.

    What is asked are sizes of boards. So an argument with another default, like the board and the
    player of a recursion, is not one to give.
    """
    try:
        signature = inspect.signature(found)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return {"takes": [1], "k": False}
    takes = []
    for count in range(4):
        with suppress(TypeError):
            given = signature.bind(*range(count)).arguments
            defaults = [signature.parameters[name].default for name in given]
            if all(each is inspect.Parameter.empty or type(each) is int for each in defaults):
                takes.append(count)
    return {"takes": takes, "k": list(signature.parameters)[1:2] == ["k"]}


def answer_of(found: Any, question: dict[str, Any], path: str) -> Answer:
    """Do what a question asks for, and describe the result or the exception."""
    try:
        if "call" in question:
            return _call(found, question["call"])
        if "play" in question:
            return {"value": [plain(value) for value in _play(found, *question["play"])]}
        if "list" in question:
            # First all of them, then their text: one list that is yielded again and again
            # must not pass for many.
            found_games = list(islice(found(*question["list"]), question["most"]))
            return {"value": [_game(game) for game in found_games]}
        if "time" in question:
            return {"value": time_moves(found, question["time"])}
        return {"value": [peak_memory(found, n) for n in question["memory"]]}
    except BaseException as error:  # also SystemExit, KeyboardInterrupt and GeneratorExit
        return describe(error, path)


def _call(function: Any, arguments: list[Any]) -> Answer:
    before = [list(each) if isinstance(each, list) else each for each in arguments]
    result = function(*arguments)
    if arguments != before:
        return {"changed": plain(arguments)}
    return {"value": plain(result)}


def _play(make: Any, n: int, moves: Iterable[list[int]]) -> list[object]:
    game = make(n)
    return [game.move(*move) for move in moves]


def _game(game: object) -> object:
    """Return a game as a list of cells, whether it is a list or a tuple."""
    if isinstance(game, list | tuple) and all(type(cell) is int for cell in game):
        return list(game)
    return plain(game)


def plain(value: object, depth: int = 0) -> object:
    """Return a value as JSON that keeps its type; what JSON lacks is an object with the type.

    A subclass counts as the type that it refines, but a bool is not an int.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and value.bit_length() <= MOST_BITS:
        return int.__index__(value)
    if isinstance(value, str) and len(value) <= MOST_STRING:
        return str.__str__(value)
    if isinstance(value, list | tuple) and depth < MOST_DEPTH:
        items = [plain(item, depth + 1) for item in value]
        return items if isinstance(value, list) else {"tuple": items}
    return {"type": type(value).__name__, "text": _text(value)}


def _text(value: object) -> str:
    if isinstance(value, int):
        return f"a number of {value.bit_length()} bits"  # Python refuses to write it
    if isinstance(value, str):
        value = value[:MOST_TEXT]
    try:
        text = repr(value)
    except BaseException as error:
        return f"an object whose repr raises {type(error).__name__}"
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 3]}..."


def describe(error: BaseException, path: str = "") -> Answer:
    """Return the type and message of an exception, and the last line of the file it came from."""
    _reserve.clear()
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    try:
        text = str(error)[:MOST_TEXT]
    except BaseException:  # of the solution's own making
        text = ""
    return {"raised": type(error).__name__, "text": text, "line": line}
