"""Proofs that the solver writes pass the checker, which shares nothing with it."""

from __future__ import annotations

import hashlib
import json
import random
from functools import cache

import pytest

from noughts.errors import LimitExceeded, ProofError
from noughts.limits import Limits
from noughts.rules.position import GridPosition
from noughts.solving.proofs import proof_of
from noughts.solving.solver import Solver
from noughts.solving.verify import Proved, verify


@cache
def prove(text: str) -> tuple[str, str]:
    """Return what the solver says about a position, and its proof."""
    position = GridPosition.parse(text) if ":" in text else GridPosition.start(text)
    solver = Solver(position.grid)
    solution = solver.solve(position, with_line=False)
    return str(solution), proof_of(solution, solver.searches)


def check(proof: str) -> Proved:
    return verify(proof.splitlines(keepends=True))


def sealed(lines: list[str]) -> str:
    """Return a proof with the right digest for its lines."""
    body = "".join(f"{line}\n" for line in lines)
    return f"{body}sha256 {hashlib.sha256(body.encode()).hexdigest()}\n"


WINS = ["3x4x3", "4x4x3", "4x3x2", "5x6x4", "6x6x4", "1x3x2:.X.", "4x4x3:X.../.O../..../...."]
DRAWS = ["3x3x3", "2x4x3", "4x4x4", "4x5x4", "5x5x5", "6x6x5", "7x7x6", "5x5x4", "6x6x6"]


@pytest.mark.parametrize("grid", WINS)
def test_wins_are_proved_within_the_plies_claimed(grid: str) -> None:
    words, proof = prove(grid)
    proved = check(proof)
    assert proved.claim in ("win", "loss")
    assert words.endswith(("plies", "ply"))
    assert f"within {proved.plies} " in proved.text


@pytest.mark.parametrize("grid", DRAWS)
def test_draws_are_proved_for_both_sides(grid: str) -> None:
    words, proof = prove(grid)
    assert words == "a draw"
    assert check(proof).claim == "draw"


@pytest.mark.slow
def test_the_win_on_8x8x4_is_proved() -> None:
    _, proof = prove("8x8x4")
    proved = check(proof)
    assert (proved.claim, proved.plies) == ("win", 11)


def test_random_positions_of_every_value_are_proved() -> None:
    rng = random.Random(4)
    claims: set[str] = set()
    for _ in range(30):
        grid = rng.choice(["3x3x3", "3x4x3", "4x4x3", "4x4x4", "3x5x3", "4x5x4"])
        position = GridPosition.start(grid)
        for _ in range(rng.randrange(1, 8)):
            if position.outcome is None:
                position = position.play(rng.choice(position.legal_moves))
        _, proof = prove(position.text)
        claims.add(check(proof).claim)
    assert claims == {"win", "draw", "loss"}


@pytest.mark.parametrize("grid", ["6x6x4", "5x5x4", "7x7x6", "3x3x3"])
def test_any_changed_byte_is_noticed(grid: str) -> None:
    _, proof = prove(grid)
    data = proof.encode()
    rng = random.Random(grid)
    for index in [0, 20, len(data) - 2, *(rng.randrange(len(data)) for _ in range(12))]:
        changed = bytearray(data)
        changed[index] ^= 1 << rng.randrange(7)
        with pytest.raises(ProofError):
            verify([bytes(changed)])


def test_a_missing_reply_is_noticed_even_if_the_digest_is_right() -> None:
    _, proof = prove("6x6x4")
    lines = proof.splitlines()[:-1]
    rng = random.Random(1)
    answers = [i for i, line in enumerate(lines) if line.startswith('["answer",{"')]
    noticed = 0
    for index in rng.sample(answers, 10):
        name, replies, default = json.loads(lines[index])
        del replies[rng.choice(list(replies))]
        broken = [*lines]
        broken[index] = json.dumps([name, replies, default])
        try:
            check(sealed(broken))
        except ProofError:
            noticed += 1
    # Some replies lose to the default answer as well; most need one of their own.
    assert noticed > 5


def test_a_missing_answer_in_a_drawing_strategy_is_noticed() -> None:
    _, proof = prove("5x5x4")
    lines = proof.splitlines()[:-1]
    rng = random.Random(2)
    moves = [i for i, line in enumerate(lines) if line.startswith('["moves",{"')]
    noticed = 0
    for index in rng.sample(moves, 10):
        name, listed = json.loads(lines[index])
        del listed[next(iter(listed))]
        broken = [*lines]
        broken[index] = json.dumps([name, listed])
        try:
            check(sealed(broken))
        except ProofError:
            noticed += 1
    assert noticed > 5  # some moves can do with the answer to another one


def test_what_is_not_known_has_no_proof() -> None:
    position = GridPosition.start("7x7x5")
    solver = Solver(position.grid)
    with pytest.raises(LimitExceeded, match="not known"):
        proof_of(solver.solve(position, Limits(nodes=10)), solver.searches)


def test_a_finished_game_proves_itself() -> None:
    _, proof = prove("3x3x3:XXX/OO./...")
    assert check(proof).claim == "loss"
