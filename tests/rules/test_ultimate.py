"""Ultimate: the rules against the oracle and by name, positions as values, and the variants."""

from __future__ import annotations

import functools
import pickle
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import (
    IllegalMove,
    InvalidPosition,
    NotationError,
    NoughtsError,
    Outcome,
    Player,
    SizeError,
    Termination,
    UltimatePosition,
    Variant,
)
from support.cases import for_each
from support.oracle import UltimateOracle
from support.strategies import (
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

# O takes the right column of board a, then X sends O there.
SENT_TO_A = "ea ac ca af fa ai ia"
# The last move fills board b, where neither side has a line, and sends to that same board.
DRAWS_B = (
    "ie ee ei id de eh he ef fe ea ae eg ge eb be ce bc cg gb bd dg gd di ih hc cb bh hb ba ag gc "
    "cd df fb bf fa ab bg gf fd db bi ib bb"
)


def move_of(name: str) -> int:
    """Turn two letters into a move number."""
    return "abcdefghi".index(name[0]) * 9 + "abcdefghi".index(name[1])


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
    """Return the finished games in which neither side has three boards in line."""
    return [
        (moves, owners)
        for moves, owners in finished_games(variant)
        if not any(owners[a] == owners[b] == owners[c] in "XO" for a, b, c in LINES)
    ]


# ------------------------------------------------------------------------------ the rules by name


@for_each("variant", VARIANTS)
def test_the_first_choice_is_free(variant: Variant) -> None:
    position = UltimatePosition.start(variant)
    assert position.forced is None
    assert position.turn is Player.X
    assert position.legal_moves == list(range(81))
    assert position.owners == EMPTY
    assert position.outcome is None


@for_each("variant", VARIANTS)
@for_each("move", [0, 8, 40, 77, 80])
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


def test_a_full_board_without_a_line_has_no_owner_and_is_closed() -> None:
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


@for_each(("moves", "owner"), [(X_FOLLOWS_O, "O"), (O_FOLLOWS_X, "X")])
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


@for_each(
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
            position.play(bad)
        return
    with pytest.raises(IllegalMove) as caught:
        position.play(bad)
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


@for_each("name", ["x", "o", "forced", "variant", "x_first", "outcome", "colour"])
def test_a_position_cannot_be_changed(name: str) -> None:
    position = play(O_TAKES_A)
    with pytest.raises(AttributeError):
        setattr(position, name, 0)
    assert position == play(O_TAKES_A)


# ------------------------------------------------------------------------------------ variants


@for_each(
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


@for_each("bad", ["", "ultimat", "Open", "open ", "ultimate-", "ultimate-x", "3x3x3"])
def test_unknown_variants_are_refused(bad: str) -> None:
    with pytest.raises(NotationError):
        Variant.parse(bad)
    with pytest.raises(NotationError):
        UltimatePosition.start(bad)
    with pytest.raises(NotationError):
        UltimatePosition.parse(UltimatePosition.start().line, bad)


@for_each("bad", [None, 3, True, b"open", ["open"]])
def test_variants_are_text(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Variant.parse(bad)
    with pytest.raises(NoughtsError):
        UltimatePosition.start(bad)
    if bad is not None:
        with pytest.raises(NoughtsError):
            UltimatePosition.parse(UltimatePosition.start().line, bad)


# ------------------------------------------------------------------------------ the constructor


@ultimate_settings
@given(ultimate_positions())
def test_the_constructor_takes_every_position_of_a_game(position: UltimatePosition) -> None:
    state = position.x, position.o, position.forced, position.variant, position.x_first
    assert UltimatePosition(*state) == UltimatePosition.unchecked(*state) == position
    assert pickle.loads(pickle.dumps(UltimatePosition.unchecked(*state))) == position


def test_the_constructor_refuses_what_is_not_a_state() -> None:
    one = 1 << 40
    impossible: list[dict[str, Any]] = [
        *({side: bad} for side in "xo" for bad in (-1, 1 << 81, 1.0, True, None, "1")),
        *({"x": one, "forced": bad} for bad in (9, 12, -1, 1.0, True, "e")),
        *({"variant": bad} for bad in (None, 0, "open", "ultimate")),
        *({"x_first": bad, "variant": OPEN} for bad in (-1, 1, 1 << 9, None, True)),
        {"x": one, "o": one},
        {"x_first": 1},
    ]
    for state in impossible:
        with pytest.raises(SizeError):
            UltimatePosition(**state)


def test_the_constructor_refuses_what_no_game_reaches() -> None:
    states: list[dict[str, Any]] = [
        {"o": 1},
        {"x": 0b11},
        {"forced": 4},
        {"x": 1 << 40, "forced": 3},
        {"x": 0b000_000_111, "o": 0b111_000_000},
    ]
    for state in states:
        with pytest.raises(InvalidPosition):
            UltimatePosition(**state)
