"""Running the textbook code step by step: what is shown is what runs.

`stepped` reads the syntax tree of a textbook module and makes a generator of every function. After
each statement it yields a `Report` of what has just happened, and a call waits for all reports
of the function that it calls::

    def play(board):                          def play(board):
                                                  yield report(CALL, ...)
        for cell in free(board):                  for cell in (yield from free(board)):
                                                      yield report(LINE, ...)
            board[cell] = "X"  # place   ->           board[cell] = "X"
                                                      yield report(LINE, ...)
            if wins(board):                           truth = yield from wins(board)
                                                      yield report(TEST, ..., truth)
                                                      if truth:

So a step is computed when it is asked for, nothing is kept of those before, and the run can be
left at any time. The textbook uses few statements; one that is missing here is an error when the
module is read, and the tests read them all.
"""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Collection, Iterator
from functools import cache
from types import ModuleType
from typing import Any, Literal, NamedTuple

__all__ = ["Kind", "Remark", "Report", "Source", "stepped"]


Kind = Literal[
    "call",  # a function begins
    "return",  # it returns a value
    "end",  # it ends without one
    "yield",  # a generator hands out a value
    "test",  # a condition is true or false
    "line",  # another statement has run
]


class Report(NamedTuple):
    """One statement that has run: in which function, with which variables, and its value."""

    kind: Kind
    line: int
    function: str
    variables: dict[str, Any]  # those of the running function itself; they change as it goes on
    value: Any


class Remark(NamedTuple):
    """A comment behind a statement that names what happens: ``# reject: the cell is taken``."""

    word: str
    why: str


class Source(NamedTuple):
    """The text of a textbook module, its remarks by line, and the last line of each statement."""

    name: str
    lines: tuple[str, ...]
    remarks: dict[int, Remark]
    ends: dict[int, int]


@cache
def stepped(module: ModuleType, unseen: Collection[str] = ()) -> tuple[Source, dict[str, Any]]:
    """Return the source of a module, and its names, with a generator in place of each function.

    Functions in `unseen` run as they are, in one step.
    """
    text = inspect.getsource(module)
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    methods = [
        node
        for each in tree.body
        if isinstance(each, ast.ClassDef)
        for node in each.body
        if isinstance(node, ast.FunctionDef) and node.name != "__init__"
    ]
    seen = [node for node in functions + methods if node.name not in unseen]
    ends = {line: end for node in seen for line, end in _statement_lines(node)}
    names = frozenset(node.name for node in seen)
    for node in seen:
        _Stepper(node.name, names).rewrite(node)
    namespace: dict[str, Any] = {"__name__": module.__name__}
    exec(compile(ast.fix_missing_locations(tree), module.__name__, "exec"), namespace)
    name = f"{module.__name__.rpartition('.')[2]}.py"
    return Source(name, tuple(text.splitlines()), _remarks(text), ends), namespace


def _remarks(text: str) -> dict[int, Remark]:
    """Return the comments that stand behind statements, by line."""
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip():
            word, _, why = token.string.lstrip("# ").partition(":")
            found[token.start[0]] = Remark(word.strip(), why.strip())
    return found


def _statement_lines(function: ast.FunctionDef) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each statement, up to the colon of a compound one."""
    for node in ast.walk(function):
        if isinstance(node, ast.If):
            yield node.lineno, max(node.lineno, node.body[0].lineno - 1)
        elif isinstance(node, ast.stmt) and not isinstance(node, ast.For | ast.FunctionDef):
            yield node.lineno, node.end_lineno or node.lineno


class _Stepper(ast.NodeTransformer):
    """Makes a generator of one function; `names` are the functions that are generators, too."""

    def __init__(self, function: str, names: frozenset[str]) -> None:
        self._function = function
        self._names = names

    def rewrite(self, function: ast.FunctionDef) -> None:
        """Put a report behind every statement of a function."""
        body = [self._report("call", function.lineno), *self._block(function.body)]
        if not isinstance(function.body[-1], ast.Return):
            last = function.end_lineno or function.lineno
            body += [self._report("end", last), ast.Return()]
        function.body = body
        function.returns = None

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        return [new for old in statements for new in self._statement(old)]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        line = node.lineno
        match node:
            case ast.Expr(value=ast.Constant()):
                return [node]  # a docstring
            case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                return [self._report("yield", line, self.visit(value))]
            case ast.Expr(value=ast.YieldFrom()):
                return [ast.Expr(self.visit(node.value))]  # the callee reports
            case ast.Return(value=value):
                keep = _keep(ast.Constant(None) if value is None else self.visit(value))
                return [keep, self._report("return", line, _kept()), ast.Return(_kept())]
            case ast.If():
                body, others = self._block(node.body), self._block(node.orelse)
                keep, report = _keep(self.visit(node.test)), self._report("test", line, _kept())
                return [keep, report, ast.If(_kept(), body, others)]
            case ast.For(orelse=[]):
                body = [self._report("line", line, _target(node.target)), *self._block(node.body)]
                return [ast.For(node.target, self.visit(node.iter), body, [])]
            case ast.Continue():
                return [self._report("line", line), node]
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr():
                return [self.generic_visit(node), self._report("line", line)]  # type: ignore[list-item]
        raise NotImplementedError(f"a statement of the textbook cannot be stepped: line {line}")

    def _report(self, kind: Kind, line: int, value: ast.expr | None = None) -> ast.stmt:
        """Return the statement that yields a report."""
        fields: list[ast.expr] = [ast.Constant(each) for each in (kind, line, self._function)]
        variables = ast.Call(ast.Name("locals", ast.Load()), [], [])
        fields += [variables, value or ast.Constant(None)]
        return ast.Expr(ast.Yield(ast.Tuple(fields, ast.Load())))

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.YieldFrom:
        """Rewrite the arguments of a call that is delegated to already."""
        assert isinstance(node.value, ast.Call)
        self.generic_visit(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Wait for the reports of a function that is a generator now."""
        self.generic_visit(node)
        callee = node.func
        name = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", None)
        # With the place of the call: there the generator of the caller stands meanwhile.
        return ast.copy_location(ast.YieldFrom(node), node) if name in self._names else node


def _target(target: ast.expr) -> ast.expr:
    """Return the names that a loop sets, as an expression to read them."""
    return ast.parse(ast.unparse(target), mode="eval").body


_KEPT = "_kept"  # holds a value between its report and its use


def _keep(value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(_KEPT, ast.Store())], value)


def _kept() -> ast.expr:
    return ast.Name(_KEPT, ast.Load())
