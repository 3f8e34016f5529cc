"""Finding the solution in a file, by its usual names, without running the file.

Names are compared without case and underscores, so `countGames` and `count_games` are the
same. The first of these that a file has is taken; two of the same kind are an error:

1. the exercise's own name (spec 7), as a function, a class, or a method of `class Solution`;
2. another usual name, in the same places;
3. if the exercise is given: `solution`, or else the only public function or method.
"""

from __future__ import annotations

import ast
import os
import stat
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from noughts.errors import NotationError, NoughtsError, brief
from noughts.exercises.grading.names import NAMES, Names, exercise_names

__all__ = ["Solution", "find_in_file", "find_object"]

MOST_SOURCE = 1 << 20
"""Bytes in a file of source at most."""

STDIN = "<stdin>"
"""How messages call the source that is read from stdin."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is graded: a target within a source, or an object."""

    exercise: str
    target: str  # "name" or "Class.method"
    path: str = ""
    source: str | None = None
    thing: object = None

    def __str__(self) -> str:
        return self.target.replace(".", "().")


@dataclass(frozen=True, slots=True)
class _Definition:
    """A name of a module; the methods are those of a class, None for all else."""

    name: str
    methods: tuple[str, ...] | None = None
    is_open: bool = False  # a class with bases may have methods that do not show


def find_in_file(
    path: str | os.PathLike[str], exercise: str | None = None, function: str | None = None
) -> Solution:
    """Return the solution in a file, or raise an error that says what is there instead.

    ``-`` is stdin.
    """
    name = os.fspath(path)
    if not isinstance(name, str):
        raise NotationError(f"the name of a file is text, not {brief(name)}")
    if name == "-":
        name = STDIN
    source = read_source(name)
    definitions = _definitions(name, source)
    if function is not None:
        target = _named(name, definitions, function)
        exercise = exercise or _exercise_of(function)
    else:
        exercise, target = _search(name, definitions, exercise)
    return Solution(exercise, target, name, source)


def find_object(thing: object, exercise: str | None = None) -> Solution:
    """Return the solution that a function or class is, with the method of a `class Solution`."""
    name = getattr(thing, "__name__", type(thing).__name__)
    if not callable(thing) or not isinstance(name, str):
        raise NotationError(f"a solution is a file, a function or a class, not {brief(thing)}")
    definition = _Definition(name)
    if isinstance(thing, type):
        methods = (key for key in dir(thing) if callable(getattr(thing, key, None)))
        definition = _Definition(name, tuple(key for key in methods if not key.startswith("_")))
    if exercise is None:
        exercise = _exercise_by_name(definition)
    is_class = _names_of(exercise).is_class
    if is_class and not isinstance(thing, type):
        raise NoughtsError(f"a solution of {exercise} is a class, not the function {name}")
    plain = definition.methods is None or is_class
    target = name if plain else _search(name, [definition], exercise)[1]
    path = getattr(getattr(thing, "__code__", None), "co_filename", "")
    return Solution(exercise, target, path, None, thing)


def _exercise_by_name(definition: _Definition) -> str:
    """Return the one exercise for which a function or class has a usual name."""
    found = [
        names.exercise
        for names in NAMES
        if any(_targets([definition], names, rank) for rank in range(2))
    ]
    if len(found) == 1:
        return found[0]
    known = ", ".join(found or exercise_names())
    raise NoughtsError(f"which exercise does {definition.name} solve? Name it, one of: {known}")


def read_source(path: str) -> str:
    """Return the text of a file of Python, or raise an error that names the file."""
    try:
        data = _read_stdin() if path == STDIN else _read_file(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NoughtsError(f"cannot read {path!r}: {reason}") from None
    if len(data) > MOST_SOURCE:
        raise NoughtsError(f"cannot read {path!r}: it has more than {MOST_SOURCE:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        message = f"{path}, line {line}: not text: byte 0x{byte:02x} is not UTF-8"
        raise NotationError(message) from None


def _read_stdin() -> bytes:
    return b"" if sys.stdin is None else sys.stdin.buffer.read(MOST_SOURCE + 1)


def _read_file(path: str) -> bytes:
    """Return the content of a regular file: others may never come to an end."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        kind = "a folder" if os.path.isdir(path) else "not a regular file"
        raise NoughtsError(f"cannot read {path!r}: it is {kind}")
    with open(path, "rb") as file:
        return file.read(MOST_SOURCE + 1)


# -- definitions -------------------------------------------------------------------------


def _definitions(path: str, source: str) -> list[_Definition]:
    """Return the functions, classes and other names of a module."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the solution's style
            tree = ast.parse(source, path)
            compile(tree, path, "exec", dont_inherit=True)  # finds what the parser does not
    except SyntaxError as error:
        where = f", line {error.lineno}" if error.lineno else ""
        raise NotationError(f"{path}{where}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise NotationError(f"{path}: Python cannot read it: {error}") from None
    found = {definition.name: definition for definition in _bound(tree.body)}
    return list(found.values())


def _bound(body: Sequence[ast.stmt]) -> Iterator[_Definition]:
    """Yield the names that statements bind, also those inside `if`, `try`, `with` and loops."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield _Definition(node.name)
        elif isinstance(node, ast.ClassDef):
            methods = tuple(each.name for each in _bound(node.body))
            yield _Definition(node.name, methods, bool(node.bases))
        elif isinstance(node, ast.Assign) and not isinstance(node.value, ast.Name | ast.Constant):
            # A name for a name is an alias, and the other one is found.
            yield from (_Definition(each.id) for each in node.targets if isinstance(each, ast.Name))
        elif isinstance(node, ast.ImportFrom):
            names = (each.asname or each.name for each in node.names)
            yield from (_Definition(name) for name in names if name != "*")
        else:
            for part in ("body", "orelse", "finalbody", "handlers"):
                for inner in getattr(node, part, []):
                    nested = inner.body if isinstance(inner, ast.ExceptHandler) else [inner]
                    yield from _bound(nested)


def _named(path: str, definitions: list[_Definition], function: str) -> str:
    """Return the target that the user named, or raise if the file does not have it."""
    first, _, method = function.partition(".")
    for each in definitions:
        if each.name == first and (
            not method or each.is_open or each.methods is None or method in each.methods
        ):
            return function
    known = ", ".join(each.name for each in definitions if not each.name.startswith("_"))
    raise NoughtsError(f"{path} does not define {function!r}; it defines: {known or 'nothing'}")


# -- names -------------------------------------------------------------------------------


def _search(path: str, definitions: list[_Definition], exercise: str | None) -> tuple[str, str]:
    """Return the exercise and its target, by the usual names."""
    if exercise is not None:
        names = _names_of(exercise)
        for rank in range(3):
            targets = _targets(definitions, names, rank)
            if len(targets) > 1 and rank < 2:
                raise NoughtsError(
                    f"{path} has {len(targets)} candidates for {exercise}: {', '.join(targets)}; "
                    "choose one with --function"
                )
            if len(targets) == 1:
                return exercise, targets[0]
        usual = " or ".join(names.shown)
        what = "class" if names.is_class else "function"
        raise NoughtsError(f"{path} has no {what} for {exercise} with a usual name, like {usual}")
    found = {
        names.exercise: targets
        for names in NAMES
        if (targets := [t for rank in range(2) for t in _targets(definitions, names, rank)])
    }
    if len(found) == 1:
        return _search(path, definitions, next(iter(found)))
    if found:
        shown = ", ".join(f"{each} ({found[each][0]})" for each in found)
        raise NoughtsError(f"{path} may solve several exercises: {shown}; choose with --exercise")
    known = ", ".join(exercise_names())
    raise NoughtsError(
        f"{path} has no function or class with the usual name of an exercise; "
        f"choose the exercise with --exercise: {known}"
    )


def _targets(definitions: list[_Definition], names: Names, rank: int) -> list[str]:
    """Return the definitions whose names have a rank for an exercise."""
    targets = []
    definitions = [each for each in definitions if not each.name.startswith("_")]
    for each in definitions:
        is_solution = _bare(each.name) == "solution"
        if names.is_class:
            has_move = each.methods is not None and ("move" in each.methods or each.is_open)
            if has_move and (names.rank(_bare(each.name)) == rank or (is_solution and rank == 1)):
                targets.append(each.name)
        elif each.methods is None:
            if names.rank(_bare(each.name)) == rank or (is_solution and rank == 2):
                targets.append(each.name)
        elif is_solution:
            targets += [
                f"{each.name}.{method}"
                for method in each.methods
                if names.rank(_bare(method)) == rank or (rank == 2 and method == "solution")
            ]
    if rank < 2 or targets:
        return targets
    # The last resort: there is but one thing that can be meant.
    if names.is_class:
        return [d.name for d in definitions if d.methods is not None and "move" in d.methods]
    public: list[str] = []
    for each in definitions:
        if each.methods is None:
            public.append(each.name)
        elif each.methods is not None and _bare(each.name) == "solution":
            public += [f"{each.name}.{m}" for m in each.methods if not m.startswith("_")]
    return public


def _bare(name: str) -> str:
    return name.replace("_", "").lower()


def _exercise_of(function: str) -> str:
    name = _bare(function.rpartition(".")[2])
    first = _bare(function.partition(".")[0])
    for names in NAMES:
        if (names.rank(first) if names.is_class else names.rank(name)) < 2:
            return names.exercise
    known = ", ".join(exercise_names())
    raise NoughtsError(f"which exercise does {function} solve? Choose one with --exercise: {known}")


def _names_of(exercise: Any) -> Names:
    for names in NAMES:
        if names.exercise == exercise:
            return names
    known = ", ".join(exercise_names())
    raise NoughtsError(f"there is no exercise {brief(exercise)}; there are: {known}")
