"""Reads proof files, the format that ``docs/proofs.md`` describes.

A file that is well formed is a `Proof`: a header, and nodes of eight kinds, each a class
here. Everything that the format does not describe is refused, with the number of the line.
"We" are the player that a strategy belongs to, "they" the other one. Whether a proof is right
is the business of `verify`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Final, NoReturn

from noughts.errors import NoughtsError, ProofError, brief
from noughts.rules.grid import Grid
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry

__all__ = [
    "FIRST_NODE_LINE",
    "Answer",
    "Double",
    "Flaw",
    "Forced",
    "Moves",
    "Node",
    "NodeReader",
    "Play",
    "Proof",
    "Reply",
    "Static",
    "Turned",
    "read_proof",
    "refuse",
    "winner_of",
]

FIRST_LINE: Final = b"noughts proof 1"
FIRST_NODE_LINE: Final = 3  # node 0 is here
MAX_CELLS: Final = 400  # larger boards would take more calls in a row than Python allows
MAX_LINE: Final = 1 << 16  # bytes; a node that answers every move of such a board takes less


# -- nodes: one class for each kind ------------------------------------------------------


@dataclass(slots=True)
class Play:
    """We play `cell`; then `node`, or None where that completes our line."""

    cell: int
    node: int | None


@dataclass(slots=True)
class Answer:
    """They move: the node for each of their moves, and the one for all the others."""

    nodes: dict[int, int]
    default: int | None


@dataclass(slots=True)
class Turned:
    """The position turned by `symmetry` is handled by `node`."""

    symmetry: Symmetry
    node: int


@dataclass(slots=True)
class Static:
    """We hold by answering in pairs, and elsewhere by weight."""

    pairs: list[tuple[int, int]]


@dataclass(slots=True)
class Reply:
    """We play `cell`; then `node`, or None where that completes our line."""

    cell: int
    node: int | None


@dataclass(slots=True)
class Moves:
    """They move: the nodes for those of their moves that matter."""

    nodes: dict[int, int]


@dataclass(slots=True)
class Forced:
    """We threaten to complete a line at `cell`, so they move there; then `node`."""

    cell: int
    node: int


@dataclass(slots=True)
class Double:
    """We threaten to complete a line at both cells, and they can block only one."""

    cell: int
    other: int


Node = Play | Answer | Turned | Static | Reply | Moves | Forced | Double


# -- reading -----------------------------------------------------------------------------


@dataclass(slots=True)
class Proof:
    """A well-formed proof file, which may still be wrong."""

    position: GridPosition
    claim: str
    plies: int | None
    roots: dict[Player, int]
    nodes: list[Node]


class Flaw(Exception):
    """A fault in one line or node; what catches it adds which one."""


def winner_of(position: GridPosition, claim: str) -> Player:
    """Return who wins if the claim, ``win`` or ``loss`` for the side to move, is right."""
    return position.turn if claim == "win" else position.turn.other


def refuse(line: int, message: str) -> NoReturn:
    """Refuse a proof because of a line of its file."""
    raise ProofError(f"line {line}: {message}", line)


def read_proof(data: bytes, on_node: Callable[[], object] = lambda: None) -> Proof:
    """Read a whole proof file, or raise `ProofError` naming the line.

    `on_node` is called for each node; what it raises ends the reading.
    """
    first = data[: len(FIRST_LINE) + 25].partition(b"\n")[0]
    if first != FIRST_LINE:
        refuse(1, f"a proof begins with {FIRST_LINE.decode()!r}, not {brief(first)}")
    last = data.count(b"\n")
    if not data.endswith(b"\n"):
        refuse(last + 1, "the last line does not end in a newline, so the file is cut off")
    end = data.rfind(b"\n", 0, -1) + 1
    if not data.startswith(b"sha256 ", end):
        refuse(last, "the last line must be 'sha256' and the digest of the lines above")
    if data[end:-1] != b"sha256 " + sha256(memoryview(data)[:end]).hexdigest().encode():
        refuse(last, "the digest is not that of the lines above, so the file was changed")
    if last <= FIRST_NODE_LINE - 1:
        refuse(2, "the header is missing")
    lines = BytesIO(data)
    lines.readline()
    try:
        proof = _read_header(_json(lines.readline()))
    except (Flaw, NoughtsError) as error:
        refuse(2, str(error))
    reader = NodeReader(proof.position.grid, holding=proof.claim == "draw")
    used = bytearray(last - FIRST_NODE_LINE)
    for number in range(len(used)):
        on_node()
        try:
            proof.nodes.append(reader.read(_json(lines.readline()), number, used))
        except Flaw as error:
            refuse(FIRST_NODE_LINE + number, f"node {number}: {error}")
    for player, root in proof.roots.items():
        if root >= len(used):
            refuse(2, f"{player}'s root is node {brief(root)}, but there are {len(used)} nodes")
        used[root] = True
    unused = used.find(0)
    if unused >= 0:
        refuse(FIRST_NODE_LINE + unused, f"node {unused}: nothing refers to it")
    return proof


def _json(line: bytes) -> object:
    if len(line) > MAX_LINE:  # a value takes up to 25 times the memory of its text
        raise Flaw(f"the line is longer than {MAX_LINE:,} bytes")
    try:
        # Decoded here because json would also take other encodings than UTF-8.
        return json.loads(line.removesuffix(b"\n").decode("utf-8"), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise Flaw(f"not JSON: {error}") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Flaw("an object has the same key twice")
    return found


def _read_header(header: object) -> Proof:
    fields = ["position", "claim", "plies", "roots"]
    if not isinstance(header, dict) or sorted(header) != sorted(fields):
        raise Flaw(f"the header must be an object with exactly {', '.join(fields)}")
    text, claim, plies, roots = (header[name] for name in fields)
    if not isinstance(text, str):
        raise Flaw(f"the position must be text, not {brief(text)}")
    name, colon, _ = text.partition(":")
    if colon and Grid.parse(name).cells > MAX_CELLS:  # before millions of cells are looked at
        raise Flaw(f"boards of more than {MAX_CELLS} cells are not checked")
    position = GridPosition.parse(text)
    if position.text != text:
        raise Flaw(f"the position must be written {brief(position.text)}, not {brief(text)}")
    if claim not in ("win", "draw", "loss"):
        raise Flaw(f"the claim must be win, draw or loss, not {brief(claim)}")
    if plies is not None and claim == "draw":
        raise Flaw(f"plies are for a win or a loss; for a draw it is null, not {brief(plies)}")
    if plies is not None and not _is_count(plies):
        raise Flaw(f"plies must be a whole number or null, not {brief(plies)}")
    if position.outcome:
        players = []
    else:
        players = list(Player) if claim == "draw" else [winner_of(position, claim)]
    if not isinstance(roots, dict) or sorted(roots) != sorted(players):
        wanted = " and ".join(sorted(players)) or "neither side, as the game is over"
        raise Flaw(f"for a {claim} there must be a root for {wanted}, not {brief(roots)}")
    if not all(map(_is_count, roots.values())):
        raise Flaw(f"a root must be the number of a node, not {brief(roots)}")
    return Proof(position, claim, plies, {player: roots[player] for player in players}, [])


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0  # a bool is not a number here


class NodeReader:
    """Reads nodes of the kinds that a winning, or a holding, strategy consists of."""

    def __init__(self, grid: Grid, *, holding: bool) -> None:
        self.grid = grid
        self.number, self.used = 0, bytearray()
        self.cells = {str(cell): cell for cell in range(grid.cells)}
        self.symmetries = {
            symmetry.name: symmetry
            for symmetry in Symmetry
            if grid.rows == grid.cols or not symmetry.value[0]  # others do not fit an oblong
        }
        # How many values follow the name of each kind, and what makes a node of them.
        self.kinds: dict[object, tuple[int, Callable[..., Node]]] = {
            "turned": (2, lambda name, node: Turned(self.symmetry(name), self.node(node)))
        }
        if holding:
            self.kinds |= {
                "static": (1, lambda pairs: Static(self.pairs(pairs))),
                "reply": (2, lambda cell, node: Reply(self.cell(cell), self.optional(node))),
                "moves": (1, lambda nodes: Moves(self.table(nodes))),
                "forced": (2, lambda cell, node: Forced(self.cell(cell), self.node(node))),
                "double": (2, lambda one, two: Double(*self.pair([one, two]))),
            }
        else:
            self.kinds |= {
                "play": (2, lambda cell, node: Play(self.cell(cell), self.optional(node))),
                "answer": (2, lambda nodes, node: Answer(self.table(nodes), self.optional(node))),
            }

    def read(self, item: object, number: int, used: bytearray) -> Node:
        """Read node `number`, and mark in `used` the nodes that it refers to."""
        self.number, self.used = number, used
        if not isinstance(item, list) or not item or not isinstance(item[0], str):
            raise Flaw(f"a node is an array that begins with its kind, not {brief(item)}")
        if item[0] not in self.kinds:
            allowed = ", ".join(sorted(map(str, self.kinds)))
            raise Flaw(f"{brief(item[0])} is not a kind of node here; the kinds are: {allowed}")
        size, make = self.kinds[item[0]]
        if len(item) != size + 1:
            raise Flaw(f"{item[0]!r} is followed by {size} values, not {len(item) - 1}")
        return make(*item[1:])

    def cell(self, value: object) -> int:
        """Return the number of a cell."""
        if type(value) is not int or not 0 <= value < self.grid.cells:
            raise Flaw(f"a cell must be 0 to {self.grid.cells - 1}, not {brief(value)}")
        return value

    def node(self, value: object) -> int:
        """Return the number of an earlier node, which is used from now on."""
        if type(value) is not int or not 0 <= value < self.number:
            raise Flaw(f"it must refer to nodes before it, by number, not {brief(value)}")
        self.used[value] = True
        return value

    def optional(self, value: object) -> int | None:
        """Return the number of an earlier node, or None."""
        return None if value is None else self.node(value)

    def table(self, value: object) -> dict[int, int]:
        """Return the nodes by the moves that they answer."""
        if not isinstance(value, dict):
            raise Flaw(f"nodes for moves must be an object, not {brief(value)}")
        table = {}
        for name, node in value.items():
            if name not in self.cells:  # written any other way it might be there twice
                last = self.grid.cells - 1
                raise Flaw(f"a move must be '0' to '{last}', not {brief(name)}")
            table[self.cells[name]] = self.node(node)
        return table

    def pair(self, value: object) -> tuple[int, int]:
        """Return two different cells."""
        if not isinstance(value, list) or len(value) != 2:
            raise Flaw(f"a pair must be two cells, not {brief(value)}")
        one, two = map(self.cell, value)
        if one == two:
            raise Flaw(f"cell {one} cannot make a pair with itself")
        return one, two

    def pairs(self, value: object) -> list[tuple[int, int]]:
        """Return pairs without a cell in common."""
        if not isinstance(value, list):
            raise Flaw(f"pairs must be an array, not {brief(value)}")
        pairs = [self.pair(item) for item in value]
        if len({cell for pair in pairs for cell in pair}) < 2 * len(pairs):
            raise Flaw("two pairs have a cell in common")
        return pairs

    def symmetry(self, value: object) -> Symmetry:
        """Return a symmetry of the grid."""
        if not isinstance(value, str) or value not in self.symmetries:
            raise Flaw(f"{brief(value)} is not a symmetry of a {self.grid} board")
        return self.symmetries[value]
