"""``noughts export``: data sets of positions, moves and games, with exact labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from noughts.cli.output import echo_json
from noughts.cli.progress import ProgressLine
from noughts.datasets.request import ENDINGS, TURNS, Format, Kind
from noughts.limits import human_size

if TYPE_CHECKING:
    from noughts.datasets.folder import DataSet
    from noughts.datasets.plan import Plan

__all__ = ["command"]

_MANY = 1_000_000
"""From this number of rows on it is said beforehand how many there will be."""


@click.command("export")
@click.argument("kind", type=click.Choice(get_args(Kind)), metavar="states|actions|games")
@click.argument("game", metavar="GAME")
@click.option("-o", "--out", metavar="DIR", required=True, help="The folder to write to.")
@click.option(
    "--format",
    type=click.Choice(get_args(Format)),
    default="parquet",
    show_default=True,
    help="The format of the files.",
)
@click.option(
    "--verdict",
    "verdicts",
    type=click.Choice(TURNS + ENDINGS),
    multiple=True,
    help="Only positions with this verdict, or games that end so (default: all); repeatable.",
)
@click.option("--finished", is_flag=True, help="Only finished positions.")
@click.option("--up-to-symmetry", is_flag=True, help="One row for all rotations and reflections.")
@click.option(
    "--sample", type=int, metavar="N", help="Draw N positions or games at random (default: all)."
)
@click.option("--seed", type=int, metavar="S", help="Seed of the sample (default: 0).")
@click.option(
    "--start", type=int, default=0, metavar="I", help="Begin with game number I (default: 0)."
)
@click.option("--limit", type=int, metavar="N", help="Stop after N games (default: all).")
@click.option(
    "--nodes",
    type=int,
    metavar="N",
    help="Nodes to search for each position that no table has (default: 10000).",
)
@click.option(
    "--test-share",
    type=float,
    default=0.2,
    metavar="SHARE",
    show_default=True,
    help="Share of the canonical forms that go to the test split; 0 for none.",
)
@click.option("--threads", type=click.IntRange(min=1), help="Threads to use (default: all cores).")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Run on a Dask cluster: its scheduler, or local:N for N processes here.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON.")
def command(
    kind: Kind,
    game: str,
    out: str,
    format: Format,
    verdicts: tuple[str, ...],
    finished: bool,
    up_to_symmetry: bool,
    sample: int | None,
    seed: int | None,
    start: int,
    limit: int | None,
    nodes: int | None,
    test_share: float,
    threads: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Write a data set of positions, moves or games, with exact labels.

    A row of 'states' is a position: its verdict, value, plies to the end, best moves, the value of
    every move, canonical form and more. A row of 'actions' is a move in a position, one of 'games'
    a game. Of boards of up to 16 cells all positions are written; of larger ones and of
    Ultimate a sample, where a value is proved or 'unknown'.

    An export that was stopped goes on when the same command is run again, and the result is the
    same, byte for byte. The files are described in DIR/README.md, croissant.json and
    manifest.json, which says whether the data set is complete.

    \b
    Examples:
      noughts export states 3x3x3 --out states
      noughts export states 3x3x3 --finished --test-share 0 --format csv --out uci
      noughts export actions 4x4x3 --up-to-symmetry --out actions
      noughts export games 4x4x3 --sample 10000 --seed 1 --format jsonl --out games
      noughts export states ultimate --sample 1000 --out ultimate

    Exit code: 0 if the data set is complete, 2 if it cannot be written as asked, 130 if it was
    interrupted; what is finished is kept.
    """
    if finished:
        if kind != "states" or verdicts:
            raise click.UsageError("--finished is for states, without --verdict.")
        verdicts = ENDINGS
    from noughts.datasets.exporting import export

    line = ProgressLine()
    try:
        data_set = export(
            kind,
            game,
            out,
            format=format,
            threads=threads,
            cluster=cluster,
            on_plan=_announce,
            on_progress=line.report,
            on_notice=line.notice,
            verdicts=verdicts,
            up_to_symmetry=up_to_symmetry,
            sample=sample,
            seed=seed,
            start=start,
            limit=limit,
            nodes=nodes,
            test_share=test_share,
        )
    except KeyboardInterrupt:
        line.clear()
        message = f"Interrupted at {line.share * 100:.1f} %: the same command goes on from there."
        click.echo(message, err=True)
        raise
    finally:
        line.clear()
    if as_json:
        echo_json({"out": out, **data_set.to_json()})
        return
    for row in _summary(data_set):
        click.echo(row)


def _announce(plan: Plan) -> None:
    """Say how much there will be, if it takes a while."""
    if plan.rows >= _MANY:
        shards = len(plan.sources)
        parts = f"{shards:,} {'part' if shards == 1 else 'parts'}"
        most = "" if plan.is_exact else "up to "
        click.echo(f"Writing {most}{plan.rows:,} rows in {parts}.", err=True)


def _summary(data_set: DataSet) -> list[str]:
    """Return a line about the data set, and one about each split."""
    rows = [f"{data_set.request.text} in {data_set.folder}"]
    total = sum(data_set.rows.values())
    for split, files in data_set.splits.items():
        size = human_size(sum(file.bytes for file in files))
        count = f"{len(files):,} {'file' if len(files) == 1 else 'files'}"
        rows.append(
            f"  {split:<5}  {data_set.rows[split]:>{len(f'{total:,}')},} rows  {count}, {size}"
        )
    return rows
