"""Texts as people have them are read as what they mean; faults are pointed at where they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noughts
from noughts import Board, Game, NotationError
from noughts.rules.pasted import pasted
from support.cases import for_each
from support.strategies import (
    Drawn,
    Played,
    board_of,
    drawn_boards,
    played_boards,
    records,
    rows_of,
)

LINK = "http://127.0.0.1:8000/"


def numbered(moves: list[str], form: Callable[[int], str]) -> str:
    """Return moves in pairs, each pair behind its number."""
    pairs = [moves[at : at + 2] for at in range(0, len(moves), 2)]
    return " ".join(f"{form(number)}{' '.join(pair)}" for number, pair in enumerate(pairs, 1))


@given(records())
def test_a_game_in_disguise_is_the_same_game(record: Game[noughts.Position]) -> None:
    text = record.text
    start, _, rest = text.partition(" ")
    fields = urlencode({"x": "person", "game": text, "panel": "analysis"})
    assert Game.parse(f"{LINK}#{fields}") == record
    assert Game.parse(f"{LINK}#game={quote(text)}&o=casual") == record
    assert Game.parse(f"  {text}\n") == record
    if "|" in rest or not rest or "/" in text:
        return
    assert Game.parse(f"{start} {rest.upper()}") == record
    for form in ("{}. ", "{}.", "{}... ", "{}) "):
        assert Game.parse(f"{start} {numbered(rest.split(), form.format)}") == record


@for_each(
    ("text", "expected"),
    [
        ("b2 a1", "3x3x3 b2 a1"),
        ("1. b2 a1 2. c3", "3x3x3 b2 a1 c3"),
        ("B2, A1", "3x3x3 b2 a1"),
        ("ee ea | aa", "ultimate ee ea | aa"),
        ("ULTIMATE-OPEN ee", "ultimate-open ee"),
        ("4×4×3 b2", "4x4x3 b2"),
        ("3X3X3:XX./OO./... C1", "3x3x3:XX./OO./... c1"),
        ("#game=4x4x3+b2+%7C+a1", "4x4x3 b2 | a1"),
        ("#game=4x4x3+b2&o=casual a1", "4x4x3 b2 a1"),
        ("#game=4x4x3 b2", "4x4x3 b2"),
        ("?game=4x4x3+b2+%7C+a1", "4x4x3 b2 | a1"),
        ("?fbclid=x&game=4x4x3+b2&o=casual#panel=share a1", "4x4x3 b2 a1"),
        ("embed?game=4x4x3:X.../..../..../....+d4&theme=dark", "4x4x3:X.../..../..../.... d4"),
    ],
)
def test_what_people_write(text: str, expected: str) -> None:
    assert Game.parse(text) == Game.parse(expected)
    assert noughts.position(text) == Game.parse(expected).position


# ------------------------------------------------------------------------------------- boards


def with_gaps(rows: list[str]) -> str:
    return "\n".join(" ".join(row) for row in rows)


def with_bars(rows: list[str]) -> str:
    lattice = "\n" + "+".join(["---"] * len(rows[0])) + "\n"
    return lattice.join("|".join(f" {mark} ".replace(".", " ") for mark in row) for row in rows)


def as_list(rows: list[str]) -> str:
    return json.dumps([row.replace(".", " ") for row in rows])


def as_lists(rows: list[str]) -> str:
    return repr([[mark.replace(".", " ") for mark in row] for row in rows])


@given(drawn_boards(), st.sampled_from([with_gaps, with_bars, as_list, as_lists, "\n".join]))
def test_a_board_in_disguise_is_the_same_board(
    drawn: Drawn, disguise: Callable[[list[str]], str]
) -> None:
    shape, cells = drawn
    rows = rows_of(cells, shape[1])
    listed = disguise in (as_list, as_lists)
    if not listed and (len(rows) < 2 or len(rows[0]) < 3):
        return  # on one line a row is a row, and narrow ones may be read in two ways
    expected = board_of((*shape[:2], 3), cells)
    assert Board.parse(disguise(rows)) == expected
    assert Board.parse(disguise(rows).replace("X", "x").replace("O", "o")) == expected


@given(played_boards())
def test_a_position_may_be_a_board_in_disguise(played: Played) -> None:
    shape, cells, _ = played
    rows = rows_of(cells, shape[1])
    if shape[2] == 3:
        assert noughts.position(as_list(rows)).text == noughts.position("/".join(rows)).text


@for_each(
    ("text", "rows"),
    [
        ('["XOX","O O","XOX"]', "XOX/O.O/XOX"),
        ("X_O\n_X_\n__O\n", "X.O/.X./..O"),
        ("x - o\n- x -\n- - o", "X.O/.X./..O"),
        ("X-O\n---\nO-X", "X.O/.../O.X"),
        ("X O\n   \nX X", "X.O/.../X.X"),  # a square with gaps, not two columns
        (" X | O | X\n---+---+---\n   | X |  \n---+---+---\n   |   | O", "XOX/.X./..O"),
        ("X│O│ \n─┼─┼─\n │X│ \n─┼─┼─\n │ │O", "XO./.X./..O"),
    ],
)
def test_boards_that_people_draw(text: str, rows: str) -> None:
    assert Board.parse(text) == Board.parse(rows)


# -------------------------------------------------------------------------------------- faults


@for_each(
    ("text", "fault"),
    [
        ("3x3x3 zz", "zz"),
        ("tic tac toe", "tic tac toe"),
        ("1. b2 a1 2. zz", "zz"),
        ("b2 B2", "B2"),
        (f"{LINK}#game=3x3x3+b2+zz&x=person", "zz&x=person"),
        (f"{LINK}#game=3x3x3%20b2%20b2", "b2"),
        ("ULTIMATE ee EJ", "EJ"),
        ('["XOX","O?O"]', '?O"]'),
    ],
)
def test_a_fault_is_pointed_at_where_it_was_pasted(text: str, fault: str) -> None:
    with pytest.raises(NotationError) as caught:
        Game.parse(text)
    assert caught.value.text == text
    assert caught.value.offset is not None
    assert text[caught.value.offset :] == fault


@for_each(("text", "column"), [("OO1", 3), ("XX./OO1/...", 3), ("1.X/...", 1), ("XB1", 2)])
def test_in_a_board_there_are_no_moves(text: str, column: int) -> None:
    with pytest.raises(NotationError, match=rf"column {column}\b") as caught:
        Board.parse(text)
    assert caught.value.text == text


@given(st.text(max_size=40))
def test_any_text_is_taken(text: str) -> None:
    found = pasted(text)
    assert len(found.text) == len(found.origins)
    assert all(0 <= at < max(1, len(text)) for at in found.origins)


@given(records())
def test_what_noughts_writes_stays_as_it_is(record: Game[noughts.Position]) -> None:
    assert pasted(record.text).text == record.text
