"""What a policy is worth, against trying everything; and the values of all positions."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noughts import Grid, IllegalMove, LimitExceeded, NoughtsError, SizeError
from noughts.rl import Batch, Evaluation, Truth, evaluate, exploitability, truth_of, uniform
from noughts.rl.exact import AT_ONCE, ILLEGAL
from support import oracle
from support.cases import for_each

RANK = {"win": 1, "draw": 0, "loss": -1}


def text_of(position: Any) -> str:
    return "".join(position.board.rows)


def first(batch: Batch) -> Any:
    """Play the first legal action."""
    return batch.legal_mask().argmax(axis=1)


def odd(batch: Batch) -> Any:
    """Play some actions more often than others, with probabilities of float32."""
    weights = batch.legal_mask() * (1 + np.arange(batch.actions) % 3)
    return (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


# -------------------------------------------------------------------------------------- values


@for_each(("rows", "cols", "k"), [(3, 3, 3), (2, 3, 2), (1, 5, 2), (2, 4, 3), (1, 1, 1)])
def test_the_truth_is_that_of_minimax(rows: int, cols: int, k: int) -> None:
    truth = Truth(Grid(rows, cols, k))
    reachable = {
        text
        for text, verdict in oracle.reachable_verdicts(rows, cols, k).items()
        if verdict.endswith("turn")
    }
    for batch in truth.positions():
        values, plies = truth.values(batch), truth.plies(batch)
        after, best = truth.action_values(batch), truth.best_actions(batch)
        for i, position in enumerate(batch):
            reachable.remove(text_of(position))
            value, moves = oracle.minimax(text_of(position), rows, cols, k)
            assert (values[i], plies[i]) == (RANK[value], -1 if moves is None else moves)
            ends = {}
            for move in range(position.size):
                if move not in position.legal_moves:
                    assert after[i, move] == ILLEGAL
                    continue
                ends[move] = oracle.minimax(text_of(position.play(move)), rows, cols, k)
                assert after[i, move] == -RANK[ends[move][0]]
            wanted = {"win": "loss", "loss": "win", "draw": "draw"}[value]
            expected = [m for m, e in ends.items() if e == (wanted, moves and moves - 1)]
            assert np.flatnonzero(best[i]).tolist() == expected
    assert not reachable


def test_the_truth_about_4x4x3_is_that_of_minimax() -> None:
    truth = truth_of("4x4x3")
    batch = Batch("4x4x3", 400)
    for seed in range(9):
        batch.step(batch.random_actions(seed))
    batch = batch[~batch.terminated]
    values = truth.values(batch)
    assert len(batch) > 100
    for position, value in zip(batch, values, strict=True):
        assert value == RANK[oracle.minimax(text_of(position), 4, 4, 3)[0]]


def test_finished_games_have_values_but_no_actions() -> None:
    batch = Batch.of(["XXX/OO./...", "XOX/XOO/OXX", "X../.../..."])
    truth = truth_of("3x3x3")
    assert truth.values(batch).tolist()[:2] == [-1, 0]
    assert (truth.action_values(batch)[:2] == ILLEGAL).all()
    assert not truth.best_actions(batch)[:2].any()
    assert truth.play(batch)[:2].tolist() == [[0.0] * 9] * 2


def test_every_position_comes_once() -> None:
    truth, count, sizes = truth_of("3x4x3"), 0, []
    for plies in range(12):
        keys = []
        for batch in truth.positions(plies):
            assert len(batch) <= AT_ONCE
            assert (np.bitwise_count(batch.state).sum(axis=1) == plies).all()
            keys.append(batch.state[:, 0] << np.uint64(16) | batch.state[:, 1])
        found = np.concatenate(keys) if keys else np.zeros(0)
        assert len(np.unique(found)) == len(found)
        sizes.append(len(found))
        count += len(found)
    assert sizes[:3] == [1, 12, 132]
    assert count == sum(len(batch) for batch in truth.positions())


# ------------------------------------------------------------------------------ what a policy loses


def measured_by_trying_everything(policy: Any, rows: int, cols: int, k: int) -> Evaluation:
    """Measure a policy with the oracle, position by position."""
    grid = Grid(rows, cols, k)
    start = Batch(grid, 1)[0]
    truth = Truth(grid)
    chances = {}
    for batch in truth.positions():
        answer = np.asarray(policy(batch), float)
        if answer.ndim == 1:
            answer = np.eye(grid.cells)[answer.astype(int)]
        for i, position in enumerate(batch):
            chances[position] = answer[i]

    @cache
    def result(position: Any, side: str) -> float:
        """Return what X gets if the policy plays one side, and the other side knows it."""
        if position.outcome:
            return {"X": 1.0, "O": -1.0, None: 0.0}[position.outcome.winner]
        after = {m: result(position.play(m), side) for m in position.legal_moves}
        if position.turn == side:
            return float(sum(chances[position][move] * value for move, value in after.items()))
        return max(after.values()) if position.turn == "X" else min(after.values())

    kept, decisions = [], []
    for position in chances:
        value = RANK[oracle.minimax(text_of(position), rows, cols, k)[0]]
        keeps = {
            move: -RANK[oracle.minimax(text_of(position.play(move)), rows, cols, k)[0]] == value
            for move in position.legal_moves
        }
        kept.append(sum(chances[position][move] for move, is_kept in keeps.items() if is_kept))
        if not all(keeps.values()):
            decisions.append(kept[-1])
    return Evaluation(
        game=str(grid),
        positions=len(chances),
        decisions=len(decisions),
        accuracy=sum(kept) / len(kept),
        decision_accuracy=sum(decisions) / len(decisions) if decisions else 1.0,
        value=RANK[oracle.minimax(text_of(start), rows, cols, k)[0]],
        as_x=result(start, "X"),
        as_o=-result(start, "O"),
    )


@for_each("size", [(3, 3, 3), (2, 3, 2), (2, 4, 3), (1, 1, 1)])
@for_each("policy", [uniform, first, odd])
def test_a_policy_is_measured_exactly(policy: Any, size: tuple[int, int, int]) -> None:
    found = evaluate(policy, Grid(*size))
    expected = measured_by_trying_everything(policy, *size)
    for name, value in vars(expected).items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-6), name
    assert found.lost_as_x >= -1e-6
    assert found.lost_as_o >= -1e-6
    assert exploitability(policy, Grid(*size)) == pytest.approx(expected.exploitability, abs=1e-6)


def test_perfect_play_gives_nothing_away() -> None:
    for game in ("3x3x3", "3x4x3"):
        found = evaluate(truth_of(game).play, game)
        assert (found.accuracy, found.decision_accuracy) == (1.0, 1.0)
        assert found.exploitability == 0.0
        assert found.as_x == found.value == -found.as_o


def test_exploitability_is_that_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import UniformRandomPolicy

    game = pyspiel.load_game("mnk(m=3,n=2,k=2)")
    theirs = nash_conv(game, UniformRandomPolicy(game))
    assert 2 * exploitability(uniform, "2x3x2") == pytest.approx(theirs, abs=1e-6)


def test_it_says_what_it_found() -> None:
    assert str(evaluate(truth_of("3x3x3").play, "3x3x3")) == (
        "3x3x3: keeps the value in 100.00% of 4,520 positions, in 100.00% of 3,191 decisions; "
        "exploitability 0.000"
    )


@pytest.mark.slow
def test_the_document_has_these_numbers() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rl.md").read_text(encoding="utf-8")
    for game in ("3x3x3", "4x4x3"):
        found = evaluate(uniform, game)
        row = (
            f"| `rl.uniform` on {game} | {found.accuracy * 100:.2f} % "
            f"| {found.decision_accuracy * 100:.2f} % | {found.exploitability:.3f} |"
        )
        assert row in page
        assert f"{found.positions:,}" in page


@for_each(
    ("policy", "error", "message"),
    [
        (lambda batch: np.zeros(len(batch)), SizeError, "probabilities of shape"),
        (lambda batch: np.zeros((len(batch), 3)), SizeError, r"not float64 of shape \(\d+, 3\)"),
        (lambda batch: np.full(len(batch), 9), IllegalMove, "the policy plays 9; it needs a legal"),
        (lambda batch: np.full(len(batch), -1), IllegalMove, "the policy plays -1"),
        (lambda batch: np.zeros(len(batch), int), IllegalMove, "the policy plays 0"),
        (lambda batch: np.full((len(batch), 9), 1 / 9), IllegalMove, "the policy plays"),
        (lambda batch: batch.legal_mask() * 2.0, IllegalMove, "with the sum 1"),
        (lambda batch: batch.legal_mask() * np.nan, IllegalMove, "with the sum 1"),
        (lambda batch: 2 * uniform(batch) - uniform(batch)[:, ::-1], IllegalMove, "the policy"),
    ],
)
def test_a_policy_that_does_not_play_is_a_clear_error(
    policy: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        evaluate(policy, "3x3x3")


def test_wrong_games_are_clear_errors() -> None:
    with pytest.raises(LimitExceeded, match="up to 16 cells; 5x5x4 has 25"):
        evaluate(uniform, "5x5x4")
    with pytest.raises(NoughtsError):
        evaluate(uniform, "ultimate")
    with pytest.raises(SizeError, match="the truth about 3x3x3, not about 4x4x3"):
        truth_of("3x3x3").values(Batch("4x4x3", 1))
