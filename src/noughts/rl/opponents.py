"""Who plays against an agent: random moves, a level of `noughts.players`, or a policy."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noughts.errors import IllegalMove, NotationError, SizeError, brief
from noughts.limits import Limits
from noughts.players import choose_move, level_named, levels_of
from noughts.rl.batch import Batch
from noughts.rules.parsing import AnyPosition
from noughts.rules.position import GridPosition
from noughts.solving.ranking import MAX_CELLS

__all__ = ["Opponent", "Policy", "opponent_of", "sampled"]

Policy: TypeAlias = Callable[[Batch], NDArray[Any]]
"""Returns an action for each board of a batch, or a row of probabilities for each."""


class Opponent(Protocol):
    """Chooses moves; all randomness comes from the generator that it is given."""

    def move(self, position: AnyPosition, rng: np.random.Generator) -> int:
        """Return a move in one position."""

    def actions(self, batch: Batch, rng: np.random.Generator) -> NDArray[Any]:
        """Return an action for each board; those of finished games do not matter."""


def opponent_of(
    opponent: str | Policy, start: AnyPosition, seconds: float = 1.0
) -> RandomOpponent | LevelOpponent | PolicyOpponent:
    """Return the opponent that a name or a policy stands for.

    The names are ``random`` and the levels of the game. On grids of up to 16 cells ``perfect``
    looks its moves up in the exact values of all positions. Levels that search take up to
    `seconds` for a move.
    """
    if callable(opponent):
        return PolicyOpponent(opponent)
    if opponent == "random":
        return RandomOpponent()
    try:
        level = level_named(start, opponent).name
    except NotationError:
        names = ", ".join(["random", *levels_of(start)])
        raise NotationError(
            f"an opponent at {start.game} is {names}, or a policy, not {brief(opponent)}"
        ) from None
    if level == "perfect" and isinstance(start, GridPosition) and start.size <= MAX_CELLS:
        from noughts.rl.exact import truth_of

        return PolicyOpponent(truth_of(start.grid).play)
    return LevelOpponent(level, Limits(seconds=seconds))


class RandomOpponent:
    """Plays any legal move."""

    def move(self, position: AnyPosition, rng: np.random.Generator) -> int:
        """Return a move in one position."""
        moves = position.legal_moves
        return moves[int(rng.integers(len(moves)))]

    def actions(self, batch: Batch, rng: np.random.Generator) -> NDArray[Any]:
        """Return an action for each board."""
        return batch.random_actions(int(rng.integers(1 << 63)))


class LevelOpponent:
    """Plays as a level that people play against, one position after the other."""

    def __init__(self, level: str, limits: Limits) -> None:
        self._level, self._limits = level, limits

    def move(self, position: AnyPosition, rng: np.random.Generator) -> int:
        """Return a move in one position."""
        words = Random(int(rng.integers(1 << 63)))
        return choose_move(position, self._level, self._limits, words).move

    def actions(self, batch: Batch, rng: np.random.Generator) -> NDArray[Any]:
        """Return an action for each board."""
        actions = np.full(len(batch), -1)
        for board in np.flatnonzero(~batch.terminated):
            actions[board] = self.move(batch[int(board)], rng)
        return actions


class PolicyOpponent:
    """Plays as a policy says, which may be the agent itself."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def move(self, position: AnyPosition, rng: np.random.Generator) -> int:
        """Return a move in one position."""
        return int(self.actions(Batch.of([position]), rng)[0])

    def actions(self, batch: Batch, rng: np.random.Generator) -> NDArray[Any]:
        """Return an action for each board."""
        actions = np.full(len(batch), -1)
        goes_on = np.flatnonzero(~batch.terminated)
        if goes_on.size:
            actions[goes_on] = sampled(chances_of(self._policy, batch[goes_on]), rng)
        return actions


def sampled(chances: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return an action for each row of probabilities."""
    # The largest of noise plus logarithm is distributed as the probabilities say (Gumbel).
    with np.errstate(divide="ignore"):
        scores = np.log(chances) + rng.gumbel(size=chances.shape)
    chosen: NDArray[np.int64] = scores.argmax(axis=1)
    return chosen


def chances_of(policy: Policy, batch: Batch) -> NDArray[np.float64]:
    """Ask a policy about unfinished games; return how likely each action is on each board."""
    answer = np.asarray(policy(batch))
    size, mask = (len(batch), batch.actions), batch.legal_mask()
    if answer.shape == size[:1] and answer.dtype.kind in "iu":
        is_action = (answer >= 0) & (answer < batch.actions)
        chances = np.zeros(size)
        chances[np.flatnonzero(is_action), answer[is_action]] = 1.0
        is_fine = (chances * mask).sum(axis=1) == 1
    elif answer.shape == size and answer.dtype.kind == "f":
        chances = answer.astype(np.float64)
        is_fine = (chances >= 0).all(axis=1) & (np.abs(chances.sum(axis=1) - 1) < 1e-3)
        is_fine &= (chances * ~mask).sum(axis=1) < 1e-6
        chances *= mask
    else:
        raise SizeError(
            f"a policy returns actions of shape {size[:1]} or probabilities of shape {size}, "
            f"not {answer.dtype} of shape {answer.shape}"
        )
    if not is_fine.all():
        board = int(np.flatnonzero(~is_fine)[0])
        raise IllegalMove(
            f"in {batch[board].text} the policy plays {brief(answer[board].tolist())}; "
            "it needs a legal action, or probabilities of legal actions with the sum 1"
        )
    chances /= chances.sum(axis=1, keepdims=True)
    return chances
