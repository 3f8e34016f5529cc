"""Ultimate: positions as text and as JSON, read back, and refused where they are wrong."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import (
    Game,
    InvalidPosition,
    NotationError,
    NoughtsError,
    Player,
    UltimatePosition,
    Variant,
)
from support.cases import for_each
from support.strategies import (
    FOREIGN,
    NOT_TEXT,
    NOT_WHOLE,
    VARIANTS,
    boards_of,
    oracle_of,
    play_all,
    ultimate_games,
    ultimate_positions,
    ultimate_settings,
)
from support.ultimate_games import (
    EMPTY,
    LINES,
    MOST,
    O_FOLLOWS_X,
    O_TAKES_A,
    OPEN,
    STANDARD,
    X_FOLLOWS_O,
    play,
)


def line_text(turn: str, owners: str, **boards: str) -> str:
    """Write a position line, the boards that are not given being empty."""
    return f"{turn};{owners};" + "/".join(boards.get(name, EMPTY) for name in "abcdefghi")


# ---------------------------------------------------------------------------------- round trips


@pytest.mark.parametrize("variant", VARIANTS)
@ultimate_settings
@given(data=st.data())
def test_every_form_is_read_back(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(ultimate_positions(variant))
    name = variant.text
    for copied in [
        UltimatePosition.parse(position.text),
        UltimatePosition.parse(position.line, variant),
        UltimatePosition.parse(position.line, name),
        UltimatePosition.parse(position.text, variant),
        UltimatePosition.parse(position.fen, variant),
        UltimatePosition.parse(f"{name}:{position.fen}"),
        UltimatePosition.from_json(position.to_json()),
        UltimatePosition.from_json(json.loads(json.dumps(position.to_json()))),
        pickle.loads(pickle.dumps(position)),
        copy.deepcopy(position),
        eval(repr(position)),
    ]:
        assert copied == position
        assert hash(copied) == hash(position)
        assert copied.owners == position.owners
        assert copied.legal_moves == position.legal_moves
        assert copied.outcome == position.outcome
        assert (copied.line, copied.fen) == (position.line, position.fen)
    if variant == STANDARD:
        assert UltimatePosition.parse(position.line) == position
        assert UltimatePosition.parse(position.fen) == position


@ultimate_settings
@given(ultimate_games())
def test_the_index_list_leads_back(played: tuple[Variant, list[int]]) -> None:
    variant, moves = played
    text = f"{variant.text} {','.join(map(str, moves))}"
    game = Game.parse(text)
    assert game.moves == tuple(moves)
    assert game.position == play_all(variant, moves)


@for_each("moves", [X_FOLLOWS_O, O_FOLLOWS_X])
def test_the_first_captor_survives_every_round_trip(moves: str) -> None:
    position = play(moves, OPEN)
    assert (position.x_first != 0) == (position.owners[0] == "X")
    for copied in [
        UltimatePosition.parse(position.text),
        UltimatePosition.parse(position.fen, OPEN),
        UltimatePosition.from_json(position.to_json()),
        pickle.loads(pickle.dumps(position)),
        eval(repr(position)),
    ]:
        assert copied == position
        assert copied.owners == position.owners


@ultimate_settings
@given(ultimate_games())
def test_the_line_is_written_as_documented(played: tuple[Variant, list[int]]) -> None:
    variant, moves = played
    game = oracle_of(variant)
    for move in moves:
        game.play(move)
    turn, owners, boards = play_all(variant, moves).line.split(";")
    assert turn == game.turn
    assert boards.split("/") == boards_of(game)
    for board, (char, owner) in enumerate(zip(owners, game.owners, strict=True)):
        if board != game.forced:
            assert char == owner
        else:
            assert char == ("@" if owner == "." else owner.lower())


@ultimate_settings
@given(ultimate_games())
def test_the_fen_is_written_as_documented(played: tuple[Variant, list[int]]) -> None:
    variant, moves = played
    game = oracle_of(variant)
    for move in moves:
        game.play(move)
    rows, turn, forced, *owners = play_all(variant, moves).fen.split(" ")
    spelled = [re.sub(r"\d", lambda run: "." * int(run[0]), row) for row in rows.split("/")]
    assert spelled == ["".join(row) for row in game.grid]
    assert not re.search(r"\d\d", rows), "a run of empty cells is one digit"
    assert turn == game.turn
    assert forced == ("-" if game.forced is None else "abcdefghi"[game.forced])
    if owners:
        assert owners == ["".join(game.owners)]
    else:
        assert not game.open


def test_examples_of_the_documentation() -> None:
    assert UltimatePosition.start().fen == "9/9/9/9/9/9/9/9/9 X -"
    assert play("ee").fen == "9/9/9/9/4X4/9/9/9/9 O e"
    assert play("ee").line == line_text("O", "....@....", e="....X....")
    assert UltimatePosition.parse("9/9/9/9/4X4/9/9/9/9 O e") == play("ee")


@ultimate_settings
@given(ultimate_positions())
def test_json_says_what_is_derived_but_does_not_trust_it(position: UltimatePosition) -> None:
    data = json.loads(json.dumps(position.to_json()))
    assert data["game"] == position.game
    assert data["forced"] == position.forced
    assert data["owners"] == position.owners
    assert "/".join(data["boards"]) == position.line.split(";")[2]
    lying = {**data, "turn": "Z", "forced": 77, "owners": "?", "boards": [], "outcome": "X_wins"}
    assert UltimatePosition.from_json(lying) == position


@for_each(
    "data",
    [
        *[None, 3, "ultimate", [], {}, {"game": "ultimate"}, {"position": "X"}],
        *[{"game": name, "position": "9/9/9/9/9/9/9/9/9 X -"} for name in (None, 3, "", "3x3x3")],
        *[{"game": "ultimate", "position": text} for text in (None, 3, "", ["X"], "9/9 X -")],
    ],
)
def test_bad_json_is_refused(data: object) -> None:
    with pytest.raises(NotationError):
        UltimatePosition.from_json(data)


# --------------------------------------------------------------------------- contradictory texts


@ultimate_settings
@given(ultimate_positions())
def test_the_wrong_player_to_move_is_refused(position: UltimatePosition) -> None:
    wrong = position.turn.other
    with pytest.raises(InvalidPosition):
        UltimatePosition.parse(wrong + position.line[1:], position.variant)
    fields = position.fen.split(" ")
    fields[1] = wrong
    with pytest.raises(InvalidPosition):
        UltimatePosition.parse(" ".join(fields), position.variant)


def lined_by_both(position: UltimatePosition, board: int) -> bool:
    """Return whether both sides have a line in a board, so that the marks do not name its owner."""
    cells = position.line.split(";")[2].split("/")[board]
    return all(any(all(cells[cell] == mark for cell in line) for line in LINES) for mark in "XO")


@ultimate_settings
@given(ultimate_positions())
def test_wrong_owners_are_refused(position: UltimatePosition) -> None:
    turn, owners, boards = position.line.split(";")
    for board in range(9):
        if board == position.forced:
            continue
        for owner in "XO#.":
            if owner == position.owners[board]:
                continue
            if lined_by_both(position, board) and owner in "XO":
                continue
            wrong = owners[:board] + owner + owners[board + 1 :]
            with pytest.raises(InvalidPosition):
                UltimatePosition.parse(";".join([turn, wrong, boards]), position.variant)


@ultimate_settings
@given(ultimate_positions())
def test_a_closed_board_cannot_be_forced(position: UltimatePosition) -> None:
    turn, owners, boards = position.line.split(";")
    owners = owners.replace("@", ".").replace("x", "X").replace("o", "O")
    fields = position.fen.split(" ")
    for board in range(9):
        if not position.closed >> board & 1:
            continue
        forced = owners[:board] + "@" + owners[board + 1 :]
        with pytest.raises(InvalidPosition):
            UltimatePosition.parse(";".join([turn, forced, boards]), position.variant)
        fields[2] = "abcdefghi"[board]
        with pytest.raises(InvalidPosition, match=rf"board {fields[2]} .*closed"):
            UltimatePosition.parse(" ".join(fields), position.variant)


@ultimate_settings
@given(ultimate_positions())
def test_the_last_move_must_explain_the_forced_board(position: UltimatePosition) -> None:
    if position.outcome is not None:
        return
    own = position.o if position.turn is Player.X else position.x
    sent_to = {move % 9 for move in range(81) if own >> move & 1}
    open_boards = {cell for cell in sent_to if not position.closed >> cell & 1}
    # Another last move may have led to the same marks, and sent to any of these.
    explained: set[int | None] = {*open_boards, position.forced}
    if open_boards != sent_to:
        explained.add(None)
    fields = position.fen.split(" ")
    for board in (None, *range(9)):
        if board not in explained:
            fields[2] = "-" if board is None else "abcdefghi"[board]
            with pytest.raises(InvalidPosition):
                UltimatePosition.parse(" ".join(fields), position.variant)


@ultimate_settings
@given(ultimate_positions(), st.data())
def test_marks_added_or_removed_are_refused(
    position: UltimatePosition, data: st.DataObject
) -> None:
    turn, owners, boards = position.line.split(";")
    places = [index for index, char in enumerate(boards) if char != "/"]
    index = data.draw(st.sampled_from(places))
    mark = data.draw(st.sampled_from([each for each in "XO." if each != boards[index]]))
    boards = boards[:index] + mark + boards[index + 1 :]
    # One mark more, fewer or turned over: the counts no longer fit the player to move.
    with pytest.raises(InvalidPosition):
        UltimatePosition.parse(";".join([turn, owners, boards]), position.variant)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(line_text("O", "@" + EMPTY[1:], a="XX......."), ["2", "0"], id="counts"),
        pytest.param(line_text("X", "@" + EMPTY[1:], a="O........"), ["0", "1"], id="O began"),
        pytest.param(line_text("O", "@" + EMPTY[1:]), ["X"], id="turn"),
        pytest.param(line_text("X", "@" + EMPTY[1:]), ["first"], id="forced at the start"),
        pytest.param(
            line_text("X", "X..@.....", a="XXXOOO...", b=EMPTY),
            ["board a", "line"],
            id="both sides have a line in one board",
        ),
        pytest.param(
            line_text("X", "X..@.....", a="XXX...XXX", b="OO.O.....", c="OO.......", d="O........"),
            ["board a"],
            id="two separate lines in one board",
        ),
        pytest.param(
            line_text(
                "X",
                "XXXOOO...",
                **dict.fromkeys("abc", "XXX......"),
                **dict.fromkeys("def", "OOO......"),
            ),
            ["both"],
            id="both sides have three boards in line",
        ),
        pytest.param(
            line_text(
                "X",
                "XXX......",
                **dict.fromkeys("abc", "XXX......"),
                d="OO.O.O...",
                e="OO..O....",
                f="O...O....",
            ),
            ["line of boards"],
            id="a move after the win",
        ),
        pytest.param(
            line_text(
                "O",
                "XXX...XXX",
                **dict.fromkeys("abc", "XXX......"),
                **dict.fromkeys("ghi", "XXX......"),
                d="OO.O.O.OO",
                e="OOXO.O.OO",
                f="OO.O.O.OO",
            ),
            [],
            id="two separate lines of boards",
        ),
        pytest.param(
            line_text(
                "O", "XXX@.....", **dict.fromkeys("abc", "XXX......"), d="OO.O.O...", e="OO.OO...."
            ),
            ["over"],
            id="forced after the end",
        ),
    ],
)
def test_impossible_positions_are_refused(text: str, words: list[str]) -> None:
    with pytest.raises(InvalidPosition) as caught:
        UltimatePosition.parse(text)
    for word in words:
        assert word in str(caught.value)
    assert caught.value.reasons


def test_every_contradiction_is_named_at_once() -> None:
    text = line_text("O", "O.......@", a="XXX......", b="OOO......")
    with pytest.raises(InvalidPosition) as caught:
        UltimatePosition.parse(text)
    message = str(caught.value)
    assert len(caught.value.reasons) >= 3
    assert "board a" in message
    assert "board b" in message
    assert "X is to move" in message


def test_a_captured_forced_board_is_for_open_games_only() -> None:
    position = play(O_TAKES_A, OPEN)
    assert position.line.split(";")[1] == "o........"
    with pytest.raises(InvalidPosition):
        UltimatePosition.parse(position.line)
    with pytest.raises(InvalidPosition):
        UltimatePosition.parse(position.line, MOST)
    assert UltimatePosition.parse(position.line, OPEN) == position


@for_each("moves", [X_FOLLOWS_O + " ib bc", O_FOLLOWS_X + " ib bc"])
def test_open_needs_to_be_told_who_came_first(moves: str) -> None:
    # Both sides have a line in board a and neither was made by the last move.
    position = play(moves, OPEN)
    assert lined_by_both(position, 0)
    rows, turn, forced, _ = position.fen.split(" ")
    with pytest.raises(NoughtsError):
        UltimatePosition.parse(f"{rows} {turn} {forced}", OPEN)


def test_open_a_forced_board_must_not_hide_who_came_first() -> None:
    position = play(O_FOLLOWS_X + " ia ad da", OPEN)
    turn, owners, boards = position.line.split(";")
    assert owners == "x........"
    with pytest.raises(NoughtsError):
        UltimatePosition.parse(f"{turn};@........;{boards}", OPEN)


def test_a_text_of_another_variant_is_refused() -> None:
    for one in VARIANTS:
        for other in VARIANTS:
            text = UltimatePosition.start(one).text
            if one == other:
                assert UltimatePosition.parse(text, other).variant == one
            else:
                with pytest.raises(NoughtsError):
                    UltimatePosition.parse(text, other)


# -------------------------------------------------------------------------------- malformed texts


@pytest.mark.parametrize(
    ("form", "separators", "strays"), [("line", ";/", "Yz9-,"), ("fen", " /", "Yz0,")]
)
@ultimate_settings
@given(position=ultimate_positions(), named=st.booleans(), data=st.data())
def test_a_stray_character_is_pointed_at(
    form: str,
    separators: str,
    strays: str,
    position: UltimatePosition,
    named: bool,
    data: st.DataObject,
) -> None:
    text: str = getattr(position, form)
    places = [i for i, each in enumerate(text) if each not in separators]
    index = data.draw(st.sampled_from(places))
    stray = data.draw(st.sampled_from(FOREIGN + strays))
    prefix = position.game + ":" if named else ""
    text = prefix + text[:index] + stray + text[index + 1 :]
    with pytest.raises(NotationError) as caught:
        UltimatePosition.parse(text, position.variant)
    assert caught.value.text == text
    assert caught.value.offset == len(prefix) + index


@for_each(
    ("text", "offset"),
    [
        (line_text("Z", EMPTY), 0),
        (line_text("XX", EMPTY), None),
        (line_text("X", "........"), None),
        (line_text("X", ".........."), None),
        (line_text("X", "@.......@"), 10),
        (line_text("X", EMPTY, b="........"), 22),
        (line_text("X", EMPTY, b=".........."), 22),
        (line_text("X", EMPTY, i="....?...."), 96),
        ("9/9/9/9/9/9/9/9/9 Z -", 18),
        ("9/9/9/9/9/9/9/9/9 X j", 20),
        ("9/9/9/9/9/9/9/9/9 X - ..?......", 24),
        ("9/9/9/9/5X4/9/9/9/9 X -", 8),
        ("9/8/9/9/9/9/9/9/9 X -", 2),
        ("9/9/9/9/4x4/9/9/9/9 O e", 9),
    ],
)
def test_malformed_texts_are_pointed_at(text: str, offset: int | None) -> None:
    with pytest.raises(NotationError) as caught:
        UltimatePosition.parse(text)
    found = caught.value.offset
    assert found is None or 0 <= found <= len(caught.value.text)
    if offset is not None:
        # Where a whole board or row is at fault, its start is as good as its end.
        assert found is not None
        assert text[offset:found].strip("0123456789XO.") == ""
        assert found >= offset


@for_each(
    "text",
    [
        *["", "X", "X;", ";;", "X;.........", "X;.........;", "9/9/9/9/9/9/9/9/9", "9 X -"],
        *["9/9/9/9/9/9/9/9 X -", "9/9/9/9/9/9/9/9/9/9 X -", "9/9/9/9/9/9/9/9/9 X - ... .."],
        *["ultimate:", "ultimate-x:9/9/9/9/9/9/9/9/9 X -", "9/9/9/9/9/9/9/9/9  X -"],
        *[line_text("X", EMPTY) + "/", line_text("X", EMPTY) + ";", " " + line_text("X", EMPTY)],
        *[line_text("X", EMPTY) + "\n", "9/9/9/9/9/9/9/9/9\tX\t-", "９/9/9/9/9/9/9/9/9 X -"],
        *["9/9/9/9/9/9/9/9/9 x -", "9/9/9/9/9/9/9/9/9 X E", "10/9/9/9/9/9/9/9/9 X -"],
    ],
)
def test_what_is_not_a_position_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        UltimatePosition.parse(text)
    offset = caught.value.offset
    assert offset is None or 0 <= offset <= len(caught.value.text)


@for_each("bad", NOT_TEXT)
def test_positions_and_moves_are_read_from_text(bad: Any) -> None:
    with pytest.raises(NotationError):
        UltimatePosition.parse(bad)
    with pytest.raises(NotationError):
        UltimatePosition.start().read_move(bad)


@for_each("bad", [81, -1, 10**400, *NOT_WHOLE])
def test_only_moves_have_names(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        UltimatePosition.start().move_name(bad)
