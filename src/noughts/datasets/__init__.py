"""Data sets with exact labels, written to a folder: positions, moves and games.

>>> from noughts import datasets
>>> datasets.Request("states", "3x3x3", verdicts=("draw",)).command
'noughts export states 3x3x3 --format parquet --verdict draw'

``docs/datasets.md`` describes the columns and the files.

::

    exporting   `export`: from a request to a complete folder, in one go or in several
    request     what is asked for, validated; the same request gives the same bytes
    schema      the columns: names, types, meanings
    plan        how many rows there will be, and the shards; what is too large is refused
    -------------------------------------------------------------------------------------
    positions   rows about positions and moves:   solved     of small grids, from a table
                                                  analysed   of others, one by one
    games       rows about games                  sampling   what is drawn at random
    columns     many values of one type           splits     train or test
    -------------------------------------------------------------------------------------
    formats     Parquet, CSV, JSON Lines          folder     shards, manifest, going on
    card        README.md                         croissant  croissant.json
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from noughts.datasets.request import Request

if TYPE_CHECKING:
    from noughts.datasets.exporting import export
    from noughts.datasets.folder import DataFile, DataSet

__all__ = ["DataFile", "DataSet", "Request", "export"]

_HOMES = {
    "export": "noughts.datasets.exporting",
    **dict.fromkeys(("DataFile", "DataSet"), "noughts.datasets.folder"),
}
"""Where the names are that need numpy; a request can be checked without it."""


def __getattr__(name: str) -> Any:
    """Load a name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'noughts.datasets' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value
