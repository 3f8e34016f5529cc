"""The same answers without compiling, and clear words without what an extra brings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.counting import count
from support.cli_runner import Result, clean_environment

ENGINE = "pip install 'noughts[engine]'"
CLUSTER = "pip install 'noughts[cluster]'"

BLOCKED = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None  # as if it were not installed
from noughts.counting import count
from noughts.cli.main import main
code = main(sys.argv[1:])
loaded = [name for name in ("numpy", "numba", "distributed") if sys.modules.get(name)]
assert not loaded or {may_load!r}, loaded
sys.exit(code)
"""


def without(blocked: list[str], *arguments: str, may_load: bool = False) -> Result:
    """Run a command line in a process where some packages cannot be imported.

    It fails if numpy, numba or distributed was loaded all the same.
    """
    script = BLOCKED.format(blocked=blocked, may_load=may_load)
    return script_result(script, *arguments)


def script_result(script: str, *arguments: str, env: dict[str, str] | None = None) -> Result:
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=clean_environment(env),
        timeout=120,
        check=False,
    )
    return Result(process.returncode, process.stdout, process.stderr)


NOTHING = ["numpy", "numba", "distributed", "dask"]


# ----------------------------------------------------------------------------------- not compiled


SAME = """
import json, os
from itertools import islice
from noughts import Grid, GridPosition
from noughts.counting import count
from noughts.counting.compiled_sweep import Survey, sweep_modulo
from noughts.counting.sweep import sweep
from noughts.counting.listing import Games
from noughts.counting.problem import Problem
from noughts.counting.backtracking import Backtracking
from noughts.kernels import COMPILED

def table(grid, around=(), symmetry=0, threads=1):
    shape = Grid.parse(grid)
    permutation = shape.symmetries[symmetry].permutation(shape.rows, shape.cols)
    problem = Problem.of_grid(shape, around).folded(permutation)
    limit = (shape.cells + 1) // 2
    survey = Survey.of(problem, limit, 1 << 30)
    found = sweep_modulo(survey, 2**31 - 1, threads)
    assert found == [[n % (2**31 - 1) for n in row] for row in sweep(problem, limit)]
    return found

def blocks(*arguments, start=0, size=100, **options):
    found = Games(*arguments, **options).blocks(size, start)
    return [[b.moves.tolist(), b.lengths.tolist(), b.outcomes.tolist()] for b in islice(found, 20)]

print(json.dumps({
    "compiled": COMPILED,
    "tables": [
        table("3x3x3"), table("3x4x3", threads=2), table("3x3x3", [4]), table("3x3x3", [0, 1]),
        table("4x4x3", symmetry=1), table("2x3x1"), table("1x9x3"), table("4x4x4", symmetry=2),
        table("6x6x6", symmetry=2, threads=2),
    ],
    "walks": [
        Backtracking(GridPosition.start("2x4x3")).count().tolist(),
        Backtracking(GridPosition.parse("XO./.X./..."), (2,)).count().tolist(),
        count("2x4x3", method="backtrack").to_json(),
        count("XO./.../...", method="backtrack").to_json(),
    ],
    "layers": [
        count("3x3x3", method="positions").to_json(),
    ],
    "blocks": [
        blocks("2x3x2"), blocks("3x3x3", start=100_000), blocks("3x3x3", prefix=[4, 0]),
        blocks("3x3x3", outcome="draw", start=7, size=1), blocks("XX./OO./..."),
    ],
    "tasks": [
        count("3x3x3", checkpoint=os.environ["KEPT"]).to_json(),
    ],
}))
"""


@pytest.mark.slow
def test_the_same_kernels_give_the_same_answers_uncompiled(tmp_path: Path) -> None:
    compiled = script_result(SAME, env={"KEPT": str(tmp_path / "compiled.db")})
    plain = script_result(SAME, env={"KEPT": str(tmp_path / "plain.db"), "NUMBA_DISABLE_JIT": "1"})
    assert (compiled.code, compiled.err) == (0, "")
    assert (plain.code, plain.err) == (0, "")  # no warnings either: they are errors there
    fast, slow = json.loads(compiled.out), json.loads(plain.out)
    assert (fast.pop("compiled"), slow.pop("compiled")) == (True, False)
    assert slow == fast


@pytest.mark.slow
def test_numpy_alone_will_do() -> None:
    """Without numba the kernels are ordinary functions."""
    block = "import sys; sys.modules['numba'] = None\n"
    script = SAME.replace(', checkpoint=os.environ["KEPT"]', "")
    compiled = script_result(script)
    plain = script_result(block + script)
    assert (plain.code, plain.err) == (0, "")
    fast, slow = json.loads(compiled.out), json.loads(plain.out)
    assert (fast.pop("compiled"), slow.pop("compiled")) == (True, False)
    assert slow == fast


@pytest.mark.parametrize("method", ["backtrack", "positions"])
def test_methods_without_numba(method: str) -> None:
    result = without(["numba"], "count", "2x3x2", "--method", method, "--json", may_load=True)
    assert (result.code, result.err) == (0, "")
    assert result.object["total"] == str(count("2x3x2").total)


# ------------------------------------------------------------------------------------ not installed


@pytest.mark.parametrize(
    "arguments",
    [
        ["count", "4x4x3", "--json"],
        ["count", "4x4x3"],
        ["count", "3x3x3", "--of", "positions", "--json"],
        ["count", "3x3x3", "--of", "endings", "--up-to-symmetry", "--json"],
        ["count", "4x4x3", "--up-to-symmetry", "--json"],
        ["games", "4x4x3", "--start", "1000000000000", "--limit", "3", "--json"],
        ["games", "4x4x3", "--outcome", "draw", "--sample", "1", "--seed", "1", "--json"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("blocked", [NOTHING, []], ids=["missing", "there"])
def test_small_questions_load_nothing_heavy(blocked: list[str], arguments: list[str]) -> None:
    result = without(blocked, *arguments)
    assert (result.code, result.err) == (0, "")
    if arguments[:2] == ["count", "4x4x3"] and "--up-to-symmetry" not in arguments:
        total = "1281016086768" if "--json" in arguments else "1,281,016,086,768"
        assert total in result.out


def test_pure_python_goes_further_where_nothing_else_is_there() -> None:
    result = without(NOTHING, "count", "5x5x4", "--json")
    assert result.object["total"] == "3332811236754516255990144"
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["count", "3x3x3", "--method", "backtrack"],
        ["count", "3x3x3", "--method", "positions", "--json"],
        ["count", "3x3x3", "--up-to-symmetry", "--meaning", "moves"],
        ["count", "3x3x3", "--of", "positions", "--from", "X../.../..."],
        ["count", "3x3x3", "--of", "endings", "--method", "positions"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("blocked", [["numpy", "numba"], ["numpy"]], ids=" ".join)
def test_what_needs_arrays_names_the_extra(blocked: list[str], arguments: list[str]) -> None:
    result = without(blocked, *arguments, may_load=True)
    assert result.failed_politely()
    assert ENGINE in result.err
    assert result.out == ""


def test_a_board_too_large_for_pure_python_names_the_extra() -> None:
    result = without(NOTHING, "count", "6x6x4", "--memory", "30MiB")
    assert result.failed_politely()
    assert ENGINE in result.err


def test_a_board_too_large_for_pure_python_names_what_turns_the_compiler_off() -> None:
    script = BLOCKED.format(blocked=["distributed"], may_load=False)
    result = script_result(script, "count", "6x6x4", env={"NUMBA_DISABLE_JIT": "1"})
    assert result.failed_politely()
    assert "NUMBA_DISABLE_JIT" in result.err


@pytest.mark.parametrize("blocked", [NOTHING, ["distributed"]], ids=" ".join)
@pytest.mark.parametrize("grid", ["3x3x3", "6x6x4"])
@pytest.mark.parametrize("address", ["local:2", "tcp://127.0.0.1:1"])
def test_a_cluster_names_its_extra(blocked: list[str], grid: str, address: str) -> None:
    result = without(blocked, "count", grid, "--cluster", address, may_load=True)
    assert result.failed_politely()
    assert CLUSTER in result.err
    assert result.out == ""


def test_a_checkpoint_is_never_silently_ignored(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    result = without(NOTHING, "count", "4x4x3", "--checkpoint", str(path), "--json")
    assert result.failed_politely()
    assert ENGINE in result.err
    assert not path.exists()


MISSING = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None
from noughts import NoughtsError
from noughts.counting import count
from noughts.counting.listing import Games
from noughts.errors import MissingExtra
for ask in (
    lambda: count("3x3x3", method="backtrack"),
    lambda: count("3x3x3", method="positions"),
    lambda: next(Games("3x3x3").blocks()),
):
    try:
        ask()
    except MissingExtra as error:
        assert error.extra == "engine"
        assert isinstance(error, ImportError) and isinstance(error, NoughtsError)
        print(error)
    else:
        raise AssertionError("nothing is missing?")
assert count("4x4x3").total == 1281016086768
"""


def test_the_library_says_the_same() -> None:
    result = script_result(MISSING)
    assert (result.code, result.err) == (0, "")
    assert result.out.count(ENGINE) == 3
