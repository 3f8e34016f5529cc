"""The arrays and environments of `noughts.rl` against those of others, in one run.

``make bench-peers`` installs the others into an environment of their own and runs this. All figures
are the best of several rounds in which both sides take turns; each side uses all cores if it can.
What only chooses actions is not timed, unless a line says so. With ``--out FILE`` the table is
written as Markdown, with the machine and the versions.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from noughts import judge_many
from noughts.rl import Batch, playouts
from noughts.rl.pettingzoo import env

ROUNDS = 7
Timed = Callable[[], float]
"""Does something and returns the seconds that it took."""


class Line(NamedTuple):
    """What was compared; rates are per second."""

    what: str
    peer: str
    theirs: float | None
    ours: float
    target: float | None

    @property
    def ratio(self) -> float | None:
        """How many times faster we are."""
        return self.ours / self.theirs if self.theirs else None

    def cells(self) -> list[str]:
        """Return the line as texts."""
        theirs = f"{self.peer}: {human(self.theirs)}" if self.theirs else "-"
        ratio = f"{self.ratio:.1f}x" if self.ratio else "-"
        if self.target is None:
            return [self.what, theirs, human(self.ours), ratio, "-", ""]
        target = f"{self.target:g}x" if self.ratio else human(self.target)
        reached = (self.ratio or self.ours) >= self.target
        return [self.what, theirs, human(self.ours), ratio, target, "ok" if reached else "BELOW"]


def human(rate: float) -> str:
    """Return a rate as people say it."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {letter}/s"
    return f"{rate:.3g}/s"


def best(*sides: Timed, rounds: int = ROUNDS) -> list[float]:
    """Return the best time of each side; they take turns."""
    found = [float("inf")] * len(sides)
    for round_ in range(rounds + 1):
        for index, side in enumerate(sides):
            seconds = side()
            if round_:  # the first one compiles
                found[index] = min(found[index], seconds)
    return found


# -- steps of many boards ----------------------------------------------------------------


def our_steps(count: int, steps: int, autoreset: str) -> Timed:
    """Return the timing of steps with observations and legal masks."""
    batch = Batch("3x3x3", count, autoreset=autoreset)
    seen, mask = batch.observe(), batch.legal_mask()

    def run() -> float:
        batch.reset()
        seconds = 0.0
        for step in range(steps):
            actions = batch.random_actions(step)
            begin = perf_counter()
            batch.step(actions, observation=seen, legal_mask=mask)
            seconds += perf_counter() - begin
        return seconds

    return run


def pgx_steps(count: int, steps: int, *, autoreset: bool) -> Timed:
    """Return the timing of the same steps by Pgx, compiled for all boards at once."""
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    game = pgx.make("tic_tac_toe")
    begin_all = jax.jit(jax.vmap(game.init))
    choose = jax.jit(act_randomly)
    one = auto_reset(game.step, game.init) if autoreset else game.step
    play = jax.jit(jax.vmap(one), donate_argnums=0)
    keys = jax.random.split(jax.random.PRNGKey(0), count)

    def run() -> float:
        state = jax.block_until_ready(begin_all(keys))
        seconds = 0.0
        for step in range(steps):
            actions = choose(jax.random.PRNGKey(step), state.legal_action_mask)
            actions.block_until_ready()
            begin = perf_counter()
            state = jax.block_until_ready(play(state, actions, keys))
            seconds += perf_counter() - begin
        return seconds

    return run


def our_play(count: int, steps: int) -> Timed:
    """Return the timing of whole random play: choosing, stepping, observing."""
    batch = Batch("3x3x3", count, autoreset="same_step")
    seen, mask = batch.observe(), batch.legal_mask()

    def run() -> float:
        begin = perf_counter()
        for step in range(steps):
            batch.step(batch.random_actions(step), observation=seen, legal_mask=mask)
        return perf_counter() - begin

    return run


def pgx_play(count: int, steps: int) -> Timed:
    """Return the timing of the same in one compiled loop."""
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    game = pgx.make("tic_tac_toe")
    play = jax.vmap(auto_reset(game.step, game.init))

    def turn(state: Any, key: Any) -> Any:
        first, second = jax.random.split(key)
        actions = act_randomly(first, state.legal_action_mask)
        state = play(state, actions, jax.random.split(second, count))
        return state, state.rewards.sum()

    loop = jax.jit(lambda state, keys: jax.lax.scan(turn, state, keys))
    keys = jax.random.split(jax.random.PRNGKey(1), steps)
    state = jax.vmap(game.init)(jax.random.split(jax.random.PRNGKey(0), count))

    def run() -> float:
        begin = perf_counter()
        jax.block_until_ready(loop(state, keys))
        return perf_counter() - begin

    return run


def step_lines() -> list[Line]:
    """Compare steps with Pgx."""
    lines = []
    for count in (4096, 65_536):
        wanted = 3.0 if count == 65_536 else None
        what = f"3x3x3, {count:,} boards: step, observation, mask"
        for name, ours, theirs, steps in (
            ("", our_steps(count, 9, "disabled"), pgx_steps(count, 9, autoreset=False), 9),
            (
                ", autoreset",
                our_steps(count, 40, "same_step"),
                pgx_steps(count, 40, autoreset=True),
                40,
            ),
        ):
            fast, slow = best(ours, theirs)
            lines.append(
                Line(what + name, "Pgx", count * steps / slow, count * steps / fast, wanted)
            )
        fast, slow = best(our_play(count, 40), pgx_play(count, 40))
        what = f"3x3x3, {count:,} boards: the same, and choosing at random"
        lines.append(Line(what, "Pgx", count * 40 / slow, count * 40 / fast, None))
    return lines + [
        Line(f"{game}, 65,536 boards", "", None, steps_per_second(game), None)
        for game in ("4x4x3", "7x7x5", "ultimate")
    ]


def steps_per_second(game: str) -> float:
    """Return the rate of steps with observations and masks, where no peer has the game."""
    count, steps = 65_536, 40
    batch = Batch(game, count, autoreset="same_step")
    seen, mask = batch.observe(), batch.legal_mask()

    def run() -> float:
        batch.reset()
        seconds = 0.0
        for step in range(steps):
            actions = batch.random_actions(step)
            begin = perf_counter()
            batch.step(actions, observation=seen, legal_mask=mask)
            seconds += perf_counter() - begin
        return seconds

    return count * steps / best(run, rounds=3)[0]


# -- playouts ----------------------------------------------------------------------------


def our_playouts(game: str, games: int) -> Timed:
    """Return the timing of playouts."""

    def run() -> float:
        begin = perf_counter()
        playouts(game, games, seed=1)
        return perf_counter() - begin

    return run


def python_playouts(game: Any, games: int) -> Timed:
    """Return the timing of OpenSpiel's games, played by a loop in Python."""

    def run() -> float:
        rng = random.Random(1)
        begin = perf_counter()
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        return perf_counter() - begin

    return run


def bot_playouts(game: Any, games: int) -> Timed:
    """Return the timing of OpenSpiel's games between its random bots: a loop in C++."""
    import pyspiel

    def run() -> float:
        bots = [pyspiel.make_uniform_random_bot(player, 1) for player in (0, 1)]
        begin = perf_counter()
        for seed in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return perf_counter() - begin

    return run


def playout_lines() -> list[Line]:
    """Compare playouts with OpenSpiel's."""
    import pyspiel

    lines = []
    for game, name, ours, theirs, target in (
        ("3x3x3", "tic_tac_toe", 1_000_000, 3000, 20.0),
        ("15x15x5", "mnk(m=15,n=15,k=5)", 100_000, 20, 20.0),
        ("ultimate", "ultimate_tic_tac_toe", 100_000, 500, None),
    ):
        spiel = pyspiel.load_game(name)
        times = best(
            our_playouts(game, ours),
            python_playouts(spiel, theirs),
            bot_playouts(spiel, theirs),
            rounds=3,
        )
        fast = ours / times[0]
        for how, slow in (("loop in Python", times[1]), ("its bots", times[2])):
            what = f"{game}: playouts, against {how}"
            lines.append(Line(what, "OpenSpiel", theirs / slow, fast, target))
    return lines


# -- one game ----------------------------------------------------------------------------


def agent_steps(game: Any, steps: int) -> Timed:
    """Return the timing of an environment of PettingZoo, with the first legal action each time."""

    def run() -> float:
        done = 0
        begin = perf_counter()
        while done < steps:
            game.reset()
            for _ in game.agent_iter():
                seen, _, terminated, truncated, _ = game.last()
                over = terminated or truncated
                game.step(None if over else int(seen["action_mask"].argmax()))
                done += 1
        return (perf_counter() - begin) * steps / done

    return run


def environment_lines() -> list[Line]:
    """Compare with PettingZoo's own game."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    from pettingzoo.classic import tictactoe_v3

    steps = 5000
    fast, slow = best(agent_steps(env("3x3x3"), steps), agent_steps(tictactoe_v3.env(), steps))
    what = "3x3x3: last() and step() through env()"
    return [Line(what, "PettingZoo", steps / slow, steps / fast, 5.0)]


# -- verdicts ----------------------------------------------------------------------------


def verdict_lines() -> list[Line]:
    """Measure verdicts on many boards; there is no peer."""
    codes = np.arange(3**9)
    every = np.stack([codes // 3**cell % 3 for cell in range(9)], axis=1)
    boards = np.tile(every.astype(np.int8), (100, 1)).reshape(-1, 3, 3)

    def run() -> float:
        begin = perf_counter()
        judge_many(boards)
        return perf_counter() - begin

    rate = len(boards) / best(run)[0]
    return [Line("3x3x3: judge_many, all boards", "", None, rate, 20e6)]


# -- the table ---------------------------------------------------------------------------

HEAD = ["what", "theirs", "noughts", "ratio", "target"]
WIDTHS = (62, 24, 10, 8, 8, 5)
TITLE = """# noughts.rl and others

Written by `make bench-peers`: one run, the best of several rounds in turns."""


def about() -> list[str]:
    """Return the machine and the versions."""
    names = ("pgx", "jax", "open_spiel", "pettingzoo", "gymnasium", "numba", "numpy")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return [
        f"{processor()}, {os.cpu_count()} cores, load {load:.1f} at the start",
        f"{platform.system()}, Python {platform.python_version()}, {versions}",
    ]


def processor() -> str:
    """Return the name of the processor."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.machine()


def page(described: list[str], lines: list[Line]) -> str:
    """Return the table as a document."""
    table = [
        HEAD,
        ["---"] + ["--:"] * (len(HEAD) - 1),
        *(line.cells()[: len(HEAD)] for line in lines),
    ]
    rows = ["| " + " | ".join(cells) + " |" for cells in table]
    return "\n".join([TITLE, "", *(f"- {each}" for each in described), "", *rows, ""])


def main() -> None:
    """Run all of them."""
    parser = argparse.ArgumentParser(description="Compare noughts.rl with others.")
    parser.add_argument("--out", type=Path, help="write the table as Markdown")
    out = parser.parse_args().out
    described = about()
    print(*described, sep="\n")
    show([*HEAD, ""])
    lines = []
    for measure in (step_lines, playout_lines, environment_lines, verdict_lines):
        for line in measure():
            lines.append(line)
            show(line.cells())
    if out is not None:
        out.write_text(page(described, lines), encoding="utf-8")


def show(cells: list[str]) -> None:
    """Print a line of the table."""
    print("  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip())


if __name__ == "__main__":
    main()
