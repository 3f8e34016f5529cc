"""The searches on positions of one grid, with their transposition tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from noughts.kernels import np, wrapping  # isort: skip  - says which extra is missing

from noughts import kernels
from noughts.errors import LimitExceeded, brief
from noughts.limits import MOST_NODES
from noughts.rules.grid import Grid
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.solving.arena import (
    ATTACKER,
    DEFENDER,
    HOLDS,
    MAX_CELLS,
    NODES,
    PAIRS,
    STOP,
    WINS,
    Workspace,
    arena_of,
    new_workspace,
    prepare,
)
from noughts.solving.attack import attack
from noughts.solving.defence import defend, is_plain_draw
from noughts.solving.guide import Guide, placements, smaller
from noughts.solving.transposition import (
    TranspositionTable,
    are_sound,
    filled,
    grown,
    new_table,
)

__all__ = ["Finding", "Roles", "Search", "Searches", "needs_compiling"]

_LEAST_TABLE, _BYTES_PER_NODE = 1 << 18, 64
_GUIDED_EFFORT = 4_000_000  # from which a search gets a guide, with the same effort


class Search(StrEnum):
    """The searches: for a win within some plies, for a defence, and for a win of any length."""

    ATTACK = "attack"
    DEFENCE = "defence"
    ANY_LENGTH = "conquest"  # its name in checkpoint files, which stays


class Roles(NamedTuple):
    """A position as the searches see it: the cells of each role, and who is to move.

    Unlike a `GridPosition` it may be one that no game reaches, as after a pass.
    """

    attacker: int
    defender: int
    side: int

    @classmethod
    def of(cls, position: GridPosition, attacker: Player) -> Roles:
        """Return a position with `attacker` in that role."""
        masks = (position.x, position.o) if attacker is Player.X else (position.o, position.x)
        return cls(*masks, ATTACKER if position.turn is attacker else DEFENDER)

    def play(self, cell: int | None) -> Roles:
        """Return the position after a move, or after a pass."""
        bit = 0 if cell is None else 1 << cell
        if self.side == ATTACKER:
            return Roles(self.attacker | bit, self.defender, DEFENDER)
        return Roles(self.attacker, self.defender | bit, ATTACKER)


@dataclass(frozen=True)
class Finding:
    """A search's result: whether the attacker wins (True), is held (False), or neither (None).

    `move` settled it, where there is such a move; `zone` is the relevance zone, the cells that
    the result relies on.
    """

    attacker_wins: bool | None
    move: int | None
    zone: int
    nodes: int


class Searches:
    """Runs the searches. Each has its own workspace, so that they can run side by side.

    A transposition table belongs to one search and one attacker, X or O. Long searches for a win
    of any length are guided by a smaller board, unless `is_guided` is False.
    """

    def __init__(self, grid: Grid, memory: int, *, is_guided: bool = True) -> None:
        if grid.cells > MAX_CELLS:
            most = f"at most {MAX_CELLS} cells can be solved, and {grid} has {grid.cells:,}"
            raise LimitExceeded(f"the board is too large: {most}")
        self.arena = arena_of(grid)
        self._share = memory // (2 * (len(Search) + 1))  # for each attacker, and the guide's
        self._tables: dict[tuple[Search, Player], TranspositionTable] = {}
        self._workspaces = {search: new_workspace(self.arena) for search in Search}
        work, nowhere = self._workspaces[Search.ANY_LENGTH], np.zeros((0, 0), np.int64)
        self._no_guide = Guide(self.arena, new_table(0), work, nowhere)
        small = smaller(grid) if is_guided else None
        self._small = None if small is None else Searches(small, memory, is_guided=False)
        self._placements = nowhere if small is None else placements(small, grid)
        self._wins_there: dict[tuple[Roles, Player], bool | None] = {}  # on the smaller board

    def attack(
        self,
        roles: Roles,
        attacker: Player,
        moves: int,
        effort: int = MOST_NODES,
        *,
        limit: int = MOST_NODES,
        tempo: int = 0,
    ) -> Finding:
        """Ask whether the attacker wins within `moves` own moves.

        It visits at most the lesser of `effort`, which sets the size of the transposition table,
        and `limit` in nodes. The zone of a win is good for `tempo` free moves of the defender
        before it.
        """
        table = self._table(Search.ATTACK, attacker, effort)
        work = self._workspaces[Search.ATTACK]
        prepare(self.arena, work, *roles, min(effort, limit))
        work.tempo[1] = tempo
        with wrapping():
            result = attack(self.arena, table, work, moves)
        return _finding(result, work)

    def defend(
        self,
        roles: Roles,
        attacker: Player,
        effort: int = MOST_NODES,
        *,
        aim: int = HOLDS,
        limit: int = MOST_NODES,
    ) -> Finding:
        """Ask whether the attacker can be held for good, with about this effort in nodes.

        It spends the effort on showing its aim: that the defender HOLDS, or the attacker WINS.
        It never visits more than `limit` nodes.
        """
        search = Search.DEFENCE if aim == HOLDS else Search.ANY_LENGTH
        table = self._table(search, attacker, min(effort, limit))
        work = self._workspaces[search]
        guide, nodes = self._no_guide, 0
        if aim == WINS:
            guide, nodes = self._guide(roles, attacker, effort, limit)
        prepare(self.arena, work, *roles, limit - nodes)
        with wrapping():
            result = defend(self.arena, table, work, effort, aim, guide)
        return _finding(result, work, nodes)

    def _guide(self, roles: Roles, attacker: Player, effort: int, limit: int) -> tuple[Guide, int]:
        """Return a guide to a search with this effort, and the nodes it took to get it."""
        small, nodes = self._small, 0
        if small is None:
            return self._no_guide, 0
        for cells in self._placements:
            there = Roles(_part(roles.attacker, cells), _part(roles.defender, cells), roles.side)
            wins = self._wins_there.get((there, attacker))
            if wins is None and effort >= _GUIDED_EFFORT:
                finding = small.defend(there, attacker, effort, aim=WINS, limit=limit - nodes)
                wins = self._wins_there[there, attacker] = finding.attacker_wins
                nodes += finding.nodes
            if wins:
                table = small._tables[Search.ANY_LENGTH, attacker]
                work = small._workspaces[Search.ANY_LENGTH]
                return Guide(small.arena, table, work, self._placements), nodes
        return self._no_guide, nodes

    def settle(
        self, roles: Roles, attacker: Player, *, aim: int = HOLDS, limit: int = MOST_NODES
    ) -> Finding:
        """Return the finding on a position which `defend` has settled before, with its move.

        The effort is small at first: what is in the table takes next to nothing, while a large
        effort would be spent on moves that were given up. A stopped search finds nothing.
        """
        effort, nodes = 100, 0
        while nodes < limit and not self.is_stopping:
            finding = self.defend(roles, attacker, effort, aim=aim, limit=limit - nodes)
            nodes += finding.nodes
            if finding.attacker_wins is not None:
                return replace(finding, nodes=nodes)
            effort = min(effort * 4, MOST_NODES)
        return Finding(None, None, 0, nodes)

    def pairs(self, roles: Roles) -> list[tuple[int, int]] | None:
        """Return the pairs of cells by which the defender holds without a search, if so."""
        work = self._workspaces[Search.DEFENCE]
        prepare(self.arena, work, *roles, MOST_NODES)
        with wrapping():
            if not is_plain_draw(self.arena, work):
                return None
        return [(int(p), int(q)) for p, q in work.pairs[: work.counters[PAIRS]]]

    def load_kernels(self) -> None:
        """Load or compile the searches, so that a clock that starts now does not count it."""
        roles = Roles(0, 0, ATTACKER)
        for search in (self.attack, self.defend):
            search(roles, Player.X, 1)
        self.pairs(roles)
        filled(self.arena, new_table(_LEAST_TABLE), _LEAST_TABLE)

    def stop(self, stopping: bool = True) -> None:
        """Make running searches give up, and later ones at once; or allow searches again."""
        for work in self._workspaces.values():
            work.counters[STOP] = stopping
        if self._small is not None:
            self._small.stop(stopping)

    @property
    def is_stopping(self) -> bool:
        """Whether searches give up at once."""
        return bool(self._workspaces[Search.DEFENCE].counters[STOP])

    def _table(self, search: Search, attacker: Player, effort: int) -> TranspositionTable:
        """Return the table of a search, of a size that suits the effort.

        Fresh memory that is used at random is slow, so short searches must not take much.
        """
        key = search, attacker
        table = self._tables.get(key) or new_table(_LEAST_TABLE)
        if effort < MOST_NODES:
            table = grown(self.arena, table, min(_BYTES_PER_NODE * effort, self._share))
        self._tables[key] = table
        return table

    # -- checkpoints ---------------------------------------------------------------------

    def dump(self, most: int) -> dict[str, list[list[str]]]:
        """Return the entries of the tables that took the most work, as plain data."""
        kept = {}
        for (search, attacker), table in self._tables.items():
            work = table.facts >> np.uint64(32)
            slots = np.flatnonzero(table.facts)
            slots = slots[np.argsort(work[slots])[::-1][:most]]
            words = zip(*(column[slots].tolist() for column in table), strict=True)
            kept[f"{search}/{attacker}"] = [[f"{word:x}" for word in row] for row in words]
        return kept

    def load(self, kept: object) -> None:
        """Restore the tables from what `dump` returned; anything else is a `ValueError`."""
        if not isinstance(kept, dict):
            raise ValueError("the entries are not sorted by search")
        for key, rows in kept.items():
            name, _, attacker = key.partition("/")
            if name not in [*Search] or attacker not in [*Player] or not isinstance(rows, list):
                raise ValueError(f"there is no table {brief(key)}")
            search, player = Search(name), Player(attacker)
            entries = _entries_of(rows)
            if not are_sound(self.arena, entries, is_attack=search is Search.ATTACK):
                raise ValueError(f"an entry of {key} means nothing on this board")
            size = max(_LEAST_TABLE, min(_BYTES_PER_NODE * len(rows), self._share))
            self._tables[search, player] = filled(self.arena, entries, size)


def _entries_of(rows: list[object]) -> TranspositionTable:
    """Return entries from four hexadecimal words each."""
    entries = np.zeros((len(rows) + 2, 4), np.uint64)  # one row would be another type
    try:
        for entry, row in zip(entries, rows, strict=False):
            if not isinstance(row, list) or len(row) != 4:
                raise ValueError
            entry[:] = [int(word, 16) for word in row]
    except (ValueError, TypeError, OverflowError):
        raise ValueError("an entry is not four words in hexadecimal digits") from None
    return TranspositionTable(*entries.T)


def needs_compiling() -> bool:
    """Return whether the first search will compile its kernels."""
    return kernels.needs_compiling(attack) or kernels.needs_compiling(defend)


def _part(mask: int, cells: Iterable[int]) -> int:
    """Return which of the cells are in a set, each by its place among them."""
    return sum(1 << place for place, cell in enumerate(cells) if mask >> int(cell) & 1)


def _finding(result: int, work: Workspace, before: int = 0) -> Finding:
    attacker_wins = {WINS: True, HOLDS: False}.get(int(result))
    move = int(work.best[1])
    return Finding(
        attacker_wins,
        move if move >= 0 and attacker_wins is not None else None,
        int(work.zone[1]),
        before + int(work.counters[NODES]),
    )
