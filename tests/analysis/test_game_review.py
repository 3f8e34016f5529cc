"""What the moves of a game changed: against brute force, and what is not proved says so."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from noughts import Game, GridPosition, Variant, start
from noughts.analysis import Analysis, Review, review
from noughts.engine import Engine
from noughts.limits import Limits
from noughts.values import MoveValue, Value
from support.oracle import minimax
from support.ultimate_endgames import empty_playable, random_game
from support.ultimate_endgames import minimax as ultimate_minimax


@pytest.fixture(autouse=True)
def _no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look nothing up in the tables that may be installed."""
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "none"))


def value_of(position: GridPosition) -> Value:
    if position.outcome:
        return Value.LOSS if position.outcome.winner else Value.DRAW
    grid = position.grid
    return Value(minimax("".join(position.board.rows), grid.rows, grid.cols, grid.k)[0])


def some_game(text: str, seed: int) -> Game[GridPosition]:
    rng = random.Random(seed)
    game = Game(GridPosition.start(text))
    while legal := game.position.legal_moves:
        game.play(legal[int(rng.random() * len(legal))])
    return game


@pytest.mark.parametrize("text", ["3x3x3", "3x4x3"])
def test_values_before_and_after_are_those_of_brute_force(text: str) -> None:
    for seed in range(8):
        compare_with_brute_force(some_game(text, seed))


def compare_with_brute_force(game: Game[GridPosition]) -> None:
    found = review(game, Limits(nodes=1_000_000))
    position = game.start
    assert [remark.after.move for remark in found.remarks] == list(game.moves)
    for number, remark in enumerate(found.remarks, 1):
        after = position.play(remark.after.move)
        before = value_of(position)
        assert remark.number == number
        assert remark.player is position.turn
        assert remark.before.value is before
        assert remark.after.value is value_of(after).reversed
        assert remark.changed == (remark.before.value is not remark.after.value)
        assert value_of(position.play(remark.before.move)).reversed is before, "the best move"
        assert remark.cost == (before.rank - remark.after.value.rank) / 2
        position = after
    assert found.turning_points == tuple(
        r for r in found.remarks if r.before.value != r.after.value
    )


def test_a_move_that_is_as_good_as_any_is_the_best() -> None:
    found = review(Game.parse("3x3x3 b1"))
    assert found.remarks[0].before.move == found.remarks[0].after.move == 1


def test_the_end_of_ultimate_is_proved() -> None:
    whole = random_game(Variant.STANDARD, random.Random(5))
    positions = [position for position in whole if empty_playable(position) <= 9]
    game = Game(positions[0])
    for before, after in pairwise(positions):
        game.play(next(move for move in before.legal_moves if before.play(move) == after))
    found = review(game, Limits(nodes=1_000_000))
    assert found.remarks
    for remark, (before, after) in zip(found.remarks, pairwise(positions), strict=True):
        assert remark.before.value is Value.of(ultimate_minimax(before)[0])
        assert remark.after.value is Value.of(-ultimate_minimax(after)[0])


def test_estimates_are_marked_and_never_claim_a_change() -> None:
    found = review(Game.parse("ultimate ee ea aa ae"), Limits(nodes=300))
    assert len(found.remarks) == 4
    for remark in found.remarks:
        assert remark.changed is None
        assert "~" in str(remark)
        assert 0 <= remark.cost <= 1
    assert found.turning_points == ()


def test_a_node_limit_is_for_the_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes: list[int] = []
    whole = Engine.analyse

    def counted(*arguments: Any) -> Analysis:
        found = whole(*arguments)
        nodes.append(found.nodes)
        return found

    monkeypatch.setattr(Engine, "analyse", counted)
    assert len(review("ultimate ee ea aa ae eb bb", nodes=600).remarks) == 6
    assert 300 <= sum(nodes) <= 600


def test_undone_moves_are_not_reviewed() -> None:
    assert len(review(Game.parse("3x3x3 b2 a1 | c3")).remarks) == 2
    assert review(Game.parse("3x3x3 | b2")).remarks == ()
    assert review(Game(start("ultimate"))).remarks == ()


def test_progress_comes_from_the_end() -> None:
    reports: list[Review] = []
    found = review(Game.parse("3x3x3 a1 b1 c3 a2 b2"), on_progress=reports.append)
    assert [len(each.remarks) for each in reports] == [1, 2, 3, 4, 5]
    for each in reports:
        assert each.remarks == found.remarks[-len(each.remarks) :]


def test_as_plain_data() -> None:
    data = review(Game.parse("3x3x3 a1 b1 c3")).to_json()
    assert data["game"] == "3x3x3 a1 b1 c3"
    assert data["moves"][1] == {  # type: ignore[index]
        "number": 2,
        "player": "O",
        "move": "b1",
        "best": "b2",
        "before": MoveValue.proved(4, Value.DRAW).to_json(),
        "after": MoveValue.proved(1, Value.LOSS, 6).to_json(),
        "changed": True,
        "cost": 0.5,
        "text": "threw away the draw",
    }
