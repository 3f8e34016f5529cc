"""Writes proofs for the tests of the checker: by brute force, with nothing of the solver.

`Truth` knows who wins by looking at everything. `Book` collects the nodes of a file.
`winning_proof` and `drawing_proof` write true proofs of small games; `Guesser` writes
strategies at random, right and wrong ones, for the checker to sort out.

A position is two masks, ours and theirs, and whether it is our turn. Nothing asks whether a
game could lead there: what the checker says of zones is about any marks.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from noughts.rules.grid import cells_of, grid_of
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry
from support import oracle

Shape = tuple[int, int, int]
Sides = tuple[int, int, bool]
"""Our marks, theirs, and whether it is our turn."""

WINS, HOLDS = "wins", "holds"


# -- the truth ---------------------------------------------------------------------------


class Truth:
    """Who wins and who holds on a small grid, by trying everything."""

    def __init__(self, rows: int, cols: int, k: int) -> None:
        self.shape = rows, cols, k
        self.full = (1 << rows * cols) - 1
        self.lines = [
            sum(1 << cell for cell in line)
            for line in sorted(map(sorted, oracle.lines(rows, cols, k)))
        ]
        self._holds: dict[Sides, bool] = {}
        self._wins: dict[tuple[Sides, int], bool] = {}

    def free(self, us: int, them: int) -> list[int]:
        return cells_of(self.full & ~(us | them))

    def has_line(self, cells: int) -> bool:
        return any(line & cells == line for line in self.lines)

    def holds(self, us: int, them: int, ours: bool) -> bool:
        """Return whether we can keep them from completing a line before we do."""
        key = us, them, ours
        if key not in self._holds:
            free = self.free(us, them)
            if ours:
                after = [us | 1 << cell for cell in free]
                self._holds[key] = not free or any(
                    self.has_line(mine) or self.holds(mine, them, False) for mine in after
                )
            else:
                after = [them | 1 << cell for cell in free]
                self._holds[key] = not any(map(self.has_line, after)) and all(
                    self.holds(us, theirs, True) for theirs in after
                )
        return self._holds[key]

    def win(self, us: int, them: int, ours: bool) -> int | None:
        """Return in how many plies we can force a line, or None."""
        most = len(self.free(us, them))
        return next((n for n in range(1, most + 1) if self.wins_in(us, them, ours, n)), None)

    def wins_in(self, us: int, them: int, ours: bool, plies: int) -> bool:
        """Return whether we can force a line within so many plies."""
        key = (us, them, ours), plies
        if plies > 0 and key not in self._wins:
            free = self.free(us, them)
            if ours:
                self._wins[key] = any(
                    self.has_line(us | 1 << cell)
                    or self.wins_in(us | 1 << cell, them, False, plies - 1)
                    for cell in free
                )
            else:
                self._wins[key] = bool(free) and all(
                    not self.has_line(them | 1 << cell)
                    and self.wins_in(us, them | 1 << cell, True, plies - 1)
                    for cell in free
                )
        return plies > 0 and self._wins[key]


def sides(position: GridPosition, player: Player) -> Sides:
    """Return a position as `player` sees it."""
    x, o = position.x, position.o
    us, them = (x, o) if player is Player.X else (o, x)
    return us, them, position.turn is player


def random_sides(truth: Truth, rng: random.Random) -> Sides:
    """Return a position that some game reaches and in which it still goes on."""
    while True:
        marks = [0, 0]
        order = rng.sample(range(truth.full.bit_length()), rng.randrange(truth.full.bit_length()))
        for ply, cell in enumerate(order):
            marks[ply % 2] |= 1 << cell
        if not any(map(truth.has_line, marks)):
            we = rng.randrange(2)
            return marks[we], marks[1 - we], len(order) % 2 == we


# -- files -------------------------------------------------------------------------------


def signed(lines: Iterable[str]) -> bytes:
    """Return a file of these lines, with a digest behind them."""
    data = "".join(f"{line}\n" for line in lines).encode()
    return data + f"sha256 {hashlib.sha256(data).hexdigest()}\n".encode()


def proof_file(
    position: str, claim: str, roots: dict[str, int], nodes: Iterable[Any], plies: int | None = None
) -> bytes:
    """Return a proof file; what is in it is for the checker to judge."""
    header = {"position": position, "claim": claim, "plies": plies, "roots": roots}
    return signed(["noughts proof 1", *(json.dumps(item) for item in [header, *nodes])])


class Book:
    """The nodes of a file, each kept once."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self._numbers: dict[str, int] = {}

    def add(self, *node: Any) -> int:
        text = json.dumps(node)
        if text not in self._numbers:
            self._numbers[text] = len(self.nodes)
            self.nodes.append(list(node))
        return self._numbers[text]

    def pruned(self, roots: dict[str, int]) -> tuple[dict[str, int], list[Any]]:
        """Return the roots and the nodes that they need, numbered anew."""
        needed = set(roots.values())
        for number in range(len(self.nodes) - 1, -1, -1):
            if number in needed:
                needed.update(references(self.nodes[number]))
        numbers = {number: index for index, number in enumerate(sorted(needed))}
        nodes = [renumbered(self.nodes[number], numbers) for number in sorted(needed)]
        return {player: numbers[root] for player, root in roots.items()}, nodes


def references(node: Any) -> list[int]:
    """Return the nodes that a node refers to."""
    kind = node[0]
    found = list(node[1].values()) if kind in ("answer", "moves") else []
    if kind in ("play", "reply", "answer", "turned", "forced"):
        found.append(node[2])
    return [number for number in found if number is not None]


def renumbered(node: Any, numbers: dict[int, int]) -> Any:
    """Return a node with its references replaced."""
    kind = node[0]
    node = list(node)
    if kind in ("answer", "moves"):
        node[1] = {cell: numbers[number] for cell, number in node[1].items()}
    if kind in ("play", "reply", "answer", "turned", "forced") and node[2] is not None:
        node[2] = numbers[node[2]]
    return node


# -- true proofs -------------------------------------------------------------------------


class Prover:
    """Writes strategies of which it knows that they are right, where there are any.

    Where there is none it does its best, for the checker to find what is wrong with it.
    """

    def __init__(self, truth: Truth, *, turning: bool = False) -> None:
        self.truth = truth
        self.book = Book()
        self.turning = turning
        self._done: dict[tuple[str, Sides], int] = {}

    def strategy(self, aim: str, us: int, them: int, ours: bool) -> int:
        """Return the node of a winning (`WINS`) or holding (`HOLDS`) strategy."""
        key = aim, (us, them, ours)
        if key not in self._done:
            rows, cols, _ = self.truth.shape
            twins = {
                symmetry: (symmetry.apply(us, rows, cols), symmetry.apply(them, rows, cols))
                for symmetry in grid_of(rows, cols, 1).symmetries
            }
            best = min(twins, key=lambda symmetry: twins[symmetry])
            if self.turning and best is not Symmetry.IDENTITY:
                node = self.strategy(aim, *twins[best], ours)
                self._done[key] = self.book.add("turned", best.name, node)
            else:
                write = self._win if aim == WINS else self._hold
                self._done[key] = write(us, them, ours)
        return self._done[key]

    def _win(self, us: int, them: int, ours: bool) -> int:
        truth, book = self.truth, self.book
        free = truth.free(us, them)
        if truth.has_line(them) or not free:
            return book.add("play", 0, None)
        if ours:
            plies = truth.win(us, them, True) or 0
            winning = (
                cell
                for cell in free
                if truth.has_line(us | 1 << cell)
                or truth.wins_in(us | 1 << cell, them, False, plies - 1)
            )
            best = next(winning, free[0])
            mine = us | 1 << best
            won = truth.has_line(mine)
            return book.add("play", best, None if won else self.strategy(WINS, mine, them, False))
        replies = {cell: self.strategy(WINS, us, them | 1 << cell, True) for cell in free}
        default = Counter(replies.values()).most_common(1)[0][0]
        listed = {str(cell): node for cell, node in replies.items() if node != default}
        return book.add("answer", listed, default)

    def _hold(self, us: int, them: int, ours: bool) -> int:
        truth, book = self.truth, self.book
        free = truth.free(us, them)
        if truth.has_line(them) or not free:
            return book.add("static", [])
        ours_at = [cell for cell in free if truth.has_line(us | 1 << cell)]
        if ours:
            if ours_at:
                return book.add("reply", ours_at[0], None)
            holding = (cell for cell in free if truth.holds(us | 1 << cell, them, False))
            best = next(holding, free[0])
            return book.add("reply", best, self.strategy(HOLDS, us | 1 << best, them, False))
        if len(ours_at) > 1:
            return book.add("double", *ours_at[:2])
        if ours_at:
            cell = ours_at[0]
            return book.add("forced", cell, self.strategy(HOLDS, us, them | 1 << cell, True))
        nodes = {str(c): self.strategy(HOLDS, us, them | 1 << c, True) for c in free}
        return book.add("moves", nodes)


def true_proof(text: str, truth: Truth, *, turning: bool = False) -> tuple[bytes, str, int | None]:
    """Return a proof of a position's value, the value, and in how many plies."""
    position = GridPosition.parse(text)
    turn = position.turn
    prover = Prover(truth, turning=turning)
    for claim, player in (("win", turn), ("loss", turn.other)):
        seen = sides(position, player)
        plies = truth.win(*seen)
        if plies is not None:
            roots, nodes = prover.book.pruned({player: prover.strategy(WINS, *seen)})
            return proof_file(text, claim, roots, nodes, plies), claim, plies
    roots = {player.value: prover.strategy(HOLDS, *sides(position, player)) for player in Player}
    roots, nodes = prover.book.pruned(roots)
    return proof_file(text, "draw", roots, nodes), "draw", None


def pairing(lines: Iterable[Iterable[int]]) -> list[list[int]]:
    """Return a pair of cells for every line, no cell in two of them, by augmenting paths."""
    sets = [list(line) for line in lines]
    owner: dict[int, int] = {}

    def place(line: int, seen: set[int]) -> bool:
        for cell in sets[line]:
            if cell not in seen:
                seen.add(cell)
                if cell not in owner or place(owner[cell], seen):
                    owner[cell] = line
                    return True
        return False

    for line in range(len(sets)):  # each line wants two cells
        for _ in range(2):
            if not place(line, set()):
                raise ValueError("there is no pairing")
    pairs = [[cell for cell, line in owner.items() if line == n] for n in range(len(sets))]
    return [sorted(pair) for pair in pairs]


# -- guesses -----------------------------------------------------------------------------


class Guesser:
    """Looks for any holding strategy that the checker accepts, whether we hold or not.

    `checker` is the module `noughts.solving.verify`, or a copy with a mistake in it. The
    guesser knows nothing of who holds, so where the checker has a hole, this falls into it.
    `zones` has every zone that the checker found.
    """

    def __init__(self, checker: Any, truth: Truth, rng: random.Random, *, patience: int = 300):
        self.checker, self.truth, self.rng, self.patience = checker, truth, rng, patience
        start = GridPosition(grid_of(*truth.shape), 0, 0)
        proof = checker.Proof(start, "draw", None, {}, [])
        zones: dict[tuple[int, int, int, bool], int] = {}

        class Recording(checker.Holding):  # type: ignore[misc]  # the module is not known to mypy
            def key(self, number: int, us: int, them: int) -> Any:
                return number, us, them  # nodes are still being added

            def zone(self, number: int, us: int, them: int, *, our_turn: bool) -> int:
                zone: int = super().zone(number, us, them, our_turn=our_turn)
                zones[number, us, them, our_turn] = zone
                return zone

        self.holding = Recording(proof, Player.X)
        self.nodes: list[Any] = proof.nodes
        self.zones = zones

    def offer(self, node: Any, us: int, them: int, ours: bool) -> int | None:
        """Return the number of a node that the checker accepts, or None."""
        self.nodes.append(node)
        number = len(self.nodes) - 1
        try:
            self.holding.zone(number, us, them, our_turn=ours)
        except ValueError:
            return None
        return number

    def guess(self, us: int, them: int, ours: bool) -> int | None:
        """Return the number of an accepted node for this position, or None."""
        self.patience -= 1
        if self.patience < 0:
            return None
        if self.rng.random() < 0.1:
            rows, cols, k = self.truth.shape
            symmetry = self.rng.choice(grid_of(rows, cols, k).symmetries)
            turned = [symmetry.apply(marks, rows, cols) for marks in (us, them)]
            node = self.guess(turned[0], turned[1], ours)
            if node is None:
                return None
            return self.offer(self.checker.Turned(symmetry, node), us, them, ours)
        if self.rng.random() < 0.25:
            found = self.offer(self._static(us, them), us, them, ours)
            if found is not None:
                return found
        return self._ours(us, them) if ours else self._theirs(us, them)

    def _static(self, us: int, them: int) -> Any:
        pairs: list[tuple[int, int]] = []
        used = us | them
        lines = [line for line in self.truth.lines if not line & us]
        self.rng.shuffle(lines)
        for line in lines[: self.rng.choice([0, 0, 1, 2, 3, 9])]:
            reach = line if self.rng.random() < 0.9 else self.truth.full  # or a useless pair
            cells = cells_of(reach & ~used)
            if len(cells) > 1:
                one, two = self.rng.sample(cells, 2)
                pairs.append((one, two))
                used |= 1 << one | 1 << two
        return self.checker.Static(pairs)

    def _ours(self, us: int, them: int) -> int | None:
        free = self.truth.free(us, them)
        self.rng.shuffle(free)
        for cell in free[:4]:
            if self.truth.has_line(us | 1 << cell):
                return self.offer(self.checker.Reply(cell, None), us, them, True)
            node = self.guess(us | 1 << cell, them, False)
            if node is not None:
                found = self.offer(self.checker.Reply(cell, node), us, them, True)
                if found is not None:
                    return found
        return self.offer(self.checker.Static([]), us, them, True)

    def _theirs(self, us: int, them: int) -> int | None:
        free = self.truth.free(us, them)
        threats = [cell for cell in free if self.truth.has_line(us | 1 << cell)]
        if len(threats) > 1 and self.rng.random() < 0.5:
            return self.offer(self.checker.Double(*self.rng.sample(threats, 2)), us, them, False)
        if threats and self.rng.random() < 0.5:
            cell = self.rng.choice(threats)
            node = self.guess(us, them | 1 << cell, True)
            if node is None:
                return None
            return self.offer(self.checker.Forced(cell, node), us, them, False)
        listed: dict[int, int] = {}
        unanswered = self.truth.full
        while True:  # list one move after another, until the checker is satisfied
            found = self.offer(self.checker.Moves(dict(listed)), us, them, False)
            left = [cell for cell in free if cell not in listed]
            if found is not None or not left:
                return found
            cell = self.rng.choice([cell for cell in left if unanswered >> cell & 1] or left)
            node = self.guess(us, them | 1 << cell, True)
            if node is None:
                return None
            listed[cell] = node
            unanswered &= self.zones[node, us, them | 1 << cell, True]

    def broken(self) -> list[tuple[Any, Sides, int]]:
        """Return every zone of which the lemma in docs/proofs.md is not true.

        It says that we hold even if all cells outside the zone are theirs. Where our reply
        completes a line, it only says so where they have no line yet.
        """
        found = []
        for (number, us, them, ours), zone in self.zones.items():
            theirs = them | self.truth.full & ~(us | zone)
            has_line = self.truth.has_line(theirs)
            node = self.nodes[number]
            while isinstance(node, self.checker.Turned):
                node = self.nodes[node.node]
            wins_now = isinstance(node, self.checker.Reply) and self.truth.has_line(us | zone)
            if zone & (us | them) or (has_line and not wins_now):
                fine = False
            else:
                fine = wins_now or self.truth.holds(us, theirs, ours)
            if not fine:
                found.append((self.nodes[number], (us, them, ours), zone))
        return found


class WinGuesser:
    """Looks for any winning strategy that the checker accepts, whether we win or not."""

    def __init__(self, checker: Any, truth: Truth, rng: random.Random, *, patience: int = 200):
        self.checker, self.truth, self.rng, self.patience = checker, truth, rng, patience
        start = GridPosition(grid_of(*truth.shape), 0, 0)

        class Growing(checker.Winning):  # type: ignore[misc]  # the module is not known to mypy
            def key(self, number: int, us: int, them: int) -> Any:
                return number, us, them  # nodes are still being added

        self.proof = checker.Proof(start, "win", None, {}, [])
        self.winning = Growing(self.proof, Player.X)
        self.pool: dict[bool, list[int]] = {True: [], False: []}
        self.found: list[tuple[int, Sides, int]] = []
        """Every accepted node with its position and the plies that the checker gave it."""

    def accepted(self, number: int, us: int, them: int, ours: bool) -> bool:
        """Return whether the checker accepts a node here."""
        try:
            first = self.winning.we if ours else self.winning.they
            plies = first(number, us, them, self.winning.lines)
            self.found.append((number, (us, them, ours), plies))
        except ValueError:
            return False
        return True

    def offer(self, node: Any, us: int, them: int, ours: bool) -> int | None:
        """Return the number of a node that the checker accepts, or None."""
        self.proof.nodes.append(node)
        number = len(self.proof.nodes) - 1
        if not self.accepted(number, us, them, ours):
            return None
        self.pool[ours].append(number)
        return number

    def guess(self, us: int, them: int, ours: bool) -> int | None:
        """Return the number of an accepted node for this position, or None."""
        self.patience -= 1
        if self.patience < 0:
            return None
        for number in self.rng.sample(self.pool[ours], min(3, len(self.pool[ours]))):
            if self.accepted(number, us, them, ours):  # what won elsewhere may win here
                return number
        if self.rng.random() < 0.1:
            rows, cols, k = self.truth.shape
            symmetry = self.rng.choice(grid_of(rows, cols, k).symmetries)
            turned = [symmetry.apply(marks, rows, cols) for marks in (us, them)]
            node = self.guess(turned[0], turned[1], ours)
            if node is None:
                return None
            return self.offer(self.checker.Turned(symmetry, node), us, them, ours)
        free = self.truth.free(us, them)
        self.rng.shuffle(free)
        if ours:
            now = [cell for cell in free if self.truth.has_line(us | 1 << cell)]
            if now:
                return self.offer(self.checker.Play(now[0], None), us, them, True)
            for cell in free[:4]:
                node = self.guess(us | 1 << cell, them, False)
                if node is not None:
                    return self.offer(self.checker.Play(cell, node), us, them, True)
            return self.offer(self.checker.Play(free[0], None), us, them, True) if free else None
        table: dict[int, int] = {}
        for cell in free:
            over = self.truth.has_line(them | 1 << cell)
            node = None if over else self.guess(us, them | 1 << cell, True)
            if node is None:
                break  # the checker must notice that an answer is missing, or is wrong
            table[cell] = node
        default = self.rng.choice(list(table.values())) if table else None
        for cell in free[: self.rng.randrange(len(free) + 1)]:
            if table.get(cell) == default:
                table.pop(cell, None)
        return self.offer(self.checker.Answer(table, default), us, them, False)

    def broken(self) -> list[tuple[Any, Sides, int]]:
        """Return every node that was accepted although we do not win so quickly."""
        return [
            (self.proof.nodes[number], seen, plies)
            for number, seen, plies in self.found
            if not self.truth.wins_in(*seen, plies)
        ]
