from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
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
    Outcome,
    Player,
    Position,
    SizeError,
    Symmetry,
    Termination,
    UltimatePosition,
    Variant,
    Verdict,
    judge,
    perft,
    start,
)
from noughts.rules.position import require_game
from support.cases import for_each
from support.oracle import has_line, lines, reachable_verdicts
from support.strategies import (
    NOT_TEXT,
    NOT_WHOLE,
    Drawn,
    Played,
    Shape,
    board_of,
    drawn_boards,
    played_boards,
    records,
    rows_of,
    ultimate_positions,
    ultimate_settings,
    vectors,
)


def play_all(shape: Shape, moves: list[int]) -> GridPosition:
    """Play moves from the empty board."""
    position = GridPosition.start(Grid(*shape))
    for move in moves:
        position = position.play(move)
    return position


def position_of(shape: Shape, cells: str) -> GridPosition:
    """Turn a flat board into a position."""
    return GridPosition.of(board_of(shape, cells))


# ----------------------------------------------------------------------------------------- play


@given(played_boards())
def test_games_go_as_the_oracle_says(played: Played) -> None:
    shape, _, moves = played
    cells = "." * (shape[0] * shape[1])
    position = GridPosition.start(Grid(*shape))
    for number, move in enumerate([*moves, None]):
        side = "XO"[number % 2]
        other = "OX"[number % 2]
        won = has_line(cells, *shape, other)
        empty = [cell for cell, mark in enumerate(cells) if mark == "."]
        assert position.board == board_of(shape, cells)
        assert position.turn == side
        assert position.legal_moves == ([] if won else empty)
        assert position.move_count == len(position.legal_moves)
        if won:
            own = {cell for cell, mark in enumerate(cells) if mark == other}
            assert position.outcome is not None
            assert position.outcome.winner == other
            assert position.outcome.termination is Termination.LINE
            assert {frozenset(line) for line in position.outcome.lines} == {
                line for line in lines(*shape) if line <= own
            }
            assert set(position.outcome.lines) <= set(position.grid.lines)
            assert position.outcome.verdict == f"{other}_wins"
        elif not empty:
            assert position.outcome == Outcome(None, Termination.FULL, ())
            assert position.outcome.verdict == "draw"
        else:
            assert position.outcome is None
        if move is not None:
            assert position.play_unchecked(move) == position.play(move)
            position = position.play(move)
            cells = cells[:move] + side + cells[move + 1 :]


@given(played_boards(), st.data())
def test_an_illegal_move_is_refused_and_changes_nothing(
    played: Played, data: st.DataObject
) -> None:
    shape, cells, moves = played
    position = play_all(shape, moves)
    before = (position.text, hash(position), position.turn, position.outcome)
    taken = [cell for cell in range(len(cells)) if cell not in position.legal_moves]
    not_moves = [bad for bad in NOT_WHOLE if not isinstance(bad, str)]  # a text may be a name
    bad = data.draw(st.sampled_from([*taken, -1, -len(cells), len(cells), 10**400, *not_moves]))
    with pytest.raises(IllegalMove):
        position.play(bad)
    assert (position.text, hash(position), position.turn, position.outcome) == before
    assert position == play_all(shape, moves)


@for_each(
    ("text", "move", "words"),
    [
        ("XX./OO./...", 0, ["a1", "0", "X"]),
        ("XX./OO./...", 4, ["b2", "4", "O"]),
        ("XX./OO./...", 9, ["9", "3x3x3"]),
        ("XXX/OO./...", 5, ["over", "X"]),
        ("XOX/OXX/OXO", 0, ["over"]),
    ],
)
def test_a_refusal_says_why(text: str, move: int, words: list[str]) -> None:
    with pytest.raises(IllegalMove) as caught:
        GridPosition.parse(text).play(move)
    for word in words:
        assert word in str(caught.value)


def test_one_move_that_completes_several_lines_is_one_win() -> None:
    outcome = GridPosition.parse("4x4x3:.XX./XOO./X.../O..O").play(0).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (Player.X, Termination.LINE)
    assert set(outcome.lines) == {(0, 1, 2), (0, 4, 8)}


def test_a_run_longer_than_k_holds_several_lines() -> None:
    outcome = GridPosition.parse("1x10x3:XX.XXOO.OO").play(2).outcome
    assert outcome is not None
    assert outcome.lines == ((0, 1, 2), (1, 2, 3), (2, 3, 4))


def test_a_win_with_the_last_cell_is_not_a_draw() -> None:
    outcome = GridPosition.parse("XXO/OXO/XO.").play(8).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (Player.X, Termination.LINE)


def test_outcomes_read_well() -> None:
    won = GridPosition.parse("XXX/OO./...").outcome
    drawn = GridPosition.parse("XOX/OXX/OXO").outcome
    assert str(won) == "X wins"
    assert "draw" in str(drawn)
    assert won is not None
    assert won.verdict is Verdict.X_WINS


# ------------------------------------------------------------------------- from boards to positions


@for_each("text", ["XXX/OOO/XX.", "OO./.../...", "XXX/OO./O..", "3x3x1:X../XO./..."])
def test_an_unreachable_board_is_refused_with_every_reason(text: str) -> None:
    reasons = judge(Board.parse(text)).reasons
    attempts: list[Callable[[], GridPosition]] = [
        lambda: GridPosition.of(Board.parse(text)),
        lambda: GridPosition.parse(text),
        lambda: GridPosition.from_json(Board.parse(text).to_json()),
    ]
    for attempt in attempts:
        with pytest.raises(InvalidPosition) as caught:
            attempt()
        assert caught.value.reasons == reasons
        for reason in reasons:
            assert reason.message in str(caught.value)


@for_each("bad", [None, 3, "3x3x3:.../.../...", ["..."]])
def test_positions_are_made_of_boards_only(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        GridPosition.of(bad)


@for_each("bad", [None, 3, b"3x3x3", "", "3x3", "0x3x3", "ultimate"])
def test_a_game_starts_on_a_grid(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        GridPosition.start(bad)


def test_a_start_is_empty() -> None:
    for grid in ("3x4x3", Grid(3, 4, 3)):
        position = GridPosition.start(grid)
        assert position.board == Board(Grid(3, 4, 3))
        assert (position.turn, position.game, position.move_count) == ("X", "3x4x3", 12)
    with pytest.raises(SizeError):
        GridPosition.start("1000000x1000000x5")


# ----------------------------------------------------------------------------------- immutability


@given(played_boards())
def test_positions_are_values(played: Played) -> None:
    shape, cells, moves = played
    first = play_all(shape, moves)
    second = position_of(shape, cells)
    assert first == second
    assert hash(first) == hash(second)
    assert {first: 1}[second] == 1
    # Looking at derived things must not make two equal positions differ.
    assert (first.outcome, first.legal_moves) == (second.outcome, second.legal_moves)
    fresh = position_of(shape, cells)
    assert first == fresh
    assert hash(first) == hash(fresh)


@for_each("name", ["grid", "x", "o", "outcome", "turn", "colour"])
def test_a_position_cannot_be_changed(name: str) -> None:
    position = GridPosition.start("3x3x3").play(4)
    with pytest.raises(AttributeError):
        setattr(position, name, 0)
    assert position == GridPosition.start("3x3x3").play(4)


def test_changing_a_list_of_moves_changes_no_position() -> None:
    position = GridPosition.start("3x3x3")
    position.legal_moves.clear()
    assert position.legal_moves == list(range(9))


# --------------------------------------------------------------------------------- symmetric images


@given(played_boards())
def test_symmetric_images_share_one_canonical_form(played: Played) -> None:
    position = position_of(*played[:2])
    grid = position.grid
    canonical = position.canonical()
    images = [position.transformed(symmetry) for symmetry in grid.symmetries]
    assert canonical in images
    assert canonical.canonical() == canonical
    for symmetry, image in zip(grid.symmetries, images, strict=True):
        assert image.canonical() == canonical
        assert image.transformed(symmetry.inverse) == position
        assert judge(image.board).verdict == judge(position.board).verdict
        assert image.turn == position.turn
        assert image.legal_moves == sorted(
            symmetry.image(cell, grid.rows, grid.cols) for cell in position.legal_moves
        )


@given(played_boards(), st.data())
def test_turning_and_playing_commute(played: Played, data: st.DataObject) -> None:
    position = position_of(*played[:2])
    grid = position.grid
    symmetry = data.draw(st.sampled_from(grid.symmetries))
    for move in position.legal_moves:
        turned = position.transformed(symmetry).play(symmetry.image(move, grid.rows, grid.cols))
        assert position.play(move).transformed(symmetry) == turned


def test_canonical_classes_of_3x3() -> None:
    entry = next(entry for entry in vectors("count.json") if entry["grid"] == "3x3x3")
    positions = [position_of((3, 3, 3), cells) for cells in reachable_verdicts(3, 3, 3)]
    assert len(set(positions)) == entry["positions"] == 5478
    classes = {position.canonical() for position in positions}
    assert len(classes) == entry["positions_up_to_symmetry"] == 765


@for_each("shape", [(2, 3, 2), (1, 5, 2), (2, 2, 2), (3, 2, 3)])
def test_equal_canonical_forms_mean_symmetric_images(shape: Shape) -> None:
    rows, cols, _ = shape
    orbits: dict[str, frozenset[str]] = {}
    by_canonical: dict[GridPosition, set[str]] = {}
    for cells in reachable_verdicts(*shape):
        images = []
        for symmetry in Grid(*shape).symmetries:
            image = [""] * len(cells)
            for cell, mark in enumerate(cells):
                image[symmetry.image(cell, rows, cols)] = mark
            images.append("".join(image))
        orbits[cells] = frozenset(images)
        by_canonical.setdefault(position_of(shape, cells).canonical(), set()).add(cells)
    assert set(orbits.values()) == {frozenset(cells) for cells in by_canonical.values()}


def test_a_symmetry_must_map_the_board_to_itself() -> None:
    with pytest.raises(SizeError):
        GridPosition.start("2x3x2").transformed(Symmetry.ROTATE_90)
    assert GridPosition.start("3x3x2").transformed(Symmetry.ROTATE_90) == GridPosition.start(
        "3x3x2"
    )


# ----------------------------------------------------------------------------------- round trips


@given(played_boards())
def test_every_form_is_read_back(played: Played) -> None:
    shape, cells, _ = played
    grid = Grid(*shape)
    position = position_of(shape, cells)
    rows = rows_of(cells, grid.cols)
    data = json.loads(json.dumps(position.to_json()))
    for image in [
        GridPosition.parse(position.text),
        GridPosition.parse(rows, grid),
        GridPosition.parse("/".join(rows), k=grid.k),
        GridPosition.from_json(data),
        pickle.loads(pickle.dumps(position)),
        copy.deepcopy(position),
        eval(repr(position)),
    ]:
        assert image == position
        assert hash(image) == hash(position)
        assert (image.turn, image.outcome) == (position.turn, position.outcome)
    assert position.text == board_of(shape, cells).text


@given(played_boards())
def test_json_says_what_is_derived_but_does_not_trust_it(played: Played) -> None:
    position = position_of(*played[:2])
    data = json.loads(json.dumps(position.to_json()))
    if position.outcome is None:
        assert (data["turn"], data["outcome"]) == (position.turn, None)
    else:
        assert data["outcome"] is not None
    lying = {**data, "turn": position.turn.other, "outcome": "X_wins", "extra": [1]}
    assert GridPosition.from_json(lying) == position


@given(played_boards())
def test_moves_have_names(played: Played) -> None:
    position = position_of(*played[:2])
    for move in range(position.grid.cells):
        name = position.move_name(move)
        assert position.read_move(name) == move
        assert position.read_move(str(move)) == move
        letter = "abcdefghij"[move % position.grid.cols]
        assert name == f"{letter}{move // position.grid.cols + 1}"


@for_each("bad", [9, -1, 10**400, *NOT_WHOLE])
def test_only_cells_have_names(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        GridPosition.start("3x3x3").move_name(bad)


@for_each("bad", NOT_TEXT)
def test_moves_are_read_from_text(bad: Any) -> None:
    with pytest.raises(NotationError):
        GridPosition.start("3x3x3").read_move(bad)


# ------------------------------------------------------------------- what every game must satisfy

ANY_POSITION = st.one_of(
    played_boards().map(lambda played: position_of(*played[:2])), ultimate_positions()
)


@ultimate_settings
@given(ANY_POSITION)
def test_every_game_keeps_the_same_contract(position: GridPosition | UltimatePosition) -> None:
    assert isinstance(position, Position)
    assert require_game(position) is position
    moves = position.legal_moves
    assert moves == sorted(set(moves))
    assert position.move_count == len(moves) == perft(position, 1)
    assert (position.outcome is None) == bool(moves)
    assert position.text.startswith(position.game + ":")
    assert position.canonical().canonical() == position.canonical()
    json.dumps(position.to_json())
    for move in moves:
        child = position.play(move)
        assert child == position.play_unchecked(move)
        assert child.turn is position.turn.other
        assert child.game == position.game
        assert position.read_move(position.move_name(move)) == move
    if position.outcome is not None:
        lines = position.outcome.lines
        assert (position.outcome.termination is Termination.LINE) == bool(lines)


@for_each("bad", [None, 3, "3x3x3", Board.parse("..."), Grid(3, 3, 3), Variant.OPEN])
def test_what_is_not_a_position_is_refused(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        require_game(bad)


def test_players() -> None:
    assert Player.X.other is Player.O
    assert Player.O.other is Player.X
    assert [f"{player}" for player in Player] == ["X", "O"]
    assert Verdict.turn_of(Player.X) == "X_turn"
    assert Verdict.turn_of(Player.O) == "O_turn"
    assert Verdict.win_of(Player.X) == "X_wins"
    assert Verdict.win_of(Player.O) == "O_wins"


@given(records())
def test_moves_are_played_by_number_and_by_name(game: Game[Any]) -> None:
    position = game.position
    for move in position.legal_moves:
        name = position.move_name(move)
        assert position.number_of(move) == position.number_of(name) == move
        assert position.play(name) == position.play(str(move)) == position.play(move)
        assert 0 <= move < position.size


def test_a_name_that_cannot_be_read_is_not_played() -> None:
    for game in ("3x3x3", "ultimate"):
        for bad in ("", "j9", "zz", "81", "-1", "b2 "):
            with pytest.raises(NotationError):
                start(game).play(bad)


# ------------------------------------------------------------------------------ the constructor


@given(drawn_boards())
def test_the_constructor_takes_what_the_verdict_calls_valid(drawn: Drawn) -> None:
    board = board_of(*drawn)
    judgement = judge(board)
    if judgement.verdict is Verdict.INVALID:
        with pytest.raises(InvalidPosition) as caught:
            GridPosition(board.grid, board.x, board.o)
        assert caught.value.reasons == judgement.reasons
    else:
        assert GridPosition(board.grid, board.x, board.o) == GridPosition.of(board)


def test_the_constructor_refuses_what_is_not_a_board() -> None:
    grid = Grid(3, 3, 3)
    for bad in (1 << 9, 1 << 20, -1, 1.0, True, None, "1", [1]):
        for x, o in ((bad, 0), (0, bad)):
            with pytest.raises(SizeError):
                GridPosition(grid, x, o)  # type: ignore[arg-type]
    for other in (None, 3, "3x3x3", Grid(10**9, 10**9, 5)):
        with pytest.raises(SizeError):
            GridPosition(other, 0, 0)  # type: ignore[arg-type]
    with pytest.raises(SizeError, match="cell 0 holds both"):
        GridPosition(grid, 1, 1)


@given(played_boards())
def test_the_unchecked_way_gives_the_same_position(played: Played) -> None:
    position = position_of(*played[:2])
    checked = GridPosition(position.grid, position.x, position.o)
    unchecked = GridPosition.unchecked(position.grid, position.x, position.o)
    assert checked == unchecked
    assert hash(checked) == hash(unchecked)
    assert pickle.loads(pickle.dumps(unchecked)) == checked


def test_whether_something_is_a_position_is_asked_without_computing_anything() -> None:
    position = GridPosition.start("3x3x3")
    require_game(position)
    Game(position)
    assert "outcome" not in vars(position)
    with pytest.raises(TypeError):
        Position()  # type: ignore[abstract]
