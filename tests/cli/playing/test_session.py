"""The course of a sitting: by pipe and by keyboard, every command, and that nothing is lost."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Game, UltimatePosition
from noughts.players import GRID_LEVELS
from support.cli_runner import Result, run, spawn
from support.play_sessions import boards, piped, playing, read_until, record, typed


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


def test_a_draw() -> None:
    result = piped("3x3x3", "--against", "person", lines="a1 b1 c1 b2 a2 c2 b3 a3 c3")
    assert (result.code, result.err) == (0, "")
    assert result.lines[-2] == "A draw after 9 moves."
    assert boards(result)[-1] == "3x3x3, draw"


def test_two_lines_at_once() -> None:
    result = piped("XX./OOX/OOX", lines="c1")
    assert result.lines[-2] == "X wins with a1 b1 c1 and c1 c2 c3 after 1 move."


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
        (["--plain", "--level", "1"], " --level beginner --plain"),
        (["--ascii"], " --ascii"),
    ],
)
def test_going_on_is_with_the_same_players(options: list[str], again: str) -> None:
    result = run("play", "3x3x3:X../.O./...", *options)
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


def test_a_resignation_that_is_taken_back_after_swapping_is_answered() -> None:
    result = run("play", "3x3x3", stdin="b2\nresign\nswap\nundo\n")
    assert (result.code, result.err) == (0, "")
    assert "To go on" in result.out
    assert record(result).turn == "O", "the computer has moved for X"


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


# -- who plays ---------------------------------------------------------------------------


def test_the_level_can_be_asked_and_changed() -> None:
    lines = run("play", "3x3x3", stdin="level\nlevel 2\nlevel\nlevel nine\nb2\n").lines
    assert "The solver is perfect. Levels:" in lines
    assert "The solver is casual now." in lines
    text = re.sub(r"\s+", " ", "\n".join(lines))
    for number, level in enumerate(GRID_LEVELS.values(), 1):
        assert text.count(f" {number} {level.name} {level.about}") == 2
    (answer,) = [line for line in lines if line.startswith("O plays ")]
    assert "(" not in answer, "a casual player does not say what it does not know"
    assert lines[-1].endswith(" --level casual")
    result = run("play", "ultimate", stdin="level perfect\n")
    assert result.code == 2
    assert "or beginner, casual, skilled" in result.err


def test_sides_are_swapped_and_the_computer_moves_at_once() -> None:
    result = run("play", "3x3x3", "--seed", "1", stdin="swap\nb1\nswap\n")
    assert (result.code, result.err) == (0, "")
    game = record(result)
    assert "3x3x3: you are O, the solver (perfect) is X." in result.lines
    assert "3x3x3: you are X, the solver (perfect) is O." in result.lines
    assert len(game.moves) == 4, "X, the person, X, and O, which the computer is again"
    assert game.turn == "X"
    result = run("play", "3x3x3", "--seed", "1", stdin="b2\nswap\nundo\n")
    assert record(result).undone != ()


# -- files -------------------------------------------------------------------------------


def test_a_game_is_saved_and_loaded(own_folder: Path) -> None:
    words = "b2\nundo\nlevel casual\nsave My Game.txt\nquit\n"
    first = run("play", "3x3x3", "--seed", "1", stdin=words)
    assert (first.code, first.err) == (0, "")
    assert "Saved in My Game.txt." in first.lines
    assert (own_folder / "My Game.txt").read_text() == (
        f"# X: person, O: casual\n{record(first).text}\n"
    )
    for arguments, lines in (
        (["--load", "My Game.txt"], ""),
        (["ultimate", "ee"], "load My Game.txt\n"),
    ):
        again = run("play", *arguments, "--time", "0.1", stdin=lines)
        assert (again.code, again.err) == (0, "")
        assert "3x3x3: you are X, the solver (casual) is O." in again.lines
        assert record(again) == record(first)


def test_loading_leaves_no_game_behind_unprinted(own_folder: Path) -> None:
    (own_folder / "other").write_text("4x4x3 a1\n")
    result = run("play", "3x3x3", "--against", "person", stdin="b2\nload other\nb2\n")
    assert (result.code, result.err) == (0, "")
    assert "Game: 3x3x3 b2" in result.lines
    assert record(result).text == "4x4x3 a1 b2", "as nothing else is said, people go on playing"


def test_a_saved_game_is_saved_again_but_a_new_one_asks(own_folder: Path) -> None:
    words = "b2\nsave game\na1\nsave\nc3\nsave game\nnew\na1\nsave game\nsave\nsave! game\nsave\n"
    result = run("play", "3x3x3", "--against", "person", stdin=words)
    assert result.out.count("Saved in game.") == 5
    assert result.err.splitlines() == [
        "Error: line 9: 'game' exists already; save! game replaces it",
        "Error: line 10: save needs a file: type save FILE",
    ]
    assert (own_folder / "game").read_text() == "# X: person, O: person\n3x3x3 a1\n"


def test_a_resignation_is_saved_as_well(own_folder: Path) -> None:
    result = run("play", "3x3x3", "--against", "person", stdin="b2\nresign\nsave game\n")
    assert (result.code, result.err) == (0, "")
    again = run("play", "--load", "game", stdin="undo\na1\n")
    assert "O resigns after 1 move: X wins." in again.lines
    assert record(again).text == "3x3x3 b2 a1"


@pytest.mark.parametrize("word", ["quit", "q", "QUIT", "exit", "qui"])
def test_quit(word: str) -> None:
    result = piped("3x3x3", "--against", "person", lines=f"b2 {word} a1 nonsense")
    assert (result.code, result.err) == (0, "")
    assert record(result).text == "3x3x3 b2"


def test_any_bytes() -> None:
    every_byte = bytes(range(256)) + b"\nb2\n"
    long = b"a" * 100_000
    datas = [b"\xff\xfe\x00\n", b"\x00" * 4096, long, long + b"1"]
    results = [run("play", "3x3x3", stdin=data + b"\nb2\n") for data in datas]
    for result in (*results, run("play", "3x3x3", stdin=every_byte)):
        assert result.code == 2
        assert "Traceback" not in result.err
        assert len(result.err) < 10_000
        assert "X plays b2" in result.lines
    assert spawn("play", "3x3x3", stdin=every_byte) == result


def test_next_to_nothing() -> None:
    for data in (b"", b"\n\n", b"\xef\xbb\xbf", b"\xef\xbb\xbfb2\r\n"):
        result = run("play", "3x3x3", stdin=data)
        assert (result.code, result.err) == (0, "")


def test_ultimate_between_two_people() -> None:
    options = ("--against", "person", "--time", "0.1")
    result = run("play", "ultimate", *options, stdin="ee\nEA\n40\nhint\nundo\n")
    assert result.code == 2
    assert "line 3: ee (40) is taken by X" in result.err
    assert any(re.fullmatch(r"Hint: a[a-i] \(~ \d+ %\)", line) for line in result.lines)
    assert result.lines[-1] == "  noughts play ultimate ee '|' ea --against person"


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
    options = ("--level", "beginner", "--seed", "1", "--time", "0.05")
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


def test_each_move_is_answered_before_the_next_is_read() -> None:
    for process in playing("3x3x3", "--against", "person"):
        assert process.stdin is not None
        for move in (b"b2", b"a1", b"c3"):
            process.stdin.write(move + b"\n")
            process.stdin.flush()
            read_until(process, b"3x3x3, ")


WORDS = [
    *("undo", "redo", "hint", "moves", "resign", "new", "help", "u", "r", "m", "?", "", " "),
    *("board", "board 2", "values", "swap", "level", "level 2", "save x", "save! x", "load x"),
    *("a1", "b2", "c3", "A3", "c1", "0", "4", "8", "9", "d4", "zz", "b2 a1", "|", "\x00", "\u00e9"),
]


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=25),
    st.sampled_from(
        [[], ["--as", "O"], ["--against", "person"], ["--level", "1", "--seed", "1"], ["--plain"]]
    ),
)
def test_any_conversation(words: list[str], options: list[str]) -> None:
    """Whatever is typed, the game stays one, and its boards are those of its moves."""
    Path("x").unlink(missing_ok=True)
    text = "\n".join(words).encode(errors="replace")
    result = run("play", "3x3x3", *options, stdin=text)
    assert result.code in (0, 2)
    assert (result.code == 2) == bool(result.err)
    game = record(result)
    *_, person = re.findall(r"you are ([XO])|X and O take turns", result.out)
    is_over = game.outcome is not None or "To go on" not in result.out
    assert is_over or person in ("", game.turn)
    assert is_over == bool(game.outcome) or " resigns after " in result.out
    if "--plain" not in options:
        assert boards(result)[-1] == f"3x3x3, {game.outcome or f'{game.turn} to move'}"
