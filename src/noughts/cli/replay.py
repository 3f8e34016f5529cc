"""``noughts replay``: replays move lists and rejects bad moves."""

from __future__ import annotations

from string import ascii_letters

import click

from noughts.cli.output import echo_json
from noughts.cli.reading import file_option, items
from noughts.errors import NotationError
from noughts.exercises.replay import replay_standard, replay_ultimate

__all__ = ["command"]


@click.command("replay", context_settings={"ignore_unknown_options": True})
@click.argument("moves", nargs=-1, metavar="[MOVE]...")
@file_option
@click.option(
    "-u",
    "--ultimate",
    is_flag=True,
    help="Replay Ultimate moves, bigrow,bigcol,row,col,player (default: 3x3).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(moves: tuple[str, ...], files: tuple[str, ...], ultimate: bool, as_json: bool) -> None:
    """Replay a list of moves, rejecting the bad ones.

    A MOVE is row,col,player on 3x3, numbered from 0. Turn order is not enforced; a bad move
    (malformed, outside, on a taken cell, in a closed board, after the win) is rejected and
    changes nothing. Moves come as arguments, from files, or from stdin, one per line.

    \b
    Examples:
      noughts replay 0,0,X 1,1,O 0,0,O
      noughts replay --ultimate 0,0,1,2,X 1,2,0,0,O
      noughts replay --json < moves.txt
    """
    for move in moves:
        if move[:1] == "-" and move[1:2] in ("-", *ascii_letters):
            raise click.NoSuchOption(move)  # a typing mistake, not a move
    texts = []
    for item in items(moves, files, "moves"):
        try:
            texts.append(item.text())
        except NotationError as error:
            raise NotationError(f"{item.place}: {error}") from None
    replay = replay_ultimate(texts) if ultimate else replay_standard(texts)
    if as_json:
        result = replay.ultimate_result() if ultimate else replay.standard_result()
        echo_json({"result": result})
        return
    accepted = replay.bits.count("1")
    click.echo(f"accepted  {accepted} of {len(texts)}")
    click.echo(f"bits      {replay.bits}")
    click.echo(f"winner    {replay.winner}")
    if ultimate:
        click.echo(f"next      {replay.next}")
    for row in replay.rows:
        click.echo(row)
