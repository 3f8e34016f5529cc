"""Checkpoints of questions: the bounds of a position, and the transposition tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from noughts.errors import CheckpointError
from noughts.solving.question import Question
from noughts.storage import Checkpoint
from noughts.values import Solution

__all__ = ["keep_answer", "open_checkpoint"]


def open_checkpoint(path: Path | str, question: Question) -> tuple[Checkpoint, dict[str, Any]]:
    """Open or create the checkpoint of a question; return it with the entries of the tables.

    The bounds in it are written to the question.
    """
    file = Checkpoint(path, f"solve {question.position.text}")
    kept = file.load()
    if "question" in kept:
        try:
            question.restore(kept["question"])
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise CheckpointError(f"{file.path} is damaged: {error}") from None
    return file, kept.get("memory", {})


def keep_answer(path: Path | str, solution: Solution) -> None:
    """Write an answer that took no search to a checkpoint, as a search would have left it."""
    question = Question(solution.position)
    file, memory = open_checkpoint(path, question)
    if solution.is_proved:
        question = Question.answered(solution)
    file.save("memory", memory)
    file.save("question", question.to_json(0))
