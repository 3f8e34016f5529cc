"""The games as environments of PettingZoo: ``noughts.rl.pettingzoo.env(game="5x5x4")``.

They follow the AEC interface. Games there usually have three wrappers: `TerminateIllegalWrapper`,
`AssertOutOfBoundsWrapper` and `OrderEnforcingWrapper`. Each wrapper looks up attributes in the
next one, which takes four times as long as a game's own part of a step; so `env` has their
conventions built in. `raw_env` has none of them, and raises on an illegal move.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import Any

from noughts.errors import MissingExtra

try:
    import gymnasium
    import numpy as np
    import pettingzoo
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError as error:
    raise MissingExtra("rl", "the environments of PettingZoo need pettingzoo") from error

from noughts.rl.episode import DRAWN, episode_of
from noughts.rl.rendering import RENDER_MODES, render, require_mode
from noughts.rl.shapes import Where, shape_of, start_of
from noughts.rules.parsing import AnyPosition

__all__ = ["env", "raw_env"]

AGENTS = ("player_0", "player_1")
"""X and O."""

_Observation = dict[str, Any]
_UNTIL_RESET = {"agents", "rewards", "terminations", "truncations", "infos", "agent_selection"}


def env(game: Where = "3x3x3", render_mode: str | None = None) -> Environment:
    """Return an environment of a game; it may begin with any position of it.

    An illegal action ends the game and costs the agent -1. One that is not an action at all, and
    calls before `reset`, raise an `AssertionError`.

    >>> played = env("3x3x3 b2")
    >>> played.reset()
    >>> played.agent_selection, played.observe("player_1")["action_mask"].tolist()
    ('player_1', [1, 1, 1, 1, 0, 1, 1, 1, 1])
    """
    return Environment(game, render_mode)


def raw_env(game: Where = "3x3x3", render_mode: str | None = None) -> RawEnvironment:
    """Return an environment without the conventions for wrong calls, for wrappers of your own."""
    return RawEnvironment(game, render_mode)


class RawEnvironment(pettingzoo.AECEnv, EzPickle):  # type: ignore[misc]  # it has no types
    """A game whose agents move in turn: `player_0` is X, `player_1` is O."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo has it
        "name": "noughts_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, game: Where = "3x3x3", render_mode: str | None = None) -> None:
        EzPickle.__init__(self, game, render_mode)
        super().__init__()
        self.start: AnyPosition = start_of(game)
        self.render_mode = require_mode(render_mode)
        self.possible_agents = list(AGENTS)
        shape, actions = shape_of(self.start), self.start.size
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self.state_space = spaces.Box(0, 1, shape, np.int8)
        self._actions = actions
        self._no_mask = np.zeros(actions, np.int8)
        self._episode = episode_of(self.start)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observations of an agent: the planes, and the mask of its legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the actions of an agent: one for each cell."""
        return self.action_spaces[agent]

    # -- play ----------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew; there is nothing random, and there are no options."""
        self._episode.reset()
        self.agents = list(AGENTS)
        self.rewards = {"player_0": 0.0, "player_1": 0.0}
        self._cumulative_rewards = {"player_0": 0.0, "player_1": 0.0}
        self.terminations = {"player_0": False, "player_1": False}
        self.truncations = {"player_0": False, "player_1": False}
        self.infos: dict[str, dict[str, Any]] = {"player_0": {}, "player_1": {}}
        self.agent_selection = AGENTS[self._episode.side]
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Play the action of the agent whose turn it is; None once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = index(action)
        if not 0 <= move < self._actions or not self._episode.mask[move]:
            self._episode.position.play(move)  # says why not
        self._play(move)

    def _play(self, move: int) -> None:
        """Make a legal move; there are no rewards to clear, as they come at the end."""
        episode = self._episode
        episode.play(move)
        if episode.result is not None:
            self._end(episode.result)
        self.agent_selection = AGENTS[episode.side]
        if self.render_mode == "human":
            self.render()

    def _end(self, result: int) -> None:
        if result != DRAWN:
            self.rewards[AGENTS[result]] = 1.0
            self.rewards[AGENTS[1 - result]] = -1.0
        self.terminations = dict.fromkeys(AGENTS, True)
        self._accumulate_rewards()

    @property
    def position(self) -> AnyPosition:
        """The position that the game has come to."""
        return self._episode.position

    # -- what is seen --------------------------------------------------------------------

    def observe(self, agent: str) -> _Observation:
        """Return what an agent sees, in new arrays; the mask is all 0 if it is not its turn."""
        mask = self._episode.mask if agent == self.agent_selection else self._no_mask
        seen = self._episode.seen[agent == "player_1"]
        return {"observation": seen.copy(), "action_mask": mask.copy()}

    def state(self) -> Any:
        """Return the planes as X sees them."""
        return self._episode.seen[0].copy()

    def render(self) -> Any:
        """Return the position as text, SVG or pixels; the mode `human` prints it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render needs an environment that was made with a render_mode")
            return None
        return render(self._episode.position, self.render_mode, self._episode.last)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class Environment(RawEnvironment):
    """A game with PettingZoo's conventions for illegal actions and for calls out of order."""

    def __getattr__(self, name: str) -> Any:
        """Say what is missing before `reset`; other names are not found, as usual."""
        if name in _UNTIL_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew; there is nothing random, and there are no options."""
        super().reset(seed, options)
        self._has_moved = True

    def step(self, action: Any) -> None:
        """Play the action of the agent whose turn it is; None once the game is over."""
        try:
            agent = self.agent_selection
        except AttributeError:
            EnvLogger.error_step_before_reset()
            raise
        self._has_moved = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        if self.terminations[agent] or self.truncations[agent]:
            is_fine = action is None or self.action_spaces[agent].contains(action)
            assert is_fine, "action is not in action space"
            self._was_dead_step(action)
            return
        if type(action) is int:
            move, is_fine = action, 0 <= action < self._actions
        else:
            is_fine = self.action_spaces[agent].contains(action)
            move = int(action) if is_fine else -1
        assert is_fine, "action is not in action space"
        if self._episode.mask[move]:
            self._play(move)
        else:
            self._lose(agent)

    def _lose(self, agent: str) -> None:
        """End the game by an illegal action, as `TerminateIllegalWrapper` does."""
        EnvLogger.warn_on_illegal_move()
        self.terminations = dict.fromkeys(AGENTS, True)
        self.truncations = dict.fromkeys(AGENTS, True)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self.rewards[agent] = -1.0
        self._accumulate_rewards()
        self._deads_step_first()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yield the agent whose turn it is, until the game is over."""
        if "agents" not in self.__dict__:
            EnvLogger.error_agent_iter_before_reset()
        return self._turns(max_iter)

    def _turns(self, left: int) -> Iterator[str]:
        while self.agents and left > 0:
            left -= 1
            assert self._has_moved, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_moved = False
            yield self.agent_selection

    def observe(self, agent: str) -> _Observation:
        """Return what an agent sees, in new arrays; the mask is all 0 if it is not its turn."""
        try:
            mask = self._episode.mask if agent == self.agent_selection else self._no_mask
        except AttributeError:
            EnvLogger.error_observe_before_reset()
            raise
        seen = self._episode.seen[agent == "player_1"]
        return {"observation": seen.copy(), "action_mask": mask.copy()}

    def state(self) -> Any:
        """Return the planes as X sees them."""
        if "agents" not in self.__dict__:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> Any:
        """Return the position as text, SVG or pixels; the mode `human` prints it."""
        if "agents" not in self.__dict__:
            EnvLogger.error_render_before_reset()
        return super().render()


if hasattr(pettingzoo, "register"):  # since 1.26
    for name, game in (("noughts/MNK-v0", "3x3x3"), ("noughts/Ultimate-v0", "ultimate")):
        pettingzoo.register("aec", name, entry_point=f"{__name__}:env", kwargs={"game": game})
