from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game
from noughts.errors import NoughtsError
from noughts.limits import Limits
from noughts.matches.protocol import go_line, position_line, read_go, read_position
from support.strategies import played_boards, ultimate_games


@given(ultimate_games())
def test_ultimate_positions_arrive_as_they_were_sent(played: tuple[object, list[int]]) -> None:
    variant, moves = played
    game = Game.parse(f"{variant.text}")  # type: ignore[attr-defined]
    for move in moves:
        game.play(move)
    assert read_position(position_line(game).removeprefix("position ")) == game


@given(played_boards())
def test_positions_of_grids_arrive_as_they_were_sent(
    played: tuple[tuple[int, int, int], str, list[int]],
) -> None:
    (rows, cols, k), _, moves = played
    game = Game.parse(f"{rows}x{cols}x{k}")
    for move in moves:
        game.play(move)
    line = position_line(game)
    assert read_position(line.removeprefix("position ")) == game
    now = Game.parse(game.position.text)
    assert read_position(position_line(now).removeprefix("position ")) == now


@given(
    st.none() | st.floats(1e-6, 1e6),
    st.none() | st.integers(1, 10**15),
)
def test_limits_arrive_as_they_were_sent(seconds: float | None, nodes: int | None) -> None:
    limit = Limits(seconds, nodes)
    found = read_go(go_line(limit).removeprefix("go"))
    assert found is not None
    assert found.nodes == limit.nodes
    assert found.seconds == (
        None if limit.seconds is None else pytest.approx(limit.seconds, abs=1e-9)
    )


def test_infinite() -> None:
    assert read_go("infinite") is None


@pytest.mark.parametrize(
    "text",
    [
        *("time", "time 0", "time -1", "time nan", "time inf", "time 1e5", "time 1 time 2"),
        *("nodes", "nodes 0", "nodes -1", "nodes 1.5", "nodes ²", f"nodes {'9' * 5000}"),
        *("fast", "infinite nodes 5", "time 1 infinite", "5", "time 1 nodes"),
    ],
    ids=lambda text: text[:20],
)
def test_limits_that_make_no_sense(text: str) -> None:
    with pytest.raises(NoughtsError) as caught:
        read_go(text)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    "text", ["", " moves b2", "moves", "3x3x3 moves b2 b2", "chess", "3x3x3 e9"]
)
def test_positions_that_make_no_sense(text: str) -> None:
    with pytest.raises(NoughtsError):
        read_position(text)


def test_boards_with_spaces_and_fens_are_read() -> None:
    fen = "9/9/9/9/4X4/9/9/9/9 O e"
    assert read_position(f"{fen} moves ea").position.move_count == 9
    assert read_position("3x3x3:XX./OO./...").position.turn == "X"
    assert read_position("3x3x3 moves").position.move_count == 9
