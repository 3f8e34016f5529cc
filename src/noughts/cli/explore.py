"""``noughts explore``: every move with its proved value and the games behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from noughts.analysis import Exploration, ExploredMove, explore
from noughts.cli.output import echo_json, picture_for_terminal
from noughts.cli.progress import ProgressLine
from noughts.cli.units import MEMORY, TIME, share
from noughts.counting.results import GameCounts, digits
from noughts.limits import MOST_THREADS, Limits
from noughts.rules.game import Game

__all__ = ["command"]

_OUTCOMES = ("x_wins", "draws", "o_wins")
_BAR = 20  # characters
_SHOWN = 30  # lines of moves
_MOST_NAMES = 4  # of moves that are alike

_Sorter = Callable[[ExploredMove], Any]


def _share_of(outcome: str) -> _Sorter:
    """Return what sorts moves by the share of their games that end so."""

    def key(move: ExploredMove) -> tuple[bool, float]:
        games = move.games
        return games is None, -getattr(games, outcome) / games.total if games else 0

    return key


_SORTERS: dict[str, _Sorter | None] = {
    "value": None,
    "move": lambda each: each.move,
    "games": lambda each: (each.games is None, -each.games.total if each.games else 0),
    "x-wins": _share_of("x_wins"),
    "draws": _share_of("draws"),
    "o-wins": _share_of("o_wins"),
}


@click.command("explore")
@click.argument("game", metavar="GAME", nargs=-1, required=True)
@click.option(
    "--sort",
    type=click.Choice(list(_SORTERS)),
    default="value",
    show_default=True,
    help="Order of the moves: the best first, as they are numbered, or the most games or the "
    "largest share of an outcome first.",
)
@click.option(
    "--time", "seconds", type=TIME, default="10s", show_default=True, help="Time limit, like 60s."
)
@click.option(
    "--memory", type=MEMORY, default="4GiB", show_default=True, help="Memory to use at most."
)
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    help="Threads (default: all cores to count, two to prove).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    game: tuple[str, ...],
    sort: str,
    seconds: float,
    memory: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """Show what is behind every move: its proved value, and all games that go on.

    GAME is a grid or a position, and moves that follow. The games are counted exactly, by
    outcome. Moves that lead to the same position up to symmetry share a line. What is not proved
    or not counted within the limits says so. Bars are X for games that X wins, - for draws and O
    for games that O wins.

    \b
    Examples:
      noughts explore 3x3x3
      noughts explore 5x5x4 c3 --sort o-wins
      noughts explore 4x4x3 b2 --json
    """
    where = Game.parse(" ".join(game))
    line = ProgressLine()
    limits = Limits(seconds, memory=memory, threads=threads)
    try:
        found = explore(
            where, limits, lambda now: line.status(_progress(now)), on_notice=line.notice
        )
    finally:
        line.clear()
    if as_json:
        echo_json(found.to_json())
        return
    position = found.position
    click.echo(f"{position.text if position.x else position.grid}: {found}")
    labels = {each.move: each.proof.label for each in found.moves if each.proof.is_proved}
    if labels or found.games is not None:
        click.echo(picture_for_terminal(position.diagram(values=labels)))
        for row in _table(found, _SORTERS[sort]):
            click.echo(row)
    for note in found.notes:
        click.echo(note)


def _progress(found: Exploration) -> str:
    proved = sum(each.proof.is_settled for each in found.moves)
    counted = sum(each.games is not None for each in found.moves)
    return f"{proved} of {len(found.moves)} moves proved, {counted} counted"


def _table(found: Exploration, key: _Sorter | None) -> Iterable[str]:
    """Yield a line for all moves that are alike, below a line for all games."""
    first = {each.alike: each for each in reversed(found.moves)}
    moves = [each for each in found.moves if first[each.alike] is each]
    if key is not None:
        moves.sort(key=key)
    rows = [
        ("move", "value", "games", "", ""),
        ("all", "", *_counts(found.games, None)),
        *(
            (_names(found, each.alike), each.proof.phrase, *_counts(each.games, found.games))
            for each in moves[:_SHOWN]
        ),
    ]
    if found.games is None:
        rows = [(names, value, "", "", "") for names, value, *_ in (rows[0], *rows[2:])]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for names, value, games, part, bar in rows:
        cells = (
            names.ljust(widths[0]),
            value.ljust(widths[1]),
            games.rjust(widths[2]),
            part.rjust(widths[3]),
            bar,
        )
        yield f"  {'  '.join(cells)}".rstrip()
    if len(moves) > _SHOWN:
        yield f"  and {len(moves) - _SHOWN} more"


def _names(found: Exploration, moves: tuple[int, ...]) -> str:
    names = [found.position.move_name(move) for move in moves]
    if len(names) > _MOST_NAMES:
        names[_MOST_NAMES - 1 :] = [f"+{len(names) - _MOST_NAMES + 1}"]
    return " ".join(names)


def _counts(games: GameCounts | None, whole: GameCounts | None) -> tuple[str, str, str]:
    """Return the number of games, its share, and how they end, as a bar."""
    if games is None:
        return "not counted", "", ""
    part = "" if whole is None else share(games.total, whole.total)
    return digits(games.total, ","), part, _bar(games)


def _bar(games: GameCounts) -> str:
    """Return the outcomes as a bar; one that occurs has a character at least."""
    numbers = [getattr(games, outcome) for outcome in _OUTCOMES]
    sizes = [max(number * _BAR // games.total, number > 0) for number in numbers]
    sizes[numbers.index(max(numbers))] += _BAR - sum(sizes)
    return "".join(mark * size for mark, size in zip("X-O", sizes, strict=True))
