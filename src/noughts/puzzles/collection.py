"""The set of puzzles that comes with noughts: one JSON object a line, sorted by game and rating."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from noughts.errors import NotationError, brief, require_text, whole_number
from noughts.puzzles.puzzle import Kind, Puzzle
from noughts.rules.parsing import start

__all__ = ["daily", "puzzle", "puzzles"]

FILE = "puzzles.jsonl"


def puzzles(
    game: str | None = None, kind: Kind | str | None = None, stars: int | None = None
) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game, a kind and a difficulty; without these all of them.

    They are sorted by game and then from easy to hard.

    >>> {puzzle.stars for puzzle in puzzles("ultimate", stars=3)}
    {3}
    """
    wanted_game = None if game is None else start(game).game
    wanted_kind = None if kind is None else _kind(kind)
    wanted_stars = None if stars is None else whole_number(stars, "stars", least=1, most=5)
    return tuple(
        each
        for each in _all().values()
        if (wanted_game is None or each.name == wanted_game)
        and (wanted_kind is None or each.kind is wanted_kind)
        and (wanted_stars is None or each.stars == wanted_stars)
    )


def puzzle(id: str) -> Puzzle:
    """Return the puzzle with this id; an id belongs to a position, so it never changes."""
    known = _all()
    if not isinstance(id, str) or id.lower() not in known:
        raise NotationError(f"there is no puzzle {brief(id)}; an id is like {next(iter(known))}")
    return known[id.lower()]


def daily(date: datetime.date | str | None = None) -> Puzzle:
    """Return the puzzle of a day, today's without a date; it depends on the date alone.

    All puzzles have their day before the first one comes again. No two days in a row have the
    same game, and games and stars come as evenly as their numbers allow.

    >>> daily("2026-01-01") == daily("2026-01-01")
    True
    """
    order = _daily_order()
    return order[_date(date).toordinal() % len(order)]


def _kind(kind: Kind | str) -> Kind:
    try:
        return Kind(require_text(kind, "a kind of puzzle"))
    except ValueError:
        kinds = ", ".join(Kind)
        raise NotationError(f"{brief(kind)} is not a kind of puzzle: {kinds}") from None


def _date(date: datetime.date | str | None) -> datetime.date:
    if date is None:
        return datetime.date.today()
    if isinstance(date, datetime.date):
        return date
    try:
        if isinstance(date, str) and len(date) == len("2026-01-01"):
            return datetime.date.fromisoformat(date)
    except ValueError:
        pass
    raise NotationError(f"a date is a day like 2026-01-31, not {brief(date)}")


@cache
def _all() -> Mapping[str, Puzzle]:
    """Return the puzzles of the file by id."""
    text = files("noughts.puzzles").joinpath(FILE).read_text(encoding="utf-8")
    found = {}
    for line in text.splitlines():
        data = json.loads(line)
        kind = Kind(data["kind"])
        found[data["id"]] = Puzzle(data["id"], kind, data["game"], data["rating"], data["answers"])
    return MappingProxyType(found)


@cache
def _daily_order() -> tuple[Puzzle, ...]:
    """Return all puzzles in the order of their days.

    Each day takes the game that is furthest behind its share, except that of the day before, and of
    this game the stars that are furthest behind theirs. Of equals the id decides, which is random.
    """
    groups: dict[tuple[str, int], list[Puzzle]] = {}
    for each in sorted(_all().values(), key=lambda each: each.id):
        groups.setdefault((each.name, each.stars), []).append(each)
    sizes = {group: len(members) for group, members in groups.items()}
    games = Counter(each.name for each in _all().values())
    shown: Counter[str] = Counter()
    order: list[Puzzle] = []
    while groups:
        before = order[-1].name if order else None
        name, stars = min(
            groups,
            key=lambda group: (
                group[0] == before,
                (shown[group[0]] + 1) / games[group[0]],
                (sizes[group] - len(groups[group]) + 1) / sizes[group],
            ),
        )
        order.append(groups[name, stars].pop())
        shown[name] += 1
        if not groups[name, stars]:
            del groups[name, stars]
    return tuple(order)
