"""`noughts games`, from the specification (5, 8), issue 3 and its help."""

from __future__ import annotations

import re
import subprocess
from itertools import islice
from typing import Any

import pytest

from support.cli_runner import clean_environment, python, run, spawn
from support.oracle import all_games, has_line

Moves = tuple[int, ...]


def ending(shape: tuple[int, int, int], game: Moves) -> str:
    """Tell how a whole game ended, by looking at its last board."""
    marks = ["."] * (shape[0] * shape[1])
    for place, cell in enumerate(game):
        marks[cell] = "XO"[place % 2]
    board = "".join(marks)
    return next((f"{mark}_wins" for mark in "XO" if has_line(board, *shape, mark)), "draw")


def listed(*arguments: str) -> list[dict[str, Any]]:
    """List games in this process as JSON; nothing else may be said."""
    result = run("games", *arguments, "--json")
    assert (result.code, result.err) == (0, "")
    return result.objects


def names(cells: Moves, cols: int) -> str:
    """Write moves as people do: the column's letter and the row's number."""
    return " ".join(f"{'abcdefghij'[cell % cols]}{cell // cols + 1}" for cell in cells)


# ------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize("shape", [(2, 2, 2), (1, 4, 2), (2, 3, 2), (1, 1, 1), (1, 3, 7)], ids=str)
def test_every_game(shape: tuple[int, int, int]) -> None:
    grid = "x".join(map(str, shape))
    assert listed(grid) == [
        {"index": str(number), "moves": list(game), "outcome": ending(shape, game)}
        for number, game in enumerate(all_games(*shape))
    ]


def test_the_fields_of_the_specification() -> None:
    (game,) = listed("3x3x3", "--limit", "1")
    assert list(game) == ["index", "moves", "outcome"]
    assert game == {"index": "0", "moves": [0, 1, 2, 3, 4, 5, 6], "outcome": "X_wins"}


def test_one_object_per_line() -> None:
    result = run("games", "3x3x3", "--limit", "50", "--json")
    assert len(result.lines) == 50
    expected = [list(game) for game in islice(all_games(3, 3, 3), 50)]
    assert [game["moves"] for game in result.objects] == expected


@pytest.mark.parametrize("start", [0, 1, 23, 24, 100, 255_166])
def test_from_a_number_on(start: int) -> None:
    found = listed("3x3x3", "--start", str(start), "--limit", "3")
    assert [game["index"] for game in found] == [
        str(number) for number in range(start, min(start + 3, 255_168))
    ]
    if start + 3 < 1000:
        expected = islice(all_games(3, 3, 3), start, start + 3)
        assert [tuple(game["moves"]) for game in found] == list(expected)


def test_far_into_a_large_board() -> None:
    found = listed("4x4x3", "--start", "1000000000000", "--limit", "2")
    assert [game["index"] for game in found] == ["1000000000000", "1000000000001"]
    assert found[0]["moves"] == [12, 10, 7, 3, 6, 9, 8, 0, 2, 15, 11, 1, 13, 4, 14]
    assert found[0]["outcome"] == ending((4, 4, 3), tuple(found[0]["moves"]))


def test_a_listing_goes_on_where_another_stopped() -> None:
    first = listed("3x3x3", "--limit", "7")
    second = listed("3x3x3", "--start", "7", "--limit", "5")
    assert first + second == listed("3x3x3", "--limit", "12")


@pytest.mark.parametrize("limit", ["0", "1", "24", "25", "1000000", "99999999999999999999999"])
def test_limits(limit: str) -> None:
    assert len(listed("2x2x2", "--limit", limit)) == min(int(limit), 24)


def test_the_end_of_the_list() -> None:
    assert listed("2x2x2", "--start", "24") == []
    assert len(listed("2x2x2", "--start", "23")) == 1
    assert len(listed("2x2x2", "--start", "20", "--limit", "100")) == 4


@pytest.mark.parametrize("outcome", ["X_wins", "O_wins", "draw"])
def test_only_games_that_end_so(outcome: str) -> None:
    shape = (1, 6, 3)
    expected = [game for game in all_games(*shape) if ending(shape, game) == outcome]
    found = listed("1x6x3", "--outcome", outcome)
    assert [tuple(game["moves"]) for game in found] == expected
    assert [game["index"] for game in found] == [str(number) for number in range(len(expected))]
    assert {game["outcome"] for game in found} <= {outcome}
    assert listed("1x6x3", "--outcome", outcome, "--start", "3") == found[3:]


def test_an_outcome_that_no_game_has() -> None:
    assert listed("2x2x2", "--outcome", "draw") == []
    assert listed("2x2x2", "--outcome", "draw", "--limit", "5") == []
    assert listed("2x2x2", "--outcome", "draw", "--sample", "0") == []


@pytest.mark.parametrize("prefix", ["b2", "b2 a1", "4", "4 0", "b2 0"])
def test_only_games_that_begin_so(prefix: str) -> None:
    begin = [4] if " " not in prefix else [4, 0]
    found = listed("3x3x3", "--prefix", prefix, "--limit", "20")
    assert [game["index"] for game in found] == [str(number) for number in range(20)]
    assert all(game["moves"][: len(begin)] == begin for game in found)
    moves = [game["moves"] for game in found]
    assert moves == sorted(moves)


def test_a_prefix_that_is_a_whole_game() -> None:
    (game,) = listed("3x3x3", "--prefix", "a1 a2 b1 b2 c1")
    assert game == {"index": "0", "moves": [0, 3, 1, 4, 2], "outcome": "X_wins"}


def test_from_a_position() -> None:
    shape, before = (2, 3, 3), (0, 3, 1, 4)
    expected = [game for game in all_games(*shape) if game[:4] == before]
    found = listed("2x3x3", "--from", "XX./OO.")
    assert found[0] == {"index": "0", "moves": [2], "outcome": "X_wins"}
    assert [tuple(game["moves"]) for game in found] == [game[4:] for game in expected]
    assert listed("2x3x3", "--from", "2x3x3:XX./OO.") == found


def test_from_a_position_with_a_prefix_and_an_outcome() -> None:
    found = listed("3x3x3", "--from", "XX./OO./...", "--prefix", "c3", "--outcome", "O_wins")
    assert found
    for number, game in enumerate(found):
        assert game["index"] == str(number)
        assert game["outcome"] == "O_wins"
        assert game["moves"][0] == 8
        assert ending((3, 3, 3), (0, 3, 1, 4, *game["moves"])) == "O_wins"
    assert [8, 5] in [game["moves"] for game in found]


def test_from_a_finished_position() -> None:
    assert listed("3x3x3", "--from", "XXX/OO./...") == [
        {"index": "0", "moves": [], "outcome": "X_wins"}
    ]


# ---------------------------------------------------------------------------------------- samples


def test_a_sample() -> None:
    found = listed("3x3x3", "--sample", "20", "--seed", "5")
    assert len(found) == 20
    assert found == listed("3x3x3", "--sample", "20", "--seed", "5")
    assert found != listed("3x3x3", "--sample", "20", "--seed", "6")
    for game in found:
        assert 0 <= int(game["index"]) < 255_168
        (same,) = listed("3x3x3", "--start", game["index"], "--limit", "1")
        assert same == game
        assert game["outcome"] == ending((3, 3, 3), tuple(game["moves"]))


def test_a_sample_without_a_seed_differs() -> None:
    assert listed("4x4x3", "--sample", "3") != listed("4x4x3", "--sample", "3")


def test_a_sample_of_some_games() -> None:
    found = listed("4x4x3", "--outcome", "draw", "--prefix", "a1", "--sample", "3", "--seed", "1")
    assert [game["outcome"] for game in found] == ["draw"] * 3
    assert all(len(game["moves"]) == 16 and game["moves"][0] == 0 for game in found)


def test_a_sample_draws_with_replacement() -> None:
    assert len(listed("1x1x1", "--sample", "5", "--seed", "1")) == 5
    assert listed("2x2x2", "--sample", "0") == []


# ----------------------------------------------------------------------------- for people to read


def test_lines_for_people() -> None:
    result = run("games", "2x3x2", "--limit", "10")
    assert (result.code, result.err) == (0, "")
    games = list(islice(all_games(2, 3, 2), 10))
    for number, (line, game) in enumerate(zip(result.lines, games, strict=True)):
        assert line.startswith(f"{number}")
        assert names(game, 3) in line
        assert ending((2, 3, 2), game) in line


def test_a_line_can_be_given_back() -> None:
    (line,) = run("games", "3x3x3", "--start", "1234", "--limit", "1").lines
    moves = " ".join(re.findall(r"\b[abc][123]\b", line))
    (game,) = listed("3x3x3", "--start", "1234", "--limit", "1")
    (again,) = listed("3x3x3", "--prefix", moves)
    assert again["moves"] == game["moves"]


# ------------------------------------------------------------------------------------------ pipes


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("grid", ["3x3x3", "5x5x4"])
def test_a_listing_without_end_stops_with_its_reader(grid: str, form: list[str]) -> None:
    """As with `| head -1`."""
    with subprocess.Popen(
        python("games", grid, *form),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=20) == 0
        assert process.stderr.read() == b""


def test_games_come_as_they_are_found() -> None:
    """The first lines are there long before the listing of a board without end could be."""
    result = spawn("games", "10x10x5", "--limit", "1000")
    assert (result.code, result.err) == (0, "")
    assert len(result.lines) == 1000


# -------------------------------------------------------------------------------- wrong questions


@pytest.mark.parametrize("grid", ["", "3x3", "0x3x3", "3x3x0", "axbxc", "ultimate", "3×3×3"])
def test_a_bad_grid(grid: str) -> None:
    result = run("games", grid)
    assert result.failed_politely()
    assert result.out == ""


@pytest.mark.parametrize("start", ["255169", "1000000000000000000000000000000"])
def test_a_number_out_of_range_names_the_range(start: str) -> None:
    result = run("games", "3x3x3", "--start", start)
    assert result.failed_politely()
    assert result.out == ""
    assert "0 to 255167" in result.err


def test_the_range_is_that_of_the_chosen_games() -> None:
    result = run("games", "3x3x3", "--outcome", "draw", "--start", "50000")
    assert result.failed_politely()
    assert "0 to 46079" in result.err


@pytest.mark.parametrize("start", ["-1", "-255168", "one", "1.5", ""])
def test_a_start_is_a_number(start: str) -> None:
    result = run("games", "3x3x3", "--start", start)
    assert result.failed_politely()
    assert result.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--seed", "1"],
        ["--sample", "3", "--start", "5"],
        ["--sample", "3", "--limit", "5"],
        ["--limit", "-1"],
        ["--sample", "-1"],
        ["--sample", "many"],
        ["--seed", "x", "--sample", "1"],
        ["--outcome", "win"],
        ["--outcome", "X_turn"],
        ["--from", "XX./.../..."],
        ["--from", "X.../..../..../...."],
        ["--prefix", "b2 b2"],
        ["--prefix", "d1"],
        ["--prefix", "9"],
        ["--prefix", "x"],
        ["--prefix", "a1 a2 b1 b2 c1 c2"],
        ["--prefix", "c3", "--from", "XXX/OO./..."],
        ["--outcome", "draw", "--prefix", "a1 a2 b1 b2 c1", "--sample", "1"],
    ],
    ids=" ".join,
)
def test_what_makes_no_sense(arguments: list[str]) -> None:
    result = run("games", "3x3x3", *arguments)
    assert result.failed_politely()
    assert result.out == ""


def test_a_bad_prefix_says_which_move() -> None:
    assert "move 2" in run("games", "3x3x3", "--prefix", "b2 b2 a1").err
    assert "d1" in run("games", "3x3x3", "--prefix", "b2 d1").err


def test_no_prefix_is_half_read() -> None:
    """Game records have undone moves behind a bar; a prefix has no such thing."""
    result = run("games", "3x3x3", "--prefix", "b2 | a1", "--limit", "1", "--json")
    assert result.failed_politely()


def test_nothing_to_draw_from() -> None:
    result = run("games", "2x2x2", "--outcome", "draw", "--sample", "1")
    assert result.failed_politely()
    assert "no such game" in result.err


def test_help_has_examples_that_work() -> None:
    result = run("games", "--help")
    assert result.code == 0
    examples = re.findall(r"^ +noughts (games .*)$", result.out, re.M)
    assert len(examples) >= 3
    for example in examples:
        assert run(*example.split()).code == 0, example
