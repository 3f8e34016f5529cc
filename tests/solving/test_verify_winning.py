"""The checker of proofs: winning strategies, and those that do not win."""

from __future__ import annotations

from typing import Any

import pytest

from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from noughts.solving.verify import verify
from support.proof_checks import LOST, LOST_NODES, lines_of, refused, truth_of
from support.proof_writer import proof_file, signed, true_proof


@pytest.mark.parametrize(
    ("block", "others", "answer", "match", "line"),
    [
        (
            ["play", 5, None],
            ["play", 1, None],
            ["answer", {"1": 0, "5": 1, "7": 1}, None],
            "no answer to O at a2",
            5,
        ),
        (["play", 3, None], ["play", 1, None], ["answer", {"1": 0}, 1], "completes no line", 3),
        (["play", 0, None], ["play", 1, None], ["answer", {"1": 0}, 1], "is not empty", 3),
        (["play", 5, None], ["play", 5, None], ["answer", {"1": 0}, 1], "is not empty", 4),
        (["play", 5, None], ["turned", "TRANSPOSE", 0], ["answer", {"1": 0}, 1], "no line", 3),
        (["answer", {}, None], ["play", 1, None], ["answer", {"1": 0}, 1], "must be a play", 3),
    ],
)
def test_wrong_answers(block: Any, others: Any, answer: Any, match: str, line: int) -> None:
    refused(proof_file(LOST, "loss", {"X": 2}, [block, others, answer], 2), match, line)


def test_the_kind_must_fit_the_side_to_move() -> None:
    chain = [["play", 5, None], ["play", 1, 0], ["play", 3, 1]]
    refused(proof_file(LOST, "loss", {"X": 2}, chain), "O is to move: it must be an answer", 5)
    answers = [["answer", {}, None], ["answer", {}, 0]]
    refused(proof_file(LOST, "loss", {"X": 1}, answers), "X is to move, so it must be a play", 3)


def test_an_answer_to_everything_must_not_be_taken() -> None:
    nodes = [["play", 1, None], ["answer", {}, 0]]
    error = refused(proof_file(LOST, "loss", {"X": 1}, nodes, 2), "is not empty", 3)
    assert str(error) == "line 3: node 0 at 3x3x3:XOX/.O./O.X: b1 (cell 1) is not empty"


def test_turned_strategies() -> None:
    position = GridPosition.parse(LOST)
    for symmetry in Symmetry:
        turned = position.transformed(symmetry)
        nodes = [*LOST_NODES, ["turned", symmetry.inverse.name, 2]]
        assert verify([proof_file(turned.text, "loss", {"X": 3}, nodes, 2)]).plies == 2
        if turned != position:
            refused(proof_file(turned.text, "loss", {"X": 2}, LOST_NODES, 2), "line")


def test_listed_moves_that_are_not_there_do_not_matter() -> None:
    nodes = [*LOST_NODES[:2], ["answer", {"0": 1, "1": 0, "4": 0}, 1]]
    assert verify([proof_file(LOST, "loss", {"X": 2}, nodes, 2)]).plies == 2


def test_a_default_that_is_not_needed_does_not_matter() -> None:
    nodes = [*LOST_NODES[:2], ["answer", {"1": 0, "3": 1, "5": 1, "7": 1}, 0]]
    assert verify([proof_file(LOST, "loss", {"X": 2}, nodes, 2)]).plies == 2
    nodes[2][2] = None
    assert verify([proof_file(LOST, "loss", {"X": 2}, nodes, 2)]).plies == 2


def test_a_move_that_completes_a_line_ends_the_game_whatever_follows() -> None:
    nodes = [["play", 2, None], ["answer", {}, 0], ["play", 1, 1]]
    assert verify([proof_file("1x3x2:O.X", "win", {"X": 2}, nodes, 1)]).plies == 1


def test_the_other_side_may_be_quicker() -> None:
    # X makes a double threat in the corner, but O completes the middle row.
    nodes = [["play", 1, None], ["play", 3, None], ["answer", {"1": 1}, 0], ["play", 6, 2]]
    error = refused(proof_file("3x3x3:X.X/OO./...", "win", {"X": 3}, nodes), line=5)
    where = "line 5: node 2 at 3x3x3:X.X/OO./X.."
    assert str(error) == f"{where}: O completes a line at c2 (cell 5)"


def test_a_full_board_is_no_win() -> None:
    nodes = [["answer", {}, None], ["play", 8, 0]]
    refused(proof_file("3x3x3:XOX/XOO/OX.", "win", {"X": 1}, nodes), "the board is full", 3)


def test_claims_of_fewer_plies() -> None:
    data, _, plies = true_proof("4x4x3:..../..../..../....", truth_of((4, 4, 3)))
    assert plies == 5
    first, header, *nodes = lines_of(data)
    for claimed in range(8):
        changed = header.replace('"plies": 5', f'"plies": {claimed}')
        signed_again = signed([first, changed, *nodes])
        if claimed < plies:
            refused(signed_again, f"claimed within {claimed} plies, but may take 5", 2)
        else:
            assert verify([signed_again]).plies == claimed
