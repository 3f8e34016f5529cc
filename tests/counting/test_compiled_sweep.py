"""The compiled sweep against the pure one, modulo primes; and the memory it may use."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid
from noughts.counting.chinese_remainder import primes_for
from noughts.counting.compiled_sweep import Survey, sweep_modulo
from noughts.counting.line_free import line_free_counts
from noughts.counting.problem import MarkCounts, Problem
from noughts.counting.runner import Runner
from noughts.counting.sweep import sweep
from noughts.errors import LimitExceeded
from noughts.limits import GIB
from support.cli_runner import clean_environment
from support.strategies import Shape, shapes

LARGEST = 2**31 - 1
PRIMES = st.sampled_from([2, 3, 7, 101, 65_537, 2_147_483_629, LARGEST])


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Draw weights and lines at will, fair or not, or a grid's, with cells allowed or folded."""
    if draw(st.booleans()):
        grid = Grid(*draw(shapes(max_side=5, max_k=5, max_cells=12)))
        around = draw(st.frozensets(st.integers(0, grid.cells - 1), max_size=2))
        problem = Problem.of_grid(grid, around)
        symmetry = draw(st.sampled_from(grid.symmetries))
        permutation = symmetry.permutation(grid.rows, grid.cols)
        return problem.folded(permutation) if draw(st.booleans()) else problem
    count = draw(st.integers(1, 12))
    weights = tuple(draw(st.lists(st.integers(1, 9), min_size=count, max_size=count)))
    line = st.frozensets(st.integers(0, count - 1), min_size=1, max_size=5)
    x_lines = draw(st.frozensets(line, max_size=12))
    o_lines = x_lines if draw(st.booleans()) else draw(st.frozensets(line, max_size=12))
    problem = Problem(weights, x_lines, o_lines)
    if draw(st.booleans()):
        problem = problem.folded(draw(st.permutations(range(count))))
    return problem


def modulo(table: MarkCounts, prime: int) -> MarkCounts:
    return [[number % prime for number in row] for row in table]


# ------------------------------------------------------------------------------ the same numbers


@settings(max_examples=100)
@given(problems(), st.integers(0, 12), PRIMES, st.sampled_from([1, 2]))
def test_the_compiled_sweep_is_the_pure_one_modulo_a_prime(
    problem: Problem, limit: int, prime: int, threads: int
) -> None:
    survey = Survey.of(problem, limit, GIB)
    found = sweep_modulo(survey, prime, threads)
    assert found == modulo(sweep(problem, limit), prime)
    assert all(type(number) is int for row in found for number in row)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(
    "shape", [(4, 4, 3), (5, 5, 3), (4, 5, 4), (6, 6, 6), (1, 30, 5), (3, 8, 2), (5, 4, 4)]
)
def test_larger_grids(shape: Shape, threads: int) -> None:
    problem = Problem.of_grid(Grid(*shape))
    limit = (problem.size + 1) // 2
    survey = Survey.of(problem, limit, 4 * GIB)
    expected = sweep(problem, limit)
    for prime in (LARGEST, 2_147_483_629):
        assert sweep_modulo(survey, prime, threads) == modulo(expected, prime)


@pytest.mark.parametrize("shape", [(4, 4, 3), (4, 4, 4), (3, 5, 3)])
def test_unfair_line_sets_of_grids(shape: Shape) -> None:
    grid = Grid(*shape)
    limit = (grid.cells + 1) // 2
    for around in ([0], [1, 2], [5]):
        problem = Problem.of_grid(grid, around)
        assert not problem.is_fair
        survey = Survey.of(problem, limit, GIB)
        assert sweep_modulo(survey, LARGEST, 2) == modulo(sweep(problem, limit), LARGEST)


@pytest.mark.parametrize("shape", [(4, 4, 3), (5, 5, 4), (3, 5, 3)])
def test_boards_that_a_symmetry_leaves_alone(shape: Shape) -> None:
    grid = Grid(*shape)
    limit = (grid.cells + 1) // 2
    for symmetry in grid.symmetries[1:]:
        problem = Problem.of_grid(grid).folded(symmetry.permutation(grid.rows, grid.cols))
        survey = Survey.of(problem, limit, GIB)
        assert sweep_modulo(survey, LARGEST, 1) == modulo(sweep(problem, limit), LARGEST)


def test_nothing_to_sweep() -> None:
    survey = Survey.of(Problem((), frozenset(), frozenset()), 1, GIB)
    assert sweep_modulo(survey, 7) == [[1, 0], [0, 0]]
    assert survey.most_states == 1


def test_many_lines_through_few_states() -> None:
    """More than a hundred lines, which grow the tables of states and edges many times."""
    problem = Problem.of_grid(Grid(5, 6, 3))
    survey = Survey.of(problem, 2, GIB)
    table = sweep_modulo(survey, LARGEST, 2)
    assert table == modulo(sweep(problem, 2), LARGEST)
    assert table[0][:3] == [1, 30, 30 * 29 // 2]


def test_half_the_states_where_both_sides_have_the_same_lines() -> None:
    grid = Grid(5, 5, 3)
    fair = Survey.of(Problem.of_grid(grid), 3, GIB)
    lines = Problem.of_grid(grid)
    unfair = Problem(lines.weights, lines.x_lines | {frozenset(range(25))}, lines.o_lines)
    assert fair.most_states < 0.6 * Survey.of(unfair, 3, GIB).most_states


def test_progress_goes_up_to_one() -> None:
    shares: list[float] = []
    survey = Survey.of(Problem.of_grid(Grid(4, 4, 3)), 8, GIB)
    sweep_modulo(survey, LARGEST, 2, shares.append)
    assert shares == sorted(shares)
    assert len(shares) > 5
    assert shares[-1] == pytest.approx(1.0)
    assert all(0 <= share <= 1 for share in shares)


def test_small_and_large_problems_are_answered_alike() -> None:
    """With a checkpoint or a cluster a small problem goes the way of the large ones."""
    problem = Problem.of_grid(Grid(4, 4, 3))
    (table,) = line_free_counts([problem], 8, lambda: "here", Runner())
    primes = primes_for(problem.bound)
    survey = Survey.of(problem, 8, GIB)
    for prime in primes:
        assert sweep_modulo(survey, prime) == modulo(table, prime)


# ---------------------------------------------------------------------------------------- memory


@settings(max_examples=60)
@given(problems(), st.integers(1, 12), st.integers(1, 1000))
def test_what_needs_more_than_the_memory_is_refused(
    problem: Problem, limit: int, less: int
) -> None:
    need = Survey.of(problem, limit, GIB).memory
    with pytest.raises(LimitExceeded):
        Survey.of(problem, limit, max(0, need - less))


@pytest.mark.parametrize("memory", [0, 1, 1000, 10_000, 1 << 20, 10 << 20])
def test_the_refusal_has_numbers_that_make_sense(memory: int) -> None:
    problem = Problem.of_grid(Grid(6, 6, 4))
    with pytest.raises(LimitExceeded, match=r"memory.*states.*36 cells") as caught:
        Survey.of(problem, 18, memory)
    message = str(caught.value)
    assert not re.search(r"-\d", message), message
    amount = re.search(r"more than ([\d.]+) (\w+)", message)
    assert amount is not None
    if memory:
        assert float(amount[1]) > 0, message


def test_more_lines_than_a_word_has_bits_are_refused() -> None:
    problem = Problem.of_grid(Grid(20, 20, 3))
    with pytest.raises(LimitExceeded, match=r"118 open lines at once; the limit is 64"):
        Survey.of(problem, 200, GIB)


PEAK = """
import resource, sys
from noughts import Grid
from noughts.counting.compiled_sweep import Survey, sweep_modulo
from noughts.counting.problem import Problem
from noughts.errors import LimitExceeded

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

def sweep(grid, memory):
    problem = Problem.of_grid(Grid.parse(grid))
    sweep_modulo(Survey.of(problem, (problem.size + 1) // 2, memory), 2**31 - 1, 2)

sweep("4x4x3", 1 << 30)  # loads and compiles all there is
before = peak()
try:
    sweep(sys.argv[1], int(sys.argv[2]))
    print("done", peak() - before)
except LimitExceeded:
    print("refused", peak() - before)
"""


def peak(grid: str, memory: int) -> tuple[str, int]:
    """Return how a sweep in a process of its own ended, and by how much its memory grew."""
    process = subprocess.run(
        [sys.executable, "-c", PEAK, grid, str(memory)],
        capture_output=True,
        text=True,
        env=clean_environment(),
        timeout=120,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    how, grown = process.stdout.split()
    return how, int(grown)


SLACK = 20 << 20
"""What the interpreter and the allocator may take for themselves."""


@pytest.mark.slow
@pytest.mark.parametrize("share", [1.02, 1.3])
def test_a_sweep_stays_within_its_memory(share: float) -> None:
    problem = Problem.of_grid(Grid(5, 6, 3))
    memory = int(Survey.of(problem, 15, 4 * GIB).memory * share)
    how, grown = peak("5x6x3", memory)
    assert grown <= memory + SLACK
    if share > 1.2:
        assert how == "done"


@pytest.mark.slow
@pytest.mark.parametrize(("grid", "memory"), [("7x7x5", 300 << 20), ("8x8x4", 100 << 20)])
def test_a_refused_sweep_has_not_taken_the_memory_either(grid: str, memory: int) -> None:
    how, grown = peak(grid, memory)
    assert how == "refused"
    assert grown <= memory + SLACK
