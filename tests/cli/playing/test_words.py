"""Boards in words: whoever only listens knows what lies where, and what may be played."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

from noughts import Game, GridPosition, NotationError, UltimatePosition, Variant
from noughts.cli.playing.words import (
    board_in_words,
    layout_in_words,
    move_in_words,
    part_in_words,
    turn_in_words,
)
from noughts.rules.grid import cells_of
from noughts.rules.grid_notation import column_name
from noughts.rules.ultimate import BOARD_NAMES
from support.strategies import (
    Played,
    board_of,
    oracle_of,
    played_boards,
    ultimate_games,
    ultimate_positions,
    ultimate_settings,
)

LETTERS = "abcdefghi"


def heard(sentence: str) -> dict[str, str]:
    """Return the marks of a sentence like ``Row 1: X at a, O at c.`` by their places."""
    return {place: mark for mark, place in re.findall(r"([XO]) at (\w+)", sentence)}


def letters(sentence: str, after: str) -> list[str]:
    """Return the letters listed behind some words: a, b, c of ``free: a, b and c.`` in order."""
    match = re.search(rf"{after} ((?:[a-i], )*(?:[a-i] and )?[a-i])\b(?! \()", sentence)
    return re.findall(r"\b[a-i]\b", match[1].replace("and", " ")) if match else []


# -- grids -------------------------------------------------------------------------------


@given(played_boards())
def test_a_board_can_be_drawn_from_what_is_heard(played: Played) -> None:
    shape, cells, _ = played
    rows, cols, _ = shape
    position = GridPosition.of(board_of(shape, cells))
    told = [["."] * cols for _ in range(rows)]
    named = set()
    for line in board_in_words(position):
        if match := re.match(r"Row (\d+): ", line):
            named.add(int(match[1]))
            for column, mark in heard(line).items():
                told[int(match[1]) - 1][LETTERS.index(column)] = mark
        elif match := re.fullmatch(r"Rows? (\d+)(?: to (\d+))? (?:is|are) empty\.", line):
            named |= {*range(int(match[1]), int(match[2] or match[1]) + 1)}
    assert "".join(map("".join, told)) == cells
    assert named == ({*range(1, rows + 1)} if cells.strip(".") else set())


@given(played_boards())
def test_rows_and_columns_can_be_asked_for(played: Played) -> None:
    shape, cells, _ = played
    rows, cols, _ = shape
    position = GridPosition.of(board_of(shape, cells))
    for row in range(rows):
        marks = heard(part_in_words(position, str(row + 1)))
        wanted = cells[row * cols : (row + 1) * cols]
        assert "".join(marks.get(LETTERS[col], ".") for col in range(cols)) == wanted
    for col in range(cols):
        marks = heard(part_in_words(position, column_name(col).upper()))
        wanted = cells[col::cols]
        assert "".join(marks.get(str(row + 1), ".") for row in range(rows)) == wanted


@pytest.mark.parametrize("part", ["0", "4", "d", "a1", "-1", "١", "ab", "X", "e5"])
def test_there_is_no_such_part_of_a_grid(part: str) -> None:
    with pytest.raises(NotationError, match="neither a row from 1 to 3 nor a column from a to c"):
        part_in_words(GridPosition.start("3x3x3"), part)


def test_columns_beyond_z() -> None:
    position = GridPosition.start("30x30x5").play(29)
    assert part_in_words(position, "AD") == "Column ad: X at 1."
    assert board_in_words(position) == [
        "Row 1: X at ad.",
        "Rows 2 to 30 are empty.",
        "O to move.",
    ]


def test_the_layout_names_what_wins() -> None:
    said = layout_in_words(GridPosition.start("4x7x3"))
    assert all(words in said for words in ("4 rows", "7 columns", "3 in a row"))
    assert "a to i" in layout_in_words(UltimatePosition.start())


# -- Ultimate ----------------------------------------------------------------------------


@ultimate_settings
@given(ultimate_positions())
def test_every_board_can_be_drawn_from_what_is_heard(position: UltimatePosition) -> None:
    for board, letter in enumerate(LETTERS):
        said = part_in_words(position, letter)
        assert said.startswith(f"Board {letter} ({BOARD_NAMES[board]})")
        marks = heard(said)
        for cell, name in enumerate(LETTERS):
            bit = 1 << board * 9 + cell
            mark = "X" if position.x & bit else "O" if position.o & bit else None
            assert marks.get(name) == mark
        owner = position.owners[board]
        assert re.findall("captured by ([XO])", said) == ([owner] if owner in "XO" else [])
        if not position.closed >> board & 1 and marks:
            assert letters(said, "free:") == [name for name in LETTERS if name not in marks]
        else:
            assert "free" not in said


@ultimate_settings
@given(ultimate_positions())
def test_the_whole_board_says_all_that_matters(position: UltimatePosition) -> None:
    lines = board_in_words(position)
    for player, mask in zip("XO", position.captured, strict=True):
        (said,) = [line for line in lines if line.startswith(f"{player} has ")] or [""]
        assert re.findall(r"board ([a-i]) \(", said) == [LETTERS[b] for b in cells_of(mask)]
    for board, letter in enumerate(LETTERS):
        told = [line for line in lines if line.startswith(f"Board {letter} (")]
        empty = [line for line in lines if letter in letters(line, "Boards")]
        is_empty = not (position.x | position.o) >> 9 * board & 511
        if position.closed >> board & 1:
            assert not told
        elif is_empty:
            assert empty or told or lines[0] == "All boards are empty."
        else:
            assert told == [part_in_words(position, letter)]
    assert (lines[-1] == turn_in_words(position)) == (position.outcome is None)


@ultimate_settings
@given(ultimate_positions())
def test_where_one_may_play_is_heard(position: UltimatePosition) -> None:
    said = turn_in_words(position)
    if position.outcome:
        assert said == ""
        return
    assert said.startswith(f"{position.turn} to move in ")
    if said.endswith("in any board."):
        boards = list(LETTERS)
    else:
        boards = re.findall(r"in board ([a-i]) \(", said) or letters(said, "any open board:")
    assert sorted({position.move_name(move)[0] for move in position.legal_moves}) == boards


@settings(max_examples=20, parent=ultimate_settings)
@given(ultimate_games())
def test_captures_are_heard_when_they_happen(game: tuple[Variant, list[int]]) -> None:
    variant, moves = game
    oracle = oracle_of(variant)
    position = UltimatePosition.start(variant)
    owners = dict.fromkeys(LETTERS, ".")
    for move in moves:
        said = move_in_words(position, move)
        name = position.move_name(move)
        places = BOARD_NAMES[move // 9], BOARD_NAMES[move % 9]
        assert said.startswith(
            f"{position.turn} plays {name}: {places[0]} board, {places[1]} cell."
        )
        for player, board in re.findall(r"([XO]) captures board ([a-i]) \(", said):
            owners[board] = player
        for board in re.findall(r"Board ([a-i]) \([a-z ]+\) is full\.", said):
            owners[board] = "#"
        oracle.play(move)
        position = position.play(move)
        assert "".join(owners.values()) == position.owners
        assert (" is closed." in said) == (not position.outcome and position.forced is None)


@pytest.mark.parametrize("part", ["j", "1", "aa", "X", "ab", "é"])
def test_there_is_no_such_board(part: str) -> None:
    with pytest.raises(NotationError, match="boards are a to i"):
        part_in_words(UltimatePosition.start(), part)


def test_a_game_that_is_over_has_no_turn() -> None:
    assert turn_in_words(Game.parse("3x3x3 a1 a2 b1 b2 c1").position) == ""
