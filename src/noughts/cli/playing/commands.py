"""What can be typed during a game: a move, or a command with its argument."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import NamedTuple

from noughts.errors import NotationError, brief
from noughts.rules.position import GridPosition, Position

__all__ = ["COMMANDS", "Command", "CommandHelp", "example_of", "help_on", "parse_line"]


class CommandHelp(NamedTuple):
    """The help on a command: what follows its name, if anything, and what it does."""

    about: str
    what: str


COMMANDS: Mapping[str, CommandHelp] = MappingProxyType(
    {
        "undo": CommandHelp("", "take your last move back"),
        "redo": CommandHelp("", "play it again"),
        "hint": CommandHelp("", "show the best move"),
        "moves": CommandHelp("", "list what every move leads to; moves of both sides count"),
        "values": CommandHelp("", "show the same on the board"),
        "board": CommandHelp("[PART]", "show the board, or describe a part: row, column, board"),
        "level": CommandHelp("[LEVEL]", "show or change the level of the computer"),
        "swap": CommandHelp("", "change sides with the computer"),
        "save": CommandHelp("[FILE]", "save the game in a file"),
        "save!": CommandHelp("[FILE]", "the same, and replace an existing file"),
        "load": CommandHelp("FILE", "continue the game in a file"),
        "resign": CommandHelp("", "resign the game"),
        "new": CommandHelp("", "start a new game"),
        "help": CommandHelp("", "show this list"),
        "quit": CommandHelp("", "leave, and print the game so far"),
    }
)
"""What can be typed instead of a move."""

_OTHER_NAMES = {"?": "help", "exit": "quit"}


class Command(NamedTuple):
    """A command that was typed, and the text after it; None for a command that takes nothing."""

    name: str
    about: str | None = None


def parse_line(
    text: str, position: Position, commands: Mapping[str, CommandHelp] = COMMANDS
) -> int | Command:
    """Return the move or the command in a line; where both are possible, the move.

    >>> from noughts import start
    >>> parse_line("B2", start("3x3x3")), parse_line("sav game.txt", start("3x3x3"))
    (4, Command(name='save', about='game.txt'))
    """
    first, about = [*text.split(maxsplit=1), "", ""][:2]
    word, about = first.lower(), about.strip()
    try:
        return position.read_move(text.strip().lower())
    except NotationError:
        if not about and re.fullmatch("[a-z]*[0-9]+", word):
            raise  # a move of a larger board
    if name := _command(word, commands, is_alone=not about):
        takes = commands[name].about
        if about and not takes:
            raise NotationError(f"{name} takes no argument: {brief(about)}")
        if takes and not takes.startswith("[") and not about:
            raise NotationError(f"{name} what? Type {name} {takes}")
        return Command(name, about if takes else None)
    example = example_of(position)
    move = f"a move, like {example} or {position.read_move(example)},"
    typed = brief(text.strip().lower())
    raise NotationError(f"{typed} is neither {move} nor a command: {', '.join(commands)}")


def _command(word: str, commands: Mapping[str, CommandHelp], *, is_alone: bool) -> str | None:
    """Return the command with this name, or the only one that begins with these letters."""
    if word in commands:
        return word
    if not word.isalpha():
        return _OTHER_NAMES.get(word)
    meant = [name for name in commands if name.startswith(word) and name.isalpha()]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise NotationError(f"{word!r} may be {' or '.join(meant)}")
    if word in _OTHER_NAMES:
        return _OTHER_NAMES[word]
    if is_alone and (close := get_close_matches(word, commands, 1)):
        raise NotationError(f"{word!r} is not a command; did you mean {close[0]}?")
    return None


def help_on(
    position: Position, commands: Mapping[str, CommandHelp] = COMMANDS
) -> tuple[str, list[tuple[str, str]], str]:
    """Return how to type moves, the commands with their descriptions, and how to abbreviate."""
    example = example_of(position)
    moves = f"A move is a name like {example}, or its number like {position.read_move(example)}. "
    if isinstance(position, GridPosition):
        moves += "Cells are numbered row by row, from 0."
    else:
        moves += "The first letter is the board, the second the cell."
    listed = [(f"{name} {each.about}".strip(), each.what) for name, each in commands.items()]
    brevity = "The first letters of a command are enough if no other begins with them"
    shortest = [_shortest(name, commands) for name in list(commands)[:3]]
    return f"{moves} Instead of a move:", listed, f"{brevity}: {', '.join(shortest)}."


def _shortest(name: str, commands: Mapping[str, CommandHelp]) -> str:
    """Return the fewest first letters of a command that no other begins with."""
    others = [other for other in commands if other != name]
    for length in range(1, len(name)):
        if not any(other.startswith(name[:length]) for other in others):
            return name[:length]
    return name


def example_of(position: Position) -> str:
    """Return the name of a move, a legal one if there is any."""
    moves = position.legal_moves
    return position.move_name(moves[len(moves) // 2] if moves else 0)
