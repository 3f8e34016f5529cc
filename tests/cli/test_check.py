"""`noughts check`, from the specification (2 and 8) and its help."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.cli import reading
from support.cli_runner import Result, run, spawn
from support.oracle import reachable_verdicts, verdict_by_retrograde

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "state.json").read_text()
)
BOARDS = ["/".join(vector["board"]) for vector in VECTORS]
STATES = [vector["state"] for vector in VECTORS]
CASES = list(zip(BOARDS, STATES, strict=True))

TWO_LINES = "XXX./OO.O/.O.O/XXX."  # on 4x4x3 no single move completes both lines
ALSO_TWO_LINES = "XXX./OO../..../XXX."  # likewise, and X has two marks too many


# -- verdicts ----------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "state"), CASES)
def test_vector_as_argument(board: str, state: str) -> None:
    result = run("check", board, "--json")
    assert result.object["verdict"] == state
    assert result.code == (1 if state == "invalid" else 0)
    assert result.err == ""


@pytest.mark.parametrize(("board", "state"), CASES)
def test_vector_for_people(board: str, state: str) -> None:
    result = run("check", board)
    assert len(result.lines) == 1
    assert result.out.startswith(f"{state}: ")
    assert result.code == (1 if state == "invalid" else 0)


def test_all_vectors_in_one_call() -> None:
    by_arguments = run("check", "--json", *BOARDS)
    by_stdin = run("check", "--json", stdin="\n".join(BOARDS) + "\n")
    for result in (by_arguments, by_stdin):
        assert [item["verdict"] for item in result.objects] == STATES
        assert result.code == 1


def test_vectors_from_a_file_in_a_process(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("\n".join(BOARDS))  # no newline at the end
    result = spawn("check", "--json", "--file", "boards.txt", cwd=tmp_path)
    assert [item["verdict"] for item in result.objects] == STATES
    assert (result.code, result.err) == (1, "")


def test_agrees_with_play_on_many_boards() -> None:
    verdicts = reachable_verdicts(3, 3, 3)
    reachable = random.Random(1).sample(sorted(verdicts), 300)
    noise = ["".join(random.Random(seed).choices("XO.", k=9)) for seed in range(300)]
    boards = [f"{text[:3]}/{text[3:6]}/{text[6:]}" for text in reachable + noise]
    result = run("check", "--json", stdin="\n".join(boards))
    found = [item["verdict"] for item in result.objects]
    assert found == [verdicts.get(text, "invalid") for text in reachable + noise]


@given(st.text("XO.", min_size=10, max_size=10), st.integers(2, 4))
def test_agrees_with_play_on_another_grid(cells: str, k: int) -> None:
    board = f"{cells[:5]}/{cells[5:]}"
    expected = verdict_by_retrograde(cells, 2, 5, k)
    for result in (
        run("check", "--json", f"2x5x{k}:{board}"),
        run("check", "--json", "-k", str(k), board),
        run("check", "--json", "--grid", f"2x5x{k}", stdin=board),
    ):
        assert result.object["verdict"] == expected
        assert result.code == (1 if expected == "invalid" else 0)


@pytest.mark.parametrize("board", [TWO_LINES, ALSO_TWO_LINES])
def test_one_last_move_must_explain_the_win(board: str) -> None:
    result = run("check", "--json", f"4x4x3:{board}")
    assert result.object["verdict"] == "invalid"
    assert any("last_move" in reason["name"] for reason in result.object["reasons"])


@pytest.mark.parametrize(
    ("board", "verdict"),
    [
        ("1x1x1:.", "X_turn"),
        ("1x1x1:X", "X_wins"),
        ("1x1x1:O", "invalid"),
        ("1x1x2:X", "draw"),
        ("2x2x9:XO/OX", "draw"),
        ("1x6x3:XXX.OO", "X_wins"),
        ("1x7x3:XXXXOOO", "invalid"),
        ("5x5x3:XXXXX/OOOO./...../...../.....", "invalid"),
        ("5x5x5:XXXXX/OOOO./...../...../.....", "X_wins"),
        ("5x5x3:XXXXX/OO.OO/...../...../.....", "X_wins"),
        ("7x7x3:XXXXXX./OO.OO.O/......./......./......./......./.......", "invalid"),
    ],
)
def test_odd_grids(board: str, verdict: str) -> None:
    assert run("check", "--json", board).object["verdict"] == verdict


# -- JSON and reasons --------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS)
def test_json_shape(board: str) -> None:
    item = run("check", "--json", board).object
    assert isinstance(item["verdict"], str)
    assert isinstance(item["reasons"], list)
    assert item["reasons"], "a caller can ask why"
    for reason in item["reasons"]:
        assert isinstance(reason["name"], str)
        assert reason["name"]
        assert all(type(cell) is int and 0 <= cell < 9 for cell in reason["cells"])
        assert reason["cells"] == sorted(set(reason["cells"]))


def test_every_reason_at_once() -> None:
    reasons = run("check", "--json", "4x4x3:XXX./OOO./..../XXX.").object["reasons"]
    cells = {reason["name"]: reason["cells"] for reason in reasons}
    assert len(cells) == len(reasons) == 3
    assert cells["too_many_x"] == [0, 1, 2, 12, 13, 14]
    assert cells["both_have_lines"] == [0, 1, 2, 4, 5, 6, 12, 13, 14]
    assert cells["no_single_last_move"] == [0, 1, 2, 12, 13, 14]


def test_reason_names_the_winning_line() -> None:
    (reason,) = run("check", "--json", "4x4x3:X.../OXO./..X./....").object["reasons"]
    assert reason["cells"] == [0, 5, 10]


def test_one_object_per_line_even_for_one_board() -> None:
    assert len(run("check", "--json", "XX./OO./...").lines) == 1


def test_json_names_the_line_of_the_input() -> None:
    result = run("check", "--json", stdin="\n...\n\nbad\nX..\n")
    assert [item["line"] for item in result.objects] == [2, 5]


# -- several boards, errors in between ---------------------------------------------------


def test_errors_do_not_stop_the_rest() -> None:
    result = run("check", "--json", stdin="XX./OO./...\nXX?/OO./...\n\nXXX/OO./...\nXX/O\n...\n")
    assert [item["verdict"] for item in result.objects] == ["X_turn", "X_wins", "X_turn"]
    assert result.code == 2
    complaints = [line for line in result.err.splitlines() if line.startswith("Error")]
    assert len(complaints) == 2
    assert "line 2" in complaints[0]
    assert "'?'" in complaints[0]
    assert "line 5" in complaints[1]


def test_errors_name_the_argument() -> None:
    result = run("check", "XX./OO./...", "XX?/OO./...", "XXX/OO./...")
    assert [line.partition(":")[0] for line in result.lines] == ["X_turn", "X_wins"]
    assert result.code == 2
    assert "argument 2" in result.err


def test_errors_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "first").write_text("...\n")
    (tmp_path / "second").write_text("X..\nbad\n")
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    result = run("check", "--json", "-f", first, "-f", second, "--file", "-", stdin="XO.\n")
    assert [item["verdict"] for item in result.objects] == ["X_turn", "O_turn", "X_turn"]
    assert second in result.err
    assert "line 2" in result.err
    assert first not in result.err


@pytest.mark.parametrize(
    "boards",
    [
        ("bad", "OO./.../..."),
        ("OO./.../...", "bad"),
        ("OO./.../...", "bad", "..."),
    ],
)
def test_unreadable_outweighs_invalid(boards: tuple[str, ...]) -> None:
    assert run("check", *boards).code == 2
    assert run("check", stdin="\n".join(boards)).code == 2


# -- grids -------------------------------------------------------------------------------


def test_k_is_three_unless_told() -> None:
    board = "XXX./OO../..../...."
    assert run("check", "--json", board).object["verdict"] == "X_wins"
    assert run("check", "--json", "-k", "4", board).object["verdict"] == "O_turn"
    assert run("check", "--json", "-k", "2", board).object["verdict"] == "invalid"


def test_grid_option_serves_boards_that_name_none() -> None:
    result = run("check", "--json", "-g", "3x3x2", "XO./X../...", "3x3x2:XO./X../...")
    assert [item["verdict"] for item in result.objects] == ["X_wins", "X_wins"]
    assert {item["grid"] for item in result.objects} == {"3x3x2"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--grid", "4x4x3", "3x3x3:XX./OO./..."),
        ("--grid", "3x3x2", "3x3x3:XX./OO./..."),
        ("--grid", "4x4x3", "XX./OO./..."),
        ("-k", "4", "3x3x3:XX./OO./..."),
        ("-k", "4", "--grid", "3x3x3", "XX./OO./..."),
        ("4x4x3:XX./OO./...",),
        ("3x4x3:..../..../..../....",),
    ],
)
def test_contradictions_are_errors(arguments: tuple[str, ...]) -> None:
    result = run("check", *arguments)
    assert result.failed_politely()
    assert result.out == ""


@pytest.mark.parametrize(
    "grid",
    [
        "",
        "3",
        "3x3",
        "3x3x3x3",
        "0x3x3",
        "3x0x3",
        "3x3x0",
        "-3x3x3",
        "3x3x-1",
        "3.0x3x3",
        "axbxc",
        " 3x3x3",
        "3x3x3 ",
        "٣x٣x٣",
        "3x3x",
        "ultimate",
        "9" * 5000 + "x3x3",
        "1e3x3x3",
    ],
)
def test_nonsense_grids(grid: str) -> None:
    for arguments in (("--grid", grid, "XX./OO./..."), (f"{grid}:XX./OO./...",)):
        result = run("check", *arguments)
        assert result.failed_politely(), arguments
        assert result.out == ""
        assert len(result.err) < 1000


@pytest.mark.parametrize("k", ["0", "-1", "x", "", "2.0", "1e3"])
def test_nonsense_k(k: str) -> None:
    result = run("check", "-k", k, "XX./OO./...")
    assert result.failed_politely()


@pytest.mark.parametrize("k", ["4", "1000000", "9" * 30])
def test_k_larger_than_the_board_means_nobody_wins(k: str) -> None:
    result = run("check", "--json", "-k", k, "XXX/OO./...")
    assert result.object["verdict"] == "O_turn"


# -- what is forgiven, and what is not ---------------------------------------------------


def test_space_is_empty_and_zero_is_o() -> None:
    assert run("check", "--json", "XX /00 /   ").object["verdict"] == "X_turn"
    assert run("check", "--json", stdin="XXX/00 /   \n").object["verdict"] == "X_wins"


@pytest.mark.parametrize(
    ("board", "row", "column", "character"),
    [
        ("XX?/OO./...", 1, 3, "?"),
        ("XX./OO./..z", 3, 3, "z"),
        ("xX./OO./...", 1, 1, "x"),
        ("XX./oO./...", 2, 1, "o"),
        ("XX./O-./...", 2, 2, "-"),
        ("XX./O_./...", 2, 2, "_"),
        ("XX./OO./..1", 3, 3, "1"),
        ("XX./OO./..\N{FULLWIDTH LATIN CAPITAL LETTER X}", 3, 3, "Ｘ"),
        ("XX./O\N{CYRILLIC CAPITAL LETTER O}./...", 2, 2, "О"),
        ("XX./OO./..\N{CROSS MARK}", 3, 3, "❌"),
        ("3x3x3:XX./OO./..?", 3, 3, "?"),
        ("X,.", 1, 2, ","),
    ],
)
def test_strange_character_is_named(board: str, row: int, column: int, character: str) -> None:
    for result in (run("check", board), run("check", stdin=board)):
        assert result.failed_politely()
        assert f"row {row}" in result.err
        assert f"column {column}" in result.err
        assert character in result.err


def test_the_caret_stands_under_the_character() -> None:
    error = run("check", "3x3x3:XX./O?./...").err.splitlines()
    assert error[1].index("?") == error[2].index("^")


@pytest.mark.parametrize(
    ("board", "row"),
    [
        ("XX./OO/...", 2),
        ("XX./OO./....", 3),
        ("XX/OO./...", 2),
        ("XX.//...", 2),
        ("XX./OO./", 3),
        ("/XX./OO.", 1),
        ("XX./OO./... ", 3),
        ("X../OO./X...", 3),
    ],
)
def test_ragged_row_is_named(board: str, row: int) -> None:
    result = run("check", board)
    assert result.failed_politely()
    assert f"row {row}" in result.err


@pytest.mark.parametrize("board", ["", "/", "//", ":", "3x3x3:", "3x3x3", "3x3x3:/", "\t", "\n"])
def test_boards_without_cells(board: str) -> None:
    assert run("check", board).failed_politely()


# -- files and stdin ---------------------------------------------------------------------


def crlf(text: bytes) -> bytes:
    return text.replace(b"\n", b"\r\n")


def with_mark(text: bytes) -> bytes:
    return b"\xef\xbb\xbf" + text


def with_gaps(text: bytes) -> bytes:
    return b"\n\n" + text.replace(b"\n", b"\n\n")


def with_crlf_gaps(text: bytes) -> bytes:
    return crlf(with_gaps(text))


@pytest.mark.parametrize("change", [crlf, with_mark, with_gaps, with_crlf_gaps])
def test_files_of_all_habits(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    data = change("\n".join([*BOARDS, ""]).encode())
    (tmp_path / "boards").write_bytes(data)
    for result in (
        run("check", "--json", stdin=data),
        run("check", "--json", "-f", str(tmp_path / "boards")),
    ):
        assert [item["verdict"] for item in result.objects] == STATES
        assert result.err == ""


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"])
def test_nothing_to_judge(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(data)
    for result in (run("check", stdin=data), run("check", "-f", str(tmp_path / "empty"))):
        assert result.failed_politely()
        assert result.out == ""


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfeX\x00X\x00",  # UTF-16
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        bytes(range(256)),
        b"\x00" * 1000,
        b"XX./\xc3\x28./...",
        b"XX./OO./...\x00",
        b"\xed\xa0\x80",
    ],
)
def test_binary_files(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(data)
    result = run("check", "--json", "-f", str(tmp_path / "binary"))
    assert result.failed_politely()
    assert "line 1" in result.err
    assert result.err.replace("\n", "").isprintable(), "raw bytes could upset a terminal"


def test_bytes_that_are_not_text_leave_the_rest_alone() -> None:
    result = run("check", "--json", stdin=b"XX./OO./...\nX\xff./OO./...\nXXX/OO./...\n")
    assert [item["verdict"] for item in result.objects] == ["X_turn", "X_wins"]
    assert result.code == 2
    assert "line 2" in result.err
    assert "0xff" in result.err
    assert "column 2" in result.err


def test_argument_that_is_not_text() -> None:
    result = spawn("check", b"XX./O\xff./...")
    assert result.failed_politely()
    assert "row 2" in result.err
    assert "column 2" in result.err


@pytest.mark.parametrize("name", ["missing.txt", "", "a/b/c", ".", "/", "nul\0byte", "x" * 5000])
def test_files_that_cannot_be_read(name: str) -> None:
    for arguments in (["check"], ["check", "--json"]):
        result = run(*arguments, "-f", name)
        assert result.failed_politely()
        assert result.out == ""


def test_missing_file_is_named() -> None:
    assert "missing.txt" in run("check", "--file", "missing.txt").err


def test_a_long_line_of_nonsense_gives_a_short_error() -> None:
    for line in ("?" * 3_000_000, "X" * 3_000_000 + "?", "X/" * 1_000_000, ":" * 1_000_000):
        result = run("check", stdin=line)
        assert result.failed_politely()
        assert len(result.err) < 1000


def test_a_million_cells() -> None:
    rows = ["." * 1000] * 1000
    rows[500] = "." * 400 + "XXXXX" + "." * 595
    rows[700] = "OOOO" + "." * 996
    result = run("check", "--json", "-k", "5", stdin="/".join(rows))
    assert result.object["verdict"] == "X_wins"
    assert result.object["reasons"][0]["cells"] == list(range(500_400, 500_405))


def test_a_huge_invalid_board_is_explained_briefly() -> None:
    board = "/".join(["X" * 300] * 300)
    result = run("check", board)
    assert result.code == 1
    assert result.out.startswith("invalid: ")
    assert len(result.out) < 1000


def test_many_boards_one_by_one() -> None:
    result = run("check", "--json", stdin="XX./OO./...\n" * 20_000)
    assert len(result.lines) == 20_000
    assert result.code == 0


def test_a_board_may_come_with_files() -> None:
    result: Result = run("check", "--json", "...", "--file", "-", stdin="X..\n")
    assert [item["verdict"] for item in result.objects] == ["X_turn", "O_turn"]


def test_a_line_without_an_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 1000)
    (tmp_path / "boards").write_text(f"XXX/OO./...\n1x990x3:{'.' * 990}\n")
    result = run("check", "-f", str(tmp_path / "boards"), "-f", "/dev/zero", "-f", "/dev/full")
    assert result.code == 2
    assert [line.partition(":")[0] for line in result.lines] == ["X_wins", "X_turn"]
    for device in ("zero", "full"):
        assert f"/dev/{device}, line 1: the line is longer than 1000 bytes" in result.err
