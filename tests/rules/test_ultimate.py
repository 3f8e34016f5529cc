from __future__ import annotations

import copy
import functools
import json
import pickle
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import (
    Game,
    IllegalMove,
    InvalidPosition,
    NotationError,
    NoughtsError,
    Outcome,
    Player,
    Symmetry,
    Termination,
    UltimatePosition,
    Variant,
)
from oracle import UltimateOracle
from strategies import (
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

OPEN, MOST = Variant.OPEN, Variant.MOST_BOARDS
STANDARD = Variant.STANDARD
EMPTY = "........."

# O takes the top row of board a; the last move closes the very board that it sends to.
O_TAKES_A = "ea ab ba ac ca aa"
# O takes the right column of board a, then X sends O there.
SENT_TO_A = "ea ac ca af fa ai ia"
# The last move fills board b, where nobody has a line, and sends to that same board.
DRAWS_B = (
    "ie ee ei id de eh he ef fe ea ae eg ge eb be ce bc cg gb bd dg gd di ih hc cb bh hb ba ag gc "
    "cd df fb bf fa ab bg gf fd db bi ib bb"
)
# With `open`, the other side then gets the bottom row of board a as well.
X_FOLLOWS_O = O_TAKES_A + " ag ga ah ha ai"
O_FOLLOWS_X = "ab ba ac ca aa ag ga ah ha ai"


def play(moves: str, variant: Variant = STANDARD) -> UltimatePosition:
    """Play moves given by name."""
    return UltimatePosition.start(variant).play_names(*moves.split())


def move_of(name: str) -> int:
    """Turn two letters into a move number."""
    return "abcdefghi".index(name[0]) * 9 + "abcdefghi".index(name[1])


def line_text(turn: str, owners: str, **boards: str) -> str:
    """Write a position line, the boards that are not given being empty."""
    return f"{turn};{owners};" + "/".join(boards.get(name, EMPTY) for name in "abcdefghi")


def agree(position: UltimatePosition, game: UltimateOracle) -> None:
    """Compare everything that can be asked with the oracle."""
    boards = boards_of(game)
    expected_line = "/".join(boards)
    assert position.line.split(";")[2] == expected_line
    assert position.turn == game.turn
    assert position.forced == game.forced
    assert position.owners == "".join(game.owners)
    assert position.legal_moves == game.legal()
    assert position.move_count == len(game.legal())
    outcome = position.outcome
    assert (None if outcome is None else outcome.verdict) == game.outcome
    x, o = position.captured
    assert [board for board in range(9) if x >> board & 1] == [
        board for board, owner in enumerate(game.owners) if owner == "X"
    ]
    assert [board for board in range(9) if o >> board & 1] == [
        board for board, owner in enumerate(game.owners) if owner == "O"
    ]
    full = [board for board in range(9) if "." not in boards[board]]
    assert [board for board in range(9) if position.filled >> board & 1] == full
    closed = [
        board
        for board in range(9)
        if board in full or (not game.open and game.owners[board] != ".")
    ]
    assert [board for board in range(9) if position.closed >> board & 1] == closed
    assert [board for board in range(9) if position.playable >> board & 1] == sorted(
        {move // 9 for move in game.legal()}
    )


# --------------------------------------------------------------------- random games, move by move


@pytest.mark.parametrize("variant", VARIANTS)
@ultimate_settings
@given(data=st.data())
def test_games_go_as_the_oracle_says(variant: Variant, data: st.DataObject) -> None:
    _, moves = data.draw(ultimate_games(variant))
    game = oracle_of(variant)
    position = UltimatePosition.start(variant)
    agree(position, game)
    for move in moves:
        assert position.play_unchecked(move) == position.play(move)
        position = position.play(move)
        game.play(move)
        agree(position, game)


@ultimate_settings
@given(ultimate_games(), st.data())
def test_an_illegal_move_is_refused_and_changes_nothing(
    played: tuple[Variant, list[int]], data: st.DataObject
) -> None:
    position = play_all(*played)
    before = (position.text, hash(position), position.outcome)
    illegal = sorted(set(range(81)) - set(position.legal_moves))
    bad = data.draw(st.sampled_from([*illegal, -1, 81, 10**400, *NOT_WHOLE]))
    with pytest.raises(IllegalMove):
        position.play(bad)
    assert (position.text, hash(position), position.outcome) == before
    assert position == play_all(*played)


@functools.cache
def finished_games(variant: Variant) -> tuple[tuple[tuple[int, ...], str], ...]:
    """Play games at random with the oracle; return each one's moves and owners."""
    found = []
    for seed in range(120):
        rng = random.Random(seed)
        game = oracle_of(variant)
        while legal := game.legal():
            # Of all of random, only random() is promised to stay the same.
            game.play(legal[int(rng.random() * len(legal))])
        found.append((tuple(game.moves), "".join(game.owners)))
    return tuple(found)


def without_line(variant: Variant) -> list[tuple[tuple[int, ...], str]]:
    """Return the finished games in which nobody has three boards in line."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    return [
        (moves, owners)
        for moves, owners in finished_games(variant)
        if not any(owners[a] == owners[b] == owners[c] in "XO" for a, b, c in lines)
    ]


# ------------------------------------------------------------------------------ the rules by name


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_first_choice_is_free(variant: Variant) -> None:
    position = UltimatePosition.start(variant)
    assert position.forced is None
    assert position.turn is Player.X
    assert position.legal_moves == list(range(81))
    assert position.owners == EMPTY
    assert position.outcome is None


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("move", [0, 8, 40, 77, 80])
def test_the_cell_names_the_forced_board(variant: Variant, move: int) -> None:
    position = UltimatePosition.start(variant).play(move)
    target = move % 9
    assert position.forced == target
    assert position.turn is Player.O
    expected = [target * 9 + cell for cell in range(9) if target * 9 + cell != move]
    assert position.legal_moves == expected


def test_a_move_elsewhere_than_in_the_forced_board_is_refused() -> None:
    position = play("ac")
    with pytest.raises(IllegalMove, match=r"\bboard c\b"):
        position.play(move_of("aa"))


def test_sent_to_a_captured_board_the_choice_is_free() -> None:
    before = play(SENT_TO_A.rsplit(" ", 1)[0])
    assert before.owners == "O........"
    assert before.forced == 8
    position = play(SENT_TO_A)
    assert position.forced is None
    assert position.outcome is None
    taken = {move_of(name) for name in SENT_TO_A.split()}
    assert position.legal_moves == [move for move in range(9, 81) if move not in taken]


def test_a_captured_board_is_closed() -> None:
    position = play(SENT_TO_A)
    assert position.closed == 0b1
    with pytest.raises(IllegalMove, match=r"\bboard a\b"):
        position.play(move_of("aa"))


def test_a_move_that_closes_the_very_board_it_sends_to_frees_the_choice() -> None:
    before = play(O_TAKES_A.rsplit(" ", 1)[0])
    assert before.forced == 0
    assert before.owners == EMPTY
    position = play(O_TAKES_A)
    assert position.owners == "O........"
    assert position.forced is None
    assert {move // 9 for move in position.legal_moves} == set(range(1, 9))


def test_a_full_board_without_a_line_belongs_to_nobody_and_is_closed() -> None:
    seen = 0
    for moves, _ in finished_games(STANDARD)[:60]:
        game = oracle_of(STANDARD)
        position = UltimatePosition.start()
        for move in moves:
            before = position
            position = position.play(move)
            game.play(move)
            board = move // 9
            if position.owners[board] == "#" and position.outcome is None:
                seen += 1
                assert before.owners[board] == "."
                assert "." not in boards_of(game)[board]
                assert position.closed >> board & 1
                assert not position.captured[0] >> board & 1
                assert not position.captured[1] >> board & 1
                assert position.forced != board
                assert not any(legal // 9 == board for legal in position.legal_moves)
    assert seen > 0


def test_sent_to_a_board_closed_by_a_draw_the_choice_is_free() -> None:
    seen = 0
    for moves, _ in finished_games(STANDARD):
        position = UltimatePosition.start()
        for move in moves:
            position = position.play(move)
            if position.owners[move % 9] == "#" and position.outcome is None:
                seen += 1
                assert position.forced is None
                assert {legal // 9 for legal in position.legal_moves} == {
                    board for board in range(9) if position.owners[board] == "."
                }
    assert seen > 0


def test_a_move_that_draws_the_very_board_it_sends_to_frees_the_choice() -> None:
    before = play(DRAWS_B.rsplit(" ", 1)[0])
    assert before.owners == "....O...."
    assert before.forced == 1
    assert before.legal_moves == [move_of("bb")]
    position = play(DRAWS_B)
    assert position.owners == ".#..O...."
    assert position.forced is None
    assert {move // 9 for move in position.legal_moves} == {0, 2, 3, 5, 6, 7, 8}


def test_three_captured_boards_in_line_win() -> None:
    seen = set()
    for moves, owners in finished_games(STANDARD):
        outcome = play_all(STANDARD, moves).outcome
        assert outcome is not None
        if outcome.termination is not Termination.LINE:
            continue
        assert outcome.winner is not None
        seen.add(outcome.winner)
        assert outcome.lines
        for line in outcome.lines:
            assert [owners[board] for board in line] == [outcome.winner] * 3
        assert play_all(STANDARD, moves[:-1]).outcome is None
    assert seen == {Player.X, Player.O}


def test_the_game_ends_when_no_board_is_left() -> None:
    ended = without_line(STANDARD)
    assert ended
    for moves, owners in ended:
        position = play_all(STANDARD, moves)
        assert "." not in owners
        assert position.outcome == Outcome(None, Termination.FULL, ())
        assert position.outcome.verdict == "draw"
        assert position.legal_moves == []
        assert position.forced is None
        assert position.closed == 0b111_111_111
        # Some of these still have empty cells, in captured boards.
        with pytest.raises(IllegalMove, match="over"):
            position.play(moves[0])
    assert any(len(moves) < 81 for moves, _ in ended)


def test_most_boards_decides_a_game_without_a_line() -> None:
    seen = set()
    for moves, owners in without_line(STANDARD):
        position = play_all(MOST, moves)
        assert position.outcome is not None
        x, o = owners.count("X"), owners.count("O")
        if x == o:
            assert position.outcome.winner is None
            assert position.outcome.termination is Termination.FULL
        else:
            assert position.outcome.winner == ("X" if x > o else "O")
            assert position.outcome.termination is Termination.MOST_BOARDS
        assert position.outcome.lines == ()
        seen.add(position.outcome.verdict.value)
        # Until the end nothing differs from the standard game.
        assert play_all(MOST, moves[:-1]).outcome is None
    assert seen == {"X_wins", "O_wins", "draw"}


def test_a_line_beats_more_boards() -> None:
    seen = 0
    for moves, owners in finished_games(MOST):
        outcome = play_all(MOST, moves).outcome
        assert outcome is not None
        if outcome.termination is Termination.LINE:
            assert outcome.winner is not None
            seen += owners.count(outcome.winner) < owners.count(outcome.winner.other)
    assert seen > 0


def test_open_a_captured_board_stays_playable() -> None:
    position = play(O_TAKES_A, OPEN)
    assert position.owners == "O........"
    assert position.closed == 0
    assert position.forced == 0
    assert position.legal_moves == [3, 4, 5, 6, 7, 8]
    assert position.play(3).owners == "O........"
    with pytest.raises(IllegalMove):
        position.play(9)


@pytest.mark.parametrize(("moves", "owner"), [(X_FOLLOWS_O, "O"), (O_FOLLOWS_X, "X")])
def test_open_the_first_captor_keeps_the_board(moves: str, owner: str) -> None:
    for variant in (OPEN, OPEN | MOST):
        position = play(moves, variant)
        board = position.line.split(";")[2][:9]
        assert board[:3] == owner * 3
        assert board[6:] == {"X": "O", "O": "X"}[owner] * 3
        assert position.owners == owner + "........"
        assert position.captured == ((1, 0) if owner == "X" else (0, 1))


def test_open_the_same_marks_with_another_captor_differ() -> None:
    one = play(X_FOLLOWS_O + " ib bc", OPEN)
    other_text = re.sub(r"^(.*?;)O", r"\1X", one.line)
    assert other_text != one.line
    other = UltimatePosition.parse(other_text, OPEN)
    assert (other.x, other.o, other.forced) == (one.x, one.o, one.forced)
    assert other.owners == "X........"
    assert other != one
    assert len({one, other}) == 2


def test_open_a_full_board_is_closed_though_captured() -> None:
    seen = 0
    for moves, _ in finished_games(OPEN):
        position = UltimatePosition.start(OPEN)
        for move in moves:
            position = position.play(move)
            if position.filled >> (move % 9) & 1 and position.outcome is None:
                seen += position.owners[move % 9] in "XO"
                assert position.forced is None
                assert position.closed == position.filled
    assert seen > 0


def test_open_a_full_board_keeps_its_owner() -> None:
    seen = 0
    for moves, owners in finished_games(OPEN):
        position = play_all(OPEN, moves)
        assert position.owners == owners
        for board in range(9):
            if position.filled >> board & 1:
                seen += owners[board] in "XO"
                assert owners[board] != "."
    assert seen > 0


@pytest.mark.parametrize(
    ("moves", "bad", "words"),
    [
        ("ac", "aa", ["aa", "0", "board c", "O"]),
        ("ac cc", "cc", ["cc", "20", "taken"]),
        (SENT_TO_A, "ab", ["ab", "1", "board a"]),
        ("", "zz", []),
    ],
)
def test_refusals_name_the_move_and_the_board(moves: str, bad: str, words: list[str]) -> None:
    position = play(moves)
    if bad == "zz":
        with pytest.raises(NotationError):
            position.play_names(bad)
        return
    with pytest.raises(IllegalMove) as caught:
        position.play_names(bad)
    for word in words:
        assert word in str(caught.value)


def test_a_finished_game_refuses_every_move() -> None:
    for moves, _ in finished_games(STANDARD)[:10]:
        position = play_all(STANDARD, moves)
        for move in range(81):
            with pytest.raises(IllegalMove, match="over"):
                position.play(move)


# ------------------------------------------------------------------------------------- values


@ultimate_settings
@given(ultimate_games())
def test_positions_are_values(played: tuple[Variant, list[int]]) -> None:
    first, second = play_all(*played), play_all(*played)
    assert first == second
    assert hash(first) == hash(second)
    assert first.outcome == second.outcome
    assert first.legal_moves == second.legal_moves
    assert {first, second} == {play_all(*played)}
    others = {play_all(variant, []) for variant in VARIANTS}
    assert len(others) == 4


@pytest.mark.parametrize("name", ["x", "o", "forced", "variant", "x_first", "outcome", "colour"])
def test_a_position_cannot_be_changed(name: str) -> None:
    position = play(O_TAKES_A)
    with pytest.raises(AttributeError):
        setattr(position, name, 0)
    assert position == play(O_TAKES_A)


# ------------------------------------------------------------------------------------ variants


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        (STANDARD, "ultimate"),
        (OPEN, "ultimate-open"),
        (MOST, "ultimate-most-boards"),
        (OPEN | MOST, "ultimate-open-most-boards"),
    ],
)
def test_variants_have_names(variant: Variant, name: str) -> None:
    assert variant.text == name
    assert Variant.parse(name) == variant
    assert UltimatePosition.start(variant).game == name
    assert UltimatePosition.start(name) == UltimatePosition.start(variant)
    short = name.removeprefix("ultimate").removeprefix("-") or "standard"
    assert Variant.parse(short) == variant
    assert UltimatePosition.start(short).variant == variant


@pytest.mark.parametrize(
    "bad", ["", "ultimat", "Open", "open ", "ultimate-", "ultimate-x", "3x3x3"]
)
def test_unknown_variants_are_refused(bad: str) -> None:
    with pytest.raises(NotationError):
        Variant.parse(bad)
    with pytest.raises(NotationError):
        UltimatePosition.start(bad)
    with pytest.raises(NotationError):
        UltimatePosition.parse(UltimatePosition.start().line, bad)


@pytest.mark.parametrize("bad", [None, 3, True, b"open", ["open"]], ids=repr)
def test_variants_are_text(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Variant.parse(bad)
    with pytest.raises(NoughtsError):
        UltimatePosition.start(bad)
    if bad is not None:
        with pytest.raises(NoughtsError):
            UltimatePosition.parse(UltimatePosition.start().line, bad)


# ---------------------------------------------------------------------------------- round trips


@pytest.mark.parametrize("variant", VARIANTS)
@ultimate_settings
@given(data=st.data())
def test_every_form_is_read_back(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(ultimate_positions(variant))
    name = variant.text
    for twin in [
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
        assert twin == position
        assert hash(twin) == hash(position)
        assert twin.owners == position.owners
        assert twin.legal_moves == position.legal_moves
        assert twin.outcome == position.outcome
        assert (twin.line, twin.fen) == (position.line, position.fen)
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


@pytest.mark.parametrize("moves", [X_FOLLOWS_O, O_FOLLOWS_X])
def test_the_first_captor_survives_every_round_trip(moves: str) -> None:
    position = play(moves, OPEN)
    assert (position.x_first != 0) == (position.owners[0] == "X")
    for twin in [
        UltimatePosition.parse(position.text),
        UltimatePosition.parse(position.fen, OPEN),
        UltimatePosition.from_json(position.to_json()),
        pickle.loads(pickle.dumps(position)),
        eval(repr(position)),
    ]:
        assert twin == position
        assert twin.owners == position.owners


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


@pytest.mark.parametrize(
    "data",
    [
        *[None, 3, "ultimate", [], {}, {"game": "ultimate"}, {"position": "X"}],
        *[{"game": name, "position": "9/9/9/9/9/9/9/9/9 X -"} for name in (None, 3, "", "3x3x3")],
        *[{"game": "ultimate", "position": text} for text in (None, 3, "", ["X"], "9/9 X -")],
    ],
    ids=str,
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
    """Tell whether both sides have a line in a board, so that the marks do not name its owner."""
    cells = position.line.split(";")[2].split("/")[board]
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    return all(any(all(cells[cell] == mark for cell in line) for line in lines) for mark in "XO")


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


@pytest.mark.parametrize("moves", [X_FOLLOWS_O + " ib bc", O_FOLLOWS_X + " ib bc"])
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


@ultimate_settings
@given(ultimate_positions(), st.booleans(), st.sampled_from(FOREIGN + "Yz9-,"), st.data())
def test_a_stray_character_in_a_line_is_pointed_at(
    position: UltimatePosition, named: bool, char: str, data: st.DataObject
) -> None:
    line = position.line
    index = data.draw(st.sampled_from([i for i, each in enumerate(line) if each not in ";/"]))
    line = line[:index] + char + line[index + 1 :]
    prefix = position.game + ":" if named else ""
    with pytest.raises(NotationError) as caught:
        UltimatePosition.parse(prefix + line, position.variant)
    assert caught.value.text == prefix + line
    assert caught.value.offset == len(prefix) + index


@ultimate_settings
@given(ultimate_positions(), st.booleans(), st.sampled_from(FOREIGN + "Yz0,"), st.data())
def test_a_stray_character_in_a_fen_is_pointed_at(
    position: UltimatePosition, named: bool, char: str, data: st.DataObject
) -> None:
    fen = position.fen
    index = data.draw(st.sampled_from([i for i, each in enumerate(fen) if each not in " /"]))
    fen = fen[:index] + char + fen[index + 1 :]
    prefix = position.game + ":" if named else ""
    with pytest.raises(NotationError) as caught:
        UltimatePosition.parse(prefix + fen, position.variant)
    assert caught.value.text == prefix + fen
    assert caught.value.offset == len(prefix) + index


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "text",
    [
        *["", "X", "X;", ";;", "X;.........", "X;.........;", "9/9/9/9/9/9/9/9/9", "9 X -"],
        *["9/9/9/9/9/9/9/9 X -", "9/9/9/9/9/9/9/9/9/9 X -", "9/9/9/9/9/9/9/9/9 X - ... .."],
        *["ultimate:", "ultimate-x:9/9/9/9/9/9/9/9/9 X -", "9/9/9/9/9/9/9/9/9  X -"],
        *[line_text("X", EMPTY) + "/", line_text("X", EMPTY) + ";", " " + line_text("X", EMPTY)],
        *[line_text("X", EMPTY) + "\n", "9/9/9/9/9/9/9/9/9\tX\t-", "９/9/9/9/9/9/9/9/9 X -"],
        *["9/9/9/9/9/9/9/9/9 x -", "9/9/9/9/9/9/9/9/9 X E", "10/9/9/9/9/9/9/9/9 X -"],
    ],
    ids=repr,
)
def test_what_is_not_a_position_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        UltimatePosition.parse(text)
    offset = caught.value.offset
    assert offset is None or 0 <= offset <= len(caught.value.text)


@pytest.mark.parametrize("bad", NOT_TEXT, ids=lambda v: type(v).__name__)
def test_positions_and_moves_are_read_from_text(bad: Any) -> None:
    with pytest.raises(NotationError):
        UltimatePosition.parse(bad)
    with pytest.raises(NotationError):
        UltimatePosition.start().read_move(bad)
    with pytest.raises(NotationError):
        UltimatePosition.start().play_names(bad)


@pytest.mark.parametrize("bad", [81, -1, 10**400, *NOT_WHOLE], ids=lambda v: repr(v)[:20])
def test_only_moves_have_names(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        UltimatePosition.start().move_name(bad)


# ------------------------------------------------------------------------------- symmetric twins


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
    twin = position.transformed(symmetry)
    assert picture_of(twin) == turned_picture(symmetry, picture_of(position))
    assert twin.turn == position.turn
    assert twin.variant == position.variant
    for board in range(9):
        assert twin.owners[symmetry.image(board, 3, 3)] == position.owners[board]
    if position.forced is None:
        assert twin.forced is None
    else:
        assert twin.forced == symmetry.image(position.forced, 3, 3)
    assert twin.transformed(symmetry.inverse) == position


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
def test_twins_share_one_canonical_form(position: UltimatePosition) -> None:
    twins = [position.transformed(symmetry) for symmetry in Symmetry]
    canonical = position.canonical()
    assert canonical in twins
    assert canonical.canonical() == canonical
    assert {twin.canonical() for twin in twins} == {canonical}
    assert {twin.move_count for twin in twins} == {position.move_count}


def test_canonical_first_moves() -> None:
    # A corner, an edge or the centre board; then the cells that no twin of that board shares.
    first = {UltimatePosition.start().play(move).canonical() for move in range(81)}
    assert len(first) == 15
