"""`noughts show`, from issue 2 and its help. What the pictures look like: see tests/drawing."""

from __future__ import annotations

import os
import stat
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from support.cli_runner import Result, run, spawn

CENTRE_FEN = "9/9/9/9/4X4/9/9/9/9 O e"
CENTRE_LINE = "O;....@....;" + "/".join(["........."] * 4 + ["....X...."] + ["........."] * 4)
SVG = "{http://www.w3.org/2000/svg}"

XX_OO = """\
    a   b   c
1   X │ X │
   ───┼───┼───
2   O │ O │
   ───┼───┼───
3     │   │
3x3x3, X to move
"""


def svg_of(result: Result) -> ET.Element:
    assert (result.code, result.err) == (0, "")
    root = ET.fromstring(result.out)
    assert root.tag == f"{SVG}svg"
    return root


def widest(result: Result) -> int:
    return max(map(len, result.lines))


# -- what can be shown -------------------------------------------------------------------


@pytest.mark.parametrize(
    "position", ["XX./OO./...", "3x3x3:XX./OO./...", "XX /OO /   ", "XX./00./...", "XX /00 /. ."]
)
def test_board(position: str) -> None:
    for result in (run("show", position), run("show", stdin=f"{position}\n")):
        assert (result.code, result.err) == (0, "")
        assert result.out == XX_OO


def test_grid() -> None:
    result = run("show", "4x5x3")
    assert result.code == 0
    assert result.lines[0].split() == list("abcde")
    assert [line[0] for line in result.lines[1:-1:2]] == list("1234")
    assert result.lines[-1] == "4x5x3, X to move"
    assert "X" not in "".join(result.lines[:-1])


@pytest.mark.parametrize(
    ("position", "caption"),
    [
        ("X../.../...", "O to move"),
        ("XXX/OO./...", "X wins"),
        ("XXO/XO./O..", "O wins"),
        ("XOX/OXX/OXO", "draw"),
        ("4x4x4:XXX./OO../..../....", "O to move"),
    ],
)
def test_caption_says_where_the_game_stands(position: str, caption: str) -> None:
    assert run("show", position).lines[-1].endswith(f", {caption}")


@pytest.mark.parametrize("board", ["XXX/OOO/...", "OO./.../...", "4x4x4:XXXX/..../..../OOOO"])
def test_invalid_board_is_drawn_all_the_same(board: str) -> None:
    result = run("show", board)
    assert (result.code, result.err) == (0, "")
    text = "".join(result.lines[1:-1])
    assert text.count("X") == board.count("X")
    assert text.count("O") == board.count("O")
    assert "to move" not in result.lines[-1]
    assert "wins" not in result.lines[-1]


def test_invalid_board_is_called_invalid() -> None:
    """The picture of an impossible board cannot be mistaken for a position of a game."""
    assert "invalid" in run("show", "XXX/OOO/...").lines[-1]


def test_game_with_moves() -> None:
    for result in (
        run("show", "3x3x3", "b2", "a1", "c3"),
        run("show", "3x3x3 b2 a1 c3"),
        run("show", "3x3x3", "4", "0", "8"),
        run("show", ".../.X./...", "a1", "c3"),
        run("show", stdin="3x3x3 b2 a1 c3\n"),
    ):
        assert result.code == 0
        assert result.lines[1].split("│")[0] == "1   O "
        assert result.lines[3].split("│")[1] == " X "
        assert result.lines[5].split("│")[2] == "(X)"
        assert result.lines[-1] == "3x3x3, O to move"


def test_winning_line_stands_in_brackets() -> None:
    lines = run("show", "3x3x3", "a1", "a2", "b1", "b2", "c1").lines
    assert lines[1] == "1  [X]│[X]│[X]"
    assert lines[3] == "2   O │ O │"
    assert lines[-1] == "3x3x3, X wins"


@pytest.mark.parametrize(
    "words",
    [
        ["ultimate", "ee"],
        ["ultimate ee"],
        ["ultimate", "40"],
        [CENTRE_LINE],
        [f"ultimate:{CENTRE_LINE}"],
        [CENTRE_FEN],
        CENTRE_FEN.split(),
        [f"ultimate:{CENTRE_FEN}"],
    ],
)
def test_ultimate(words: list[str]) -> None:
    for result in (run("show", *words), run("show", stdin=" ".join(words))):
        assert (result.code, result.err) == (0, "")
        picture = result.out.replace("(X)", " X ")
        assert picture == run("show", CENTRE_LINE).out
        assert result.lines[-1] == "ultimate, O to move in board e (centre)"


def test_moves_after_a_fen() -> None:
    by_fen = run("show", CENTRE_FEN, "ea", "ae")
    by_line = run("show", CENTRE_LINE, "ea", "ae")
    assert by_line.code == 0
    assert by_fen == by_line


def test_moves_after_a_board_with_spaces() -> None:
    assert run("show", "XX /OO /   ", "c3") == run("show", "XX./OO./...", "c3")


@pytest.mark.parametrize("game", ["ultimate-open", "ultimate-most-boards"])
def test_ultimate_variants(game: str) -> None:
    result = run("show", game, "ee", "ea")
    assert result.code == 0
    assert result.lines[-1].startswith(f"{game}, X to move")


def test_undone_moves_are_not_shown() -> None:
    assert run("show", "3x3x3 b2 a1 | c3").out == run("show", "3x3x3 b2 a1").out


def test_several_lines_of_input() -> None:
    lines = ["XX./OO./...", "3x3x3 b2 a1", CENTRE_LINE]
    alone = [run("show", line).out for line in lines]
    together = run("show", stdin="\n\n".join(lines) + "\n")
    assert together.code == 0
    at = [together.out.index(picture) for picture in alone]
    assert at == sorted(at)
    assert sum(map(len, alone)) <= len(together.out) <= sum(map(len, alone)) + 2


def test_pictures_stand_apart() -> None:
    """Between two pictures there is an empty line, or it is hard to see where one ends."""
    result = run("show", stdin="XX./OO./...\nXX./OO./...\n")
    assert result.out == f"{XX_OO}\n{XX_OO}"


def test_errors_do_not_stop_the_rest() -> None:
    result = run("show", stdin="XX./OO./...\n\nnonsense\nX?.\n3x3x3 b2 b2\n3x3x3\n")
    assert result.code == 2
    assert "3x3x3, X to move" in result.lines
    assert result.lines.count("3x3x3, X to move") == 2
    complaints = [line for line in result.err.splitlines() if line.startswith("Error")]
    assert [f"line {number}" in text for number, text in zip([3, 4, 5], complaints, strict=True)]


@pytest.mark.parametrize("stdin", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_nothing_to_show(stdin: bytes) -> None:
    result = run("show", stdin=stdin)
    assert result.failed_politely()
    assert result.out == ""


def test_files(tmp_path: Path) -> None:
    (tmp_path / "games").write_bytes(b"\xef\xbb\xbfXX./OO./...\r\n\r\n3x3x3 b2\r\n")
    result = run("show", "-f", str(tmp_path / "games"))
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(XX_OO)
    assert run("show", "-f", str(tmp_path / "missing")).failed_politely()
    assert run("show", "-f", str(tmp_path)).failed_politely()


# -- what cannot -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["foo"], "foo"),
        ([""], ""),
        ([" "], ""),
        (["3x3"], "3x3"),
        (["0x3x3"], "rows"),
        (["999999999x999999999x3"], "cells"),
        (["XX?/OO./..."], "'?'"),
        (["XX./OO"], "row 2"),
        (["3x3x3", "d1"], "column d"),
        (["3x3x3", "a4"], "row 4"),
        (["3x3x3", "a0"], "row 0"),
        (["3x3x3", "9"], "9"),
        (["3x3x3", "b2", "b2"], "taken"),
        (["XXX/OO./...", "c3"], "over"),
        (["XXX/OOO/...", "c3"], "both"),
        (["ultimate", "ee", "ae"], "board e"),
        (["ultimate", "ee", "ee"], "taken"),
        (["ultimate", "zz"], "'z'"),
        (["ultimate", "81"], "80"),
        (["ultimate-closed"], "ultimate-closed"),
        (["ultimate:"], ""),
        (["O;@........;X"], ""),
        (["9/9/9/9/4X4/9/9/9/9"], ""),
        (["9/9/9/9/4X4/9/9/9/9 X e"], "O is to move"),
        (["9/9/9/9/4X4/9/9/9/8 O e"], "row 9"),
        (["9/9/9/9/4Y4/9/9/9/9 O e"], "'Y'"),
        (["9/9/9/9/4X4/9/9/9/9 O z"], "'z'"),
        (["3x3x3", "|", "|"], "bar"),
    ],
)
def test_nonsense_is_explained(words: list[str], hint: str) -> None:
    result = run("show", *words)
    assert result.failed_politely()
    assert result.out == ""
    assert hint in result.err


def test_move_that_is_refused_is_counted_and_pointed_at() -> None:
    result = run("show", "3x3x3", "b2", "a1", "b2")
    assert "move 3" in result.err
    assert "3x3x3 b2 a1 b2" in result.err
    text, caret = result.err.splitlines()[1:3]
    assert text.rindex("b2") == caret.index("^")


def test_huge_lines() -> None:
    for line in ("X" * 100_000 + "?", "3x3x3 " + "b2 " * 100_000, "?" * 100_000, "/" * 100_000):
        result = run("show", stdin=line)
        assert result.failed_politely()
        assert len(result.err) < 1000


def test_a_million_cells() -> None:
    """Reading takes time in proportion to the line; it took a minute while it did not."""
    result = spawn("show", stdin="/".join(["." * 1000] * 1000))
    assert result.code == 0
    assert result.lines[-1] == "1000x1000x3, X to move"


# -- values ------------------------------------------------------------------------------


def test_values() -> None:
    result = run("show", "3x3x3", "b2", "a1", "c3", "--value", "c1=win", "--value", "6=-3")
    assert result.code == 0
    assert result.lines[1].split("│")[2].strip() == "win"
    assert result.lines[5].split("│")[0].split() == ["3", "-3"]


def test_values_of_ultimate() -> None:
    result = run("show", "ultimate", "ee", "--value", "ea=win", "--value", "44=loss")
    assert result.code == 0
    assert result.lines[4].split("│")[1].split() == ["win", "·", "·"]
    assert result.lines[6].split("│")[1].split() == ["·", "·", "loss"]


def test_value_with_an_equals_sign() -> None:
    assert "=1" in run("show", "3x3x3", "--value", "a1==1").out


@pytest.mark.parametrize("value", ["", "=", "a1", "=win", "zz=win", "a9=win", "99=win", "A1=win"])
def test_nonsense_values(value: str) -> None:
    result = run("show", "3x3x3", "--value", value)
    assert result.failed_politely()
    assert result.out == ""


def test_nonsense_value_is_told_from_nonsense_move() -> None:
    """The error must say that the value is wrong; the position is fine."""
    assert "value" in run("show", "3x3x3", "b2", "--value", "zz=win").err.lower()


@pytest.mark.parametrize("value", ["b2=win", "a1="])
def test_value_without_effect_is_refused(value: str) -> None:
    """A label for a taken cell, or an empty one, would silently not be there."""
    assert run("show", "3x3x3", "b2", "--value", value).failed_politely()


@pytest.mark.parametrize("label", ["x\ny", "x\ry", "\x1b[31mred", "\x07", "\t", "\x00"])
def test_label_cannot_break_the_picture(label: str) -> None:
    result = run("show", "3x3x3", "b2", "--value", f"a1={label}")
    if result.code == 0:
        assert len(result.lines) == 7
        assert result.out.replace("\n", "").isprintable()
    else:
        assert result.failed_politely()


@pytest.mark.parametrize("options", [(), ("--svg",), ("-o", "picture"), ("--svg", "-o", "picture")])
def test_label_that_is_not_text(options: tuple[str, ...], tmp_path: Path) -> None:
    result = spawn("show", "3x3x3", b"--value", b"a1=\xff", *options, cwd=tmp_path)
    assert "Traceback" not in result.err
    assert result.code in (0, 2)
    assert not list(tmp_path.glob("*.part"))


def test_label_that_the_terminal_cannot_show() -> None:
    for encoding in ("ascii", "latin-1"):
        env = {"PYTHONIOENCODING": encoding}
        for options in ((), ("--svg",), ("--ascii",)):
            result = spawn("show", "3x3x3", "--value", "a1=漢½", *options, env=env)
            assert "Traceback" not in result.err
            assert result.code in (0, 2)


# -- ASCII and width ---------------------------------------------------------------------


@pytest.mark.parametrize("words", [["3x3x3", "b2"], ["ultimate", "ee", "ea"], ["30x30x5"]])
def test_ascii_option(words: list[str]) -> None:
    result = run("show", "--ascii", *words)
    assert result.code == 0
    assert result.out.isascii()
    other = run("show", *words).out.translate(str.maketrans("│─┼·", "|-+."))
    assert result.out == other


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_ascii_where_the_terminal_has_nothing_else(encoding: str) -> None:
    result = spawn("show", "XX./OO./...", env={"PYTHONIOENCODING": encoding})
    assert (result.code, result.err) == (0, "")
    assert result.out == XX_OO.translate(str.maketrans("│─┼·", "|-+."))


def test_a_file_is_utf_8_whatever_the_terminal(tmp_path: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii"}
    assert spawn("show", "XX./OO./...", "-o", "x", env=env, cwd=tmp_path).code == 0
    assert (tmp_path / "x").read_text(encoding="utf-8") == XX_OO


@pytest.mark.parametrize("side", range(1, 20))
def test_square_grids_fit_80_columns(side: int) -> None:
    result = run("show", f"{side}x{side}x5")
    assert widest(result) <= 80
    assert "┼" in result.out or side == 1, "up to 19x19 there is room for a lattice"


@pytest.mark.parametrize("cols", [20, 26, 27, 39, 40, 60, 76])
def test_wide_grids_fit_80_columns(cols: int) -> None:
    assert widest(run("show", f"5x{cols}x5", "a1")) <= 80


def test_ultimate_fits_80_columns() -> None:
    values = [f"--value={board}{cell}=loss" for board in "abcdefghi" for cell in "abcdefghi"]
    assert widest(run("show", "ultimate", *values)) <= 80
    assert widest(run("show", "ultimate", "ee", "ea", "ae")) <= 80


def test_every_width_in_a_process() -> None:
    """With no terminal and no COLUMNS, 80 is the width."""
    result = spawn("show", "19x19x5")
    assert widest(result) <= 80
    wide = spawn("show", "19x30x5")
    assert widest(wide) <= 80


@pytest.mark.parametrize("columns", ["20", "40", "79", "200", "0", "-1", "x", ""])
def test_columns_are_respected(columns: str) -> None:
    result = run("show", "9x9x5", env={"COLUMNS": columns})
    assert result.code == 0
    limit = int(columns) if columns in ("20", "40", "79", "200") else 80
    assert widest(result) <= limit


def test_no_trailing_spaces() -> None:
    for words in (["3x3x3", "a1"], ["ultimate", "ee", "aa"], ["30x30x5"], ["12x25x5"]):
        if run("show", *words).code == 0:
            assert all(line == line.rstrip() for line in run("show", *words).lines)


# -- SVG and files -----------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize(
    "words", [["3x3x3", "b2", "a1"], ["XXX/OOO/..."], ["ultimate", "ee", "ea"], [CENTRE_LINE]]
)
def test_svg(words: list[str], theme: str) -> None:
    root = svg_of(run("show", "--svg", "--theme", theme, *words))
    title = root.findtext(f"{SVG}title")
    assert title
    assert title == run("show", *words).lines[-1]


def test_svg_theme_is_auto_unless_told() -> None:
    assert run("show", "--svg", "3x3x3").out == run("show", "--svg", "3x3x3", "--theme", "auto").out


def test_svg_with_values() -> None:
    root = svg_of(run("show", "--svg", "3x3x3", "--value", 'a1=<&">'))
    assert '<&">' in [text.text for text in root.iter(f"{SVG}text")]


def test_unknown_theme() -> None:
    result = run("show", "--svg", "--theme", "pink", "3x3x3")
    assert result.failed_politely()
    assert "pink" in result.err


def test_several_svgs_are_not_glued_together(tmp_path: Path) -> None:
    """Two documents in one file are no document: refuse, or write something well-formed."""
    result = run("show", "--svg", "-o", str(tmp_path / "two.svg"), stdin="XX./OO./...\n3x3x3 b2\n")
    if result.code == 0:
        ET.parse(tmp_path / "two.svg")
    else:
        assert result.failed_politely()
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_output_file(option: str, tmp_path: Path) -> None:
    target = tmp_path / "picture.txt"
    result = run("show", "XX./OO./...", option, str(target))
    assert (result.code, result.out, result.err) == (0, "", "")
    assert target.read_text(encoding="utf-8") == XX_OO
    assert list(tmp_path.iterdir()) == [target]


def test_output_file_is_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "game.svg"
    target.write_text("old " * 10_000)
    assert run("show", "ultimate", "ee", "ea", "--svg", "-o", str(target)).code == 0
    ET.parse(target)


def test_output_holds_no_colours(tmp_path: Path) -> None:
    assert run("show", "3x3x3", "b2", "-o", str(tmp_path / "x")).code == 0
    assert "\x1b" not in (tmp_path / "x").read_text()


def test_failure_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "game.svg"
    target.write_text("old")
    for words in (["nonsense"], ["3x3x3", "b2", "b2"], ["3x3x3", "--value", "a1"]):
        assert run("show", *words, "-o", str(target)).failed_politely()
        assert target.read_text() == "old"
        assert list(tmp_path.iterdir()) == [target]


def test_failure_leaves_no_new_file(tmp_path: Path) -> None:
    assert run("show", "nonsense", "-o", str(tmp_path / "x")).failed_politely()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["missing/x", "directory", "file/x", "", ".", "..", "/", "nul\0", "x" * 300, "x" * 253]
)
def test_places_that_cannot_be_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "directory").mkdir()
    (tmp_path / "file").write_text("mine")
    monkeypatch.chdir(tmp_path)
    result = run("show", "3x3x3", "-o", name)
    if name == "x" * 253:  # a name the file system takes: then it must work
        assert result.code == 0
        return
    assert result.failed_politely()
    assert result.out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["directory", "file"]
    assert (tmp_path / "file").read_text() == "mine"


def test_unwritable_place_in_a_process(tmp_path: Path) -> None:
    result = spawn("show", "3x3x3", "-o", "no/such/place", cwd=tmp_path)
    assert result.failed_politely()
    assert "no/such/place" in result.err


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    """A file next to the picture that belongs to the user is left alone."""
    names = ["game.svg.part", "game.svg.tmp", "game.svg~", "game.part", ".game.svg"]
    for name in names:
        (tmp_path / name).write_text("mine")
    assert run("show", "3x3x3", "--svg", "-o", str(tmp_path / "game.svg")).code == 0
    assert run("show", "3x3x3", "--svg", "-o", str(tmp_path / "no" / "game.svg")).code == 2
    assert {
        name: (tmp_path / name).read_text() for name in names if (tmp_path / name).exists()
    } == dict.fromkeys(names, "mine")


def test_output_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    assert run("show", "XX./OO./...", "-o", str(tmp_path / "link")).code == 0
    assert (tmp_path / "link").is_symlink(), "the link was replaced by a file"
    assert (tmp_path / "real").read_text() == XX_OO


def test_output_keeps_the_mode_of_the_file(tmp_path: Path) -> None:
    target = tmp_path / "x"
    target.write_text("old")
    target.chmod(0o600)
    assert run("show", "3x3x3", "-o", str(target)).code == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_output_into_a_pipe(tmp_path: Path) -> None:
    """``-o`` of a named pipe or of /dev/null writes into it and does not replace it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        result = run("show", "XX./OO./...", "-o", str(pipe))
        assert pipe.is_fifo(), "the pipe was replaced by a file"
        received.append(os.read(reader, 65536).decode())
    finally:
        os.close(reader)
    assert result.code == 0
    assert received == [XX_OO]


def test_option_of_the_other_kind_is_not_ignored() -> None:
    """A theme without SVG, or ASCII with SVG, can only be a mistake."""
    assert run("show", "3x3x3", "--theme", "dark").failed_politely()
    assert run("show", "3x3x3", "--svg", "--ascii").failed_politely()
