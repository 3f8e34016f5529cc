"""Playouts: legal games to the end, each legal move equally likely, the same for the same seed."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from noughts import (
    IllegalMove,
    LimitExceeded,
    NoughtsError,
    SizeError,
    UltimatePosition,
    Variant,
    Verdict,
    position,
    start,
)
from noughts.rl import playouts
from noughts.rl.grids import TABLE_CELLS
from noughts.rl.random_play import LEAST_MOVES
from support.cases import for_each
from support.ultimate_endgames import endgames

GAMES = 20_000


@cache
def chances(where: Any) -> dict[tuple[Verdict, int], Fraction]:
    """Return how likely each verdict is after each number of moves, by playing every game."""
    if where.outcome is not None:
        return {(where.outcome.verdict, 0): Fraction(1)}
    found: dict[tuple[Verdict, int], Fraction] = {}
    for move in where.legal_moves:
        for (verdict, plies), chance in chances(where.play(move)).items():
            key = verdict, plies + 1
            found[key] = found.get(key, Fraction(0)) + chance / where.move_count
    return found


def near_the_end(game: str, moves: int) -> Any:
    """Return a position of a random game with so few moves left that every game can be played."""
    rng = random.Random(8)
    while True:
        found = start(game)
        while found.outcome is None and found.move_count > moves:
            found = found.play(rng.choice(found.legal_moves))
        if found.outcome is None:
            return found


ENDGAMES = [
    *map(
        position, ("3x3x3", "3x3x3 b2", "3x3x3 b2 a1", "2x3x2", "2x4x3", "1x8x3", "1x3x1", "2x2x3")
    ),
    # Boards without a table of lines, on which X and O are to move.
    *(near_the_end(game, 7) for game in ("5x5x4", "5x7x4", "9x9x6", "10x9x6")),
    *(near_the_end(game, 6) for game in ("6x3x4", "3x6x4")),
    *(next(endgames(variant, 7)) for variant in map(Variant, range(4))),
]


@for_each("where", ENDGAMES)
def test_every_result_is_as_likely_as_it_should_be(where: Any) -> None:
    expected = chances(where)
    played = playouts(where, GAMES, seed=11)
    verdicts = [list(Verdict)[code] for code in played.verdicts]
    counts: dict[tuple[Verdict, int], int] = dict.fromkeys(expected, 0)
    for key in zip(verdicts, played.plies.tolist(), strict=True):
        counts[key] += 1  # a result that cannot be is a KeyError
    for key, chance in expected.items():
        mean, spread = float(GAMES * chance), float(GAMES * chance * (1 - chance)) ** 0.5
        assert abs(counts[key] - mean) <= 4.5 * spread + 1e-9, (key, counts[key], mean)
    assert played.x_wins + played.o_wins + played.draws == len(played) == GAMES


def test_both_sides_are_to_move_in_the_endgames_above() -> None:
    small = [where for where in ENDGAMES if where.size <= TABLE_CELLS]
    ultimate = [where for where in ENDGAMES if isinstance(where, UltimatePosition)]
    large = [where for where in ENDGAMES if where not in small and where not in ultimate]
    for kind in (small, large, ultimate):
        assert len({where.turn for where in kind}) == 2


@for_each("game", ["3x3x3", "15x15x5", "ultimate"])
def test_the_same_seed_plays_the_same_games_on_any_number_of_threads(game: str) -> None:
    count = 4 * LEAST_MOVES // start(game).size
    one, several = (playouts(game, count, seed=3, threads=threads) for threads in (1, 3))
    assert (one.verdicts == several.verdicts).all()
    assert (one.plies == several.plies).all()
    other = playouts(game, count, seed=4)
    assert (other.plies != one.plies).any()
    few = playouts(game, 10, seed=3)
    assert few.plies.tolist() == one.plies[:10].tolist()


def test_the_first_playouts_do_not_repeat_themselves() -> None:
    """Neighbouring games and neighbouring seeds share no moves."""
    lengths = [tuple(playouts("15x15x5", 40, seed=seed).plies) for seed in range(40)]
    assert len(set(lengths)) == 40
    assert len({row[0] for row in lengths}) > 20
    assert len(set(lengths[0])) > 20
    assert playouts("15x15x5", 9).plies.tolist() != playouts("15x15x5", 9).plies.tolist()


def test_no_games() -> None:
    played = playouts("ultimate", 0)
    assert repr(played) == "<0 playouts: 0 won by X, 0 by O, 0 drawn>"


@for_each(
    ("arguments", "error", "message"),
    [
        (("XXX/OO./...",), IllegalMove, "the game is over, X wins"),
        (("3x3x3", -1), SizeError, "the number of playouts must be at least 0, not -1"),
        (("3x3x3", 1.5), SizeError, "must be a whole number"),
        (("3x3x3", 1, -1), SizeError, "a seed must be at least 0"),
        (("3x3x3", 10**14), LimitExceeded, "the results of 100,000,000,000,000 playouts need"),
        (("chess",), NoughtsError, "chess"),
    ],
)
def test_wrong_input_is_a_clear_error(
    arguments: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        playouts(*arguments)


def test_a_position_is_taken_in_any_form() -> None:
    text = playouts("ultimate ee ea", 50, seed=1)
    where = playouts(UltimatePosition.start().play("ee").play("ea"), 50, seed=1)
    assert text.plies.tolist() == where.plies.tolist()
