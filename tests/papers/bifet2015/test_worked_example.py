"""Table 5 of Bifet et al. (2015): the measures of a confusion matrix that the paper prints."""

from __future__ import annotations

import math

import pytest
from helpers.scorecards import card_of

from streameval.papers.bifet2015.published import worked_example


def test_the_worked_example_by_hand() -> None:
    ours = worked_example()
    # From the counts TP 40, FN 30, FP 5, TN 25 of Bifet et al. (2015), Table 5.
    assert ours["accuracy"] == pytest.approx(65, abs=1e-12)
    assert ours["p_c"] == pytest.approx(100 * (0.7 * 0.45 + 0.3 * 0.55), abs=1e-12)
    assert ours["kappa"] == pytest.approx(100 * 0.17 / 0.52, abs=1e-12)
    assert ours["mcc"] == pytest.approx(
        100 * (40 * 25 - 30 * 5) / math.sqrt(70 * 45 * 30 * 55), abs=1e-12
    )
    assert ours["harmonic_mean"] == pytest.approx(200 / (7 / 4 + 6 / 5), abs=1e-12)
    assert ours["kappa_m"] == pytest.approx(-100 / 6, abs=1e-12)


def test_the_worked_example_has_all_published_digits() -> None:
    card = card_of({})
    rows = card[(card["paper"] == "bifet2015") & (card["item"] == "table5")]
    assert (rows["verdict"] == "reproduced").all()
