"""`export`: from a request to a complete folder, in one go or in several."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from noughts.counting.runner import Progress, Runner
from noughts.datasets.analysed import prepare
from noughts.datasets.card import card
from noughts.datasets.croissant import croissant
from noughts.datasets.folder import DataFile, DataSet, Folder
from noughts.datasets.plan import Plan, make_plan
from noughts.datasets.request import Format, Kind, Request
from noughts.errors import CountMismatch
from noughts.limits import Limits

__all__ = ["export"]


def export(
    kind: Kind,
    game: str,
    out: os.PathLike[str] | str,
    *,
    format: Format = "parquet",
    threads: int | None = None,
    cluster: str | None = None,
    on_plan: Callable[[Plan], None] | None = None,
    on_progress: Progress | None = None,
    on_notice: Callable[[str], None] | None = None,
    **options: Any,
) -> DataSet:
    """Write a data set to a folder, or the rest of one that was begun; return what is there.

    `kind` is ``states``, ``actions`` or ``games``, and the `options` are those of `Request`:
    `verdicts`, `up_to_symmetry`, `sample` and `seed`, `start` and `limit`, `nodes`,
    `test_share`. `threads` are all cores by default; `cluster` is the address of a Dask
    scheduler, or ``local:N`` for N processes here. Neither changes a byte of the result.
    `on_plan` is told beforehand what will be written.

    The folder must be new, empty, or of the same data set. If that is complete, it is only
    checked.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     data_set = export("states", "3x3x3", folder, format="csv", test_share=0)
    >>> data_set.rows
    {'train': 5478}
    """
    request = Request(kind, game, format, **options)
    folder = Folder(out, request)
    complete = folder.open()
    if complete is not None:
        return complete
    notice = on_notice or (lambda message: None)
    runner = Runner(
        Limits(threads=threads),
        checkpoint=folder.checkpoint,
        cluster=cluster,
        on_progress=on_progress,
        on_notice=notice,
    )
    if cluster is None:
        prepare(request, notice)
    plan = make_plan(request)
    if on_plan is not None:
        on_plan(plan)
    folder.begin(len(plan.sources))
    shards = runner.run(lambda: folder.subject, plan.tasks(), receive=folder.receive)
    files = tuple(DataFile.from_json(file) for shard in shards for file in shard)
    data_set = DataSet(folder.path, request, files)
    rows = sum(data_set.rows.values())
    if rows != plan.rows and (plan.is_exact or rows > plan.rows):
        raise CountMismatch(f"{rows:,} rows were written where {plan.rows:,} were counted")
    documents = {"README.md": card(data_set), "croissant.json": croissant(data_set)}
    folder.complete(data_set, documents)
    return data_set
