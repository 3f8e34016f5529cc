"""Human units: amounts of memory, times, seeds, shares and bars."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import click

from noughts.errors import brief
from noughts.limits import MOST_SEED

__all__ = ["MEMORY", "SEED", "TIME", "bars", "duration", "share"]

_FACTORS = {"": 1, "B": 1}
for _power, _letter in enumerate("KMGT", 1):
    _FACTORS |= {f"{_letter}IB": 1024**_power, f"{_letter}B": 1000**_power, _letter: 1024**_power}


class _Memory(click.ParamType):  # type: ignore[type-arg]  # older click has no argument there
    """An amount of memory: 4GiB, 500MB, 2G, or bytes."""

    name = "SIZE"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d{1,18}(?:\.\d{1,9})?) ?([A-Za-z]*)", value)
        factor = match and _FACTORS.get(match[2].upper())
        if not match or not factor:
            self.fail(f"{value!r} is not an amount of memory like 4GiB or 500MB", param, ctx)
        return int(float(match[1]) * factor)


MEMORY = _Memory()

_SECONDS = {"": 1, "ms": 0.001, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


class _Time(click.ParamType):  # type: ignore[type-arg]  # older click has no argument there
    """A length of time in seconds: 60s, 5min, 1.5h, or plain seconds."""

    name = "TIME"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        if isinstance(value, int | float):
            return value
        match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?) ?([a-z]*)", value)
        factor = match and _SECONDS.get(match[2])
        if not match or not factor or not float(match[1]):
            self.fail(f"{value!r} is not a time like 60s, 5min or 1h", param, ctx)
        return float(match[1]) * factor


TIME = _Time()


class _Seed(click.ParamType):  # type: ignore[type-arg]  # older click has no argument there
    """A seed, refused at once if no generator takes it."""

    name = "integer"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        number: int = click.INT.convert(value, param, ctx)
        if not 0 <= number <= MOST_SEED:
            self.fail(f"a seed is from 0 to {MOST_SEED}, not {brief(number)}", param, ctx)
        return number


SEED = _Seed()


def share(part: int, whole: int) -> str:
    """Return a share in percent; a small share is never shown as 0 %.

    >>> share(1, 3), share(1, 10**9), share(0, 3)
    ('33.3 %', '< 0.1 %', '0 %')
    """
    if not part:
        return "0 %"
    thousandths = (part * 2000 + whole) // (2 * whole)  # in ints: no float holds such numbers
    if not thousandths:
        return "< 0.1 %"
    return f"{thousandths // 10}.{thousandths % 10} %"


def bars(numbers: Mapping[int, int], width: int, block: str = "█") -> dict[int, str]:
    """Return a bar for every number, the largest as wide as `width`."""
    most = max(numbers.values(), default=0) or 1
    return {key: block * (number * width // most) for key, number in numbers.items()}


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it.

    >>> duration(7), duration(200), duration(10000)
    ('7 s', '3 min', '2.8 h')
    >>> duration(10**6), duration(10**12)
    ('12 days', '31,689 years')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    if seconds < 100 * 3600:
        return f"{seconds / 3600:.1f} h"
    days = seconds / 86400
    return f"{days:,.0f} days" if days < 1000 else f"{days / 365.24:,.0f} years"
