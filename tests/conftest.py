"""What all tests share: how many examples laws get, and tables.

Each run draws others, so that a few in each are many over time. A law that needs more of them
says so itself. How long an example takes is the machine's affair.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from noughts.solving.tables import Table, build_table

settings.register_profile(
    "noughts", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("noughts")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Table]]:
    """Return a function that builds the table of a grid, once."""
    folder = tmp_path_factory.mktemp("tables")
    kept: dict[str, Table] = {}

    def table(grid: str) -> Table:
        if grid not in kept:
            kept[grid] = build_table(grid, folder / f"{grid}.noughts")
        return kept[grid]

    yield table
    for each in kept.values():
        each.close()
    shutil.rmtree(folder)  # pytest would keep it for a while, and it is large


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is the place of installed tables."""
    folder = tmp_path / "tables"
    folder.mkdir()
    monkeypatch.setenv("NOUGHTS_TABLES", str(folder))
    return folder
