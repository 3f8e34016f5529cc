from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from noughts import (
    Game,
    Grid,
    GridPosition,
    IllegalMove,
    InvalidPosition,
    NotationError,
    NoughtsError,
    Player,
    UltimatePosition,
    Variant,
    parse_position,
    start,
)
from noughts.rules.game import game_of
from noughts.rules.parsing import AnyPosition
from support.cases import for_each
from support.strategies import (
    NOT_TEXT,
    NOT_WHOLE,
    board_of,
    played_boards,
    ultimate_games,
    ultimate_positions,
    ultimate_settings,
)

NOT_MOVES = ["zz", "", "a0", "40x", *(bad for bad in NOT_WHOLE if not isinstance(bad, str))]
STARTS = [
    *["1x1x1", "3x3x3", "4x3x3", "2x5x2", "3x3x9", "3x3x3:XX./OO./...", "3x3x3:XXX/OO./..."],
    *["ultimate", "ultimate-open", "ultimate-most-boards", "ultimate-open-most-boards"],
    "ultimate:9/9/9/9/4X4/9/9/9/9 O e",
]


# ------------------------------------------------------------------------ the laws of undo and redo


class Recording(RuleBasedStateMachine):
    """Play, undo and redo against two plain lists of moves."""

    game: Game[AnyPosition]

    @initialize(name=st.sampled_from(STARTS))
    def begin(self, name: str) -> None:
        self.first = parse_position(name)
        self.game = Game(self.first)
        self.played: list[int] = []
        self.undone: list[int] = []

    def replayed(self) -> AnyPosition:
        position = self.first
        for move in self.played:
            position = position.play(move)
        return position

    @rule(choice=st.integers(0, 80), by_name=st.booleans())
    def play_a_legal_move(self, choice: int, by_name: bool) -> None:
        legal = self.replayed().legal_moves
        if not legal:
            return
        move = legal[choice % len(legal)]
        self.game.play(self.first.move_name(move) if by_name else move)
        self.played.append(move)
        self.undone.clear()

    @rule(bad=st.integers(-2, 90) | st.sampled_from(NOT_MOVES))
    def play_an_illegal_move(self, bad: Any) -> None:
        if (
            isinstance(bad, int)
            and not isinstance(bad, bool)
            and bad in self.replayed().legal_moves
        ):
            return
        with pytest.raises(NoughtsError):
            self.game.play(bad)

    @precondition(lambda self: self.played)
    @rule()
    def undo(self) -> None:
        move = self.played.pop()
        self.undone.append(move)
        assert self.game.undo() == move

    @precondition(lambda self: not self.played)
    @rule()
    def undo_nothing(self) -> None:
        with pytest.raises(IllegalMove):
            self.game.undo()

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        move = self.undone.pop()
        self.played.append(move)
        assert self.game.redo() == move

    @precondition(lambda self: not self.undone)
    @rule()
    def redo_nothing(self) -> None:
        with pytest.raises(IllegalMove):
            self.game.redo()

    @rule(sides=st.frozensets(st.sampled_from(Player)))
    def undo_to_a_side(self, sides: frozenset[Player]) -> None:
        turn = self.first.turn
        turns = [turn if number % 2 == 0 else turn.other for number in range(len(self.played))]
        stops = [number for number, turn in enumerate(turns) if turn in sides]
        if not stops:
            with pytest.raises(IllegalMove, match="no move of yours"):
                self.game.undo_to(sides)
            return
        taken = self.played[stops[-1] :]
        del self.played[stops[-1] :]
        self.undone += reversed(taken)
        assert self.game.undo_to(sides) == tuple(taken)

    @precondition(lambda self: self.undone)
    @rule(sides=st.frozensets(st.sampled_from(Player)))
    def redo_to_a_side(self, sides: frozenset[Player]) -> None:
        redone = [self.undone.pop()]
        self.played.append(redone[0])
        while self.undone and self.replayed().turn not in sides:
            redone.append(self.undone.pop())
            self.played.append(redone[-1])
        assert self.game.redo_to(sides) == tuple(redone)

    @rule()
    def write_and_read(self) -> None:
        for copied in [
            Game.parse(self.game.text),
            Game.from_json(json.loads(json.dumps(self.game.to_json()))),
            eval(repr(self.game)),
            pickle.loads(pickle.dumps(self.game)),
            copy.deepcopy(self.game),
        ]:
            assert copied == self.game
            assert copied.start == self.game.start
            assert copied.moves == self.game.moves
            assert copied.undone == self.game.undone
            assert copied.text == self.game.text
        # Go on with one that was read: it must behave as the one that was played.
        self.game = Game.parse(self.game.text)

    @invariant()
    def the_game_is_where_it_should_be(self) -> None:
        position = self.replayed()
        assert self.game.start == self.first
        assert self.game.position == position
        assert self.game.moves == tuple(self.played)
        assert self.game.undone == tuple(reversed(self.undone))
        assert self.game.last_move == (self.played[-1] if self.played else None)
        assert self.game.turn == position.turn
        assert self.game.outcome == position.outcome


TestRecording = Recording.TestCase
TestRecording.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)


# --------------------------------------------------------------------------------- round trips


@ultimate_settings
@given(ultimate_games(), st.data())
def test_games_of_ultimate_are_read_back(
    played: tuple[Variant, list[int]], data: st.DataObject
) -> None:
    variant, moves = played
    game = Game(UltimatePosition.start(variant), moves)
    for _ in range(data.draw(st.integers(0, len(moves)))):
        game.undo()
    again = Game.parse(game.text)
    assert again == game
    assert (again.moves, again.undone) == (game.moves, game.undone)
    assert again.moves + again.undone == tuple(moves)
    assert Game.from_json(json.loads(json.dumps(game.to_json()))) == game


@given(played_boards(), st.data())
def test_games_may_begin_anywhere(played: Any, data: st.DataObject) -> None:
    shape, cells, _ = played
    game = Game(GridPosition.of(board_of(shape, cells)))
    for choice in data.draw(st.lists(st.integers(0, 24), max_size=6)):
        if legal := game.position.legal_moves:
            game.play(legal[choice % len(legal)])
    assert Game.parse(game.text) == game
    assert Game.parse(game.text).start == GridPosition.of(board_of(shape, cells))


@ultimate_settings
@given(ultimate_positions())
def test_games_may_begin_at_any_ultimate_position(position: UltimatePosition) -> None:
    game = Game(position, position.legal_moves[:1])
    assert Game.parse(game.text) == game
    assert Game.from_json(json.loads(json.dumps(game.to_json()))) == game


@for_each(
    ("text", "moves", "undone"),
    [
        ("3x3x3", (), ()),
        ("3x3x3 b2", (4,), ()),
        ("3x3x3 b2 a1 c3", (4, 0, 8), ()),
        ("3x3x3 b2 a1 | c3", (4, 0), (8,)),
        ("3x3x3 | b2 a1 c3", (), (4, 0, 8)),
        ("3x3x3:XX./OO./... c1", (2,), ()),
        ("ultimate-open ee ea | aa", (40, 36), (0,)),
    ],
)
def test_the_text_of_a_game(text: str, moves: tuple[int, ...], undone: tuple[int, ...]) -> None:
    game = Game.parse(text)
    assert (game.moves, game.undone) == (moves, undone)
    assert game.text == text


@for_each("text", ["3x3x3 4 0 8", "3x3x3 4,0,8", "3x3x3 4,0 c3", "3x3x3 b2,a1,c3"])
def test_moves_may_be_numbers_and_separated_by_commas(text: str) -> None:
    assert Game.parse(text) == Game(GridPosition.start("3x3x3"), [4, 0, 8])
    assert Game.parse(text).text == "3x3x3 b2 a1 c3"


def test_redo_plays_the_undone_moves_in_order() -> None:
    game = Game.parse("3x3x3 | b2 a1 c3")
    assert [game.redo() for _ in range(3)] == [4, 0, 8]
    assert [game.undo() for _ in range(3)] == [8, 0, 4]


def test_games_are_equal_when_everything_is() -> None:
    assert Game.parse("3x3x3 b2") == Game.parse("3x3x3 b2")
    others = [
        *["3x3x3", "3x3x3 a1", "3x3x3 | b2", "3x3x3 b2 | a1", "4x4x3 b2", "3x3x2 b2"],
        "3x3x3:.../.X./...",
    ]
    for other in others:
        assert Game.parse("3x3x3 b2") != Game.parse(other)
    assert Game.parse("3x3x3") != "3x3x3"


def test_the_moves_that_are_returned_cannot_change_the_game() -> None:
    game = Game.parse("3x3x3 b2 a1 | c3")
    assert isinstance(game.moves, tuple)
    assert isinstance(game.undone, tuple)


# -------------------------------------------------------------------------------- bad texts


@for_each(
    ("text", "offset"),
    [
        ("3x3x3 b2 b2", 9),
        ("3x3x3 b2 zz", 9),
        ("3x3x3 b2 d1", 9),
        ("3x3x3 b2 9", 9),
        ("3x3x3 b2 a1 | b2", 14),
        ("3x3x3 b2 a1 | zz", 14),
        ("3x3x3 b2 | a1 | c3", 14),
        ("3x3x3  4,4", 9),
        ("3x3x3:XX./OO./... c1 a3", 21),
        ("ultimate ee aa", 12),
        ("ultimate ee e?", 13),
        ("ultimate ee 81", 12),
        ("ultimate 40,99", 12),
        ("1x1x1 a1 a1", 9),
    ],
)
def test_the_fault_is_pointed_at(text: str, offset: int) -> None:
    with pytest.raises(NotationError) as caught:
        Game.parse(text)
    assert (caught.value.text, caught.value.offset) == (text, offset)


@for_each(
    ("text", "offset"),
    [
        ("chess e4", 0),
        ("3x?x3 a1", 2),
        ("3x3x3:XX?/... a1", 8),
        ("ultimate-chess aa", None),
        ("  4x4 a1", 5),
        ("../../etc", 6),
        ("XX./OO./...garbage c1", 11),
    ],
)
def test_a_bad_start_is_pointed_at(text: str, offset: int | None) -> None:
    with pytest.raises(NotationError) as caught:
        Game.parse(text)
    assert (caught.value.text, caught.value.offset) == (text, offset)


@for_each("text", ["", " ", "|", "3x3x3 b2|a1", "3x3x3 b2 ? a1", "3x3x3|b2"])
def test_what_is_not_a_game_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Game.parse(text)


def test_an_impossible_start_is_refused() -> None:
    with pytest.raises(InvalidPosition):
        Game.parse("3x3x3:OO./.../... a3")


@for_each("bad", NOT_TEXT)
def test_games_are_read_from_text(bad: Any) -> None:
    with pytest.raises(NotationError):
        Game.parse(bad)


@for_each(
    "data",
    [
        *[None, 3, "3x3x3", [], {}, {"start": "3x3x3"}, {"moves": []}],
        *[{"start": bad, "moves": []} for bad in (None, 3, "", "chess", ["3x3x3"])],
        *[{"start": "3x3x3", "moves": bad} for bad in (None, 3, "4", {4: 4}, [4, 4], [9], [-1])],
        *[{"start": "3x3x3", "moves": [bad]} for bad in (None, True, 4.0, "zz", [4], {"b2": 4})],
        *[{"start": "3x3x3", "moves": [4], "played": bad} for bad in (-1, 2, True, "1", 1.0, None)],
    ],
)
def test_bad_json_is_refused(data: object) -> None:
    with pytest.raises(NoughtsError):
        Game.from_json(data)


@for_each("bad", [None, 3, "3x3x3", object])
def test_a_game_needs_a_position(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Game(bad)


@for_each("bad", [None, 3, True])
def test_the_moves_of_a_game_are_listed(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Game(start("3x3x3"), bad)


@for_each("text", ["3x3x3 b2 | a1", "4x4x3:X.../..../..../.... b2", "ultimate ee ea"])
def test_a_game_is_named_by_itself_its_text_or_its_start(text: str) -> None:
    game = Game.parse(text)
    assert game_of(game) is game
    assert game_of(text) == game
    assert game_of(game.position) == Game(game.position)


@for_each("bad", [*NOT_TEXT, Grid(3, 3, 3), "zz"])
def test_what_names_no_game_is_refused(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        game_of(bad)


def test_a_failed_start_raises_and_names_the_move() -> None:
    with pytest.raises(IllegalMove, match=r"^move 2: b2 \(cell 4\) is taken"):
        Game(GridPosition.start("3x3x3"), [4, 4])
    with pytest.raises(IllegalMove, match=r"^move 2: aa \(0\) is not in board e"):
        Game(UltimatePosition.start(), ["ee", "aa"])
