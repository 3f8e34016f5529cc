"""The environments of Gymnasium: its checks, one game, and many at once against its own vectors."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from noughts import IllegalMove, NotationError, NoughtsError, SizeError
from noughts.rl import Batch, truth_of, uniform
from noughts.rl.gymnasium import GameEnv, GameVectorEnv
from support.cases import for_each
from support.observations import mask_of, planes_of

NAMES = {"grid": "noughts.rl:noughts/MNK-v0", "ultimate": "noughts.rl:noughts/Ultimate-v0"}


def lowest(batch: Batch) -> Any:
    """Play the first legal action: a policy without chance."""
    return batch.legal_mask().argmax(axis=1)


# ----------------------------------------------------------------------------------------- one game


@for_each(
    ("name", "options"),
    [
        ("grid", {}),
        ("grid", {"game": "4x4x3", "opponent": "perfect", "side": "O"}),
        ("grid", {"game": "9x9x5 b2", "opponent": "casual", "side": "random"}),
        ("ultimate", {"opponent": "casual", "side": "random"}),
        ("ultimate", {"game": "ultimate-open", "opponent": uniform}),
    ],
)
def test_the_checks_of_gymnasium(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(NAMES[name], **options)
    check_env(env.unwrapped)
    env.close()


@for_each(
    ("game", "opponent"),
    [("3x3x3", "random"), ("9x9x4", "beginner"), ("ultimate", "random"), ("4x4x3", "perfect")],
)
def test_games_follow_the_rules(game: str, opponent: str) -> None:
    rng = np.random.default_rng(4)
    for side in (0, 1, 1, 0):
        env = GameEnv(game, opponent=opponent, side="XO"[side])
        seen, info = env.reset(seed=7)
        terminated, reward = False, 0.0
        while not terminated:
            assert "XO"[side] == env.position.turn
            assert (seen == planes_of(env.position, side)).all()
            assert info["action_mask"].tolist() == mask_of(env.position)
            assert env.action_masks().tolist() == mask_of(env.position)
            assert reward == 0
            before = env.position
            action = rng.choice(before.legal_moves)
            seen, reward, terminated, truncated, info = env.step(action)
            assert not truncated
            assert not info["illegal"]
            after = before.play(int(action))
            replies = [after] if after.outcome else [after.play(m) for m in after.legal_moves]
            assert env.position in replies
        outcome = env.position.outcome
        assert outcome is not None
        assert reward == (0 if not outcome.winner else 1 if outcome.winner == "XO"[side] else -1)
        assert (seen == planes_of(env.position, side)).all()
        assert not info["action_mask"].any()
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)


def test_the_perfect_opponent_does_not_lose() -> None:
    for game in ("3x3x3", "2x3x2"):
        envs = GameVectorEnv(2000, game, opponent="perfect", side="random")
        envs.reset(seed=1)
        total = np.zeros(3, int)
        for seed in range(40):
            actions = np.maximum(envs._batch.random_actions(seed), 0)
            _, rewards, terminated, _, _ = envs.step(actions)
            total += [int((rewards[terminated] == value).sum()) for value in (-1, 0, 1)]
        if game == "3x3x3":
            assert total[2] == 0  # nobody can win against it, and most lose
            assert total[0] > total[1] > 0
        else:
            assert total[2] > 0  # here X wins, and so does a lucky agent


def test_the_side_may_change_from_game_to_game() -> None:
    env = GameEnv("3x3x3", side="random")
    env.reset(seed=3)
    starts = [int(env.reset()[1]["action_mask"].sum()) for _ in range(40)]
    assert {8, 9} == set(starts)


def test_an_illegal_action_loses() -> None:
    env = GameEnv("3x3x3 b2 a1")
    env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(4)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert not seen[..., 2].any()
    assert not info["action_mask"].any()
    env.reset()
    assert env.action_masks().sum() == 7


@for_each(
    ("options", "error", "message"),
    [
        ({"game": "chess"}, NotationError, "chess"),
        ({"game": "XXX/OO./..."}, IllegalMove, "the game is over, X wins"),
        ({"opponent": "strongest"}, NotationError, "is random, beginner, casual, strong, perfect"),
        ({"game": "ultimate", "opponent": "perfect"}, NotationError, "ultimate is random, begin"),
        ({"side": "both"}, NotationError, "side is X, O or random, not 'both'"),
        ({"render_mode": "video"}, NotationError, "human, ansi, svg, rgb_array"),
        ({"opponent": "casual", "seconds": 0}, SizeError, "seconds must be a number above 0"),
    ],
)
def test_wrong_options_are_clear_errors(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    for make in (GameEnv, GameVectorEnv):
        with pytest.raises(error, match=message):
            make(**options)


def test_wrong_calls_are_clear_errors() -> None:
    env = GameEnv("3x3x3")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset()
    for action in (9, -1, 1.5, None, "a1", [0]):
        with pytest.raises(SizeError, match="an action is a whole number from 0 to 8"):
            env.step(action)
    with pytest.warns(UserWarning, match="made with a render_mode"):
        assert env.render() is None
    wrong = GameEnv("3x3x3", opponent=lambda batch: np.zeros(len(batch), int))
    wrong.reset()
    with pytest.raises(IllegalMove, match=r"3x3x3:X\.\./\.\.\./\.\.\. the policy plays 0"):
        wrong.step(0)


# ----------------------------------------------------------------------------------- many at once


@for_each("mode", list(AutoresetMode))
@for_each(("game", "side"), [("4x4x3 b2", "X"), ("2x3x2", "O"), ("ultimate", "O")])
def test_many_games_are_those_of_the_reference(mode: AutoresetMode, game: str, side: str) -> None:
    """The opponent has no chance, so Gymnasium's loop over single games must say the same."""
    options: dict[str, Any] = {"opponent": lowest, "side": side}
    count = 4
    ours = GameVectorEnv(count, game, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv(
        [lambda: GameEnv(game, **options) for _ in range(count)], autoreset_mode=mode
    )
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata == theirs.metadata
    rng = np.random.default_rng(9)
    compare(ours.reset(seed=1), theirs.reset(seed=1))
    ended = 0
    for _ in range(35):
        masks = ours.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks])
        if rng.random() < 0.1:
            actions[rng.integers(count)] = rng.integers(masks.shape[1])
        found, expected = ours.step(actions), theirs.step(actions)
        compare(found, expected)
        over = found[2]
        ended += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            compare(
                ours.reset(options={"reset_mask": over}),
                theirs.reset(options={"reset_mask": over}),
                reset=over,
            )
    assert ended > 1


def compare(found: Any, expected: Any, reset: Any = None) -> None:
    """Compare what two environments return, arrays and nested infos, with their types."""
    *values, infos = found
    *others, other_infos = expected
    for value, other in zip(values, others, strict=True):
        assert value.dtype == other.dtype
        assert (value == other).all()
    for key, other in other_infos.items():
        if reset is None:
            same(infos[key], other, key)
        else:
            same(infos[key][reset], other[reset], key)
    assert set(infos) == set(other_infos)


def same(value: Any, other: Any, key: str) -> None:
    if isinstance(other, dict):
        assert set(value) == set(other)
        for name in other:
            same(value[name], other[name], name)
    elif other.dtype == object:
        for each, wanted in zip(value, other, strict=True):
            assert (each is None) == (wanted is None)
            assert each is None or (each == wanted).all()
    else:
        assert (value == other).all(), key


def test_the_same_seed_plays_the_same_games() -> None:
    def rewards(seed: int, threads: int) -> Any:
        envs = GameVectorEnv(9000, "4x4x3", side="random", threads=threads)
        seen, _ = envs.reset(seed=seed)
        found = [seen.sum(axis=(1, 2, 3))]
        for step in range(6):
            actions = np.maximum(envs._batch.random_actions(step), 0)
            found.append(envs.step(actions)[1])
        return np.concatenate(found)

    assert (rewards(1, 1) == rewards(1, 3)).all()
    assert (rewards(1, 1) != rewards(2, 1)).any()


def test_vectors_are_made_by_name() -> None:
    envs = gymnasium.make_vec(NAMES["grid"], num_envs=3, game="4x4x3", opponent="casual")
    assert isinstance(envs.unwrapped, GameVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, infos = envs.reset(seed=1)
    assert seen.shape == (3, 4, 4, 3)
    assert infos["action_mask"].shape == (3, 16)
    first = envs.step(np.array([0, 1, 2]))[0]
    second = envs.step(np.array([0, 1, 2]))[0]
    assert not np.shares_memory(first, second)
    envs.close()


def test_wrong_calls_of_vectors_are_clear_errors() -> None:
    envs = GameVectorEnv(3, "3x3x3", autoreset_mode="disabled", render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step([0, 1, 2])
    envs.reset(seed=1)
    with pytest.raises(SizeError, match="one action for each board"):
        envs.step([0, 1])
    for mask in (np.zeros(3), np.zeros(2, bool), [True] * 3):
        with pytest.raises(SizeError, match="reset_mask is an array of 3 bools"):
            envs.reset(options={"reset_mask": mask})
    assert len(envs.render() or ()) == 3
    with pytest.warns(UserWarning, match="made with a render_mode"):
        assert GameVectorEnv(1).render() is None
    with pytest.raises(NoughtsError, match="the number of boards must be at least 0"):
        GameVectorEnv(-1)
    wrong = GameVectorEnv(2, opponent=lambda batch: np.zeros(len(batch), int))
    wrong.reset()
    with pytest.raises(IllegalMove, match="the policy plays 0"):
        wrong.step([0, 0])


def test_a_policy_may_give_probabilities() -> None:
    truth = truth_of("3x3x3")
    envs = GameVectorEnv(500, "3x3x3", opponent=truth.play, side="O")
    envs.reset(seed=2)
    openings = envs._batch.state[:, 0]
    assert len(np.unique(openings)) == 9  # all are draws, so each is played
    with pytest.raises(SizeError, match="a policy returns actions of shape"):
        GameVectorEnv(2, side="O", opponent=lambda batch: np.zeros(3)).reset()
    with pytest.raises(IllegalMove, match="with the sum 1"):
        GameVectorEnv(2, side="O", opponent=lambda batch: np.ones((len(batch), 9))).reset()
