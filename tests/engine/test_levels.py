"""Opponents for people: each does what its description says, and beats the one below."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from noughts import (
    Game,
    GridPosition,
    IllegalMove,
    NotationError,
    NoughtsError,
    UltimatePosition,
    Variant,
    start,
)
from noughts.engine import Engine, Limit, MoveEstimate
from noughts.engine.levels import (
    GRID_LEVELS,
    ULTIMATE_LEVELS,
    choose_move,
    in_words,
    levels_of,
    value_moves,
)
from noughts.matches.match import Match, play_match, score_of
from noughts.matches.registry import player_of
from noughts.solving import Value, analyse
from support.strategies import VARIANTS
from support.ultimate_endgames import midgames, random_game

SOON = Limit(nodes=200)


@pytest.fixture(autouse=True)
def _no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look nothing up in the tables that somebody may have installed."""
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "none"))


def captures(position: UltimatePosition) -> list[int]:
    """Return the moves after which the side to move has one more board."""
    side = "XO".index(position.turn.value)
    before = position.captured[side]
    moves = position.legal_moves
    return [move for move in moves if position.play(move).captured[side] != before]


def wins(position: UltimatePosition) -> list[int]:
    """Return the moves that win at once."""
    after = {move: position.play(move).outcome for move in position.legal_moves}
    return [m for m, outcome in after.items() if outcome and outcome.winner is position.turn]


def midgames_with(count: int, seed: int = 0) -> Iterator[UltimatePosition]:
    """Yield so many positions in which a board can be captured, and not by every move."""
    found = (p for p in midgames(Variant.STANDARD, seed) if 0 < len(captures(p)) < p.move_count)
    return islice(found, count)


def late(count: int, before: int, seed: int) -> Iterator[UltimatePosition]:
    """Yield positions so many plies before the end of random games."""
    rng = Random(seed)
    for _ in range(count):
        yield random_game(Variant.STANDARD, rng)[-1 - before]


# -- every level, every game -------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("level", ULTIMATE_LEVELS)
def test_every_level_plays_legally_at_ultimate(level: str, variant: Variant) -> None:
    rng = Random(1)
    positions = [UltimatePosition.start(variant), *islice(midgames(variant, seed=1), 4)]
    for position in positions:
        choice = choose_move(position, level, SOON, rng)
        assert choice.move in position.legal_moves
        assert (choice.known is None) is (level in ("beginner", "casual"))


@pytest.mark.parametrize("grid", ["1x1x1", "3x3x3", "4x4x3", "2x9x5", "9x9x5", "15x15x5"])
@pytest.mark.parametrize("level", GRID_LEVELS)
def test_every_level_plays_legally_on_grids(level: str, grid: str) -> None:
    rng = Random(1)
    position = GridPosition.start(grid)
    for _ in range(3):
        choice = choose_move(position, level, SOON, rng)
        assert choice.move in position.legal_moves
        position = position.play(choice.move)
        if position.outcome:
            break
        position = position.play(rng.choice(position.legal_moves))
        if position.outcome:
            break


def test_the_levels_of_a_game() -> None:
    assert list(levels_of(start("ultimate-open"))) == list(ULTIMATE_LEVELS)
    assert list(levels_of(start("3x3x3"))) == list(GRID_LEVELS)
    assert list(ULTIMATE_LEVELS) == ["beginner", "casual", "skilled", "strong", "expert", "full"]
    assert all(about and not about.endswith(".") for about in ULTIMATE_LEVELS.values())


@pytest.mark.parametrize(
    ("game", "level", "message"),
    [
        ("ultimate", "perfect", "'perfect' is not a level of ultimate: beginner, casual, skilled"),
        ("ultimate", "", "'' is not a level of ultimate"),
        ("ultimate", "Casual", "'Casual' is not a level"),
        ("3x3x3", "expert", "'expert' is not a level of 3x3x3: beginner, casual, strong, perfect"),
        ("3x3x3", "x" * 10_000, "is not a level of 3x3x3"),
    ],
)
def test_an_unknown_level_is_refused(game: str, level: str, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        choose_move(start(game), level, SOON)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("level", ULTIMATE_LEVELS)
def test_a_finished_game_of_ultimate_is_refused(level: str) -> None:
    over = random_game(Variant.STANDARD, random.Random(1))[-1]
    with pytest.raises(IllegalMove, match="the game is over"):
        choose_move(over, level, SOON)


@pytest.mark.parametrize("level", GRID_LEVELS)
@pytest.mark.parametrize("text", ["XXX/OO./...", "XOX/XOO/OXX"])
def test_a_finished_game_on_a_grid_is_refused(level: str, text: str) -> None:
    with pytest.raises(IllegalMove, match="the game is over"):
        choose_move(GridPosition.parse(text), level, SOON)


@pytest.mark.parametrize("nonsense", [None, "ultimate", 3, object()])
def test_what_is_no_position_is_refused(nonsense: Any) -> None:
    with pytest.raises((NoughtsError, TypeError)):
        choose_move(nonsense, "casual", SOON)


@pytest.mark.parametrize(
    ("game", "level"),
    [
        *(("ultimate", level) for level in ULTIMATE_LEVELS),
        *(("3x3x3", level) for level in GRID_LEVELS),
        *(("5x5x4", level) for level in ("beginner", "casual")),
    ],
)
def test_a_seed_makes_it_repeatable(game: str, level: str) -> None:
    """Where the solver's two threads race against a limit, the better levels are not."""

    def moves(seed: int) -> list[int]:
        rng, position, played = Random(seed), start(game), []
        for _ in range(5):
            played.append(choose_move(position, level, Limit(nodes=20), rng).move)
            position = position.play(played[-1])
        return played

    assert moves(1) == moves(1)
    if level in ("beginner", "casual"):
        assert len({tuple(moves(seed)) for seed in range(4)}) > 1


# -- what they see -----------------------------------------------------------------------


def test_a_beginner_sees_every_other_board() -> None:
    rng = Random(5)
    taken = expected = variance = 0.0
    for position in midgames_with(400, seed=5):
        can = captures(position)
        share = 0.5 + 0.5 * len(can) / position.move_count
        taken += choose_move(position, "beginner", SOON, rng).move in can
        expected += share
        variance += share * (1 - share)
    assert abs(taken - expected) < 4 * variance**0.5
    assert 200 < expected < 300


def test_a_casual_player_never_misses_a_win() -> None:
    rng = Random(6)
    found = 0
    for position in late(100, before=1, seed=6):
        if can := wins(position):
            found += 1
            assert choose_move(position, "casual", SOON, rng).move in can
    assert found > 20


def test_a_casual_player_does_not_let_the_other_one_win_at_once() -> None:
    rng = Random(7)
    found = 0
    for position in late(100, before=2, seed=7):
        safe = [m for m in position.legal_moves if not wins(position.play(m))]
        if not wins(position) and 0 < len(safe) < position.move_count:
            found += 1
            assert choose_move(position, "casual", SOON, rng).move in safe
    assert found > 20


def test_a_casual_player_takes_boards_that_cost_nothing() -> None:
    """That is, no board that can be taken in return, and no free choice."""
    rng = Random(8)
    found = 0
    for position in midgames_with(300, seed=8):
        free = [m for m in captures(position) if _costs_nothing(position, m)]
        if free:
            found += 1
            assert choose_move(position, "casual", SOON, rng).move in captures(position)
    assert found > 20


def _costs_nothing(position: UltimatePosition, move: int) -> bool:
    after = position.play(move)
    return after.outcome is None and after.forced is not None and not captures(after)


# -- each beats the one below ------------------------------------------------------------


@pytest.mark.parametrize(
    ("higher", "lower", "games", "share"),
    [
        *[("beginner", "random", 60, 0.5), ("casual", "beginner", 20, 0.7)],
        *[("skilled", "casual", 10, 0.8)],
    ],
)
def test_a_higher_level_beats_a_lower_one(
    higher: str, lower: str, games: int, share: float
) -> None:
    match = Match(higher, lower, "ultimate", games, Limit(nodes=1000))
    records = list(play_match(match, player_of))
    assert not any(record.is_forfeit for record in records)
    assert score_of(records).share > share


# -- grids -------------------------------------------------------------------------------

# a b c d e f g h i j k l m n o, and rows from 1 on. X has four in a row with one end open,
# three with both, and two that cross, which win by threats alone but not in three plies.
FOUR = "15x15x5 d8 c8 e8 a1 f8 a3 g8"
OPEN_THREE = "15x15x5 g8 a1 h8 a3 i8"
CROSSED = "15x15x5 c8 b8 e8 a1 f8 a3 d10 o1 d11 o3"


def at(text: str) -> GridPosition:
    """Return the position after some moves on a grid."""
    position = Game.parse(text).position
    assert isinstance(position, GridPosition)
    return position


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        (FOUR, {"h8"}),
        (f"{FOUR} a5", {"h8"}),  # completes it
        (OPEN_THREE, {"e8", "f8", "j8", "k8"}),
    ],
)
def test_perfect_play_on_a_large_grid_sees_threats(text: str, moves: set[str]) -> None:
    position = at(text)
    choice = choose_move(position, "perfect", Limit(nodes=20_000), Random(1))
    assert position.move_name(choice.move) in moves


def test_the_engine_proves_what_the_solver_cannot() -> None:
    position = at(CROSSED)
    choice = choose_move(position, "perfect", Limit(nodes=5_000), Random(1))
    assert isinstance(choice.known, MoveEstimate)
    assert (position.move_name(choice.move), choice.known.value) == ("d8", Value.WIN)
    assert choice.known.plies == 5


def test_the_engine_is_asked_only_where_the_solver_has_no_proof() -> None:
    choice = choose_move(GridPosition.parse("X../.O./..X"), "perfect", SOON)
    assert not isinstance(choice.known, MoveEstimate)
    assert choice.known is not None
    assert choice.known.value is Value.DRAW
    assert isinstance(choose_move(start("15x15x5"), "perfect", SOON).known, MoveEstimate)
    assert choose_move(start("15x15x5"), "strong", SOON).known is None


def test_a_board_that_is_too_large_for_the_engine_is_played_all_the_same() -> None:
    position = GridPosition.start("40x40x5").play(0)
    choice = choose_move(position, "perfect", SOON)
    assert choice.move in position.legal_moves
    assert "too large" in choice.note


def test_an_engine_that_is_handed_in_is_used() -> None:
    engine = Engine(1)
    position = start("ultimate")
    choose_move(position, "full", Limit(nodes=100), engine=engine)
    after = engine.analyse(position, Limit(nodes=1))
    assert sum(each.visits for each in after.moves) > 90, "it remembers what it was asked"


# -- what every move is worth ------------------------------------------------------------


@pytest.mark.parametrize("text", ["3x3x3", "3x3x3 b2", "3x3x3:XX./OO./...", "4x4x3 a1 b2"])
def test_values_are_those_of_the_solver(text: str) -> None:
    position = at(text)
    found = value_moves(position, Limit(nodes=1_000_000))
    exact = analyse(position)
    assert [(known.value, known.plies) for known in found.moves] == [
        (known.value, known.plies) for known in exact.moves
    ], "from best to worst"
    assert found.labels == exact.labels
    assert found.note == ""


@pytest.mark.parametrize("text", ["8x8x5 d4 e5", "15x15x5 h8", FOUR, CROSSED, "ultimate ee"])
def test_every_move_has_a_value_and_what_is_not_proved_shows(text: str) -> None:
    position = Game.parse(text).position
    found = value_moves(position, Limit(nodes=3_000))
    assert sorted(known.move for known in found.moves) == position.legal_moves
    for known in found.moves:
        label = found.labels.get(known.move)
        if known.value is None:
            assert label is None or label.endswith("%")
            assert "%" in in_words(known)
        else:
            assert label is not None
            assert label[0] in "WDL"
    assert found.labels
    is_proved = all(known.value for known in found.moves)
    assert bool(found.note) == (isinstance(position, GridPosition) and not is_proved)


def test_a_value_that_the_solver_lacks_is_the_engines() -> None:
    position = at(CROSSED)
    best = value_moves(position, Limit(nodes=5_000)).moves[0]
    assert (position.move_name(best.move), best.label) == ("d8", "W5")


def test_a_finished_game_has_no_values() -> None:
    with pytest.raises(IllegalMove, match="the game is over: X wins"):
        value_moves(GridPosition.parse("XXX/OO./..."))


def test_values_where_no_engine_can_help() -> None:
    found = value_moves(GridPosition.start("40x40x5").play(0), SOON)
    assert len(found.moves) == 1599
    assert "too large" in found.note
