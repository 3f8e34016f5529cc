"""The games as environments of Gymnasium: an agent against an opponent, one game or many.

Importing `noughts.rl` registers ``noughts/MNK-v0`` and ``noughts/Ultimate-v0``::

    gymnasium.make("noughts.rl:noughts/MNK-v0", game="4x4x3", opponent="perfect")
    gymnasium.make_vec("noughts.rl:noughts/Ultimate-v0", num_envs=1024)
"""

from __future__ import annotations

from typing import Any

from noughts.errors import IllegalMove, MissingExtra, NotationError, SizeError, brief

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise MissingExtra("rl", "the environments of Gymnasium need gymnasium") from error

from numpy.typing import NDArray

from noughts.rl.batch import Batch
from noughts.rl.codes import Autoreset
from noughts.rl.episode import DRAWN, episode_of
from noughts.rl.opponents import Policy, opponent_of
from noughts.rl.rendering import RENDER_MODES, render, require_mode
from noughts.rl.shapes import Where, shape_of, start_of
from noughts.rules.parsing import AnyPosition

__all__ = ["GameEnv", "GameVectorEnv"]

_SIDES = {"X": 0, "O": 1, "random": 2}


class GameEnv(gymnasium.Env[NDArray[np.int8], np.int64]):
    """A game against an opponent.

    An observation has the planes of `Batch.observe`, as the agent sees them; an action is the
    number of a move. The legal ones are in ``info["action_mask"]`` and `action_masks`. The reward
    comes with the end: 1 for a win, -1 for a loss, 0 for a draw. An illegal action loses.

    `opponent` is ``random``, a level of `noughts.players` like ``perfect``, or a policy that takes
    a `Batch`. `side` is the agent's: ``X``, ``O`` or ``random``, which is another one each game.

    >>> env = GameEnv("3x3x3", opponent="perfect", side="O")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, int(info["action_mask"].sum())
    ((3, 3, 3), 8)
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Where = "3x3x3",
        *,
        opponent: str | Policy = "random",
        side: str = "X",
        seconds: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        start = start_of(game)
        self.render_mode = require_mode(render_mode)
        self.observation_space = spaces.Box(0, 1, shape_of(start), np.int8)
        self.action_space = spaces.Discrete(start.size)
        self._opponent = opponent_of(opponent, start, seconds)
        self._wanted = _side_named(side)
        self._episode = episode_of(start)
        self._agent: int | None = None  # the side of the agent, None before the first game
        self._is_over = True

    @property
    def position(self) -> AnyPosition:
        """The position that the game has come to."""
        return self._episode.position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin a game; if the opponent moves first, it has."""
        super().reset(seed=seed)
        self._episode.reset()
        wanted = self._wanted
        self._agent = int(self.np_random.integers(2)) if wanted == 2 else wanted
        self._is_over = False
        if self._episode.side != self._agent:
            self._reply()
        if self.render_mode == "human":
            self.render()
        return self._seen(), self._info(False)

    def step(self, action: Any) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Make the agent's move, and the opponent's answer."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the game is over, or has not begun: call reset()")
        if not self.action_space.contains(action):
            raise SizeError(
                f"an action is a whole number from 0 to {self._episode.start.size - 1}, "
                f"not {brief(action)}"
            )
        episode, move = self._episode, int(action)
        is_illegal = not episode.mask[move]
        if is_illegal:
            episode.stop()
        else:
            episode.play(move)
            if episode.result is None:
                self._reply()
        self._is_over = is_illegal or episode.result is not None
        if self.render_mode == "human":
            self.render()
        return self._seen(), self._reward(is_illegal), self._is_over, False, self._info(is_illegal)

    def _reply(self) -> None:
        move = self._opponent.move(self._episode.position, self.np_random)
        if not self._episode.mask[move]:
            raise IllegalMove(f"the opponent plays {move} in {self._episode.position.text}")
        self._episode.play(move)

    def _reward(self, is_illegal: bool) -> float:
        result = self._episode.result
        if is_illegal:
            return -1.0
        return 0.0 if result in (None, DRAWN) else 1.0 if result == self._agent else -1.0

    def _seen(self) -> NDArray[np.int8]:
        return self._episode.seen[self._agent or 0].copy()

    def _info(self, is_illegal: bool) -> dict[str, Any]:
        return {"action_mask": self._episode.mask.copy(), "illegal": is_illegal}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, as MaskablePPO of sb3-contrib asks for them."""
        return self._episode.mask.astype(np.bool_)

    def render(self) -> Any:
        """Return the position as text, SVG or pixels; the mode `human` prints it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render needs an environment that was made with a render_mode")
            return None
        return render(self._episode.position, self.render_mode, self._episode.last)


class GameVectorEnv(VectorEnv[NDArray[np.int8], NDArray[Any], NDArray[Any]]):
    """Many games against an opponent, on a `Batch`.

    The arguments are those of `GameEnv`, and `autoreset_mode`: with ``NEXT_STEP`` a finished game
    begins anew with the next step, with ``SAME_STEP`` at once, and its last observation is in
    ``infos["final_obs"]``; with ``DISABLED`` it stays until it is chosen by
    ``reset(options={"reset_mask": ...})``, and a step does not change it. `threads` is how many
    work on the boards, by default all cores.

    >>> envs = GameVectorEnv(1000, game="4x4x3")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(np.zeros(1000, int))
    >>> observations.shape, infos["action_mask"].shape
    ((1000, 4, 4, 3), (1000, 16))
    """

    def __init__(
        self,
        num_envs: int = 1,
        game: Where = "3x3x3",
        *,
        opponent: str | Policy = "random",
        side: str = "X",
        seconds: float = 1.0,
        autoreset_mode: AutoresetMode | Autoreset | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        threads: int | None = None,
    ) -> None:
        start = start_of(game)
        self._mode = Autoreset.named(autoreset_mode)
        self.render_mode = require_mode(render_mode)
        self.metadata = {**GameEnv.metadata, "autoreset_mode": AutoresetMode[self._mode.name]}
        self._batch = Batch(start, num_envs, illegal_loses=True, threads=threads)
        self.num_envs = len(self._batch)
        self.single_observation_space = spaces.Box(0, 1, shape_of(start), np.int8)
        self.single_action_space = spaces.Discrete(start.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._opponent = opponent_of(opponent, start, seconds)
        self._wanted = _side_named(side)
        self._agents = np.zeros(self.num_envs, np.int8)  # the side of each agent
        self._has_begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin every game, or those that ``options["reset_mask"]`` chooses."""
        super().reset(seed=seed)
        chosen = self._chosen((options or {}).get("reset_mask"))
        self._begin(chosen)
        self._has_begun = True
        return self._seen(), self._infos(np.zeros(self.num_envs, np.bool_))

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.int8], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make each agent's move, and the opponent's answer."""
        if not self._has_begun:
            raise gymnasium.error.ResetNeeded("no game has begun: call reset()")
        batch = self._batch
        ended_before = batch.terminated.copy()
        batch.step(actions)
        rewards, illegal = self._rewards(), batch.illegal.copy()
        batch.step(self._opponent.actions(batch, self.np_random))
        if batch.illegal.any():
            board = int(np.flatnonzero(batch.illegal)[0])
            raise IllegalMove(f"the opponent makes an illegal move in {batch[board].text}")
        rewards += self._rewards()
        terminated = batch.terminated.copy()
        infos: dict[str, Any] = {}
        if self._mode is Autoreset.NEXT_STEP:
            self._begin(np.flatnonzero(ended_before))
            terminated &= ~ended_before
        elif self._mode is Autoreset.SAME_STEP:
            infos = self._final(terminated, illegal)
            self._begin(np.flatnonzero(terminated))
            illegal = np.zeros_like(illegal)  # in the games that have begun
        infos.update(self._infos(illegal))
        return self._seen(), rewards, terminated, np.zeros_like(terminated), infos

    def _begin(self, boards: NDArray[np.int64]) -> None:
        """Begin games anew; where the opponent moves first, it has."""
        if not boards.size:
            return
        batch = self._batch
        batch.reset(boards)
        if self._wanted == 2:
            self._agents[boards] = self.np_random.integers(2, size=len(boards))
        else:
            self._agents[boards] = self._wanted
        waiting = boards[self._agents[boards] != batch.turns[boards]]
        if waiting.size:
            some = batch[waiting]
            some.step(self._opponent.actions(some, self.np_random))
            batch[waiting] = some

    def _chosen(self, mask: Any) -> NDArray[np.int64]:
        if mask is None:
            return np.arange(self.num_envs)
        is_mask = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
        if not is_mask or mask.shape != (self.num_envs,):
            raise SizeError(f"reset_mask is an array of {self.num_envs} bools, not {brief(mask)}")
        return np.flatnonzero(mask)

    def _rewards(self) -> NDArray[np.float64]:
        """Return what the agents got by the last step of the batch."""
        rows = np.arange(self.num_envs)
        return self._batch.rewards[rows, self._agents].astype(np.float64)

    def _seen(self) -> NDArray[np.int8]:
        return self._batch.observe(side=self._agents)

    def _infos(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.action_masks().view(np.int8),
            "_action_mask": everywhere,
            "illegal": illegal,
            "_illegal": everywhere.copy(),
        }

    def _final(self, ended: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the last observations and infos of games that have ended."""
        boards = np.flatnonzero(ended)
        if not boards.size:
            return {}
        seen = np.full(self.num_envs, None, object)
        last = self._batch[boards].observe(side=self._agents[boards])
        for board, each in zip(boards, last, strict=True):
            seen[board] = each
        masks = np.zeros((self.num_envs, self._batch.actions), np.int8)  # nothing is legal there
        info = {"action_mask": masks, "illegal": illegal}
        info |= {f"_{name}": ended.copy() for name in tuple(info)}
        return {
            "final_obs": seen,
            "_final_obs": ended.copy(),
            "final_info": info,
            "_final_info": ended.copy(),
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal in each game."""
        return self._batch.legal_mask()

    def render(self) -> tuple[Any, ...] | None:
        """Return each position as text, SVG or pixels; the mode `human` prints them."""
        mode = self.render_mode
        if mode is None:
            gymnasium.logger.warn("render needs environments that were made with a render_mode")
            return None
        return tuple(render(position, mode, None) for position in self._batch)


def _side_named(side: object) -> int:
    if not isinstance(side, str) or side not in _SIDES:
        raise NotationError(f"the agent's side is X, O or random, not {brief(side)}")
    return _SIDES[side]
