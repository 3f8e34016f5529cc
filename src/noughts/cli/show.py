"""``noughts show``: pictures."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from noughts.cli.output import EXIT_UNUSABLE, complain
from noughts.cli.reading import file_option, items
from noughts.drawing import Diagram, Theme, draw_svg, draw_text
from noughts.errors import InvalidPosition, NotationError, NoughtsError
from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.rules.record import Game
from noughts.rules.ultimate import UltimatePosition

__all__ = ["command"]


@click.command("show")
@click.argument("words", nargs=-1, metavar="[POSITION [MOVE]...]")
@file_option
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--svg", is_flag=True, help="Draw as SVG.")
@click.option(
    "--theme",
    type=click.Choice([theme.value for theme in Theme]),
    default="auto",
    show_default=True,
    help="The ground of an SVG.",
)
@click.option("--value", "values", multiple=True, metavar="MOVE=LABEL", help="Label an empty cell.")
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of stdout.")
@click.pass_context
def command(
    ctx: click.Context,
    words: tuple[str, ...],
    files: tuple[str, ...],
    ascii_only: bool,
    svg: bool,
    theme: str,
    values: tuple[str, ...],
    output: str | None,
) -> None:
    r"""Draw a position or a game, as text or SVG.

    A POSITION is a board (XX./OO./...), a grid (4x4x3), 'ultimate', an Ultimate position
    line or its FEN; MOVEs are played from there. From a file or stdin every line is drawn.

    \b
    Examples:
      noughts show XX./OO./...
      noughts show 3x3x3 b2 a1 c3 --value c1=win
      noughts show ultimate ee ea --svg -o game.svg
    """
    pictures = []
    code = 0
    for item in items([" ".join(words)] if words else [], files, "a position"):
        if not item.raw and item.line:
            continue
        try:
            diagram = _diagram(item.text(), values)
        except NoughtsError as error:
            complain(error, item.place)
            code = EXIT_UNUSABLE
            continue
        if svg:
            pictures.append(draw_svg(diagram, theme=theme))
        else:
            pictures.append(_text(diagram, ascii_only, to_terminal=output is None))
    if not pictures and not code:
        raise click.UsageError("There is no position in the input.")
    if pictures:
        _write("\n".join(pictures), output)
    ctx.exit(code)


def _diagram(text: str, values: tuple[str, ...]) -> Diagram:
    """Return the picture of a position, a game, or a board that no game reaches."""
    try:
        game = Game.parse(text)
    except InvalidPosition:
        if ";" in text or len(text.split()) > 1:
            raise
        board = Board.parse(text)  # an impossible board can be drawn all the same
        return board.diagram(values=_labels(values, Game.parse(str(board.grid))))
    return game.position.diagram(last=game.last_move, values=_labels(values, game))


def _labels(values: tuple[str, ...], game: Game[Position | UltimatePosition]) -> dict[int, str]:
    labels = {}
    for value in values:
        name, equals, label = value.partition("=")
        if not equals:
            raise NotationError(f"a value is MOVE=LABEL, not {value!r}")
        labels[game.position.read_move(name)] = label
    return labels


def _text(diagram: Diagram, ascii_only: bool, *, to_terminal: bool) -> str:
    colour = to_terminal and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    encoding = sys.stdout.encoding or "ascii"
    try:
        "│·┼─".encode(encoding)
    except UnicodeEncodeError:
        ascii_only = True  # the terminal could not show the others
    width = shutil.get_terminal_size((80, 24)).columns
    return draw_text(diagram, ascii_only=ascii_only, width=width, colour=colour)


def _write(picture: str, output: str | None) -> None:
    if output is None:
        click.echo(picture, nl=not picture.endswith("\n"))
        return
    path = Path(output)
    partial = path.with_name(path.name + ".part")  # so that a failure leaves no half a file
    try:
        partial.write_text(picture if picture.endswith("\n") else f"{picture}\n", encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        message = f"Cannot write {click.format_filename(output)}: {error.strerror or error}."
        raise click.UsageError(message) from None
