"""Writes proofs: the strategies behind a solution, for `verify` to check.

The searches that found the solution are asked again, position by position, and their answers
are written down as a strategy; ``docs/proofs.md`` has the format. A *winning* strategy answers
every move of the loser; the moves outside the relevance zone (zone for short) of a win share
one answer, the one to a pass. A *holding* strategy answers the attacker's moves; a move outside
the zone of an answer shares it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from noughts.errors import LimitExceeded
from noughts.rules.grid import cells_of
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from noughts.solving.arena import ATTACKER
from noughts.solving.searches import Roles, Searches
from noughts.values import Solution, Value

__all__ = ["proof_of"]


def proof_of(solution: Solution, searches: Searches) -> str:
    """Return the proof of a solution as the text of a proof file.

    The searches are those that found the solution; others would have to find it again.
    """
    position, value = solution.position, solution.value
    if value is None:
        raise LimitExceeded(f"there is no proof: the value of {position.text} is not known")
    nodes: list[str] = []
    roots = {}
    if position.outcome is None:
        if value is Value.DRAW:
            for player in Player:
                holding = _Holding(position, player, searches, nodes)
                roots[player.value] = holding.write(Roles.of(position, player.other))[0]
        else:
            if solution.plies is None:
                message = "there is no proof: the length of the win is not known"
                raise LimitExceeded(f"{message}; solve it with the distance")
            assert solution.winner is not None
            winning = _Winning(solution.winner, position, searches, nodes)
            moves = (solution.plies + 1) // 2
            roots[solution.winner.value] = winning.write(
                Roles.of(position, solution.winner), moves, 0
            )[0]
    header = {
        "position": position.text,
        "claim": value.value,
        "plies": solution.plies,
        "roots": roots,
    }
    text = "\n".join(["noughts proof 1", _compact(header), *nodes, ""])
    return f"{text}sha256 {hashlib.sha256(text.encode()).hexdigest()}\n"


def _compact(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


class _Writer:
    """Appends nodes, each once; nodes with the same content are the same node."""

    def __init__(self, nodes: list[str]) -> None:
        self.nodes = nodes
        self.numbers: dict[str, int] = {text: number for number, text in enumerate(nodes)}

    def node(self, *content: Any) -> int:
        """Return the number of a node, which is written if it is new."""
        text = _compact(content)
        if text not in self.numbers:
            self.numbers[text] = len(self.nodes)
            self.nodes.append(text)
        return self.numbers[text]


class _Winning(_Writer):
    """Writes a winning strategy from what `attack` finds."""

    def __init__(
        self, winner: Player, position: GridPosition, searches: Searches, nodes: list[str]
    ) -> None:
        super().__init__(nodes)
        self.winner = winner
        self.lines = list(position.grid.line_masks)
        self.searches = searches
        self.known: dict[tuple[Roles, int, int], tuple[int, int]] = {}

    def write(self, roles: Roles, moves: int, tempo: int) -> tuple[int, int]:
        """Return the node that wins within `moves` own moves, and its zone.

        The zone is good for `tempo` free moves of the loser before; see `attack`.
        """
        key = roles, moves, tempo
        if key not in self.known:
            write = self._move if roles.side == ATTACKER else self._answers
            self.known[key] = write(roles, moves, tempo)
        return self.known[key]

    def _move(self, roles: Roles, moves: int, tempo: int) -> tuple[int, int]:
        move = self.searches.attack(roles, self.winner, moves, tempo=tempo).move
        assert move is not None
        after = roles.play(move)
        if any(line & ~after.attacker == 0 for line in self.lines):
            return self.node("play", move, None), 1 << move
        node, zone = self.write(after, moves - 1, tempo)
        return self.node("play", move, node), zone | 1 << move

    def _answers(self, roles: Roles, moves: int, tempo: int) -> tuple[int, int]:
        zone = self._guard(roles, tempo)
        threats = _completing(self.lines, roles.attacker, roles.defender)
        if threats:
            default = self.node("play", threats[0], None)
            if len(threats) > 1:
                answers = {threats[0]: self.node("play", threats[1], None)}
                zone |= 1 << threats[1]
            else:
                node, needed = self.write(roles.play(threats[0]), moves, tempo)
                answers = {threats[0]: node}
                zone |= needed
            return self.node("answer", answers, default), zone | 1 << threats[0]
        default, needed = self.write(roles.play(None), moves, tempo + 1)
        answers = {}
        zone |= needed
        for cell in cells_of(needed):
            answers[cell], more = self.write(roles.play(cell), moves, tempo)
            zone |= more
        return self.node("answer", answers, default), zone

    def _guard(self, roles: Roles, tempo: int) -> int:
        """Return the cells of the loser's lines that free moves might complete."""
        guard = 0
        for line in self.lines:
            rest = line & ~roles.defender
            if not line & roles.attacker and rest.bit_count() <= tempo + 1:
                guard |= rest
        return guard


class _Holding(_Writer):
    """Writes a holding strategy from what `defend` finds."""

    def __init__(
        self, position: GridPosition, holder: Player, searches: Searches, nodes: list[str]
    ) -> None:
        super().__init__(nodes)
        self.grid = position.grid
        self.lines = list(self.grid.line_masks)
        self.attacker = holder.other
        self.searches = searches
        self.known: dict[Roles, tuple[int, int]] = {}

    def write(self, roles: Roles) -> tuple[int, int]:
        """Return the node that holds a position, and its zone."""
        symmetry, least = self._canonical(roles)
        if least not in self.known:
            write = self._moves if roles.side == ATTACKER else self._reply
            self.known[least] = write(least)
        node, zone = self.known[least]
        if symmetry is Symmetry.IDENTITY:
            return node, zone
        return self.node("turned", symmetry.name, node), self._image(symmetry.inverse, zone)

    def _image(self, symmetry: Symmetry, mask: int) -> int:
        return symmetry.apply(mask, self.grid.rows, self.grid.cols)

    def _canonical(self, roles: Roles) -> tuple[Symmetry, Roles]:
        images = [
            (Roles(self._image(s, roles.attacker), self._image(s, roles.defender), roles.side), s)
            for s in self.grid.symmetries
        ]
        least, symmetry = min(images, key=lambda pair: pair[0])
        return symmetry, least

    def _open(self, roles: Roles) -> list[int]:
        """Return what the attacker lacks of each line that is still open."""
        return [line & ~roles.attacker for line in self.lines if not line & roles.defender]

    def _static(self, roles: Roles) -> tuple[int, int] | None:
        """Return a node for pairs and potential, if they hold."""
        pairs = self.searches.pairs(roles)
        if pairs is None:
            return None
        masks = [1 << p | 1 << q for p, q in pairs]
        zone = sum(masks)
        for rest in self._open(roles):
            if not any(rest & mask == mask for mask in masks):
                zone |= rest
        return self.node("static", [list(pair) for pair in pairs]), zone

    def _reply(self, roles: Roles) -> tuple[int, int]:
        """Write a node where the defender is to move."""
        completing = _completing(self.lines, roles.defender, roles.attacker)
        if completing:
            return self.node("reply", completing[0], None), 1 << completing[0]
        forced = [rest for rest in self._open(roles) if rest.bit_count() == 1]
        if forced:
            move = forced[0].bit_length() - 1
        else:
            static = self._static(roles)
            if static:
                return static
            found = self.searches.settle(roles, self.attacker).move
            assert found is not None
            move = found
        node, zone = self.write(roles.play(move))
        return self.node("reply", move, node), zone | 1 << move

    def _moves(self, roles: Roles) -> tuple[int, int]:
        """Write a node where the attacker is to move."""
        rests = self._open(roles)
        if not rests:
            return self.node("moves", {}), 0
        completing = _completing(self.lines, roles.defender, roles.attacker)
        if len(completing) > 1:
            zone = 1 << completing[0] | 1 << completing[1]
            return self.node("double", *completing[:2]), _with_two_of_each(rests, zone)
        static = self._static(roles)
        if static:
            return static
        if completing:
            (cell,) = completing
            node, zone = self.write(roles.play(cell))
            return self.node("forced", cell, node), _with_two_of_each(rests, zone | 1 << cell)
        weight = {
            cell: sum(0.5 ** rest.bit_count() for rest in rests if rest >> cell & 1)
            for cell in range(self.grid.cells)
        }
        total = sum(0.5 ** rest.bit_count() for rest in rests)
        todo = self.grid.full & ~(roles.attacker | roles.defender)
        harmless = sum(1 << cell for cell in cells_of(todo) if total + weight[cell] < 1)
        listed = {}
        zone = 0
        while todo & ~harmless:
            cell = max(cells_of(todo & ~harmless), key=lambda cell: weight[cell])
            listed[cell], needed = self.write(roles.play(cell))
            todo &= needed & ~(1 << cell)
            zone |= needed
        if todo:
            for rest in rests:
                zone |= rest
        return self.node("moves", listed), zone


def _completing(lines: list[int], own: int, other: int) -> list[int]:
    """Return the cells that complete a line for the side whose cells are `own`."""
    rests = (line & ~own for line in lines if not line & other)
    return sorted({rest.bit_length() - 1 for rest in rests if rest.bit_count() == 1})


def _with_two_of_each(rests: list[int], zone: int) -> int:
    """Return the zone with two empty cells of every open line."""
    for rest in rests:
        while (rest & zone).bit_count() < 2:
            missing = rest & ~zone
            zone |= missing & -missing
    return zone
