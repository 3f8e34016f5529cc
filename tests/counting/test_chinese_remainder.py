"""Primes, and the way back from residues: the right number, or an error."""

from __future__ import annotations

from math import isqrt, prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from noughts import Grid, NoughtsError
from noughts.counting.chinese_remainder import primes_for, reconstruct
from noughts.counting.problem import Problem
from noughts.errors import CountMismatch

BOUNDS = st.integers(1, 10**60)


def is_prime(number: int) -> bool:
    """Divide by everything that could divide."""
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


# ---------------------------------------------------------------------------------------- primes


def test_primes_are_primes() -> None:
    primes = primes_for(10**50)
    assert all(map(is_prime, primes))


@settings(max_examples=30)
@given(BOUNDS)
def test_primes_exceed_the_bound_without_the_check(bound: int) -> None:
    primes = primes_for(bound)
    assert prod(primes[:-1]) > bound
    assert len(set(primes)) == len(primes) >= 2
    assert all(2 < prime < 2**31 for prime in primes)


@pytest.mark.parametrize("grid", ["3x3x3", "6x6x4", "10x10x10"])
def test_primes_are_no_more_than_needed(grid: str) -> None:
    bound = Problem.of_grid(Grid.parse(grid)).bound
    primes = primes_for(bound)
    assert (
        prod(sorted(primes)[: len(primes) - 2]) <= bound
    )  # one less would not do, beside the check


def test_the_same_bound_gives_the_same_primes() -> None:
    assert primes_for(10**20) == primes_for(10**20)


# ---------------------------------------------------------------------------------- reconstruction


@settings(max_examples=60)
@given(BOUNDS, st.data())
def test_residues_lead_back_to_the_number(bound: int, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, bound))
    primes = primes_for(bound)
    assert reconstruct([number % prime for prime in primes], primes) == number


@pytest.mark.parametrize("number", [0, 1, 2**31 - 2, 2**31 - 1, 2**62, 10**30])
def test_special_numbers(number: int) -> None:
    primes = primes_for(10**30)
    assert reconstruct([number % prime for prime in primes], primes) == number


PRIMES = {bound: primes_for(bound) for bound in (1, 10**6, 10**12, 10**20, 10**40)}


@settings(max_examples=100)
@given(st.sampled_from(list(PRIMES)), st.data())
def test_a_corrupted_residue_gives_no_number(bound: int, data: st.DataObject) -> None:
    primes = PRIMES[bound]
    number = data.draw(st.integers(0, bound))
    residues = [number % prime for prime in primes]
    place = data.draw(st.integers(0, len(primes) - 1))
    wrong = data.draw(st.integers(0, primes[place] - 1))
    assume(wrong != residues[place])
    residues[place] = wrong
    with pytest.raises(CountMismatch):
        reconstruct(residues, primes)


@pytest.mark.parametrize("bound", [10**6, 10**12, 10**20, 10**40])
def test_no_single_corruption_escapes_the_check(bound: int) -> None:
    """The worst case on purpose: the wrong number differs by a multiple of the check prime.

    Where one residue is wrong, the number is off by a multiple of all the other primes. If it
    could also be a multiple of the check prime, the error would go unseen.
    """
    primes = primes_for(bound)
    number = bound // 3
    product = prod(primes[:-1])
    for place, prime in enumerate(primes[:-1]):
        off = product // prime * primes[-1]
        for wrong in (number + off, number - off):
            if not 0 <= wrong < product or wrong % prime == number % prime:
                continue
            residues = [number % p for p in primes]
            residues[place] = wrong % prime
            with pytest.raises(CountMismatch):
                reconstruct(residues, primes)


def test_a_bit_flipped_anywhere_is_seen() -> None:
    primes = primes_for(10**25)
    number = 1_281_016_086_768
    residues = [number % prime for prime in primes]
    for place in range(len(primes)):
        for bit in range(31):
            wrong = residues.copy()
            wrong[place] ^= 1 << bit
            with pytest.raises(CountMismatch):
                reconstruct(wrong, primes)


def test_a_mismatch_says_what_disagrees() -> None:
    with pytest.raises(CountMismatch, match="7 gives 2 where the others give 8") as caught:
        reconstruct([2, 3, 2], [3, 5, 7])
    assert isinstance(caught.value, NoughtsError)
    assert isinstance(caught.value, ArithmeticError)


@pytest.mark.parametrize(("residues", "primes"), [([2], [3, 5]), ([1, 2, 1], [3, 5]), ([], [3, 5])])
def test_a_missing_residue_gives_no_number(residues: list[int], primes: list[int]) -> None:
    with pytest.raises((ValueError, ArithmeticError, IndexError)):
        reconstruct(residues, primes)
