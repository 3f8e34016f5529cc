"""``noughts puzzle``: positions with exactly one solution, to be found at the prompt."""

from __future__ import annotations

from random import Random

import click

from noughts.cli.output import EXIT_INTERRUPTED, echo_json
from noughts.cli.playing.pictures import PicturePresenter
from noughts.cli.playing.presenter import Presenter
from noughts.cli.playing.puzzle_session import PuzzleSession, solution_of, title_of
from noughts.cli.playing.sentences import SentencePresenter
from noughts.cli.units import SEED
from noughts.puzzles import Kind, Puzzle, daily, puzzle, puzzles

__all__ = ["command"]


@click.command("puzzle")
@click.argument("id", required=False, metavar="[ID]")
@click.option("--daily", "is_daily", is_flag=True, help="Solve the puzzle of today.")
@click.option("--date", metavar="DATE", help="Solve the puzzle of a day, like 2026-01-31.")
@click.option("--game", metavar="GAME", help="A puzzle of this game only, like 4x4x3 or ultimate.")
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in Kind]),
    help="A puzzle of this kind only: win in N, the only move that draws, the block.",
)
@click.option("--stars", type=click.IntRange(1, 5), help="A puzzle this hard only, from 1 to 5.")
@click.option("--seed", type=SEED, help="Seed of the random choice (default: random).")
@click.option("--list", "is_list", is_flag=True, help="List the puzzles instead.")
@click.option("--solution", "is_told", is_flag=True, help="Show the solution, too, and end.")
@click.option("--json", "as_json", is_flag=True, help="Print the puzzle as JSON, and end.")
@click.option(
    "--plain",
    is_flag=True,
    help="Describe the board in sentences, without pictures, for screen readers and logs.",
)
@click.option(
    "--ascii",
    "ascii_only",
    is_flag=True,
    help="Draw with ASCII characters only (default: Unicode).",
)
@click.pass_context
def command(
    ctx: click.Context,
    id: str | None,
    is_daily: bool,
    date: str | None,
    game: str | None,
    kind: str | None,
    stars: int | None,
    seed: int | None,
    is_list: bool,
    is_told: bool,
    as_json: bool,
    plain: bool,
    ascii_only: bool,
) -> None:
    """Solve a puzzle: a position with exactly one solution.

    Without ID it is the puzzle of a day, or a random one. Type a move like b2, or a command: hint,
    solution, board, help, quit. A wrong move is answered with what happens after it. "In 3" counts
    the moves of the side that wins. Moves may also come from a pipe, one per line.

    \b
    Examples:
      noughts puzzle --daily
      noughts puzzle --game ultimate --stars 4
      noughts puzzle --kind draw --plain
      noughts puzzle --date 2026-01-31 --solution
      noughts puzzle --list --game 5x5x4

    Exit code: 0 if the puzzle was solved or shown, 1 if it was not solved, 2 if a line of a pipe
    was not a legal move.
    """
    is_filtered = (game, kind, stars) != (None, None, None)
    ways = [id is not None, is_daily or date is not None, is_filtered or seed is not None]
    if sum(ways) > 1:
        raise click.UsageError(
            "Give ID, --daily or --date, or --game, --kind, --stars and --seed: one of the three."
        )
    if is_list and (id is not None or is_daily or date is not None or seed is not None):
        raise click.UsageError("--list goes with --game, --kind and --stars only.")
    found = puzzles(game, kind, stars)
    if not found:
        names = ", ".join(dict.fromkeys(each.name for each in puzzles()))
        raise click.UsageError(f"No puzzle matches. There are puzzles of these games: {names}.")
    if is_list:
        _print_list(found, as_json=as_json, with_solution=is_told)
        return
    if id is not None:
        chosen = puzzle(id)
    elif is_daily or date is not None:
        chosen = daily(date)
    else:
        chosen = Random(seed).choice(found)
    if as_json:
        echo_json(chosen.to_json(solution=is_told))
        return
    presenter: Presenter = SentencePresenter() if plain else PicturePresenter(ascii_only=ascii_only)
    if is_told:
        presenter.greet(f"{title_of(chosen)}.", chosen.game)
        presenter.say(solution_of(chosen))
        return
    session = PuzzleSession(chosen, presenter)
    try:
        ctx.exit(session.run())
    except KeyboardInterrupt:
        if session.prompt.is_typed:
            click.echo()  # the cursor stands behind a prompt
        session.leave()
        ctx.exit(EXIT_INTERRUPTED)


def _print_list(found: tuple[Puzzle, ...], *, as_json: bool, with_solution: bool) -> None:
    for each in found:
        if as_json:
            echo_json(each.to_json(solution=with_solution))
            continue
        told = f": {each.position.move_name(each.solution)}" if with_solution else ""
        click.echo(f"{each.id}  {each.name:<8}  {'*' * each.stars:<5}  {each.title}{told}")
