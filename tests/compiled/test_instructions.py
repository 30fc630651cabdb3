"""Bits are counted and found as Python would."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from streameval.compiled import instructions
from streameval.compiled.kernels import kernel


@kernel
def count_ones(word):
    return instructions.count_ones(word)


@kernel
def first_one(word):
    return instructions.first_one(word)


@given(st.integers(0, 2**63 - 1))
@example(0)
def test_bits_are_counted_and_found(word):
    digits = f"{word:b}"
    assert count_ones(word) == digits.count("1")
    assert first_one(word) == (len(digits) - 1 - digits.rindex("1") if word else 64)
