"""Cases of a test that take microseconds, run as one test."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

Test = Callable[..., None]


def for_each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test once for each case, like `pytest.mark.parametrize`, but as a single test.

    The names are those of the arguments; with several of them a case is a sequence. The
    report of a failure names the case.
    """
    keys = [names] if isinstance(names, str) else list(names)
    rows = [[case] if isinstance(names, str) else list(case) for case in cases]
    assert rows, "a test without a case cannot fail"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def loop(**arguments: Any) -> None:
            for row in rows:
                case = dict(zip(keys, row, strict=True))
                try:
                    test(**case, **arguments)
                except BaseException as error:
                    error.add_note(f"with {case!r:.500}")
                    raise

        signature = inspect.signature(test)
        others = [p for name, p in signature.parameters.items() if name not in keys]
        loop.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return loop

    return decorate
