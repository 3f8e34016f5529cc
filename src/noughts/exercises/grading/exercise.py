"""What every exercise has: cases in order of size, what is right, and why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from noughts.drawing import Diagram

__all__ = ["Case", "Difference", "Exercise", "Form", "in_order", "is_same", "one_line", "shown"]


@dataclass(frozen=True, slots=True)
class Form:
    """What the solution takes: the possible numbers of arguments, and whether `k` is the second."""

    takes: tuple[int, ...] = (1,)
    has_k: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One question to a solution.

    `size` says how large the case is; the cases of an exercise come in this order. A case
    that is not `required` may take longer than the solution is given.
    """

    question: dict[str, Any]
    size: tuple[int, ...]
    stage: str
    required: bool = True

    @property
    def arguments(self) -> list[Any]:
        """The arguments of the call."""
        (arguments,) = (
            self.question[key] for key in ("call", "play", "list") if key in self.question
        )
        assert isinstance(arguments, list)
        return arguments


@dataclass(frozen=True, slots=True)
class Difference:
    """How a result differs from the right one: both, and the rule that it is about."""

    expected: object
    got: object
    rule: str
    why: str


class Exercise(ABC):
    """One exercise: its cases, the right results by our exact code, and explanations."""

    name: str

    @abstractmethod
    def cases(self, form: Form, seed: int) -> Iterable[Case]:
        """Return the cases for a solution of this form, smallest first."""

    @abstractmethod
    def expected(self, case: Case) -> object:
        """Return the right result."""

    @abstractmethod
    def explain(self, case: Case, expected: Any, got: object) -> tuple[str, str]:
        """Return the rule that a wrong result is about, and a sentence about this case."""

    def check(self, case: Case, got: object) -> Difference | None:
        """Compare a result with the right one."""
        expected = self.expected(case)
        if is_same(expected, got):
            return None
        rule, why = self.explain(case, expected, got)
        return Difference(expected, got, rule, why)

    def notice(self, case: Case, got: object) -> Difference | None:  # noqa: B027 - optional
        """Return what is not wrong with a right result, but worth a remark."""

    def diagram(self, case: Case, got: object) -> Diagram | None:
        """Return a picture of the case."""
        return None

    def call(self, case: Case, name: str) -> str:
        """Return the call as Python would write it."""
        return f"{name}({', '.join(map(repr, case.arguments))})"


def is_same(expected: object, got: object) -> bool:
    """Return whether two results are equal and of the same types, as 1 and True are not."""
    if type(expected) is not type(got):
        return False
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(is_same, expected, got))
    return expected == got


def shown(value: object, most: int = 300) -> str:
    """Return a result as text; one that is not plain data came with its type and its repr.

    >>> shown(["101", True]), shown([{"type": "float", "text": "1.0"}])
    ("['101', True]", '[1.0 (a float)]')
    """
    return one_line(_written(value), most)


def _written(value: object) -> str:
    if isinstance(value, dict) and "type" in value:
        kind = str(value["type"])
        return f"{value.get('text')} ({'an' if kind[:1] in tuple('aeiou') else 'a'} {kind})"
    if isinstance(value, dict) and isinstance(value.get("tuple"), list):
        items = value["tuple"]
        return f"({', '.join(map(_written, items))}{',' * (len(items) == 1)})"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return repr(value)


def one_line(text: str, most: int = 300) -> str:
    r"""Return text of a solution as one line that is safe to print, cut where it is long.

    >>> one_line("two\nlines, \x1b[31mred")
    'two lines, \\x1b[31mred'
    """
    text = " ".join(text.splitlines())
    text = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
    return text if len(text) <= most else f"{text[: most - 60]} ... {text[-50:]}"


T = TypeVar("T", bound=Hashable)


def in_order(lists: Iterable[Sequence[T]]) -> list[tuple[T, ...]]:
    """Return lists with all of their beginnings, each once, the shortest first.

    The first list at which a solution fails is then a shortest one: what it begins with came
    before. Among lists of one length, those that were given first come first.

    >>> in_order(["ab", "b", "ac"])
    [(), ('a',), ('b',), ('a', 'b'), ('a', 'c')]
    """
    known: dict[tuple[T, ...], None] = {}
    for each in lists:
        for length in range(len(each), -1, -1):
            beginning = tuple(each[:length])
            if beginning in known:
                break
            known[beginning] = None
    return sorted(known, key=len)
