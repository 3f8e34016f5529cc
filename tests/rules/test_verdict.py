from __future__ import annotations

import functools
import itertools
import json
import pickle
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noughts import (
    Board,
    Cause,
    Grid,
    GridPosition,
    InvalidPosition,
    Judgement,
    NoughtsError,
    Reason,
    Verdict,
    is_reachable,
    judge,
)
from noughts.exercises import state, valid_tic_tac_toe
from noughts.rules.verdict import verdict_of
from support.oracle import has_line, lines, reachable_verdicts, verdict_by_retrograde
from support.strategies import (
    Drawn,
    Played,
    Shape,
    board_of,
    drawn_boards,
    masks_of,
    near_misses,
    played_boards,
    rows_of,
    vectors,
)

# Every drawing of these is judged in every way; at most 3^10 = 59,049 boards each.
SMALL: list[Shape] = [
    *[(3, 3, 3), (3, 3, 2), (2, 3, 1), (3, 3, 4), (1, 1, 1), (1, 1, 2), (2, 2, 1), (2, 2, 2)],
    *[(2, 3, 5), (2, 4, 3), (4, 2, 2), (1, 6, 3), (6, 1, 2), (1, 8, 4)],
]
# Every drawing of these is judged by masks, and a sample in every way.
LARGE: list[Shape] = [(2, 5, 2), (3, 4, 3), (4, 3, 2)]

BREAKING = [
    Cause.TOO_MANY_X,
    Cause.TOO_MANY_O,
    Cause.BOTH_HAVE_LINES,
    Cause.MOVED_AFTER_WIN,
    Cause.NO_SINGLE_LAST_MOVE,
]
EXPLAINING = {
    "X_turn": {Cause.EQUAL_MARKS},
    "O_turn": {Cause.X_IS_AHEAD},
    "X_wins": {Cause.LINE},
    "O_wins": {Cause.LINE},
    "draw": {Cause.FULL},
}


def drawings(size: int) -> Iterator[str]:
    """Yield every drawing of `size` cells as a flat board."""
    return map("".join, itertools.product("XO.", repeat=size))


def verdict_in_every_way(shape: Shape, cells: str) -> str:
    """Ask every function that gives a verdict; they must not contradict each other."""
    board = board_of(shape, cells)
    rows = rows_of(cells, shape[1])
    verdict = judge(board).verdict
    assert verdict_of(board.grid, board.x, board.o) == verdict
    assert state(rows, shape[2]) == verdict
    assert is_reachable(board) is (verdict != "invalid")
    assert valid_tic_tac_toe(rows, shape[2]) is (verdict != "invalid")
    return verdict


# --------------------------------------------------------------------- every board of small grids


@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_every_board_has_the_verdict_that_play_gives_it(shape: Shape) -> None:
    reachable = reachable_verdicts(*shape)
    reached = 0
    for cells in drawings(shape[0] * shape[1]):
        expected = reachable.get(cells, "invalid")
        reached += expected != "invalid"
        assert verdict_in_every_way(shape, cells) == expected, cells
    assert reached == len(reachable)


@pytest.mark.slow
@pytest.mark.parametrize("shape", LARGE, ids=str)
def test_every_board_of_a_larger_grid_has_the_verdict_that_play_gives_it(shape: Shape) -> None:
    reachable = reachable_verdicts(*shape)
    grid = Grid(*shape)
    rng = random.Random(12)
    # The masks of a drawing are those of its two halves, so each half is read only once.
    half = grid.cells // 2
    low = [(cells, *masks_of(cells)) for cells in drawings(half)]
    high = [(cells, x << half, o << half) for cells, x, o in low]
    seen = 0
    for last, last_x, last_o in high:
        for first, first_x, first_o in low:
            cells = first + last
            expected = reachable.get(cells, "invalid")
            assert verdict_of(grid, first_x | last_x, first_o | last_o) == expected, cells
            seen += 1
            if rng.random() < (0.005 if expected == "invalid" else 0.03):
                assert verdict_in_every_way(shape, cells) == expected, cells
    assert seen == 3**grid.cells


# ---------------------------------------------------------------------------------- 4x4x3 sampled


@functools.cache
def four_by_four(cells: str) -> str:
    """Judge a 4x4x3 board by taking moves back."""
    return verdict_by_retrograde(cells, 4, 4, 3)


@settings(max_examples=200)
@given(drawn_boards((4, 4, 3)))
def test_drawn_boards_of_4x4x3(drawn: Drawn) -> None:
    assert verdict_in_every_way(*drawn) == four_by_four(drawn[1])


@settings(max_examples=200)
@given(played_boards((4, 4, 3)))
def test_played_boards_of_4x4x3(played: Played) -> None:
    shape, cells, moves = played
    verdict = verdict_in_every_way(shape, cells)
    assert verdict == four_by_four(cells)
    assert verdict != "invalid"
    if verdict.endswith("_turn"):
        assert verdict[0] == "XO"[len(moves) % 2]


@settings(max_examples=200)
@given(near_misses((4, 4, 3)))
@example(((4, 4, 3), "XXX.OO.OO.O.XXX."))
@example(((4, 4, 3), "XXXXOO.OO......."))
def test_near_misses_of_4x4x3(drawn: Drawn) -> None:
    assert verdict_in_every_way(*drawn) == four_by_four(drawn[1])


@settings(max_examples=200)
@given(st.one_of(near_misses((4, 4, 2)), near_misses((5, 4, 3)), near_misses((4, 5, 4))))
def test_near_misses_of_other_grids(drawn: Drawn) -> None:
    shape, cells = drawn
    assert verdict_in_every_way(shape, cells) == verdict_by_retrograde(cells, *shape)


@given(played_boards())
def test_played_boards_of_any_grid(played: Played) -> None:
    shape, cells, moves = played
    verdict = verdict_in_every_way(shape, cells)
    if has_line(cells, *shape, "X"):
        assert verdict == "X_wins"
    elif has_line(cells, *shape, "O"):
        assert verdict == "O_wins"
    elif "." not in cells:
        assert verdict == "draw"
    else:
        assert verdict == ("O_turn" if len(moves) % 2 else "X_turn")


@pytest.mark.parametrize("entry", vectors("state.json"), ids=lambda entry: "/".join(entry["board"]))
def test_vectors(entry: dict[str, Any]) -> None:
    assert judge(Board.parse(entry["board"])).verdict == entry["state"]


# ----------------------------------------------------------------------------- the rules by name


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        pytest.param("XXX./OO../OO../XXX.", "invalid", id="two separate lines of X"),
        pytest.param("XXXX/OOO./..../....", "invalid", id="both have lines"),
        pytest.param("XXXX/OO.O/O.../....", "invalid", id="four in a row but O moved after it"),
        pytest.param("XXXX/OO../O.../....", "X_wins", id="a run of four contains two lines"),
        pytest.param("XXX./XOO./X.../O..O", "X_wins", id="one move completes two lines"),
        pytest.param("XXX./OO../..../....", "X_wins", id="one line"),
        pytest.param("XXX./OO.O/..../....", "invalid", id="X won but O moved last"),
        pytest.param("OOO./XX.X/..../....", "O_wins", id="O moved last"),
        pytest.param("OOO./XX.X/X.../....", "invalid", id="O won but X moved last"),
        pytest.param("OOO./XX../..../....", "invalid", id="O is ahead"),
    ],
)
def test_on_4x4x3(text: str, verdict: str) -> None:
    assert state(text) == verdict
    assert verdict_by_retrograde(text.replace("/", ""), 4, 4, 3) == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("1x1x1:X", "X_wins"),
        ("1x1x1:.", "X_turn"),
        ("1x1x2:X", "draw"),
        ("1x1x1:O", "invalid"),
        ("2x2x1:X./..", "X_wins"),
        ("2x2x1:XO/..", "invalid"),
        ("3x3x4:XXX/OO./...", "O_turn"),
        ("1x5x5:XXXXX", "invalid"),
        ("1x5x3:XOXOX", "draw"),
        ("1x5x3:XXXOO", "X_wins"),
        ("1x7x3:XXXXXOO", "invalid"),
        ("1x9x3:XXXXXOO.O", "invalid"),
        ("1x9x3:XXXXXO.OO", "invalid"),
        ("1x10x3:XXXXXOO.OO", "X_wins"),
    ],
)
def test_on_grids_at_the_edge(text: str, verdict: str) -> None:
    board = Board.parse(text)
    assert judge(board).verdict == verdict
    grid = board.grid
    assert verdict_by_retrograde("".join(board.rows), grid.rows, grid.cols, grid.k) == verdict


# -------------------------------------------------------------------------------------- reasons


oracle_lines = functools.cache(lines)


def lines_of(shape: Shape, cells: str, mark: str) -> list[frozenset[int]]:
    """Ask the oracle for the lines of one side."""
    own = {cell for cell, each in enumerate(cells) if each == mark}
    return [line for line in oracle_lines(*shape) if line <= own]


def broken_rules(shape: Shape, cells: str) -> dict[Cause, list[frozenset[int]]]:
    """Work out each of the four rules of the specification, with the cells concerned."""
    marks = {
        mark: frozenset(cell for cell, each in enumerate(cells) if each == mark) for mark in "XO"
    }
    won = {mark: lines_of(shape, cells, mark) for mark in "XO"}
    on_lines = {mark: frozenset[int]().union(*won[mark]) for mark in "XO"}
    ahead = len(marks["X"]) - len(marks["O"])
    broken: dict[Cause, list[frozenset[int]]] = {}
    if ahead > 1:
        broken[Cause.TOO_MANY_X] = [marks["X"]]
    if ahead < 0:
        broken[Cause.TOO_MANY_O] = [marks["O"]]
    if won["X"] and won["O"]:
        broken[Cause.BOTH_HAVE_LINES] = [on_lines["X"] | on_lines["O"]]
    else:
        # There is a winner to speak of only while one side alone has a line.
        last = "X" if ahead > 0 else "O"
        for mark in "XO":
            if won[mark] and mark != last:
                broken[Cause.MOVED_AFTER_WIN] = [on_lines[mark]]
    for mark in "XO":
        if won[mark] and not frozenset.intersection(*won[mark]):
            broken.setdefault(Cause.NO_SINGLE_LAST_MOVE, []).append(on_lines[mark])
    return broken


def check_reasons(shape: Shape, cells: str) -> None:
    """Check that the judgement names the broken rules, all of them and no other."""
    judgement = judge(board_of(shape, cells))
    broken = broken_rules(shape, cells)
    found: dict[Cause, list[frozenset[int]]] = {}
    for reason in judgement.reasons:
        assert reason.message
        assert reason.cells == sorted(set(reason.cells))
        assert sum(1 << cell for cell in reason.cells) == reason.mask
        found.setdefault(reason.cause, []).append(frozenset(reason.cells))
    if judgement.verdict == "invalid":
        assert broken
        assert found == broken
        assert all(all(places) for places in found.values()), "a broken rule without a place"
    else:
        assert not broken
        assert set(found) == EXPLAINING[judgement.verdict]
        if Cause.LINE in found:
            winner = judgement.verdict[0]
            assert Counter(found[Cause.LINE]) == Counter(lines_of(shape, cells, winner))
        else:
            assert len(judgement.reasons) == 1


@pytest.mark.parametrize("shape", [(3, 3, 3), (2, 4, 2), (1, 7, 2), (2, 3, 1)], ids=str)
def test_the_reasons_for_every_board(shape: Shape) -> None:
    for cells in drawings(shape[0] * shape[1]):
        check_reasons(shape, cells)


@settings(max_examples=200)
@given(drawn_boards())
def test_the_reasons_for_drawn_boards(drawn: Drawn) -> None:
    check_reasons(*drawn)


@settings(max_examples=200)
@given(st.one_of(near_misses((4, 4, 3)), near_misses((5, 5, 3)), near_misses((4, 4, 2))))
def test_the_reasons_for_near_misses(drawn: Drawn) -> None:
    check_reasons(*drawn)


@pytest.mark.parametrize(
    ("text", "causes"),
    [
        ("XXX/OOO/...", ["both_have_lines"]),
        ("XX./.../...", ["too_many_x"]),
        ("O../.../...", ["too_many_o"]),
        ("XXX/OO./O..", ["moved_after_win"]),
        ("XXX./OO../OO../XXX.", ["too_many_x", "no_single_last_move"]),
        ("XXX./OO.O/O.O./XXX.", ["no_single_last_move"]),
        ("XXX./OOO./O.../XXX.", ["both_have_lines", "no_single_last_move", "too_many_x"]),
        (
            "XXX../OOO../...../OOO../XXX..",
            ["both_have_lines", "no_single_last_move", "no_single_last_move"],
        ),
    ],
)
def test_every_reason_is_given_at_once(text: str, causes: list[str]) -> None:
    # The fifth has six X and four O; the sixth six and five.
    assert sorted(reason.cause for reason in judge(Board.parse(text)).reasons) == sorted(causes)


def test_all_causes_are_met() -> None:
    met = {
        reason.cause
        for shape in [(2, 3, 2), (1, 6, 2)]
        for cells in drawings(shape[0] * shape[1])
        for reason in judge(board_of(shape, cells)).reasons
    }
    assert met == set(Cause) == {*BREAKING, *set().union(*EXPLAINING.values())}


def test_too_many_names_the_numbers() -> None:
    (reason,) = judge(Board.parse("XX./XXO/...")).reasons
    assert "4" in reason.message
    assert "1" in reason.message


# ------------------------------------------------------------------------------------- symmetry


@given(drawn_boards())
def test_symmetry_changes_neither_verdict_nor_reasons(drawn: Drawn) -> None:
    board = board_of(*drawn)
    grid = board.grid
    judgement = judge(board)
    for symmetry in grid.symmetries:

        def turned(mask: int, turn: Any = symmetry) -> int:
            image: int = turn.apply(mask, grid.rows, grid.cols)
            return image

        twin = judge(Board(grid, turned(board.x), turned(board.o)))
        assert twin.verdict == judgement.verdict
        assert Counter((reason.cause, reason.mask) for reason in twin.reasons) == Counter(
            (reason.cause, turned(reason.mask)) for reason in judgement.reasons
        )


@given(drawn_boards())
def test_transposing_the_grid_keeps_the_verdict(drawn: Drawn) -> None:
    (rows, cols, k), cells = drawn
    transposed = "".join(cells[row * cols + col] for col in range(cols) for row in range(rows))
    assert verdict_in_every_way((rows, cols, k), cells) == verdict_in_every_way(
        (cols, rows, k), transposed
    )


# ---------------------------------------------------------------------------- plain data, errors


@given(drawn_boards())
def test_a_judgement_as_json_and_pickle(drawn: Drawn) -> None:
    judgement = judge(board_of(*drawn))
    data = json.loads(json.dumps(judgement.to_json()))
    assert data["verdict"] == judgement.verdict.value
    assert len(data["reasons"]) == len(judgement.reasons) > 0
    for written, reason in zip(data["reasons"], judgement.reasons, strict=True):
        assert written["name"] == reason.cause.value
        assert written["message"] == reason.message == str(reason)
        assert written["cells"] == reason.cells
    assert pickle.loads(pickle.dumps(judgement)) == judgement


def test_judgements_are_values() -> None:
    first, second = (judge(Board.parse("XXX/OO./...")) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert isinstance(first, Judgement)
    assert all(isinstance(reason, Reason) for reason in first.reasons)


@given(drawn_boards())
def test_the_door_to_positions_gives_the_same_reasons(drawn: Drawn) -> None:
    board = board_of(*drawn)
    judgement = judge(board)
    if judgement.verdict == "invalid":
        with pytest.raises(InvalidPosition) as caught:
            GridPosition.of(board)
        assert caught.value.reasons == judgement.reasons
        assert all(str(reason) in str(caught.value) for reason in judgement.reasons)
    else:
        assert GridPosition.of(board).board == board


@given(drawn_boards(), st.booleans())
def test_a_board_is_judged_in_any_form(drawn: Drawn, as_rows: bool) -> None:
    (rows, cols, _), cells = drawn
    lines = rows_of(cells, cols)
    board = board_of((rows, cols, 3), cells)
    form = lines if as_rows else "/".join(lines)
    assert judge(form) == judge(board) == judge(board.text)
    assert is_reachable(form) == is_reachable(board) == is_reachable(board.text)


def test_only_boards_are_judged() -> None:
    for bad in (None, 3, [], "", "XZ", [3], Grid(3, 3, 3)):
        with pytest.raises(NoughtsError):
            judge(bad)  # type: ignore[arg-type]
        with pytest.raises(NoughtsError):
            is_reachable(bad)  # type: ignore[arg-type]


def test_verdicts_equal_their_names() -> None:
    assert [str(verdict) for verdict in Verdict] == [
        *["X_turn", "O_turn", "X_wins", "O_wins", "draw", "invalid"]
    ]
