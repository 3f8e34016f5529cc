"""Everything that the puzzles say is proved again, by means of which none made them.

`make test` proves a sample; `make puzzles` proves them all, and makes them anew.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from noughts.puzzles import Puzzle, puzzle, puzzles
from noughts.puzzles.answers import read_answers, write_answers
from noughts.puzzles.finding import id_of, puzzle_at
from noughts.values import MoveValue, Value
from support.oracle import UltimateOracle, has_line, minimax
from support.puzzle_proofs import check

IS_ALL = os.environ.get("NOUGHTS_PUZZLES") == "all"
GAMES = tuple(dict.fromkeys(each.name for each in puzzles()))
EVERY = 1 if IS_ALL else 8
"""Every eighth puzzle of a game is proved; of Ultimate, which takes longest, half of those."""


def sample(game: str, share: int = 1) -> tuple[Puzzle, ...]:
    """Return some puzzles of a game, from easy to hard; all of them if asked to."""
    return puzzles(game)[:: 1 if IS_ALL else EVERY * share]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.timeout(3000 if IS_ALL else 300)
def test_every_value_is_proved_again_and_there_is_one_solution(game: str) -> None:
    for each in sample(game, 2 if game == "ultimate" else 1):
        assert check(each) >= each.position.move_count


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.timeout(3000 if IS_ALL else 300)
def test_the_same_puzzles_are_found_again(game: str) -> None:
    for each in sample(game, 4):
        found = puzzle_at(each.game)
        assert found == each
        assert found.answers_json == each.answers_json


def test_tiny_boards_by_trying_every_game() -> None:
    for each in puzzles("3x3x3"):
        cells = each.position.diagram().marks
        mark = each.side.value
        for move, answer in each.answers.items():
            after = cells[:move] + mark + cells[move + 1 :]
            value, plies = minimax(after, 3, 3, 3)
            known = answer.known
            assert known.value is not None
            assert (known.value.reversed, known.plies) == (
                value,
                None if plies is None else plies + 1,
            )


FALSE_VALUES: list[tuple[str, MoveValue]] = [
    ("W3", MoveValue.proved(0, Value.WIN, 5)),
    ("W5", MoveValue.proved(0, Value.WIN, 3)),
    ("W5", MoveValue.proved(0, Value.DRAW)),
    ("D", MoveValue.proved(0, Value.WIN, 5)),
    ("D", MoveValue.proved(0, Value.LOSS, 4)),
    ("L4", MoveValue.proved(0, Value.LOSS, 6)),
    ("L4", MoveValue.proved(0, Value.LOSS, 2)),
    ("L4", MoveValue.proved(0, Value.DRAW)),
]


@pytest.mark.parametrize("game", ["4x4x3", "5x5x4", "ultimate"])
@pytest.mark.parametrize(("label", "wrong"), FALSE_VALUES)
def test_the_check_notices_a_false_value(game: str, label: str, wrong: MoveValue) -> None:
    for each in puzzles(game):
        answers = dict(each.answers)
        for move, answer in answers.items():
            if answer.known.label == label and move != each.solution:
                answers[move] = replace(answer, known=replace(wrong, move=move))
                with pytest.raises(AssertionError):
                    check(each, answers)
                return


def test_the_check_notices_a_reply_that_gives_something_away() -> None:
    each = next(each for each in puzzles("4x4x3", kind="win") if each.plies == 5)
    answers = dict(each.answers)
    move, answer = next((m, a) for m, a in answers.items() if a.known.value is Value.LOSS)
    worse = next(reply for reply in each.position.legal_moves if reply not in (move, answer.reply))
    answers[move] = replace(answer, reply=worse)
    with pytest.raises(AssertionError):
        check(each, answers)


# -- what a puzzle is, apart from its values ------------------------------------------------


def images(each: Puzzle) -> set[str]:
    """Return the board in all its rotations and reflections."""
    diagram = each.position.diagram()
    rows = [
        diagram.marks[at : at + diagram.cols] for at in range(0, len(diagram.marks), diagram.cols)
    ]
    found = set()
    for _ in range(4):
        rows = ["".join(row) for row in zip(*rows[::-1], strict=True)]
        for turned in (rows, rows[::-1]):
            found.add("/".join(turned))
    return found


def test_no_two_are_symmetric_images_of_each_other() -> None:
    seen: dict[tuple[str, str], str] = {}
    for each in puzzles():
        for image in images(each):
            assert seen.setdefault((each.name, image), each.id) == each.id


def test_games_lead_there() -> None:
    for each in puzzles():
        game = each.game
        assert game.moves
        assert not game.undone
        assert each.text.split()[0] == each.name  # from the empty board on
        if each.name == "ultimate":
            oracle = UltimateOracle()
            for move in game.moves:
                oracle.play(move)
            assert oracle.legal() == each.position.legal_moves
            continue
        rows, cols, k = map(int, each.name.split("x"))
        cells = ["."] * (rows * cols)
        for number, move in enumerate(game.moves):
            assert cells[move] == "."
            cells[move] = "XO"[number % 2]
            assert not has_line("".join(cells), rows, cols, k, cells[move])
        assert "".join(cells) == each.position.diagram().marks


def test_ids_belong_to_positions() -> None:
    for each in puzzles():
        assert each.id == id_of(each.position)
        assert puzzle(each.id) is each


def test_answers_are_written_as_they_were_read() -> None:
    for each in puzzles():
        data: dict[str, Any] = write_answers(each.answers, each.position)
        assert data == each.answers_json
        assert read_answers(data, each.position) == each.answers
