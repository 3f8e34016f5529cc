"""What every move is worth: the solver's proofs, the engine's estimates, and both in one list."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path
from threading import Event, Timer
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Game, GridPosition, IllegalMove, Variant, solving, start
from noughts.analysis import analyse
from noughts.engine import Engine
from noughts.errors import LimitExceeded
from noughts.limits import Limits
from noughts.values import Analysis, MoveValue, Solution, Value, best_first
from support.oracle import minimax as brute_force
from support.ultimate_endgames import endgames, minimax


@pytest.fixture(autouse=True)
def _no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look nothing up in the tables that may be installed."""
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "none"))


def by_brute_force(position: GridPosition, move: int) -> tuple[Value, int | None]:
    after, grid = position.play(move), position.grid
    value, plies = brute_force("".join(after.board.rows), grid.rows, grid.cols, grid.k)
    return Value(value).reversed, None if plies is None else plies + 1


@pytest.mark.parametrize(
    "text",
    ["3x3x3", "3x3x3 b2 a1", "3x3x3:X../.O./..X", "3x4x3 b2 c2", "4x4x3:XO../.X../..../O..."],
)
def test_values_on_small_grids_are_those_of_brute_force(text: str) -> None:
    position = Game.parse(text).position
    assert isinstance(position, GridPosition)
    found = analyse(position, Limits(nodes=1_000_000))
    assert sorted(each.move for each in found.moves) == position.legal_moves
    for each in found.moves:
        assert (each.value, each.plies) == by_brute_force(position, each.move)
        assert each.score == {Value.WIN: 1.0, Value.DRAW: 0.5, Value.LOSS: 0.0}[each.value]  # type: ignore[index]
    whole = brute_force("".join(position.board.rows), *_sizes(position))
    assert (found.value, found.plies) == (Value(whole[0]), whole[1])


def _sizes(position: GridPosition) -> tuple[int, int, int]:
    return position.grid.rows, position.grid.cols, position.grid.k


@pytest.mark.parametrize("text", ["3x3x3 b2 a1", "4x4x3 b2", "5x5x4 c3 b2", "15x15x5 h8 h9"])
def test_the_line_is_legal_and_begins_with_the_best_move(text: str) -> None:
    position = Game.parse(text).position
    found = analyse(position, Limits(nodes=20_000))
    assert found.line[0] == found.best.move
    for move in found.line:
        position = position.play(move)
    if found.value is Value.WIN:
        assert position.outcome is not None


def test_ends_of_ultimate_are_those_of_brute_force() -> None:
    for position in islice(endgames(Variant.STANDARD, 9), 5):
        found = analyse(position, Limits(nodes=1_000_000))
        for each in found.moves:
            value, plies = minimax(position.play(each.move))
            assert each.value is Value.of(-value)
            assert each.plies == (plies + 1 if value else None)


@pytest.mark.parametrize("text", ["8x8x5 d4 e5", "15x15x5 h8", "ultimate ee", "ultimate-open ee"])
def test_every_move_has_a_worth_where_nothing_is_proved(text: str) -> None:
    position = Game.parse(text).position
    found = analyse(position, Limits(nodes=2_000))
    assert sorted(each.move for each in found.moves) == position.legal_moves
    assert any(not each.is_proved for each in found.moves)
    assert found.value is None
    assert "proved" not in str(found)


def test_little_effort_is_enough_for_what_is_plain() -> None:
    # X has three with both ends open: O blocks one of them.
    position = Game.parse("6x6x4 b1 a6 c1 b6").position.play(3)
    found = analyse(position, Limits(nodes=50))
    assert {each.value for each in found.moves} == {Value.LOSS}
    assert {each.plies for each in found.moves} == {2}


@pytest.mark.parametrize("text", ["5x5x4", "6x6x4 c3", "ultimate ee", "15x15x5 h8"])
def test_a_node_limit_is_for_the_whole_analysis(text: str) -> None:
    for nodes in (100, 1000):
        found = analyse(text, nodes=nodes)
        assert 0 < found.nodes <= nodes
        assert analyse(text, Limits(seconds=60.0, nodes=50), nodes=nodes).nodes <= nodes


def test_a_node_limit_holds_however_small_it_is() -> None:
    for text in ("3x3x3", "5x5x4", "4x4x4 b2", "7x7x5", "9x9x5", "ultimate ee"):
        for nodes in (1, 2, 3, 7):
            found = analyse(text, nodes=nodes)
            assert found.nodes <= nodes
            assert len(found.moves) == found.position.move_count


def test_progress_may_come_before_any_move_is_known() -> None:
    """A value may be proved without a best move, and reported before any move is searched."""
    position = GridPosition.start("5x5x4")
    proved = Solution(position, Value.DRAW, Value.DRAW)
    reports: list[Analysis] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("noughts.solving.solve", lambda *_, **__: proved)
        analyse(position, Limits(nodes=100), reports.append)
    assert reports[0].value is Value.DRAW
    assert len(reports[0].moves) == 25


def test_a_node_limit_and_one_thread_repeat_an_analysis() -> None:
    for text in ("ultimate ee", "15x15x5 h8"):
        assert analyse(text, nodes=300) == analyse(text, nodes=300)


@pytest.mark.parametrize("text", ["15x15x5", "ultimate"])
def test_an_analysis_that_is_stopped_returns_what_it_has(text: str) -> None:
    stop = Event()
    stop.set()
    found = analyse(text, seconds=60.0, stop=stop)
    assert found.seconds < 30
    assert sorted(each.move for each in found.moves) == start(text).legal_moves


@pytest.mark.parametrize("part", ["solve", "analyse"])
def test_what_stops_an_analysis_stops_the_solver(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it, the solver would go on for its share of an hour."""
    stop = Event()
    original = getattr(solving, part)

    def stopped_later(*arguments: Any, **options: Any) -> Any:
        Timer(0.1, stop.set).start()
        return original(*arguments, **options)

    monkeypatch.setattr(solving, "solve", lambda position, *_, **__: Solution(position))
    monkeypatch.setattr(solving, part, stopped_later)
    found = analyse("7x7x5", seconds=3600.0, stop=stop)
    assert found.seconds < 100
    assert len(found.moves) == 49


def test_only_examined_moves_have_labels() -> None:
    found = analyse("15x15x5 h8 h9", nodes=50)
    labels = found.labels
    assert 0 < len(labels) < len(found.moves)
    for each in found.moves:
        assert (each.move in labels) is each.is_examined
        assert labels.get(each.move, each.label) == each.label


def test_what_is_not_proved_has_a_reason_on_grids() -> None:
    assert analyse("3x3x3").note == ""
    assert "64 cells" in analyse("9x9x5", nodes=50).note
    assert "time" in analyse("8x8x5", nodes=50).note


def test_progress_reports_more_and_more() -> None:
    reports: list[Analysis] = []
    found = analyse(start("5x5x4"), Limits(seconds=3.0), reports.append)
    proofs = [sum(each.is_proved for each in estimate.moves) for estimate in reports]
    assert proofs == sorted(proofs)
    assert len(reports) > 1
    assert all(estimate.moves and estimate.line for estimate in reports)
    assert found.value is Value.DRAW
    assert {each.move for each in found.moves} == set(range(25))


def test_an_engine_that_is_handed_in_is_used() -> None:
    engine = Engine()
    first = analyse(start("ultimate"), Limits(nodes=500), engine=engine)
    again = analyse(start("ultimate"), Limits(nodes=500), engine=engine)
    assert again.best.visits > first.best.visits


def test_what_cannot_be_analysed() -> None:
    with pytest.raises(IllegalMove, match="the game is over: X wins"):
        analyse(GridPosition.parse("XXX/OO./..."))
    with pytest.raises(LimitExceeded, match="too large"):
        analyse(start("40x40x5"))


def test_a_board_that_is_too_large_is_refused_by_its_size_alone() -> None:
    position = GridPosition.start("10000x10000x5")
    with pytest.raises(LimitExceeded, match="has 100,000,000"):
        analyse(position)
    assert not {"outcome", "legal_moves", "text"} & vars(position).keys()
    assert not {"lines", "full"} & vars(position.grid).keys()


cells = st.integers(0, 80)
worths = st.one_of(
    st.builds(MoveValue.proved, cells, st.just(Value.WIN), st.none() | st.integers(1, 30)),
    st.builds(MoveValue.proved, cells, st.just(Value.DRAW)),
    st.builds(MoveValue.proved, cells, st.just(Value.LOSS), st.integers(1, 30)),
    st.builds(MoveValue.estimated, cells, st.floats(0, 1), st.integers(0, 9)),
    st.builds(MoveValue, cells, st.just(Value.DRAW)),
    st.builds(MoveValue, cells, at_most=st.just(Value.DRAW)),
)


@given(st.lists(worths))
@settings(max_examples=100)
def test_moves_are_sorted_from_best_to_worst(moves: list[MoveValue]) -> None:
    ordered = best_first(moves)
    assert sorted(map(id, ordered)) == sorted(map(id, moves))
    for better, worse in pairwise(ordered):
        if worse.value is Value.WIN:
            assert better.value is Value.WIN
            assert (better.plies or 99) <= (worse.plies or 99), "of unknown length comes last"
        elif better.value is Value.LOSS:
            assert worse.value is Value.LOSS
            assert (better.plies or 0) >= (worse.plies or 0)
        elif better.value is not Value.WIN and worse.value is not Value.LOSS:
            assert (better.score, better.is_proved) >= (worse.score, worse.is_proved)
