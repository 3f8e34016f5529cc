"""Run docs/tutorial.ipynb and keep what its cells give, so that it can be read without running."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

TUTORIAL = Path(__file__).resolve().parent.parent / "docs" / "tutorial.ipynb"

_WIDGET = "application/vnd.jupyter.widget-view+json"


def read(path: Path = TUTORIAL) -> Any:
    """Return a notebook."""
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def run(notebook: Any) -> None:
    """Run all cells, and put into each what it gives; an error is raised."""
    client = NotebookClient(notebook, timeout=300, store_widget_state=False)
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
        for output in cell.get("outputs", ()):
            # A live board is gone with its kernel; its picture stays.
            output.get("data", {}).pop(_WIDGET, None)


if __name__ == "__main__":
    notebook = read()
    run(notebook)
    nbformat.write(notebook, TUTORIAL)  # type: ignore[no-untyped-call]
