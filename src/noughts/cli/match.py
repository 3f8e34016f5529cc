"""``noughts match``: games between two players, and what they say about who is better."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial

import click

from noughts.cli.output import EXIT_NO, echo_json
from noughts.cli.progress import ProgressLine
from noughts.cli.units import TIME
from noughts.engine.limit import Limit
from noughts.errors import NotationError
from noughts.matches.external import STARTUP
from noughts.matches.match import MARGIN, GameRecord, Match, play_match, score_of
from noughts.matches.match_file import MatchFile
from noughts.matches.registry import player_of
from noughts.matches.score import Score
from noughts.matches.workers import play_at_once
from noughts.rules.parsing import start
from noughts.rules.player import Player
from noughts.rules.ultimate import Variant

__all__ = ["command"]

_SHOWN_FORFEITS = 10
_TIME = 0.2  # seconds for a move where nothing is said


@click.command("match")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option(
    "--game",
    "--variant",
    "game",
    default="ultimate",
    show_default=True,
    metavar="GAME",
    help="A grid like 5x5x4, ultimate, or a variant of it: open, most-boards, open-most-boards.",
)
@click.option("--games", type=int, default=100, show_default=True, help="How many games to play.")
@click.option("--time", "seconds", type=TIME, help="Time for each move.  [default: 0.2s]")
@click.option("--nodes", type=int, help="Nodes for each move, instead of time or beside it.")
@click.option(
    "--openings",
    default="random:2",
    show_default=True,
    metavar="OPENINGS",
    help="none, random:PLIES, or file:FILE with a game or position per line.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Other openings and luck.")
@click.option("--save", metavar="FILE", help="Keep every game here at once, and go on from it.")
@click.option(
    "--margin",
    type=TIME,
    default=f"{MARGIN:g}s",
    show_default=True,
    help="How late a move may be before it loses.",
)
@click.option(
    "--startup",
    type=TIME,
    default=f"{STARTUP:g}s",
    show_default=True,
    help="Time for a program to be ready for a game.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Games to play at once: at most one for each core that thinks.",
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
    """Let two players play a match, and say who is better, and how surely.

    Every opening is played twice, each player having X once. An illegal move, a time-out or
    a program that dies, floods or stays silent loses the game and is reported.

    \b
    Players:
      engine          our engine at full strength (engine:threads=2)
      beginner ...    our levels: at Ultimate beginner, casual, skilled,
                      strong, expert, full; on grids beginner, casual,
                      strong, perfect
      uct             textbook UCT, a yardstick at Ultimate
      random          any legal move
      openspiel       OpenSpiel's MCTS, if installed (openspiel:c=1.4)
      cmd:COMMAND     any program that speaks the protocol of docs/protocol.md

    The interval is 95 %, from pairs of games with the same opening. Saved games are a JSON
    object per line; 'noughts show' draws what stands in "game". A match that was
    interrupted goes on with the same --save.

    \b
    Examples:
      noughts match engine openspiel --games 100 --time 0.2
      noughts match engine 'cmd:./mybot --fast' --game 9x9x5 --nodes 500
      noughts match casual cmd:./mybot --variant open --save games.jsonl

    Exit code: 0 if all games ended by the rules, 1 if a player forfeited one.
    """
    limit = Limit(_TIME if seconds is None and nodes is None else seconds, nodes)
    match = Match(a, b, _game_name(game), games, limit, openings, seed, margin)
    line = ProgressLine()
    records: list[GameRecord] = []
    with ExitStack() as stack:
        stack.enter_context(_ended_like_ctrl_c())
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
            kept = f"; {click.format_filename(save)} keeps them" if save else ""
            click.echo(f"Interrupted after {len(records)} of {games} games{kept}.", err=True)
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


@contextmanager
def _ended_like_ctrl_c() -> Iterator[None]:
    """Let a plain kill, or a terminal that closes, end the match as Ctrl-C does."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [(name, signal.signal(getattr(signal, name), interrupt)) for name in names]
    try:
        yield
    finally:
        for name, handler in before:
            signal.signal(getattr(signal, name), handler)


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
    if as_json:
        sides = {side.value: score_of(_with(side, records)).to_json() for side in Player}
        faults = [{"number": each.number, "reason": each.reason} for each in forfeits]
        echo_json({**match.terms(), **score.to_json(), "sides": sides, "forfeits": faults})
        return
    click.echo(f"{match.game}, {_amount(match.limit)} a move, openings {match.openings}")
    click.echo()
    names = [_short(match.a), _short(match.b)]
    width = max(map(len, names))
    click.echo(f"   {'':{width}}  games  wins  draws  losses    score   with X   with O")
    for letter, name in zip("AB", names, strict=True):
        click.echo(f"{letter}  {name:{width}}  {_row(records, letter)}")
    if records:
        click.echo()
        click.echo(f"A scores {score}")
        click.echo(f"A is the better one with a likelihood of {score.superiority * 100:.1f} %")
    for record in forfeits[:_SHOWN_FORFEITS]:
        click.echo(f"game {record.number}, {record.ending}: {record.reason}")
    if len(forfeits) > _SHOWN_FORFEITS:
        click.echo(f"and {len(forfeits) - _SHOWN_FORFEITS} more forfeits")


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
    return name if len(name) <= 24 else f"{name[:21]}..."


def _amount(limit: Limit) -> str:
    parts = [] if limit.seconds is None else [f"{limit.seconds:g} s"]
    parts += [] if limit.nodes is None else [f"{limit.nodes:,} nodes"]
    return " or ".join(parts)
