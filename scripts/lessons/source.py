"""The source of the textbook forms: pieces of it to show, and copies with a mistake in them."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Mistake", "excerpt", "textbook_source"]


@cache
def textbook_source(module: str) -> str:
    """Return the source of a module of `noughts.exercises.textbook`."""
    file = importlib.import_module(f"noughts.exercises.textbook.{module}").__file__
    assert file is not None
    return Path(file).read_text(encoding="utf-8")


def excerpt(module: str, name: str) -> str:
    """Return the source of a function or class, without docstrings: the lesson explains it."""
    source = textbook_source(module)
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            assert node.end_lineno is not None
            hidden = {line for inner in ast.walk(node) for line in _docstring_lines(inner)}
            numbers = range(node.lineno, node.end_lineno + 1)
            shown = [lines[number - 1] for number in numbers if number not in hidden]
            return "\n".join(shown)
    raise KeyError(f"{module}.py has no function or class {name}")


def _docstring_lines(node: ast.AST) -> range:
    """Return the lines of a docstring, with the empty line behind that of a class."""
    if not isinstance(node, ast.FunctionDef | ast.ClassDef) or ast.get_docstring(node) is None:
        return range(0)
    docstring = node.body[0]
    assert docstring.end_lineno is not None
    return range(docstring.lineno, docstring.end_lineno + 1 + isinstance(node, ast.ClassDef))


@dataclass(frozen=True)
class Mistake:
    """A textbook form with pieces of its source replaced by wrong ones."""

    about: str
    changes: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, about: str, *pieces: str) -> Mistake:
        """Return a mistake, given in turn what is replaced and by what."""
        return cls(about, tuple(zip(pieces[::2], pieces[1::2], strict=True)))

    def made_in(self, module: str, name: str) -> Callable[..., Any]:
        """Return a function of the module as it is with the mistake in the source."""
        source = textbook_source(module)
        for right, wrong in self.changes:
            if right not in source:
                raise KeyError(f"{module}.py does not contain {right!r}")
            source = source.replace(right, wrong)
        namespace: dict[str, Any] = {"__name__": f"{module} with a mistake"}
        exec(compile(source, f"{module} with a mistake", "exec"), namespace)
        if "all_lines" in namespace:  # which is computed anew for every board
            namespace["all_lines"] = cache(namespace["all_lines"])
        function: Callable[..., Any] = namespace[name]
        return function
