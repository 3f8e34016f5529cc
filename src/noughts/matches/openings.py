"""Where the games of a match begin, so that good players do not repeat one game.

Every opening is played twice, each player having X once: whatever it is worth, it is worth
to both. Openings are named by a short text::

    none         the start of the game
    random:4     four random moves, other ones for every pair of games
    file:FILE    a game or position per line, over and over
"""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path
from random import Random

from noughts.errors import NotationError, NoughtsError, SizeError, brief
from noughts.matches.player import AnyGame, AnyPosition
from noughts.rules.game import Game

__all__ = ["openings_of"]

_MOST_PLIES = 9999
_TRIES = 200  # to find an opening that is new; small boards have few
_MORE_TRIES = 2000  # to find any that does not end the game


def openings_of(text: str, start: AnyPosition, count: int, seed: int) -> list[AnyGame]:
    """Return the openings that a text names; a longer list begins with the shorter one.

    >>> from noughts import GridPosition
    >>> openings_of("random:2", GridPosition.start("3x3x3"), 2, seed=1)
    [Game.parse('3x3x3 a2 c3'), Game.parse('3x3x3 c3 b3')]
    """
    kind, _, rest = text.partition(":")
    if start.outcome is not None:
        raise SizeError(f"a match cannot begin there: {start.outcome}")
    if text == "none":
        return [Game(start) for _ in range(count)]
    if kind == "random" and rest.isdecimal() and rest.isascii() and len(rest) < 10:
        return _random(start, int(rest), count, Random(f"openings {seed}"))
    if kind == "file" and rest:
        return list(islice(cycle(_from_file(rest, start)), count))
    raise NotationError(f"openings are none, random:PLIES or file:FILE, not {brief(text)}")


def _random(start: AnyPosition, plies: int, count: int, rng: Random) -> list[AnyGame]:
    """Return random openings, none twice as far as that can be."""
    if plies > _MOST_PLIES:
        raise SizeError(f"openings have at most {_MOST_PLIES} plies, not {plies}")
    seen: set[AnyPosition] = set()
    found = []
    for _ in range(count):
        game: AnyGame | None = None
        for attempt in range(_MORE_TRIES):
            tried = _random_game(start, plies, rng)
            if tried is not None:
                game = tried
                if game.position not in seen:
                    break
            if game is not None and attempt >= _TRIES:
                break
        if game is None:
            raise SizeError(f"{plies} random plies of {start.game} nearly always end the game")
        seen.add(game.position)
        found.append(game)
    return found


def _random_game(start: AnyPosition, plies: int, rng: Random) -> AnyGame | None:
    """Return a game of so many random moves, or None if it is over then or before."""
    game: AnyGame = Game(start)
    for _ in range(plies):
        if game.outcome is not None:
            return None
        game.play(rng.choice(game.position.legal_moves))
    return game if game.outcome is None else None


def _from_file(name: str, start: AnyPosition) -> list[AnyGame]:
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NoughtsError(f"cannot read {brief(name)}: {reason}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            game = Game.parse(line)
        except NoughtsError as error:
            raise NotationError(f"{name}, line {number}: {error}") from None
        if game.start.game != start.game:
            message = f"an opening of {game.start.game} in a match of {start.game}"
            raise NotationError(f"{name}, line {number}: {message}")
        if game.undone:
            raise NotationError(f"{name}, line {number}: an opening has no undone moves")
        if game.outcome is not None:
            raise NotationError(f"{name}, line {number}: the game is over: {game.outcome}")
        found.append(game)
    if not found:
        raise NotationError(f"{name}: there is no opening in it")
    return found
