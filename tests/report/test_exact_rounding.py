"""Ratios of counts are rounded exactly: no float decides a half."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

import pandas as pd
import pytest
from helpers.scorecards import card_of, row_of
from hypothesis import given
from hypothesis import strategies as st

from streameval.base.errors import DataError
from streameval.base.rounding import round_half_up, truncate
from streameval.report.results import Finding

COUNTS = st.integers(1, 2**24).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(COUNTS, st.sampled_from([1, 100]))
def test_the_ratio_that_a_float_was_computed_from_is_found(counts, scale):
    correct, n = counts
    for value in (correct / n * scale, scale * correct / n):  # two roundings and one
        assert Finding(value).with_exact_ratio(scale).exact == Fraction(correct, n) * scale


@given(st.integers(-(10**12), 10**12), st.integers(0, 9), st.integers(0, 4))
def test_exact_rounding_equals_that_of_decimal_numbers(number, places, decimals):
    value, room = Decimal(number).scaleb(-places), Context(prec=100)
    unit = Decimal(1).scaleb(-decimals)
    for function, rounding in ((round_half_up, ROUND_HALF_UP), (truncate, ROUND_DOWN)):
        assert function(Fraction(value), decimals) == value.quantize(unit, rounding, room)


def test_what_is_no_ratio_of_counts_is_refused():
    with pytest.raises(DataError, match="counts up to 16,777,216, found 0"):
        Finding(0.5**0.5).with_exact_ratio()
    assert Finding(float("nan"), "absent").with_exact_ratio().exact is None


@pytest.mark.parametrize(
    ("key", "correct", "verdict", "rounded"),
    [
        # Counts of 20,000 predictions of the authors' stream. The first two, as correct / n * 100,
        # are floats just below their halves.
        ("led/0/no_change", 1951, "reproduced if truncated", "9.76"),
        ("led/45/naive_bayes", 11779, "reproduced if truncated", "58.90"),
        ("led/45/no_change", 2117, "reproduced", "10.59"),
    ],
)
def test_halves_of_printed_accuracies(key, correct, verdict, rounded):
    _, which, learner = key.split("/")
    columns = ["stream", "simulated", "labels", "attributes", "which", "learner"]
    rows = [("led_delayed", False, 20_000, 24, which, learner, correct / 20_000 * 100)]
    table = pd.DataFrame(rows, columns=[*columns, "accuracy_percent"])
    card = card_of({"grzenda2019/table1": table}, paper="grzenda2019")
    row = row_of(card, "grzenda2019/table1", key)
    assert row["verdict"] == verdict
    assert f"rounds to {rounded}" in row["reason"]
