"""The cases: in order of size, the same for the same seed, with results that the oracle gives."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from noughts.exercises.grading.exercise import Case, Form, in_order, is_same, shown
from noughts.exercises.grading.judging import EXERCISES
from support.cases import for_each
from support.oracle import (
    all_games,
    reachable_verdicts,
    simulate,
    simulate_ultimate,
    verdict_by_retrograde,
)

FORMS = {
    **dict.fromkeys(EXERCISES, Form()),
    "state": Form((1, 2), True),
    "valid": Form((1, 2), True),
    "count": Form((3,)),
    "games": Form((0, 1, 2, 3)),
}


def cases_of(exercise: str, seed: int = 0) -> list[Case]:
    return list(EXERCISES[exercise].cases(FORMS[exercise], seed))


@pytest.mark.parametrize("exercise", EXERCISES)
def test_cases_come_in_order_of_size(exercise: str) -> None:
    sizes = [case.size for case in cases_of(exercise)]
    assert sizes == sorted(sizes)
    assert len(sizes) > 20


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_seed_gives_the_same_cases_again(exercise: str) -> None:
    assert cases_of(exercise, 5) == cases_of(exercise, 5)


@for_each("exercise", ["state", "simulate", "simulate-ultimate", "tic-tac-toe"])
def test_another_seed_gives_other_cases(exercise: str) -> None:
    assert cases_of(exercise, 1) != cases_of(exercise, 2)


def test_every_board_of_3x3_is_a_case_with_the_verdict_of_play() -> None:
    verdicts = reachable_verdicts(3, 3, 3)
    for name, blank in (("state", "."), ("valid", " ")):
        exercise = EXERCISES[name]
        found = {}
        for case in exercise.cases(Form(), 0):
            text = "".join(case.arguments[0])
            found[text.replace(blank, ".")] = exercise.expected(case)
        assert len(found) == 3**9
        for text, verdict in found.items():
            right = verdicts.get(text, "invalid")
            assert verdict == (right if name == "state" else right != "invalid")


def test_boards_of_other_sizes_have_the_verdict_of_play() -> None:
    exercise = EXERCISES["state"]
    kinds = set()
    others = [case for case in cases_of("state") if case.size[0] != 9 and case.size[1] <= 9]
    for case in random.Random(0).sample(others, 400):
        rows, k = case.arguments
        right = verdict_by_retrograde("".join(rows), len(rows), len(rows[0]), k)
        assert exercise.expected(case) == right
        kinds.add(right)
    assert {"invalid", "X_wins", "O_wins", "X_turn", "O_turn"} <= kinds


def test_some_boards_have_lines_apart_and_nothing_else_wrong() -> None:
    exercise = EXERCISES["state"]
    rules = [
        exercise.explain(case, "invalid", "X_wins")
        for case in cases_of("state")
        if exercise.expected(case) == "invalid"
    ]
    apart = [why for rule, why in rules if rule == "no_single_last_move" and ";" not in why]
    assert len(apart) > 20


def test_replays_have_the_results_of_the_oracle() -> None:
    for name, oracle in (("simulate", simulate), ("simulate-ultimate", simulate_ultimate)):
        exercise = EXERCISES[name]
        cases = [case for case in cases_of(name) if len(case.arguments[0]) < 100]
        for case in random.Random(0).sample(cases, 300) + cases[-20:]:
            assert exercise.expected(case) == oracle(case.arguments[0])


def test_ultimate_games_end_in_many_ways() -> None:
    exercise = EXERCISES["simulate-ultimate"]
    ends = set()
    for case in cases_of("simulate-ultimate"):
        if len(case.arguments[0]) < 100:
            result = exercise.expected(case)
            assert isinstance(result, list)
            ends.add((result[1], result[2]))
    assert {("X", "None"), ("O", "None"), ("None", "None"), ("None", "*"), ("None", "1,1")} <= ends


def test_beginnings_are_cases_too() -> None:
    for name in ("simulate", "simulate-ultimate"):
        lists = {tuple(c.arguments[0]) for c in cases_of(name) if len(c.arguments[0]) < 1000}
        assert all(each[:-1] in lists for each in lists)
    games = {(c.arguments[0], tuple(map(tuple, c.arguments[1]))) for c in cases_of("tic-tac-toe")}
    assert all((n, moves[:-1]) in games for n, moves in games)


def test_moves_on_n_by_n_are_legal_and_end_with_the_win() -> None:
    exercise = EXERCISES["tic-tac-toe"]
    for case in cases_of("tic-tac-toe"):
        _, moves = case.arguments
        assert len({(row, col) for row, col, _ in moves}) == len(moves)
        results = exercise.expected(case)
        assert isinstance(results, list)
        assert not any(results[:-1])


def test_counts_and_lists_are_those_of_the_oracle() -> None:
    count, games = EXERCISES["count"], EXERCISES["games"]
    for case in cases_of("count"):
        rows, cols, k = case.arguments
        if case.required:
            assert count.expected(case) == sum(1 for _ in all_games(rows, cols, k))
    for case in cases_of("games"):
        if not case.required and case.question["most"] > 1000:
            continue  # all games of a grid with 200,000 and more; the listing has tests of its own
        rows, cols, k = case.arguments
        right = [list(game) for game in islice(all_games(rows, cols, k), 500)]
        expected = games.expected(case)
        assert isinstance(expected, list)
        assert expected[:500] == right


@for_each(
    ("one", "other", "same"),
    [
        (1, True, False),
        (0, False, False),
        ("1", 1, False),
        (["a"], ["a"], True),
        ([1], [True], False),
        ([1, 2], [1], False),
        (1, 1.0, False),
        ([], {"tuple": []}, False),
    ],
)
def test_results_of_other_types_are_not_the_same(one: object, other: object, same: bool) -> None:
    assert is_same(one, other) is same
    assert is_same(other, one) is same


def test_results_are_shown_as_python_writes_them() -> None:
    assert shown({"tuple": [1, 2]}) == "(1, 2)"
    assert shown([{"tuple": [0]}, {"type": "int64", "text": "1"}]) == "[(0,), 1 (an int64)]"
    assert shown({"type": "object", "text": "<object>"}) == "<object> (an object)"
    assert len(shown(["x" * 1000])) < 320


def test_beginnings_come_before_what_they_begin() -> None:
    lists = in_order([[3, 1, 2], [3, 2]])
    assert lists == [(), (3,), (3, 1), (3, 2), (3, 1, 2)]
