from __future__ import annotations

import copy
import inspect
import pickle
import re
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import (
    Board,
    Game,
    Grid,
    GridPosition,
    IllegalMove,
    InvalidPosition,
    NotationError,
    NoughtsError,
    Position,
    SizeError,
    Symmetry,
    UltimatePosition,
    errors,
    is_reachable,
    judge,
    parse_position,
    perft,
    perft_split,
    start,
)
from noughts.errors import brief, whole_number
from noughts.exercises import (
    TicTacToe,
    count_games,
    games,
    simulate,
    simulate_ultimate,
    state,
    valid_tic_tac_toe,
)
from noughts.rules.parsing import position, position_of
from noughts.views import view
from support.cases import for_each
from support.strategies import NOT_WHOLE

EVERY_ERROR = [
    each
    for _, each in inspect.getmembers(errors, inspect.isclass)
    if issubclass(each, NoughtsError) and each is not NoughtsError
]


def made() -> list[NoughtsError]:
    """Provoke one error of each kind that the rules raise."""
    provoked: list[NoughtsError] = []
    for attempt in (
        lambda: Grid(0, 3, 3),
        lambda: Grid.parse("3x?x3"),
        lambda: Board.parse("XX?/..."),
        lambda: GridPosition.start("3x3x3").play(9),
        lambda: GridPosition.parse("XXX/OOO/XX."),
        lambda: UltimatePosition.parse("9/9/9/9/4X4/9/9/9/9 X e"),
        lambda: UltimatePosition.parse("9/9/9/9/4X4/9/9/9/9 O z"),
        lambda: Game.parse("3x3x3 b2 b2"),
    ):
        with pytest.raises(NoughtsError) as caught:
            attempt()
        provoked.append(caught.value)
    return provoked


# ------------------------------------------------------------------------------------ the tree


@for_each("error", [SizeError, NotationError, IllegalMove, InvalidPosition])
def test_what_a_caller_got_wrong_is_a_value_error(error: type[NoughtsError]) -> None:
    assert issubclass(error, NoughtsError)
    assert issubclass(error, ValueError)


def test_the_tree_in_the_documentation_is_the_tree() -> None:
    drawn = dict(re.findall(r"[├└]── (\w+)\s+\((\w+)\)", errors.__doc__ or ""))
    assert set(drawn) == {error.__name__ for error in EVERY_ERROR}
    for error in EVERY_ERROR:
        bases = {base.__name__ for base in error.__mro__}
        assert drawn[error.__name__] in bases


def test_no_error_hides_behind_another() -> None:
    for first in EVERY_ERROR:
        for second in EVERY_ERROR:
            assert first is second or not issubclass(first, second)


@for_each("error", made())
def test_errors_can_be_caught_as_value_errors(error: NoughtsError) -> None:
    assert isinstance(error, ValueError)
    assert str(error)


# ---------------------------------------------------------------------------------- pickling


@for_each("error", made())
@for_each("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_errors_survive_pickling(error: NoughtsError, protocol: int) -> None:
    for copied in (pickle.loads(pickle.dumps(error, protocol)), copy.copy(error)):
        assert type(copied) is type(error)
        assert str(copied) == str(error)
        assert copied.args == error.args
        for name in ("text", "offset", "reasons"):
            assert getattr(copied, name, None) == getattr(error, name, None)


@for_each("kind", EVERY_ERROR)
def test_every_kind_of_error_survives_pickling(kind: type[NoughtsError]) -> None:
    own = vars(kind).get("__init__")
    needed = 1
    if own is not None:
        parameters = list(inspect.signature(own).parameters.values())[1:]
        needed = sum(parameter.default is parameter.empty for parameter in parameters)
    error = kind(*["first", "second", "third"][:needed])
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is kind
    assert str(copied) == str(error)


# ------------------------------------------------------------------------------ NotationError


def test_a_notation_error_knows_the_place() -> None:
    error = NotationError("stray '?'", "X?.", 1)
    assert (error.text, error.offset, str(error)) == ("X?.", 1, "stray '?'")
    assert error.pointer() == "X?.\n ^"
    assert NotationError("nothing").offset is None
    assert NotationError("nothing").text == ""
    assert NotationError("nothing", "abc").pointer() == ""


@given(st.text(alphabet="XO./;?é", min_size=1, max_size=30), st.data())
def test_the_caret_stands_under_the_character(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    shown, caret = NotationError("stray", text, offset).pointer().split("\n")
    assert caret == " " * shown.index(text) + " " * offset + "^"


# ---------------------------------------------------------------------------- InvalidPosition


def test_an_invalid_position_holds_every_reason() -> None:
    reasons = judge(Board.parse("XXX/OOO/XX.")).reasons
    assert len(reasons) > 1
    error = InvalidPosition(reasons)
    assert error.reasons == tuple(reasons)
    for reason in reasons:
        assert str(reason) in str(error)


# ---------------------------------------------------------------------------------- the helpers


@given(st.integers(-200, 200), st.integers(-100, 0), st.integers(0, 100))
def test_whole_numbers_are_returned_or_refused(value: int, least: int, most: int) -> None:
    if least <= value <= most:
        assert whole_number(value, "rows", least=least, most=most) == value
    else:
        with pytest.raises(SizeError, match=rf"^rows .*{least if value < least else most}"):
            whole_number(value, "rows", least=least, most=most)
    if value >= 0:
        assert whole_number(value, "rows") == value


@for_each("bad", NOT_WHOLE)
def test_what_is_not_whole_is_refused_by_name(bad: Any) -> None:
    with pytest.raises(SizeError, match="columns"):
        whole_number(bad, "columns")


@for_each(
    "value",
    [10**400, -(10**400), 10**5000, "x" * 10**5, [0] * 10**5, b"\x00" * 10**5, {"a" * 999: "b"}],
)
def test_messages_stay_short_whatever_they_quote(value: Any) -> None:
    assert len(brief(value)) < 120
    assert "\n" not in brief(value)


# ------------------------------------------------------------------------- wrong types anywhere


class Odd:
    """A value that nothing accepts."""


def test_every_error_is_exported() -> None:
    assert set(errors.__all__) == {"NoughtsError", *(error.__name__ for error in EVERY_ERROR)}


def test_whatever_is_given_the_error_is_a_noughts_error() -> None:
    grid, game = Grid(3, 3, 3), Game.parse("3x3x3 b2 | a1")
    asked: list[Any] = [
        *(Grid.parse, Board.parse, GridPosition.parse, UltimatePosition.parse, Game.parse),
        *(GridPosition.of, GridPosition.start, UltimatePosition.start, start, parse_position),
        *(Board.from_json, GridPosition.from_json, UltimatePosition.from_json, Game.from_json),
        *(judge, is_reachable, Game, Board, view, position, position_of),
        *(grid.has_line, grid.line_cells, grid.shared_cells, grid.lines_through),
        *(game.play, game.undo_to, game.redo_to, lambda bad: list(grid.lines_in(bad))),
        *(
            partial(way, rows=3, cols=3)
            for way in [Symmetry.TRANSPOSE.apply, Symmetry.TRANSPOSE.image]
        ),
        *(partial(Symmetry.TRANSPOSE.apply, 1, 3), partial(Symmetry.TRANSPOSE.permutation, 3)),
        *(state, valid_tic_tac_toe, simulate, simulate_ultimate, TicTacToe, count_games, games),
        lambda bad: state("...", k=bad),
        *(lambda bad: perft(bad, 2), lambda bad: perft_split(bad, 2)),
        lambda bad: perft(GridPosition.start(grid), bad),
    ]
    for thing in (Board(grid), GridPosition.start(grid), UltimatePosition.start()):
        asked += [lambda bad, thing=thing: thing.diagram(last=bad), thing.diagram().block]
        asked += [lambda bad, thing=thing: thing.diagram(values=bad)]
        if isinstance(thing, Position):
            asked += [thing.play, thing.transformed, thing.move_name, thing.read_move]
    for ask in asked:
        for bad in (Odd, Odd(), ..., 1.5, b"ab", {1, 2}, [Odd()], (Odd(), 1), {1: Odd()}):
            try:
                ask(bad)
            except NoughtsError:
                continue
            pytest.fail(f"{ask} takes {bad!r}")
