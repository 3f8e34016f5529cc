"""`noughts replay`, from the specification (4 and 8) and its help."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.cli_runner import Result, run, spawn
from support.oracle import simulate, simulate_ultimate

VECTORS = Path(__file__).parents[1] / "vectors"


def load(name: str) -> list[Any]:
    vectors = json.loads((VECTORS / name).read_text())
    return [pytest.param(v["moves"], v["result"], id=f"{i}") for i, v in enumerate(vectors)]


STANDARD = load("replay_standard.json")
ULTIMATE = load("replay_ultimate.json")
VARIATIONS = [*[(p, ()) for p in STANDARD], *[(p, ("--ultimate",)) for p in ULTIMATE]]
BOTH = [
    pytest.param(*param.values, options, id=f"{'ultimate' if options else 'standard'}-{param.id}")
    for param, options in VARIATIONS
]


# -- vectors -----------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "expected", "options"), BOTH)
def test_vector_as_arguments(moves: list[str], expected: list[str], options: tuple[str]) -> None:
    result = run("replay", *options, "--json", *moves)
    assert result.object["result"] == expected
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(("moves", "expected", "options"), BOTH)
def test_vector_on_stdin(
    moves: list[str], expected: list[str], options: tuple[str], ending: str
) -> None:
    text = "".join(move + ending for move in moves)
    for stdin in (text, text.removesuffix(ending), "\ufeff" + text if text else ""):
        assert run("replay", *options, "--json", stdin=stdin).object["result"] == expected


@pytest.mark.parametrize(("moves", "expected", "options"), BOTH)
def test_vector_from_a_file(
    moves: list[str], expected: list[str], options: tuple[str], tmp_path: Path
) -> None:
    (tmp_path / "moves").write_text("\n".join(moves))
    result = run("replay", "--json", *options, "-f", str(tmp_path / "moves"))
    assert result.object["result"] == expected


@pytest.mark.parametrize(("moves", "expected", "options"), BOTH)
def test_vector_for_people(moves: list[str], expected: list[str], options: tuple[str]) -> None:
    result = run("replay", *options, *moves)
    bits, winner, *rest = expected
    rows = rest[-9:] if options else rest
    assert result.lines[-len(rows) :] == rows
    words = [line.split() for line in result.lines[: -len(rows)]]
    assert ["winner", winner] in words
    assert [bits] in [line[1:] for line in words] or not bits
    if options:
        assert ["next", rest[0]] in words
    assert result.code == 0


def test_vectors_in_a_process() -> None:
    for param, option in ((STANDARD[-1], []), (ULTIMATE[-1], ["-u"])):
        moves, expected = param.values
        assert isinstance(moves, list)
        result = spawn("replay", "--json", *option, stdin="\n".join(moves))
        assert result.object["result"] == expected
        assert (result.code, result.err) == (0, "")


# -- malformed moves are moves -----------------------------------------------------------

fields = st.sampled_from(
    ["0", "1", "2", "3", "9", "00", "01", "-1", "+1", "1.0", " 1", "", "٣", "²"]
)
players = st.sampled_from(["X", "O", "X", "O", "X", "O", "x", "o", "Z", "", "XX", "X ", "×", "0"])
good = st.integers(0, 2).map(str)


def move_texts(numbers: int) -> st.SearchStrategy[str]:
    """Make moves that are mostly good, sometimes subtly bad, sometimes anything."""
    fine = st.tuples(*[good] * numbers, st.sampled_from("XO")).map(",".join)
    subtle = st.tuples(*[st.one_of(good, fields)] * numbers, players).map(",".join)
    cut = st.tuples(fine, st.sampled_from([",", ",X", " ", "\t", "X", ",,"])).map("".join)
    anything = st.text(
        st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12
    )
    return st.one_of(fine, fine, fine, fine, subtle, cut, anything)


def replay_lines(moves: list[str], *options: str) -> Result:
    # The first line stays free of a byte order mark, which would be taken for one.
    return run("replay", "--json", *options, stdin="".join(f"{move}\n" for move in moves))


def starts_plain(moves: list[str]) -> bool:
    return not (moves and moves[0].startswith("\ufeff"))


@given(st.lists(move_texts(2), max_size=20).filter(starts_plain))
def test_standard_agrees_with_the_oracle(moves: list[str]) -> None:
    result = replay_lines(moves)
    assert result.object["result"] == simulate(moves)
    assert result.code == 0


@given(st.lists(move_texts(4), max_size=60).filter(starts_plain))
def test_ultimate_agrees_with_the_oracle(moves: list[str]) -> None:
    result = replay_lines(moves, "--ultimate")
    assert result.object["result"] == simulate_ultimate(moves)
    assert result.code == 0


@pytest.mark.parametrize(
    "move",
    [
        "",
        " ",
        "0,0,X ",
        " 0,0,X",
        "0, 0,X",
        "+0,0,X",
        "00,0,X",
        "0,0,x",
        "0,0",
        "0,0,X,",
        ",0,0,X",
        "0;0;X",
        "0,0,XO",
        "٠,٠,X",
        "0,0,Ｘ",
        "0.0,0,X",
        "3,0,X",
        "0,3,X",
        "9" * 6000 + ",0,X",
        "0,0,X\x85",
        "0,0,X\u2028",
        "0,0,X\x0b",
        "0,0,X\x00",
        "0\t,0,X",
        "0,0,Z",
        "0x0,0,X",
    ],
)
def test_malformed_move_is_rejected(move: str) -> None:
    """A malformed string is a rejected move, not an error, and the list goes on."""
    by_argument = run("replay", "--json", "1,1,O", move, "2,2,X")
    by_stdin = run("replay", "--json", stdin=f"1,1,O\n{move}\n2,2,X\n")
    for result in (by_argument, by_stdin):
        assert result.object["result"] == ["101", "None", "...", ".O.", "..X"]
        assert (result.code, result.err) == (0, "")


def test_negative_number_is_a_rejected_move() -> None:
    """A sign makes a move malformed; it must not be taken for an option."""
    for arguments in (["-1,0,X", "0,0,X"], ["--", "-1,0,X", "0,0,X"], ["0,-1,X", "0,0,X"]):
        result = run("replay", "--json", *arguments)
        assert result.object["result"] == ["01", "None", "X..", "...", "..."]


@pytest.mark.parametrize("typo", ["--jsno", "--ulitmate", "--files", "--ascii", "--no-such-option"])
def test_mistyped_option_is_no_move(typo: str) -> None:
    result = run("replay", typo, "0,0,X")
    assert result.failed_politely(), "a mistyped option was taken for a move"
    assert typo in result.err


def test_empty_list_from_empty_stdin() -> None:
    assert run("replay", "--json").object["result"] == ["", "None", "...", "...", "..."]
    ultimate = run("replay", "--json", "-u").object["result"]
    assert ultimate == ["", "None", "*", *["." * 9] * 9]


def test_a_byte_order_mark_is_no_move() -> None:
    """What Windows editors save as an empty file."""
    result = run("replay", "--json", stdin=b"\xef\xbb\xbf")
    assert result.object["result"] == ["", "None", "...", "...", "..."]


def test_turn_order_is_not_enforced() -> None:
    result = run("replay", "--json", "0,0,X", "0,1,X", "0,2,X", "1,1,O")
    assert result.object["result"] == ["1110", "X", "XXX", "...", "..."]


def test_arguments_come_before_files(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("0,0,O\n1,1,O\n")
    result = run("replay", "--json", "0,0,X", "-f", str(tmp_path / "one"), "-f", "-", stdin="1,1,X")
    assert result.object["result"] == ["1010", "None", "X..", ".O.", "..."]


# -- size --------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--ultimate",)])
def test_a_hundred_thousand_moves(options: tuple[str, ...]) -> None:
    numbers, rows = (4, 9) if options else (2, 3)
    bad = ",".join(["7"] * numbers + ["X"])
    first = ",".join(["0"] * numbers + ["X"])
    result = run("replay", "--json", *options, stdin=f"{first}\n" + f"{bad}\n" * 120_000)
    bits = result.object["result"][0]
    assert bits == "1" + "0" * 120_000
    assert "".join(result.object["result"][-rows:]).count("X") == 1


# -- unreadable input --------------------------------------------------------------------


@pytest.mark.parametrize("option", ["-f", "--file"])
def test_missing_file(option: str) -> None:
    result = run("replay", option, "missing.txt", "0,0,X")
    assert result.failed_politely()
    assert "missing.txt" in result.err
    assert result.out == ""


def test_directory(tmp_path: Path) -> None:
    assert run("replay", "-f", str(tmp_path)).failed_politely()


def test_bytes_that_are_not_text() -> None:
    result = run("replay", "--json", stdin=b"0,0,X\n1,1,O\n\xff\xfe\n")
    assert result.failed_politely()
    assert "line 3" in result.err
    assert "0xff" in result.err


def test_binary_in_a_process() -> None:
    result = spawn("replay", stdin=bytes(range(256)) * 10)
    assert result.code in (0, 2)
    assert "Traceback" not in result.err


def test_argument_that_is_not_text() -> None:
    result = spawn("replay", "--json", b"0,0,\xff", b"0,0,X")
    assert "Traceback" not in result.err
    if result.code == 0:
        assert result.object["result"][0] == "01"
    else:
        assert result.failed_politely()
