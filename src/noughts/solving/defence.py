"""Search without a limit of moves: the defender holds for good, or the attacker wins.

The counterpart of `attack`. It settles draws, where the defender must never be beaten, however
long the game, and wins whose length does not matter.

The contract of `defend`:

- *Window.* It has no depth: the question is whether the attacker ever completes a line. The
  effort, in nodes, is the only bound that a caller sets besides the limit.
- *Results.* WINS and HOLDS are proved, whatever the aim and the effort. UNKNOWN says that the
  effort was not enough. STOPPED, by the limit of nodes or by another thread, says nothing about
  the root; all entries in the table stay valid.
- *Table.* First fact: 1 + result (0: not known). Second: the binary digits of the effort that
  was spent. WINS and HOLDS are proved for the position itself; the zone of a win is good for
  `tempo` free moves, that of a defence always. UNKNOWN depends on the aim: a search with no more
  effort and the same aim is not repeated, so each aim has a table of its own.

**Relevance zones** (zones for short, see `attack`) keep the tree small, here for both sides. A
defence, too, relies on few cells: those where the defender plays, and those of the pairs and
lines by which `pairing` ends the search. The attacker's moves elsewhere change nothing, so once
one of the attacker's moves is answered, only moves inside the zone of that answer need another
one.

**Threats of the defender** force the attacker and so take part in a defence. While the attacker
blocks, marks outside the zone must not complete a line of the attacker's instead; so at such a
point the zone must hold two cells of every line that the attacker may still complete.

**Effort and aim.** One good move of one of the sides is enough, and it is usually the first that
is tried; but where it is not, a search could be lost in it for ever. So a search has a deadline.
The first move gets a share of the nodes left, the next one the same share of the rest, and so
on; the whole is repeated with more effort, and the table keeps what was found. Which side's
moves share the effort depends on the aim. To show that the defender holds, the defender's do,
while all of the attacker's moves have to be answered, so that the first doubtful one ends the
node. To show that the attacker wins it is the other way round. Either aim may come upon the
other's result.
"""

from __future__ import annotations

from noughts.kernels import bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.solving.arena import (
    ATTACKER,
    HOLDS,
    NODES,
    OPEN,
    STOPPED,
    UNKNOWN,
    WINS,
    Arena,
    Workspace,
    enter,
    place,
    visit,
)
from noughts.solving.attack import best_cell, counter_zone, judge_cells, threats
from noughts.solving.bits import EMPTY, bit_of, cell_of, lowest, popcount
from noughts.solving.guide import Guide, advise
from noughts.solving.pairing import is_drawn
from noughts.solving.transposition import TranspositionTable, probe, store

__all__ = ["defend", "is_plain_draw"]

_FORCED, _DOUBTFUL = 1, 2  # flags of a node: one move only; some of the moves are undecided
_SHARE, _LEAST_EFFORT = 0.6, 16
_EYE = 0.3
_ADVISED_EFFORT = 8  # with less, the advice would cost more than the search
_ANY_MOVES = 127


@bare_kernel
def defend(
    arena: Arena, table: TranspositionTable, work: Workspace, effort: int, aim: int, guide: Guide
) -> int:
    """Return HOLDS, WINS, UNKNOWN or STOPPED for the prepared position.

    The aim, HOLDS or WINS, is the result that the effort is spent on. The guide says which of
    the attacker's moves to try first; without a placement it says nothing.
    ``work.zone[1]`` holds the zone, ``work.best[1]`` the move that settled it.
    """
    ply = 1
    work.moves[1] = _ANY_MOVES
    work.deadline[1] = work.counters[NODES] + effort
    result = _open(arena, table, work, ply, guide)
    while True:
        while result == OPEN:
            todo = work.todo[ply]
            if work.side[ply] == ATTACKER:
                todo &= ~work.guard[ply]
            cell = best_cell(work.score[ply], todo)
            deadline = _deadline(work, ply) if _chooses(work, ply, aim) else work.deadline[ply]
            work.todo[ply] ^= bit_of(cell)
            place(arena, work, ply, cell)
            work.deadline[ply + 1] = deadline
            if work.side[ply] != ATTACKER and not work.state[ply] & _FORCED:
                work.tempo[ply + 1] += 1
            ply += 1
            result = _open(arena, table, work, ply, guide)
        if ply == 1 or result == STOPPED:
            return result
        ply -= 1
        result = _take(arena, table, work, ply, result, aim)


@bare_kernel
def is_plain_draw(arena: Arena, work: Workspace) -> bool:
    """Return whether pairs and potential alone hold the attacker in the prepared position."""
    enter(work, 1)
    return is_drawn(arena, work, 1, _ANY_MOVES, 0.5 if work.side[1] == ATTACKER else 1.0)


@bare_kernel
def _chooses(work: Workspace, ply: int, aim: int) -> bool:
    """Return whether the aim takes only one good move of the side to move."""
    return bool((work.side[ply] == ATTACKER) == (aim == WINS))


@bare_kernel
def _deadline(work: Workspace, ply: int) -> int:
    """Return the deadline of the next move of the side that chooses."""
    now: int = work.counters[NODES]
    end: int = work.deadline[ply]
    if work.state[ply] & _FORCED:
        return end
    return now + max(int((end - now) * _SHARE), min(end - now, _LEAST_EFFORT))


@bare_kernel
def _open(arena: Arena, table: TranspositionTable, work: Workspace, ply: int, guide: Guide) -> int:
    """Settle a node at once if possible, else set the moves to try and return OPEN."""
    if not visit(work, ply):
        return STOPPED
    side = work.side[ply]
    wins, losses = threats(work, ply)
    if side == ATTACKER:
        if wins != EMPTY:
            work.zone[ply] = lowest(wins)
            work.best[ply] = cell_of(lowest(wins))
            return WINS
        if popcount(losses) > 1:
            first = lowest(losses)
            work.zone[ply] = _with_two_of_each(work, ply, first | lowest(losses ^ first))
            return HOLDS
        forced = losses
    else:
        if losses != EMPTY:
            work.zone[ply] = lowest(losses)
            work.best[ply] = cell_of(lowest(losses))
            return HOLDS
        work.guard[ply] = counter_zone(work, ply, EMPTY)
        if popcount(wins) > 1:
            first = lowest(wins)
            work.zone[ply] = first | lowest(wins ^ first) | work.guard[ply]
            return WINS
        forced = wins
    if work.attacking_count[ply] == 0:
        work.zone[ply] = EMPTY
        return HOLDS
    if forced != EMPTY and side != ATTACKER:
        work.state[ply] = _FORCED
        work.todo[ply] = forced
        return OPEN
    effort = work.deadline[ply] - work.counters[NODES]
    known, spent, tempo, zone = probe(arena, table, work, ply)
    if known == HOLDS + 1 and ply > 1:  # at the root the caller wants to know the move, too
        work.zone[ply] = zone
        return HOLDS
    if known == WINS + 1 and ply > 1:
        work.zone[ply] = zone
        if tempo < work.tempo[ply]:
            work.zone[ply] = arena.full & ~(work.attacker[ply] | work.defender[ply])
        return WINS
    if known == UNKNOWN + 1 and spent >= _magnitude(effort):
        return UNKNOWN
    if is_drawn(arena, work, ply, _ANY_MOVES, 0.5 if side == ATTACKER else 1.0):
        return HOLDS
    if effort < 2:
        return UNKNOWN
    if side == ATTACKER:
        work.zone[ply] = EMPTY
        work.guard[ply] = EMPTY
        if forced != EMPTY:
            work.state[ply] = _FORCED
            work.todo[ply] = forced
            return OPEN
        judge_cells(arena, work, ply, arena.weights, _EYE)
        if effort >= _ADVISED_EFFORT:
            advise(guide, work, ply)
        open_cells, harmless = _harmless(arena, work, ply)
        work.todo[ply] = _line_cells(work, ply)
        work.guard[ply] = harmless
        if work.todo[ply] & ~harmless == EMPTY:
            work.zone[ply] = open_cells
            return HOLDS
    else:
        judge_cells(arena, work, ply, arena.slopes, _EYE)
        work.zone[ply] = work.guard[ply]
        work.todo[ply] = _line_cells(work, ply)
    return OPEN


@bare_kernel
def _take(
    arena: Arena, table: TranspositionTable, work: Workspace, ply: int, result: int, aim: int
) -> int:
    """Take the result of a move; return the node's own result, or OPEN if moves are left."""
    below, bit = work.zone[ply + 1], bit_of(work.cell[ply])
    is_forced = work.state[ply] & _FORCED != 0
    is_attacker = work.side[ply] == ATTACKER
    if result == UNKNOWN:
        work.state[ply] |= _DOUBTFUL
    if (result == WINS) == is_attacker and result != UNKNOWN:  # the move does it
        work.best[ply] = work.cell[ply]
        work.zone[ply] = below | bit
        if is_forced and not is_attacker:
            return result
    elif is_forced:
        if not is_attacker:
            work.zone[ply] = below | bit | work.guard[ply]
            return result
        if result == HOLDS:
            work.zone[ply] = _with_two_of_each(work, ply, below | bit)
    else:
        if result != UNKNOWN:  # what does not touch the answer to this move is answered, too
            work.zone[ply] |= below
            work.todo[ply] &= below
        left = work.todo[ply]
        if is_attacker:
            left &= ~work.guard[ply]
        if left != EMPTY:
            chooses = _chooses(work, ply, aim)
            if work.counters[NODES] < work.deadline[ply] if chooses else result != UNKNOWN:
                return OPEN
            work.state[ply] |= _DOUBTFUL
        result = HOLDS if is_attacker else WINS
        if work.state[ply] & _DOUBTFUL:
            result = UNKNOWN
        elif is_attacker and work.todo[ply] != EMPTY:
            open_cells, _ = _harmless(arena, work, ply)
            work.zone[ply] |= open_cells
    spent = _magnitude(work.deadline[ply] - work.begin[ply])
    store(arena, table, work, ply, result + 1, spent, work.tempo[ply], work.zone[ply])
    return result


@bare_kernel
def _magnitude(effort: int) -> int:
    """Return the number of binary digits of an effort; it has to fit in a byte."""
    digits = 0
    while effort > 0:
        effort >>= 1
        digits += 1
    return digits


@bare_kernel
def _line_cells(work: Workspace, ply: int) -> np.uint64:
    """Return the empty cells of all lines that are open to either side."""
    cells = EMPTY
    for i in range(work.attacking_count[ply]):
        cells |= work.attacking[ply, i]
    for i in range(work.defending_count[ply]):
        cells |= work.defending[ply, i]
    marks: np.uint64 = work.attacker[ply] | work.defender[ply]
    return cells & ~marks


@bare_kernel
def _harmless(arena: Arena, work: Workspace, ply: int) -> tuple[np.uint64, np.uint64]:
    """Return the empty cells of the attacker's lines, and those after which the potential is low.

    A move doubles the weight of the lines through its cell. If the sum then is still below 1,
    the defender holds, and the move needs no search.
    """
    a = work.attacker[ply]
    weight = work.weight[ply]
    weight[: arena.cells] = 0.0
    total = 0.0
    open_cells = EMPTY
    for i in range(work.attacking_count[ply]):
        rest = work.attacking[ply, i] & ~a
        open_cells |= rest
        share = arena.weights[popcount(rest)]
        total += share
        while rest != EMPTY:
            bit = lowest(rest)
            rest ^= bit
            weight[cell_of(bit)] += share
    harmless = EMPTY
    for cell in range(arena.cells):
        if total + weight[cell] < 1.0:
            harmless |= bit_of(cell)
    return open_cells, harmless


@bare_kernel
def _with_two_of_each(work: Workspace, ply: int, zone: np.uint64) -> np.uint64:
    """Return the zone with two empty cells of every line that the attacker may complete."""
    for i in range(work.attacking_count[ply]):
        rest = work.attacking[ply, i] & ~work.attacker[ply]
        while popcount(rest & zone) < 2:
            zone |= lowest(rest & ~zone)
    return zone
