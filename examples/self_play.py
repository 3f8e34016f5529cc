"""Learn a small grid by playing against oneself, and measure that against the exact truth.

A network in numpy estimates what each action is worth (Q-learning). A thousand games are played
side by side; in each the side to move takes the action that seems best, or any other. What an
action is worth is the reward if the game ends, or else the opposite of what the other side can get
next. Now and then `rl.evaluate` asks the network for its move in every position that a game can
reach. It takes half a minute of one core::

    python examples/self_play.py 3x3x3
    python examples/self_play.py 4x4x3
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np

from noughts import rl

Array = np.ndarray[Any, np.dtype[np.float32]]

EXPLORATION = 0.6
"""How often an action is random: with 0.3 the games are too much alike to learn all positions."""


class Network:
    """Two hidden layers; one output for each action, from -1 (a loss) to 1 (a win)."""

    def __init__(self, inputs: int, hidden: int, outputs: int, rng: np.random.Generator) -> None:
        sizes = [inputs, hidden, hidden, outputs]
        self.weights: list[Array] = []
        for before, after in pairwise(sizes):
            scale = np.sqrt(2 / before)
            self.weights.append(rng.normal(0, scale, (before, after)).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.weights[-2] *= 0.1
        self._means = [np.zeros_like(each) for each in self.weights]
        self._squares = [np.zeros_like(each) for each in self.weights]
        self._updates = 0

    def layers(self, seen: Array) -> list[Array]:
        """Return the input, the hidden layers and the output."""
        layers = [seen]
        for i in range(0, len(self.weights), 2):
            values = layers[-1] @ self.weights[i] + self.weights[i + 1]
            last = i + 2 == len(self.weights)
            layers.append(np.tanh(values) if last else np.maximum(values, 0))
        return layers

    def values(self, seen: Array) -> Array:
        """Return what each action is worth."""
        return self.layers(seen)[-1]

    def learn(self, seen: Array, actions: Any, targets: Array, rate: float) -> None:
        """Move the values of the actions towards their targets, by one step of Adam."""
        layers = self.layers(seen)
        rows = np.arange(len(seen))
        slope = np.zeros_like(layers[-1])
        chosen = layers[-1][rows, actions]
        slope[rows, actions] = (chosen - targets) * (1 - chosen**2) / len(seen)
        slopes: list[Array] = []
        for i in range(len(self.weights) - 2, -1, -2):
            before = layers[i // 2]
            slopes = [before.T @ slope, slope.sum(axis=0), *slopes]
            slope = (slope @ self.weights[i].T) * (before > 0)
        self._updates += 1
        fading = np.sqrt(1 - 0.999**self._updates) / (1 - 0.9**self._updates)
        for weight, mean, square, each in zip(
            self.weights, self._means, self._squares, slopes, strict=True
        ):
            mean += 0.1 * (each - mean)
            square += 0.001 * (each * each - square)
            weight -= rate * fading * mean / (np.sqrt(square) + 1e-8)


def marks(observation: Any) -> Array:
    """Return what the network sees: the own marks and those of the other side."""
    flat: Array = observation[..., :2].reshape(len(observation), -1).astype(np.float32)
    return flat


def policy_of(network: Network) -> rl.Policy:
    """Return the policy that takes the action that seems best."""

    def policy(batch: rl.Batch) -> Any:
        values = network.values(marks(batch.observe()))
        return np.where(batch.legal_mask(), values, -np.inf).argmax(axis=1)

    return policy


def train(
    game: str, steps: int, *, boards: int = 1024, hidden: int = 128, seed: int = 1, every: int = 0
) -> Network:
    """Play and learn; say what the policy is worth every so many steps, and at the end."""
    rng = np.random.default_rng(seed)
    batch = rl.Batch(game, boards, autoreset="same_step")
    network = Network(2 * batch.actions, hidden, batch.actions, rng)
    slow = Network(2 * batch.actions, hidden, batch.actions, rng)  # values what comes next
    seen, mask = batch.observe(), batch.legal_mask()
    begin = perf_counter()
    for step in range(steps):
        if step % 50 == 0:
            slow.weights = [each.copy() for each in network.weights]
        if every and step % every == 0:
            report(network, game, step, perf_counter() - begin)
        now = marks(seen)
        actions = np.where(mask, network.values(now), -np.inf).argmax(axis=1)
        explores = rng.random(boards) < EXPLORATION
        actions[explores] = batch.random_actions(step)[explores]
        movers = batch.turns
        batch.step(actions, observation=seen, legal_mask=mask)
        rewards = batch.rewards[np.arange(boards), movers]
        after = np.where(mask, slow.values(marks(seen)), -np.inf).max(axis=1)
        targets = np.where(batch.terminated, rewards, -after)
        network.learn(now, actions, targets, rate=1e-3 * (1 - step / steps))
    report(network, game, steps, perf_counter() - begin)
    return network


def report(network: Network, game: str, step: int, seconds: float) -> None:
    """Print what a policy is worth."""
    found = rl.evaluate(policy_of(network), game)
    print(f"{seconds:5.0f} s  step {step:>5}  {found}")


def main() -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description="Learn a small grid by self-play.")
    parser.add_argument("game", nargs="?", default="3x3x3")
    parser.add_argument("--steps", type=int, default=5000)
    options = parser.parse_args()
    train(options.game, options.steps, every=max(1, options.steps // 3))


if __name__ == "__main__":
    main()
