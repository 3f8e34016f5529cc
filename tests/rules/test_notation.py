from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noughts import (
    Board,
    Game,
    Grid,
    GridPosition,
    NotationError,
    NoughtsError,
    UltimatePosition,
    Variant,
    parse_position,
    start,
)
from noughts.exercises import state, valid_tic_tac_toe
from noughts.rules.grid_notation import cell_name, column_name, read_cell, read_marks, write_marks
from noughts.rules.ultimate_notation import (
    UltimateFields,
    picture_cell,
    read_ultimate_fen,
    read_ultimate_line,
    read_ultimate_move,
    ultimate_move_name,
    write_ultimate_fen,
    write_ultimate_line,
)
from support.cases import for_each
from support.strategies import (
    FOREIGN,
    NOT_TEXT,
    NOT_WHOLE,
    VARIANTS,
    Drawn,
    board_of,
    boards_of,
    drawn_boards,
    mangled,
    masks_of,
    oracle_of,
    played_boards,
    rows_of,
    ultimate_games,
    ultimate_positions,
    ultimate_settings,
)

# ------------------------------------------------------------------------------ every parser

PARSERS: dict[str, Callable[[Any], object]] = {
    "Grid.parse": Grid.parse,
    "Board.parse": Board.parse,
    "Board.parse with a grid": lambda text: Board.parse(text, Grid(3, 3, 3)),
    "Board.parse with k": lambda text: Board.parse(text, k=2),
    "Position.start": GridPosition.start,
    "Position.parse": GridPosition.parse,
    "UltimatePosition.parse": UltimatePosition.parse,
    "UltimatePosition.parse open": lambda text: UltimatePosition.parse(text, Variant.OPEN),
    "Variant.parse": Variant.parse,
    "parse_position": parse_position,
    "start": start,
    "Game.parse": Game.parse,
    "read_marks": read_marks,
    "read_cell": lambda text: read_cell(Grid(3, 3, 3), text),
    "read_cell on a wide board": lambda text: read_cell(Grid(30, 30, 5), text),
    "Position.read_move": GridPosition.start("3x3x3").read_move,
    "UltimatePosition.read_move": UltimatePosition.start().read_move,
    "read_ultimate_move": read_ultimate_move,
    "read_ultimate_line": read_ultimate_line,
    "read_ultimate_fen": read_ultimate_fen,
    "state": state,
    "valid_tic_tac_toe": valid_tic_tac_toe,
    "Board.from_json grid": lambda text: Board.from_json({"grid": text, "rows": ["..."]}),
    "Board.from_json rows": lambda text: Board.from_json({"grid": "3x3x3", "rows": text}),
    "Position.from_json": lambda text: GridPosition.from_json({"grid": "3x3x3", "rows": text}),
    "UltimatePosition.from_json": lambda text: UltimatePosition.from_json(
        {"game": "ultimate-open", "position": text}
    ),
    "UltimatePosition.from_json game": lambda text: UltimatePosition.from_json(
        {"game": text, "position": "9/9/9/9/9/9/9/9/9 X -"}
    ),
    "Game.from_json": lambda text: Game.from_json({"start": text, "moves": []}),
    "Game.from_json moves": lambda text: Game.from_json({"start": "3x3x3", "moves": [text]}),
    "Game.play": lambda text: Game(GridPosition.start("3x3x3")).play(text),
    "UltimatePosition.play": UltimatePosition.start().play,
}


@st.composite
def game_texts(draw: st.DrawFn) -> str:
    """Draw the text of a game, on a grid or Ultimate."""
    if draw(st.booleans()):
        (rows, cols, k), _, moves = draw(played_boards())
        name = f"{rows}x{cols}x{k}"
    else:
        variant, moves = draw(ultimate_games())
        name = variant.text
    return " ".join([name, *map(str, moves[:20])])


READABLE: st.SearchStrategy[str] = st.one_of(
    drawn_boards().map(lambda drawn: "/".join(rows_of(drawn[1], drawn[0][1]))),
    drawn_boards().map(lambda drawn: board_of(*drawn).text),
    st.tuples(*[st.integers(1, 99)] * 3).map(lambda sizes: "{}x{}x{}".format(*sizes)),
    st.sampled_from([variant.text for variant in VARIANTS]),
    ultimate_positions().map(lambda position: position.text),
    ultimate_positions().map(lambda position: position.line),
    ultimate_positions().map(lambda position: position.fen),
    st.integers(0, 80).map(ultimate_move_name),
    st.integers(0, 8).map(lambda cell: cell_name(Grid(3, 3, 3), cell)),
    st.integers(0, 99).map(str),
    game_texts(),
)


@settings(max_examples=150)
@given(st.one_of(mangled(READABLE), READABLE, st.text()))
@example("")
@example("x" * 1000)
@example("9" * 5000)
@example("9" * 5000 + "x3x3")
@example("a" + "9" * 5000)
@example("\ud800")
@example("3x3x3:" + "\x00" * 9)
@example("ultimate:")
@example("ultimate-open:ultimate-open:")
@example("٣x٣x٣")
@example("X" * 5000)
@example("/" * 5000)
@example("z" * 5000 + "1")
def test_any_text_is_read_or_refused_with_our_own_error(text: str) -> None:
    for name, parser in PARSERS.items():
        error: NoughtsError | None = None
        try:
            parser(text)
        except NoughtsError as raised:
            error = raised
        if error is not None:
            assert str(error), name
        if isinstance(error, NotationError) and error.offset is not None:
            assert 0 <= error.offset <= len(error.text), name
            assert error.pointer() == "" or error.pointer().endswith("^"), name


@for_each("bad", NOT_TEXT)
@for_each("name", PARSERS)
def test_what_is_not_text_is_refused_with_our_own_error(name: str, bad: Any) -> None:
    if (name, bad) == ("Game.from_json moves", 3) or (name.endswith(".play") and bad == 3):
        PARSERS[name](bad)  # a move may be given by number
        return
    with pytest.raises(NoughtsError):
        PARSERS[name](bad)


# ------------------------------------------------------------------------------------- marks


@given(drawn_boards())
def test_marks_round_trip(drawn: Drawn) -> None:
    (rows, cols, _), cells = drawn
    x, o = masks_of(cells)
    texts = rows_of(cells, cols)
    assert write_marks(x, o, rows, cols) == texts
    assert read_marks(texts) == read_marks("/".join(texts)) == (rows, cols, x, o)


@given(drawn_boards(), st.data())
def test_only_space_and_zero_are_forgiven(drawn: Drawn, data: st.DataObject) -> None:
    (rows, cols, _), cells = drawn
    row, col = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1))
    char = data.draw(st.characters(exclude_characters="XO. 0/", exclude_categories=()))
    texts = rows_of(cells, cols)
    texts[row] = texts[row][:col] + char + texts[row][col + 1 :]
    for form in (texts, "/".join(texts)):
        with pytest.raises(NotationError) as caught:
            read_marks(form)
        assert caught.value.offset == row * (cols + 1) + col
        assert f"row {row + 1}, column {col + 1}:" in str(caught.value)


@for_each("char", [*FOREIGN, *"xo123456789ОΧ０Ｘ"])
def test_lookalikes_are_not_marks(char: str) -> None:
    with pytest.raises(NotationError):
        read_marks([char])


def test_a_slash_inside_a_row_of_a_list_is_no_mark() -> None:
    with pytest.raises(NotationError, match="row 2, column 2"):
        read_marks(["X..", "X/."])


# ------------------------------------------------------------------------------- names of cells


def test_columns_count_like_a_spreadsheet() -> None:
    names = [column_name(col) for col in range(26 + 26 * 26 + 26**3)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    expected = [
        *letters,
        *(a + b for a in letters for b in letters),
        *(a + b + c for a in letters for b in letters for c in letters),
    ]
    assert names == expected


@for_each("sizes", [(3, 3), (1, 800), (800, 1), (30, 27), (2, 5)])
def test_every_cell_has_a_name_that_leads_back(sizes: tuple[int, int]) -> None:
    grid = Grid(*sizes, 3)
    names = [cell_name(grid, cell) for cell in range(grid.cells)]
    assert len(set(names)) == grid.cells
    assert names[0] == "a1"
    for cell, name in enumerate(names):
        assert read_cell(grid, name) == cell
        assert read_cell(grid, str(cell)) == cell
        assert name == column_name(cell % sizes[1]) + str(cell // sizes[1] + 1)


@for_each(
    ("text", "offset"),
    [
        *[("B2", 0), ("b02", 1), ("b0", 1), ("b4", 1), ("d1", 0), ("aa1", 0), ("b2 ", 2)],
        *[(" b2", 0), ("2b", 1), ("b-1", 1), ("b+1", 1), ("9", 0), ("04", 0), ("-1", 0)],
        *[("+4", 0), ("b٢", 1), ("４", 0), ("b2b", 2), ("b2\n", 2), ("é1", 0), ("b²", 1)],
        *[("", 0), ("b", 1), ("b,2", 1)],
    ],
)
def test_bad_cell_names_are_pointed_at(text: str, offset: int) -> None:
    with pytest.raises(NotationError) as caught:
        read_cell(Grid(3, 3, 3), text)
    assert caught.value.text == text
    assert caught.value.offset == offset


@for_each("bad", [9, -1, 10**400, *NOT_WHOLE])
def test_only_cells_have_names(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        cell_name(Grid(3, 3, 3), bad)


# ------------------------------------------------------------------------------ Ultimate moves


def test_every_ultimate_move_has_a_name_that_leads_back() -> None:
    names = [ultimate_move_name(move) for move in range(81)]
    assert names == [board + cell for board in "abcdefghi" for cell in "abcdefghi"]
    for move, name in enumerate(names):
        assert read_ultimate_move(name) == move
        assert read_ultimate_move(str(move)) == move


@for_each(
    ("text", "offset"),
    [
        *[("AE", 0), ("aE", 1), ("ja", 0), ("aj", 1), ("a", 1), ("aee", 2), ("ae ", 2)],
        *[(" ae", 0), ("a e", 1), ("81", 0), ("100", 0), ("-1", 0), ("+1", 0), ("", 0)],
        *[("a4", 1), ("é", 0), ("aé", 1), ("٤", 0)],
    ],
)
def test_bad_ultimate_moves_are_pointed_at(text: str, offset: int) -> None:
    with pytest.raises(NotationError) as caught:
        read_ultimate_move(text)
    assert caught.value.text == text
    assert caught.value.offset == offset


@for_each("text", ["00", "04", "080", "1_0", "1.0", "1e1", "４０"])
def test_numbers_of_moves_are_plain(text: str) -> None:
    with pytest.raises(NotationError):
        read_ultimate_move(text)


def test_the_picture_shows_each_small_board_in_its_place() -> None:
    for move in range(81):
        game = oracle_of(Variant.STANDARD)
        game.play(move)
        flat = "".join("".join(row) for row in game.grid)
        assert flat.index("X") == picture_cell(move)
        assert picture_cell(picture_cell(move)) == move


# --------------------------------------------------------------------------- Ultimate positions


@ultimate_settings
@given(ultimate_games())
def test_lines_and_fens_say_the_same(played: tuple[Variant, list[int]]) -> None:
    variant, moves = played
    game = oracle_of(variant)
    for move in moves:
        game.play(move)
    boards = boards_of(game)
    x, o = masks_of("".join(boards))
    fields = UltimateFields(game.turn, game.forced, x, o, "".join(game.owners))
    line, fen = write_ultimate_line(fields), write_ultimate_fen(fields)
    for read in (read_ultimate_line(line), read_ultimate_fen(fen)):
        assert (read.turn, read.forced, read.x, read.o) == (game.turn, game.forced, x, o)
        assert read.owners is not None
        for board, owner in enumerate(read.owners):
            assert owner == game.owners[board] or (board == game.forced and owner == "@")
    assert line.split(";")[2] == "/".join(boards)


@ultimate_settings
@given(ultimate_games())
def test_what_was_read_is_written_again(played: tuple[Variant, list[int]]) -> None:
    variant, moves = played
    position = UltimatePosition.start(variant)
    for move in moves:
        position = position.play(move)
    assert write_ultimate_line(read_ultimate_line(position.line)) == position.line
    assert write_ultimate_fen(read_ultimate_fen(position.fen)) == position.fen


def test_a_fen_without_owners_is_written_without_them() -> None:
    text = "9/9/9/9/4X4/9/9/9/9 O e"
    fields = read_ultimate_fen(text)
    assert fields.owners is None
    assert write_ultimate_fen(fields) == text
