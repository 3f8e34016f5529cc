"""The tutorial runs from top to bottom, and gives what it shows."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from run_tutorial import TUTORIAL, read, run


def outputs(cell: Any) -> list[Any]:
    """Return what a cell gives: what it prints, and every form of what it shows."""
    return [output.get("text") or output.get("data") for output in cell.outputs]


def test_the_tutorial_gives_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path))
    shown = read()
    ran = copy.deepcopy(shown)
    run(ran)
    for before, after in zip(shown.cells, ran.cells, strict=True):
        if before.cell_type == "code":
            assert before.outputs, f"{before.id} was saved without what it gives"
            if "varies" not in before.metadata.get("tags", ()):
                assert outputs(after) == outputs(before), before.id


def test_the_tutorial_shows_everything() -> None:
    """Each of what the package can do has its cell."""
    source = "\n".join(cell.source for cell in read().cells if cell.cell_type == "code")
    for name in (
        "judge",
        "simulate",
        "Game",
        "count(",
        "Games",
        "solve",
        "analyse(",
        "verify",
        "board(",
    ):
        assert name in source


def test_links_of_the_tutorial_lead_somewhere() -> None:
    for cell in read().cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#]+)\)", cell.source):
                assert (TUTORIAL.parent / target).exists(), target
