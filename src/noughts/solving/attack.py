"""Depth-limited search for a forced win, within m moves of the attacker.

The contract of `attack`:

- *Window.* It answers one yes-or-no question, whether the attacker completes a line with at
  most m own moves against every defence. Deepening m step by step finds the shortest win.
- *Results.* WINS and HOLDS (not within m moves) are proved. STOPPED, by the limit of nodes or by
  another thread, says nothing about the root; all entries in the table stay valid.
- *Table.* First fact: the attacker wins within that many moves (0: not known). Second: it does
  not win within that many. Zone and tempo belong to the win. Entries are proved for the
  position itself, whatever path led there, so they serve any later question.

Three ideas make the tree small.

**Forced moves.** A side that can complete a line does so. A side that cannot must block if its
opponent threatens to. Two threats at once win.

**Relevance zones** (zones for short). A win relies on few cells: those where the attacker plays
and those where the defender must answer. The search first finds a win against a defender who
*passes*. An extra mark never hurts, so if there is none, the defender holds with any move. If
there is one, only moves inside its zone can refute it: it works unchanged against all others.

**Tempo.** That is not the whole truth: marks outside the zone may give the defender a line.
Every time that the defender may move freely, one such mark can appear. So at each point of a
win where the defender is to move, after t free moves, the zone must contain the empty cells of
all of the defender's lines with at most t + 1 cells to go: then no line can be completed from
outside. A stored zone is good for as many free moves as it was made for; that is its tempo.

Lines that need more moves than the attacker has left do not count.
"""

from __future__ import annotations

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.solving.arena import (
    ATTACKER,
    HOLDS,
    OPEN,
    STOPPED,
    WINS,
    Arena,
    Workspace,
    place,
    visit,
)
from noughts.solving.bits import EMPTY, ONE, bit_of, cell_of, lowest, popcount
from noughts.solving.pairing import is_drawn
from noughts.solving.transposition import TranspositionTable, probe, store

__all__ = ["attack", "best_cell", "counter_zone", "judge_cells", "threats"]

_CHOOSING, _FORCED, _PASSING = 0, 1, 2  # a node's state
_ATTACKER_EYE, _DEFENDER_EYE = 0.3, 0.5
"""How much the defender's lines count when the moves of either side are ordered."""


@bare_kernel
def attack(arena: Arena, table: TranspositionTable, work: Workspace, moves: int) -> int:
    """Return WINS, HOLDS or STOPPED: whether the attacker wins within `moves` own moves.

    The position is the prepared one. ``work.zone[1]`` holds the zone of a win, ``work.best[1]``
    the move that settled it.
    """
    ply = 1
    work.moves[1] = moves
    result = _open(arena, table, work, ply)
    while True:
        while result == OPEN:
            cell = -1
            if work.state[ply] != _PASSING:
                cell = best_cell(work.score[ply], work.todo[ply])
                work.todo[ply] ^= bit_of(cell)
            place(arena, work, ply, cell)
            if cell < 0:
                work.tempo[ply + 1] += 1
            ply += 1
            result = _open(arena, table, work, ply)
        if ply == 1 or result == STOPPED:
            return result
        ply -= 1
        result = _take(arena, table, work, ply, result)


@bare_kernel
def _open(arena: Arena, table: TranspositionTable, work: Workspace, ply: int) -> int:
    """Settle a node at once if possible, else set the moves to try and return OPEN."""
    if not visit(work, ply):
        return STOPPED
    side, moves, tempo = work.side[ply], work.moves[ply], work.tempo[ply]
    wins, losses = threats(work, ply)
    if side == ATTACKER:
        if wins != EMPTY:
            work.zone[ply] = lowest(wins)
            work.best[ply] = cell_of(lowest(wins))
            return WINS
        if moves == 1 or popcount(losses) > 1:
            return HOLDS
    else:
        if losses != EMPTY:
            work.best[ply] = cell_of(lowest(losses))
            return HOLDS
        work.zone[ply] = counter_zone(work, ply, EMPTY)
        if popcount(wins) > 1:
            first = lowest(wins)
            work.zone[ply] |= first | lowest(wins ^ first)
            return WINS
        if wins != EMPTY:
            work.state[ply] = _FORCED
            work.zone[ply] |= wins
            work.todo[ply] = wins
            return OPEN
        if moves == 1:
            return HOLDS
    bound = 0.5 if side == ATTACKER else 1.0
    total, useful = weigh(arena, work, ply)
    if total < bound:
        return HOLDS
    if side == ATTACKER and moves == 2:
        return _double_threat(work, ply, losses)
    quickest, longest, known_tempo, zone = probe(arena, table, work, ply)
    if longest >= moves:
        return HOLDS
    if 0 < quickest <= moves and ply > 1:  # at the root the caller wants to know the move, too
        work.zone[ply] = zone
        if known_tempo < tempo:
            work.zone[ply] = arena.full & ~(work.attacker[ply] | work.defender[ply])
        return WINS
    if is_drawn(arena, work, ply, moves, bound):
        return HOLDS
    if side == ATTACKER:
        work.state[ply] = _CHOOSING
        work.todo[ply] = losses if losses != EMPTY else useful
        judge_cells(arena, work, ply, arena.weights, _ATTACKER_EYE)
    else:
        work.state[ply] = _PASSING
        work.zone[ply] = counter_zone(work, ply, EMPTY)
        judge_cells(arena, work, ply, arena.weights, _DEFENDER_EYE)
    return OPEN


@bare_kernel
def _take(arena: Arena, table: TranspositionTable, work: Workspace, ply: int, result: int) -> int:
    """Take the result of a move; return the node's own result, or OPEN if moves are left."""
    if work.side[ply] == ATTACKER:
        if result == WINS:
            work.best[ply] = work.cell[ply]
            work.zone[ply] = work.zone[ply + 1] | bit_of(work.cell[ply])
        elif work.todo[ply] != EMPTY:
            return OPEN
    elif result == HOLDS:
        work.best[ply] = work.cell[ply]
    else:
        work.zone[ply] |= work.zone[ply + 1]
        if work.state[ply] == _PASSING:
            work.state[ply] = _CHOOSING
            work.todo[ply] = work.zone[ply + 1]
        if work.todo[ply] != EMPTY:
            return OPEN
    if work.state[ply] != _FORCED:
        quickest, longest, tempo, zone = probe(arena, table, work, ply)
        if result == WINS:
            quickest, tempo, zone = work.moves[ply], work.tempo[ply], work.zone[ply]
        else:
            longest = work.moves[ply]
        store(arena, table, work, ply, quickest, longest, tempo, zone)
    return result


@bare_kernel
def threats(work: Workspace, ply: int) -> tuple[np.uint64, np.uint64]:
    """Return the cells that complete a line for the attacker, and those for the defender."""
    a, d = work.attacker[ply], work.defender[ply]
    wins = losses = EMPTY
    for i in range(work.attacking_count[ply]):
        rest = work.attacking[ply, i] & ~a
        if rest & (rest - ONE) == EMPTY:
            wins |= rest
    for i in range(work.defending_count[ply]):
        rest = work.defending[ply, i] & ~d
        if rest & (rest - ONE) == EMPTY:
            losses |= rest
    return wins, losses


@bare_kernel
def counter_zone(work: Workspace, ply: int, blocked: np.uint64) -> np.uint64:
    """Return the empty cells of the defender's lines that free marks and a move could complete."""
    d, tempo = work.defender[ply], work.tempo[ply]
    zone = EMPTY
    for i in range(work.defending_count[ply]):
        line = work.defending[ply, i]
        rest = line & ~d
        if line & blocked == EMPTY and popcount(rest) <= tempo + 1:
            zone |= rest
    return zone


@bare_kernel
def weigh(arena: Arena, work: Workspace, ply: int) -> tuple[float, np.uint64]:
    """Return the attacker's potential, and the cells of both sides' lines that still matter.

    A move on any other cell is as good as a pass.
    """
    a, d, moves = work.attacker[ply], work.defender[ply], work.moves[ply]
    total = 0.0
    useful = EMPTY
    for i in range(work.attacking_count[ply]):
        rest = work.attacking[ply, i] & ~a
        to_go = popcount(rest)
        if to_go <= moves:
            total += arena.weights[to_go]
            useful |= rest
    for i in range(work.defending_count[ply]):
        rest = work.defending[ply, i] & ~d
        if popcount(rest) < moves:
            useful |= rest
    return total, useful


@bare_kernel
def _double_threat(work: Workspace, ply: int, forced: np.uint64) -> int:
    """Return whether one move makes two threats at once; it must be on `forced`, if not empty."""
    a = work.attacker[ply]
    partner = work.partner
    seen = EMPTY
    for i in range(work.attacking_count[ply]):
        rest = work.attacking[ply, i] & ~a
        if popcount(rest) != 2:
            continue
        for bit in (lowest(rest), rest ^ lowest(rest)):
            cell = cell_of(bit)
            if seen & bit == EMPTY:
                seen |= bit
                partner[cell] = EMPTY
            partner[cell] |= rest ^ bit
            if popcount(partner[cell]) > 1 and forced & ~bit == EMPTY:
                work.zone[ply] = bit | partner[cell] | counter_zone(work, ply, bit)
                work.best[ply] = cell
                return WINS
    return HOLDS


@bare_kernel
def judge_cells(
    arena: Arena, work: Workspace, ply: int, weights: NDArray[np.float64], other: float
) -> None:
    """Score every cell by the lines through it; `other` is what the defender's lines count.

    Of equals the one nearest to the middle is best: on a long board many cells have the same lines.
    """
    a, d = work.attacker[ply], work.defender[ply]
    score = work.score[ply]
    for cell in range(arena.cells):
        score[cell] = arena.nearness[cell]
    for i in range(work.attacking_count[ply]):
        rest = work.attacking[ply, i] & ~a
        weight = weights[popcount(rest)]
        while rest != EMPTY:
            bit = lowest(rest)
            rest ^= bit
            score[cell_of(bit)] += weight
    for i in range(work.defending_count[ply]):
        rest = work.defending[ply, i] & ~d
        weight = arena.weights[popcount(rest)] * other
        while rest != EMPTY:
            bit = lowest(rest)
            rest ^= bit
            score[cell_of(bit)] += weight


@bare_kernel
def best_cell(score: NDArray[np.float64], cells: np.uint64) -> int:
    """Return the cell with the highest score."""
    best = -1
    while cells != EMPTY:
        bit = lowest(cells)
        cells ^= bit
        cell = cell_of(bit)
        if best < 0 or score[cell] > score[best]:
            best = cell
    return best
