"""``noughts table``: the values of all positions of a small board, built and inspected."""

from __future__ import annotations

import click

from noughts.cli.output import echo_json
from noughts.cli.progress import ProgressLine
from noughts.errors import NotationError, TableError
from noughts.limits import human_size
from noughts.rules.grid import Grid
from noughts.solving.ranking import require_small
from noughts.solving.tables import Table, ValueCounts, build_table, find_table, tables_folder

__all__ = ["command"]


@click.group("table")
def command() -> None:
    """Build and inspect tables: the value of every position.

    A table holds who wins, and in how many plies, for every position of a board of up to 16
    cells. Once it is built, such positions are looked up instead of searched.

    \b
    Examples:
      noughts table build 3x3x3
      noughts table build 4x4x3 --out 4x4x3.noughts
      noughts table info 3x3x3
      noughts table info 4x4x3.noughts --json

    Without --out, tables are kept in the folder that NOUGHTS_TABLES names, else among the
    user's data (~/.local/share/noughts/tables).
    """


@command.command("build")
@click.argument("grid", metavar="GRID")
@click.option("-o", "--out", metavar="FILE", help="Write this file instead of installing it.")
@click.option(
    "--threads", type=click.IntRange(min=1), help="Number of cores to use (default: all)."
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def build(grid: str, out: str | None, threads: int | None, as_json: bool) -> None:
    """Solve every position of a grid and keep the values.

    The grid has up to 16 cells. An older table is replaced once the new one is complete.
    Building needs the extra 'engine' (numpy and numba).

    \b
    Examples:
      noughts table build 3x3x3
      noughts table build 4x4x3 --out 4x4x3.noughts
    """
    shape = Grid.parse(grid)
    line = ProgressLine()
    try:
        table = build_table(
            shape, out, threads=threads, on_progress=line.report, on_notice=line.notice
        )
    except KeyboardInterrupt:
        line.clear()
        message = f"Interrupted at {line.share * 100:.1f} %: no table was written."
        click.echo(message, err=True)
        raise
    finally:
        line.clear()
    with table:
        if as_json:
            echo_json(_summary(table))
            return
        click.echo(_headline(table))
        click.echo(f"  {table.path}, {human_size(table.size)}")


@command.command("info")
@click.argument("table", metavar="FILE|GRID")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def info(table: str, as_json: bool) -> None:
    """Check a table and count its positions by value.

    Give a FILE, or a GRID like 4x4x3 for its installed table; write ./4x4x3 for a file of that
    name. Every byte is read, and compared with the checksum.

    \b
    Examples:
      noughts table info 3x3x3
      noughts table info 4x4x3.noughts --json
    """
    with _find(table) as found:
        counts = found.counts()
        if as_json:
            echo_json({**_summary(found), "checksum": "ok", "positions": counts.to_json()})
            return
        click.echo(_headline(found))
        click.echo(f"  file      {found.path}")
        click.echo(f"  size      {found.size:,} bytes")
        click.echo(f"  sha256    {found.digest}")
        click.echo(f"  checksum  {click.style('ok', fg='green')}")
        click.echo()
        for row in _rows(counts):
            click.echo(row)


def _find(name: str) -> Table:
    """Open a table by its grid or its file, and check it."""
    try:
        grid = Grid.parse(name)
    except NotationError:
        return Table.open(name, check=True)
    table = find_table(require_small(grid))
    if table is None:
        build = f"noughts table build {grid}"
        raise TableError(
            f"there is no table of {grid} in {tables_folder()}; build it with: {build}"
        )
    return table


def _summary(table: Table) -> dict[str, object]:
    """Return the JSON fields about a table that both commands share."""
    return {
        "grid": str(table.grid),
        "file": str(table.path),
        "bytes": table.size,
        "sha256": table.digest,
        "start": table.solution(str(table.grid)).to_json(),
    }


def _headline(table: Table) -> str:
    solution = table.solution(str(table.grid))
    return f"{table.grid}: {click.style(str(solution), bold=True)}"


def _rows(counts: ValueCounts) -> list[str]:
    """Return a table of the positions by number of marks, and who wins them."""
    heads = ("positions", "X wins", "draws", "O wins")
    lines = [(str(marks), sum(parts), *parts) for marks, parts in counts.by_winner.items()]
    lines.append(("total", counts.total, counts.x_wins, counts.draws, counts.o_wins))
    width = max(len(heads[0]), len(f"{counts.total:,}"))
    rows = [f"  marks{''.join(f'  {head:>{width}}' for head in heads)}"]
    for name, *numbers in lines:
        rows.append(f"  {name:>5}{''.join(f'  {number:>{width},}' for number in numbers)}")
    return rows
