"""The environments of PettingZoo: its own checks, its own wrappers, and the pure rules."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from noughts import IllegalMove, NotationError, NoughtsError, start
from noughts.rl.pettingzoo import env, raw_env
from support.cases import for_each
from support.observations import mask_of, planes_of

GAMES = ["3x3x3", "4x5x3", "1x1x1", "9x9x5", "ultimate", "ultimate-open-most-boards", "4x4x3 b2"]

pytestmark = [
    # Said of every environment whose observations are not a box.
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]


@for_each("game", GAMES)
def test_the_checks_of_pettingzoo(game: str) -> None:
    api_test(env(game), num_cycles=100)
    seed_test(lambda: env(game), num_cycles=50)


@for_each("game", ["3x3x3", "ultimate"])
def test_pictures(game: str) -> None:
    render_test(
        lambda render_mode: env(game, render_mode),
        custom_tests={"svg": lambda picture: picture.startswith("<svg ")},
    )


@for_each("game", GAMES)
def test_what_agents_see_and_get_follows_the_rules(game: str) -> None:
    rng = random.Random(game)
    played = env(game)
    for _ in range(3):
        played.reset()
        position = played.position
        assert position.text == played.start.text
        for agent in played.agent_iter():
            seen, reward, terminated, truncated, _ = played.last()
            side = int(agent == "player_1")
            assert (seen["observation"] == planes_of(position, side)).all()
            assert (played.state() == planes_of(position, 0)).all()
            assert terminated == (position.outcome is not None)
            assert not truncated
            if terminated:
                winner = position.outcome and position.outcome.winner
                assert reward == (0 if not winner else 1 if winner == "XO"[side] else -1)
                played.step(None)
                continue
            assert "XO"[side] == position.turn
            assert seen["action_mask"].tolist() == mask_of(position)
            other = played.observe(played.possible_agents[1 - side])
            assert not other["action_mask"].any()
            assert (other["observation"] == planes_of(position, 1 - side)).all()
            action = rng.choice(position.legal_moves)
            played.step(rng.choice([int, np.int32, np.int64])(action))
            assert seen["action_mask"].tolist() == mask_of(position)  # what was given stays
            assert (seen["observation"] == planes_of(position, side)).all()
            position = position.play(action)
            assert played.position == position


def wrapped(game: str) -> Any:
    """Return the environment with the conventions of PettingZoo's own wrappers."""
    inner = wrappers.TerminateIllegalWrapper(raw_env(game), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


def outcome_of(call: Any, *arguments: Any) -> Any:
    """Return what a call returns or raises, and what is logged."""
    EnvLogger.flush()
    try:
        result = call(*arguments)
    except (AssertionError, ValueError, AttributeError, KeyError) as error:
        result = type(error).__name__, str(error)
    return result, list(EnvLogger.mqueue)


def state_of(played: Any) -> Any:
    """Return all that can be asked of an environment, as plain data."""
    names = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos")
    found = [outcome_of(getattr, played, name) for name in (*names, "num_agents")]
    for agent in ("player_0", "player_1"):
        (seen, said) = outcome_of(played.observe, agent)
        if isinstance(seen, dict):
            seen = {key: value.tolist() for key, value in seen.items()}
        found.append((seen, said))
    if isinstance(found[1][0], str):
        cumulative = dict(played.unwrapped._cumulative_rewards)
        found.append((cumulative, []))
    return found


@for_each("game", ["3x3x3", "2x3x2", "ultimate"])
def test_wrong_calls_are_answered_as_by_the_wrappers(game: str) -> None:
    EnvLogger.suppress_output()
    rng = random.Random(3)
    ours, theirs = env(game), wrapped(game)
    for call in ("step", "observe"):
        arguments = (0,) if call == "step" else ("player_0",)
        before = outcome_of(getattr(ours, call), *arguments)
        assert before == outcome_of(getattr(theirs, call), *arguments)
        assert before[0][0] == "AssertionError"
    for call in ("render", "state", "agent_iter"):
        assert outcome_of(getattr(ours, call)) == outcome_of(getattr(theirs, call))
    assert outcome_of(getattr, ours, "agents") == outcome_of(getattr, theirs, "agents")
    for _ in range(60):
        ours.reset(seed=1)
        theirs.reset(seed=1)
        for _ in range(rng.randint(1, 30)):
            assert state_of(ours) == state_of(theirs)
            size = ours.start.size
            action: Any = rng.randrange(size)
            if not ours.agents or any(ours.terminations.values()):
                action = None
            elif rng.random() < 0.8:
                action = rng.choice(ours.position.legal_moves)
            if rng.random() < 0.1:
                action = rng.choice([-1, size, None, 1.5, np.int64(size), np.array(0), "a1", 2**70])
            assert outcome_of(ours.step, action) == outcome_of(theirs.step, action)
    EnvLogger.unsuppress_output()


def test_a_loop_without_a_step_is_an_error() -> None:
    for played in (env(), wrapped("3x3x3")):
        played.reset()
        with pytest.raises(AssertionError, match="need to call step"):
            for _ in played.agent_iter():
                pass
    assert list(played.agent_iter(0)) == []


def test_an_illegal_move_costs_the_mover_and_ends_the_game() -> None:
    EnvLogger.suppress_output()
    played = env("3x3x3 b2")
    played.reset()
    played.step(4)
    assert played.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert all(played.terminations.values())
    assert played.position == start("3x3x3").play(4)
    EnvLogger.unsuppress_output()
    raw = raw_env("3x3x3 b2")
    raw.reset()
    with pytest.raises(IllegalMove, match=r"b2 \(cell 4\) is taken by X"):
        raw.step(4)


def test_environments_are_made_by_name() -> None:
    assert pettingzoo.make("aec", "noughts/MNK-v0", game="5x5x4").start.game == "5x5x4"
    assert pettingzoo.make("aec", "noughts/Ultimate-v0").start.game == "ultimate"
    junk: Any
    for junk in ("chess", "XXX/OO./...", None):
        with pytest.raises(NoughtsError):
            env(junk)
    with pytest.raises(NotationError, match="human, ansi, svg, rgb_array, not 'video'"):
        env(render_mode="video")


def test_environments_are_copied_and_pickled() -> None:
    played = env("4x4x3")
    played.reset()
    played.step(5)
    for other in (pickle.loads(pickle.dumps(played)), copy.deepcopy(played)):
        other.reset()
        assert other.start == played.start
        other.step(0)
    assert played.position == start("4x4x3").play(5)


def test_a_picture_needs_a_mode(capsys: pytest.CaptureFixture[str]) -> None:
    played = env("3x3x3")
    played.reset()
    with pytest.warns(UserWarning, match="made with a render_mode"):
        assert played.render() is None
    shown = env("3x3x3", "human")
    shown.reset()
    shown.step(4)
    assert "(X)" in capsys.readouterr().out
