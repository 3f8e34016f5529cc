"""Checks proofs of game values, without any of the code that finds them.

A proof is a file that holds a strategy: the winner's for a win or a loss, one for each side
for a draw. ``docs/proofs.md`` has the format, which `proof_format` reads, and proves the
lemmas; this file follows it kind by kind. Only the rules are imported, and limits, as a small file
can describe a strategy that takes for ever to check. Everything is plain integers.

Two ways of checking::

    Winning   plays the strategy against every legal move, to the end
    Holding   finds for each node the relevance zone, or zone for short: the empty cells that
              its argument needs. Marks of theirs outside the zone make no difference, so a
              move there is answered as if it had not been made

"We" are the player that a strategy belongs to, "they" the other one. A set of cells is an
int whose bit c stands for cell c, as everywhere in `noughts.rules`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NoReturn, Unpack

from noughts.errors import LimitExceeded, ProofError, brief
from noughts.limits import Clock, LimitParts, Limits, human_size, limits_of
from noughts.rules.grid import cells_of
from noughts.rules.grid_notation import cell_name
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from noughts.solving.proof_format import (
    FIRST_LINE,
    FIRST_NODE_LINE,
    Answer,
    Double,
    Flaw,
    Forced,
    Moves,
    Node,
    Play,
    Proof,
    Reply,
    Static,
    Turned,
    read_proof,
    refuse,
    winner_of,
)

__all__ = ["PROOF_LIMITS", "Proved", "verify"]

PROOF_LIMITS: Final = Limits(seconds=600)
_MEMORY_PER_BYTE: Final = 16  # of a file; nodes take up to nine times the memory of their text
_BYTES_PER_BYTE: Final = 10


@dataclass(frozen=True)
class Proved:
    """The value that a checked proof proves.

    `claim` is ``win``, ``draw`` or ``loss`` for the side to move. `plies` bounds how long the
    winner needs; None where the proof gives no bound. `positions_checked` is the number of
    positions that the check visited, each with the node that handles it.
    """

    position: GridPosition
    claim: str
    plies: int | None
    nodes: int
    positions_checked: int

    @property
    def text(self) -> str:
        """The claim in words."""
        position, outcome = self.position, self.position.outcome
        if outcome:
            return f"the game is over at {position.text}: {outcome}"
        place = position.text if position.x else str(position.grid)
        if self.claim == "draw":
            return f"neither side can be made to lose from {place}: a draw with best play"
        winner = winner_of(position, self.claim)
        plies = "1 ply" if self.plies == 1 else f"{self.plies} plies"
        within = "" if self.plies is None else f" within {plies}"
        return f"{winner} wins from {place}{within}, whatever {winner.other} does"

    def __str__(self) -> str:
        return self.text


Source = str | os.PathLike[str] | Iterable[bytes] | Iterable[str]


def verify(source: Source, limits: Limits | None = None, **parts: Unpack[LimitParts]) -> Proved:
    r"""Check a proof and return what it proves, or raise `ProofError`.

    `source` is a path, or the lines of a file, each with its line end. A check that is not done
    within the limits raises `LimitExceeded`; by default they are ten minutes and 4 GiB. `nodes`
    are the steps of the check, and a file may have a sixteenth of the memory.

    >>> from hashlib import sha256
    >>> header = '{"position":"1x3x2:O.X","claim":"win","plies":1,"roots":{"X":0}}'
    >>> lines = ["noughts proof 1\n", header + "\n", '["play",1,null]\n']
    >>> lines.append(f"sha256 {sha256(''.join(lines).encode()).hexdigest()}\n")
    >>> print(verify(lines))
    X wins from 1x3x2:O.X within 1 ply, whatever O does
    """
    limits = limits_of(PROOF_LIMITS if limits is None else limits, **parts)
    data = _read(source, limits.memory // _MEMORY_PER_BYTE, limits)
    budget = _Budget(limits, _BYTES_PER_BYTE * len(data))
    return check(read_proof(data, budget.spend), budget)


def _read(source: Source, most: int, limits: Limits) -> bytes:
    """Return the whole content of a proof; of anything else its beginning, as it may not end."""
    data = bytearray()
    try:
        for piece in _pieces(source):
            data += piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
            if len(data) > most:
                raise LimitExceeded(
                    f"the proof has more than {human_size(most)}, which is the limit with"
                    f" {human_size(limits.memory)} of memory"
                )
            if not FIRST_LINE.startswith(data[: len(FIRST_LINE)]):
                break
    except TypeError:
        what = "a path or the lines of a file"
        raise ProofError(f"cannot read the proof: it is {what}, not {brief(source)}") from None
    return bytes(data)


def _pieces(source: Source) -> Iterator[bytes | str]:
    if not isinstance(source, (str, os.PathLike)):
        yield from source
        return
    try:
        with open(source, "rb") as file:
            while piece := file.read(1 << 16):
                yield piece
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ProofError(f"cannot read the proof {brief(source)}: {reason}") from None


def check(proof: Proof, budget: _Budget | None = None) -> Proved:
    """Check a proof that has been read."""
    budget = budget or _Budget(PROOF_LIMITS)
    position, claim = proof.position, proof.claim
    checked = 0
    try:
        if position.outcome:
            # The side that completed a line has just moved, so the side to move has lost.
            truth = "loss" if position.outcome.winner else "draw"
            if claim != truth:
                refuse(2, f"the game is over, a {truth} for the side to move, not a {claim}")
        elif claim == "draw":
            for player, root in proof.roots.items():
                holding = Holding(proof, player, budget)
                holding.zone(root, *_masks(position, player), our_turn=position.turn is player)
                checked += len(holding.known)
        else:
            winner = winner_of(position, claim)
            winning = Winning(proof, winner, budget)
            first = winning.we if position.turn is winner else winning.they
            plies = first(proof.roots[winner], *_masks(position, winner), winning.lines)
            checked = winning.checked
            if proof.plies is not None and plies > proof.plies:
                refuse(2, f"the win is claimed within {proof.plies} plies, but may take {plies}")
    except RecursionError:
        refuse(2, "the strategies go deeper than Python can follow")
    return Proved(position, claim, proof.plies, len(proof.nodes), checked)


class _Budget:
    """What is left of the limits of a check; each step and each known position spends of it."""

    def __init__(self, limits: Limits, taken: int = 0) -> None:
        self._limits = limits
        self._clock = Clock(limits.seconds)
        self._steps = 0
        self._memory = limits.memory - taken

    def spend(self, memory: int = 0) -> None:
        """Count a step, and the bytes that it keeps."""
        self._steps += 1
        self._memory -= memory
        limits = self._limits
        if self._memory < 0:
            raise LimitExceeded(f"checking the proof takes more than {human_size(limits.memory)}")
        if limits.nodes is not None and self._steps > limits.nodes:
            raise LimitExceeded(f"the proof cannot be checked in {limits.nodes:,} steps")
        if not self._steps % 16 and self._clock.is_over:
            raise LimitExceeded(f"the proof cannot be checked in {limits.seconds:g} s")


def _masks(position: GridPosition, player: Player) -> tuple[int, int]:
    """Return the cells of `player` and of the other one."""
    x, o = position.x, position.o
    return (x, o) if player is Player.X else (o, x)


class _Strategy:
    """What both ways of checking share: the lines of the board, turns, and error messages."""

    def __init__(self, proof: Proof, player: Player, budget: _Budget | None = None) -> None:
        self.budget = budget or _Budget(PROOF_LIMITS)
        self.grid = proof.position.grid
        self.cells = self.grid.cells
        self.full = self.grid.full
        self.nodes = proof.nodes
        self.player = player
        self.lines = list(self.grid.line_masks)
        self.through = [
            [line for line in self.lines if line >> cell & 1] for cell in range(self.cells)
        ]
        self.known: dict[int, int] = {}
        self.memory_of_known = (
            250 + self.cells // 2
        )  # bytes of an entry: two ints and a dict's slot

    def key(self, number: int, us: int, them: int) -> int:
        """Return one number for a node and a position, which takes less memory than a tuple."""
        return (us << self.cells | them) * len(self.nodes) + number

    def completes(self, cell: int, us: int) -> bool:
        """Return whether `cell` completes a line with the others of `us`."""
        us |= 1 << cell
        return any(line & us == line for line in self.through[cell])

    def turn(self, symmetry: Symmetry, cells: int) -> int:
        return symmetry.apply(cells, self.grid.rows, self.grid.cols)

    def unturned(self, number: int, us: int, them: int) -> tuple[int, int, int, Symmetry]:
        """Follow turned nodes: return the node they lead to, its position, and how it is turned."""
        symmetry = Symmetry.IDENTITY
        node = self.nodes[number]
        while isinstance(node, Turned):
            self.budget.spend()
            symmetry = symmetry.then(node.symmetry)
            number = node.node
            node = self.nodes[number]
        if symmetry is not Symmetry.IDENTITY:
            us, them = self.turn(symmetry, us), self.turn(symmetry, them)
        return number, us, them, symmetry

    def name(self, cell: int) -> str:
        return f"{cell_name(self.grid, cell)} (cell {cell})"

    def fail(self, number: int, us: int, them: int, message: str) -> NoReturn:
        x, o = (us, them) if self.player is Player.X else (them, us)
        line = FIRST_NODE_LINE + number
        position = GridPosition.unchecked(self.grid, x, o).text
        raise ProofError(f"line {line}: node {number} at {position}: {message}", line)


class Winning(_Strategy):
    """Plays a winning strategy against every legal move.

    `we` and `they`, by who is to move, return how many plies the game may still last. `fresh`
    are the lines that may have become dangerous since they were to move: all of them at first
    and after a turn, else the lines through their last move.
    """

    def __init__(self, proof: Proof, player: Player, budget: _Budget | None = None) -> None:
        super().__init__(proof, player, budget)
        self.checked = 0
        self.completing: dict[tuple[int, int], bool] = {}

    def we(self, number: int, us: int, them: int, fresh: list[int]) -> int:
        self.budget.spend()
        node = self.nodes[number]
        if isinstance(node, Turned):
            number, us, them, _ = self.unturned(number, us, them)
            node, fresh = self.nodes[number], self.lines
        self.checked += 1
        if not isinstance(node, Play):
            self.fail(number, us, them, f"{self.player} is to move, so it must be a play")
        if (us | them) >> node.cell & 1:
            self.fail(number, us, them, f"{self.name(node.cell)} is not empty")
        if self.wins_at(node.cell, us):
            return 1
        if node.node is None:
            message = f"{self.player} completes no line at {self.name(node.cell)}"
            self.fail(number, us, them, message)
        return 1 + self.they(node.node, us | 1 << node.cell, them, fresh)

    def they(self, number: int, us: int, them: int, fresh: list[int]) -> int:
        node = self.nodes[number]
        if isinstance(node, Turned):
            number, us, them, _ = self.unturned(number, us, them)
            node, fresh = self.nodes[number], self.lines
        key = self.key(number, us, them)
        if key in self.known:
            return self.known[key]
        self.budget.spend(self.memory_of_known)
        self.checked += 1
        if not isinstance(node, Answer):
            self.fail(number, us, them, f"{self.player.other} is to move: it must be an answer")
        free = self.full & ~(us | them)
        if not free:
            self.fail(number, us, them, "the board is full and neither side has a line")
        # A line that they could complete without their last move was found before that move.
        for line in fresh:
            lacking = line & ~them
            if not lacking & (lacking - 1) and lacking & free:  # one cell, and it is empty
                where = self.name(lacking.bit_length() - 1)
                self.fail(number, us, them, f"{self.player.other} completes a line at {where}")
        longest = 0
        others = free
        for cell, reply in node.nodes.items():
            if free >> cell & 1:
                others ^= 1 << cell
                plies = self.we(reply, us, them | 1 << cell, self.through[cell])
                longest = max(longest, plies)
        if others and node.default is None:
            where = self.name(cells_of(others)[0])
            self.fail(number, us, them, f"there is no answer to {self.player.other} at {where}")
        if others and node.default is not None:
            reply = node.default
            play = self.nodes[reply]
            if (
                isinstance(play, Play)
                and (free ^ others) >> play.cell & 1
                and self.wins_at(play.cell, us)
            ):  # we win at once against each of the others, so none needs a try
                self.checked += others.bit_count()
                longest = max(longest, 1)
            else:
                for cell in cells_of(others):
                    plies = self.we(reply, us, them | 1 << cell, self.through[cell])
                    longest = max(longest, plies)
        self.known[key] = 1 + longest
        return 1 + longest

    def wins_at(self, cell: int, us: int) -> bool:
        """Return what `completes` does, from a cache: few questions are asked very often."""
        answer = self.completing.get((cell, us))
        if answer is None:
            self.budget.spend(self.memory_of_known)
            answer = self.completing[cell, us] = self.completes(cell, us)
        return answer


class Holding(_Strategy):
    """Finds the zone of each node of a holding strategy; a node without one raises `ProofError`.

    ``lacking`` is what they still need of each of their open lines (the lines without a mark
    of ours), in the order of `Grid.lines`.
    """

    def __init__(self, proof: Proof, player: Player, budget: _Budget | None = None) -> None:
        super().__init__(proof, player, budget)
        # Weights are multiples of 2^-k; a k beyond the board, which has no lines, may be huge.
        self.one = 1 << min(self.grid.k, self.cells)

    def zone(self, number: int, us: int, them: int, *, our_turn: bool) -> int:
        """Return the zone of a node for a position."""
        self.budget.spend()
        number, us, them, symmetry = self.unturned(number, us, them)
        key = self.key(number, us, them)
        zone = self.known.get(key)
        if zone is None:
            self.budget.spend(self.memory_of_known)
            try:
                zone = self.find_zone(self.nodes[number], us, them, our_turn=our_turn)
            except Flaw as error:
                self.fail(number, us, them, str(error))
            self.known[key] = zone
        if symmetry is not Symmetry.IDENTITY:
            zone = self.turn(symmetry.inverse, zone)
        return zone

    def find_zone(self, node: Node, us: int, them: int, *, our_turn: bool) -> int:
        if isinstance(node, Static):
            return self.static(node, us, them, our_turn=our_turn)
        if our_turn:
            if isinstance(node, Reply):
                return self.reply(node, us, them)
            raise Flaw(f"{self.player} is to move, so it must be a reply or static")
        if isinstance(node, Moves):
            return self.moves(node, us, them)
        if isinstance(node, Forced):
            return self.forced(node, us, them)
        if isinstance(node, Double):
            return self.double(node, us, them)
        raise Flaw(f"{self.player.other} is to move: it must be moves, forced, double or static")

    def lacking(self, us: int, them: int) -> list[int]:
        return [line & ~them for line in self.lines if not line & us]

    def weight(self, lacking: int) -> int:
        return self.one >> lacking.bit_count()

    def static(self, node: Static, us: int, them: int, *, our_turn: bool) -> int:
        pairs = [1 << one | 1 << two for one, two in node.pairs]
        zone = sum(pairs)  # they have no cell in common
        if zone & (us | them):
            raise Flaw(f"{self.name(cells_of(zone & (us | them))[0])} of a pair is not empty")
        outside = [
            cells & ~zone
            for cells in self.lacking(us, them)
            if not any(cells & pair == pair for pair in pairs)
        ]
        total = sum(map(self.weight, outside))
        if total >= (self.one if our_turn else self.one // 2):
            bound = "1" if our_turn else "1/2"
            raise Flaw(f"the lines without a pair weigh {total}/{self.one}, not below {bound}")
        for cells in outside:
            zone |= cells
        return zone

    def reply(self, node: Reply, us: int, them: int) -> int:
        bit = 1 << node.cell
        if (us | them) & bit:
            raise Flaw(f"{self.name(node.cell)} is not empty")
        if self.completes(node.cell, us):
            return bit
        if node.node is None:
            raise Flaw(f"{self.player} completes no line at {self.name(node.cell)}")
        return bit | self.zone(node.node, us | bit, them, our_turn=False)

    def moves(self, node: Moves, us: int, them: int) -> int:
        lacking = self.lacking(us, them)
        if not lacking:
            return 0
        self.require_no_completion(lacking)
        free = self.full & ~(us | them)
        zone = 0
        unanswered = free  # in the zone of every listed move, so that none of them answers it
        for cell, reply in node.nodes.items():
            bit = 1 << cell
            if not free & bit:
                raise Flaw(f"{self.name(cell)} is not empty")
            inner = self.zone(reply, us, them | bit, our_turn=True)
            zone |= inner
            unanswered &= inner
        for cell in node.nodes:
            unanswered &= ~(1 << cell)
        if unanswered:
            weights = [(cells, self.weight(cells)) for cells in lacking]
            total = sum(weight for _, weight in weights)
            for cell in cells_of(unanswered):  # their mark there doubles the lines through it
                more = sum(weight for cells, weight in weights if cells >> cell & 1)
                if total + more >= self.one:
                    raise Flaw(f"there is no answer to {self.player.other} at {self.name(cell)}")
            for cells in lacking:
                zone |= cells
        return self.with_two_of_each(zone, lacking)

    def forced(self, node: Forced, us: int, them: int) -> int:
        lacking = self.lacking(us, them)
        self.require_no_completion(lacking)
        self.require_threat(node.cell, us, them)
        bit = 1 << node.cell
        zone = bit | self.zone(node.node, us, them | bit, our_turn=True)
        return self.with_two_of_each(zone, lacking)

    def double(self, node: Double, us: int, them: int) -> int:
        lacking = self.lacking(us, them)
        self.require_no_completion(lacking)
        self.require_threat(node.cell, us, them)
        self.require_threat(node.other, us, them)
        return self.with_two_of_each(1 << node.cell | 1 << node.other, lacking)

    def require_threat(self, cell: int, us: int, them: int) -> None:
        if (us | them) >> cell & 1 or not self.completes(cell, us):
            raise Flaw(f"{self.player} does not threaten to complete a line at {self.name(cell)}")

    def require_no_completion(self, lacking: list[int]) -> None:
        for cells in lacking:
            if not cells & (cells - 1):
                where = self.name(cells.bit_length() - 1)
                raise Flaw(f"{self.player.other} completes a line at {where}")

    @staticmethod
    def with_two_of_each(zone: int, lacking: list[int]) -> int:
        """Add the lowest cells of each open line of theirs until the zone has two of them.

        Then marks outside the zone and one move do not complete it.
        """
        for cells in lacking:
            for _ in range(2 - (cells & zone).bit_count()):
                missing = cells & ~zone
                zone |= missing & -missing
        return zone
