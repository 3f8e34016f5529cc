"""The page about data sets, docs/datasets.md: its text, and the columns as the code has them."""

from __future__ import annotations

from pathlib import Path

from noughts.datasets.card import columns_table
from noughts.datasets.request import Request

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "datasets.md"

TABLES = {
    "states": Request("states", "3x3x3"),
    "actions": Request("actions", "3x3x3"),
    "games": Request("games", "3x3x3"),
    "analysed_states": Request("states", "ultimate", sample=1),
    "analysed_actions": Request("actions", "ultimate", sample=1),
}
"""A request for each table of columns."""


def page() -> str:
    """Return docs/datasets.md."""
    text = (ROOT / "docs" / "datasets.in.md").read_text(encoding="utf-8")
    for name, request in TABLES.items():
        text = text.replace(f"{{{name}}}", columns_table(request))
    return text
