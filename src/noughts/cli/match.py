"""``noughts match``: games between two players, and which of them is stronger."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from functools import partial
from textwrap import fill

import click

from noughts.cli.output import EXIT_NO, echo_json
from noughts.cli.progress import ProgressLine
from noughts.cli.units import SEED, TIME
from noughts.errors import NotationError
from noughts.limits import Limits
from noughts.matches.external import STARTUP
from noughts.matches.match import (
    MARGIN,
    GameRecord,
    Match,
    different_openings,
    play_match,
    score_of,
)
from noughts.matches.match_file import MatchFile
from noughts.matches.registry import player_of
from noughts.matches.score import Score
from noughts.matches.workers import play_at_once
from noughts.players.levels import GRID_LEVELS, ULTIMATE_LEVELS
from noughts.rules.parsing import start
from noughts.rules.player import Player
from noughts.rules.ultimate import Variant

__all__ = ["command"]

_SHOWN_FORFEITS = 10
_SHOWN_NAME = 22  # characters; the table then fits 80 columns
_TIME = 0.2  # seconds for a move without --time and --nodes


_LEVELS = fill(
    f"a level of 'noughts play': at Ultimate {', '.join(ULTIMATE_LEVELS)}; "
    f"on grids {', '.join(GRID_LEVELS)}",
    70,
    initial_indent=f"  {next(iter(GRID_LEVELS))} ...    ",
    subsequent_indent=" " * 18,
)
_HELP = f"""\
Play a match between two players, and report which is stronger, with a 95 % interval.

Each player has X once in every opening. A player loses a game by an illegal move, by
answering too late, and by a program that ends or writes too much; this is reported.

\b
Players:
  engine          the engine at full strength (engine:threads=2)
{_LEVELS}
  uct             textbook UCT, for comparison (at Ultimate)
  random          any legal move
  openspiel       OpenSpiel's MCTS, if installed (openspiel:c=1.4)
  cmd:COMMAND     any program that speaks the protocol of docs/protocol.md

The two games with one opening count as one observation. The file of --save has a JSON
object per line; 'noughts show' draws the text in its field "game". Run the same command
again to resume a match that was interrupted.

\b
Examples:
  noughts match engine openspiel --games 100 --time 0.2
  noughts match engine 'cmd:./mybot --fast' --game 9x9x5 --nodes 500
  noughts match casual cmd:./mybot --variant open --save games.jsonl

Exit code: 0 if all games ended by the rules, 1 if a player forfeited one.
"""


@click.command("match", help=_HELP)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option(
    "--game",
    "--variant",
    "game",
    default="ultimate",
    show_default=True,
    metavar="GAME",
    help="A grid like 5x5x4, ultimate, or a variant: open, most-boards, open-most-boards.",
)
@click.option("--games", type=int, default=100, show_default=True, help="Number of games.")
@click.option(
    "--time",
    "seconds",
    type=TIME,
    help="Time for each move.  [default: 0.2s, or no limit with --nodes]",
)
@click.option("--nodes", type=int, help="Nodes for each move.  [default: no limit]")
@click.option(
    "--openings",
    default="random:2",
    show_default=True,
    metavar="OPENINGS",
    help="How games begin: none, random:PLIES, or file:FILE with a game or position per line.",
)
@click.option(
    "--seed",
    type=SEED,
    default=1,
    show_default=True,
    help="Seed of the openings and the random choices.",
)
@click.option(
    "--save", metavar="FILE", help="Save every game as it ends; resume the match in the file."
)
@click.option(
    "--margin",
    type=TIME,
    default=f"{MARGIN:g}s",
    show_default=True,
    help="How late a move may be before it loses the game.",
)
@click.option(
    "--startup",
    type=TIME,
    default=f"{STARTUP:g}s",
    show_default=True,
    help="Time for a program to get ready for a game.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Games at the same time: at most one per core and thread of a player.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    a: str,
    b: str,
    game: str,
    games: int,
    seconds: float | None,
    nodes: int | None,
    openings: str,
    seed: int,
    save: str | None,
    margin: float,
    startup: float,
    concurrency: int,
    as_json: bool,
) -> None:
    """Play a match, and report who is stronger."""
    limit = Limits(_TIME if seconds is None and nodes is None else seconds, nodes)
    match = Match(a, b, _game_name(game), games, limit, openings, seed, margin)
    line = ProgressLine()
    records: list[GameRecord] = []
    with ExitStack() as stack:
        match_file = stack.enter_context(MatchFile(save, match)) if save else None
        records += match_file.records if match_file else []
        done = {record.number for record in records}
        numbers = [number for number in match.numbers if number not in done]
        stack.callback(line.clear)
        make_player = partial(player_of, startup=startup)
        if concurrency > 1:
            played = play_at_once(match, make_player, numbers, concurrency)
        else:
            played = play_match(match, make_player, numbers)
        try:
            for record in stack.enter_context(closing(played)):
                records.append(record)
                if match_file:
                    match_file.add(record)
                line.status(_progress(records, games))
        except KeyboardInterrupt:
            line.clear()
            where = f"; they are in {click.format_filename(save)}" if save and records else ""
            click.echo(f"Interrupted after {len(records)} of {games} games{where}.", err=True)
            _report(match, records, as_json)
            raise
    _report(match, records, as_json)
    if any(record.is_forfeit for record in records):
        ctx.exit(EXIT_NO)


def _game_name(text: str) -> str:
    """Return the full name of a game or of a variant of Ultimate."""
    try:
        return Variant.parse(text).text
    except NotationError:
        return start(text).game


# -- what is printed ---------------------------------------------------------------------


def _progress(records: Sequence[GameRecord], games: int) -> str:
    score = score_of(records)
    last = records[-1]
    ended = f"{last.result} by {last.ending}"
    return (
        f"{len(records)} of {games}: A {score.points:g}, B {score.games - score.points:g}; {ended}"
    )


def _report(match: Match, records: Sequence[GameRecord], as_json: bool) -> None:
    score = score_of(records)
    forfeits = [record for record in records if record.is_forfeit]
    names = _names(match, records)
    different = different_openings(records)
    if as_json:
        named = {f"{letter}_name": name for letter, name in zip("ab", names, strict=True)}
        sides = {side.value: score_of(_with(side, records)).to_json() for side in Player}
        faults = [{"number": each.number, "reason": each.reason} for each in forfeits]
        openings = {"different_openings": different}
        result = {**match.terms(), **named, **openings, **score.to_json()}
        echo_json({**result, "sides": sides, "forfeits": faults})
        return
    repeated = f" ({different} different)" if 1 < different < len(score.pairs) else ""
    openings_text = f"openings {match.openings}{repeated}"
    click.echo(f"{match.game}, {_amount(match.limit)} per move, {openings_text}")
    click.echo()
    names = [_short(name) for name in names]
    width = max(map(len, names))
    click.echo(f"   {'':{width}}  games  wins  draws  losses    score   with X   with O")
    for letter, name in zip("AB", names, strict=True):
        click.echo(f"{letter}  {name:{width}}  {_row(records, letter)}")
    if records:
        click.echo()
        click.echo(f"A scores {score}")
        click.echo(f"Likelihood that A is stronger: {score.superiority * 100:.1f} %")
    for record in forfeits[:_SHOWN_FORFEITS]:
        click.echo(f"game {record.number}, {record.ending}: {record.reason}")
    if len(forfeits) > _SHOWN_FORFEITS:
        click.echo(f"and {len(forfeits) - _SHOWN_FORFEITS} more forfeits")


def _names(match: Match, records: Sequence[GameRecord]) -> list[str]:
    """Return the names of A and B: programs have named themselves in the last game."""
    if records:
        last = records[-1]
        names = [last.x, last.o] if last.a_side is Player.X else [last.o, last.x]
        if names[0] != names[1]:
            return names
    return [match.a, match.b]


def _row(records: Sequence[GameRecord], letter: str) -> str:
    """Return one player's numbers: all games, then the score with either side."""
    score = score_of(records)
    wins, draws, losses = score.count(1), score.count(0.5), score.count(0)
    shares = [score, *(score_of(_with(side, records)) for side in Player)]
    if letter == "B":
        wins, losses = losses, wins
        shares = [shares[0], shares[2], shares[1]]
    texts = [_share(each, letter) for each in shares]
    counts = f"{score.games:5}  {wins:4}  {draws:5}  {losses:6}"
    return "  ".join([counts, *(f"{text:>7}" for text in texts)])


def _share(score: Score, letter: str) -> str:
    if not score.games:
        return "-"
    share = score.share if letter == "A" else 1 - score.share
    return f"{share * 100:.1f} %"


def _with(side: Player, records: Sequence[GameRecord]) -> list[GameRecord]:
    """Return the games in which A had this side."""
    return [record for record in records if record.a_side is side]


def _short(name: str) -> str:
    return name if len(name) <= _SHOWN_NAME else f"{name[: _SHOWN_NAME - 3]}..."


def _amount(limit: Limits) -> str:
    parts = [] if limit.seconds is None else [f"{limit.seconds:g} s"]
    if limit.nodes is not None:
        parts.append(f"{limit.nodes:,} node{'s' if limit.nodes > 1 else ''}")
    return " or ".join(parts)
