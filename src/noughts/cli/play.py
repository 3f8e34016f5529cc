"""``noughts play``: a game in the terminal, against the computer or another person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

import click

from noughts.cli.output import EXIT_INTERRUPTED, EXIT_UNUSABLE
from noughts.cli.playing.computer import Computer, Stuck
from noughts.cli.playing.pictures import PicturePresenter
from noughts.cli.playing.presenter import Presenter
from noughts.cli.playing.save_file import SavedGame, read_game
from noughts.cli.playing.sentences import SentencePresenter
from noughts.cli.playing.session import Session
from noughts.cli.units import SEED, TIME
from noughts.errors import NotationError
from noughts.players import GRID_LEVELS, ULTIMATE_LEVELS, Level, level_named
from noughts.rules.game import Game
from noughts.rules.player import Player
from noughts.solving import MAX_CELLS

__all__ = ["command"]


def _listed(levels: Mapping[str, Level]) -> str:
    """Return a line of help for each level, with its number."""
    width = max(map(len, levels))
    lines = []
    for number, level in enumerate(levels.values(), 1):
        begin = f"  {number} {level.name:<{width}}  "
        lines.append(
            fill(level.about, 76, initial_indent=begin, subsequent_indent=" " * len(begin))
        )
    return "\n".join(lines)


_HELP = f"""\
Play against the solver, the engine or another person.

GAME is a grid like 4x4x3, 'ultimate', a variant of it, or a position. Type a move like b2 or
its number, or a command: undo, redo, hint, moves, values, board, level, swap, save, load,
resign, new, help, quit. Moves may also come from a pipe, one per line.

\b
Levels on grids, played by the solver:
{_listed(GRID_LEVELS)}

Every board of up to {MAX_CELLS} cells can be solved, if the time is enough.

\b
Levels at Ultimate, played by the engine:
{_listed(ULTIMATE_LEVELS)}

\b
Examples:
  noughts play 3x3x3
  noughts play 4x4x3 --as O --level casual
  noughts play 6x6x4 b2 c3 --against person
  noughts play 4x4x3:X.../..../..../.... --time 2s < moves.txt
  noughts play 3x3x3 --as none
  noughts play ultimate --level skilled
  noughts play ultimate --plain
  noughts play --load game.txt

Exit code: 0 if the game ended or was left, 2 if a line of a pipe was not a legal move.
"""


@click.command("play", help=_HELP)
@click.argument("words", nargs=-1, metavar="GAME [MOVE]...")
@click.option(
    "--as",
    "side",
    type=click.Choice(["X", "O", "none"], case_sensitive=False),
    metavar="[X|O|none]",
    help="The side you play (default: X); 'none' lets the computer play both.",
)
@click.option(
    "--against",
    type=click.Choice(["solver", "person"]),
    help="Who plays the other side: the computer, or a person at the same keyboard.  "
    "[default: solver]",
)
@click.option(
    "--level",
    metavar="LEVEL",
    help="The computer's strength, by name or number (default: the best).",
)
@click.option(
    "--time",
    "seconds",
    type=TIME,
    help="Time for each of its moves, like 2s.  [default: 5s; 1s on boards it cannot solve]",
)
@click.option("--seed", type=SEED, help="Seed of the computer's random choices (default: random).")
@click.option("--load", "file", metavar="FILE", help="Go on with the game that is saved in FILE.")
@click.option(
    "--plain",
    is_flag=True,
    help="Describe the game in sentences, without pictures, for screen readers and logs.",
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
    words: tuple[str, ...],
    side: str | None,
    against: str | None,
    level: str | None,
    seconds: float | None,
    seed: int | None,
    file: str | None,
    plain: bool,
    ascii_only: bool,
) -> None:
    """Play a game in the terminal; the help is written above."""
    saved = _game(words, file)
    people = _people(saved, side, against)
    if against == "person":
        for option, value in (("--as", side), ("--level", level), ("--seed", seed)):
            if value is not None:
                raise click.UsageError(f"{option} is for games against the computer.")
    start = saved.game.start
    try:
        level = level_named(start, level).name if level is not None else saved.level
    except NotationError as error:
        raise click.BadParameter(str(error), param_hint="'--level'") from None
    presenter: Presenter = SentencePresenter() if plain else PicturePresenter(ascii_only=ascii_only)
    computer = Computer(start, presenter, level, seconds, seed)
    session = Session(saved.game, people, computer, presenter, saved.resigned, file)
    try:
        ctx.exit(session.run())
    except KeyboardInterrupt:
        if session.is_typed:
            click.echo()  # the cursor stands behind a prompt
        session.leave("Interrupted")
        ctx.exit(EXIT_INTERRUPTED)
    except Stuck as trouble:
        session.leave(f"The {session.computer.name} cannot go on")
        presenter.complain(trouble.error, "")
        ctx.exit(EXIT_UNUSABLE)


def _game(words: Sequence[str], file: str | None) -> SavedGame:
    """Return the game to play: the one that is named, or the one in a file."""
    if file is None:
        if not words:
            raise click.UsageError("Missing argument 'GAME [MOVE]...'.")
        return SavedGame(Game.parse(" ".join(words)))
    if words:
        raise click.UsageError("Give GAME or --load, not both.")
    return read_game(file)


def _people(saved: SavedGame, side: str | None, against: str | None) -> frozenset[Player]:
    """Return the sides that people play: by the options, else by the file, else X."""
    if against == "person":
        return frozenset(Player)
    if saved.people is not None and side is None and against is None:
        return saved.people
    return frozenset() if side == "none" else frozenset({Player(side or "X")})
