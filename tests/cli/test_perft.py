"""`noughts perft`, from the specification (8), issue 2 and its help."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from noughts import UltimatePosition, perft
from support.cli_runner import interrupted, run, spawn
from support.oracle import perft_grid, perft_ultimate

# Published for tic-tac-toe; they also sum up to the 255,168 games and the unfinished ones.
THREE = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
# Given with the project.
ULTIMATE = [1, 81, 720, 6336, 55080]
# Published, and given with the engine.
DEEP = {5: 473256, 6: 4020960, 7: 33782544}

CENTRE = "9/9/9/9/4X4/9/9/9/9 O e"
# A game in which few moves are left.
LATE = (
    "O;O..OXO.X@;XO.XO..OX/..O..X..X/X...OX.OO/OOXOOX.O./...XXX.OX/....OXOOO/..OX...../.X.XXO.XX/"
    "O.XO.XX.O"
)
CENTRE_LINE = "O;....@....;" + "/".join(["........."] * 4 + ["....X...."] + ["........."] * 4)


@pytest.mark.parametrize(("depth", "nodes"), list(enumerate(THREE)))
def test_three_in_a_row(depth: int, nodes: int) -> None:
    result = run("perft", "3x3x3", str(depth), "--json")
    assert result.object["depth"] == depth
    assert result.object["nodes"] == str(nodes)
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize(("depth", "nodes"), list(enumerate(ULTIMATE)))
def test_ultimate(depth: int, nodes: int) -> None:
    result = run("perft", "ultimate", str(depth), "--json")
    assert (result.object["depth"], result.object["nodes"]) == (depth, str(nodes))


@pytest.mark.parametrize(("depth", "nodes"), DEEP.items())
def test_ultimate_deeper(depth: int, nodes: int) -> None:
    assert run("perft", "ultimate", str(depth), "--json").object["nodes"] == str(nodes)


def test_a_deep_split_adds_up() -> None:
    item = run("perft", "ultimate", "6", "--split", "--json").object
    assert item["nodes"] == str(DEEP[6])
    assert sum(map(int, item["split"].values())) == DEEP[6]
    assert len(item["split"]) == 81
    # The four corners of the corner boards are the same by symmetry.
    assert len({item["split"][name] for name in ("aa", "cc", "gg", "ii")}) == 1


def test_a_deep_perft_of_a_position() -> None:
    item = run("perft", "ultimate", "6", "-p", CENTRE, "--json").object
    assert item["nodes"] == str(perft(UltimatePosition.parse(CENTRE), 6))


@pytest.mark.parametrize("missing", ["numpy", "numba"])
def test_without_the_extra_the_pure_rules_count(missing: str) -> None:
    script = f"""
import sys
sys.modules[{missing!r}] = None
from noughts.cli.main import main
sys.exit(main(["perft", "ultimate", "6", "-p", {LATE!r}, "--split", "--json"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    here = run("perft", "ultimate", "6", "-p", LATE, "--split", "--json")
    assert json.loads(done.stdout) == here.object


@pytest.mark.parametrize(("depth", "is_loaded"), [("4", False), ("6", True)])
def test_only_deep_questions_load_numpy(depth: str, is_loaded: bool) -> None:
    script = f"""
import sys
from noughts.cli.main import main
main(["perft", "ultimate", {depth!r}, "-p", {LATE!r}])
sys.exit(int("numpy" in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60)
    assert done.returncode == is_loaded


def test_in_a_process() -> None:
    result = spawn("perft", "3x3x3", "5", "--json")
    assert result.object["depth"] == 5
    assert result.object["nodes"] == "15120"
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize(
    ("rows", "cols", "k", "depth"),
    [(1, 1, 1, 1), (1, 1, 1, 2), (2, 3, 2, 4), (4, 4, 3, 4), (1, 6, 3, 6), (2, 2, 5, 4)],
)
def test_other_grids_agree_with_play(rows: int, cols: int, k: int, depth: int) -> None:
    result = run("perft", f"{rows}x{cols}x{k}", str(depth), "--json")
    assert result.object["nodes"] == str(perft_grid(rows, cols, k, depth))


@pytest.mark.parametrize(
    ("name", "is_open", "most_boards"),
    [
        ("ultimate-open", True, False),
        ("ultimate-most-boards", False, True),
        ("ultimate-open-most-boards", True, True),
    ],
)
def test_variants(name: str, is_open: bool, most_boards: bool) -> None:
    result = run("perft", name, "3", "--json")
    assert result.object["nodes"] == str(perft_ultimate(3, open=is_open, most_boards=most_boards))
    assert result.object["game"] == name


def test_for_people() -> None:
    result = run("perft", "3x3x3", "5")
    assert result.code == 0
    assert "15,120" in result.out
    assert len(result.lines) == 1


# -- the split ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "depth", "total"), [("3x3x3", 5, 15120), ("ultimate", 3, 6336), ("2x2x2", 4, 0)]
)
def test_split_adds_up(game: str, depth: int, total: int) -> None:
    item = run("perft", game, str(depth), "--split", "--json").object
    assert item["nodes"] == str(total)
    assert all(isinstance(count, str) for count in item["split"].values()), "decimal strings"
    assert sum(map(int, item["split"].values())) == total
    people = run("perft", game, str(depth), "--split")
    *moves, last = [line.split() for line in people.lines]
    assert {name: count.replace(",", "") for name, count in moves} == item["split"]
    assert last == ["total", f"{total:,}"]


def test_split_names_every_move() -> None:
    grid = run("perft", "2x3x2", "2", "--split", "--json").object["split"]
    assert list(grid) == ["a1", "b1", "c1", "a2", "b2", "c2"]
    ultimate = run("perft", "ultimate", "1", "--split", "--json").object["split"]
    assert list(ultimate) == [board + cell for board in "abcdefghi" for cell in "abcdefghi"]
    assert set(ultimate.values()) == {"1"}


def test_split_includes_moves_that_end_the_game() -> None:
    item = run("perft", "3x3x3", "2", "-p", "XX./OO./...", "--split", "--json").object
    assert item["split"] == {"c1": "0", "c2": "4", "a3": "4", "b3": "4", "c3": "4"}
    assert item["nodes"] == "16"


def test_split_columns_line_up() -> None:
    lines = run("perft", "3x3x3", "5", "-p", "XX./OO./...", "--split").lines
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize("arguments", [("0",), ("3", "-p", "XXX/OO./..."), ("9",)])
def test_split_of_nothing(arguments: tuple[str, ...]) -> None:
    result = run("perft", "3x3x3", *arguments, "--split")
    plain = run("perft", "3x3x3", *arguments, "--json")
    assert result.code == 0
    total = int(plain.object["nodes"])
    assert result.lines[-1].split() == ["total", f"{total:,}"]


# -- a position to start from ------------------------------------------------------------


@pytest.mark.parametrize("position", ["XX./OO./...", "3x3x3:XX./OO./...", "XX /00 /   "])
def test_position_on_a_grid(position: str) -> None:
    result = run("perft", "3x3x3", "1", "--position", position, "--json")
    assert result.object["nodes"] == "5"


@pytest.mark.parametrize(
    "position", [CENTRE, f"ultimate:{CENTRE}", CENTRE_LINE, f"ultimate:{CENTRE_LINE}"]
)
def test_position_of_ultimate(position: str) -> None:
    for option in ("-p", "--position"):
        result = run("perft", "ultimate", "2", option, position, "--json")
        assert (result.code, result.object["nodes"]) == (0, "72")


def test_finished_game_has_no_moves() -> None:
    result = run("perft", "3x3x3", "1", "--position", "XXX/OO./...", "--json")
    assert result.object["nodes"] == "0"
    assert run("perft", "3x3x3", "0", "-p", "XXX/OO./...", "--json").object["nodes"] == "1"


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("3x3x3", "4x4x3:..../..../..../...."),
        ("4x4x3", "XX./OO./..."),
        ("3x3x2", "3x3x3:XX./OO./..."),
        ("3x3x3", "XXX/OOO/..."),
        ("3x3x3", "OO./.../..."),
        ("3x3x3", "XX?/OO./..."),
        ("3x3x3", ""),
        ("3x3x3", "3x3x3"),
        ("3x3x3", CENTRE),
        ("ultimate", "XX./OO./..."),
        ("ultimate", ""),
        ("ultimate", "O;@........;"),
        ("ultimate", CENTRE.replace("O e", "X e")),
        ("ultimate", CENTRE.replace("O e", "O a")),
        ("ultimate", CENTRE.replace("O e", "O -")),
        ("ultimate-open", f"ultimate:{CENTRE}"),
        ("ultimate", "9/9/9/9/4X4/9/9/9/8 O e"),
    ],
)
def test_positions_that_do_not_fit(game: str, position: str) -> None:
    result = run("perft", game, "2", "--position", position, "--json")
    assert result.failed_politely()
    assert result.out == ""


def test_bad_position_is_pointed_at() -> None:
    result = run("perft", "3x3x3", "2", "-p", "XX./O?./...")
    assert "row 2" in result.err
    assert "'?'" in result.err


# -- nonsense ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("3x3x3",),
        ("3x3x3", "x"),
        ("3x3x3", ""),
        ("3x3x3", "-1"),
        ("3x3x3", "2.0"),
        ("3x3x3", "1" * 400),
        ("3x3x3", "1000000000"),
        ("3x3x3", "2", "3"),
        ("3x3", "2"),
        ("", "2"),
        ("0x3x3", "2"),
        ("3x3x3:XX./OO./...", "2"),
        ("ultimat", "2"),
        ("ultimate-", "2"),
        ("ultimate-closed", "2"),
        ("Ultimate", "2"),
        ("999999999x999999999x3", "1"),
        ("9" * 5000 + "x3x3", "1"),
    ],
)
def test_nonsense(arguments: tuple[str, ...]) -> None:
    result = run("perft", *arguments)
    assert result.failed_politely()
    assert result.out == ""
    assert len(result.err) < 1000


def test_name_in_error() -> None:
    assert "'3x3'" in run("perft", "3x3", "2").err
    assert "ultimat" in run("perft", "ultimat", "2").err


def test_a_deep_search_does_not_run_out_of_stack() -> None:
    """A depth that is accepted is counted, or can be interrupted; it does not crash."""
    result = interrupted("perft", "1x600x700", "500", after=1.0)
    assert "Traceback" not in result.err
    assert result.code in (2, 130)


def test_a_huge_grid_answers_at_once_where_it_can() -> None:
    assert run("perft", "1000x1000x5", "1", "--json").object["nodes"] == "1000000"
    assert run("perft", "1000x1000x5", "0", "--json").object["nodes"] == "1"
