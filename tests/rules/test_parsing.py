from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import (
    Game,
    Grid,
    GridPosition,
    InvalidPosition,
    NotationError,
    NoughtsError,
    UltimatePosition,
    Variant,
    parse_position,
    start,
)
from noughts.rules.parsing import position, position_of
from support.cases import for_each
from support.strategies import (
    NOT_TEXT,
    VARIANTS,
    Played,
    Shape,
    board_of,
    played_boards,
    records,
    rows_of,
    shapes,
    ultimate_positions,
    ultimate_settings,
)


@given(shapes(max_side=9, max_k=12, max_cells=81))
def test_a_grid_names_its_game(shape: Shape) -> None:
    grid = Grid(*shape)
    for found in (start(grid), start(str(grid)), parse_position(str(grid))):
        assert found == GridPosition.start(grid)
        assert found.game == str(grid)


@for_each("variant", VARIANTS)
def test_a_variant_names_its_game(variant: Variant) -> None:
    for found in (start(variant), start(variant.text), parse_position(variant.text)):
        assert found == UltimatePosition.start(variant)
        assert found.game == variant.text


@given(played_boards())
def test_grid_positions_are_recognised(played: Played) -> None:
    shape, cells, _ = played
    position = GridPosition.of(board_of(shape, cells))
    assert parse_position(position.text) == position
    if shape[2] == 3:
        assert parse_position("/".join(rows_of(cells, shape[1]))) == position


@ultimate_settings
@given(ultimate_positions())
def test_ultimate_positions_are_recognised(position: UltimatePosition) -> None:
    assert parse_position(position.text) == position
    assert parse_position(f"{position.game}:{position.fen}") == position
    if position.variant == Variant.STANDARD:
        assert parse_position(position.line) == position
        assert parse_position(position.fen) == position


def test_nine_rows_of_nine_are_a_board_and_not_a_fen() -> None:
    text = "/".join(["XO......."] + ["........."] * 8)
    assert parse_position(text) == GridPosition.parse(text)
    assert parse_position(text).game == "9x9x3"


@for_each(
    "text",
    [
        *["", " ", "chess", "3x3", "3x3x3x3", "0x3x3", "ultimate-chess", "Ultimate", "open"],
        *["3x3x3 ", " ultimate", "3X3X3", "ultimate\n", "3x3x3;", "XX./..."],
    ],
)
def test_unknown_games_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        start(text)


@for_each(
    "text",
    ["", "chess", "3x3x3:", "3x3x3:XX", "ultimate:", "ultimate:XX.", "3x3x3:9/9/9", "XX?", "x"],
)
def test_unreadable_positions_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_position(text)


@for_each("text", ["OO./.../...", "3x3x3:XXX/OOO/...", "9/9/9/9/4X4/9/9/9/9 X e"])
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(InvalidPosition):
        parse_position(text)


@for_each("bad", NOT_TEXT)
def test_only_text_names_a_game(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        start(bad)
    with pytest.raises(NoughtsError):
        parse_position(bad)


@given(records())
def test_a_position_is_meant_by_itself_its_game_and_their_texts(game: Game[Any]) -> None:
    assert position(game.text) == game.position
    for where in (game, game.text, game.position, game.position.text):
        assert position_of(where) == game.position


@given(shapes())
def test_a_grid_means_its_start(shape: Shape) -> None:
    assert position_of(Grid(*shape)) == GridPosition.start(Grid(*shape))


def test_a_variant_means_its_start() -> None:
    for variant in VARIANTS:
        assert position_of(variant) == UltimatePosition.start(variant)


@given(records(), st.sampled_from(["zz99", "-1", "???", "| |"]))
def test_what_follows_a_position_is_moves(game: Game[Any], bad: str) -> None:
    for read in (position, position_of):
        with pytest.raises(NotationError):
            read(f"{game.text} {bad}")


def test_nothing_else_is_a_position() -> None:
    for bad in (bad for bad in NOT_TEXT):
        for read in (position, position_of):
            with pytest.raises(NotationError):
                read(bad)
