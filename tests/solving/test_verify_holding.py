"""The checker of proofs: holding strategies and their zones, and those that do not hold."""

from __future__ import annotations

from typing import Any

import pytest

from noughts.errors import ProofError
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from support import proof_writer as proofs
from support.proof_checks import LOST, TRAP, TRAP_NODES, refused, truth_of, zone_of
from support.proof_writer import HOLDS, Prover, proof_file, sides


def cells(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


# -- holding strategies that do not hold -------------------------------------------------


def test_the_weight_must_be_below_the_bound() -> None:
    # Two lines of two cells weigh 1/2: too much if they are to move, and indeed they win.
    with pytest.raises(ProofError, match="weigh 2/4, not below 1/2"):
        zone_of("1x3x2:...", Player.O, ["static", []])
    assert not truth_of((1, 3, 2)).holds(0, 0, False)
    # Four of them weigh 1: too much even if we are to move; three do not.
    with pytest.raises(ProofError, match="weigh 4/4, not below 1"):
        zone_of("1x5x2:.....", Player.X, ["static", []])
    assert zone_of("1x4x2:....", Player.X, ["static", []]) == cells(0, 1, 2, 3)
    # One line of two cells weighs 1/4.
    assert zone_of("1x2x2:..", Player.O, ["static", []]) == cells(0, 1)
    # Their mark in a line makes it heavier, ours takes it away.
    with pytest.raises(ProofError, match="weigh 3/4, not below 1/2"):
        zone_of("1x4x2:X..O", Player.O, ["static", []])
    assert zone_of("1x4x2:X.OX", Player.O, ["static", []]) == cells(1)


def test_a_pair_covers_a_line() -> None:
    assert zone_of("1x3x3:...", Player.O, ["static", [[0, 2]]]) == cells(0, 2)
    assert zone_of("2x3x3:.../...", Player.O, ["static", [[3, 5], [1, 0]]]) == cells(0, 1, 3, 5)
    # The other line is not covered and needs all its cells.
    assert zone_of("2x3x3:.../...", Player.O, ["static", [[0, 1]]]) == cells(0, 1, 3, 4, 5)
    # A pair covers every line that contains both its cells: here 012 and 123.
    assert zone_of("1x4x3:....", Player.O, ["static", [[1, 2]]]) == cells(1, 2)
    # For the other lines its cells count as theirs: 123 has only cell 2 left here.
    pairs = [[0, 1], [3, 4]]
    with pytest.raises(ProofError, match="weigh 4/8, not below 1/2"):
        zone_of("1x5x3:.....", Player.O, ["static", pairs])
    assert zone_of("1x5x3:.....", Player.X, ["static", pairs]) == cells(0, 1, 2, 3, 4)


def test_pairs_must_be_empty() -> None:
    for pairs in ([[4, 5]], [[0, 1], [2, 4]]):
        with pytest.raises(ProofError, match=r"b2 \(cell 4\) of a pair is not empty"):
            zone_of("3x3x3:.../.X./...", Player.O, ["static", pairs])


def test_replies() -> None:
    static = ["static", []]
    # We complete the top row: nothing else matters.
    assert zone_of("3x3x3:XX./OO./...", Player.X, ["reply", 2, None]) == cells(2)
    assert zone_of("3x3x3:XX./OO./...", Player.X, static, ["reply", 2, 0]) == cells(2)
    with pytest.raises(ProofError, match=r"X completes no line at c3 \(cell 8\)"):
        zone_of("3x3x3:XX./OO./...", Player.X, ["reply", 8, None])
    with pytest.raises(ProofError, match=r"a1 \(cell 0\) is not empty"):
        zone_of("3x3x3:XX./OO./...", Player.X, ["reply", 0, None])
    with pytest.raises(
        ProofError, match=r"node 0 at 3x3x3:XX\./OO\./\.\.X: the lines without a pair"
    ):
        zone_of("3x3x3:XX./OO./...", Player.X, static, ["reply", 8, 0])
    with pytest.raises(ProofError, match="X is to move, so it must be a reply or static"):
        zone_of("3x3x3:XX./OO./...", Player.X, ["moves", {}])
    with pytest.raises(ProofError, match="X is to move, so it must be a reply or static"):
        zone_of("3x3x3:XX./OO./...", Player.X, ["double", 2, 3])
    with pytest.raises(ProofError, match="O is to move: it must be moves, forced, double or sta"):
        zone_of("3x3x3:XX./O../...", Player.X, ["reply", 2, None])


def test_moves_that_matter() -> None:
    # All of X's moves are harmless where O's marks have left only light lines.
    assert zone_of("3x4x4:..../..../....", Player.O, ["moves", {}]) == cells(*range(12))
    # Without an open line there is nothing to hold, and nothing that matters.
    assert zone_of("2x2x3:../..", Player.O, ["moves", {}]) == 0
    assert zone_of("2x2x3:XO/XO", Player.O, ["moves", {}]) == 0
    with pytest.raises(ProofError, match=r"no answer to X at a1"):
        zone_of("3x3x3:.../.../...", Player.O, ["moves", {}])
    with pytest.raises(ProofError, match=r"a1 \(cell 0\) is not empty"):
        zone_of("3x4x4:X.../O.../....", Player.O, ["static", []], ["moves", {"0": 0}])
    with pytest.raises(ProofError, match=r"X completes a line at c1 \(cell 2\)"):
        zone_of("3x3x3:XX./.O./..O", Player.O, ["static", []], ["moves", {"2": 0}])


def test_moves_outside_the_zone_are_answered_as_a_listed_one() -> None:
    # O threatens b3. If X does not block, O wins there, and needs nothing else for it: so
    # one such move stands for all. If X blocks, what X has is light enough.
    text = "3x3x3:XOX/.O./..."
    blocked, wins = ["static", []], ["reply", 7, None]
    assert zone_of(text, Player.O, blocked, wins, ["moves", {"7": 0, "3": 1}]) == cells(
        3, 5, 6, 7, 8
    )
    # The light lines of the blocked position contain a3, so the block does not stand for it.
    with pytest.raises(ProofError, match=r"no answer to X at a3 \(cell 6\)"):
        zone_of(text, Player.O, blocked, ["moves", {"7": 0}])


def test_moves_need_an_answer_each() -> None:
    # X's moves at c, d and e are too heavy to be harmless, and none stands for the others.
    text = "1x7x3:......."
    light, left, right = ["static", []], ["reply", 2, 0], ["reply", 3, 0]
    for listed, missing in [
        ({}, "c1"), ({"3": 1}, "c1"), ({"2": 2}, "d1"), ({"2": 2, "3": 1}, "e1"),
        ({"2": 2, "4": 2}, "d1"), ({"3": 1, "4": 2}, "c1"),
    ]:  # fmt: skip
        with pytest.raises(ProofError, match=f"no answer to X at {missing}"):
            zone_of(text, Player.O, light, left, right, ["moves", listed])
    listed = {"2": 2, "3": 1, "4": 2}
    assert zone_of(text, Player.O, light, left, right, ["moves", listed]) == cells(*range(7))


# -- the zone of a move that leaves us a line to complete --------------------------------


def draw_proof(text: str, ours: Player, root: int, nodes: list[Any]) -> bytes:
    """Return a proof of a draw with this strategy of one side, and a true one of the other."""
    position = GridPosition.parse(text)
    prover = Prover(truth_of((position.grid.rows, position.grid.cols, position.grid.k)))
    theirs = ours.other
    other_root = prover.strategy(HOLDS, *sides(position, theirs))
    shift = {number: number + len(nodes) for number in range(len(prover.book.nodes))}
    more = [proofs.renumbered(node, shift) for node in prover.book.nodes]
    return proof_file(text, "draw", {ours: root, theirs: shift[other_root]}, [*nodes, *more])


def test_a_threat_is_no_answer_to_a_quicker_one() -> None:
    position = GridPosition.parse(TRAP)
    assert not truth_of((3, 4, 3)).holds(*sides(position, Player.O))
    with pytest.raises(ProofError, match=r"node 5 at .*: there is no answer to X at c2 \(cell 6\)"):
        zone_of(TRAP, Player.O, *TRAP_NODES)
    refused(draw_proof(TRAP, Player.O, 6, TRAP_NODES), "no answer to X at c2", 8)


def test_forced_moves() -> None:
    # X threatens c1, so O must play there; then X plays a3, where O threatens nothing yet.
    text = "3x3x3:XX./O../..."
    after = [["static", []], ["reply", 4, 0]]
    zone = zone_of(text, Player.X, *after, ["forced", 2, 1])
    assert zone >> 2 & 1
    # Every line of O has two of its empty cells in the zone.
    assert all((zone & cells(*line)).bit_count() >= 2 for line in [(2, 5, 8), (4, 5), (6, 7, 8)])
    with pytest.raises(ProofError, match="does not threaten to complete a line at a3"):
        zone_of(text, Player.X, *after, ["forced", 6, 1])
    with pytest.raises(ProofError, match="does not threaten to complete a line at a1"):
        zone_of(text, Player.X, *after, ["forced", 0, 1])
    with pytest.raises(ProofError, match="X is to move, so it must be a reply or static"):
        zone_of(text, Player.X, ["moves", {}], ["forced", 2, 0])
    # Here O would not block but complete the bottom row.
    with pytest.raises(ProofError, match=r"O completes a line at c3 \(cell 8\)"):
        zone_of("3x3x3:XX./.X./OO.", Player.X, ["reply", 5, None], ["forced", 2, 0])
    with pytest.raises(ProofError, match=r"O completes a line at c3 \(cell 8\)"):
        zone_of("3x3x3:XX./.X./OO.", Player.X, ["double", 2, 8])


def test_a_double_threat() -> None:
    # X threatens b1 and c2. Every line that O could still complete gets two cells: 345 has 3
    # and 5, 147 has 1 and 7, and 678 has two cells left, 7 being one of O's.
    assert zone_of(LOST, Player.X, ["double", 1, 5]) == cells(1, 3, 5, 7)
    assert zone_of(LOST, Player.X, ["double", 5, 1]) == cells(1, 3, 5, 7)
    with pytest.raises(ProofError, match="does not threaten to complete a line at a2"):
        zone_of(LOST, Player.X, ["double", 1, 3])
