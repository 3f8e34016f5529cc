"""Primes to count modulo, and the Chinese remainder theorem, from residues to the number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import isqrt, prod

from noughts.errors import CountMismatch

__all__ = ["primes_for", "reconstruct"]

TOP = 1 << 31
"""Primes lie below this, so that the sum of two residues fits in 32 bits."""


def primes_for(bound: int) -> list[int]:
    """Return primes whose product exceeds `bound`, and a larger one as a check.

    One wrong residue puts the number off by a multiple of all primes but one. Were it also a
    multiple of the check prime, which is larger than that one, it would be off by more than
    the product of all; so no error in one residue can hide.

    >>> primes_for(10**12)
    [2147483629, 2147483587, 2147483647]
    """
    candidates = (number for number in count(TOP - 1, -1) if _is_prime(number))
    check = next(candidates)
    primes = [next(candidates)]
    while prod(primes) <= bound:
        primes.append(next(candidates))
    return [*primes, check]


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
