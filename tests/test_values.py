from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import GridPosition, Player, UltimatePosition
from noughts.values import Analysis, MoveValue, Value

START = UltimatePosition.start()
AFTER_X = START.play("ee")

scores = st.floats(0.0, 1.0)
counts = st.integers(0, 10**15)
open_moves = st.builds(MoveValue.estimated, st.integers(0, 80), scores, counts)
proved_moves = st.one_of(
    st.builds(
        lambda move, visits, value, plies: move_value(
            move, (value.rank + 1) / 2, visits, value, plies
        ),
        st.integers(0, 80),
        counts,
        st.sampled_from([Value.WIN, Value.LOSS]),
        st.none() | st.integers(1, 81),
    ),
    st.builds(lambda m, v: move_value(m, 0.5, v, Value.DRAW), st.integers(0, 80), counts),
)


def move_value(
    move: int, score: float, visits: int, value: Value | None = None, plies: int | None = None
) -> MoveValue:
    """Return a move that is proved if it has a value, and estimated else."""
    if value is None:
        return MoveValue.estimated(move, score, visits)
    return MoveValue.proved(move, value, plies, visits)


def estimate_of(*moves: MoveValue, nodes: int = 0, position: UltimatePosition = START) -> Analysis:
    return Analysis(position, moves, (moves[0].move,), nodes=nodes, unit="simulations")


# ------------------------------------------------------------------------- two kinds of answers


@given(open_moves)
def test_an_estimate_never_looks_proved(found: MoveValue) -> None:
    estimate = estimate_of(found)
    assert not found.is_proved
    assert re.fullmatch(r"~ \d{1,3} %", str(found))
    assert re.fullmatch(r"\d{1,3}%", found.label)
    assert estimate.labels == ({found.move: found.label} if found.visits else {})
    assert estimate.winner is None
    assert "proved" not in str(estimate)
    assert "wins" not in str(estimate)
    data: dict[str, Any] = estimate.to_json()
    assert (data["value"], data["proved"], data["plies"]) == ("unknown", False, None)


@given(proved_moves)
def test_a_proof_never_looks_estimated(found: MoveValue) -> None:
    estimate = estimate_of(found)
    assert found.is_proved
    assert re.fullmatch(r"draw|(win|loss)( in \d+)?", str(found))
    assert re.fullmatch(r"D|[WL]\d*", estimate.labels[found.move])
    assert str(estimate).endswith(", proved")
    assert "%" not in str(estimate)
    data: dict[str, Any] = estimate.to_json()
    assert data["value"] == str(found.value)
    assert data["proved"] is True
    assert data["plies"] == found.plies


@given(st.lists(open_moves | proved_moves, min_size=1, unique_by=lambda found: found.move), counts)
def test_json_is_plain_and_large_numbers_are_text(moves: list[MoveValue], nodes: int) -> None:
    estimate = estimate_of(*moves, nodes=nodes)
    data = json.loads(json.dumps(estimate.to_json()))
    assert data["nodes"] == str(nodes)
    assert data["visits"] == str(moves[0].visits)
    assert data["unit"] == "simulations"
    assert data["text"] == str(estimate)
    assert data["turn"] == "X"
    assert UltimatePosition.parse(data["position"]) == START
    name = START.move_name
    assert data["line"] == [name(moves[0].move)]
    assert data["best"] == [name(move) for move in estimate.best_moves]
    assert list(data["moves"]) == [name(found.move) for found in moves]
    for found in moves:
        entry = data["moves"][name(found.move)]
        assert entry["visits"] == str(found.visits)
        assert entry["proved"] is found.is_proved
        assert entry["score"] == pytest.approx(found.score, abs=1e-4)
        assert entry["plies"] == found.plies


# ------------------------------------------------------------------------------------- in words


@pytest.mark.parametrize(
    ("found", "to_move", "words", "winner"),
    [
        (move_value(0, 1.0, 1, Value.WIN, 1), START, "X wins in 1 move, proved", Player.X),
        (
            move_value(0, 1.0, 1, Value.WIN, 9),
            START,
            "X wins in 9 moves (5 of X, 4 of O), proved",
            Player.X,
        ),
        (
            move_value(0, 0.0, 1, Value.LOSS, 8),
            START,
            "O wins in 8 moves (4 of X, 4 of O), proved",
            Player.O,
        ),
        (
            move_value(0, 1.0, 1, Value.WIN, 3),
            AFTER_X,
            "O wins in 3 moves (1 of X, 2 of O), proved",
            Player.O,
        ),
        (
            move_value(0, 0.0, 1, Value.LOSS, 2),
            AFTER_X,
            "X wins in 2 moves (1 of X, 1 of O), proved",
            Player.X,
        ),
        (move_value(0, 1.0, 1, Value.WIN), START, "X wins, proved", Player.X),
        (move_value(0, 0.5, 1, Value.DRAW), START, "a draw, proved", None),
        (move_value(0, 0.71, 1), START, "71 % for X after 950 simulations", None),
        (move_value(0, 0.71, 1), AFTER_X, "71 % for O after 950 simulations", None),
        (move_value(0, 0.2, 1), START, "20 % for X after 950 simulations", None),
        (move_value(0, 0.2, 1), AFTER_X, "20 % for O after 950 simulations", None),
        (move_value(0, 0.51, 1), START, "about even, 51 % for X after 950 simulations", None),
        (move_value(0, 0.48, 1), START, "about even, 48 % for X after 950 simulations", None),
    ],
)
def test_words(
    found: MoveValue, to_move: UltimatePosition, words: str, winner: Player | None
) -> None:
    estimate = estimate_of(found, nodes=950, position=to_move)
    assert str(estimate) == words
    assert estimate.winner is winner


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        (0, "0"),
        (950, "950"),
        (2_500, "2.5 k"),
        (12_000, "12 k"),
        (99_960, "100 k"),
        (250_000, "250 k"),
        (999_999, "1 M"),
        (1_200_000, "1.2 M"),
    ],
)
def test_counts_are_rounded_as_people_say_them(nodes: int, words: str) -> None:
    said = str(estimate_of(move_value(0, 0.9, 1), nodes=nodes))
    assert said == f"90 % for X after {words} simulations"


def test_moves_of_grids_have_their_names() -> None:
    position = GridPosition.start("3x3x3")
    found = move_value(4, 0.7, 3)
    data: dict[str, Any] = Analysis(position, (found,), (4, 0)).to_json()
    assert (data["best"], data["line"]) == (["b2"], ["b2", "a1"])
    assert data["unit"] == "positions"


def test_what_an_answer_took_is_no_part_of_it() -> None:
    found = (move_value(4, 0.7, 3),)
    assert Analysis(START, found, (4,), nodes=10, seconds=0.5) == Analysis(
        START, found, (4,), nodes=20, seconds=0.7
    )
    assert Analysis(START, found, (4,)) != Analysis(START, found, (5,))


def test_a_length_is_exact_only_if_every_length_is_known() -> None:
    position = GridPosition.start("4x4x3")
    quick = MoveValue.proved(5, Value.WIN, 5)
    for other, plies in (
        (MoveValue.proved(6, Value.WIN), None),  # it may be quicker
        (MoveValue(6), None),
        (MoveValue.proved(6, Value.WIN, 7), 5),
        (MoveValue.proved(6, Value.DRAW), 5),
    ):
        found = Analysis(position, (quick, other))
        assert (found.plies, found.solution.plies) == (5, plies)
