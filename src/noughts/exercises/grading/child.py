"""The process that runs a solution: it loads it, calls it case by case, and answers.

Questions and answers are JSON, one per line, on two pipes of their own, so that the solution
may print what it likes. The first line says what to load; the first answers are ``started`` and
what the solution takes. Afterwards each question gets one answer, in order.

Only the standard library is imported here, as the process that serves a file loads this module
without `noughts`, which takes four times as long as all else. The parent trusts nothing that
comes back: this process belongs to the solution, which can end it, block it or write into its
pipes.
"""

from __future__ import annotations
import __future__

import json
import os
import sys
from contextlib import suppress
from types import ModuleType

from .calling import (
    Answer,
    NotDefined,
    Target,
    answer_of,
    describe,
    form_of,
)

__all__ = ["DISTURBED", "main", "serve"]

MODULE = "solution"
"""The name of the module that a file becomes: not ``__main__``, so its own tests do not run."""

DISTURBED = 86
"""The exit code after which the solution has disturbed this process."""

MOST_FILE = 64 << 20
"""Bytes in a file that the solution writes at most."""

_encode = json.JSONEncoder().encode  # bound now: the solution may replace what it finds
_decode = json.JSONDecoder().decode
_write, _exit, _getpid = os.write, os._exit, os.getpid


def main() -> None:
    """Serve a file, in an interpreter of its own; the two pipes are named by the arguments."""
    serve(int(sys.argv[1]), int(sys.argv[2]))


def serve(questions: int, answers: int, thing: object = None) -> None:
    """Answer questions about a file, or about `thing`, until there are no more; then end."""
    own = _getpid()

    def reply(answer: Answer) -> None:
        if _getpid() != own:
            _exit(0)  # the solution has forked, and this is its copy
        data = _encode(answer).encode() + b"\n"
        while data:
            data = data[_write(answers, data) :]

    try:
        with os.fdopen(questions, "rb", closefd=False) as lines:
            setup = _decode(lines.readline().decode())
            limit_resources(setup["memory"], setup["cpu"])
            reply({"started": True})
            target = Target(setup["target"], setup["path"])
            try:
                found = load(setup, target) if thing is None else target.within(thing)
                reply(form_of(found))
            except NotDefined as error:
                reply({"missing": str(error)})
                return
            except BaseException as error:  # also SystemExit and KeyboardInterrupt
                reply(describe(error, target.path))
                return
            for line in lines:
                reply(answer_of(found, _decode(line.decode()), target.path))
    except BaseException:  # what is needed here was closed or replaced
        _exit(DISTURBED)
    finally:
        _exit(0)  # at once, without what the solution has registered for the end


def load(setup: dict[str, str], target: Target) -> object:
    """Execute the source as a module and return what the target names."""
    module = ModuleType(MODULE)
    module.__file__ = target.path
    sys.modules[MODULE] = module  # dataclasses and pickle look there
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.abspath(target.path)))
    # LeetCode defines `List`, which a solution copied from there only uses in annotations.
    unevaluated = __future__.annotations.compiler_flag
    code = compile(setup["source"], target.path, "exec", unevaluated, dont_inherit=True)
    exec(code, module.__dict__)
    return target.of(vars(module))


def limit_resources(memory: int, cpu: int) -> None:
    """Limit memory, processor time and the size of files, where the system can do that.

    `memory` is what the solution may use on top of what this process has already.
    """
    try:
        import resource
    except ImportError:
        return
    limits = {"RLIMIT_CPU": cpu, "RLIMIT_CORE": 0, "RLIMIT_FSIZE": MOST_FILE}
    with suppress(OSError, ValueError), open("/proc/self/statm", "rb") as file:
        limits["RLIMIT_AS"] = int(file.read().split()[0]) * resource.getpagesize() + memory
    for name, amount in limits.items():
        with suppress(AttributeError, OSError, ValueError):
            which = getattr(resource, name)
            hard = resource.getrlimit(which)[1]
            most = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
            resource.setrlimit(which, (most, most))
