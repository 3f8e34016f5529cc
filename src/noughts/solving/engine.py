"""The two searches on positions of one grid, with all that they remember."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from noughts.kernels import NDArray, np, wrapping  # isort: skip  - says which extra is missing

from noughts import kernels
from noughts.errors import LimitExceeded
from noughts.rules.grid import Grid
from noughts.rules.player import Player
from noughts.rules.position import Position
from noughts.solving.arena import (
    ATTACKER,
    DEFENDER,
    HOLDS,
    MAX_CELLS,
    NODES,
    PAIRS,
    STOP,
    WINS,
    Memory,
    Workspace,
    arena_of,
    new_memory,
    new_workspace,
    prepare,
)
from noughts.solving.attack import attack
from noughts.solving.defence import defend

__all__ = ["Engine", "Finding", "Search", "needs_compiling"]

_NO_LIMIT = 1 << 62


class Search(StrEnum):
    """The two searches."""

    ATTACK = "attack"
    DEFENCE = "defence"


@dataclass(frozen=True)
class Finding:
    """What a search found: whether the attacker wins or is held, or neither (None).

    `move` settled it, where there is such a move; `zone` are the cells relied on, and `pairs`
    the pairs of cells by which a defence that needed no search holds.
    """

    attacker_wins: bool | None
    move: int | None
    zone: int
    nodes: int
    pairs: tuple[tuple[int, int], ...] = ()


class Engine:
    """Runs the searches. Each has its own workspace, so that they can run side by side."""

    def __init__(self, grid: Grid, memory: int) -> None:
        if grid.cells > MAX_CELLS:
            most = f"at most {MAX_CELLS} cells can be solved, and {grid} has {grid.cells:,}"
            raise LimitExceeded(f"the board is too large: {most}")
        self.arena = arena_of(grid)
        self._share = memory // 4  # two searches, two attackers
        self._memories: dict[tuple[Search, Player], Memory] = {}
        self._workspaces = {search: new_workspace(self.arena) for search in Search}

    def attack(
        self, position: Position, attacker: Player, moves: int, limit: int = _NO_LIMIT
    ) -> Finding:
        """Ask whether `attacker` wins within `moves` own moves, visiting at most `limit` nodes."""
        memory = self._memory(Search.ATTACK, attacker)
        work = self._prepare(Search.ATTACK, position, attacker, limit)
        with wrapping():
            result = attack(self.arena, memory, work, moves)
        return _finding(result, work)

    def defend(self, position: Position, attacker: Player, effort: int = _NO_LIMIT) -> Finding:
        """Ask whether `attacker` can be held for good, with about so much effort."""
        memory = self._memory(Search.DEFENCE, attacker)
        work = self._prepare(Search.DEFENCE, position, attacker, _NO_LIMIT)
        work.counters[PAIRS] = 0
        with wrapping():
            result = defend(self.arena, memory, work, effort)
        return _finding(result, work)

    def stop(self, stopping: bool = True) -> None:
        """Make running searches give up, and later ones at once; or allow searches again."""
        for work in self._workspaces.values():
            work.counters[STOP] = stopping

    def _prepare(
        self, search: Search, position: Position, attacker: Player, limit: int
    ) -> Workspace:
        work = self._workspaces[search]
        masks = (position.x, position.o) if attacker is Player.X else (position.o, position.x)
        side = ATTACKER if position.turn is attacker else DEFENDER
        prepare(self.arena, work, side, *masks, limit)
        return work

    def _memory(self, search: Search, attacker: Player) -> Memory:
        key = search, attacker
        if key not in self._memories:
            self._memories[key] = new_memory(self._share)
        return self._memories[key]

    # -- keeping what cost most ----------------------------------------------------------

    def dump(self, most: int) -> dict[str, list[list[str]]]:
        """Return the remembered positions that took the most work, as plain data."""
        kept = {}
        for (search, attacker), memory in self._memories.items():
            work = memory.facts >> np.uint64(32)
            floor = 1000
            slots = np.flatnonzero(work >= floor)
            slots = slots[np.argsort(work[slots])[::-1][:most]]
            kept[f"{search}/{attacker}"] = [
                [f"{word:x}" for word in (slot, *(int(column[slot]) for column in memory))]
                for slot in slots.tolist()
            ]
        return kept

    def load(self, kept: dict[str, list[list[str]]]) -> None:
        """Remember what `dump` returned; the grid and the amount of memory must be the same."""
        for key, rows in kept.items():
            search, attacker = key.split("/")
            memory = self._memory(Search(search), Player(attacker))
            for row in rows:
                slot, *words = (int(word, 16) for word in row)
                for column, word in zip(memory, words, strict=True):
                    column[slot] = word


def needs_compiling() -> bool:
    """Return whether the first search will compile its kernels."""
    return kernels.needs_compiling(attack) or kernels.needs_compiling(defend)


def _finding(result: int, work: Workspace) -> Finding:
    move = int(work.best[1])
    pairs: NDArray[np.int64] = work.pairs[: work.counters[PAIRS]]
    return Finding(
        {WINS: True, HOLDS: False}.get(int(result)),
        move if move >= 0 else None,
        int(work.zone[1]),
        int(work.counters[NODES]),
        tuple((int(p), int(q)) for p, q in pairs),
    )
