"""``noughts play``: a game by pipe and by keyboard, what is said, and that nothing is lost."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli_runner import (
    TIME_LIMIT,
    Result,
    clean_environment,
    on_terminal,
    python,
    run,
    spawn,
    without_colour,
)
from noughts import Game, Player, Position, UltimatePosition
from noughts.engine.levels import ULTIMATE_LEVELS
from noughts.solving.levels import Level

# Processes, signals and terminals depend on how busy the machine is: they may try again.
pytestmark = pytest.mark.flaky(reruns=2)


@pytest.fixture(autouse=True)
def _no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look nothing up in the tables that somebody may have installed."""
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "none"))


def piped(*arguments: str, lines: str = "") -> Result:
    """Play with moves from a pipe, separated by spaces here."""
    result = run("play", *arguments, stdin="".join(f"{line}\n" for line in lines.split()))
    assert "\x1b" not in result.out + result.err
    assert all(len(line) <= 80 for line in result.lines if not line.startswith(("Game: ", "  nou")))
    return result


def record(result: Result) -> Game[Position]:
    """Return the game that was told last: a finished one, or how to go on with it."""
    told = re.findall(r"^(?:Game: |  noughts play )(.*?)(?: --.*)?$", result.out, re.MULTILINE)
    game = Game.parse(" ".join(shlex.split(told[-1])))
    assert isinstance(game.start, Position)
    return game  # type: ignore[return-value]  # it starts on a grid, so it is on one


def boards(result: Result) -> list[str]:
    """Return the captions of all boards that were drawn."""
    return [line for line in result.lines if re.match(r"\d+x\d+x\d+, ", line)]


# -- a game by pipe ----------------------------------------------------------------------


WON = """\
3x3x3: you are X, the solver (perfect) is O.

    a   b   c
1   X │ X │
   ───┼───┼───
2   O │ O │
   ───┼───┼───
3     │   │
3x3x3, X to move

X plays c1
    a   b   c
1  [X]│[X]│[X]
   ───┼───┼───
2   O │ O │
   ───┼───┼───
3     │   │
3x3x3, X wins

X wins with a1 b1 c1 after 1 move.
Game: 3x3x3:XX./OO./... c1
"""


def test_a_game_that_is_won() -> None:
    result = piped("XX./OO./...", lines="c1")
    assert (result.code, result.err) == (0, "")
    assert result.out == WON


def test_a_game_against_the_solver() -> None:
    result = piped("3x3x3", lines="b2 c3 c2 b3 a3")
    assert result.code in (0, 2), "the solver may have taken some of these cells"
    game = record(result)
    assert game.moves[0] == 4
    assert len(boards(result)) == len(game.moves) + 1, "a board after every move"
    for number, move in enumerate(game.moves):
        player = "XO"[number % 2]
        assert any(
            line.startswith(f"{player} plays {game.start.move_name(move)}") for line in result.lines
        )


def test_the_solver_says_what_its_moves_lead_to() -> None:
    assert "O plays b2 (a draw)" in piped("3x3x3", lines="a1").lines
    assert "O plays c3 (wins in 1)" in piped("3x3x3", "c1", "a1", "a2", "b2", lines="b1").lines
    assert "X plays b2 (wins in 5)" in piped("4x4x3", "--as", "O", "--time", "2s").lines


def test_a_draw() -> None:
    result = piped("3x3x3", "--against", "person", lines="a1 b1 c1 b2 a2 c2 b3 a3 c3")
    assert (result.code, result.err) == (0, "")
    assert result.lines[-2] == "A draw after 9 moves."
    assert boards(result)[-1] == "3x3x3, draw"


def test_two_lines_at_once() -> None:
    result = piped("XX./OOX/OOX", lines="c1")
    assert result.lines[-2] == "X wins with a1 b1 c1 and c1 c2 c3 after 1 move."


@pytest.mark.parametrize("form", ["b2", "B2", "4", "  b2", "b2\t ", " B2 \r"])
def test_forms_of_a_move(form: str) -> None:
    result = run("play", "3x3x3", "--against", "person", stdin=f"{form}\n")
    assert (result.code, result.err) == (0, "")
    assert record(result).moves == (4,)


def test_blank_lines_and_the_last_line_without_an_end() -> None:
    result = run("play", "3x3x3", "--against", "person", stdin="\n\n b2 \n\n\na1")
    assert (result.code, result.err) == (0, "")
    assert record(result).text == "3x3x3 b2 a1"


def test_a_game_is_taken_up_again() -> None:
    """What is printed at the end is a command that goes on where this one stopped."""
    first = piped("4x4x4", "--against", "person", lines="b2 c3 a1")
    assert first.lines[-2] == "Left with O to move. To go on:"
    command = shlex.split(first.lines[-1])
    assert command[:2] == ["noughts", "play"]
    second = run(*command[1:], stdin="d4\n")
    assert second.code == 0
    assert record(second).text == "4x4x4 b2 c3 a1 d4"
    shown = run("show", *record(second).text.split())
    assert shown.out.strip() in second.out


@pytest.mark.parametrize(
    ("options", "again"),
    [
        ([], ""),
        (["--as", "o"], " --as O"),
        (["--level", "2"], " --level casual"),
        (["--as", "O", "--level", "beginner"], " --as O --level beginner"),
        (["--against", "person"], " --against person"),
    ],
)
def test_going_on_is_with_the_same_players(options: list[str], again: str) -> None:
    result = (
        piped("3x3x3:X../.O./...", *options, "--seed", "1")
        if "person" not in options
        else (piped("3x3x3:X../.O./...", *options))
    )
    assert result.code == 0
    text = record(result).text
    assert result.lines[-1] == f"  noughts play {text}{again}"


def test_undone_moves_are_kept_for_another_time() -> None:
    result = piped("3x3x3", "--against", "person", lines="b2 a1 c3 undo undo")
    assert result.lines[-1] == "  noughts play 3x3x3 b2 '|' a1 c3 --against person"
    again = run(*shlex.split(result.lines[-1])[1:], stdin="redo\n")
    assert record(again).text == "3x3x3 b2 a1 | c3"


def test_a_position_with_o_to_move() -> None:
    result = piped("4x4x3:X.../..../..../....", "--time", "2s")
    assert result.code == 0
    assert len(record(result).moves) == 1
    assert "X to move" in result.lines[-2]


def test_the_solver_alone() -> None:
    result = run("play", "3x3x3", "--as", "none", stdin="nobody reads this")
    assert (result.code, result.err) == (0, "")
    assert result.lines[-2] == "A draw after 9 moves."
    result = run("play", "3x4x3", "--as", "none", "--time", "3s")
    assert re.fullmatch(r"X wins with (\w\d ?){3} after 7 moves\.", result.lines[-2])


def test_nobody_has_to_read_numpy_for_a_small_game() -> None:
    program = (
        "import sys\n"
        "from noughts.cli.main import main\n"
        "for level in ('1', '2', '3', '4'):\n"
        "    main(['play', '3x3x3', '--as', 'none', '--level', level])\n"
        "main(['play', '19x19x5', 'j10', '--level', 'strong'])\n"
        "main(['play', 'ultimate', 'ee', '--level', 'casual'])\n"
        "print('numpy' in sys.modules, 'numba' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=clean_environment(),
        timeout=60,
        check=True,
    )
    assert ran.stdout.splitlines()[-1] == "False False"


# -- levels ------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "level"), [(str(n), each) for n, each in enumerate(Level, 1)])
def test_levels_by_name_and_number(number: str, level: Level) -> None:
    games = {
        run("play", "3x3x3", "--as", "none", "--level", name, "--seed", "7").out
        for name in (number, level.value, level.value.upper())
    }
    assert len(games) == 1
    assert f"({level})" in games.pop()


def test_seeds() -> None:
    def game(*arguments: str) -> str:
        return run("play", "3x3x3", "--as", "none", "--level", "1", *arguments).lines[-1]

    assert game("--seed", "3") == game("--seed", "3")
    assert len({game("--seed", str(seed)) for seed in range(5)}) > 1
    assert len({game() for _ in range(5)}) > 1


def test_weak_levels_do_not_say_what_they_do_not_know() -> None:
    result = run("play", "3x3x3", "--as", "none", "--level", "casual")
    assert all("(" not in line for line in result.lines if re.match("[XO] plays ", line))


# -- commands ----------------------------------------------------------------------------


def test_undo_takes_the_answer_back_as_well() -> None:
    result = piped("3x3x3", lines="b2 undo")
    assert (result.code, result.err) == (0, "")
    assert record(result).moves == ()
    assert len(record(result).undone) == 2
    assert boards(result)[-1] == "3x3x3, X to move"


def test_undo_and_redo_lead_back() -> None:
    once = record(piped("3x3x3", lines="b2"))
    again = record(piped("3x3x3", lines="b2 undo redo"))
    assert once == again
    twice = record(piped("3x3x3", lines="b2 undo redo undo redo"))
    assert once == twice


def test_undo_after_the_end() -> None:
    result = piped("XX./OO./...", lines="c3 undo c1 undo")
    assert result.code == 0
    assert "O wins with a2 b2 c2 after 2 moves." in result.lines
    assert "X wins with a1 b1 c1 after 1 move." in result.lines
    assert record(result).moves == ()


@pytest.mark.parametrize("side", ["X", "O"])
def test_nothing_to_undo_or_redo(side: str) -> None:
    """The solver's own first move is not the person's to take back."""
    result = piped("3x3x3", "--as", side, lines="undo redo")
    assert result.code == 2
    assert "line 1: there is no move of yours to undo" in result.err
    assert "line 2: there is no move to redo" in result.err
    assert len(record(result).moves) == (0 if side == "X" else 1)
    assert record(result).undone == ()


def test_a_new_move_forgets_what_was_undone() -> None:
    result = piped("3x3x3", lines="b2 undo c3 redo")
    assert result.code == 2
    assert "line 4: there is no move to redo" in result.err
    assert record(result).moves[0] == 8


def test_hint() -> None:
    assert "Hint: c1 (wins in 1)" in piped("XX./OO./...", lines="hint").lines
    lost = piped("3x3x3:XX./OX./..O", "--as", "O", lines="hint").lines
    assert "Hint: c1 (loses in 2; no move is better)" in lost
    assert re.search(r"^Hint: \w\d \(a draw\)$", piped("3x3x3", lines="hint").out, re.MULTILINE)


def test_a_hint_is_good_at_every_level() -> None:
    for level in Level:
        lines = piped("3x3x3:XX./OO./...", "--level", level, lines="hint").lines
        assert "Hint: c1 (wins in 1)" in lines


def test_moves() -> None:
    lines = piped("3x3x3:X../.O./..X", "--as", "O", lines="moves").lines
    assert "  a draw      b1 a2 c2 b3" in lines
    assert "  loses in 4  c1 a3" in lines
    lines = piped("XX./OO./...", lines="moves").lines
    assert "  wins in 1   c1" in lines
    assert "  a draw      c2" in lines
    assert "  loses in 2  a3 b3 c3" in lines


def test_hints_and_moves_change_nothing() -> None:
    assert record(piped("3x3x3", lines="b2 hint moves help")) == record(piped("3x3x3", lines="b2"))


def test_resign() -> None:
    result = piped("3x3x3", lines="b2 resign")
    assert (result.code, result.err) == (0, "")
    assert result.lines[-2] == "X resigns after 2 moves: O wins."
    assert len(record(result).moves) == 2
    result = piped("3x3x3", "--against", "person", lines="b2 resign")
    assert result.lines[-2] == "O resigns after 1 move: X wins."


def test_a_resignation_can_be_taken_back() -> None:
    result = piped("3x3x3", "--against", "person", lines="b2 resign redo undo a1")
    assert result.code == 2, "there was nothing to redo"
    assert record(result).text == "3x3x3 b2 a1"


def test_after_the_end() -> None:
    for lines, how in (("c1 c2 hint moves resign", "X wins"), ("resign c2 hint", "X resigned")):
        result = piped("XX./OO./...", lines=lines)
        assert result.code == 2
        complaints = result.err.splitlines()
        assert len(complaints) == len(lines.split()) - 1
        assert all(f"the game is over: {how}" in complaint for complaint in complaints)


def test_new() -> None:
    result = piped("3x3x3", "--against", "person", lines="b2 a1 new c3")
    assert (result.code, result.err) == (0, "")
    assert "Game: 3x3x3 b2 a1" in result.lines, "nothing is lost"
    assert record(result).text == "3x3x3 c3"
    result = piped("XX./OO./...", lines="c1 new")
    assert record(result).text == "3x3x3:XX./OO./..."
    result = piped("3x3x3", "--as", "O", lines="new")
    assert len(record(result).moves) == 1, "the solver begins again"


def test_help_lists_every_command() -> None:
    for word in ("help", "?", "HELP"):
        result = piped("3x3x3", lines=word)
        assert (result.code, result.err) == (0, "")
        for name in ("undo", "redo", "hint", "moves", "resign", "new", "help", "quit"):
            assert re.search(rf"^  {name} +\w", result.out, re.MULTILINE)


@pytest.mark.parametrize("word", ["quit", "q", "QUIT", "exit", "qui"])
def test_quit(word: str) -> None:
    result = piped("3x3x3", "--against", "person", lines=f"b2 {word} a1 nonsense")
    assert (result.code, result.err) == (0, "")
    assert record(result).text == "3x3x3 b2"


@pytest.mark.parametrize(
    ("short", "meaning"),
    [("u", "undo"), ("red", "redo"), ("hi", "hint"), ("m", "moves"), ("res", "resign")],
)
def test_short_forms(short: str, meaning: str) -> None:
    assert piped("3x3x3", lines=f"b2 u {short}") == piped("3x3x3", lines=f"b2 undo {meaning}")


# -- what is not understood --------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("foo", "undo, redo, hint, moves, resign, new, help, quit"),
        ("b2 a1", "a move, like c2 or 5,"),
        ("b", "a move, like c2 or 5,"),
        ("2b", "a move, like c2 or 5,"),
        ("-1", "a move, like c2 or 5,"),
        ("!", "a move, like c2 or 5,"),
        ("b２", "a move, like c2 or 5,"),
        ("É", "a move, like c2 or 5,"),
        ("unod", "did you mean undo?"),
        ("h", "hint or help"),
        ("r", "redo or resign"),
        ("re", "redo or resign"),
        ("d1", "columns a to c"),
        ("a4", "rows 1 to 3"),
        ("a0", "rows 1 to 3"),
        ("9", "0 to 8"),
        ("99999999999999999999999999", "b2"),
        ("a1", "a1 (cell 0) is taken by X"),
    ],
)
def test_what_is_not_understood(line: str, hint: str) -> None:
    """It is said where and why, and the game goes on."""
    result = run("play", "3x3x3", "--against", "person", stdin=f"a1\n\n{line}\nc3\n")
    assert result.code == 2
    assert result.err.startswith("Error: line 3: ")
    assert hint in result.err
    assert record(result).text == "3x3x3 a1 c3"


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe\x00\n", bytes(range(256)), b"\x00" * 4096, b"a" * 100_000, b"a" * 100_000 + b"1"],
    ids=["utf-16", "all bytes", "zeros", "long", "far"],
)
def test_any_bytes(data: bytes) -> None:
    result = spawn("play", "3x3x3", stdin=data + b"\nb2\n")
    assert result.code == 2
    assert "Traceback" not in result.err
    assert len(result.err) < 10_000
    assert "X plays b2" in result.lines


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b"\xef\xbb\xbfb2\r\n"])
def test_next_to_nothing(data: bytes) -> None:
    result = spawn("play", "3x3x3", stdin=data)
    assert (result.code, result.err) == (0, "")


def test_a_closed_stdin() -> None:
    process = subprocess.run(
        ["sh", "-c", f"{shlex.join(python('play', '3x3x3'))} <&-"],
        capture_output=True,
        env=clean_environment(),
        timeout=TIME_LIMIT,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.decode().splitlines()[-1] == "  noughts play 3x3x3"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["3x3"],
        ["nonsense"],
        ["XXX/OO./..."],
        ["XXX/OOO/..."],
        ["3x3x3", "b2", "b2"],
        ["3x3x3", "d4"],
        ["3x3x3", "--as", "Y"],
        ["3x3x3", "--level", "5"],
        ["3x3x3", "--level", "0"],
        ["3x3x3", "--level", "grandmaster"],
        ["3x3x3", "--time", "0"],
        ["3x3x3", "--time", "soon"],
        ["3x3x3", "--time", "-5s"],
        ["3x3x3", "--seed", "x"],
        ["3x3x3", "--against", "nobody"],
        ["3x3x3", "--against", "person", "--as", "X"],
        ["3x3x3", "--against", "person", "--level", "2"],
        ["3x3x3", "--against", "person", "--seed", "2"],
        ["ultimate", "--level", "perfect"],
        ["ultimate", "--level", "7"],
        ["3x3x3", "--level", "full"],
    ],
    ids=" ".join,
)
def test_unusable_arguments(arguments: list[str]) -> None:
    result = run("play", *arguments, stdin="b2\n")
    assert result.failed_politely()
    assert result.out == ""


@pytest.mark.parametrize("seconds", ["1s", "1", "0.5s", "1min", "1h", "2 s"])
def test_times(seconds: str) -> None:
    result = run("play", "3x3x3", "--time", seconds)
    assert (result.code, result.err) == (0, "")


def test_a_damaged_table_stops_the_solver_but_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "3x3x3.noughts").write_bytes(b"nonsense")
    result = run("play", "3x3x3", stdin="b2\na1\n", env={"NOUGHTS_TABLES": str(tmp_path)})
    assert result.failed_politely()
    assert record(result).text == "3x3x3 b2"
    assert "3x3x3.noughts" in result.err


# -- other boards ------------------------------------------------------------------------


def test_a_large_board() -> None:
    result = piped("15x15x5", lines="h8 hint moves g8")
    assert (result.code, result.err) == (0, "")
    assert "Not everything is proved: boards of more than 64 cells" in result.out
    assert result.out.count("Not everything") == 1, "it is said once"
    assert any(re.fullmatch(r"O plays \w+ \(not proved\)", line) for line in result.lines)
    assert "  not proved  all 223 moves" in result.lines
    assert max(map(len, result.lines)) <= 80


def test_a_large_board_is_low_enough_for_a_terminal() -> None:
    assert "┼" not in piped("15x15x5").out
    assert "┼" in piped("8x8x5", "--against", "person").out


def test_threats_on_a_large_board() -> None:
    moves = ["h8", "a1", "i8", "a2", "j8", "a3", "k8"]
    result = piped("15x15x5", *moves, "--as", "O", lines="moves hint a4")
    assert "  loses in 2  " in result.out
    assert "loses in 2; no move is better" in result.out
    assert "X wins with " in result.lines[-2]


def test_ultimate_between_two_people() -> None:
    options = ("--against", "person", "--time", "0.1")
    result = run("play", "ultimate", *options, stdin="ee\nEA\n40\nhint\nundo\n")
    assert result.code == 2
    assert "line 3: ee (40) is taken" in result.err or "line 3" in result.err
    assert any(re.fullmatch(r"Hint: a[a-i] \(~ \d+ %\)", line) for line in result.lines)
    assert result.lines[-1] == "  noughts play ultimate ee '|' ea --against person"


def test_in_ultimate_a_move_goes_before_a_command() -> None:
    result = run("play", "ultimate", "--against", "person", stdin="hi\n")
    assert (result.code, result.err) == (0, "")
    assert result.lines[-1] == "  noughts play ultimate hi --against person"


def test_an_ultimate_game_to_its_end() -> None:
    rng = Random(1)
    game = Game(UltimatePosition.start())
    while game.outcome is None:
        game.play(rng.choice(game.position.legal_moves))
    moves = [game.start.move_name(move) for move in game.moves]
    result = run("play", "ultimate", "--against", "person", stdin="\n".join(moves))
    assert (result.code, result.err) == (0, "")
    assert game.outcome.lines, "another seed would do"
    end = rf"{game.outcome} with boards \w \w \w after {len(moves)} moves\."
    assert re.fullmatch(end, result.lines[-2])
    assert result.lines[-1] == f"Game: {game.text}"


ULTIMATE = list(ULTIMATE_LEVELS)


@pytest.mark.parametrize(("number", "level"), list(enumerate(ULTIMATE, 1)))
@pytest.mark.parametrize("variant", ["ultimate", "ultimate-open"])
def test_the_engine_answers_at_ultimate(number: int, level: str, variant: str) -> None:
    for name in (str(number), level.upper()):
        result = run("play", variant, "--level", name, "--time", "0.05", stdin="ee\n")
        assert (result.code, result.err) == (0, "")
        assert result.lines[0] == f"{variant}: you are X, the engine ({level}) is O."
        (answer,) = [line for line in result.lines if line.startswith("O plays ")]
        silent = level in ("beginner", "casual")
        assert re.fullmatch("O plays e[a-i]" + ("" if silent else r" \(~ \d+ %\)"), answer)
        again = "" if level == "full" else f" --level {level}"
        assert re.fullmatch(rf"  noughts play {variant} ee e[a-i]{again}", result.lines[-1])


def test_a_whole_game_of_ultimate() -> None:
    def play() -> Result:
        return run("play", "ultimate", "--as", "none", "--level", "casual", "--seed", "1")

    result = play()
    assert (result.code, result.err) == (0, "")
    assert result.lines[0] == "ultimate: the engine (casual) plays both sides."
    assert Game.parse(result.lines[-1].removeprefix("Game: ")).outcome is not None
    assert play().out == result.out


def test_commands_at_ultimate() -> None:
    words = "ee undo redo hint moves resign undo new aa"
    options = ("--level", "beginner", "--seed", "-1", "--time", "0.05")
    result = run("play", "ultimate", *options, stdin=words.replace(" ", "\n"))
    assert (result.code, result.err) == (0, "")
    assert any(re.fullmatch(r"Undone: ee e[a-i]", line) for line in result.lines)
    assert any(re.fullmatch(r"Redone: ee e[a-i]", line) for line in result.lines)
    assert any(re.fullmatch(r"Hint: [a-i]{2} \(.+\)", line) for line in result.lines)
    valued = [line for line in result.lines if re.match(r"  ~ \d+ %  ", line)]
    assert sum(len(re.findall(r"\b[a-i]{2}\b", line)) for line in valued) in (8, 9)
    assert "X resigns after 2 moves: O wins." in result.lines
    assert "ultimate, X to move in any open board" in result.lines
    assert re.search(r"noughts play ultimate aa a[a-i] --level beginner$", result.lines[-1])


def test_what_is_proved_at_ultimate_is_said() -> None:
    endgame = (
        "ultimate:O;O..OXO.X@;XO.XO..OX/..O..X..X/X...OX.OO/OOXOOX.O./...XXX.OX/....OXOOO/"
        "..OX...../.X.XXO.XX/O.XO.XX.O"
    )
    result = run("play", endgame, "--as", "O", "--time", "10s", stdin="moves\nhint\nih\n")
    assert (result.code, result.err) == (0, "")
    for line in ("  wins in 11   ie", "  a draw       ib", "  loses in 10  ih"):
        assert line in result.lines
    assert "Hint: ie (wins in 11)" in result.lines
    assert any(re.fullmatch(r"X plays \w\w \(wins in 9\)", line) for line in result.lines)


def test_the_engine_plays_large_boards() -> None:
    """X threatens at two places at once in five plies, which the solver's threats do not see."""
    moves = ["c8", "b8", "e8", "a1", "f8", "a3", "d10", "o1", "d11", "o3"]
    result = piped("15x15x5", *moves, "--time", "2s", lines="hint")
    assert "Hint: d8 (wins in 5)" in result.lines


def test_ascii() -> None:
    result = piped("3x3x3", "--ascii", lines="b2 hint moves")
    assert result.out.isascii()
    assert "|" in result.out


# -- a terminal --------------------------------------------------------------------------


def typed(*lines: str | bytes, arguments: tuple[str, ...] = ("3x3x3",), **more: int) -> Result:
    result = on_terminal("play", *arguments, typed=lines, env={"NO_COLOR": "1"}, **more)
    out = re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", result.out)  # what line editing needs
    return Result(result.code, out.replace("\r", ""), "")


def test_a_game_at_the_keyboard() -> None:
    result = typed("b2", "undo", "c3", "quit")
    assert result.code == 0
    assert "Type a move like b2, or help." in result.out
    assert "X> b2" in result.out
    assert "X plays" not in result.out, "one sees what one has typed"
    assert "Undone: b2 " in result.out
    assert "  noughts play 3x3x3 c3 " in result.out


def test_mistakes_at_the_keyboard_are_no_failure() -> None:
    result = typed("b2", "b2", "", "   ", "hello world", "r", "quit")
    assert result.code == 0
    assert "\nb2 (cell 4) is taken by X\n" in result.out
    assert "'hello world' is neither a move" in result.out
    assert "'r' may be redo or resign" in result.out
    assert "Error" not in result.out


def test_ctrl_d_leaves_politely() -> None:
    result = typed("b2", b"\x04")
    assert result.code == 0
    assert "Left with X to move. To go on:\n  noughts play 3x3x3 b2 " in result.out


def test_after_the_end_at_the_keyboard() -> None:
    result = typed("c1", "new", "c1", b"\x04", arguments=("XX./OO./...",))
    assert result.code == 0
    assert result.out.count("X wins with a1 b1 c1 after 1 move.") == 2
    assert "new, undo or quit> new" in result.out
    assert "To go on" not in result.out


def test_no_text_at_the_keyboard() -> None:
    result = typed(b"\xff\xfe\r", "b2", "quit")
    assert result.code == 0
    assert "Traceback" not in result.out
    assert "  noughts play 3x3x3 b2 " in result.out


def test_the_tab_key_completes_commands() -> None:
    assert "Undone: " in typed("b2", b"un\t\r", "quit").out


def test_colours_on_a_terminal() -> None:
    result = on_terminal("play", "3x3x3", "--as", "none")
    assert "\x1b[1;34mX" in result.out
    assert "\x1b[1mA draw" in result.out
    plain = on_terminal("play", "3x3x3", "--as", "none", env={"NO_COLOR": "1"})
    assert "\x1b[1" not in plain.out
    shown = without_colour(result.out).replace("\r\x1b[K", "").replace("thinking ...", "")
    assert shown == run("play", "3x3x3", "--as", "none").out


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_narrow_terminals(columns: int) -> None:
    result = typed("h8", "moves", "nonsense", "quit", arguments=("15x15x5",), columns=columns)
    assert result.code == 0
    prose = [line for line in result.out.splitlines() if "> " not in line and "noughts" not in line]
    assert max(len(line.replace("thinking ...", "")) for line in prose) <= columns


def playing(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a game that waits for its next line, with pipes all around."""
    process = subprocess.Popen(
        python("play", *arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_until(process: subprocess.Popen[bytes], beginning: bytes) -> None:
    assert process.stdout is not None
    while not process.stdout.readline().startswith(beginning):
        assert process.poll() is None


def test_each_move_is_answered_before_the_next_is_read() -> None:
    for process in playing("3x3x3", "--against", "person"):
        assert process.stdin is not None
        for move in (b"b2", b"a1", b"c3"):
            process.stdin.write(move + b"\n")
            process.stdin.flush()
            read_until(process, b"3x3x3, ")


def test_interrupted_while_waiting() -> None:
    for process in playing("3x3x3"):
        assert process.stdin is not None
        process.stdin.write(b"b2\n")
        process.stdin.flush()
        read_until(process, b"O plays")
        read_until(process, b"3x3x3, X to move")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIME_LIMIT)
        assert process.returncode == 130
        assert err == b""
        assert out.decode().splitlines()[-2] == "Interrupted with X to move. To go on:"
        assert out.decode().splitlines()[-1].startswith("  noughts play 3x3x3 b2 ")


def test_interrupted_while_the_solver_thinks() -> None:
    for process in playing("8x8x5", "--as", "O", "--time", "1h"):
        read_until(process, b"8x8x5, X to move")
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIME_LIMIT)
        assert process.returncode == 130
        assert b"Traceback" not in err
        assert out.decode().splitlines()[-1] == "  noughts play 8x8x5 --as O"


def test_a_reader_that_is_gone() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(
        python("play", "3x3x3", "--as", "none"),
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        timeout=TIME_LIMIT,
        check=False,
    )
    os.close(writer)
    assert (process.returncode, process.stderr) == (0, b"")


# -- help, and everything at once --------------------------------------------------------


def test_help_reads_well_and_its_examples_work() -> None:
    result = run("play", "--help")
    assert (result.code, result.err) == (0, "")
    assert all(len(line) <= 80 for line in result.lines)
    for level in Level:
        assert re.search(rf"^    \d {level} ", result.out, re.MULTILINE)
    listing = result.out.partition("\n  Examples:\n")[2].partition("\n\n")[0]
    examples = [line.strip() for line in listing.splitlines()]
    assert len(examples) >= 3
    for example in examples:
        line, _, source = example.partition(" < ")
        ran = run(*shlex.split(line)[1:], stdin="c3\nquit\n" if source else "")
        assert (ran.code, ran.err) == (0, ""), example


WORDS = [
    *("undo", "redo", "hint", "moves", "resign", "new", "help", "u", "r", "m", "?", "", " "),
    *("a1", "b2", "c3", "A3", "c1", "0", "4", "8", "9", "d4", "zz", "b2 a1", "|", "\x00", "\u00e9"),
]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=25),
    st.sampled_from([[], ["--as", "O"], ["--against", "person"], ["--level", "1", "--seed", "1"]]),
)
def test_any_conversation(words: list[str], options: list[str]) -> None:
    """Whatever is typed, the game stays one, and its boards are those of its moves."""
    text = "\n".join(words).encode(errors="replace")
    result = run("play", "3x3x3", *options, stdin=text)
    assert result.code in (0, 2)
    assert (result.code == 2) == bool(result.err)
    game = record(result)
    people = {"O"} if "O" in options else {"X", "O"} if "person" in options else {"X"}
    assert game.outcome is not None or game.turn in {Player(each) for each in people}
    assert boards(result)[-1] == f"3x3x3, {game.outcome or f'{game.turn} to move'}"
