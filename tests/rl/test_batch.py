"""Batches against the pure rules, on random games; and what they refuse."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from noughts import (
    GridPosition,
    IllegalMove,
    InvalidPosition,
    LimitExceeded,
    NotationError,
    NoughtsError,
    SizeError,
    Verdict,
    start,
)
from noughts.rl import Autoreset, Batch
from noughts.rl.batch import LEAST_BOARDS
from support.cases import for_each
from support.cli_runner import clean_environment
from support.observations import code_of, mask_of, planes_of

POSITIONS = int(os.environ.get("NOUGHTS_TEST_POSITIONS", "6000"))
"""The positions that are compared, of all games together."""

GAMES = [
    *("3x3x3", "4x4x3", "7x7x5", "8x8x4", "5x3x3", "2x7x3", "1x1x1", "2x2x3", "1x9x2", "4x4x5"),
    *("ultimate", "ultimate-open", "ultimate-most-boards", "ultimate-open-most-boards"),
]


@for_each("game", GAMES)
def test_steps_masks_and_observations_are_those_of_the_rules(game: str) -> None:
    left = POSITIONS // len(GAMES)
    for seed in range(10**9):
        batch, positions = Batch(game, 40), [start(game)] * 40
        while left > 0:
            observation, mask = batch.observe(), batch.legal_mask()
            sides = np.arange(40) % 2
            seen = batch.observe(side=sides)
            for i, position in enumerate(positions):
                assert batch[i] == position
                assert mask[i].tolist() == mask_of(position)
                assert (observation[i] == planes_of(position)).all()
                assert (seen[i] == planes_of(position, i % 2)).all()
                assert batch.verdicts[i] == code_of(position)
                assert batch.terminated[i] == (position.outcome is not None)
            assert batch.turns.tolist() == ["XO".index(each.turn) for each in positions]
            left -= len(positions)
            if batch.terminated.all():
                break
            actions = batch.random_actions(seed * 100 + left % 97)
            before = positions
            positions = [
                each if each.outcome else each.play(int(action))
                for each, action in zip(before, actions, strict=True)
            ]
            assert ((actions == -1) == batch.terminated).all()
            filled = np.full(observation.shape, 7, np.int8), np.full(mask.shape, 7, np.uint8)
            batch.step(actions, observation=filled[0], legal_mask=filled[1])
            assert (filled[0] == batch.observe()).all()
            assert (filled[1] == batch.legal_mask()).all()
            for i, (old, new) in enumerate(zip(before, positions, strict=True)):
                just_won = new.outcome and not old.outcome and new.outcome.winner
                x_reward = {"X": 1, "O": -1, None: 0}[just_won or None]
                assert batch.rewards[i].tolist() == [x_reward, -x_reward]
        if left <= 0:
            return


@for_each("game", ["3x3x3", "5x5x4", "ultimate"])
def test_what_is_written_stays_within_the_board(game: str) -> None:
    """Vectors that overlap must not reach what another thread has written."""
    whole = Batch(game, 7)
    for seed in range(4):
        whole.step(whole.random_actions(seed))
    for i in range(7):
        one = whole[i : i + 1]
        room = np.full(np.prod(whole.observation_shape) + 64, 9, np.int8)
        inside = room[32:-32].reshape(1, *whole.observation_shape)
        one.observe(inside)
        assert (inside == whole.observe()[i]).all()
        assert (room[:32] == 9).all()
        assert (room[-32:] == 9).all()


def test_random_actions_are_uniform_over_the_legal_ones() -> None:
    for game in ("3x3x3 b2 a1 c3", "8x8x5 b2 h8", "ultimate ee ea"):
        batch = Batch(game, 40_000)
        actions = batch.random_actions(seed=5)
        legal = np.flatnonzero(batch.legal_mask()[0])
        counts = np.bincount(actions, minlength=batch.actions)[legal]
        assert counts.sum() == len(batch)
        expected = len(batch) / len(legal)
        chi_square = ((counts - expected) ** 2 / expected).sum()
        assert chi_square < 2 * len(legal) + 20
    assert (batch.random_actions(1) != batch.random_actions(2)).any()
    assert (batch.random_actions() != batch.random_actions()).any()


# ------------------------------------------------------------------------------------ autoreset


def played(mode: Autoreset, steps: int, game: str = "3x3x3", **options: Any) -> list[list[Any]]:
    batch = Batch(game, 30, autoreset=mode, **options)
    rows = []
    for seed in range(steps):
        batch.step(batch.random_actions(seed))
        rows.append([batch.copy(), batch.final])
    return rows


@for_each("game", ["3x3x3", "4x4x3 b2", "ultimate-most-boards"])
def test_games_begin_anew_as_the_mode_says(game: str) -> None:
    for batch, _ in played(Autoreset.DISABLED, 90, game):
        assert (batch.terminated == (batch.verdicts > 1)).all()
    assert batch.terminated.all()
    assert not batch.rewards.any()  # they ended before the last step

    begin = batch.start
    before = None
    ended = 0
    for batch, final in played(Autoreset.NEXT_STEP, 90, game):
        if before is not None:
            again = before.terminated
            assert all(batch[int(i)] == begin for i in np.flatnonzero(again))
            assert not batch.terminated[again].any()
            assert not batch.rewards[again].any()
        assert [each.text for each in final] == [
            batch[int(i)].text for i in np.flatnonzero(batch.terminated)
        ]
        ended += int(batch.terminated.sum())
        before = batch
    assert ended > 20

    ended = 0
    for batch, final in played(Autoreset.SAME_STEP, 90, game):
        assert not (batch.verdicts > 1).any()
        numbers = np.flatnonzero(batch.terminated)
        assert len(final) == len(numbers)
        for i, last, code in zip(numbers, final, final.verdicts, strict=True):
            assert batch[int(i)] == begin
            assert last.outcome is not None
            assert code == code_of(last)
            winner = last.outcome.winner
            assert batch.rewards[i, 0] == {"X": 1, "O": -1, None: 0}[winner]
            ended += 1
        for last, seen in zip(final, final.observe(), strict=True):
            assert (seen == planes_of(last)).all()
    assert ended > 20


def test_modes_are_known_by_the_names_of_gymnasium() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    for theirs in gymnasium.vector.AutoresetMode:
        assert Autoreset.named(theirs).name == theirs.name
    with pytest.raises(NotationError, match="disabled, next_step, same_step, not 'later'"):
        Batch(autoreset="later")


# -------------------------------------------------------------------------------- illegal actions


@for_each(
    ("action", "message"),
    [
        (4, r"board 2: b2 \(cell 4\) is taken by X"),
        (9, "board 2: a move of 3x3x3 must be at most 8, not 9"),
        (-1, "board 2: a move of 3x3x3 must be at least 0, not -1"),
        (2**62, "board 2: a move of 3x3x3 must be at most 8"),
        (-(2**63), "board 2: a move of 3x3x3 must be at least 0"),
    ],
)
def test_an_illegal_action_is_an_error_and_changes_no_board(action: int, message: str) -> None:
    batch = Batch("3x3x3 b2", 4)
    with pytest.raises(IllegalMove, match=message):
        batch.step([0, 1, action, action])
    assert all(position == batch.start for position in batch)
    assert not batch.terminated.any()


@for_each(("game", "legal", "illegal"), [("3x3x3 b2", 0, 4), ("ultimate ee ea", 0, 40)])
def test_an_illegal_action_may_lose_instead(game: str, legal: int, illegal: int) -> None:
    batch = Batch(game, 5, illegal_loses=True)
    side = int(batch.turns[0])
    batch.step([legal, illegal, -1, 10**9, legal])
    assert batch.illegal.tolist() == [False, True, True, True, False]
    assert batch.terminated.tolist() == batch.illegal.tolist()
    assert batch.rewards[1].tolist() == ([-1, 1] if side == 0 else [1, -1])
    assert [*Verdict][batch.verdicts[1]] is (Verdict.O_WINS if side == 0 else Verdict.X_WINS)
    assert batch[1] == batch.start
    assert not batch.legal_mask()[1].any()
    assert batch.final.rewards.tolist() == batch.rewards[1:4].tolist()
    batch.step(batch.random_actions(1))
    assert not batch.illegal.any()
    assert not batch.rewards[1:4].any()

    again = Batch(game, 1, illegal_loses=True, autoreset="same_step")
    again.step([illegal])
    assert again.terminated[0]
    assert again[0] == again.start
    assert again.final.verdicts[0] == batch.verdicts[1]


def test_unsigned_actions_do_not_wrap_around() -> None:
    with pytest.raises(IllegalMove):
        Batch("3x3x3", 1).step(np.array([2**64 - 1], np.uint64))


# ------------------------------------------------------------------------------------ wrong input


CALLS: dict[str, Callable[[Batch], object]] = {
    "actions of another shape": lambda batch: batch.step([0, 1]),
    "actions in a column": lambda batch: batch.step([[0], [1], [2]]),
    "fractions": lambda batch: batch.step([0.0, 1.0, 2.0]),
    "truth values": lambda batch: batch.step([True, False, True]),
    "no actions": lambda batch: batch.step(None),
    "names": lambda batch: batch.step(["a1", "b1", "c1"]),
    "room of another shape": lambda batch: batch.observe(np.zeros((3, 9), np.int8)),
    "room of floats": lambda batch: batch.observe(np.zeros((3, 3, 3, 3), np.float32)),
    "room that is a list": lambda batch: batch.observe([0]),  # type: ignore[arg-type]
    "room with gaps": lambda batch: batch.legal_mask(np.zeros((3, 18), bool)[:, ::2]),
    "room that is fixed": lambda batch: batch.legal_mask(np.broadcast_to(False, (3, 9))),
    "room of words": lambda batch: batch.step([0, 1, 2], legal_mask=np.zeros((3, 9), int)),
    "a side beyond": lambda batch: batch.observe(side=2),
    "a side by name": lambda batch: batch.observe(side="X"),
    "sides of another shape": lambda batch: batch.observe(side=[0, 1]),
    "a seed below": lambda batch: batch.random_actions(-1),
    "a seed beyond": lambda batch: batch.random_actions(2**64),
    "a fraction of boards": lambda batch: Batch("3x3x3", 2.5),  # type: ignore[arg-type]
    "boards below": lambda batch: Batch("3x3x3", -1),
    "no game": lambda batch: Batch("chess", 1),
    "a finished game": lambda batch: Batch("XXX/OO./...", 1),
    "too many cells": lambda batch: Batch("9x9x5", 1),
    "positions of two games": lambda batch: Batch.of(["3x3x3", "4x4x3"]),
    "no positions": lambda batch: Batch.of([]),
    "no threads": lambda batch: Batch("3x3x3", 1, threads=0),
    "a board that cannot be": lambda batch: Batch.from_boards(np.ones((1, 3, 3), np.int8)),
}


@for_each("what", CALLS)
def test_wrong_input_is_a_clear_error(what: str) -> None:
    batch = Batch("3x3x3", 3)
    with pytest.raises(NoughtsError) as caught:
        CALLS[what](batch)
    assert len(str(caught.value)) < 200
    assert all(position == batch.start for position in batch)


def test_messages_name_what_is_wrong() -> None:
    batch = Batch("3x3x3", 3)
    with pytest.raises(SizeError, match=r"one action for each board, .* shape \(3,\), not \(2,\)"):
        batch.step([0, 1])
    with pytest.raises(SizeError, match="actions are whole numbers, not float64"):
        batch.step([0.0, 1.0, 2.0])
    with pytest.raises(SizeError, match=r"out is .* of shape \(3, 3, 3, 3\), not \(3, 9\)"):
        batch.observe(np.zeros((3, 9), np.int8))
    with pytest.raises(LimitExceeded, match="up to 64 cells can be batched; 9x9x5 has 81"):
        Batch("9x9x5")
    with pytest.raises(NotationError, match="position 1 is of 4x4x3, not 3x3x3"):
        Batch.of(["3x3x3", "4x4x3"])
    with pytest.raises(InvalidPosition, match="board 1: too many X: 9 X and 0 O"):
        Batch.from_boards(np.array([np.zeros((3, 3)), np.ones((3, 3))], np.int8))


def test_boards_that_do_not_fit_the_machine_are_refused_before_they_are_made() -> None:
    with pytest.raises(LimitExceeded, match=r"10\^?.* boards of ultimate need .* this machine has"):
        Batch("ultimate", 10**13)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's here")
def test_memory_that_cannot_be_had_is_a_clear_error() -> None:
    script = (
        "import resource\n"
        "from noughts import LimitExceeded\n"
        "from noughts.rl import Batch\n"
        "batch = Batch('3x3x3', 1)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "for count in (80_000_000, 10):\n"
        "    try:\n"
        "        print(len(Batch('ultimate', count).observe()))\n"
        "    except LimitExceeded as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=clean_environment(),
    )
    refused, fine = done.stdout.splitlines()
    assert refused.endswith("which cannot be had") or "this machine has" in refused
    assert fine == "10"


# ---------------------------------------------------------------------------- what a batch can do


def test_no_boards_are_boards_too() -> None:
    batch = Batch("ultimate", 0)
    batch.step([])
    assert batch.observe().shape == (0, 9, 9, 5)
    assert batch.legal_mask().shape == (0, 81)
    assert len(batch.final) == len(batch[:]) == 0
    assert batch.random_actions(1).tolist() == []
    assert repr(batch) == "<Batch of 0 boards of ultimate, 0 finished>"


def test_the_same_games_on_any_number_of_threads() -> None:
    count = 3 * LEAST_BOARDS
    for game in ("4x4x3", "ultimate"):
        one, several = Batch(game, count, threads=1), Batch(game, count, threads=3)
        for seed in range(5):
            actions = one.random_actions(seed)
            assert (several.random_actions(seed) == actions).all()
            one.step(actions)
            several.step(actions)
        assert (one.state == several.state).all()
        assert (one.observe() == several.observe()).all()


def test_the_first_illegal_action_is_named_on_any_number_of_threads() -> None:
    count = 3 * LEAST_BOARDS
    actions = np.zeros(count, int)
    actions[[LEAST_BOARDS + 5, count - 1]] = 9
    with pytest.raises(IllegalMove, match=f"board {LEAST_BOARDS + 5}: "):
        Batch("3x3x3", count, threads=3).step(actions)


def test_play_leaves_the_boards_as_they_were() -> None:
    batch = Batch("3x3x3", 3)
    after = batch.play([0, 1, 2])
    assert all(position == batch.start for position in batch)
    assert [position.text for position in after][1] == "3x3x3:.X./.../..."
    after.step([4, 4, 4])
    assert batch.copy().play([0, 1, 2]).turns.tolist() == [1, 1, 1]


def test_boards_are_chosen_by_slices_and_arrays() -> None:
    batch = Batch("3x3x3", 5)
    batch.step([0, 1, 2, 3, 4])
    assert batch[-1] == GridPosition.start("3x3x3").play(4)
    assert [each.text for each in batch[[4, 0]]] == [batch[4].text, batch[0].text]
    assert len(batch[batch.legal_mask()[:, 0]]) == 4
    with pytest.raises(IndexError, match="board 5 of 5"):
        batch[5]
    batch.reset([1, 2])
    assert batch.turns.tolist() == [1, 0, 0, 1, 1]
    batch.reset()
    assert not batch.turns.any()


def test_a_copy_shares_nothing() -> None:
    for mode in Autoreset:
        batch = Batch("3x3x3 a1 a2 b1 b2", 3, autoreset=mode)
        other, last = batch.copy(), batch[[2]]
        batch.step([2, 2, 2])
        before = [[each.text for each in batch], [each.text for each in batch.final]]
        other.step([8, 8, 8])
        other.step([5, 5, 5])  # O wins
        last.step([7])
        assert before == [[each.text for each in batch], [each.text for each in batch.final]]
        assert len(before[1]) == 3


def test_boards_are_put_into_a_batch() -> None:
    batch = Batch("3x3x3", 4)
    some = batch[[1, 3]]
    some.step([4, 5])
    batch[[1, 3]] = some
    assert batch.turns.tolist() == [0, 1, 0, 1]
    assert batch[3] == some[1]
    with pytest.raises(SizeError, match="boards of 3x3x3 are needed"):
        batch[0] = Batch("4x4x3", 1)


def test_positions_and_boards_become_a_batch_and_come_back() -> None:
    texts = ["3x3x3:XX./OO./...", "3x3x3:XXX/OO./...", "3x3x3:XOX/XOO/OXX", "3x3x3:.../.X./..."]
    batch = Batch.of(texts)
    assert [each.text for each in batch] == texts
    assert batch.terminated.tolist() == [False, True, True, False]
    again = Batch.from_boards(batch.boards())
    assert (again.state == batch.state).all()
    assert (again.verdicts == batch.verdicts).all()
    ultimate = Batch.of(["ultimate ee ea", "ultimate"])
    assert [each.move_count for each in ultimate] == [9, 81]


def test_batches_are_pickled() -> None:
    batch = Batch("4x4x3", 3, autoreset="same_step")
    batch.step([1, 2, 3])
    again = pickle.loads(pickle.dumps(batch))
    again.step(again.random_actions(1))
    batch.step(batch.random_actions(1))
    assert (again.state == batch.state).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    batch = Batch("3x3x3", 4 * LEAST_BOARDS, threads=2)
    batch.step(batch.random_actions(1))  # threads are running
    child = os.fork()
    if child == 0:
        try:
            batch.step(batch.random_actions(2))
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


UNCOMPILED = """
import json
from noughts.kernels import COMPILED
from noughts.rl import Batch, judge_many, playouts
found = [COMPILED]
for game in ("3x3x3", "2x3x2", "5x5x4", "ultimate-open"):
    batch = Batch(game, 6, autoreset="same_step", illegal_loses=True)
    for seed in range(12):
        batch.step(batch.random_actions(seed))
    found += [batch.state.tolist(), batch.observe().tolist(), batch.legal_mask().tolist()]
    batch.step([-1, 0, 1, 2, 3, 4])
    found += [batch.rewards.tolist(), batch.verdicts.tolist(), batch.illegal.tolist()]
    if "x" in game:
        found.append(judge_many(batch.boards(), 3).tolist())
for game in ("3x3x3", "9x9x4", "ultimate"):
    played = playouts(game, 8, seed=3)
    found += [played.verdicts.tolist(), played.plies.tolist()]
print(json.dumps(found))
"""


def test_without_a_compiler_the_results_are_the_same() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", UNCOMPILED],
            capture_output=True,
            text=True,
            check=True,
            env=clean_environment({"NUMBA_DISABLE_JIT": off}),
        ).stdout
        for off in ("0", "1")
    ]
    assert said[0].startswith("[true")
    assert said[1].startswith("[false")
    assert said[0][5:] == said[1][6:]
