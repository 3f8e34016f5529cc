"""``noughts check``: the verdict on boards."""

from __future__ import annotations

import click

from noughts.cli.output import EXIT_NO, EXIT_UNUSABLE, complain, echo_json
from noughts.cli.reading import Item, file_option, items
from noughts.errors import NoughtsError
from noughts.rules.board import Board
from noughts.rules.grid import Grid
from noughts.rules.player import Verdict
from noughts.rules.verdict import Judgement, judge

__all__ = ["command"]


@click.command("check")
@click.argument("boards", nargs=-1, metavar="[BOARD]...")
@file_option
@click.option(
    "-g",
    "--grid",
    metavar="GRID",
    help="The grid of boards that do not name theirs, like 4x4x3 (default: by size and -k).",
)
@click.option("-k", type=click.IntRange(min=1), help="Marks in a row that win (default 3).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each board.")
@click.pass_context
def command(
    ctx: click.Context,
    boards: tuple[str, ...],
    files: tuple[str, ...],
    grid: str | None,
    k: int | None,
    as_json: bool,
) -> None:
    """Judge boards: whose turn, who won, draw or invalid, and why.

    A BOARD is rows of X, O and '.' joined by '/'; its grid may stand in front, with a colon.
    Boards come as arguments, from files, or from stdin, one per line.

    \b
    Examples:
      noughts check XX./OO./...
      noughts check 4x4x3:XXX./OO../..../....
      noughts check --json < boards.txt

    Exit code: 0 if all boards are valid, 1 if one is not, 2 if one cannot be read.
    """
    expected = None if grid is None else Grid.parse(grid)
    code = 0
    count = 0
    for item in items(boards, files, "a board"):
        if item.is_blank:
            continue  # an empty line between boards
        count += 1
        try:
            board = Board.parse(item.text(), expected, k=k)
        except NoughtsError as error:
            complain(error, item.place)
            code = EXIT_UNUSABLE
            continue
        judgement = judge(board)
        if judgement.verdict is Verdict.INVALID:
            code = max(code, EXIT_NO)
        _report(board, judgement, item, as_json)
    if not count:
        raise click.UsageError("There is no board in the input.")
    ctx.exit(code)


def _report(board: Board, judgement: Judgement, item: Item, as_json: bool) -> None:
    if as_json:
        line = {} if item.line is None else {"line": item.line}
        echo_json({"grid": str(board.grid), **judgement.to_json(), **line})
        return
    colour = {Verdict.INVALID: "red", Verdict.X_WINS: "green", Verdict.O_WINS: "green"}
    verdict = click.style(judgement.verdict.value, fg=colour.get(judgement.verdict), bold=True)
    click.echo(f"{verdict}: {'; '.join(map(str, judgement.reasons))}")
