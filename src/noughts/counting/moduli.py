"""Primes to count modulo, and the way back from residues to the number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import isqrt

from noughts.errors import CountMismatch

__all__ = ["primes_for", "reconstruct"]

TOP = 1 << 31
"""Primes lie below this, so that the sum of two residues fits in 32 bits."""


def primes_for(bound: int) -> list[int]:
    """Return primes whose product exceeds `bound`, largest first, and one more as a check.

    >>> primes_for(10**12)
    [2147483647, 2147483629, 2147483587]
    """
    primes: list[int] = []
    product = 1
    for number in count(TOP - 1, -1):
        if _is_prime(number):
            primes.append(number)
            if product > bound:
                return primes
            product *= number
    raise AssertionError  # there is no end of numbers


def _is_prime(number: int) -> bool:
    return all(number % divisor for divisor in (2, *range(3, isqrt(number) + 1, 2)))


def reconstruct(residues: Sequence[int], primes: Sequence[int]) -> int:
    """Return the number below the product of all primes but the last that has these residues.

    The last prime takes no part; it must agree, or `CountMismatch` is raised.

    >>> reconstruct([2, 3, 2], [3, 5, 7])
    Traceback (most recent call last):
    noughts.errors.CountMismatch: the check prime 7 gives 2 where the others give 8
    >>> reconstruct([2, 3, 1], [3, 5, 7])
    8
    """
    number, product = 0, 1
    for residue, prime in zip(residues[:-1], primes[:-1], strict=True):
        step = (residue - number) * pow(product, -1, prime) % prime
        number += product * step
        product *= prime
    if number % primes[-1] != residues[-1]:
        raise CountMismatch(
            f"the check prime {primes[-1]} gives {residues[-1]} where the others give {number}"
        )
    return number
