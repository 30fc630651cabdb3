"""Numbers as people read them."""

from __future__ import annotations

import math

import pytest

from streameval.view.formats import percent, score


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0.00 %"), (0.5, "50.00 %"), (0.001, "0.10 %"), (0.00012345, "0.012 %")],
)
def test_a_tiny_share_has_two_digits(share, text):
    assert percent(share) == text


def test_a_score_has_a_minus_sign_or_is_undefined():
    assert [score(value) for value in (-0.5, -0.00001, math.nan)] == [
        "−0.5000",
        "0.0000",
        "undefined",
    ]
    assert score(math.nan, undefined="") == ""
