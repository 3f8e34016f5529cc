"""Traces show what the textbook forms do: results, boards and counts agree with the code itself."""

from __future__ import annotations

import gc
import inspect
import itertools
import sys
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import NoughtsError, exercises
from noughts.exercises.textbook import enumeration, simulate, tic_tac_toe, ultimate, verdict
from noughts.exercises.tracing import Event, Step, Trace, trace
from noughts.exercises.tracing.scenes import SCENES
from support import oracle
from support.cases import for_each
from support.strategies import Drawn, Shape, board_of, drawn_boards, shapes

SIMPLE = [f"{r},{c},{p}" for r in range(4) for c in range(3) for p in "XOZ"]
ULTIMATE = [
    f"{a},{b},{c},{d},{p}" for a, b, c, d in itertools.product(range(3), repeat=4) for p in "XO"
]


def last(steps: Trace) -> Step:
    """Return the last step."""
    *_, step = steps
    return step


def boards(steps: Trace) -> Iterator[str]:
    """Yield the board after every step."""
    return (step.picture.marks for step in steps)


# Every game.


def test_2x2x2_has_its_24_games_and_leaves_the_board_empty() -> None:
    steps = list(trace("games", "2x2x2"))
    found = [step.value for step in steps if step.event in (Event.WIN, Event.DRAW)]
    assert found == list(oracle.all_games(2, 2, 2))
    assert len(found) == 24
    assert steps[-1].picture.marks == "...."
    assert [step.number for step in steps] == list(range(len(steps)))


@given(shapes(max_cells=6), st.data())
def test_the_board_follows_from_the_marks_placed_and_taken_back(
    shape: Shape, data: st.DataObject
) -> None:
    rows, cols, k = shape
    start = data.draw(st.integers(0, 300), "start")
    marks, placed, undone, games = ["."] * (rows * cols), 0, 0, 0
    for step in itertools.islice(trace("games", f"{rows}x{cols}x{k}"), 600):
        if step.event in (Event.PLACE, Event.UNDO):
            (cell,) = step.picture.cells
            is_new = step.event is Event.PLACE
            placed, undone = placed + is_new, undone + (not is_new)
            assert (marks[cell] == ".") is is_new
            marks[cell] = "XO"[(placed - undone - 1) % 2] if is_new else "."
        games += step.event in (Event.WIN, Event.DRAW)
        assert step.picture.marks == "".join(marks)
        counts = step.counts
        assert counts.get(Event.PLACE, 0) == placed
        assert counts.get(Event.UNDO, 0) == undone
        assert counts.get(Event.WIN, 0) + counts.get(Event.DRAW, 0) == games
        assert sum(counts.values()) == step.number + 1
        if step.number == start:
            again = next(trace("games", f"{rows}x{cols}x{k}").steps(start), None)
            assert again == step


@for_each("shape", [(1, 1, 1), (1, 4, 2), (2, 2, 3), (3, 2, 2), (1, 5, 3)])
def test_all_games_of_small_grids(shape: Shape) -> None:
    rows, cols, k = shape
    steps = trace("games", f"{rows}x{cols}x{k}")
    found = [step.value for step in steps if step.event in (Event.WIN, Event.DRAW)]
    assert found == list(oracle.all_games(rows, cols, k))


def test_4x4x3_streams_in_constant_memory() -> None:
    steps = trace("games", "4x4x3").steps()
    tracemalloc.start()
    sizes = []
    for _ in range(3):
        for _ in itertools.islice(steps, 500):
            pass
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[2] < sizes[1] + 50_000  # bytes: 500 steps that are kept take ten times as many
    steps.close()  # type: ignore[attr-defined]


def test_the_line_that_wins_is_on_the_board() -> None:
    wins = [step for step in trace("games", "1x5x3") if step.event is Event.WIN]
    assert wins
    for step in wins:
        assert {step.picture.marks[cell] for cell in step.picture.cells} == {"X"}
        assert step.picture.cells in ((0, 1, 2), (1, 2, 3), (2, 3, 4))


# Verdicts.


@for_each(
    ("board", "broken"),
    [
        ("XX./.../...", "X begins and turns alternate"),
        ("XXX/OOO/...", "only one side has a line"),
        ("XXX/OO./O..", "O does not move after X has won"),
        ("OOO/XX./XX.", "X does not move after O has won"),
        ("4x4x3:XXX./OO.O/O.O./XXX.", "one last move completes all lines"),
    ],
)
def test_the_checks_come_in_the_order_of_the_code(board: str, broken: str) -> None:
    order = [
        line.partition("# check: ")[2]
        for line in inspect.getsource(verdict).splitlines()
        if "# check: " in line
    ]
    assert len(order) == 5
    checks = [step for step in trace("state", board) if step.event is Event.CHECK]
    assert [step.holds for step in checks] == [True] * (len(checks) - 1) + [False]
    for rule, step in zip(order, checks, strict=False):
        assert rule in step.text
    assert broken in checks[-1].text
    assert checks[-1].picture.cells


@given(drawn_boards(), st.integers(1, 4))
def test_a_trace_ends_with_the_verdict(drawn: Drawn, k: int) -> None:
    (rows, cols, _), cells = drawn
    board = board_of((rows, cols, k), cells)
    expected = verdict.state(board.rows, k)
    assert last(trace("state", board)).value == expected
    assert last(trace("valid", board)).value is (expected != "invalid")
    checks = [step.holds for step in trace("state", board) if step.event is Event.CHECK]
    assert (False in checks) is (expected == "invalid")


def test_the_guilty_cells_are_those_of_the_reasons() -> None:
    (first,) = [step for step in trace("state", "XXX/OOO/...") if step.holds is False]
    assert first.picture.cells == (0, 1, 2, 3, 4, 5)
    assert "a1 b1 c1 a2 b2 c2" in first.text
    (second,) = [step for step in trace("state", "OO./.X./...") if step.holds is False]
    assert second.picture.cells == (0, 1)


# Constant-time play.


@given(st.integers(1, 4), st.randoms(use_true_random=False))
def test_the_counters_are_sums_of_the_marks(n: int, random: Any) -> None:
    cells = [(row, col) for row in range(n) for col in range(n)]
    random.shuffle(cells)
    moves = [(row, col, random.choice((1, 2))) for row, col in cells]
    steps = list(trace("move", n, moves))
    assert steps[-1].value == tic_tac_toe.play(n, moves)
    ends = [step for step in steps if step.event in (Event.RETURN, Event.WIN) and step.depth == 2]
    assert len(ends) == len(moves)
    for played, step in enumerate(ends, 1):
        sign = {(row, col): 1 if player == 1 else -1 for row, col, player in moves[:played]}
        sums = step.picture.sums
        assert sums is not None
        for index in range(n):
            assert sums["rows"][index] == sum(sign.get((index, col), 0) for col in range(n))
            assert sums["cols"][index] == sum(sign.get((row, index), 0) for row in range(n))
        assert sums["diagonal"] == (sum(sign.get((i, i), 0) for i in range(n)),)
        assert sums["anti_diagonal"] == (sum(sign.get((i, n - 1 - i), 0) for i in range(n)),)
        marks = ["."] * n**2
        for row, col, player in moves[:played]:
            marks[row * n + col] = " XO"[player]
        assert step.picture.marks == "".join(marks)


# Replays.


@given(st.lists(st.sampled_from([*SIMPLE, "", "0,0", " 0,0,X"]), max_size=20))
def test_a_replay_has_its_bits_and_reasons(moves: list[str]) -> None:
    steps = list(trace("simulate", moves))
    assert steps[-1].value == simulate.simulate(moves) == exercises.simulate(moves)
    told = [step for step in steps if step.event in (Event.ACCEPT, Event.REJECT)]
    assert "".join("10"[step.event is Event.REJECT] for step in told) == steps[-1].value[0]
    assert all(len(step.text) > len("rejected: ") for step in told if step.event is Event.REJECT)
    assert steps[-1].picture.marks == "".join(steps[-1].value[2:])


@given(st.lists(st.sampled_from([*ULTIMATE, "0,0,0,X"]), max_size=30))
def test_a_replay_of_ultimate(moves: list[str]) -> None:
    steps = list(trace("ultimate", moves))
    result = steps[-1].value
    assert result == ultimate.simulate_ultimate(moves) == exercises.simulate_ultimate(moves)
    told = [step for step in steps if step.event in (Event.ACCEPT, Event.REJECT)]
    assert "".join("10"[step.event is Event.REJECT] for step in told) == result[0]
    picture = steps[-1].picture
    assert picture.marks == "".join(result[3:])
    forced = {"*": None, "None": None}.get(result[2], result[2])
    if forced is not None:
        row, col = map(int, forced.split(","))
        assert picture.playable == (3 * row + col,)


# Every trace.

EXAMPLES = [(name, list(scene.example)) for name, scene in SCENES.items()]


def lines_run(function: Any, arguments: tuple[Any, ...], file: str) -> list[int]:
    """Return the lines of a file that Python's own tracer sees, in order."""
    seen: list[int] = []

    def follow(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename != file or frame.f_code.co_name.startswith("<"):
            return None
        if event == "line":
            seen.append(frame.f_lineno)
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        result = function(*arguments)
        if inspect.isgenerator(result):
            list(result)
    finally:
        sys.settrace(before)
    return seen


@for_each(("name", "texts"), EXAMPLES)
def test_a_trace_visits_the_lines_that_python_visits(name: str, texts: list[str]) -> None:
    scene = SCENES[name](*SCENES[name].given(texts))
    function = getattr(scene.module, scene.function)
    seen = lines_run(function, scene.arguments, inspect.getfile(scene.module))
    unseen = {
        line
        for hidden in scene.unseen
        for code, first in [inspect.getsourcelines(getattr(scene.module, hidden))]
        for line in range(first, first + len(code))
    }
    calls = (Event.CALL, Event.RETURN)
    run = Trace.of_texts(name, texts)
    statements = {(step.line, step.end) for step in run if step.event not in calls}
    shown = [range(first, end + 1) for first, end in statements]
    assert all(not set(lines).isdisjoint(seen) for lines in shown)
    for line in set(seen) - unseen - constructor_lines(scene.module):
        code = run.source.lines[line - 1].strip()
        is_call = code.startswith(("return", "yield from"))  # shown as the end, and as the call
        assert is_call or any(line in lines for lines in shown), (line, code)


def constructor_lines(module: Any) -> set[int]:
    """Return the lines of the constructors of a module, which run in one step."""
    found: set[int] = set()
    for _, each in inspect.getmembers(module, inspect.isclass):
        if each.__module__ == module.__name__ and "__init__" in vars(each):
            code, first = inspect.getsourcelines(each.__init__)
            found |= set(range(first, first + len(code)))
    return found


@for_each(("name", "texts"), EXAMPLES)
def test_a_trace_is_plain_data_and_the_same_each_time(name: str, texts: list[str]) -> None:
    run = Trace.of_texts(name, texts)
    steps = [step.to_json() for step in run]
    assert steps == [step.to_json() for step in Trace.of_texts(name, run.input)]
    assert eval(repr(run), {"Trace": Trace}).input == run.input
    assert [step.to_json() for step in run.steps(7)] == steps[7:]
    depth = 0
    for step in run:
        depth += step.event is Event.CALL
        assert step.depth == depth == len(step.stack)
        assert step.stack[-1].line == step.line <= step.end <= len(run.source.lines)
        for caller, called in pairwise(step.stack):
            assert f"{called.function}(" in run.source.lines[caller.line - 1]
        assert step.text
        depth -= step.event is Event.RETURN or (
            step.event in (Event.WIN, Event.DRAW, Event.REJECT)
            and "return" in run.source.lines[step.line - 1]
        )
    assert depth == 0
    assert any(step.is_key for step in run)
    assert step.picture.diagram(run.title).caption == run.title


def test_the_code_itself_stays_as_it_is() -> None:
    list(trace("games", "2x2x2"))
    assert list(enumeration.games(2, 2, 2)) == list(oracle.all_games(2, 2, 2))
    assert enumeration.wins(["X", "X"], 0, [[[0, 1]], [[0, 1]]]) is True


def test_two_traces_do_not_meet() -> None:
    one, two = iter(trace("games", "2x2x2")), iter(trace("games", "2x2x2"))
    together = [step for pair in zip(one, two, strict=True) for step in pair]
    assert together[::2] == together[1::2] == list(trace("games", "2x2x2"))


@for_each(
    ("given", "message"),
    [
        (("chess",), "an exercise to trace is one of games, state"),
        ((None,), "an exercise to trace is one of"),
        (("games", "2x2"), "like 4x4x3"),
        (("games", "11x11x3"), "at most 100 cells"),
        (("games", "2x2x2", "3x3x3"), "as in: games 2x2x2"),
        (("state",), "as in: state XXX/OOO/..."),
        (("state", "XX?/..."), "row 1, column 3"),
        (("state", "." * 101), "at most 100 cells"),
        (("state", "X/."), None),
        (("move", 0), "n is a whole number from 1 to 10"),
        (("move", "three"), "n is a whole number from 1 to 10"),
        (("move", True), "n is a whole number from 1 to 10"),
        (("move", 3, ["0,0"]), "move 1: a move is row,col,player"),
        (("move", 3, [(0, 0, 1), (0, 3, 1)]), "move 2: row and column are 0 to 2, not 0,3"),
        (("move", 3, [(0, 0, 3)]), "move 1: the player is 1 or 2"),
        (("move", 3, [(0, 0, 1), (0, 0, 2)]), "move 2: the cell 0,0 is taken"),
        (("move", 3, [(0.0, 0, 1)]), "move 1: a move is row,col,player"),
        (("move", 3, 5), "moves are a list"),
        (("simulate", "0,0,X"), "moves are a list"),
        (("simulate", ["0,0,X", 7]), "move 2 must be text"),
        (("ultimate", ["x"] * 1001), "at most 1,000"),
    ],
)
def test_a_bad_input_is_an_error_at_once(given: tuple[Any, ...], message: str | None) -> None:
    if message is None:
        trace(*given)
        return
    with pytest.raises(NoughtsError) as caught:
        trace(*given)
    assert message in str(caught.value)


def test_a_bad_first_step() -> None:
    for start in (-1, 1.5, "0", None):
        with pytest.raises(NoughtsError, match="the first step"):
            trace("games", "2x2x2").steps(start)  # type: ignore[arg-type]
    assert list(trace("games", "2x2x2").steps(10**6)) == []
