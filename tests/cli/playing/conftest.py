from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_folder(own_folder: Path) -> None:
    """Whatever is played and saved here, it is in a folder of its own."""
