"""The openings of a match: games begin at different positions, so that players do not repeat one.

Every opening is played twice, and each player has X once, so an opening that favours X favours
both alike. A short text names the openings::

    none         the start of the game
    random:4     four random moves; different positions as long as there are any, then repeated
    file:FILE    a game or position per line, repeated
"""

from __future__ import annotations

from itertools import cycle, islice
from random import Random

from noughts.errors import NotationError, NoughtsError, SizeError, brief, require_text
from noughts.limits import human_size
from noughts.matches.player import AnyGame, AnyPosition
from noughts.rules.game import Game

__all__ = ["openings_of"]

_MOST_PLIES = 9999
_MOST_BYTES = 1 << 26
_TRIES = 1000  # to find a new opening; after as many failures in a row there is none


def openings_of(text: str, start: AnyPosition, count: int, seed: int) -> list[AnyGame]:
    """Return the openings that a text names; the first ones do not depend on `count`.

    >>> from noughts import GridPosition
    >>> openings_of("random:2", GridPosition.start("3x3x3"), 2, seed=1)
    [Game.parse('3x3x3 a2 c3'), Game.parse('3x3x3 c3 b3')]
    """
    kind, _, rest = require_text(text, "openings").partition(":")
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
    """Return random openings, all different until the board has no other ones."""
    if plies > _MOST_PLIES:
        raise SizeError(f"openings have at most {_MOST_PLIES} plies, not {plies}")
    found: dict[AnyPosition, AnyGame] = {}
    while len(found) < count:
        games = (_random_game(start, plies, rng) for _ in range(_TRIES))
        new = next((game for game in games if game and game.position not in found), None)
        if new is None:
            break
        found[new.position] = new
    if count and not found:
        raise SizeError(f"{plies} random plies of {start.game} nearly always end the game")
    return list(islice(cycle(found.values()), count))


def _random_game(start: AnyPosition, plies: int, rng: Random) -> AnyGame | None:
    """Return a game of `plies` random moves, or None if it ends by then."""
    game: AnyGame = Game(start)
    for _ in range(plies):
        if game.outcome is not None:
            return None
        game.play(rng.choice(game.position.legal_moves))
    return game if game.outcome is None else None


def _from_file(name: str, start: AnyPosition) -> list[AnyGame]:
    try:
        with open(name, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:  # or a device without an end
            raise ValueError(f"it has more than {human_size(_MOST_BYTES)}")
        lines = data.decode().splitlines()
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
            raise NotationError(f"{name}, line {number}: an opening cannot have undone moves")
        if game.outcome is not None:
            raise NotationError(f"{name}, line {number}: the game is over: {game.outcome}")
        found.append(game)
    if not found:
        raise NotationError(f"{name} does not contain an opening")
    return found
