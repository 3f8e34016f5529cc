"""Drawing positions and games at random; a seed gives the same ones on every machine.

Where a table has all positions, every position that is wanted is equally likely, and so is
every game: games have numbers. Elsewhere games are played at random, each legal move as likely
as the others, and one position is taken of each. Nothing is drawn twice, but random games may be
equal.
"""

from __future__ import annotations

from random import Random

from noughts.kernels import np  # isort: skip  - says which extra is missing

from noughts.counting.listing import Games
from noughts.datasets.analysed import verdict_of
from noughts.datasets.request import Request
from noughts.datasets.solved import CHUNK, SolvedGrid
from noughts.errors import LimitExceeded
from noughts.rules.parsing import AnyPosition
from noughts.rules.player import Verdict
from noughts.solving.numbering import Masks

__all__ = ["drawn_games", "drawn_places", "drawn_positions", "random_game"]

_MOST_TRIES = 1_000
"""Random games in a row without a position that is wanted and new, or without such an ending."""


def _below(rng: Random, count: int) -> int:
    """Return a random number from 0 to below a count; of `Random`, only random() never changes."""
    bits = int(rng.random() * 2**53) << 53 | int(rng.random() * 2**53)
    return bits * count >> 106


def _distinct(rng: Random, count: int, size: int) -> list[int]:
    """Return different random numbers below a count in order, by Floyd's algorithm."""
    chosen: set[int] = set()
    for last in range(count - size, count):
        number = _below(rng, last + 1)
        chosen.add(last if number in chosen else number)
    return sorted(chosen)


def drawn_places(request: Request, solved: SolvedGrid) -> Masks:
    """Return the places of random positions out of all that are wanted, in ascending order."""
    assert request.sample is not None
    parts = [
        solved.chosen(
            first,
            min(first + CHUNK, solved.places),
            request.wanted,
            up_to_symmetry=request.up_to_symmetry,
        )
        for first in range(0, solved.places, CHUNK)
    ]
    places = np.concatenate(parts)
    if request.sample > len(places):
        raise LimitExceeded(
            f"there are only {len(places):,} such positions of {request.game} to draw from, "
            f"not {request.sample:,}"
        )
    chosen = _distinct(Random(request.seed), len(places), request.sample)
    return places[np.array(chosen, np.int64)]


def drawn_positions(request: Request) -> list[str]:
    """Return the texts of positions of random games, none twice."""
    assert request.sample is not None
    rng = Random(request.seed)
    found: dict[str, None] = {}
    tries = 0
    while len(found) < request.sample:
        positions, _ = random_game(request.position, rng)
        wanted = [position for position in positions if verdict_of(position) in request.wanted]
        tries += 1
        if wanted:
            position = wanted[_below(rng, len(wanted))]
            text = (position.canonical() if request.up_to_symmetry else position).text
            if text not in found:
                found[text] = None
                tries = 0
        if tries == _MOST_TRIES:
            raise LimitExceeded(
                f"{_MOST_TRIES:,} random games in a row had nothing new: there are only "
                f"{len(found):,} such positions of {request.game}, or few more"
            )
    return list(found)


def random_game(start: AnyPosition, rng: Random) -> tuple[list[AnyPosition], list[int]]:
    """Return a game of random moves: its positions, the first one included, and its moves."""
    positions, moves = [start], list[int]()
    while positions[-1].outcome is None:
        legal = positions[-1].legal_moves
        moves.append(legal[_below(rng, len(legal))])
        positions.append(positions[-1].play_unchecked(moves[-1]))
    return positions, moves


def drawn_games(request: Request) -> list[int]:
    """Return the numbers of random games in ascending order, none twice, all equally likely."""
    assert request.sample is not None
    everything = Games(request.game)
    parts = [Games(request.game, outcome=Verdict(verdict)) for verdict in request.verdicts]
    total = sum(part.total for part in parts or [everything])
    if request.sample > total:
        raise LimitExceeded(
            f"there are only {total:,} such games of {request.game} to draw from, "
            f"not {request.sample:,}"
        )
    numbers = _distinct(Random(request.seed), total, request.sample)
    if not parts:
        return numbers
    return sorted(everything.index(_game(parts, number)) for number in numbers)


def _game(parts: list[Games], number: int) -> tuple[int, ...]:
    """Return the game with a number among those of several lists, one behind the other."""
    for part in parts[:-1]:
        if number < part.total:
            return part[number]
        number -= part.total
    return parts[-1][number]
