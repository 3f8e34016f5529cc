"""The checker of proofs: whatever it accepts is true, and a mistake in it would be noticed."""

from __future__ import annotations

import inspect
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from noughts.errors import ProofError
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from noughts.solving import verify as checker
from noughts.solving.proof_format import Moves
from noughts.solving.verify import verify
from support.proof_checks import TRAP, TRAP_NODES, lines_of, truth_of, zone_of
from support.proof_writer import Guesser, Shape, WinGuesser, random_sides, signed, true_proof

# -- proofs with something left out or wrong ---------------------------------------------


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize("grid", ["4x4x3", "3x4x3", "2x5x2"])
def test_winning_proofs_with_something_left_out_or_wrong(grid: str, turning: bool) -> None:
    start = GridPosition.start(grid)
    truth = truth_of((start.grid.rows, start.grid.cols, start.grid.k))
    data, _, _ = true_proof(start.text, truth, turning=turning)
    assert_spoiled_proofs_fail(data, start.grid.cells, random.Random(grid))


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize("grid", ["3x3x3", "2x4x3"])
def test_drawing_proofs_with_something_left_out_or_wrong(grid: str, turning: bool) -> None:
    start = GridPosition.start(grid)
    truth = truth_of((start.grid.rows, start.grid.cols, start.grid.k))
    data, _, _ = true_proof(start.text, truth, turning=turning)
    assert_spoiled_proofs_fail(data, start.grid.cells, random.Random(grid))


def assert_spoiled_proofs_fail(data: bytes, cells: int, rng: random.Random) -> None:
    """Change one thing in a node, sign the file again, and see that many are refused.

    Not all: a change may by chance leave another proof of the same.
    """
    first, header, *nodes = lines_of(data)
    refusals = tries = 0
    for index in rng.sample(range(len(nodes)), min(100, len(nodes))):
        for spoiled in spoiled_nodes(json.loads(nodes[index]), rng, cells):
            changed = [*nodes[:index], json.dumps(spoiled), *nodes[index + 1 :]]
            tries += 1
            try:
                verify([signed([first, header, *changed])])
            except ProofError as error:
                refusals += 1
                assert error.line
    assert refusals > tries * 0.4


def spoiled_nodes(node: Any, rng: random.Random, cells: int) -> Iterator[Any]:
    """Yield a node with one thing left out or changed."""
    kind = node[0]
    if kind in ("answer", "moves"):
        for cell in node[1]:
            yield [kind, {c: n for c, n in node[1].items() if c != cell}, *node[2:]]
            yield [kind, {**node[1], cell: max(0, node[1][cell] - 1)}, *node[2:]]
    if kind == "answer":
        yield [kind, node[1], None]
    if kind in ("play", "reply", "forced"):
        yield [kind, rng.choice([c for c in range(cells) if c != node[1]]), node[2]]
        if node[2]:
            yield [kind, node[1], node[2] - 1]
            yield [kind, node[1], None]
    if kind == "double":
        yield [kind, node[1], rng.choice([c for c in range(cells) if c not in node[1:]])]
    if kind == "turned":
        others = [symmetry.name for symmetry in Symmetry if symmetry.name != node[1]]
        yield [kind, rng.choice(others), node[2]]


# -- whatever is accepted is true --------------------------------------------------------

SHAPES: list[Shape] = [
    (3, 3, 3), (3, 4, 3), (2, 5, 2), (1, 7, 3), (3, 3, 2), (1, 6, 2), (2, 4, 3), (2, 6, 3),
]  # fmt: skip


def guesses(module: Any, number: int, seed: int = 1) -> Iterator[tuple[Guesser, bool, bool]]:
    """Yield strategies tried on the checker, whether it took them, and whether we do hold."""
    rng = random.Random(seed)
    for index in range(number):
        truth = truth_of(SHAPES[index % len(SHAPES)])
        seen = random_sides(truth, rng)
        guesser = Guesser(module, truth, rng)
        yield guesser, guesser.guess(*seen) is not None, truth.holds(*seen)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_holding_strategy_is_accepted_holds(seed: int) -> None:
    counts: Counter[str] = Counter()
    for guesser, accepted, holds in guesses(checker, 600, seed):
        assert holds or not accepted
        assert guesser.broken() == []
        counts["accepted" if accepted else "hold, not accepted" if holds else "do not hold"] += 1
        for number, us, them, ours in guesser.zones:
            node = guesser.nodes[number]
            counts[f"{type(node).__name__} {'ours' if ours else 'theirs'}"] += 1
            if isinstance(node, Moves):
                counts.update(how_answered(guesser, node, us, them))
    # The test is worth something only if all this came up often.
    assert min(counts.values()) > 20, counts
    assert {
        "accepted", "do not hold", "Static ours", "Static theirs", "Reply ours", "Moves theirs",
        "Forced theirs", "Double theirs", "Turned ours", "Turned theirs",
        "listed", "outside a zone", "harmless",
    } <= set(counts)  # fmt: skip


def how_answered(guesser: Guesser, node: Any, us: int, them: int) -> Counter[str]:
    """Count how the moves at a node are answered: listed, outside a zone, or harmless."""
    free = guesser.truth.free(us, them)
    zones = [
        guesser.zones.get((reply, us, them | 1 << cell, True)) for cell, reply in node.nodes.items()
    ]
    counts = Counter(listed=len(node.nodes))
    for cell in free:
        if cell not in node.nodes:
            outside = any(zone is not None and not zone >> cell & 1 for zone in zones)
            counts["outside a zone" if outside else "harmless"] += 1
    return counts


@pytest.mark.parametrize("seed", range(2))
def test_whatever_winning_strategy_is_accepted_wins(seed: int) -> None:
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    for index in range(800):
        truth = truth_of(SHAPES[index % len(SHAPES)])
        seen = random_sides(truth, rng)
        guesser = WinGuesser(checker, truth, rng)
        accepted = guesser.guess(*seen) is not None
        assert guesser.broken() == []
        counts["accepted" if accepted else "refused"] += 1
        for number, _, plies in guesser.found:
            counts[type(guesser.proof.nodes[number]).__name__] += 1
            counts["long"] += plies > 3
    assert min(counts.values()) > 50, counts
    assert set(counts) == {"accepted", "refused", "Play", "Answer", "Turned", "long"}


# -- and the tests would notice ----------------------------------------------------------


def mutant(old: str, new: str) -> Any:
    """Return the checker with a mistake in it."""
    source = inspect.getsource(checker)
    assert source.count(old) == 1, f"found {source.count(old)} times: {old}"
    module = ModuleType("mutant")
    sys.modules["mutant"] = module  # dataclasses look their module up
    exec(compile(source.replace(old, new), "mutant", "exec"), module.__dict__)
    return module


THREAT = "        self.require_threat(node.cell, us, them)"
HOLDING_MISTAKES = {
    "moves: zone without two of each line": (
        "zone |= cells\n        return self.with_two_of_each(zone, lacking)",
        "zone |= cells\n        return zone",
    ),
    "forced: zone without two of each line": (
        "our_turn=True)\n        return self.with_two_of_each(zone, lacking)",
        "our_turn=True)\n        return zone",
    ),
    "double: zone without two of each line": (
        "return self.with_two_of_each(1 << node.cell | 1 << node.other, lacking)",
        "return 1 << node.cell | 1 << node.other",
    ),
    "one of each line": ("range(2 - (cells", "range(1 - (cells"),
    "reply: zone without its cell": ("return bit | self.zone(", "return self.zone("),
    "reply that wins: no zone": (" return bit\n", " return 0\n"),
    "forced: zone without its cell": ("zone = bit | self.zone(", "zone = self.zone("),
    "static: their bound is ours": ("self.one if our_turn else self.one // 2", "self.one"),
    "static: bound reached": ("if total >= (self", "if total > (self"),
    "static: zone without pairs": (
        "        return zone\n\n    def reply",
        "        return zone & ~sum(pairs)\n\n    def reply",
    ),
    "static: zone without lines": (
        "outside:\n            zone |= cells",
        "outside:\n            pass",
    ),
    "static: pairs are not theirs": ("cells & ~zone\n            for", "cells\n            for"),
    "static: half a pair covers": ("any(cells & pair == pair for", "any(cells & pair for"),
    "moves: harmless at the bound": ("if total + more >= self.one", "if total + more > self.one"),
    "moves: harmless before the move": ("if total + more >= self.one", "if total >= self.one"),
    "moves: harmless without a zone": (
        "zone |= cells\n        return self",
        "pass\n        return self",
    ),
    "moves: no answer needed": ("if unanswered:", "if False:"),
    "moves: zone of the last listed": ("zone |= inner\n", "zone = inner\n"),
    "moves: they complete a line": (
        "return 0\n        self.require_no_completion(lacking)",
        "return 0\n        pass",
    ),
    "forced: they complete a line": (
        f"self.require_no_completion(lacking)\n{THREAT}\n        bit",
        f"pass\n{THREAT}\n        bit",
    ),
    "double: they complete a line": (
        f"self.require_no_completion(lacking)\n{THREAT}\n        self",
        f"pass\n{THREAT}\n        self",
    ),
    "turned: zone turned on": ("self.turn(symmetry.inverse, zone)", "self.turn(symmetry, zone)"),
    "open lines only with a mark": ("if not line & us]", "if not line & us and line & them]"),
}


@pytest.mark.parametrize("name", HOLDING_MISTAKES)
def test_a_mistake_about_holding_would_be_noticed(name: str) -> None:
    for guesser, accepted, holds in guesses(mutant(*HOLDING_MISTAKES[name]), 2000):
        if (accepted and not holds) or guesser.broken():
            return
    pytest.fail("no test noticed the mistake")


def test_the_trap_would_catch_a_checker_with_smaller_zones() -> None:
    lax = mutant(*HOLDING_MISTAKES["moves: zone without two of each line"])
    assert zone_of(TRAP, Player.O, *TRAP_NODES, by=lax)


WINNING_MISTAKES = {
    "they complete a line": ("if not lacking & (lacking - 1) and lacking & free:", "if False:"),
    "only lines through one cell": ("for line in fresh:", "for line in self.through[0]:"),
    "taken cells": ("if (us | them) >> node.cell & 1:", "if us >> node.cell & 1:"),
    "default: cell not kept free": ("and (free ^ others) >> play.cell & 1", "and True"),
    "default: cell not answered": ("(free ^ others) >> play.cell", "free >> play.cell"),
    "default: no line": ("and self.wins_at(play.cell, us)", "and True"),
    "shortest": ("longest = max(longest, plies)\n        if", "longest = plies\n        if"),
    "shortest default": ("longest, plies)\n        self", "0, 1)\n        self"),
    "a full board": ("if not free:", "if False:"),
    "no answer": ("if others and node.default is None:", "if False:"),
    "no line": ("None:\n            message", "None:\n            return 1\n            message"),
    "plies": ("return 1 + self.they(", "return self.they("),
    "moves forgotten": ("others ^= 1 << cell", "others &= 1 << cell"),
    "memory mixed up": ("return self.known[key]", "return 2"),
    "lines mixed up": (
        "answer = self.completing[cell, us] =",
        "answer = self.completing[cell, us] = self.completing[cell, us ^ 4] =",
    ),
}


@pytest.mark.parametrize("name", WINNING_MISTAKES)
def test_a_mistake_about_winning_would_be_noticed(name: str) -> None:
    module = mutant(*WINNING_MISTAKES[name])
    rng = random.Random(1)
    for index in range(2000):
        truth = truth_of(SHAPES[index % len(SHAPES)])
        guesser = WinGuesser(module, truth, rng)
        guesser.guess(*random_sides(truth, rng))
        if guesser.broken():
            return
    pytest.fail("no test noticed the mistake")
