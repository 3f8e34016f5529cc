"""What follows every move of a puzzle, and how it is written in the file.

In JSON, moves with the same value and the same reply stand together::

    {"W3 a1": {"b2": {"W1": "c3", "D b3": "c1 a2"}}, "D b2": "a1 c1", "L4 b2": "a3 c3"}

Here b2 wins in 3 plies: the reply is a1, then c3 wins at once. With a1 or c1 the game is a draw
after the reply b2, and a3 or c3 lose in 4 plies. What follows a reply is there for right moves
only, as a wrong one ends the attempt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from noughts.rules.position import Position
from noughts.values import MoveValue, Value

__all__ = ["Answer", "read_answers", "write_answers"]

_VALUES = {value.value[0].upper(): value for value in Value}


@dataclass(frozen=True)
class Answer:
    """What is proved of a move, the best reply to it, and what follows that reply.

    `reply` is None where the game is over or the puzzle is solved; `following` is empty unless
    the move is right and the puzzle goes on.
    """

    known: MoveValue
    reply: int | None = None
    following: Mapping[int, Answer] = field(default_factory=dict)


def write_answers(answers: Mapping[int, Answer], position: Position) -> dict[str, Any]:
    """Return answers as plain data for JSON."""
    name = position.move_name
    written: dict[str, Any] = {}
    for move, answer in sorted(
        answers.items(), key=lambda item: (*item[1].known.order, item[1].reply or 0, item[0])
    ):
        reply = "" if answer.reply is None else f" {name(answer.reply)}"
        key = f"{answer.known.label}{reply}"
        if answer.following:
            written.setdefault(key, {})[name(move)] = write_answers(answer.following, position)
        else:
            written[key] = f"{written[key]} {name(move)}" if key in written else name(move)
    return written


def read_answers(data: Mapping[str, Any], position: Position) -> dict[int, Answer]:
    """Read what `write_answers` wrote, of a position of the same game."""
    answers = {}
    for key, moves in data.items():
        label, _, reply_name = key.partition(" ")
        reply = position.read_move(reply_name) if reply_name else None
        for name in moves.split() if isinstance(moves, str) else moves:
            move = position.read_move(name)
            following = {} if isinstance(moves, str) else read_answers(moves[name], position)
            answers[move] = Answer(_read_label(label, move), reply, following)
    return answers


def _read_label(label: str, move: int) -> MoveValue:
    """Read a label of `MoveValue`: ``W3``, ``D`` or ``L4``."""
    match = re.fullmatch(r"([WDL])(\d*)", label)
    assert match is not None, label
    return MoveValue.proved(move, _VALUES[match[1]], int(match[2]) if match[2] else None)
