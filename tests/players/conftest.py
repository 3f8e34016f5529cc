"""Players look nothing up, unless a test says so."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _no_tables(installed: Path) -> None:
    """Look nothing up in the tables that may be installed."""
