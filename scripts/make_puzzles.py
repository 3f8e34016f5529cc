"""Make the puzzles that come with noughts: ``python scripts/make_puzzles.py``.

Levels play each other, and every position of their games is tried: `puzzle_at` solves all of its
moves. A win is taken only if the last move gave it away. Of what is found, up to symmetry, the
set takes some of each kind and difficulty. The seed is fixed, so the same set is made each time.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from noughts import Game, start
from noughts.players import choose_move
from noughts.puzzles.finding import id_of, puzzle_at, values_of
from noughts.puzzles.puzzle import Kind, Puzzle
from noughts.rules.position import GridPosition, Position
from noughts.values import Value

FILE = Path(__file__).resolve().parent.parent / "src" / "noughts" / "puzzles" / "puzzles.jsonl"
SEED = 1
ENOUGH = 2
"""How many times as many puzzles as wanted are found, to choose from."""
PLAIN = 4
"""The most puzzles of a game in which there is only a line to block."""


class Source(NamedTuple):
    """Where puzzles of a game come from, and how many the set takes.

    `games` is the most that are played. A position is tried if at most `most_moves` cells are left.
    """

    game: str
    wanted: int
    games: int
    most_moves: int
    levels: tuple[str, ...] = ("beginner", "casual", "casual")


SOURCES = (
    Source("3x3x3", 24, 1000, 7),
    Source("4x4x3", 36, 2000, 14),
    Source("4x4x4", 30, 2000, 13),
    Source("5x5x4", 60, 1000, 20),
    Source("6x5x4", 50, 1000, 24),
    Source("6x6x4", 30, 1000, 22),
    Source("7x7x5", 30, 1000, 24),
    Source("ultimate", 90, 1000, 20, ("casual", "casual", "skilled")),
)


def main() -> None:
    """Make the set, or the part of some games, and say what is in it."""
    wanted = sys.argv[1:] or [source.game for source in SOURCES]
    for source in SOURCES:
        if source.game in wanted:
            begin = time.monotonic()
            pool = found_in(source)
            chosen = choice_of(pool, source.wanted)
            write(source.game, chosen)
            seconds = time.monotonic() - begin
            print(f"{source.game:<9}{len(pool):>5} found in {seconds:.0f} s;", summary(chosen))


def write(game: str, chosen: list[Puzzle]) -> None:
    """Replace the puzzles of a game in the file."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    lines = [line for line in lines if _game(line) != game] + [line_of(each) for each in chosen]
    order = [source.game for source in SOURCES]

    def place(line: str) -> tuple[int, int, str]:
        data = json.loads(line)
        return order.index(_game(line)), data["rating"], data["id"]

    lines.sort(key=place)
    if len({json.loads(line)["id"] for line in lines}) < len(lines):
        sys.exit("two puzzles have the same id")
    FILE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def found_in(source: Source) -> list[Puzzle]:
    """Return the puzzles of a source, one of each up to symmetry."""
    rng = Random(f"{SEED} {source.game}")
    found: list[Puzzle] = []
    seen = set()
    plain = 0
    for _ in range(source.games):
        if len(found) >= ENOUGH * source.wanted:
            break
        kinds: set[Kind] = set()  # one of each from a game
        for game in positions(source, rng):
            id = id_of(game.position)
            if id in seen:
                continue
            seen.add(id)
            puzzle = puzzle_at(game)
            if puzzle is None or puzzle.kind in kinds or not is_natural(puzzle, game):
                continue
            if is_plain(puzzle):
                plain += 1
                if plain > PLAIN:
                    continue
            kinds.add(puzzle.kind)
            found.append(puzzle)
    return found


def positions(source: Source, rng: Random) -> Iterator[Game[Any]]:
    """Play a game between two levels, and yield it where few enough moves are left."""
    game: Game[Any] = Game(start(source.game))
    levels = [rng.choice(source.levels) for _ in "XO"]
    while game.outcome is None:
        if game.moves and left(game.position) <= source.most_moves:
            yield game
        level = levels[len(game.moves) % 2]
        game.play(choose_move(game.position, level, rng=rng).move)


def left(position: Position) -> int:
    """Return how many cells may still be played in."""
    if isinstance(position, GridPosition):
        return position.move_count
    closed = position.closed  # type: ignore[attr-defined]
    marks = position.x | position.o  # type: ignore[attr-defined]
    return sum(not marks >> cell & 1 and not closed >> cell // 9 & 1 for cell in range(81))


def is_natural(puzzle: Puzzle, game: Game[Any]) -> bool:
    """Return whether there is something to see: a win that the last move gave away."""
    if puzzle.kind is not Kind.WIN:
        return True
    before = Game(game.start, game.moves[:-1]).position
    moves = values_of(before) if left(before) <= 24 or game.start.size < 50 else None
    return moves is not None and moves[0].value is not Value.LOSS


def choice_of(pool: list[Puzzle], wanted: int) -> list[Puzzle]:
    """Return some of each kind and number of stars, in turn."""
    groups: dict[tuple[Kind, int], list[Puzzle]] = {}
    for puzzle in pool:
        groups.setdefault((puzzle.kind, puzzle.stars), []).append(puzzle)
    chosen: list[Puzzle] = []
    while len(chosen) < wanted and any(groups.values()):
        for group in sorted(groups):
            if groups[group] and len(chosen) < wanted:
                chosen.append(groups[group].pop(0))
    return chosen


def is_plain(puzzle: Puzzle) -> bool:
    """Return whether there is only a line to block: every other move loses at once."""
    return all(
        answer.known.plies == 2
        for move, answer in puzzle.answers.items()
        if move != puzzle.solution
    )


def line_of(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of the file."""
    data = {
        "id": puzzle.id,
        "game": puzzle.text,
        "kind": puzzle.kind.value,
        "rating": puzzle.rating,
        "answers": puzzle.answers_json,
    }
    return json.dumps(data, separators=(",", ":"))


def summary(puzzles: list[Puzzle]) -> str:
    """Say how many of each kind and difficulty there are."""
    kinds = Counter(puzzle.kind.value for puzzle in puzzles)
    stars = Counter(puzzle.stars for puzzle in puzzles)
    counted = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    return f"{len(puzzles)} taken: {counted}; stars {' '.join(str(stars[n]) for n in range(1, 6))}"


def _game(line: str) -> str:
    name: str = json.loads(line)["game"].split()[0]
    return name


if __name__ == "__main__":
    main()
