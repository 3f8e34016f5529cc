"""Train the network on positions from `selfplay.py`.

    python scripts/network/train.py WEIGHTS.npz GAMES.npz ... [--epochs 20]

Needs jax and optax: ``pip install --group train``. Every position is learnt in a random one of
its eight symmetric forms. The target is a mixture of the result of the game and what the
search thought. One position in twenty is held back, to see how well the network does on what it
has not seen.
"""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from typing import Any

import numpy as np

from noughts.engine.ultimate.network import (
    ENCODED,
    FEATURES,
    TERNARY,
    WIDTH,
    Weights,
    board_features,
    board_rows,
)
from noughts.rules.symmetry import Symmetry

# Not declared as dependencies, and so without types: their arrays are Any here.
jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")
optax: Any = import_module("optax")

Array = Any  # of numpy or of jax

BATCH = 2048
HELD_BACK = 20


def read(path: str) -> tuple[Array, Array, Array, Array]:
    """Return the rows of the nine boards as the mover sees them, the forced board and targets."""
    kept = np.load(path)
    states = kept["states"].astype(np.int64)
    o_moves = states[:, 22:23] == 1
    x, o = states[:, :9], states[:, 9:18]
    mine, theirs = np.where(o_moves, o, x), np.where(o_moves, x, o)
    rows = board_rows()[TERNARY[mine] + 2 * TERNARY[theirs]].astype(np.int64)
    bits = 1 << np.arange(9)
    x_boards, o_boards = states[:, 18:19] & bits > 0, states[:, 19:20] & bits > 0
    closed = states[:, 20:21] & bits > 0
    last = len(board_features())
    rows[closed] = last - 1
    rows[np.where(o_moves, o_boards, x_boards)] = last - 3
    rows[np.where(o_moves, x_boards, o_boards)] = last - 2
    return rows, states[:, 21], kept["scores"], kept["results"]


def symmetric_rows() -> tuple[Array, Array]:
    """Return for each symmetry where a board goes, and which row a row becomes."""
    images = np.array([s.permutation(3, 3) for s in Symmetry])
    rows = board_rows()
    states = {}
    for m in range(512):
        for t in range(512):
            if not m & t:
                states[int(TERNARY[m] + 2 * TERNARY[t])] = (m, t)
    becomes = np.tile(np.arange(len(board_features())), (len(images), 1))
    for i, image in enumerate(images):
        moved = np.array([sum(1 << image[c] for c in range(9) if m >> c & 1) for m in range(512)])
        for number, (m, t) in states.items():
            if rows[number] or number == 0:
                becomes[i, rows[number]] = rows[TERNARY[moved[m]] + 2 * TERNARY[moved[t]]]
    return images, becomes


def logits(weights: Weights, features: Array, rows: Array, forced: Array) -> Array:
    """Return the network's outputs, by the same sums as the compiled one."""
    encoded = jax.nn.relu(features @ weights.encoder)[rows]
    here = jax.nn.one_hot(forced, 9)[:, :, None]
    both = jnp.concatenate([encoded, encoded * here], axis=2)
    matrices = jnp.concatenate([weights.boards, weights.forced], axis=1)
    total = jnp.einsum("bpe,pew->bw", both, matrices) + weights.free[0]
    total += (forced == 9)[:, None] * weights.free[1]
    return jax.nn.relu(total) @ weights.output[:-1] + weights.output[-1]


def main() -> None:
    """Do what the command line asks for."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--result-share", type=float, default=0.25)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", help="weights to begin with")
    arguments = parser.parse_args()
    parts = [read(path) for path in arguments.games]
    rows, forced, scores, results = (np.concatenate(column) for column in zip(*parts, strict=True))
    targets = arguments.result_share * results + (1 - arguments.result_share) * scores
    rng = np.random.default_rng(arguments.seed)
    features = jnp.asarray(board_features())
    images, becomes = symmetric_rows()

    def part(shape: tuple[int, ...], fan_in: int) -> Array:
        return jnp.asarray(rng.normal(0, (2 / fan_in) ** 0.5, shape), jnp.float32)

    weights = Weights(
        part((FEATURES + 1, ENCODED), 12),
        part((9, ENCODED, WIDTH), 9 * ENCODED),
        part((9, ENCODED, WIDTH), ENCODED),
        jnp.zeros((2, WIDTH)),
        part((WIDTH + 1,), WIDTH),
    )
    if arguments.begin:
        kept = np.load(arguments.begin)
        weights = Weights(*(jnp.asarray(kept[n], jnp.float32) for n in Weights._fields))
    order = rng.permutation(len(rows))
    held, learnt = order[::HELD_BACK], np.delete(order, np.s_[::HELD_BACK])
    steps = arguments.epochs * (len(learnt) // BATCH)
    optimiser = optax.adamw(
        optax.cosine_onecycle_schedule(steps, arguments.rate), weight_decay=1e-5
    )

    def loss(weights: Weights, rows: Array, forced: Array, target: Array) -> Array:
        outputs = logits(weights, features, rows, forced)
        return optax.sigmoid_binary_cross_entropy(outputs, target).mean()

    def step(
        weights: Weights, state: Any, rows: Array, forced: Array, target: Array
    ) -> tuple[Weights, Any, Array]:
        value, gradient = jax.value_and_grad(loss)(weights, rows, forced, target)
        updates, state = optimiser.update(gradient, state, weights)
        return optax.apply_updates(weights, updates), state, value

    compiled_step = jax.jit(step)
    state = optimiser.init(weights)
    begin = time.perf_counter()
    print(f"{len(learnt)} positions to learn, {len(held)} held back, {steps} steps", flush=True)
    for epoch in range(arguments.epochs):
        shuffled = rng.permutation(learnt)
        losses = []
        for i in range(0, len(shuffled) - BATCH + 1, BATCH):
            chosen = shuffled[i : i + BATCH]
            which = rng.integers(len(images), size=BATCH)
            turned = np.empty((BATCH, 9), np.int32)
            np.put_along_axis(turned, images[which], becomes[which[:, None], rows[chosen]], axis=1)
            aim = np.where(forced[chosen] == 9, 9, images[which, np.minimum(forced[chosen], 8)])
            weights, state, value = compiled_step(weights, state, turned, aim, targets[chosen])
            losses.append(float(value))
        outputs = np.concatenate(
            [
                np.asarray(logits(weights, features, rows[c], forced[c]))
                for c in np.array_split(held, max(1, len(held) // 4096))
            ]
        )
        chances = 1 / (1 + np.exp(-outputs))
        error = np.mean((chances - targets[held]) ** 2) ** 0.5
        spread = np.std(targets[held])
        print(
            f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, held back: error {error:.4f} "
            f"(without a network {spread:.4f}), {time.perf_counter() - begin:.0f} s",
            flush=True,
        )
        found: Any = {
            name: np.asarray(part, np.float16) for name, part in weights._asdict().items()
        }
        np.savez_compressed(arguments.out, **found)


if __name__ == "__main__":
    main()
