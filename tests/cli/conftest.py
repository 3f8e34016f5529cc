from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, and look nothing up in tables that somebody may have installed."""
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    return tmp_path
