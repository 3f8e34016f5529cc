from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from noughts import IllegalMove, NotationError
from noughts.puzzles import Kind, Puzzle, puzzles
from noughts.puzzles.answers import Answer
from noughts.values import MoveValue, Value

# The words matter here, not the truth.
WIN = Puzzle(
    "00000",
    Kind.WIN,
    "4x4x3 c3 b4 c4",
    50,
    {
        "W5 c1": {"c2": {"W3 a3": {"b3": {"W1": "d2"}}}},
        "D b3": "a1",
        "L4 b3": "a2 a3",
        "W7 b3": "d1",
    },
)


def solve(each: Puzzle) -> list[str]:
    """Play a puzzle's line, and return what is said."""
    said = []
    own = each.line[::2]
    for number in range(1, len(own) + 1):
        attempt = each.check(*own[:number])
        assert attempt.is_right
        assert attempt.is_solved == (number == len(own))
        assert (
            attempt.game.moves
            == each.game.moves + each.line[: len(attempt.game.moves) - len(each.game.moves)]
        )
        said.append(attempt.text)
    return said


def test_every_line_solves_its_puzzle() -> None:
    for each in puzzles():
        said = solve(each)
        assert said[-1].startswith("Solved: ")
        position = each.position
        for move in each.line:
            position = position.play(move)
        if each.kind is Kind.WIN:
            assert len(each.line) == each.plies
            assert len(said) == int(each.title.rpartition(" ")[2])
            assert position.outcome is not None
            assert position.outcome.winner is each.side
        else:
            assert (len(said), each.plies) == (1, None)


def test_every_other_move_is_wrong_and_says_what_happens() -> None:
    for each in puzzles():
        for move, answer in each.answers.items():
            attempt = each.check(move)
            assert attempt.is_right == (move == each.solution)
            if attempt.is_right:
                continue
            assert not attempt.is_solved
            assert attempt.game == each.game
            assert (attempt.value, attempt.plies) == (answer.known.value, answer.known.plies)
            name = each.position.move_name(move)
            assert attempt.text.startswith(f"{name} ")
            if answer.reply is not None and attempt.value is not Value.WIN:
                assert each.position.play(move).move_name(answer.reply) in attempt.text


def test_every_right_move_of_the_later_ones_leads_to_the_end() -> None:
    def follow(each: Puzzle, made: tuple[int, ...]) -> int:
        ends = 0
        for move in each.right_moves(*made):
            attempt = each.check(*made, move)
            ends += 1 if attempt.is_solved else follow(each, (*made, move))
        return ends

    assert sum(follow(each, ()) for each in puzzles(kind="win")) > len(puzzles(kind="win"))


def test_words() -> None:
    assert WIN.title == "O to move and win in 3"
    assert WIN.check("c2").text == "c2 is right. X answers c1; O wins in 2."
    assert WIN.check("c2", "b3").text == "b3 is right. X answers a3; O wins at once."
    assert WIN.check("c2", "b3", "d2").text == "Solved: d2 wins."
    assert WIN.check("a1").text == "a1 only draws: X answers b3."
    assert WIN.check("a2").text == "a2 loses: X answers b3 and wins in 2."
    assert WIN.check("d1").text == "d1 wins in 4; there is a win in 3."
    assert (WIN.side, WIN.plies, WIN.name, WIN.stars) == ("O", 5, "4x4x3", 1)
    assert str(WIN.check("c2")) == WIN.check("c2").text


def test_hints() -> None:
    assert WIN.hint() == "The move is in column c."
    assert WIN.hint("c2") == WIN.check("c2").to_json()["hint"] == "The move is in column b."
    assert WIN.check("a1").to_json()["hint"] == WIN.hint()
    assert WIN.check("c2", "b3", "d2").to_json()["hint"] is None
    assert WIN.right_moves("c2", "b3", "d2") == []
    with pytest.raises(IllegalMove, match="solved already"):
        WIN.hint("c2", "b3", "d2")
    for each in puzzles("ultimate"):
        assert each.hint().startswith("The move is in ")


def test_moves_by_name_and_number() -> None:
    number = WIN.position.number_of("c2")
    assert WIN.check("c2") == WIN.check(number)
    assert WIN.check("C2".lower(), "b3").move == WIN.position.number_of("b3")


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        ([], IllegalMove, "at least one move"),
        (["c3"], IllegalMove, "taken by X"),
        (["zz"], NotationError, "zz"),
        ([99], IllegalMove, "at most 15"),
        (["a1", "c2"], IllegalMove, "move 1 was wrong already: a1"),
        (["c2", "c2"], IllegalMove, "taken by O"),
        (["c2", "b3", "d2", "a1"], IllegalMove, "move 4: the puzzle is solved already"),
        ([None], IllegalMove, "must be a whole number"),
    ],
)
def test_what_is_no_attempt(moves: list[str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        WIN.check(*moves)


def test_nothing_follows_a_solved_draw() -> None:
    each = puzzles(kind="draw")[0]
    after = each.check(each.solution).game.position
    with pytest.raises(IllegalMove, match="solved"):
        each.check(each.solution, after.legal_moves[0])


def test_a_puzzle_draws_itself_and_its_last_move() -> None:
    ElementTree.fromstring(WIN._repr_svg_())
    assert "(X)" in str(WIN)
    assert str(WIN).endswith(WIN.title)


def test_json_has_the_solution_only_on_request() -> None:
    for each in puzzles()[::17]:
        data = json.loads(json.dumps(each.to_json()))
        assert not {"solution", "line"} & data.keys()
        assert (data["id"], data["stars"], data["game"]) == (each.id, each.stars, each.text)
        data = each.to_json(solution=True)
        assert data["line"] == [each.position.move_name(move) for move in each.line]
        assert data["solution"] == each.position.move_name(each.solution)


def test_a_game_to_play_on_is_new_each_time() -> None:
    WIN.game.play("a1")
    assert WIN.game.text == WIN.text


def test_an_answer_without_more_has_nothing_to_follow() -> None:
    assert Answer(MoveValue.proved(0, Value.DRAW)).following == {}
