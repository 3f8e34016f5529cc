"""Checkpoints of questions: the entries of the transposition tables, and the nodes they took.

No verdict is kept. A later run finds it again with the help of the entries, in a few percent of
the nodes, so a verdict that was written into a file is not printed as a proof. The entries are
believed as long as they make sense: a checkpoint is one's own notes, and a proof is for others.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.errors import CheckpointError
from noughts.limits import MOST_NODES
from noughts.rules.position import GridPosition
from noughts.storage import Checkpoint

if TYPE_CHECKING:
    from noughts.solving.searches import Searches  # it needs numpy

__all__ = ["SolverCheckpoint", "open_checkpoint"]


def open_checkpoint(path: Path | str, position: GridPosition) -> Checkpoint:
    """Open or create the checkpoint of a position."""
    return Checkpoint(path, f"solve {position.text}")


class SolverCheckpoint:
    """The checkpoint of a position, whose entries are in the tables of `searches` from now on."""

    def __init__(self, path: Path | str, position: GridPosition, searches: Searches) -> None:
        self._file = open_checkpoint(path, position)
        self._searches = searches
        kept = self._file.load()
        try:
            self.earlier_nodes = _nodes(kept.get("question", {}))
            searches.load(kept.get("memory", {}))
        except ValueError as error:
            raise CheckpointError(f"{self._file.path} is damaged: {error}") from None

    def save(self, nodes: int, most: int) -> None:
        """Write the entries that took the most work, and all nodes, `nodes` of them of this run."""
        self._file.save("memory", self._searches.dump(most))
        self._file.save("question", {"nodes": self.earlier_nodes + nodes})


def _nodes(question: Any) -> int:
    """Return the nodes of earlier runs."""
    nodes = question.get("nodes", 0) if isinstance(question, dict) else None
    if type(nodes) is not int or not 0 <= nodes <= MOST_NODES:
        raise ValueError("it does not say how many nodes were visited")
    return nodes
