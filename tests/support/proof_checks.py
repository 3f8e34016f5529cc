"""What tests of the checker of proofs share: its refusals and zones, and proofs to ask it about.

What writes proofs for it is in `proofs`.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from noughts.errors import ProofError
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.solving import verify as checker
from noughts.solving.proof_format import NodeReader
from noughts.solving.verify import verify
from support.proof_writer import Shape, Truth, sides, signed

__all__ = [
    "LOST",
    "LOST_NODES",
    "TRAP",
    "TRAP_NODES",
    "lines_of",
    "lost_proof",
    "refused",
    "truth_of",
    "zone_of",
]

# X threatens b1 (cell 1) and c2 (cell 5); O can block one.
LOST = "3x3x3:X.X/.O./O.X"
LOST_NODES = [["play", 5, None], ["play", 1, None], ["answer", {"1": 0}, 1]]

# O is lost here, as brute force finds. But consider O's strategy: b3, which threatens
# c2. If X plays d2, O answers b1 and threatens both c1 and b2. This needs only b1, c1 and
# b2, so every other move of X might be answered alike, also the block at c2. But then X has
# c2 and c3, and instead of blocking completes c1-c2-c3. The zone must therefore have two
# cells of every line that X could complete instead of blocking.
#
#     . . . O        0 1 2 3
#     . . . .        4 5 6 7
#     . . X X        8 9 10 11
TRAP = "3x4x3:...O/..../..XX"
TRAP_NODES = [
    ["reply", 2, None],
    ["reply", 5, None],
    ["moves", {"5": 0, "2": 1}],
    ["reply", 1, 2],
    ["reply", 6, None],
    ["moves", {"7": 3, "1": 4}],
    ["reply", 9, 5],
]


@cache
def truth_of(shape: Shape) -> Truth:
    return Truth(*shape)


def refused(data: bytes, match: str | None = None, line: int | None = None) -> ProofError:
    """Return the refusal of a proof, which says what is wrong and in which line."""
    with pytest.raises(ProofError, match=match) as caught:
        verify([data])
    assert caught.value.line is not None
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    if line is not None:
        assert caught.value.line == line, caught.value
    return caught.value


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a file above its digest, to be changed and signed again."""
    return data.decode().split("\n")[:-2]


def lost_proof(**header: Any) -> bytes:
    """Return a correct proof of a lost position, with something in the header replaced."""
    fields = {"position": LOST, "claim": "loss", "plies": 2, "roots": {"X": 2}, **header}
    return signed(["noughts proof 1", json.dumps(fields), *map(json.dumps, LOST_NODES)])


def zone_of(text: str, player: Player, *nodes: Any, by: Any = checker) -> int:
    """Return the zone that the last of these nodes has in a position, by this checker."""
    position = GridPosition.parse(text)
    reader = NodeReader(position.grid, holding=True)
    used = bytearray(len(nodes))
    read = [reader.read(node, number, used) for number, node in enumerate(nodes)]
    proof = by.Proof(position, "draw", None, {}, read)
    us, them, ours = sides(position, player)
    zone: int = by.Holding(proof, player).zone(len(nodes) - 1, us, them, our_turn=ours)
    return zone
