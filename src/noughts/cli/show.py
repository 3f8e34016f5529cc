"""``noughts show``: draws positions, games and boards."""

from __future__ import annotations

from dataclasses import replace

import click

from noughts.cli.output import EXIT_UNUSABLE, complain, picture_for_terminal, write_file
from noughts.cli.reading import file_option, items
from noughts.drawing import Diagram, Theme, draw_svg, draw_text
from noughts.errors import IllegalMove, InvalidPosition, NotationError, NoughtsError
from noughts.rules.board import Board
from noughts.rules.game import Game
from noughts.rules.position import GridPosition, Position

__all__ = ["command"]


@click.command("show")
@click.argument("words", nargs=-1, metavar="[POSITION [MOVE]...]")
@file_option
@click.option(
    "--ascii",
    "ascii_only",
    is_flag=True,
    help="Draw with ASCII characters only (default: Unicode).",
)
@click.option("--svg", is_flag=True, help="Draw as SVG (default: text).")
@click.option(
    "--theme",
    type=click.Choice([theme.value for theme in Theme]),
    help="The background of an SVG: light, dark, or the reader's preference (default: auto).",
)
@click.option("--value", "values", multiple=True, metavar="MOVE=LABEL", help="Label an empty cell.")
@click.option("-o", "--output", metavar="FILE", help="The file to write to (default: stdout).")
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
    files: tuple[str, ...],
    ascii_only: bool,
    svg: bool,
    theme: str | None,
    values: tuple[str, ...],
    output: str | None,
) -> None:
    """Draw a position or a game, as text or SVG.

    A POSITION is a board (XX./OO./...), a grid (4x4x3), 'ultimate', an Ultimate position
    line or its FEN; MOVEs are played from there. Each line of a file or of stdin is drawn,
    except lines that begin with #.

    \b
    Examples:
      noughts show XX./OO./...
      noughts show 3x3x3 b2 a1 c3 --value c1=win
      noughts show ultimate ee ea --svg -o game.svg
    """
    if svg and ascii_only:
        raise click.UsageError("--ascii is for text; an SVG has its own shapes.")
    if theme and not svg:
        raise click.UsageError("--theme is for --svg.")
    to_stdout = output in (None, "-")
    pictures: list[str] = []
    code = 0
    for item in items([" ".join(words)] if words else [], files, "a position"):
        if item.is_blank or item.is_remark:
            continue
        try:
            diagram = _diagram(item.text(), values)
        except NoughtsError as error:
            complain(error, item.place)
            code = EXIT_UNUSABLE
            continue
        if svg and pictures:
            raise click.UsageError("An SVG holds one picture; give one position.")
        picture = (
            draw_svg(diagram, theme=theme or Theme.AUTO)
            if svg
            else picture_for_terminal(diagram, ascii_only=ascii_only)
            if to_stdout
            else draw_text(diagram, ascii_only=ascii_only)
        )
        if to_stdout and not svg:
            click.echo(f"\n{picture}" if pictures else picture)
        pictures.append(picture)
    if not pictures and not code:
        raise click.UsageError("There is no position in the input.")
    if svg and to_stdout:
        click.echo("".join(pictures), nl=False)
    elif pictures and output is not None and not to_stdout:
        write_file(output, pictures[0] if svg else "\n\n".join(pictures) + "\n")
    ctx.exit(code)


def _diagram(text: str, values: tuple[str, ...]) -> Diagram:
    """Return the picture of a position, a game, or a board that no game reaches."""
    try:
        game = Game.parse(text)
    except InvalidPosition as error:
        try:
            board = Board.parse(text)  # a board that no game reaches can be drawn
        except NotationError:
            raise error from None
        labels = _labels(values, GridPosition.start(board.grid), board.x | board.o)
        return replace(board.diagram(values=labels), caption=f"{board.grid}, invalid")
    position = game.position
    labels = _labels(values, position, position.x | position.o)
    return position.diagram(last=game.last_move, values=labels)


def _labels(values: tuple[str, ...], position: Position, taken: int) -> dict[int, str]:
    """Read ``MOVE=LABEL`` for cells that are not taken."""
    labels = {}
    for value in values:
        name, _, label = value.partition("=")
        try:
            if not label or not label.isprintable():
                raise NotationError("a value is MOVE=LABEL, with a label in one line")
            move = position.read_move(name)
            if taken >> move & 1:
                raise IllegalMove(f"{name} is taken")
        except NoughtsError as error:
            raise NotationError(f"--value {value!r}: {error}") from None
        labels[move] = label
    return labels
