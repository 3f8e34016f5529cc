"""Rows about games: as blocks of the listing, by number, or played at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from noughts.kernels import NDArray, np  # isort: skip  - says which extra is missing

from noughts.counting.listing import Games
from noughts.datasets.analysed import verdict_of
from noughts.datasets.columns import Lists, Plain, Rows, Texts, Words, texts_of
from noughts.datasets.request import ENDINGS, Request
from noughts.datasets.sampling import random_game
from noughts.datasets.solved import CHUNK, VALUES, board_texts, solved_grid
from noughts.errors import LimitExceeded
from noughts.rules.parsing import AnyPosition
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry

__all__ = ["listed_games", "numbered_games", "played_games"]

_MOST_TRIES = 10_000
"""Random games for one row with a wanted ending."""
_PART = 200
"""Games that are built in Python before they become arrays."""

Moves = NDArray[np.int16]


@dataclass(frozen=True)
class _Batch:
    """Games as arrays: moves behind the end of a game are -1."""

    moves: Moves
    outcomes: NDArray[np.int8]  # numbers of `ENDINGS`
    numbers: Sequence[int] | None  # among all games
    finals: list[str] | None = None  # final positions as text, if not those of a grid


def listed_games(request: Request, first: int, stop: int) -> Iterator[Rows]:
    """Yield rows for the games from one number up to another."""
    number = first
    for block in Games(request.game).blocks(CHUNK, first):
        size = min(len(block), stop - number)
        wanted = np.isin(block.outcomes[:size], [ENDINGS.index(each) for each in request.wanted])
        rows = np.flatnonzero(wanted)
        numbers = [number + row for row in rows.tolist()]
        yield _rows(
            request, _Batch(block.moves[rows].astype(np.int16), block.outcomes[rows], numbers)
        )
        number += size
        if number == stop:
            return


def numbered_games(request: Request, numbers: list[int]) -> Iterator[Rows]:
    """Yield rows for the games with these numbers."""
    everything = Games(request.game)
    for first in range(0, len(numbers), _PART):
        part = numbers[first : first + _PART]
        games = [everything[number] for number in part]
        outcomes = [ENDINGS.index(everything.outcome_of(game)) for game in games]
        yield _rows(request, _Batch(_padded(games), np.array(outcomes, np.int8), part))


def played_games(request: Request, first: int, stop: int) -> Iterator[Rows]:
    """Yield rows for random games; each has a seed of its own and needs none of the others."""
    for begin in range(first, stop, _PART):
        played = [_played(request, row) for row in range(begin, min(begin + _PART, stop))]
        finals = [position for position, _ in played]
        outcomes = np.array([ENDINGS.index(verdict_of(final)) for final in finals], np.int8)
        texts = [position.text for position in finals]
        yield _rows(request, _Batch(_padded([moves for _, moves in played]), outcomes, None, texts))


def _played(request: Request, row: int) -> tuple[AnyPosition, list[int]]:
    """Return the last position and the moves of a random game with a wanted ending."""
    rng = Random(f"{request.seed} {row}")
    for _ in range(_MOST_TRIES):
        positions, moves = random_game(request.position, rng)
        if verdict_of(positions[-1]) in request.wanted:
            return positions[-1], moves
    endings = " or ".join(request.wanted)
    raise LimitExceeded(
        f"none of {_MOST_TRIES:,} random games of {request.game} ended as {endings}"
    )


def _padded(games: Sequence[Sequence[int]]) -> Moves:
    moves = np.full((len(games), max(map(len, games))), -1, np.int16)
    for row, game in enumerate(games):
        moves[row, : len(game)] = game
    return moves


def _rows(request: Request, batch: _Batch) -> Rows:
    """Return the rows of a batch, all of its games or those that are canonical forms."""
    start = request.position
    canonical, orbit_sizes = _orbits(batch.moves, _permutations(start))
    is_played = batch.moves >= 0
    begins = np.concatenate(([0], np.cumsum(is_played.sum(axis=1))))
    names = np.array([start.move_name(move).encode() for move in range(start.size)])
    rows: Rows = {}
    if request.is_listed:
        rows["index"] = Plain(np.array(batch.numbers, np.int64))
    elif batch.numbers is not None:
        rows["index"] = texts_of([str(number) for number in batch.numbers])
    finals = batch.finals
    rows |= {
        "game": _texts(start.game, names, batch.moves),
        "moves": Lists(Plain(batch.moves[is_played].astype(np.int16)), begins),
        "length": Plain(np.diff(begins).astype(np.int16)),
        "outcome": Words(batch.outcomes, ENDINGS),
        "position": _final_positions(start, batch.moves) if finals is None else texts_of(finals),
        "canonical": _texts(start.game, names, canonical),
        "orbit_size": Plain(orbit_sizes),
    }
    if request.is_listed:
        rows["move_values"] = Lists(_move_values(request.game, batch.moves), begins)
    if request.up_to_symmetry:
        chosen = np.flatnonzero((canonical == batch.moves).all(axis=1))
        rows = {name: column.take(chosen) for name, column in rows.items()}
    return rows


def _texts(game: str, names: NDArray[np.bytes_], moves: Moves) -> Texts:
    """Return games as text: the name of the game, and behind it those of the moves."""
    width = names.dtype.itemsize
    words = np.zeros((len(names) + 1, width + 1), np.uint8)  # the last for -1: nothing
    words[:-1, 0] = ord(" ")
    words[:-1, 1:] = names.view(np.uint8).reshape(len(names), width)
    begin = np.frombuffer(game.encode(), np.uint8)
    chars = np.empty((len(moves), len(begin) + moves.shape[1] * (width + 1)), np.uint8)
    chars[:, : len(begin)] = begin
    chars[:, len(begin) :] = words[moves].reshape(len(moves), -1)
    return Texts(chars.view(f"S{chars.shape[1]}").ravel())


def _permutations(start: AnyPosition) -> list[NDArray[np.int16]]:
    """Return for every symmetry of a game where it moves each cell; behind them -1 for -1."""
    if isinstance(start, GridPosition):
        rows, cols = start.grid.rows, start.grid.cols
        maps = [list(symmetry.permutation(rows, cols)) for symmetry in start.grid.symmetries]
    else:
        small = [symmetry.permutation(3, 3) for symmetry in Symmetry]
        maps = [[image[m // 9] * 9 + image[m % 9] for m in range(81)] for image in small]
    return [np.array([*moved, -1], np.int16) for moved in maps]


def _orbits(moves: Moves, permutations: list[NDArray[np.int16]]) -> tuple[Moves, NDArray[np.int8]]:
    """Return the least image of each game, and how many different images it has."""
    least = moves
    fixed = np.zeros(len(moves), np.int64)
    everyone = np.arange(len(moves))
    for permutation in permutations:
        image = permutation[moves]
        fixed += (image == moves).all(axis=1)
        differs = image != least
        first = differs.argmax(axis=1)
        is_less = image[everyone, first] < least[everyone, first]
        least = np.where(is_less[:, None], image, least)
    return least, (len(permutations) // fixed).astype(np.int8)


def _final_positions(start: AnyPosition, moves: Moves) -> Texts:
    assert isinstance(start, GridPosition)
    codes = np.zeros((len(moves), start.size + 1), np.int8)  # the last cell is that of -1
    everyone = np.arange(len(moves))
    for ply in range(moves.shape[1]):
        codes[everyone, moves[:, ply]] = 1 + ply % 2
    return board_texts(start.grid, codes[:, :-1])


def _move_values(game: str, moves: Moves) -> Words:
    """Return what all moves of all games are worth, one game after the other."""
    solved = solved_grid(game)
    values = np.full(moves.shape, -1, np.int8)
    sides = [np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)]
    for ply in range(moves.shape[1]):
        rows = np.flatnonzero(moves[:, ply] >= 0)
        sides[ply % 2][rows] |= 1 << moves[rows, ply].astype(np.int64)
        values[rows, ply] = solved.last_move_values(sides[0][rows], sides[1][rows])
    return Words(values[moves >= 0], VALUES)
