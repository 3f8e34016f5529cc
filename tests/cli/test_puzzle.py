"""``noughts puzzle``: its options, attempts through a pipe and at a keyboard, and how it ends."""

from __future__ import annotations

import json
import re
import signal
import subprocess

import pytest

from noughts.puzzles import Puzzle, daily, puzzle, puzzles
from support.cli_runner import (
    TIME_LIMIT,
    Result,
    allow_ctrl_c,
    clean_environment,
    on_terminal,
    python,
    run,
)

pytestmark = pytest.mark.usefixtures("own_folder")

WIN = next(each for each in puzzles("5x5x4", kind="win") if each.plies == 5)
DRAW = puzzles("ultimate", kind="draw")[0]
BLOCK = puzzles("3x3x3", kind="block")[0]


def names(each: Puzzle) -> list[str]:
    """Return the solver's own moves of the line."""
    return [each.position.move_name(move) for move in each.line[::2]]


def wrong(each: Puzzle) -> str:
    """Return a move that loses."""
    return next(
        each.position.move_name(move)
        for move, answer in each.answers.items()
        if answer.known.label.startswith("L")
    )


def piped(each: Puzzle, *lines: str, options: tuple[str, ...] = ()) -> Result:
    result = run("puzzle", each.id, *options, stdin="".join(f"{line}\n" for line in lines))
    assert "\x1b" not in result.out + result.err
    if "--plain" not in options:
        assert all(len(line) <= 80 for line in result.lines)
    return result


def typed(each: Puzzle, *lines: str | bytes, options: tuple[str, ...] = ()) -> Result:
    result = on_terminal("puzzle", each.id, *options, typed=lines, env={"NO_COLOR": "1"})
    out = re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", result.out)  # what line editing needs
    return Result(result.code, out.replace("\r", ""), "")


# -- attempts -------------------------------------------------------------------------------


@pytest.mark.parametrize("each", [WIN, DRAW, BLOCK], ids=lambda each: each.kind.value)
@pytest.mark.parametrize("options", [(), ("--plain",), ("--ascii",)], ids=str)
def test_solved_through_a_pipe(each: Puzzle, options: tuple[str, ...]) -> None:
    result = piped(each, *names(each), options=options)
    assert (result.code, result.err) == (0, "")
    assert each.title in result.out
    assert f"Puzzle {each.id}" in result.lines[0]
    assert result.lines[-1].startswith("Solved: ")
    assert ("│" in result.out) == (not options)


def test_every_puzzle_can_be_solved_in_eighty_columns() -> None:
    for each in puzzles()[::11]:
        for options in ((), ("--plain",)):
            assert piped(each, *names(each), options=options).code == 0


def test_a_wrong_move_is_answered_and_the_position_stays() -> None:
    result = piped(WIN, wrong(WIN), *names(WIN))
    assert result.code == 0
    said = WIN.check(wrong(WIN)).text
    assert f"{said} Try again." in result.out.replace("\n", " ")


def test_nothing_but_wrong_moves() -> None:
    result = piped(WIN, wrong(WIN), wrong(WIN))
    assert result.code == 1
    assert result.lines[-2:] == ["Not solved. To try again:", f"  noughts puzzle {WIN.id}"]
    assert piped(WIN, options=("--plain",)).lines[-1] == f"  noughts puzzle {WIN.id} --plain"


def test_lines_that_cannot_be_read() -> None:
    taken = WIN.position.move_name(WIN.game.moves[0])
    result = piped(WIN, "z9", "fly", taken, *names(WIN))
    assert result.code == 2
    assert "line 1: " in result.err
    assert "hint, solution, board, help, quit" in result.err
    assert f"line 3: {taken}" in result.err
    assert "Solved" in result.out


def test_hints_come_in_two_steps_for_each_move() -> None:
    first, second, *_ = names(WIN)
    out = piped(WIN, "hint", "hi", first, "hint", "hint").out
    column, name = re.findall(r"The move is in column (\w)\.\nThe move is (\w+)\.", out)[0]
    assert (column, name) == (first[0], first)
    assert f"The move is {second}." in out


def test_giving_up() -> None:
    result = piped(WIN, "solution", names(WIN)[0])
    assert result.code == 1
    assert result.lines[-1].startswith(f"Solution: {WIN.side} {names(WIN)[0]}, {WIN.side.other} ")
    assert piped(WIN, "quit").lines[-1] == f"  noughts puzzle {WIN.id}"
    assert piped(WIN, "quit").code == 1


def test_the_board_and_help() -> None:
    out = piped(BLOCK, "board 2", "board", "help", options=("--plain",)).out
    assert re.search(r"^Row 2( is empty|:)", out, re.MULTILINE)
    assert "solution: give up, and show the solution" in out
    assert "begins with them: hi, s, b." in out


def test_at_a_keyboard() -> None:
    result = typed(WIN, wrong(WIN), "hint", *names(WIN))
    assert result.code == 0
    assert "or help." in result.out
    assert f"\n{WIN.side}> " in result.out
    assert "Solved: " in result.out


def test_left_with_control_d() -> None:
    result = typed(WIN, b"\x04")
    assert result.code == 1
    assert result.out.endswith(f"Not solved. To try again:\n  noughts puzzle {WIN.id}\n")


def test_left_with_control_c() -> None:
    process = subprocess.Popen(
        python("puzzle", WIN.id),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment({"PYTHONUNBUFFERED": "1"}),
        preexec_fn=allow_ctrl_c,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"help\n")
    process.stdin.flush()
    while not process.stdout.readline().startswith(b"The first letters"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=TIME_LIMIT)
    assert (process.returncode, err) == (130, b"")
    assert out.decode().endswith(f"Not solved. To try again:\n  noughts puzzle {WIN.id}\n")


# -- which puzzle ---------------------------------------------------------------------------


def test_shown_without_being_asked() -> None:
    result = run("puzzle", WIN.id, "--solution")
    assert result.code == 0
    assert result.lines[-1].startswith("Solution: ")
    assert run("puzzle", WIN.id, "--json").object == WIN.to_json()
    assert run("puzzle", WIN.id, "--json", "--solution").object == WIN.to_json(solution=True)


def test_the_puzzle_of_a_day() -> None:
    assert run("puzzle", "--date", "2026-02-03", "--json").object == daily("2026-02-03").to_json()
    assert run("puzzle", "--daily", "--json").object["id"] in {each.id for each in puzzles()}


def test_random_ones_by_seed_and_filters() -> None:
    def chosen(*options: str) -> Puzzle:
        return puzzle(run("puzzle", "--json", *options).object["id"])

    assert chosen("--seed", "1") == chosen("--seed", "1")
    assert len({chosen("--seed", str(seed)).id for seed in range(8)}) > 4
    found = chosen("--game", "ultimate", "--kind", "draw", "--stars", "2")
    assert (found.name, found.kind, found.stars) == ("ultimate", "draw", 2)


def test_the_list() -> None:
    result = run("puzzle", "--list")
    assert len(result.lines) == len(puzzles())
    assert all(len(line) <= 80 for line in result.lines)
    lines = run("puzzle", "--list", "--game", "3x3x3").lines
    assert [line.split()[0] for line in lines] == [each.id for each in puzzles("3x3x3")]
    objects = run("puzzle", "--list", "--stars", "5", "--json").objects
    assert objects == [json.loads(json.dumps(each.to_json())) for each in puzzles(stars=5)]
    told = run("puzzle", "--list", "--game", "3x3x3", "--solution").lines
    assert told[0].endswith(f": {names(puzzles('3x3x3')[0])[0]}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["zzzzz"], "there is no puzzle 'zzzzz'; an id is like"),
        (["--date", "2026-02-30"], "a date is a day like 2026-01-31"),
        (["--game", "chess"], "a game is named like 4x4x3 or ultimate"),
        (["--game", "9x9x5"], "No puzzle matches"),
        (["--game", "3x3x3", "--stars", "5"], "No puzzle matches"),
        (["--kind", "mate"], "'mate'"),
        (["--stars", "6"], "6"),
        ([WIN.id, "--daily"], "one of the three"),
        (["--daily", "--game", "3x3x3"], "one of the three"),
        (["--list", "--daily"], "--list goes with"),
        ([WIN.id, DRAW.id], "unexpected extra argument"),
    ],
    ids=str,
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    result = run("puzzle", *arguments)
    assert result.failed_politely()
    assert message in " ".join(result.err.split())
