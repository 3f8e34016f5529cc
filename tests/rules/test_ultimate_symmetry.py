"""Ultimate: a position and its symmetric images."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from noughts import Symmetry, UltimatePosition, Variant
from support.strategies import play_all, ultimate_games, ultimate_positions, ultimate_settings


def turned_picture(symmetry: Symmetry, picture: list[list[str]]) -> list[list[str]]:
    """Turn the whole 9x9 picture, from the documented meaning of a symmetry."""
    transpose, flip_rows, flip_cols = symmetry.value
    if transpose:
        picture = [list(column) for column in zip(*picture, strict=True)]
    if flip_rows:
        picture = picture[::-1]
    if flip_cols:
        picture = [row[::-1] for row in picture]
    return picture


def picture_of(position: UltimatePosition) -> list[list[str]]:
    """Draw a position as 9x9 marks."""
    boards = position.line.split(";")[2].split("/")
    return [
        [boards[row // 3 * 3 + col // 3][row % 3 * 3 + col % 3] for col in range(9)]
        for row in range(9)
    ]


@ultimate_settings
@given(ultimate_positions(), st.sampled_from(list(Symmetry)))
def test_a_turned_position_is_the_turned_picture(
    position: UltimatePosition, symmetry: Symmetry
) -> None:
    image = position.transformed(symmetry)
    assert picture_of(image) == turned_picture(symmetry, picture_of(position))
    assert image.turn == position.turn
    assert image.variant == position.variant
    for board in range(9):
        assert image.owners[symmetry.image(board, 3, 3)] == position.owners[board]
    if position.forced is None:
        assert image.forced is None
    else:
        assert image.forced == symmetry.image(position.forced, 3, 3)
    assert image.transformed(symmetry.inverse) == position


@ultimate_settings
@given(ultimate_games(), st.sampled_from(list(Symmetry)))
def test_turning_and_playing_commute(played: tuple[Variant, list[int]], symmetry: Symmetry) -> None:
    variant, moves = played
    turned = [
        symmetry.image(move // 9, 3, 3) * 9 + symmetry.image(move % 9, 3, 3) for move in moves
    ]
    assert play_all(variant, turned) == play_all(variant, moves).transformed(symmetry)


@ultimate_settings
@given(ultimate_positions())
def test_symmetric_images_share_one_canonical_form(position: UltimatePosition) -> None:
    images = [position.transformed(symmetry) for symmetry in Symmetry]
    canonical = position.canonical()
    assert canonical in images
    assert canonical.canonical() == canonical
    assert {image.canonical() for image in images} == {canonical}
    assert {image.move_count for image in images} == {position.move_count}


def test_canonical_first_moves() -> None:
    # A corner, an edge or the centre board; then the cells that no image of that board shares.
    first = {UltimatePosition.start().play(move).canonical() for move in range(81)}
    assert len(first) == 15
