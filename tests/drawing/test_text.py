"""Boards as text: every picture is read back, cell by cell, the way a person reads it.

A mark belongs to the column label it stands under and to the row label it stands beside. The
readers below find labels first and then look in those places only, so a picture whose columns
shift is misread and the test fails.
"""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from noughts import Board, Game, GridPosition, UltimatePosition
from noughts.drawing import Diagram, draw_text
from support.cases import for_each

ANSI = re.compile(r"\x1b\[[0-9;]*m")


# -- diagrams to draw --------------------------------------------------------------------


def column_label(col: int) -> str:
    """Name a column a to z, then aa, ab, ... without the library's help."""
    if col < 26:
        return chr(ord("a") + col)
    return column_label(col // 26 - 1) + column_label(col % 26)


def plain(rows: int, cols: int, marks: str, **more: object) -> Diagram:
    """Make the diagram of a grid."""
    labels = tuple(map(column_label, range(cols))), tuple(str(row + 1) for row in range(rows))
    return Diagram(rows, cols, marks, "caption", *labels, **more)  # type: ignore[arg-type]


def marked(marks: str) -> st.SearchStrategy[int | None]:
    """Choose a cell that holds a mark, as a last move does, or none."""
    return st.sampled_from([None, *(cell for cell, mark in enumerate(marks) if mark != ".")])


@st.composite
def grids(draw: st.DrawFn, most: int = 8, *, values: int = 0, last: bool = True) -> Diagram:
    """Draw a grid's diagram: marks, perhaps a last move, perhaps values up to a length."""
    rows, cols = draw(st.integers(1, most)), draw(st.integers(1, most))
    cells = rows * cols
    marks = draw(st.text("XO..", min_size=cells, max_size=cells))
    line = draw(st.sampled_from([(), tuple(range(min(3, cols)))]))
    marks = "X" * len(line) + marks[len(line) :]
    place = draw(marked(marks)) if last else None
    label = st.text("0123456789+-=wdl", min_size=1, max_size=max(values, 1))
    labels = draw(st.dictionaries(st.integers(0, cells - 1), label, max_size=5)) if values else {}
    empty = {cell: text for cell, text in labels.items() if marks[cell] == "."}
    return plain(rows, cols, marks, last=place, lines=(line,) if line else (), values=empty)


@st.composite
def ultimates(draw: st.DrawFn, values: int = 0) -> Diagram:
    """Draw the diagram of an Ultimate position: any marks, any owners."""
    marks = draw(st.text("XO..", min_size=81, max_size=81))
    label = st.text("0123456789+-=wdl", min_size=1, max_size=max(values, 1))
    labels = draw(st.dictionaries(st.integers(0, 80), label, max_size=5)) if values else {}
    return Diagram(
        rows=9,
        cols=9,
        marks=marks,
        caption="caption",
        owners=draw(st.text("XO#.", min_size=9, max_size=9)),
        playable=tuple(sorted(draw(st.sets(st.integers(0, 8))))),
        last=draw(marked(marks)),
        values={cell: text for cell, text in labels.items() if marks[cell] == "."},
    )


# -- reading pictures back ---------------------------------------------------------------


def body(picture: str) -> list[str]:
    """Return the lines of a picture without its caption."""
    *lines, caption = picture.split("\n")
    assert caption == "caption"
    return lines


def read_lattice(picture: str, *, down: str = "│", across: str = "─┼") -> list[list[str]]:
    """Read a roomy picture: what stands between the bars, which must be straight lines."""
    header, *lines = body(picture)
    rows, rules = lines[::2], lines[1::2]
    assert len(rows) == len(rules) + 1
    for rule in rules:
        assert set(rule.strip()) <= set(across)
        assert rule == rules[0]
    bars = {tuple(i for i, char in enumerate(row) if char == down) for row in rows}
    assert len(bars) == 1, f"the bars are not straight:\n{picture}"
    (at,) = bars
    if rules:
        assert at == tuple(i for i, char in enumerate(rules[0]) if char == across[1])
    gutter = len(str(len(rows))) + 2
    assert not rules or len(rules[0]) - len(rules[0].lstrip()) == gutter
    edges = [gutter - 1, *at, max(map(len, [header, *lines])) + 1]
    labels = [header[left + 1 : right].strip() for left, right in pairwise(edges)]
    assert labels == [column_label(col) for col in range(len(labels))], picture
    assert [row[:gutter].strip() for row in rows] == [str(i + 1) for i in range(len(rows))]
    return [[row[left + 1 : right].strip() for left, right in pairwise(edges)] for row in rows]


def read_columns(picture: str) -> list[list[str]]:
    """Read a compact picture of single characters: what stands right under each label."""
    header, *rows = body(picture)
    places = [match.start() for match in re.finditer(r"\S+", header)]
    assert header.split() == [column_label(col) for col in range(len(places))]
    assert [row.split()[0].rstrip("([") for row in rows] == [str(i + 1) for i in range(len(rows))]
    cells = []
    for row in rows:
        line = row.ljust(places[-1] + 2)
        cells.append([line[place] for place in places])
        for place in places:
            assert line[place - 1] in " ([])", picture
    return cells


def unbracketed(cells: list[list[str]]) -> list[list[str]]:
    return [[cell.strip("[]()").strip() for cell in row] for row in cells]


def expected(diagram: Diagram, empty: str) -> list[list[str]]:
    """Return what each cell should show."""
    shown = [
        diagram.values.get(cell, empty) if mark == "." else mark
        for cell, mark in enumerate(diagram.marks)
    ]
    return [shown[row * diagram.cols :][: diagram.cols] for row in range(diagram.rows)]


def brackets(diagram: Diagram) -> dict[int, str]:
    """Return which cells stand in which brackets; a line outranks the last move."""
    found = {} if diagram.last is None else {diagram.last: "()"}
    return found | {cell: "[]" for line in diagram.lines for cell in line}


# -- roomy -------------------------------------------------------------------------------


@given(grids())
def test_roomy_shows_every_mark_in_its_place(diagram: Diagram) -> None:
    assume(len(diagram.marks) > 1)  # one cell alone has no lines around it
    picture = draw_text(diagram, width=1000)
    assert unbracketed(read_lattice(picture)) == expected(diagram, "")


@given(grids(values=6))
def test_roomy_shows_every_value_in_its_place(diagram: Diagram) -> None:
    """Also with a last move and lines in brackets: the columns stay straight."""
    assume(len(diagram.marks) > 1)  # one cell alone has no lines around it
    picture = draw_text(diagram, width=1000)
    assert unbracketed(read_lattice(picture)) == expected(diagram, "")


@given(grids(values=4))
def test_roomy_brackets_the_last_move_and_the_lines(diagram: Diagram) -> None:
    assume(len(diagram.marks) > 1)
    cells = read_lattice(draw_text(diagram, width=1000))
    found = {}
    for row, line in enumerate(cells):
        for col, text in enumerate(line):
            if text[:1] in ("(", "["):
                assert text[-1:] in (")", "]")
                found[row * diagram.cols + col] = text[0] + text[-1]
    assert found == brackets(diagram)


@for_each("label", ["-", "-2", "win", "loss", "unknown"])
def test_columns_stay_straight_beside_a_bracket(label: str) -> None:
    diagram = plain(3, 3, "O...X....", last=0, values={6: label})
    cells = unbracketed(read_lattice(draw_text(diagram)))
    assert cells == [["O", "", ""], ["", "X", ""], [label, "", ""]]


def test_columns_stay_straight_past_z() -> None:
    """Two-letter columns make every cell two wide; a bracketed mark has to fit in as well."""
    diagram = plain(2, 30, "." * 3 + "X" + "." * 56, last=3)
    cells = unbracketed(read_lattice(draw_text(diagram, width=1000)))
    assert cells == [["", "", "", "X"] + [""] * 26, [""] * 30]


def test_the_picture_in_the_module_docstring() -> None:
    diagram = plain(3, 3, "XO..XO..X", lines=((0, 4, 8),), last=8)
    assert draw_text(diagram) == (
        "    a   b   c\n"
        "1  [X]│ O │\n"
        "   ───┼───┼───\n"
        "2     │[X]│ O\n"
        "   ───┼───┼───\n"
        "3     │   │[X]\n"
        "caption"
    )


# -- compact and dense -------------------------------------------------------------------


@given(grids(most=20), st.sampled_from(["", "ascii"]))
def test_compact_shows_every_mark_in_its_place(diagram: Diagram, style: str) -> None:
    roomy = draw_text(diagram, width=1000)
    compact = draw_text(diagram, width=widest(roomy) - 1, ascii_only=bool(style))
    if "┼" in compact or diagram.cols == 1:
        return  # a single column is no narrower in the compact style
    assert read_columns(compact) == expected(diagram, "." if style else "·")


def widest(picture: str) -> int:
    return max(map(len, body(picture)))


def as_compact(diagram: Diagram) -> str:
    return draw_text(diagram, width=widest(draw_text(diagram, width=1000)) - 1)


def test_compact_brackets_the_last_move() -> None:
    picture = as_compact(plain(2, 5, "X..O......", last=3))
    assert picture.split("\n")[1] == "1  X · ·(O)·"


def test_compact_brackets_a_line_down() -> None:
    picture = as_compact(plain(3, 5, "X....X....X....", lines=((0, 5, 10),)))
    assert [line[:6] for line in picture.split("\n")[1:4]] == ["1 [X]·", "2 [X]·", "3 [X]·"]


@given(grids(most=20))
def test_compact_brackets_are_pairs(diagram: Diagram) -> None:
    """A line across must not come out as ``[X[X[X]``."""
    roomy = draw_text(diagram, width=1000)
    for line in draw_text(diagram, width=widest(roomy) - 1).split("\n"):
        for pair in ("()", "[]"):
            assert line.count(pair[0]) == line.count(pair[1]), line


@given(grids(most=20, values=3))
def test_compact_shows_values(diagram: Diagram) -> None:
    roomy = draw_text(diagram, width=1000)
    width = widest(roomy) - 1
    compact = draw_text(diagram, width=width)
    words = " ".join(line[2:] for line in body(compact)[1:])
    for label in diagram.values.values():
        assert label in words or "┼" not in roomy


def test_compact_columns_stay_straight_beside_a_bracket() -> None:
    diagram = plain(3, 5, "O...." * 3, last=0, values={2: "-2", 7: "10"})
    header, *rows = body(as_compact(diagram))
    for row, label in ((rows[0], "-2"), (rows[1], "10")):
        assert row.index(label) == header.index("c")
    assert rows[2].rindex("·") == header.index("e")


@given(grids(most=30, last=False))
def test_dense_shows_every_mark_in_its_place(diagram: Diagram) -> None:
    header, *rows = body(draw_text(diagram, width=1))
    gutter = len(str(diagram.rows)) + 1
    assert [row[:gutter].strip() for row in rows] == [str(i + 1) for i in range(diagram.rows)]
    assert [list(row[gutter:]) for row in rows] == expected(
        plain(diagram.rows, diagram.cols, diagram.marks), "·"
    )
    for match in re.finditer(r"\S+", header):
        col = match.start() - gutter
        assert match[0] == column_label(col), "the ruler names the columns it stands over"


# -- what holds for all ------------------------------------------------------------------


@given(grids(most=40, values=4) | ultimates(values=4), st.booleans(), st.integers(1, 120))
def test_no_trailing_spaces(diagram: Diagram, ascii_only: bool, width: int) -> None:
    picture = draw_text(diagram, ascii_only=ascii_only, width=width)
    assert all(line == line.rstrip() for line in picture.split("\n"))
    assert not picture.endswith("\n")


@given(grids(most=40, values=4) | ultimates(values=4), st.integers(1, 120))
def test_ascii_is_ascii_and_otherwise_the_same(diagram: Diagram, width: int) -> None:
    ascii_picture = draw_text(diagram, ascii_only=True, width=width)
    assert ascii_picture.isascii()
    translated = draw_text(diagram, width=width).translate(str.maketrans("│─┼·", "|-+."))
    assert ascii_picture == translated


@given(grids(most=40), st.integers(10, 120))
def test_width_is_respected_where_possible(diagram: Diagram, width: int) -> None:
    picture = draw_text(diagram, width=width)
    narrowest = len(str(diagram.rows)) + 1 + diagram.cols
    if narrowest <= width:
        assert widest(picture) <= width


@given(grids(most=40), st.integers(10, 120), st.integers(1, 60))
def test_height_is_respected_where_possible(diagram: Diagram, width: int, height: int) -> None:
    picture = draw_text(diagram, width=width, height=height)
    if diagram.rows + 2 <= height:  # the names of the columns, the rows, and the caption
        assert len(picture.split("\n")) <= height
    plenty = draw_text(diagram, width=width, height=2 * diagram.rows + 1)
    assert plenty == draw_text(diagram, width=width)


@for_each("cols", [11, 21, 31, 41, 71])
def test_the_ruler_is_no_wider_than_the_board(cols: int) -> None:
    diagram = plain(1, cols, "." * cols)
    header, row = body(draw_text(diagram, width=cols + 2))
    assert len(row) == cols + 2
    assert len(header) <= cols + 2


@given(grids(), st.integers(1, 120))
def test_wider_is_never_narrower(diagram: Diagram, width: int) -> None:
    """The roomiest style that fits is taken."""
    picture = draw_text(diagram, width=width)
    roomy = draw_text(diagram, width=1000)
    assert (picture == roomy) == (widest(roomy) <= width) or diagram.cols == 1


@given(grids(values=3) | ultimates(values=3))
def test_colours_only_add_colours(diagram: Diagram) -> None:
    coloured = draw_text(diagram, colour=True)
    assert ANSI.sub("", coloured) == draw_text(diagram)
    assert coloured.count("\x1b[0m") * 2 == coloured.count("\x1b[")
    assert coloured.count("\x1b[0m") >= diagram.marks.count("X") + diagram.marks.count("O")


def test_the_caption_is_never_coloured() -> None:
    diagram = plain(1, 1, ".")
    assert "\x1b" not in draw_text(Diagram(1, 1, ".", "X to move", ("a",), ("1",)), colour=True)
    assert "\x1b" not in draw_text(diagram, colour=True)


def test_labels_are_optional() -> None:
    """`Diagram` has no labels unless they are given, and is drawn without them."""
    for width in (80, 4, 1):
        picture = draw_text(Diagram(2, 3, "X.OO.X", "caption"), width=width)
        assert picture.count("X") == 2
        assert picture.count("O") == 2


@for_each("label", ["漢", "½", "é", "👍"])
def test_labels_in_other_scripts(label: str) -> None:
    assert label in draw_text(plain(3, 3, "." * 9, values={4: label}))


# -- Ultimate ----------------------------------------------------------------------------


def read_blocks(picture: str, width: int = 1) -> tuple[list[list[str]], str]:
    """Read an Ultimate picture; return nine rows of nine cells, and the key beside it."""
    lines = body(picture)
    rules = [lines.pop(7), lines.pop(3)]
    block = 3 * (width + 1) + 1
    assert rules[0] == rules[1]
    assert len(rules[0]) == 3 * block + 2
    rows, key = [], ""
    for line in lines:
        line = line.ljust(3 * block + 2)
        assert line[block] == line[2 * block + 1] == "│", picture
        cells = []
        for start in (0, block + 1, 2 * block + 2):
            for cell in range(3):
                at = start + 1 + cell * (width + 1)
                cells.append(line[at : at + width].strip())
        rows.append(cells)
        key += line[3 * block + 2 :]
    return rows, key


@given(ultimates())
def test_ultimate_shows_every_mark_in_its_place(diagram: Diagram) -> None:
    rows, _ = read_blocks(draw_text(diagram))
    for row in range(9):
        for col in range(9):
            mark = diagram.marks[row * 9 + col]
            playable = diagram.block(row * 9 + col) in diagram.playable
            assert rows[row][col] == (mark if mark != "." else "·" if playable else "")


@given(ultimates(values=4))
def test_ultimate_columns_stay_straight_with_values(diagram: Diagram) -> None:
    longest = max([len(label) for label in diagram.values.values()], default=1)
    picture = draw_text(diagram, width=200)
    rows, _ = read_blocks(picture, 1 if longest <= 1 else max(longest, 3))
    for cell, label in diagram.values.items():
        assert rows[cell // 9][cell % 9].strip("()") == label, picture
    marks = "".join("".join(row) for row in rows)
    for mark in "XO":
        assert marks.count(mark) == diagram.marks.count(mark)


@given(ultimates())
def test_ultimate_brackets_the_last_move(diagram: Diagram) -> None:
    picture = draw_text(diagram)
    board = "\n".join(line[:23] for line in body(picture))
    assert board.count("(") == board.count(")") == (diagram.last is not None)
    if diagram.last is not None:
        row, col = divmod(diagram.last, 9)
        line = [line for line in body(picture) if "┼" not in line][row]
        at = col // 3 * 8 + 1 + col % 3 * 2
        assert (line[at - 1], line[at + 1]) == ("(", ")")


@given(ultimates())
def test_ultimate_key_names_boards_and_owners(diagram: Diagram) -> None:
    _, key = read_blocks(draw_text(diagram))
    assert diagram.owners is not None
    names = re.findall(r"[a-iXO#]", key)
    assert names == ["abcdefghi"[i] if o == "." else o for i, o in enumerate(diagram.owners)]
    if len(diagram.playable) == 1:
        (forced,) = diagram.playable
        assert re.findall(r"\[(.)\]", key) == [names[forced]]


def test_ultimate_in_80_columns() -> None:
    values = dict.fromkeys(range(81), "loss")
    diagram = Diagram(9, 9, "." * 81, "caption", values=values, owners="." * 9)
    assert widest(draw_text(diagram)) <= 80


def test_ultimate_in_80_columns_with_longer_values() -> None:
    """The nine boards alone would fit; then it is the key that has to give way."""
    values = dict.fromkeys(range(81), "win 12")
    diagram = Diagram(9, 9, "." * 81, "caption", values=values, owners="." * 9)
    assert widest(draw_text(diagram)) <= 80


def test_ultimate_shows_three_boards_in_line() -> None:
    diagram = Diagram(9, 9, "." * 81, "caption", owners="XXXOO#...", lines=((0, 1, 2),))
    _, key = read_blocks(draw_text(diagram))
    assert key.split() == ["[X]", "[X]", "[X]", "O", "O", "#", "g", "h", "i"]


# -- positions show themselves -----------------------------------------------------------


def test_str_of_a_board_and_its_positions() -> None:
    for text in ("XX./OO./...", "XXX/OO./..."):
        board, position = str(Board.parse(text)), str(GridPosition.parse(text))
        assert board.split("\n")[:-1] == position.split("\n")[:-1]
    assert str(Game.parse("3x3x3 b2")).split("\n")[3] == "2     │(X)│"
    assert str(UltimatePosition.start()).split("\n")[-1].startswith("ultimate, X to move")


@given(st.lists(st.integers(0, 80), max_size=60))
def test_ultimate_position_is_drawn_as_it_is(choices: list[int]) -> None:
    """A game's position, read back from its picture and compared with its FEN."""
    position = UltimatePosition.start()
    for choice in choices:
        if moves := position.legal_moves:
            position = position.play(moves[choice % len(moves)])
    diagram = position.diagram()
    picture = draw_text(diagram).replace(diagram.caption, "caption")
    rows, _ = read_blocks(picture)
    fen_rows = position.fen.split(" ")[0].split("/")
    for row, fen_row in zip(rows, fen_rows, strict=True):
        spread = re.sub(r"\d", lambda run: "." * int(run[0]), fen_row)
        assert "".join(cell if cell in ("X", "O") else "." for cell in row) == spread
